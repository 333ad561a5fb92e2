/* Pairs of graphs at production sizes: the same values, proved; different terms, with an element;
 * and open pairs, with the operation that stopped the proof. Mutants of smt/values must change a
 * row (corpus/corpus.cmake). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "smt/smt.h"

typedef struct SameValuesRow {
  const char *name, *before, *after;
  VerdictStatus status;
  const char *text; /* part of the verdict's sentence */
} SameValuesRow;

#define HEAD \
  "HloModule m\nadd { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n" \
  "largest { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] maximum(x, y) }\nENTRY e {\n"
#define BRANCHES \
  "HloModule m\nup { x = f32[4096] parameter(0) ROOT y = f32[4096] negate(x) }\n" \
  "down { x = f32[4096] parameter(0) ROOT y = f32[4096] abs(x) }\nENTRY e {\n"
#define NAMESAKES(root) \
  "HloModule m\nf { ROOT c = f32[4000000] constant({...}) }\n" \
  "ENTRY e { c = f32[4000000] constant({...}) a = f32[4000000] call(), to_apply=f " root "\n"
#define RECEIVED(channel, more) \
  "t = token[] after-all() s = (f32[8], u32[], token[]) recv(t), channel_id=" channel more \
  " d = (f32[8], token[]) recv-done(s), channel_id=" channel \
  " ROOT r = f32[8] get-tuple-element(d), index=0 }"
#define SENT(value) \
  "a = f32[8] parameter(0) b = f32[8] parameter(1) c = f32[8] copy(a) o = token[] after-all() " \
  "p = (f32[8], u32[], token[]) send(" value \
  ", o), channel_id=1 q = token[] send-done(p), channel_id=1 "
#define MAPPED(type, root) \
  "HloModule m\nsub { x = " type "[] parameter(0) y = " type "[] parameter(1) ROOT s = " type \
  "[] subtract(x, y) }\n" \
  "f { x = " type "[] parameter(0) y = " type "[] parameter(1) ROOT m = " type \
  "[] map(y, x), dimensions={}, to_apply=sub }\n" \
  "ENTRY e { p = " type "[1] parameter(0) i = " type "[] parameter(1) q = " type \
  "[] reshape(p) ROOT r = " type "[] " root " }"
#define COMPARED(size, direction) \
  "HloModule m\nf { x = pred[] parameter(0) y = pred[] parameter(1) ROOT c = pred[] compare(x, y), direction=" direction \
  " }\nENTRY e { p = pred[" size "] parameter(0) i = pred[] parameter(1) " \
  "ROOT r = pred[] reduce(p, i), dimensions={0}, to_apply=f }"
#define OUTER(type) \
  "HloModule m\nENTRY e { a = " type "[4096,1] parameter(0) b = " type "[1,4096] parameter(1) "
#define ONE_PAIR(type, more) \
  OUTER(type) \
  "ROOT r = " type \
  "[4096,4096] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}" more " }"
#define TURNED(type, more) \
  OUTER(type) \
  "d = " type "[4096,4096] dot(b, a), lhs_contracting_dims={0}, rhs_contracting_dims={1}" more \
  " ROOT r = " type "[4096,4096] transpose(d), dimensions={1,0} }"
/* A part of `a` at an offset m that is computed from i and j, or from elements of v. */
#define AT_OFFSET(called, computed) \
  "HloModule m\n" called "ENTRY e { a = f32[4096] parameter(0) i = s32[] parameter(1) " \
  "j = s32[] parameter(2) v = s32[4] parameter(3) " computed \
  " ROOT r = f32[8] dynamic-slice(a, m), dynamic_slice_sizes={8} }"
#define MULTIPLIED(one, other) AT_OFFSET("", "m = s32[] multiply(" one ", " other ")")
#define CALLED(one, other, first, second) \
  AT_OFFSET("f { x = s32[] parameter(0) y = s32[] parameter(1) ROOT m = s32[] multiply(" one \
            ", " other ") }\n", \
      "m = s32[] call(" first ", " second "), to_apply=f")
#define SQUARED_ELEMENT \
  AT_OFFSET("", "w = s32[4] multiply(v, v) s = s32[1] slice(w), slice={[1:2]} m = s32[] reshape(s)")
#define ELEMENT_SQUARED(part) \
  AT_OFFSET("", "s = s32[1] slice(v), slice={[" part "]} t = s32[] reshape(s) " \
                "m = s32[] multiply(t, t)")
#define PRODUCT(type) \
  OUTER(type) \
  "x = " type "[4096] reshape(a) y = " type "[4096] reshape(b) v = " type \
  "[4096,4096] broadcast(x), dimensions={0} w = " type \
  "[4096,4096] broadcast(y), dimensions={1} ROOT r = " type "[4096,4096] multiply(v, w) }"
