/* Single operations without any judge: texts of maps, claims, unions, errors. Checks on small
 * shapes, point by point, that input-to-output is the inverse relation of output-to-input. */
#include "core/index/test/test_bench.h"

static void check_all_inverses(const char *text, bool simplify) {
  IndexFixture bench = bench_open(text, simplify);
  const Computation *entry = bench.module->entry;
  for (uint32_t i = 0; i < entry->instruction_count; i++) {
    const Instruction *instruction = entry->instructions[i];
    for (uint32_t o = 0; o < shape_leaf_count(instruction->shape); o++)
      for (uint32_t k = 0; k < instruction->operand_count; k++)
        for (uint32_t l = 0; l < shape_leaf_count(instruction->operands[k]->shape); l++)
          check_inverse(&bench, instruction, o, k, l);
  }
  bench_close(&bench);
}

static const char *const operations[] = {
    "p = f32[3,4] parameter(0)\nb = f32[3,4,2] broadcast(p), dimensions={0,1}\n"
    "t = f32[4,2,3] transpose(b), dimensions={1,2,0}\nr = f32[4,2,3] reverse(t), dimensions={0,2}\n"
    "s = f32[2,2,1] slice(r), slice={[1:4:2],[0:2],[2:3]}\nROOT n = f32[2,2,1] negate(s)",
    "p = f32[2,6,1,4] parameter(0)\na = f32[12,4] reshape(p)\nb = f32[3,1,16] reshape(a)\nc = f32[48] reshape(b)\n"
    "ROOT d = f32[4,3,2,2] reshape(c)",
    "p = f32[4,3,2]{0,2,1} parameter(0)\na = f32[3,2,4]{2,1,0} bitcast(p)\nb = f32[6,4]{0,1} bitcast(p)\n"
    "ROOT c = f32[2,1,12]{0,1,2} bitcast(p)",
    "p = f32[2,3] parameter(0)\nq = f32[2,1] parameter(1)\nROOT c = f32[2,7] concatenate(p, q, p), dimensions={1}",
    "p = f32[3,4] parameter(0)\nv = f32[] parameter(1)\na = f32[10,5] pad(p, v), padding=2_1_2x-1_2_0\n"
    "b = f32[4,9] pad(p, v), padding=-1_0_1x-2_1_2\nc = f32[2,2] pad(p, v), padding=-2_1_0x-5_3_0\n"
    "ROOT t = (f32[10,5], f32[4,9], f32[2,2]) tuple(a, b, c)",
    "f {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b)\n}\n"
    "ENTRY e {\np = f32[5,7] parameter(0)\nv = f32[] parameter(1)\n"
    "a = f32[7] reduce(p, v), dimensions={0}, to_apply=f\n"
    "b = f32[3,4] reduce-window(p, v), window={size=3x2 stride=2x2 pad=1_1x0_1}, to_apply=f\n"
    "c = f32[9,7] reduce-window(p, v), window={size=1x3 pad=0_0x2_2 lhs_dilate=2x1 rhs_dilate=1x2}, to_apply=f\n"
    "ROOT t = (f32[7], f32[3,4], f32[9,7]) tuple(a, b, c)\n}",
    "p = f32[2,3,4] parameter(0)\nq = f32[2,4,5] parameter(1)\n"
    "ROOT d = f32[2,3,5] dot(p, q), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}",
    "p = f32[2,5,6,4] parameter(0)\nk = f32[3,2,2,6] parameter(1)\n"
    "c = f32[2,5,3,6] convolution(p, k), window={size=3x2 stride=1x2 pad=1_1x1_0 rhs_reversal=1x0}, dim_labels=b01f_01io->b01f, "
    "feature_group_count=2\n"
    "q = f32[4,6,2] parameter(2)\nl = f32[3,2,4] parameter(3)\n"
    "ROOT g = f32[2,9,4] convolution(q, l), window={size=3 pad=1_1 lhs_dilate=2 rhs_dilate=2}, dim_labels=b0f_0io->b0f, "
    "batch_group_count=2",
    "p = f32[5,4] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\nu = f32[2,3] parameter(3)\n"
    "a = f32[2,2] dynamic-slice(p, i, j), dynamic_slice_sizes={2,2}\n"
    "b = f32[5,4] dynamic-update-slice(p, u, i, j)\nROOT t = (f32[2,2], f32[5,4]) tuple(a, b)",
    "p = f32[5,4,3] parameter(0)\ni = s32[2,2] parameter(1)\n"
    "a = f32[2,3,3] gather(p, i), offset_dims={1,2}, collapsed_slice_dims={0}, start_index_map={1,0}, index_vector_dim=1, "
    "slice_sizes={1,3,3}\n"
    "j = s32[3] parameter(2)\n"
    "ROOT b = f32[3,5,4] gather(p, j), offset_dims={1,2}, collapsed_slice_dims={}, operand_batching_dims={2}, "
    "start_indices_batching_dims={0}, start_index_map={1}, index_vector_dim=1, slice_sizes={5,4,1}",
};

