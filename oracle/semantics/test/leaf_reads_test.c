/* Reads of small operations with several operands and results, against the operation run on sets of
 * elements: every leaf of the result and every leaf of the operands. */
#include "core/hlo/test/leaf_operations.h"
#include "core/base/test/length.h"
#include "oracle/test/test_module.h"

static void check_leaf(OracleFixture *bench, const LeafReads *reads, const Instruction *root,
    const char *module, uint32_t result, uint32_t slot) {
  OracleReads found;
  uint32_t elements = leaf_count(reads->slots[slot].shape),
           outputs = leaf_count(reads->results[result]);
  if (!oracle_reads(bench->oracle, root, result, reads->slots[slot].operand,
          reads->slots[slot].leaf, bench->arena, &found))
    fail_msg("%s\nresult %u, slot %u: not known", module, result, slot);
  assert_int_equal(found.outputs, outputs);
  assert_int_equal(found.elements, elements);
  assert_int_equal(found.words, 1);
  for (uint32_t i = 0; i < outputs; i++)
    if (found.rows[i] != reads->sets[result][i].of[slot])
      fail_msg("%s\nresult %u, element %u reads %llx of slot %u, not %llx", module, result, i,
          (unsigned long long)found.rows[i], slot,
          (unsigned long long)reads->sets[result][i].of[slot]);
}

static void results_read_what_they_are_computed_from(void **) {
  const uint32_t rounds = test_length(400, 300, 60);
  static LeafReads reads;
  for (size_t kind = 0; kind < sizeof leaf_operations / sizeof *leaf_operations; kind++) {
    uint64_t random = 3;
    for (uint32_t round = 0; round < rounds; round++) {
      OracleFixture bench = bench_create();
      reads = (LeafReads){.random = random, .arena = bench.arena};
      const char *module = leaf_module(&reads, leaf_operations[kind]);
      const Instruction *root = read_root(&bench, module);
      assert_int_equal(shape_leaf_count(root->shape), reads.result_count);
      for (uint32_t result = 0; result < reads.result_count; result++)
        for (uint32_t slot = 0; slot < reads.slot_count; slot++)
          check_leaf(&bench, &reads, root, module, result, slot);
      random = reads.random;
      bench_destroy(&bench);
    }
  }
}

/* What is no element of the question, and reads that depend on values, have no matrix. */
static void other_reads_have_no_matrix(void **) {
  static const struct {
    const char *lines;
    uint32_t operand;
    bool is_known;
  } rows[] = {
      {"a = f32[4] parameter(0)\nROOT r = f32[4] negate(a)", 0, true},
      {"a = f32[4] parameter(0)\nROOT r = f32[4] negate(a)", 1, false},
      {"a = f32[4] parameter(0)\ni = s32[] parameter(1)\nROOT r = f32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}",
          0, false},
      {"a = f32[4] parameter(0)\ni = s32[] parameter(1)\nROOT r = f32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}",
          1, true},
      {"a = f32[4] parameter(0)\nROOT r = f32[4] custom-call(a), custom_call_target=\"t\"", 0,
          false},
      {"a = f32[8000] parameter(0)\nROOT r = f32[8000] negate(a)", 0, false},
      {"a = f32[2] parameter(0)\nROOT r = f32[2] sort(a), dimensions={0}, to_apply=lt", 0, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    const Instruction *root = read_root(&bench,
        arena_printf(bench.arena,
            "HloModule m\nlt {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT c = pred[] "
            "compare(x, y), direction=LT\n}\nENTRY e {\n%s\n}\n",
            rows[i].lines));
    OracleReads found;
    assert_int_equal(rows[i].is_known,
        oracle_reads(bench.oracle, root, 0, rows[i].operand, 0, bench.arena, &found));
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_read_what_they_are_computed_from),
      cmocka_unit_test(other_reads_have_no_matrix),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