#define BF16 ", algorithm=dot_bf16_bf16_f32"
#define PRECISE ", operand_precision={highest,highest}"
#define SQUARE "a = f32[4096,4096] parameter(0) b = f32[4096,4096] parameter(1) "
#define SUM \
  "a = f32[50000] parameter(0) z = f32[] constant(0) ROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=add }"
#define SUMS(around, first) \
  "a = f32[50000] parameter(0) z = f32[] constant(0) p = f32[] constant(" around \
  ") f = f32[] constant(" first \
  ") q = f32[50176] pad(a, p), padding=88_88 w = f32[224] reduce-window(q, f), window={size=224 stride=224}, to_apply=add ROOT r = f32[] reduce(w, z), dimensions={0}, to_apply=add }"
#define REDUCED(dimensions) \
  "a = f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2] parameter(0) z = f32[] constant(0) " \
  "ROOT r = f32[2] reduce(a, z), dimensions={" dimensions "}, to_apply=add }"
#define MIDDLE "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24"
#define NEGATED "a = f32[4096] parameter(0) ROOT r = f32[4096] negate(a) }"
#define PLUS(number) \
  "a = f32[4096] parameter(0) m = f32[] constant(" number \
  ") n = f32[4096] broadcast(m), dimensions={} s = f32[4096] add(a, n) ROOT r = f32[4096] negate(s) }"
#define INTS "i = s32[] parameter(1) "