static void inverse_of_every_operation_raw(void **) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    check_all_inverses(operations[i], false);
}

static void inverse_of_every_operation_simplified(void **) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    check_all_inverses(operations[i], true);
}

/* --- texts --- */

typedef struct TextCase {
  const char *hlo;
  bool forward;
  uint32_t output_leaf, operand;
  const char *expected;
} TextCase;

static const TextCase texts[] = {
    {"p = f32[4,4] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[12,16] pad(p, v), padding=1_4_1x4_8_0",
        false, 0, 0,
        "(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), domain: d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]"},
    {"p = f32[10,20,50] parameter(0)\nROOT r = f32[5,3,25] slice(p), slice={[5:10:1], [3:20:7], [0:50:2]}",
        true, 0, 0,
        "(d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2), domain: d0 in [5, 9], d1 in [3, 17], d2 in [0, 48], "
        "(d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0]"},
    {"p = f32[9,9] parameter(0)\nROOT r = f32[1,2] slice(p), slice={[4:6:5], [1:4:2]}", false, 0, 0,
        "(d0, d1) -> (d0 + 4, d1 * 2 + 1), domain: d0 in [0, 0], d1 in [0, 1]"},
    {"p = f32[4,3] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[6,2] pad(p, v), padding=1_1x-1_0",
        false, 0, 0, "(d0, d1) -> (d0 - 1, d1 + 1), domain: d0 in [1, 4], d1 in [0, 1]"},
    {"p = f32[256,10] parameter(0)\nROOT r = f32[256,10] negate(p)", false, 0, 0,
        "(d0, d1) -> (d0, d1), domain: d0 in [0, 255], d1 in [0, 9]"},
    {"ROOT r = f32[2,4] iota(), dimensions={1}", true, 0, 0,
        "()[s0, s1] -> (s0, s1), domain: s0 in [0, 1], s1 in [0, 3]"},
    {"p = f32[20] parameter(0)\nROOT r = f32[10,20,30] broadcast(p), dimensions={1}", true, 0, 0,
        "(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], s0 in [0, 9], s1 in [0, 29]"},
    {"p = f32[4,128,256] parameter(0)\nq = f32[4,256,64] parameter(1)\nROOT r = f32[4,128,64] dot(p, q), lhs_batch_dims={0}, "
     "rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}",
        true, 0, 1,
        "(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, 255], d2 in [0, 63], s0 in [0, 127]"},
    {"p = s32[2,2,258] parameter(0)\na = s32[] parameter(1)\nb = s32[] parameter(2)\nc = s32[] parameter(3)\n"
     "ROOT r = s32[1,2,32] dynamic-slice(p, a, b, c), dynamic_slice_sizes={1,2,32}",
        false, 0, 0,
        "(d0, d1, d2){rt0, rt1, rt2} -> (d0 + rt0, d1 + rt1, d2 + rt2), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], "
        "rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]\nruntime variables:\n"
        "rt0: a; (d0, d1, d2){rt0, rt1, rt2} -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]\n"
        "rt1: b; (d0, d1, d2){rt0, rt1, rt2} -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]\n"
        "rt2: c; (d0, d1, d2){rt0, rt1, rt2} -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]"},
    {"p = f32[9,8,7] parameter(0)\na = s32[] parameter(1)\nb = s32[] constant(3)\nc = s32[] parameter(2)\n"
     "ROOT r = f32[4,4,4] dynamic-slice(p, a, b, c), dynamic_slice_sizes={4,4,4}",
        false, 0, 0,
        "(d0, d1, d2){rt0, rt1} -> (d0 + rt0, d1 + 3, d2 + rt1), domain: d0 in [0, 3], d1 in [0, 3], d2 in [0, 3], rt0 in [0, 5], rt1 in [0, 3]\n"
        "runtime variables:\n"
        "rt0: a; (d0, d1, d2){rt0, rt1} -> (), domain: d0 in [0, 3], d1 in [0, 3], d2 in [0, 3], rt0 in [0, 5], rt1 in [0, 3]\n"
        "rt1: c; (d0, d1, d2){rt0, rt1} -> (), domain: d0 in [0, 3], d1 in [0, 3], d2 in [0, 3], rt0 in [0, 5], rt1 in [0, 3]"},
    {"p = f32[9] parameter(0)\na = s32[] constant(20)\nROOT r = f32[4] dynamic-slice(p, a), dynamic_slice_sizes={4}",
        false, 0, 0, "(d0) -> (d0 + 5), domain: d0 in [0, 3]"},
    {"p = f32[9] parameter(0)\na = s32[] constant(-7)\nb = s32[] constant(2)\nc = s32[] divide(a, b)\nd = s32[] negate(c)\n"
     "ROOT r = f32[4] dynamic-slice(p, d), dynamic_slice_sizes={4}",
        false, 0, 0, "(d0) -> (d0 + 3), domain: d0 in [0, 3]"},
};

