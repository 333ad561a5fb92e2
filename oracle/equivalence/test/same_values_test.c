/* One row for each kind of verdict about the values of two graphs, and for each convention. */
#include "oracle/equivalence/same_values.h"
#include "oracle/test/test_module.h"
#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

#define NAMESAKES(root) \
  "HloModule m\nf {\nROOT c = s32[6] constant({...})\n}\n" \
  "ENTRY e {\nc = s32[6] constant({...})\na = s32[6] call(), to_apply=f\n" root "\n}\n"
#define CONSTANTS(index) \
  "HloModule m\nENTRY e {\nt = (s32[], s32[]) constant((1, 2))\n" \
  "ROOT r = s32[] get-tuple-element(t), index=" index "\n}\n"

#define TABLE_ROW(line, offset) TABLE_ROW_OF(line, "x", offset)
#define TABLE_ROW_OF(line, table, offset) \
  E("x = f32[5000,8] parameter(0)\ni = s32[] parameter(1)\nz = s32[] constant(0)\n" line \
    "ROOT r = f32[1,8] dynamic-slice(" table ", " offset ", z), dynamic_slice_sizes={1,8}")
#define NARROW_ROW(line, offset) \
  E("x = s32[5000] parameter(0)\ni = s8[] parameter(1)\n" line \
    "ROOT r = s32[1] dynamic-slice(x, " offset "), dynamic_slice_sizes={1}")
#define TABLE_ROWS(line, indices) \
  E("x = f32[50000,8] parameter(0)\ni = s32[3,1] parameter(1)\n" line \
    "ROOT r = f32[3,8] gather(x, " indices "), offset_dims={1}, collapsed_slice_dims={0}, " \
    "start_index_map={0}, index_vector_dim=1, slice_sizes={1,8}")
#define TABLE_UPDATE(line, offset) \
  E("x = f32[5000] parameter(0)\nu = f32[1] parameter(1)\ni = s32[] parameter(2)\n" line \
    "ROOT r = f32[5000] dynamic-update-slice(x, u, " offset ")")