static const SameValuesRow rows[] = {
    {"offset_of_a_product_exchanged", MULTIPLIED("i", "j"), MULTIPLIED("j", "i"), VERDICT_PROVED,
        ""},
    {"offset_of_another_product", MULTIPLIED("i", "j"), MULTIPLIED("j", "j"), VERDICT_REFUTED, ""},
    {"offset_of_a_called_product", CALLED("x", "y", "i", "j"), MULTIPLIED("j", "i"), VERDICT_PROVED,
        ""},
    {"offsets_of_two_called_products", CALLED("x", "y", "i", "j"), CALLED("y", "x", "i", "j"),
        VERDICT_PROVED, ""},
    {"offsets_of_a_product_called_otherwise", CALLED("x", "x", "i", "j"),
        CALLED("x", "x", "j", "i"), VERDICT_REFUTED, ""},
    {"offset_of_an_element_of_products", SQUARED_ELEMENT, ELEMENT_SQUARED("1:2"), VERDICT_PROVED,
        ""},
    {"offset_of_another_element_of_products", SQUARED_ELEMENT, ELEMENT_SQUARED("2:3"),
        VERDICT_REFUTED, ""},
    {"bits_of_another_sign_are_another_number",
        HEAD "p = s32[4096] parameter(0) b = u32[4096] bitcast(p) ROOT r = s64[4096] convert(b) }",
        HEAD "p = s32[4096] parameter(0) ROOT r = s64[4096] convert(p) }", VERDICT_REFUTED,
        "the terms differ"},
    {"custom_call_of_another_layout",
        HEAD
        "p = f32[64,32]{1,0} parameter(0) ROOT r = f32[8]{0} custom-call(p), custom_call_target=\"f\" }",
        HEAD
        "p = f32[64,32]{1,0} parameter(0) c = f32[64,32]{0,1} copy(p) ROOT r = f32[8]{0} custom-call(c), custom_call_target=\"f\" }",
        VERDICT_UNKNOWN, "layout"},
    {"elements_that_are_rounded_alike",
        HEAD
        "a = f64[64,32] parameter(0) t = f32[32,64] transpose(a), dimensions={1,0} ROOT r = f32[2048] reshape(t) }",
        HEAD
        "a = f64[64,32] parameter(0) t = f64[32,64] transpose(a), dimensions={1,0} c = f32[32,64] copy(t) ROOT r = f32[2048] reshape(c) }",
        VERDICT_PROVED, ""},
    {"bits_of_another_width_are_another_number",
        HEAD "p = s64[512] parameter(0) b = u8[4096] bitcast(p) ROOT r = s32[4096] convert(b) }",
        HEAD
        "p = s64[512] parameter(0) s = s64[512,8] broadcast(p), dimensions={0} b = s64[4096] reshape(s) ROOT r = s32[4096] convert(b) }",
        VERDICT_REFUTED, "the terms differ"},
    {"offset_with_bits_of_another_sign",
        HEAD
        "p = f32[4096] parameter(0) s = s32[] parameter(1) u = u32[] bitcast(s) ROOT r = f32[8] dynamic-slice(p, u), dynamic_slice_sizes={8} }",
        HEAD
        "p = f32[4096] parameter(0) s = s32[] parameter(1) ROOT r = f32[8] dynamic-slice(p, s), dynamic_slice_sizes={8} }",
        VERDICT_REFUTED, "the terms differ"},
    {"transposes_move_through_an_addition",
        HEAD SQUARE
        "s = f32[4096,4096] add(a, b) ROOT r = f32[4096,4096] transpose(s), dimensions={1,0} }",
        HEAD SQUARE
        "x = f32[4096,4096] transpose(a), dimensions={1,0} y = f32[4096,4096] transpose(b), dimensions={1,0} ROOT r = f32[4096,4096] add(x, y) }",
        VERDICT_PROVED, ""},
    {"exchanged_subtract", HEAD SQUARE "ROOT r = f32[4096,4096] subtract(a, b) }",
        HEAD SQUARE "ROOT r = f32[4096,4096] subtract(b, a) }", VERDICT_REFUTED, "terms differ"},
    {"another_element", HEAD SQUARE "ROOT r = f32[4096,4096] transpose(a), dimensions={1,0} }",
        HEAD SQUARE "ROOT r = f32[4096,4096] copy(a) }", VERDICT_REFUTED, "another element"},
    {"another_direction", HEAD SQUARE "ROOT r = pred[4096,4096] compare(a, b), direction=LT }",
        HEAD SQUARE "ROOT r = pred[4096,4096] compare(a, b), direction=LE }", VERDICT_REFUTED, ""},
    {"bitcast_of_another_layout",
        HEAD "a = s32[64,4096]{1,0} parameter(0) ROOT r = s64[131072]{0} bitcast(a) }",
        HEAD
        "a = s32[64,4096]{1,0} parameter(0) c = s32[64,4096]{0,1} copy(a) ROOT r = s64[131072]{0} bitcast(c) }",
        VERDICT_UNKNOWN, "layout"},
    {"bitcast_to_another_layout",
        HEAD "a = s32[64,4096]{1,0} parameter(0) ROOT r = s64[64,2048]{1,0} bitcast(a) }",
        HEAD
        "a = s32[64,4096]{1,0} parameter(0) b = s64[64,2048]{0,1} bitcast(a) ROOT r = s64[64,2048]{1,0} copy(b) }",
        VERDICT_UNKNOWN, "layout"},
    {"bitcast_of_the_usual_layout",
        HEAD "a = s32[64,4096] parameter(0) ROOT r = s64[131072]{0} bitcast(a) }",
        HEAD
        "a = s32[64,4096] parameter(0) c = s32[64,4096]{1,0} copy(a) ROOT r = s64[131072] bitcast(c) }",
        VERDICT_PROVED, ""},
    {"bitcast_of_a_tuple",
        HEAD
        "a = (f32[4096]{0}, f32[64,64]{0,1}) parameter(0) b = (f32[64,64]{1,0}, f32[4096]{0}) bitcast(a) ROOT r = f32[4096]{0} get-tuple-element(b), index=1 }",
        HEAD
        "a = (f32[4096]{0}, f32[64,64]{0,1}) parameter(0) b = f32[64,64] get-tuple-element(a), index=1 t = f32[64,64] transpose(b), dimensions={1,0} ROOT r = f32[4096] reshape(t) }",
        VERDICT_PROVED, ""},
    {"bitcast_of_a_tuple_of_equals",
        HEAD
        "a = (f32[4096], f32[4096]) parameter(0) b = (f32[4096], f32[4096]) bitcast(a) ROOT r = f32[4096] get-tuple-element(b), index=1 }",
        HEAD
        "a = (f32[4096], f32[4096]) parameter(0) b = (f32[4096], f32[4096]) bitcast(a) ROOT r = f32[4096] get-tuple-element(b), index=0 }",
        VERDICT_REFUTED, "the terms differ"},
    {"bitcast_of_a_tuple_of_numbers",
        HEAD
        "p = f32[4096] parameter(0) a = (s64[], s32[]) parameter(1) b = (s64[], u32[]) bitcast(a) c = u32[] get-tuple-element(b), index=1 ROOT r = f32[8] dynamic-slice(p, c), dynamic_slice_sizes={8} }",
        HEAD
        "p = f32[4096] parameter(0) a = (s64[], s32[]) parameter(1) c = s32[] get-tuple-element(a), index=1 ROOT r = f32[8] dynamic-slice(p, c), dynamic_slice_sizes={8} }",
        VERDICT_REFUTED, "the terms differ"},
    {"reduction_by_a_map", MAPPED("s32", "reduce(p, i), dimensions={0}, to_apply=f"),
        MAPPED("s32", "map(q, i), dimensions={}, to_apply=f"), VERDICT_REFUTED, "terms differ"},
    {"reduction_of_small_floats_by_a_map",
        MAPPED("f8e4m3fn", "reduce(p, i), dimensions={0}, to_apply=f"),
        MAPPED("f8e4m3fn", "map(q, i), dimensions={}, to_apply=f"), VERDICT_REFUTED, ""},
    {"reduction_by_a_map_of_the_other_order",
        MAPPED("s32", "reduce(p, i), dimensions={0}, to_apply=f"),
        MAPPED("s32", "map(i, q), dimensions={}, to_apply=sub"), VERDICT_REFUTED, ""},
    {"reduction_by_another_comparison", COMPARED("4096", "EQ"), COMPARED("4096", "NE"),
        VERDICT_REFUTED, ""},
    {"reduction_of_one_element_by_another_comparison", COMPARED("1", "LT"), COMPARED("1", "GT"),
        VERDICT_REFUTED, ""},
    {"reduction_by_a_comparison", COMPARED("4096", "LT"), COMPARED("4096", "LT"), VERDICT_PROVED,
        ""},
    {"reduction_of_one_element", MAPPED("f32", "reduce(p, i), dimensions={0}, to_apply=sub"),
        MAPPED("f32", "subtract(i, q)"), VERDICT_PROVED, ""},
    {"product_turned_round",
        HEAD SQUARE
        "ROOT r = f32[4096,4096] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
        HEAD SQUARE
        "d = f32[4096,4096] dot(b, a), lhs_contracting_dims={0}, rhs_contracting_dims={1} ROOT r = f32[4096,4096] transpose(d), dimensions={1,0} }",
        VERDICT_PROVED, ""},
    {"product_of_two_precisions_turned_round",
        HEAD SQUARE
        "ROOT r = f32[4096,4096] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={default,highest} }",
        HEAD SQUARE
        "d = f32[4096,4096] dot(b, a), lhs_contracting_dims={0}, rhs_contracting_dims={1}, operand_precision={default,highest} ROOT r = f32[4096,4096] transpose(d), dimensions={1,0} }",
        VERDICT_REFUTED, ""},
    {"product_of_a_reversed_side",
        HEAD SQUARE
        "ROOT r = f32[4096,4096] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
        HEAD SQUARE
        "c = f32[4096,4096] reverse(b), dimensions={0} ROOT r = f32[4096,4096] dot(a, c), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
        VERDICT_REFUTED, ""},
    {"product_of_both_sides_reversed",
        HEAD SQUARE
        "ROOT r = f32[4096,4096] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
        HEAD SQUARE
        "c = f32[4096,4096] reverse(b), dimensions={0} d = f32[4096,4096] reverse(a), dimensions={1} ROOT r = f32[4096,4096] dot(d, c), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
        VERDICT_PROVED, ""},
    {"grouped_reduction",
        HEAD
        "a = f32[64,128,4096] parameter(0) z = f32[] constant(0) ROOT r = f32[64] reduce(a, z), dimensions={1,2}, to_apply=add }",
        HEAD
        "a = f32[64,128,4096] parameter(0) z = f32[] constant(0) f = f32[64,524288] reshape(a) ROOT r = f32[64] reduce(f, z), dimensions={1}, to_apply=add }",
        VERDICT_PROVED, ""},
    {"reduction_of_a_part",
        HEAD
        "a = f32[64,4096] parameter(0) z = f32[] constant(0) ROOT r = f32[64] reduce(a, z), dimensions={1}, to_apply=add }",
        HEAD
        "a = f32[64,4096] parameter(0) z = f32[] constant(0) p = f32[64,4095] slice(a), slice={[0:64], [0:4095]} ROOT r = f32[64] reduce(p, z), dimensions={1}, to_apply=add }",
        VERDICT_UNKNOWN, "which tuples of reduce"},
    {"another_function",
        HEAD
        "a = f32[64,4096] parameter(0) z = f32[] constant(0) ROOT r = f32[64] reduce(a, z), dimensions={1}, to_apply=add }",
        HEAD
        "a = f32[64,4096] parameter(0) z = f32[] constant(0) ROOT r = f32[64] reduce(a, z), dimensions={1}, to_apply=largest }",
        VERDICT_REFUTED, ""},
    {"slice_of_a_concatenation",
        HEAD
        "a = f32[1000] parameter(0) b = f32[5000] parameter(1) c = f32[6000] concatenate(a, b), dimensions={0} ROOT r = f32[900] slice(c), slice={[1000:1900]} }",
        HEAD
        "a = f32[1000] parameter(0) b = f32[5000] parameter(1) ROOT r = f32[900] slice(b), slice={[0:900]} }",
        VERDICT_PROVED, ""},
    {"concatenation_before_a_reshape",
        HEAD
        "a = f32[1000,3] parameter(0) b = f32[5000,3] parameter(1) c = f32[6000,3] concatenate(a, b), dimensions={0} ROOT r = f32[18000] reshape(c) }",
        HEAD
        "a = f32[1000,3] parameter(0) b = f32[5000,3] parameter(1) x = f32[3000] reshape(a) y = f32[15000] reshape(b) ROOT r = f32[18000] concatenate(x, y), dimensions={0} }",
        VERDICT_PROVED, ""},
    {"slice_over_the_seam",
        HEAD
        "a = f32[1000] parameter(0) b = f32[5000] parameter(1) c = f32[6000] concatenate(a, b), dimensions={0} ROOT r = f32[900] slice(c), slice={[999:1899]} }",
        HEAD
        "a = f32[1000] parameter(0) b = f32[5000] parameter(1) ROOT r = f32[900] slice(b), slice={[0:900]} }",
        VERDICT_REFUTED, ""},
    {"clamped_one_by_one",
        HEAD
        "a = f32[100000] parameter(0) " INTS
        "s = f32[1000] dynamic-slice(a, i), dynamic_slice_sizes={1000} ROOT r = f32[10] dynamic-slice(s, i), dynamic_slice_sizes={10} }",
        HEAD
        "a = f32[100000] parameter(0) " INTS
        "l = s32[] constant(0) h = s32[] constant(99000) k = s32[] constant(990) c = s32[] clamp(l, i, h) d = s32[] clamp(l, i, k) s = s32[] add(c, d) ROOT r = f32[10] dynamic-slice(a, s), dynamic_slice_sizes={10} }",
        VERDICT_PROVED, ""},
    {"offsets_added",
        HEAD
        "a = f32[100000] parameter(0) " INTS
        "s = f32[1000] dynamic-slice(a, i), dynamic_slice_sizes={1000} ROOT r = f32[10] dynamic-slice(s, i), dynamic_slice_sizes={10} }",
        HEAD "a = f32[100000] parameter(0) " INTS
             "s = s32[] add(i, i) ROOT r = f32[10] dynamic-slice(a, s), dynamic_slice_sizes={10} }",
        VERDICT_REFUTED, ""},
    {"one_call_of_unknown_meaning",
        HEAD SQUARE
        "c = f32[4096,4096] custom-call(a, b), custom_call_target=\"f\" ROOT r = f32[4096,4096] transpose(c), dimensions={1,0} }",
        HEAD SQUARE
        "k = f32[4096,4096] copy(a) c = f32[4096,4096] custom-call(k, b), custom_call_target=\"f\" ROOT r = f32[4096,4096] transpose(c), dimensions={1,0} }",
        VERDICT_PROVED, ""},
    {"calls_of_two_targets",
        HEAD SQUARE "ROOT r = f32[4096,4096] custom-call(a, b), custom_call_target=\"f\" }",
        HEAD SQUARE "ROOT r = f32[4096,4096] custom-call(a, b), custom_call_target=\"g\" }",
        VERDICT_UNKNOWN, "custom_call_target"},
    {"sum_with_an_open_part",
        HEAD SQUARE
        "c = f32[4096,4096] custom-call(a), custom_call_target=\"f\" ROOT r = f32[4096,4096] add(c, b) }",
        HEAD SQUARE
        "c = f32[4096,4096] custom-call(a), custom_call_target=\"g\" ROOT r = f32[4096,4096] add(c, b) }",
        VERDICT_UNKNOWN, "custom_call_target"},
    {"two_draws_for_one",
        HEAD
        "l = f32[] constant(0) h = f32[] constant(1) x = f32[8] rng(l, h), distribution=rng_uniform y = f32[8] rng(l, h), distribution=rng_uniform ROOT r = f32[8] subtract(x, y) }",
        HEAD
        "l = f32[] constant(0) h = f32[] constant(1) x = f32[8] rng(l, h), distribution=rng_uniform ROOT r = f32[8] subtract(x, x) }",
        VERDICT_UNKNOWN, "second time"},
    {"namesakes_are_two", NAMESAKES("ROOT r = f32[4000000] subtract(a, c) }"),
        NAMESAKES("ROOT r = f32[4000000] subtract(c, c) }"), VERDICT_UNKNOWN,
        "one of several of that name"},
    {"another_value_is_sent", HEAD SENT("a") RECEIVED("1", ""), HEAD SENT("b") RECEIVED("1", ""),
        VERDICT_UNKNOWN, "recv"},
    {"the_same_value_is_sent", HEAD SENT("a") RECEIVED("1", ""), HEAD SENT("c") RECEIVED("1", ""),
        VERDICT_PROVED, ""},
    {"another_channel", HEAD RECEIVED("1", ""), HEAD RECEIVED("2", ""), VERDICT_UNKNOWN,
        "channel_id"},
    {"another_source", HEAD RECEIVED("1", ", frontend_attributes={from=\"{{0,1}}\"}"),
        HEAD RECEIVED("1", ", frontend_attributes={from=\"{{1,0}}\"}"), VERDICT_UNKNOWN,
        "frontend_attributes"},
    {"window_as_a_reduction",
        HEAD
        "a = f32[64,4096] parameter(0) z = f32[] constant(0) ROOT r = f32[64,1] reduce-window(a, z), window={size=1x4096}, to_apply=add }",
        HEAD
        "a = f32[64,4096] parameter(0) z = f32[] constant(0) s = f32[64] reduce(a, z), dimensions={1}, to_apply=add ROOT r = f32[64,1] reshape(s) }",
        VERDICT_PROVED, ""},
    {"convolution_as_a_product",
        HEAD "a = f32[8,1024,1] parameter(0) k = f32[1024,512,1] parameter(1) ROOT r = f32[8,512,1] convolution(a, k), window={size=1}, dim_labels=bf0_io0->bf0 }", HEAD "a = f32[8,1024,1] parameter(0) k = f32[1024,512,1] parameter(1) x = f32[8,1024] reshape(a) y = f32[1024,512] reshape(k) d = f32[8,512] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0} ROOT r = f32[8,512,1] reshape(d) }",
        VERDICT_PROVED, ""},
    {"branches_exchanged_with_their_predicate",
        BRANCHES
        "p = pred[] parameter(0) a = f32[4096] parameter(1) b = f32[4096] parameter(2) ROOT r = f32[4096] conditional(p, a, b), true_computation=up, false_computation=down }",
        BRANCHES
        "p = pred[] parameter(0) a = f32[4096] parameter(1) b = f32[4096] parameter(2) n = pred[] not(p) ROOT r = f32[4096] conditional(n, b, a), true_computation=down, false_computation=up }",
        VERDICT_PROVED, ""},
    {"branches_exchanged",
        BRANCHES
        "p = pred[] parameter(0) a = f32[4096] parameter(1) b = f32[4096] parameter(2) ROOT r = f32[4096] conditional(p, a, b), true_computation=up, false_computation=down }",
        BRANCHES
        "p = pred[] parameter(0) a = f32[4096] parameter(1) b = f32[4096] parameter(2) ROOT r = f32[4096] conditional(p, b, a), true_computation=down, false_computation=up }",
        VERDICT_REFUTED, ""},
    {"an_index_that_is_none",
        BRANCHES
        "i = s32[] parameter(0) a = f32[4096] parameter(1) b = f32[4096] parameter(2) ROOT r = f32[4096] conditional(i, a, b), branch_computations={up, down} }",
        BRANCHES
        "i = s32[] parameter(0) z = s32[] constant(0) a = f32[4096] parameter(1) b = f32[4096] parameter(2) p = pred[] compare(i, z), direction=EQ ROOT r = f32[4096] conditional(p, a, b), true_computation=up, false_computation=down }",
        VERDICT_PROVED, ""},
    {"updates_that_are_apart",
        HEAD
        "a = f32[100000] parameter(0) u = f32[10] parameter(1) v = f32[10] parameter(2) i = s32[] constant(50) j = s32[] constant(70000) x = f32[100000] dynamic-update-slice(a, u, i) ROOT r = f32[100000] dynamic-update-slice(x, v, j) }",
        HEAD
        "a = f32[100000] parameter(0) u = f32[10] parameter(1) v = f32[10] parameter(2) i = s32[] constant(50) j = s32[] constant(70000) x = f32[100000] dynamic-update-slice(a, v, j) ROOT r = f32[100000] dynamic-update-slice(x, u, i) }",
        VERDICT_PROVED, ""},
};