static void raw_texts_are_the_reference_s(void **) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    IndexFixture bench = bench_open(texts[i].hlo, false);
    MapSet maps = query_of(
        &bench, root_of(&bench), texts[i].forward, texts[i].output_leaf, texts[i].operand, 0);
    assert_int_equal(maps.claim, INDEX_EXACT);
    assert_string_equal(texts_of(&bench, &maps), texts[i].expected);
    bench_close(&bench);
  }
}

/* --- unions and claims --- */

static void unions_are_disjoint_and_complete(void **) {
  IndexFixture bench = bench_open(
      "p = f32[3,4] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[10,7] pad(p, v), padding=2_3_1x-1_4_0",
      false);
  MapSet operand = query_of(&bench, root_of(&bench), false, 0, 0, 0),
         value = query_of(&bench, root_of(&bench), false, 0, 1, 0);
  const Shape *output = root_of(&bench)->shape;
  Pairs both = {};
  for (uint32_t k = 0; k < 2; k++) {
    const MapSet *maps = k == 0 ? &operand : &value;
    for (uint32_t i = 0; i < maps->count; i++) {
      Walk walk = {.bench = &bench,
          .map = maps->maps[i],
          .from = output,
          .to = k == 0 ? bench.module->entry->parameters[0]->shape
                       : bench.module->entry->parameters[1]->shape,
          .relation = &both};
      walk_from(&walk, 0, maps->maps[i]->dim_count);
    }
  }
  assert_int_equal(both.count, 70);
  for (uint32_t i = 0; i < both.count; i++) both.items[i] >>= 32;
  sort_unique(&both);
  assert_int_equal(both.count, 70);
  bench_close(&bench);
}

static void unknown_operation_is_undefined_by_name(void **) {
  IndexFixture bench = bench_open(
      "p = f32[3] parameter(0)\nROOT r = f32[3] custom-call(p), custom_call_target=\"x\"", false);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_int_equal(maps.claim, INDEX_UNDEFINED);
  assert_string_equal(maps.reason, "custom-call");
  assert_int_equal(maps.count, 0);
  bench_close(&bench);
}