static const ValuesCase rows[] = {
    {"row_of_a_large_table", TABLE_ROW("", "i"), TABLE_ROW("", "i"), "same values"},
    {"next_row_of_a_large_table", TABLE_ROW("", "i"),
        TABLE_ROW("o = s32[] constant(1)\nj = s32[] add(i, o)\n", "j"), "different"},
    {"row_of_a_large_table_that_is_clamped_twice", TABLE_ROW("", "i"),
        TABLE_ROW("j = s32[] maximum(i, z)\n", "j"), "unknown"},
    {"row_of_a_large_table_by_few_bits", NARROW_ROW("", "i"),
        NARROW_ROW("z = s8[] constant(0)\nj = s8[] maximum(i, z)\n", "j"), "unknown"},
    {"row_of_a_large_table_that_is_no_input", TABLE_ROW_OF("y = f32[5000,8] negate(x)\n", "y", "i"),
        TABLE_ROW_OF(
            "y = f32[5000,8] negate(x)\no = s32[] constant(1)\nj = s32[] add(i, o)\n", "y", "j"),
        "unknown"},
    {"rows_of_a_large_table", TABLE_ROWS("", "i"), TABLE_ROWS("", "i"), "same values"},
    {"next_rows_of_a_large_table", TABLE_ROWS("", "i"),
        TABLE_ROWS(
            "o = s32[] constant(1)\nb = s32[3,1] broadcast(o), dimensions={}\nj = s32[3,1] add(i, b)\n",
            "j"),
        "different"},
    {"reversed_rows_of_a_large_table", TABLE_ROWS("", "i"),
        TABLE_ROWS("j = s32[3,1] reverse(i), dimensions={0}\n", "j"), "different"},
    {"row_of_a_large_table_that_is_replaced", TABLE_UPDATE("", "i"),
        TABLE_UPDATE("o = s32[] constant(1)\nj = s32[] add(i, o)\n", "j"), "unknown"},
    {"loop_leaves_in_another_order", ADDS_B, ADDS_B_IN_ORDER("9", "d = f32[2] add(x, y)\n"),
        "same values"},
    {"loop_body_is_another", ADDS_B, ADDS_B_IN_ORDER("9", "d = f32[2] add(x, x)\n"), "different"},
    {"loop_runs_once_more", ADDS_B, ADDS_B_IN_ORDER("10", "d = f32[2] add(x, y)\n"), "different"},
    {"loop_constant_inside", ADDS_A_CONSTANT, ADDS_ONE("1, 1"), "same values"},
    {"loop_other_constant_inside", ADDS_A_CONSTANT, ADDS_ONE("1, 2"), "different"},
    {"loop_of_unknown_length", ADDS_UNTIL("1", "n"), ADDS_UNTIL("1", "n"), "same values"},
    {"loop_of_unknown_length_with_another_body", ADDS_UNTIL("1", "n"), ADDS_UNTIL("2", "n"),
        "different"},
    {"loop_until_another_number", ADDS_UNTIL("1", "n"), ADDS_UNTIL("1", "i2"), "different"},
    {"loop_that_is_written_out", ADDS_ONE("1, 1"),
        E(AB2
            "o = f32[2] constant({1, 1})\nx1 = f32[2] add(a, o)\nx2 = f32[2] add(x1, o)\nx3 = f32[2] add(x2, o)\n"
            "x4 = f32[2] add(x3, o)\nx5 = f32[2] add(x4, o)\nx6 = f32[2] add(x5, o)\nx7 = f32[2] add(x6, o)\n"
            "x8 = f32[2] add(x7, o)\nROOT x9 = f32[2] add(x8, o)"),
        "same values"},
    {"loop_that_is_written_out_once_less", ADDS_ONE("1, 1"),
        E(AB2
            "o = f32[2] constant({1, 1})\nx1 = f32[2] add(a, o)\nx2 = f32[2] add(x1, o)\nx3 = f32[2] add(x2, o)\n"
            "x4 = f32[2] add(x3, o)\nx5 = f32[2] add(x4, o)\nx6 = f32[2] add(x5, o)\nx7 = f32[2] add(x6, o)\n"
            "ROOT x8 = f32[2] add(x7, o)"),
        "different"},
    {"sum_that_cancels_by_one_order", SUM_OF("1e30, 1, -1e30"), SUM_OF("0, 1, 0"), "unknown"},
    {"sum_that_another_order_loses", SUM_OF("1e30, -1e30, 1"), SUM_OF("0, 0, 0"), "unknown"},
    {"products_that_another_order_loses", DOT_OF("1e30, -1e30, 1"), DOT_OF("0, 0, 0"), "unknown"},
    {"sum_that_no_order_loses", SUM_OF("1e6, -1e6, 1"), SUM_OF("0, 0, 0"), "different"},
    {"sum_with_an_infinite_summand", SUM_OF("inf, 1, 2"), SUM_OF("0, 1, 0"), "different"},
    {"sum_that_overflows_in_one_order", SUM_OF("3e38, 3e38, -3e38"), SUM_OF("0, 1, 0"), "unknown"},
    {"products_that_cancel_by_one_order", DOT_OF("1e30, 1, -1e30"), DOT_OF("0, 1, 0"), "unknown"},
    {"sum_that_does_not_cancel", SUM_OF("1e30, 1, 1e30"), SUM_OF("0, 1, 0"), "different"},
    {"sum_that_cancels_exactly", SUM_OF("1024, 1, -1024"), SUM_OF("0, 2, 0"), "different"},
    {"namesakes_are_two", NAMESAKES("ROOT r = s32[6] subtract(a, c)"),
        NAMESAKES("ROOT r = s32[6] subtract(c, c)"), "unknown"},
    {"elements_of_a_constant_tuple", CONSTANTS("0"), CONSTANTS("1"), "unknown"},
    {"window_over_padding_alone",
        M(ADD_S32, "a = s32[4] parameter(0)\nz = s32[] constant(5)\n"
                   "ROOT r = s32[9] reduce-window(a, z), window={size=2 pad=3_3}, to_apply=add"),
        M(ADD_S32,
            "a = s32[4] parameter(0)\nz = s32[] constant(5)\np = s32[10] pad(a, z), padding=3_3\n"
            "ROOT r = s32[9] reduce-window(p, z), window={size=2}, to_apply=add"),
        "unknown"},
    {"bitcast_by_layouts", E("a = f32[2,3]{0,1} parameter(0)\nROOT r = f32[3,2]{1,0} bitcast(a)"),
        E("a = f32[2,3]{0,1} parameter(0)\nROOT r = f32[3,2]{1,0} transpose(a), dimensions={1,0}"),
        "same values"},
    {"bitcast_of_other_layouts",
        E("a = f32[2,3]{1,0} parameter(0)\nROOT r = f32[3,2]{1,0} bitcast(a)"),
        E("a = f32[2,3]{1,0} parameter(0)\nROOT r = f32[3,2]{1,0} transpose(a), dimensions={1,0}"),
        "different"},
    {"bitcast_as_a_reshape",
        E("a = f32[2,3,4]{2,0,1} parameter(0)\nROOT r = f32[6,4]{1,0} bitcast(a)"),
        E("a = f32[2,3,4]{2,0,1} parameter(0)\nt = f32[3,2,4] transpose(a), dimensions={1,0,2}\n"
          "ROOT r = f32[6,4] reshape(t)"),
        "same values"},
    {"bitcast_between_memory_spaces",
        E("a = f32[2,3]{0,1:S(1)} parameter(0)\nROOT r = f32[6]{0} bitcast(a)"),
        E("a = f32[2,3]{0,1:S(1)} parameter(0)\nt = f32[3,2] transpose(a), dimensions={1,0}\n"
          "ROOT r = f32[6] reshape(t)"),
        "same values"},
    {"bitcast_of_a_tuple",
        E("a = (f32[6]{0}, f32[2,3]{0,1}) parameter(0)\n"
          "b = (f32[2,3]{1,0}, f32[6]{0}) bitcast(a)\nROOT r = f32[6] get-tuple-element(b), index=1"),
        E("a = (f32[6]{0}, f32[2,3]{0,1}) parameter(0)\nb = f32[2,3] get-tuple-element(a), index=1\n"
          "t = f32[3,2] transpose(b), dimensions={1,0}\nROOT r = f32[6] reshape(t)"),
        "same values"},
    {"bitcast_of_a_tuple_of_equals",
        E("a = (f32[6], f32[6]) parameter(0)\nb = (f32[6], f32[6]) bitcast(a)\n"
          "ROOT r = f32[6] get-tuple-element(b), index=1"),
        E("a = (f32[6], f32[6]) parameter(0)\nb = (f32[6], f32[6]) bitcast(a)\n"
          "ROOT r = f32[6] get-tuple-element(b), index=0"),
        "different"},
    {"bitcast_of_a_tuple_to_another_width",
        E("a = (s32[6], s32[6]) parameter(0)\nb = (s32[6], s16[12]) bitcast(a)\n"
          "c = s16[12] get-tuple-element(b), index=1\nROOT r = s16[12] negate(c)"),
        E("a = (s32[6], s32[6]) parameter(0)\nb = (s32[6], s16[12]) bitcast(a)\n"
          "d = (s32[6], s16[12]) bitcast(b)\nc = s16[12] get-tuple-element(d), index=1\n"
          "ROOT r = s16[12] negate(c)"),
        "same values"},
    {"bitcast_to_another_type",
        E("a = f32[3,2]{0,1} parameter(0)\nb = s32[2,3]{1,0} bitcast(a)\nROOT r = s32[1,3] slice(b), slice={[1:2], [0:3]}"),
        E("a = f32[3,2]{0,1} parameter(0)\nb = f32[3,1]{0,1} slice(a), slice={[0:3], [1:2]}\nc = s32[3,1] bitcast-convert(b)\nROOT r = s32[1,3] transpose(c), dimensions={1,0}"),
        "same values"},
    {"bitcast_to_its_own_type", E("a = bf16[3] parameter(0)\nROOT r = bf16[3] bitcast-convert(a)"),
        E("a = bf16[3] parameter(0)\nROOT r = bf16[3] copy(a)"), "same values"},
    {"imaginary_part_of_a_real", E("a = f32[3] parameter(0)\nROOT r = f32[3] imag(a)"),
        E("a = f32[3] parameter(0)\nROOT r = f32[3] copy(a)"), "different"},
    {"scatter_at_a_constant_place",
        M(ADD_S32,
            "a = s32[4] parameter(0)\ni = s32[1] constant({2})\nu = s32[1] parameter(1)\n" SCATTER_LINE),
        E("a = s32[4] parameter(0)\nu = s32[1] parameter(1)\nz = s32[] constant(0)\n"
          "p = s32[4] pad(u, z), padding=2_1\nROOT r = s32[4] add(a, p)"),
        "same reads"},
    {"scatter_outside_is_skipped", SCATTER_ONE("s32[1] constant({4})"),
        E("a = s32[4] parameter(0)\nu = s32[1] parameter(1)\nROOT r = s32[4] copy(a)"),
        "same values"},
    {"scatter_below_is_skipped", SCATTER_ONE("s32[1] constant({-1})"),
        E("a = s32[4] parameter(0)\nu = s32[1] parameter(1)\nROOT r = s32[4] copy(a)"),
        "same values"},
    {"offset_of_64_bits_without_a_sign_is_large",
        E("a = f32[4] parameter(0)\nc = s64[] constant(-1)\nu = u64[] convert(c)\n"
          "ROOT r = f32[2] dynamic-slice(a, u), dynamic_slice_sizes={2}"),
        E("a = f32[4] parameter(0)\nc = s64[] constant(-1)\n"
          "ROOT r = f32[2] dynamic-slice(a, c), dynamic_slice_sizes={2}"),
        "different"},
    {"offset_that_wraps_around",
        E("a = f32[5] parameter(0)\nx = u8[] parameter(1)\nc = u8[] constant(10)\n"
          "i = u8[] add(x, c)\nROOT r = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}"),
        E("a = f32[5] parameter(0)\nx = u8[] parameter(1)\nc = u8[] constant(10)\n"
          "j = u8[] add(x, c)\nz = u8[] constant(1)\nq = pred[] compare(j, z), direction=LE\n"
          "n = u8[] constant(9)\ni = u8[] select(q, j, n)\n"
          "ROOT r = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}"),
        "different"},
    {"offset_below_a_constant_of_64_bits",
        E("a = f32[3] parameter(0)\nx = u64[] parameter(1)\nc = u64[] constant(18446744073709551615)\n"
          "i = u64[] minimum(x, c)\nROOT r = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}"),
        E("a = f32[3] parameter(0)\nx = u64[] parameter(1)\nc = u64[] constant(18446744073709551615)\n"
          "j = u64[] minimum(x, c)\nz = u64[] constant(0)\nq = pred[] compare(j, c), direction=EQ\n"
          "i = u64[] select(q, c, z)\n"
          "ROOT r = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}"),
        "different"},
    {"offset_compared_far_from_its_clamp",
        E("a = f32[4] parameter(0)\nx = s32[] parameter(1)\nc = s32[] constant(1073741823)\n"
          "n = s32[] constant(2147483647)\nq = pred[] compare(x, c), direction=LT\n"
          "i = s32[] select(q, x, n)\n"
          "ROOT r = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}"),
        E("a = f32[4] parameter(0)\nx = s32[] parameter(1)\n"
          "ROOT r = f32[1] dynamic-slice(a, x), dynamic_slice_sizes={1}"),
        "same values"},
    {"offset_of_another_sign",
        E("a = f32[4] parameter(0)\nx = s8[] parameter(1)\nu = u8[] convert(x)\n"
          "ROOT r = f32[1] dynamic-slice(a, u), dynamic_slice_sizes={1}"),
        E("a = f32[4] parameter(0)\nx = s8[] parameter(1)\nz = s8[] constant(0)\n"
          "n = s8[] constant(127)\nq = pred[] compare(x, z), direction=LT\n"
          "i = s8[] select(q, n, x)\n"
          "ROOT r = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}"),
        "same values"},
    {"largest_offset_is_the_last",
        E("a = f32[4] parameter(0)\nu = u64[] constant(18446744073709551615)\n"
          "ROOT r = f32[2] dynamic-slice(a, u), dynamic_slice_sizes={2}"),
        E("a = f32[4] parameter(0)\nROOT r = f32[2] slice(a), slice={[2:4]}"), "same values"},
    {"scatter_by_the_largest_small_index",
        M(ADD_S32,
            "a = s32[200] parameter(0)\ni = s8[1] parameter(2)\nu = s32[1] parameter(1)\n"
            "ROOT r = s32[200] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, "
            "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"),
        M(ADD_S32,
            "a = s32[200] parameter(0)\nj = s8[1] parameter(2)\nu = s32[1] parameter(1)\n"
            "i = s32[1] convert(j)\n"
            "ROOT r = s32[200] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, "
            "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"),
        "same values"},
    {"scatter_is_not_clamped", SCATTER_ONE("s32[1] parameter(2)"),
        M(ADD_S32,
            "a = s32[4] parameter(0)\nj = s32[1] parameter(2)\nu = s32[1] parameter(1)\n"
            "z = s32[1] constant({0})\nh = s32[1] constant({3})\ni = s32[1] clamp(z, j, h)\n" SCATTER_LINE),
        "different"},
    {"scatter_after_a_clamp_that_it_needs_not",
        M(ADD_S32,
            "a = s32[4] parameter(0)\nj = s32[1] parameter(2)\nu = s32[1] parameter(1)\n"
            "l = s32[1] constant({-1})\nh = s32[1] constant({4})\ni = s32[1] clamp(l, j, h)\n" SCATTER_LINE),
        SCATTER_ONE("s32[1] parameter(2)"), "same values"},
    {"loop_leaf_that_is_kept",
        M(LOOP(IAB, "9",
              NEXT_I "x = f32[2] get-tuple-element(p), index=1\n"
                     "y = f32[2] get-tuple-element(p), index=2\nROOT t = " IAB " tuple(j, x, y)\n"),
            AB2 "t = " IAB " tuple(z, a, b)\nw = " IAB " while(t), condition=more, body=body\n"
                "ROOT r = f32[2] get-tuple-element(w), index=1"),
        E(AB2 "ROOT r = f32[2] copy(a)"), "same values"},
    {"loop_leaves_change_places",
        M(LOOP(IAB, "9",
              NEXT_I "x = f32[2] get-tuple-element(p), index=1\n"
                     "y = f32[2] get-tuple-element(p), index=2\nROOT t = " IAB " tuple(j, y, x)\n"),
            AB2 "t = " IAB " tuple(z, a, b)\nw = " IAB " while(t), condition=more, body=body\n"
                "ROOT r = f32[2] get-tuple-element(w), index=1"),
        E(AB2 "ROOT r = f32[2] copy(a)"), "different"},
    {"movement_is_transparent",
        E(AB
            "x = f32[3,2] transpose(a), dimensions={1,0}\ny = f32[3,2] transpose(b), dimensions={1,0}\n"
            "ROOT r = f32[3,2] subtract(x, y)"),
        E(AB "d = f32[2,3] subtract(a, b)\nROOT r = f32[3,2] transpose(d), dimensions={1,0}"),
        "same values"},
    {"exchanged_subtract", E(AB "ROOT r = f32[2,3] subtract(a, b)"),
        E(AB "ROOT r = f32[2,3] subtract(b, a)"), "different"},
    {"elements_that_trade_places",
        E("a = f32[2,2] parameter(0)\nb = f32[2,2] parameter(1)\nd = f32[2,2] subtract(a, b)\nROOT r = f32[2,2] reverse(d), dimensions={1}"),
        E("a = f32[2,2] parameter(0)\nb = f32[2,2] parameter(1)\nd = f32[2,2] subtract(b, a)\nROOT r = f32[2,2] reverse(d), dimensions={0}"),
        "different"},
    {"exchanged_add", E(AB "ROOT r = f32[2,3] add(a, b)"), E(AB "ROOT r = f32[2,3] add(b, a)"),
        "same reads"},
    {"clamp_between_scalars",
        E("a = s32[4] parameter(0)\nl = s32[] parameter(1)\nh = s32[] parameter(2)\n"
          "ROOT r = s32[4] clamp(l, a, h)"),
        E("a = s32[4] parameter(0)\nl = s32[] parameter(1)\nh = s32[] parameter(2)\n"
          "m = s32[4] broadcast(l), dimensions={}\nn = s32[4] broadcast(h), dimensions={}\n"
          "ROOT r = s32[4] clamp(m, a, n)"),
        "same values"},
    {"select_by_a_scalar", E(AB "p = pred[] parameter(2)\nROOT r = f32[2,3] select(p, a, b)"),
        E(AB "p = pred[] parameter(2)\nq = pred[2,3] broadcast(p), dimensions={}\n"
             "ROOT r = f32[2,3] select(q, a, b)"),
        "same values"},
    {"select_by_a_scalar_or_an_element",
        E(AB "p = pred[2] parameter(2)\nc = pred[1] slice(p), slice={[0:1]}\n"
             "q = pred[] reshape(c)\nROOT r = f32[2,3] select(q, a, b)"),
        E(AB "p = pred[2] parameter(2)\nq = pred[2,3] broadcast(p), dimensions={0}\n"
             "ROOT r = f32[2,3] select(q, a, b)"),
        "different"},
    {"exchanged_branches", E(AB "p = pred[2,3] parameter(2)\nROOT r = f32[2,3] select(p, a, b)"),
        E(AB "p = pred[2,3] parameter(2)\nROOT r = f32[2,3] select(p, b, a)"), "different"},
    {"other_direction", E(AB "ROOT r = pred[2,3] compare(a, b), direction=LT"),
        E(AB "ROOT r = pred[2,3] compare(a, b), direction=LE"), "different"},
    {"nothing_is_read", E("a = s32[3] parameter(0)\nROOT r = s32[3] subtract(a, a)"),
        E("a = s32[3] parameter(0)\nz = s32[] constant(0)\nROOT r = s32[3] broadcast(z), dimensions={}"),
        "fewer reads"},
    {"more_is_read",
        E("a = s32[3] parameter(0)\nz = s32[] constant(0)\nROOT r = s32[3] broadcast(z), dimensions={}"),
        E("a = s32[3] parameter(0)\nROOT r = s32[3] subtract(a, a)"), "more reads"},
    {"reversed_contraction",
        E(DOT "ROOT r = f32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        E(DOT "c = f32[3,2] reverse(b), dimensions={0}\n"
              "ROOT r = f32[2,2] dot(a, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        "different"},
    {"both_reversed",
        E(DOT "ROOT r = f32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        E(DOT "c = f32[3,2] reverse(b), dimensions={0}\nd = f32[2,3] reverse(a), dimensions={1}\n"
              "ROOT r = f32[2,2] dot(d, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        "same values"},
    {"contraction_over_nothing",
        E("a = f32[2,0] parameter(0)\nb = f32[0,2] parameter(1)\n"
          "ROOT r = f32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        E("a = f32[2,0] parameter(0)\nb = f32[0,2] parameter(1)\nz = f32[] constant(0)\n"
          "ROOT r = f32[2,2] broadcast(z), dimensions={}"),
        "same values"},
    {"window_and_reduce_are_one_fold",
        M(ADD, "a = f32[2,3] parameter(0)\nz = f32[] constant(0)\n"
               "ROOT r = f32[2] reduce(a, z), dimensions={1}, to_apply=add"),
        M(ADD_EXCHANGED, "a = f32[2,3] parameter(0)\nz = f32[] constant(0)\n"
                         "w = f32[2,1] reduce-window(a, z), window={size=1x3}, to_apply=add\n"
                         "ROOT r = f32[2] reshape(w)"),
        "same values"},
    {"other_function",
        M(ADD, "a = f32[2,3] parameter(0)\nz = f32[] constant(0)\n"
               "ROOT r = f32[2] reduce(a, z), dimensions={1}, to_apply=add"),
        M(MAX, "a = f32[2,3] parameter(0)\nz = f32[] constant(0)\n"
               "ROOT r = f32[2] reduce(a, z), dimensions={1}, to_apply=max"),
        "different"},
    {"reversed_kernel",
        E("a = f32[1,4,1] parameter(0)\nk = f32[3,1,1] parameter(1)\n"
          "ROOT r = f32[1,2,1] convolution(a, k), window={size=3}, dim_labels=b0f_0io->b0f"),
        E("a = f32[1,4,1] parameter(0)\nk = f32[3,1,1] parameter(1)\n"
          "ROOT r = f32[1,2,1] convolution(a, k), window={size=3 rhs_reversal=1}, dim_labels=b0f_0io->b0f"),
        "different"},
    {"offset_that_is_not_read",
        E("a = f32[3] parameter(0)\ni = s32[] parameter(1)\n"
          "ROOT r = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}"),
        E("a = f32[3] parameter(0)\ni = s32[] parameter(1)\nROOT r = f32[3] copy(a)"),
        "same values"},
    {"offsets_clamped_one_by_one",
        E("a = f32[6] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n"
          "b = f32[4] dynamic-slice(a, i), dynamic_slice_sizes={4}\n"
          "ROOT r = f32[2] dynamic-slice(b, j), dynamic_slice_sizes={2}"),
        E("a = f32[6] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n"
          "z = s32[] constant(0)\nt = s32[] constant(2)\nc = s32[] clamp(z, i, t)\nd = s32[] clamp(z, j, t)\n"
          "s = s32[] add(c, d)\nROOT r = f32[2] dynamic-slice(a, s), dynamic_slice_sizes={2}"),
        "same values"},
    {"offsets_added",
        E("a = f32[6] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n"
          "b = f32[4] dynamic-slice(a, i), dynamic_slice_sizes={4}\n"
          "ROOT r = f32[2] dynamic-slice(b, j), dynamic_slice_sizes={2}"),
        E("a = f32[6] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n"
          "s = s32[] add(i, j)\nROOT r = f32[2] dynamic-slice(a, s), dynamic_slice_sizes={2}"),
        "different"},
    {"an_offset_and_its_neighbour",
        E("a = f32[6] parameter(0)\ni = s32[] parameter(1)\n"
          "ROOT r = f32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}"),
        E("a = f32[6] parameter(0)\ni = s32[] parameter(1)\nz = s32[] constant(0)\nt = s32[] constant(5)\n"
          "c = s32[] clamp(z, i, t)\nROOT r = f32[2] dynamic-slice(a, c), dynamic_slice_sizes={2}"),
        "same values"},
    {"iota_is_a_constant",
        E("a = s32[3] parameter(0)\ni = s32[3] iota(), iota_dimension=0\nROOT r = s32[3] add(a, i)"),
        E("a = s32[3] parameter(0)\ni = s32[3] constant({0, 1, 2})\nROOT r = s32[3] add(a, i)"),
        "same values"},
    {"a_call_that_nobody_knows",
        E("a = f32[3] parameter(0)\nROOT r = f32[3] custom-call(a), custom_call_target=\"f\""),
        E("a = f32[3] parameter(0)\nb = f32[3] reverse(a), dimensions={0}\n"
          "ROOT r = f32[3] custom-call(b), custom_call_target=\"f\""),
        "unknown"},
    {"a_call_of_the_same_operands",
        E("a = f32[3] parameter(0)\nx = f32[3] copy(a)\nROOT r = f32[3] custom-call(x), custom_call_target=\"f\""),
        E("a = f32[3] parameter(0)\nb = f32[3] reverse(a), dimensions={0}\nc = f32[3] reverse(b), dimensions={0}\n"
          "ROOT r = f32[3] custom-call(c), custom_call_target=\"f\""),
        "same values"},
    {"gather_from_nothing",
        E("a = f32[0,2] parameter(0)\ni = s32[3] parameter(1)\n"
          "ROOT r = f32[3,2] gather(a, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
          "index_vector_dim=1, slice_sizes={0,2}"),
        E("a = f32[0,2] parameter(0)\ni = s32[3] parameter(1)\nz = f32[] constant(0)\n"
          "ROOT r = f32[3,2] broadcast(z), dimensions={}"),
        "unknown"},
    {"the_lowest_number",
        E("a = s8[3] parameter(0)\nz = s8[3] constant({0, 0, 0})\nb = s8[3] abs(a)\n"
          "ROOT r = pred[3] compare(b, z), direction=LT"),
        E("a = s8[3] parameter(0)\nROOT r = pred[3] constant({false, false, false})"), "different"},
    {"all_inputs_lie_below_the_initial_value",
        M(MAX_S32,
            "a = s32[6] parameter(0)\nz = s32[] constant(-2147483648)\nROOT r = s32[] reduce(a, z), dimensions={0}, to_apply=max"),
        M(MAX_S32,
            "a = s32[6] parameter(0)\nz = s32[] constant(2)\nROOT r = s32[] reduce(a, z), dimensions={0}, to_apply=max"),
        "different"},
    {"a_sort_behind_a_transpose",
        M(LESS,
            "a = s32[2,3] parameter(0)\nROOT r = s32[2,3] sort(a), dimensions={1}, to_apply=less"),
        M(LESS,
            "a = s32[2,3] parameter(0)\nt = s32[3,2] transpose(a), dimensions={1,0}\n"
            "s = s32[3,2] sort(t), dimensions={0}, to_apply=less\nROOT r = s32[2,3] transpose(s), dimensions={1,0}"),
        "same values"},
    {"a_sort_along_the_other_dimension",
        M(LESS,
            "a = s32[3,3] parameter(0)\nROOT r = s32[3,3] sort(a), dimensions={1}, to_apply=less"),
        M(LESS,
            "a = s32[3,3] parameter(0)\nROOT r = s32[3,3] sort(a), dimensions={0}, to_apply=less"),
        "different"},
    {"a_sort_of_one",
        M(LESS,
            "a = s32[3,1] parameter(0)\nROOT r = s32[3,1] sort(a), dimensions={1}, to_apply=less"),
        E("ROOT a = s32[3,1] parameter(0)"), "same values"},
    {"a_sort_the_other_way",
        M(LESS, "a = s32[3] parameter(0)\nROOT r = s32[3] sort(a), dimensions={0}, to_apply=less"),
        M(MORE, "a = s32[3] parameter(0)\nROOT r = s32[3] sort(a), dimensions={0}, to_apply=less"),
        "different"},
    {"a_stable_sort_without_its_companion",
        M(LESS_OF_TWO, PAIR_SORTED
            ", is_stable=true, to_apply=less\nROOT r = s32[4] get-tuple-element(s), index=0"),
        M(LESS, AB4 "ROOT r = s32[4] sort(a), dimensions={0}, is_stable=true, to_apply=less"),
        "same values"},
    {"the_companion_of_a_sort_left_in_place",
        M(LESS_OF_TWO, PAIR_SORTED
            ", is_stable=true, to_apply=less\nROOT r = s32[4] get-tuple-element(s), index=1"),
        E(AB4 "ROOT r = s32[4] copy(b)"), "different"},
    {"companions_of_equal_keys",
        M(LESS_OF_TWO,
            PAIR_SORTED ", to_apply=less\nROOT r = s32[4] get-tuple-element(s), index=1"),
        M(LESS_OF_TWO, AB4
            "x = s32[4] reverse(a), dimensions={0}\ny = s32[4] reverse(b), dimensions={0}\n"
            "s = (s32[4], s32[4]) sort(x, y), dimensions={0}, to_apply=less\nROOT r = s32[4] get-tuple-element(s), index=1"),
        "same reads"},
    {"a_product_in_32_bits",
        E("a = s64[] parameter(0)\nc = s64[] constant(3)\nROOT r = s64[] multiply(a, c)"),
        E("a = s64[] parameter(0)\nb = s32[] convert(a)\nc = s32[] constant(3)\n"
          "d = s32[] multiply(b, c)\nROOT r = s64[] convert(d)"),
        "different"},
    {"a_fraction_is_dropped",
        E("a = f32[] parameter(0)\nb = s32[] convert(a)\nROOT r = f32[] convert(b)"),
        E("ROOT a = f32[] parameter(0)"), "different"},
    {"the_bound_itself",
        E("a = s32[] parameter(0)\nb = s32[] constant(777)\nROOT r = pred[] compare(a, b), direction=LT"),
        E("a = s32[] parameter(0)\nb = s32[] constant(777)\nROOT r = pred[] compare(a, b), direction=LE"),
        "different"},
    {"the_bound_of_floats",
        E("a = f32[] parameter(0)\nb = f32[] constant(777)\nROOT r = pred[] compare(a, b), direction=LT"),
        E("a = f32[] parameter(0)\nb = f32[] constant(777)\nROOT r = pred[] compare(a, b), direction=LE"),
        "different"},
    {"the_bound_behind_a_conversion",
        E("a = u32[] parameter(0)\nb = s32[] convert(a)\nc = s32[] constant(-555)\nROOT r = pred[] compare(b, c), direction=LT"),
        E("a = u32[] parameter(0)\nb = s32[] convert(a)\nc = s32[] constant(-554)\nROOT r = pred[] compare(b, c), direction=LT"),
        "different"},
    {"a_quotient_of_zeros", E("a = f32[] parameter(0)\nROOT r = f32[] divide(a, a)"),
        E("a = f32[] parameter(0)\nROOT r = f32[] constant(1)"), "fewer reads"},
    {"a_square_that_overflows",
        E("a = f32[] parameter(0)\nb = f32[] multiply(a, a)\nROOT r = f32[] sqrt(b)"),
        E("a = f32[] parameter(0)\nROOT r = f32[] abs(a)"), "different"},
    {"products_that_overflow_in_another_order",
        E("a = f32[] parameter(0)\nb = f32[] parameter(1)\nc = f32[] multiply(a, b)\nROOT r = f32[] multiply(c, a)"),
        E("a = f32[] parameter(0)\nb = f32[] parameter(1)\nc = f32[] multiply(a, a)\nROOT r = f32[] multiply(c, b)"),
        "same reads"},
    {"rounded_sums_of_integers_in_another_order",
        E("a = s32[3] parameter(0)\nb = f32[3] convert(a)\nx = f32[1] slice(b), slice={[0:1]}\n"
          "y = f32[1] slice(b), slice={[1:2]}\nz = f32[1] slice(b), slice={[2:3]}\n"
          "s = f32[1] add(x, y)\nROOT r = f32[1] add(s, z)"),
        E("a = s32[3] parameter(0)\nb = f32[3] convert(a)\nx = f32[1] slice(b), slice={[0:1]}\n"
          "y = f32[1] slice(b), slice={[1:2]}\nz = f32[1] slice(b), slice={[2:3]}\n"
          "s = f32[1] add(z, y)\nROOT r = f32[1] add(s, x)"),
        "same reads"},
    {"rounding_to_16_bits_is_left_out",
        E("a = f32[] parameter(0)\nb = bf16[] convert(a)\nROOT r = f32[] convert(b)"),
        E("ROOT a = f32[] parameter(0)"), "same reads"},
    {"a_literal_that_is_no_number",
        E("a = f32[] parameter(0)\nb = f32[] constant(nan)\nROOT r = f32[] add(a, b)"),
        E("a = f32[] parameter(0)\nROOT r = f32[] constant(nan)"), "fewer reads"},
    {"no_number_for_a_number",
        E("a = f32[] parameter(0)\nb = f32[] constant(nan)\nROOT r = f32[] add(a, b)"),
        E("ROOT a = f32[] parameter(0)"), "different"},
};

/* Rows with the laws that keep every bit. */
static const ValuesCase lawful_rows[] = {
    {"an_integer_that_no_float_holds",
        E("a = s32[] parameter(0)\nb = f32[] convert(a)\nROOT r = s32[] convert(b)"),
        E("ROOT a = s32[] parameter(0)"), "different"},
    {"an_integer_that_no_half_holds",
        E("a = s32[] parameter(0)\nb = f16[] convert(a)\nROOT r = s32[] convert(b)"),
        E("ROOT a = s32[] parameter(0)"), "different"},
    {"an_integer_that_no_bfloat_holds",
        E("a = u16[] parameter(0)\nb = bf16[] convert(a)\nROOT r = u16[] convert(b)"),
        E("ROOT a = u16[] parameter(0)"), "different"},
    {"an_integer_that_a_half_holds",
        E("a = s8[] parameter(0)\nb = f16[] convert(a)\nROOT r = s8[] convert(b)"),
        E("ROOT a = s8[] parameter(0)"), "same values"},
    {"a_product_of_a_sum", E(XYZ "s = s32[] add(x, y)\nROOT r = s32[] multiply(s, z)"),
        E(XYZ "a = s32[] multiply(z, y)\nb = s32[] multiply(x, z)\nROOT r = s32[] add(a, b)"),
        "same values"},
    {"a_product_of_a_difference", E(XYZ "s = s32[] subtract(x, y)\nROOT r = s32[] multiply(s, z)"),
        E(XYZ "a = s32[] multiply(z, y)\nb = s32[] multiply(x, z)\nROOT r = s32[] subtract(a, b)"),
        "different"},
    {"a_product_of_a_sum_of_floats",
        E("x = f32[] parameter(0)\ny = f32[] parameter(1)\ns = f32[] add(x, x)\nROOT r = f32[] multiply(s, y)"),
        E("x = f32[] parameter(0)\ny = f32[] parameter(1)\na = f32[] multiply(x, y)\nROOT r = f32[] add(a, a)"),
        "same reads"},
    {"powers_that_wrap_to_nothing",
        E("a = u8[] parameter(0)\nc = u8[] constant(16)\nb = u8[] multiply(a, c)\nROOT r = u8[] multiply(b, c)"),
        E("a = u8[] parameter(0)\nROOT r = u8[] constant(0)"), "same values"},
    {"powers_that_do_not_wrap",
        E("a = u16[] parameter(0)\nc = u16[] constant(16)\nb = u16[] multiply(a, c)\nROOT r = u16[] multiply(b, c)"),
        E("a = u16[] parameter(0)\nROOT r = u16[] constant(0)"), "different"},
    {"contraction_as_a_reduction",
        E("a = s8[2,3] parameter(0)\nb = s8[3] parameter(1)\nROOT r = s32[2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        M(ADD_S32,
            "a = s8[2,3] parameter(0)\nb = s8[3] parameter(1)\nx = s32[2,3] convert(a)\ny = s32[3] convert(b)\n"
            "w = s32[2,3] broadcast(y), dimensions={1}\nm = s32[2,3] multiply(w, x)\nz = s32[] constant(0)\n"
            "ROOT r = s32[2] reduce(m, z), dimensions={1}, to_apply=add"),
        "same values"},
    {"products_that_wrap_before_they_are_added",
        E("a = s8[2,3] parameter(0)\nb = s8[3] parameter(1)\nROOT r = s32[2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        M(ADD_S32,
            "a = s8[2,3] parameter(0)\nb = s8[3] parameter(1)\n"
            "w = s8[2,3] broadcast(b), dimensions={1}\nm = s8[2,3] multiply(w, a)\nx = s32[2,3] convert(m)\nz = s32[] constant(0)\n"
            "ROOT r = s32[2] reduce(x, z), dimensions={1}, to_apply=add"),
        "different"},
    {"sum_of_two_parts",
        M(ADD_S32,
            "a = s32[3] parameter(0)\nb = s32[2] parameter(1)\nz = s32[] constant(0)\nc = s32[5] concatenate(a, b), dimensions={0}\n"
            "ROOT r = s32[] reduce(c, z), dimensions={0}, to_apply=add"),
        M(ADD_S32,
            "a = s32[3] parameter(0)\nb = s32[2] parameter(1)\nz = s32[] constant(0)\nx = s32[] reduce(a, z), dimensions={0}, to_apply=add\n"
            "y = s32[] reduce(b, z), dimensions={0}, to_apply=add\nROOT r = s32[] add(y, x)"),
        "same values"},
    {"a_fold_that_adds_one_argument_twice",
        M("add {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] add(y, y)\n}\n",
            "a = s32[2] parameter(0)\nz = s32[] constant(0)\nROOT r = s32[] reduce(a, z), dimensions={0}, to_apply=add"),
        M(ADD_S32,
            "a = s32[2] parameter(0)\nz = s32[] constant(0)\nROOT r = s32[] reduce(a, z), dimensions={0}, to_apply=add"),
        "different"},
    {"largest_of_copies",
        M(MAX_S32,
            "a = s32[] parameter(0)\nb = s32[4] broadcast(a), dimensions={}\nz = s32[] constant(-2147483648)\n"
            "ROOT r = s32[] reduce(b, z), dimensions={0}, to_apply=max"),
        E("ROOT a = s32[] parameter(0)"), "same values"},
    {"a_comparison_turned", E(AB "ROOT r = pred[2,3] compare(a, b), direction=LT"),
        E(AB "ROOT r = pred[2,3] compare(b, a), direction=GT"), "same values"},
    {"a_comparison_turned_by_half", E(AB "ROOT r = pred[2,3] compare(a, b), direction=LT"),
        E(AB "ROOT r = pred[2,3] compare(b, a), direction=GE"), "different"},
    {"a_flag_as_a_number", E("p = pred[3] parameter(0)\nROOT r = f32[3] convert(p)"),
        E("p = pred[3] parameter(0)\na = f32[3] constant({1, 1, 1})\nb = f32[3] constant({0, 0, 0})\nROOT r = f32[3] select(p, a, b)"),
        "same values"},
    {"a_byte_through_a_float",
        E("a = s8[] parameter(0)\nb = f32[] convert(a)\nROOT r = s8[] convert(b)"),
        E("ROOT a = s8[] parameter(0)"), "same values"},
    {"a_short_through_a_float_to_a_byte",
        E("a = s16[] parameter(0)\nb = f32[] convert(a)\nROOT r = s8[] convert(b)"),
        E("a = s16[] parameter(0)\nROOT r = s8[] convert(a)"), "same reads"},
    {"order_of_converted_bytes",
        E("a = u8[] parameter(0)\nb = u8[] parameter(1)\nx = s32[] convert(a)\ny = s32[] convert(b)\nROOT r = pred[] compare(x, y), direction=LT"),
        E("a = u8[] parameter(0)\nb = u8[] parameter(1)\nROOT r = pred[] compare(b, a), direction=GT"),
        "same values"},
    {"order_of_bytes_with_another_sign",
        E("a = u8[] parameter(0)\nb = u8[] parameter(1)\nx = s8[] convert(a)\ny = s8[] convert(b)\nROOT r = pred[] compare(x, y), direction=LT"),
        E("a = u8[] parameter(0)\nb = u8[] parameter(1)\nROOT r = pred[] compare(a, b), direction=LT"),
        "different"},
    {"bits_of_bits",
        E("a = f32[3] parameter(0)\nb = u32[3] bitcast-convert(a)\nROOT r = f32[3] bitcast-convert(b)"),
        E("ROOT a = f32[3] parameter(0)"), "same values"},
    {"imaginary_part_of_two_floats", E(AB "c = c64[2,3] complex(a, b)\nROOT r = f32[2,3] imag(c)"),
        E(AB "ROOT r = f32[2,3] copy(b)"), "same values"},
};

static void answers_are_as_the_conventions_say(void **state) {
  (void)state;
  assert_int_equal(values_cases_faults(sizeof rows / sizeof *rows, rows, nullptr), 0);
}

static void answers_are_as_exact_laws_say(void **state) {
  (void)state;
  assert_int_equal(values_cases_faults(sizeof lawful_rows / sizeof *lawful_rows, lawful_rows,
                       &(ValuesLimits){.grade = LAW_EXACT}),
      0);
}

/* Terms past the memory limit are undecided, and the reason says so. */
static void memory_is_a_limit(void **state) {
  (void)state;
  static constexpr size_t most = (size_t)1 << 20;
  OracleFixture bench = bench_create();
  ValuesVerdict verdict;
  OracleValues *values = oracle_values_create(bench.arena,
      values_case_entry(
          &bench, M(ADD_S32, "a = s32[256,256] parameter(0)\nz = s32[] constant(0)\n"
                             "ROOT r = s32[] reduce(a, z), dimensions={0,1}, to_apply=add")),
      values_case_entry(
          &bench, M(ADD_S32, "a = s32[256,256] parameter(0)\nz = s32[] constant(0)\n"
                             "s = s32[256] reduce(a, z), dimensions={0}, to_apply=add\n"
                             "ROOT r = s32[] reduce(s, z), dimensions={0}, to_apply=add")),
      &(ValuesLimits){.bytes = most});
  oracle_values_query(values, 0, &verdict);
  assert_int_equal(verdict.answer, REASON_OPEN);
  if (strstr(verdict.reason, "the terms take more than 1 MB") == nullptr)
    fail_msg("%s", verdict.reason);
  assert_true(arena_bytes(bench.arena) < 16 * most);
  bench_destroy(&bench);
}

/* The last element of an array of 2^59 is at the end of a tree of pages: the memory does not grow
 * with the array. */
static void a_few_elements_of_an_array_take_little_memory(void **state) {
  (void)state;
#define HUGE "s16[1073741824,536870912]"
#define ENDS(operand) \
  "ROOT r = s16[2,3] slice(" operand "), slice={[0:1073741824:1073741823], [0:536870912:268435455]}"
#define HUGE_BESIDE(line) E("a = " HUGE " parameter(0)\nb = " HUGE " negate(a)\n" line)
  static const ValuesCase pairs[] = {
      {"ends_of_a_copy", HUGE_BESIDE(ENDS("b")), HUGE_BESIDE("c = " HUGE " copy(b)\n" ENDS("c")),
          "same values"},
      {"ends_of_a_reverse", HUGE_BESIDE(ENDS("b")),
          HUGE_BESIDE("c = " HUGE " reverse(b), dimensions={1}\n" ENDS("c")), "different"}};
  assert_int_equal(values_cases_faults(sizeof pairs / sizeof *pairs, pairs,
                       &(ValuesLimits){.bytes = (size_t)16 << 20}),
      0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_a_limit),
      cmocka_unit_test(a_few_elements_of_an_array_take_little_memory),
      cmocka_unit_test(answers_are_as_the_conventions_say),
      cmocka_unit_test(answers_are_as_exact_laws_say),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