/* Graphs that are the same by laws are the same only at the grade of these laws. */
static const struct {
  SameValuesRow row;
  LawGrade grade;
  const char *laws; /* that the proof uses; null: not compared */
} graded[] = {
    {{"one_pair", ONE_PAIR("s32", ""), PRODUCT("s32"), VERDICT_PROVED, ""}, LAW_EXACT, nullptr},
    {{"one_pair_of_floats", ONE_PAIR("f32", ""), PRODUCT("f32"), VERDICT_PROVED, ""}, LAW_IEEE,
        "zero-add-floating"},
    {{"one_pair_that_is_minus_zero", ONE_PAIR("f32", ""), PRODUCT("f32"), VERDICT_REFUTED,
         "terms differ"},
        LAW_EXACT, nullptr},
    {{"one_pair_turned_round", ONE_PAIR("f32", ""), TURNED("f32", ""), VERDICT_PROVED, ""},
        LAW_EXACT, nullptr},
    {{"two_of_one_pair_use_no_law", ONE_PAIR("f32", ""), TURNED("f32", ""), VERDICT_PROVED, ""},
        LAW_IEEE, ""},
    {{"one_pair_of_the_usual_precision", ONE_PAIR("f32", ""),
         ONE_PAIR("f32", ", operand_precision={default,default}"), VERDICT_PROVED, ""},
        LAW_EXACT, nullptr},
    {{"one_pair_of_one_algorithm", ONE_PAIR("f32", BF16), TURNED("f32", BF16), VERDICT_PROVED, ""},
        LAW_EXACT, nullptr},
    {{"one_pair_of_another_algorithm", ONE_PAIR("f32", BF16), ONE_PAIR("f32", ""), VERDICT_UNKNOWN,
         "algorithm"},
        LAW_EXACT, nullptr},
    {{"one_pair_of_another_algorithm_with_laws", ONE_PAIR("f32", BF16), ONE_PAIR("f32", ""),
         VERDICT_UNKNOWN, "algorithm"},
        LAW_FAST, nullptr},
    {{"one_pair_of_an_algorithm", ONE_PAIR("f32", BF16), PRODUCT("f32"), VERDICT_REFUTED,
         "terms differ"},
        LAW_FAST, nullptr},
    {{"one_pair_of_another_precision", ONE_PAIR("f32", ""), ONE_PAIR("f32", PRECISE),
         VERDICT_UNKNOWN, "operand_precision"},
        LAW_EXACT, nullptr},
    {{"one_pair_of_a_precision", ONE_PAIR("f32", PRECISE), PRODUCT("f32"), VERDICT_REFUTED,
         "terms differ"},
        LAW_FAST, nullptr},
    {{"sum_of_sums_of_floats", HEAD SUM, HEAD SUMS("0", "0"), VERDICT_UNKNOWN, "which tuples"},
        LAW_EXACT, nullptr},
    {{"sum_of_sums_of_floats_reordered", HEAD SUM, HEAD SUMS("0", "0"), VERDICT_PROVED, ""},
        LAW_FAST, nullptr},
    {{"sum_of_sums_that_begin_at_one", HEAD SUM, HEAD SUMS("0", "1"), VERDICT_UNKNOWN,
         "which tuples"},
        LAW_FAST, nullptr},
    {{"sum_of_sums_of_ones_around", HEAD SUM, HEAD SUMS("1", "0"), VERDICT_UNKNOWN, "which tuples"},
        LAW_FAST, nullptr},
    {{"reduction_past_all_formulas", HEAD REDUCED("0," MIDDLE), HEAD REDUCED(MIDDLE ",25"),
         VERDICT_UNKNOWN, "dimensions"},
        LAW_EXACT, nullptr},
    {{"a_sum_with_zero", HEAD NEGATED, HEAD PLUS("0"), VERDICT_REFUTED, "terms differ"}, LAW_EXACT,
        nullptr},
    {{"a_sum_with_zero_but_for_its_sign", HEAD NEGATED, HEAD PLUS("0"), VERDICT_PROVED, ""},
        LAW_IEEE, nullptr},
    {{"a_sum_with_minus_zero", HEAD NEGATED, HEAD PLUS("-0"), VERDICT_PROVED, ""}, LAW_IEEE,
        nullptr},
    {{"a_sum_with_minus_zero_exactly", HEAD NEGATED, HEAD PLUS("-0"), VERDICT_REFUTED,
         "terms differ"},
        LAW_EXACT, nullptr},
    {{"a_sum_with_one", HEAD NEGATED, HEAD PLUS("1"), VERDICT_REFUTED, "terms differ"}, LAW_FAST,
        nullptr},
};