/* A size that is not known, of the instruction, of an operand or in what is called. */
static void unknown_sizes_are_undefined_by_name(void **) {
  static const char *const rows[] = {
      "ENTRY e { p = f32[?] parameter(0) ROOT r = f32[?] negate(p) }",
      "ENTRY e { p = f32[3] parameter(0) ROOT r = f32[?] custom-call(p), custom_call_target=\"x\" }",
      "ENTRY e { p = f32[?] parameter(0) ROOT r = f32[3] custom-call(p), custom_call_target=\"x\" }",
      "f { p = f32[3] parameter(0) q = f32[?] custom-call(p), custom_call_target=\"x\" "
      "ROOT r = f32[3] negate(p) } ENTRY e { p = f32[3] parameter(0) "
      "ROOT r = f32[3] call(p), to_apply=f }"};
  static const char *const names[] = {"r", "r", "p", "q"};
  for (size_t i = 0; i < 4; i++)
    for (uint32_t forward = 0; forward < 3; forward++) {
      IndexFixture bench = bench_open(rows[i], forward > 0);
      MapSet maps;
      Error error = {};
      if (forward < 2) maps = query_of(&bench, root_of(&bench), forward == 1, 0, 0, 0);
      else
        assert_true(index_computation_output_to_input(
            bench.indexer, bench.module->entry, 0, 0, 0, &maps, &error));
      assert_int_equal(maps.claim, INDEX_UNDEFINED);
      assert_int_equal(maps.count, 0);
      const char *name = forward == 2 && i == 0 ? "p" : names[i];
      assert_string_equal(
          maps.reason, arena_printf(bench.arena, "a size of '%s' is not known", name));
      bench_close(&bench);
    }
}

/* A body of elementwise operations, of constants and of scalars that are broadcast keeps the index
 * of each element of a slice. */