static bool row_holds(const SameValuesRow *row, LawGrade grade, const char *laws) {
  MapContext *context = map_context_create();
  Arena *arena = arena_create();
  Smt *smt = smt_create(context, nullptr);
  const Module *modules[2];
  Error error = {};
  Verdict verdict;
  const char *texts[] = {row->before, row->after};
  for (uint32_t i = 0; i < 2; i++) {
    Source *source = ARENA_NEW(arena, Source, 1);
    *source =
        (Source){.name = row->name, .text = texts[i], .length = strlen(texts[i]), .first_line = 1};
    if (!hlo_read(arena, source, &modules[i], &error)) fail_msg("%s: %s", row->name, error.message);
  }
  SmtValues *values = smt_values_create(smt, modules[0]->entry, modules[1]->entry, grade);
  assert_true(smt_values_query(values, 0, &verdict, &error));
  static const char *const statuses[] = {"unknown", "proved", "refuted"};
  bool holds =
      verdict.status == row->status && strstr(verdict_text(&verdict), row->text) != nullptr;
  const char *used = smt_values_laws(values);
  if (laws != nullptr) holds &= strcmp(laws, used == nullptr ? "" : used) == 0;
  if (!holds)
    print_message("%s: %s, %s\n", row->name, statuses[verdict.status], verdict_text(&verdict));
  if (verdict.status == VERDICT_REFUTED)
    assert_int_equal(verdict.point_rank, modules[0]->entry->root->shape->rank);
  smt_values_destroy(values);
  smt_destroy(smt);
  arena_destroy(arena);
  map_context_destroy(context);
  return holds;
}

static void pairs_at_production_sizes_are_decided(void **) {
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    failed += !row_holds(&rows[i], LAW_EXACT, nullptr);
  for (size_t i = 0; i < sizeof graded / sizeof *graded; i++)
    failed += !row_holds(&graded[i].row, graded[i].grade, graded[i].laws);
  assert_int_equal(failed, 0);
}

/* Graphs of several outputs, each with the laws that its own proof uses, in whatever order the
 * outputs are asked for. */
#define OFFSETS(one, other) \
  "HloModule m\nf { p = s32[] parameter(0) q = s32[] parameter(1) ROOT s = s32[] add(p, q) }\n" \
  "ENTRY e {\nx = f32[8] parameter(0) a = s32[4] parameter(1) b = s32[4] parameter(2)\n" \
  "z = s32[] constant(0) s = s32[4] " one " t = s32[] reduce(s, z), dimensions={0}, to_apply=f\n" \
  "r = f32[2] dynamic-slice(x, t), dynamic_slice_sizes={2} n = f32[8] negate(x)\n" \
  "q = f32[3] dynamic-slice(n, t), dynamic_slice_sizes={3} k = s32[4] " other "\n" \
  "ROOT o = (f32[2], f32[3], f32[8], s32[4], s32[4]) tuple(r, q, n, k, s)\n}\n"