static void a_scan_is_exact_if_its_body_keeps_positions(void **) {
  static const struct {
    const char *body;
    bool is_exact;
  } rows[] = {{"s = f32[4] add(e, c)", true},
      {"z = f32[] constant(2) w = f32[4] broadcast(z), dimensions={} m = f32[4] multiply(e, w) "
       "s = f32[4] add(m, c)",
          true},
      {"w = f32[4] constant({1, 2, 3, 4}) s = f32[4] add(e, w)", true},
      {"y = (f32[4], f32[4]) tuple(e, c) g = f32[4] get-tuple-element(y), index=0 "
       "s = f32[4] negate(g)",
          true},
      {"z = f32[] constant(2) n = f32[] negate(z) s = f32[4] add(e, c)", true},
      {"s = f32[4] reverse(e), dimensions={0}", false},
      {"s = f32[4] broadcast(e), dimensions={0}", false},
      {"h = f32[2] slice(e), slice={[0:2]} s = f32[4] concatenate(h, h), dimensions={0}", false},
      {"z = f32[] constant(0) h = f32[] reduce(e, z), dimensions={0}, to_apply=add "
       "s = f32[4] broadcast(h), dimensions={}",
          false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    IndexFixture bench = bench_open(
        arena_printf(arena,
            "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) } "
            "f { e = f32[4] parameter(0) c = f32[4] parameter(1) %s "
            "ROOT t = (f32[4], f32[4]) tuple(s, s) } "
            "ENTRY e { x = f32[3,4] parameter(0) y = f32[4] parameter(1) ROOT r = (f32[3,4], f32[4]) "
            "scan(x, y), dimensions={0}, is_reverse=false, num_carries=1, to_apply=f }",
            rows[i].body),
        true);
    for (uint32_t output = 0; output < 2; output++)
      for (uint32_t operand = 0; operand < 2; operand++) {
        MapSet maps = query_of(&bench, root_of(&bench), false, output, operand, 0);
        if (maps.claim != (rows[i].is_exact ? INDEX_EXACT : INDEX_OVER_APPROXIMATION))
          fail_msg("%s", rows[i].body);
        check_inverse(&bench, root_of(&bench), output, operand, 0);
      }
    bench_close(&bench);
    arena_destroy(arena);
  }
}

static void arrays_without_elements_are_not_read(void **) {
  IndexFixture bench = bench_open("p = f32[0,4] parameter(0)\nROOT r = f32[2,0] reshape(p)", false);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_int_equal(maps.claim, INDEX_EXACT);
  assert_int_equal(maps.count, 0);
  bench_close(&bench);
}

/* Three offsets of up to 2^62 each: their sum leaves int64, although the pads between them allow
 * only 0. */
static const char *const three_large_offsets =
    "f {\n p = s8[4611686018427387904] parameter(0)\n v = s8[] parameter(1)\n i = s64[] parameter(2)\n j = s64[] parameter(3)\n"
    " k = s64[] parameter(4)\n a = s8[1] dynamic-slice(p, i), dynamic_slice_sizes={1}\n"
    " b = s8[4611686018427387904] pad(a, v), padding=0_4611686018427387903\n c = s8[1] dynamic-slice(b, j), dynamic_slice_sizes={1}\n"
    " d = s8[4611686018427387904] pad(c, v), padding=0_4611686018427387903\n ROOT e = s8[1] dynamic-slice(d, k), "
    "dynamic_slice_sizes={1}\n}\nENTRY e {\n p = s8[4611686018427387904] parameter(0)\n v = s8[] parameter(1)\n"
    " i = s64[] parameter(2)\n j = s64[] parameter(3)\n k = s64[] parameter(4)\n"
    " ROOT r = s8[1] fusion(p, v, i, j, k), kind=kLoop, calls=f\n}";

static void overflow_names_the_instruction(void **) {
  IndexFixture bench = bench_open(three_large_offsets, false);
  MapSet maps;
  Error error = {};
  assert_false(index_output_to_input(bench.indexer, root_of(&bench), 0, 0, 0, &maps, &error));
  assert_int_equal(error.kind, ERROR_OVERFLOW);
  assert_memory_equal(error.message, "a: ", 3);
  bench_close(&bench);
}

static void questions_outside_the_graph_are_errors(void **) {
  IndexFixture bench = bench_open("p = f32[3] parameter(0)\nROOT r = f32[3] negate(p)", true);
  const uint32_t wrong[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (size_t i = 0; i < 3; i++) {
    MapSet maps;
    Error error = {};
    assert_false(index_output_to_input(
        bench.indexer, root_of(&bench), wrong[i][0], wrong[i][1], wrong[i][2], &maps, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
  }
  bench_close(&bench);
}

/* Parameters with leaves: each number has its own place in both directions. */
static void a_computation_is_queried_by_parameter_and_leaf(void **) {
  IndexFixture bench = bench_open("ENTRY e {\n"
                                  "a = (f32[2], f32[3]) parameter(0)\n"
                                  "b = (f32[4], f32[5]) parameter(1)\n"
                                  "x = f32[3] negate(a#1)\n"
                                  "y = f32[4] negate(b#0)\n"
                                  "ROOT t = (f32[3], f32[4]) tuple(x, y)\n}",
      true);
  static const struct {
    uint32_t parameter, leaf, output;
    const char *maps;
  } rows[] = {{0, 0, 0, ""}, {0, 0, 1, ""}, {0, 1, 0, "(d0) -> (d0), domain: d0 in [0, 2]"},
      {0, 1, 1, ""}, {1, 0, 0, ""}, {1, 0, 1, "(d0) -> (d0), domain: d0 in [0, 3]"}, {1, 1, 0, ""},
      {1, 1, 1, ""}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    MapSet in, out;
    Error error = {};
    const Computation *entry = bench.module->entry;
    assert_true(index_computation_input_to_output(
        bench.indexer, entry, rows[i].parameter, rows[i].leaf, rows[i].output, &in, &error));
    assert_true(index_computation_output_to_input(
        bench.indexer, entry, rows[i].output, rows[i].parameter, rows[i].leaf, &out, &error));
    assert_string_equal(texts_of(&bench, &in), rows[i].maps);
    assert_string_equal(texts_of(&bench, &out), rows[i].maps);
  }
  bench_close(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_of_every_operation_raw),
      cmocka_unit_test(inverse_of_every_operation_simplified),
      cmocka_unit_test(raw_texts_are_the_reference_s),
      cmocka_unit_test(unions_are_disjoint_and_complete),
      cmocka_unit_test(unknown_operation_is_undefined_by_name),
      cmocka_unit_test(unknown_sizes_are_undefined_by_name),
      cmocka_unit_test(a_scan_is_exact_if_its_body_keeps_positions),
      cmocka_unit_test(arrays_without_elements_are_not_read),
      cmocka_unit_test(overflow_names_the_instruction),
      cmocka_unit_test(questions_outside_the_graph_are_errors),
      cmocka_unit_test(a_computation_is_queried_by_parameter_and_leaf),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