static const struct {
  const char *name, *before, *after;
  const char *laws[5];
} several[] = {
    {"offsets_of_products", OFFSETS("multiply(a, b)", "add(a, b)"),
        OFFSETS("multiply(b, a)", "add(b, a)"),
        {"multiply-commutes", "multiply-commutes", "", "add-commutes", "multiply-commutes"}},
    {"offsets_that_are_equal", OFFSETS("multiply(a, b)", "add(a, b)"),
        OFFSETS("multiply(a, b)", "add(b, a)"), {"", "", "", "add-commutes", ""}},
};

static bool laws_hold(SmtValues *values, const char *name, const char *const *laws, uint32_t leaf) {
  Verdict verdict;
  Error error = {};
  assert_true(smt_values_query(values, leaf, &verdict, &error));
  const char *used = smt_values_laws(values);
  used = used == nullptr ? "" : used;
  bool holds = verdict.status == VERDICT_PROVED && strcmp(used, laws[leaf]) == 0;
  if (!holds) print_message("%s: output %u: %s, '%s'\n", name, leaf, verdict_text(&verdict), used);
  return holds;
}

static uint32_t laws_failed(const Module *const *modules, size_t row, bool is_backwards) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  SmtValues *values = smt_values_create(smt, modules[0]->entry, modules[1]->entry, LAW_EXACT);
  uint32_t failed = 0;
  for (uint32_t i = 0; i < 5; i++)
    failed += !laws_hold(values, several[row].name, several[row].laws, is_backwards ? 4 - i : i);
  smt_values_destroy(values);
  smt_destroy(smt);
  map_context_destroy(context);
  return failed;
}

static void each_output_has_the_laws_of_its_own_proof(void **) {
  uint32_t failed = 0;
  for (size_t row = 0; row < sizeof several / sizeof *several; row++) {
    Arena *arena = arena_create();
    const Module *modules[2];
    const char *texts[] = {several[row].before, several[row].after};
    for (uint32_t i = 0; i < 2; i++) {
      Error error = {};
      Source *source = ARENA_NEW(arena, Source, 1);
      *source =
          (Source){.name = "m", .text = texts[i], .length = strlen(texts[i]), .first_line = 1};
      if (!hlo_read(arena, source, &modules[i], &error)) fail_msg("%s", error.message);
    }
    failed += laws_failed(modules, row, false) + laws_failed(modules, row, true);
    arena_destroy(arena);
  }
  assert_int_equal(failed, 0);
}

static void a_leaf_that_is_missing_is_rejected(void **) {
  MapContext *context = map_context_create();
  Arena *arena = arena_create();
  Smt *smt = smt_create(context, nullptr);
  const Module *module;
  Error error = {};
  Verdict verdict;
  Source source = {
      .name = "m", .text = rows[0].before, .length = strlen(rows[0].before), .first_line = 1};
  assert_true(hlo_read(arena, &source, &module, &error));
  SmtValues *values = smt_values_create(smt, module->entry, module->entry, LAW_EXACT);
  assert_false(smt_values_query(values, 1, &verdict, &error));
  assert_int_equal(error.kind, ERROR_INPUT);
  smt_values_destroy(values);
  smt_destroy(smt);
  arena_destroy(arena);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_at_production_sizes_are_decided),
      cmocka_unit_test(each_output_has_the_laws_of_its_own_proof),
      cmocka_unit_test(a_leaf_that_is_missing_is_rejected),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
