/* Batch normalizations and collectives: what an output element reads, as a condition on the indices
 * of both elements that is tried on all pairs. */
#include "oracle/test/test_module.h"

typedef bool ReadsElement(const int64_t *out, const int64_t *in);

/* "0 1|2|": by output element, the elements of the operand that meet the condition. */
static const char *pairs_of(
    Arena *arena, const int64_t outputs[3], const int64_t inputs[3], ReadsElement *reads) {
  Text text = text_create(arena);
  int64_t out_count = outputs[0] * outputs[1] * outputs[2],
          in_count = inputs[0] * inputs[1] * inputs[2];
  for (int64_t o = 0; o < out_count; o++) {
    const int64_t out[] = {
        o / (outputs[1] * outputs[2]), o / outputs[2] % outputs[1], o % outputs[2]};
    text_string(&text, o == 0 ? "" : "|");
    for (int64_t i = 0, first = 1; i < in_count; i++) {
      const int64_t in[] = {i / (inputs[1] * inputs[2]), i / inputs[2] % inputs[1], i % inputs[2]};
      if (reads(out, in)) text_printf(&text, first ? "%lld" : " %lld", (long long)i), first = 0;
    }
  }
  return text.bytes;
}

static void check_leaf(const char *lines, uint32_t leaf, uint32_t operand, const int64_t outputs[3],
    const int64_t inputs[3], ReadsElement *reads) {
  OracleFixture bench = bench_create();
  const char *module = arena_printf(bench.arena,
      "HloModule m\nadd {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n"
      "ENTRY e {\n%s\n}\n",
      lines);
  const char *found = reads_of_leaf(&bench, read_root(&bench, module), leaf, operand, 0);
  const char *expected = pairs_of(bench.arena, outputs, inputs, reads);
  if (strcmp(found, expected) != 0)
    fail_msg("%s\nleaf %u operand %u: %s\nexpected: %s", lines, leaf, operand, found, expected);
  bench_destroy(&bench);
}

/* --- batch normalization of f32[2,3,2] --- */

static int feature;
static const int64_t whole[3] = {2, 3, 2};

static bool same_element(const int64_t *out, const int64_t *in) {
  return out[0] == in[0] && out[1] == in[1] && out[2] == in[2];
}
static bool same_line(const int64_t *out, const int64_t *in) { return out[feature] == in[feature]; }
static bool line_of_vector(const int64_t *out, const int64_t *in) { return out[2] == in[feature]; }
static bool entry_of_line(const int64_t *out, const int64_t *in) { return out[feature] == in[2]; }
static bool same_entry(const int64_t *out, const int64_t *in) { return out[2] == in[2]; }
static bool reads_nothing(const int64_t *, const int64_t *) { return false; }

/* One output and operand. An array is 'x' (whole) or 'v' (one entry for each feature). */
typedef struct NormalizedRow {
  uint32_t leaf, operand;
  char output, input;
  ReadsElement *reads;
} NormalizedRow;

static void check_normalized(const char *lines, size_t count, const NormalizedRow *rows) {
  const int64_t vector[3] = {1, 1, whole[feature]};
  for (size_t i = 0; i < count; i++)
    check_leaf(lines, rows[i].leaf, rows[i].operand, rows[i].output == 'x' ? whole : vector,
        rows[i].input == 'x' ? whole : vector, rows[i].reads);
}

static const char *operands_text(Arena *arena, const char *kinds) {
  Text text = text_create(arena);
  for (int i = 0; kinds[i] != 0; i++) {
    const char *sizes = kinds[i] == 'x' ? "2,3,2" : whole[feature] == 2 ? "2" : "3";
    text_printf(&text, "p%d = f32[%s] parameter(%d)\n", i, sizes, i);
  }
  return text.bytes;
}

static void trainings(void **state) {
  (void)state;
  static const NormalizedRow rows[] = {{0, 0, 'x', 'x', same_line}, {0, 1, 'x', 'v', entry_of_line},
      {0, 2, 'x', 'v', entry_of_line}, {1, 0, 'v', 'x', line_of_vector},
      {1, 1, 'v', 'v', reads_nothing}, {1, 2, 'v', 'v', reads_nothing},
      {2, 0, 'v', 'x', line_of_vector}, {2, 1, 'v', 'v', reads_nothing},
      {2, 2, 'v', 'v', reads_nothing}};
  Arena *arena = arena_create();
  for (feature = 0; feature < 3; feature++)
    check_normalized(
        arena_printf(arena,
            "%sROOT r = (f32[2,3,2], f32[%lld], f32[%lld]) batch-norm-training(p0, p1, p2), epsilon=1, "
            "feature_index=%d",
            operands_text(arena, "xvv"), (long long)whole[feature], (long long)whole[feature],
            feature),
        sizeof rows / sizeof *rows, rows);
  arena_destroy(arena);
}

static void inferences(void **state) {
  (void)state;
  static const NormalizedRow rows[] = {{0, 0, 'x', 'x', same_element},
      {0, 1, 'x', 'v', entry_of_line}, {0, 2, 'x', 'v', entry_of_line},
      {0, 3, 'x', 'v', entry_of_line}, {0, 4, 'x', 'v', entry_of_line}};
  Arena *arena = arena_create();
  for (feature = 0; feature < 3; feature++)
    check_normalized(
        arena_printf(arena,
            "%sROOT r = f32[2,3,2] batch-norm-inference(p0, p1, p2, p3, p4), epsilon=1, feature_index=%d",
            operands_text(arena, "xvvvv"), feature),
        sizeof rows / sizeof *rows, rows);
  arena_destroy(arena);
}

/* The gradient of x; of the scale, which needs no scale; of the offset, the sum of the gradient. */
static void gradients(void **state) {
  (void)state;
  static const NormalizedRow rows[] = {{0, 0, 'x', 'x', same_line}, {0, 1, 'x', 'v', entry_of_line},
      {0, 2, 'x', 'v', entry_of_line}, {0, 3, 'x', 'v', entry_of_line}, {0, 4, 'x', 'x', same_line},
      {1, 0, 'v', 'x', line_of_vector}, {1, 1, 'v', 'v', reads_nothing},
      {1, 2, 'v', 'v', same_entry}, {1, 3, 'v', 'v', same_entry}, {1, 4, 'v', 'x', line_of_vector},
      {2, 0, 'v', 'x', reads_nothing}, {2, 1, 'v', 'v', reads_nothing},
      {2, 2, 'v', 'v', reads_nothing}, {2, 3, 'v', 'v', reads_nothing},
      {2, 4, 'v', 'x', line_of_vector}};
  Arena *arena = arena_create();
  for (feature = 0; feature < 3; feature++)
    check_normalized(
        arena_printf(arena,
            "%sROOT r = (f32[2,3,2], f32[%lld], f32[%lld]) batch-norm-grad(p0, p1, p2, p3, p4), epsilon=1, "
            "feature_index=%d",
            operands_text(arena, "xvvvx"), (long long)whole[feature], (long long)whole[feature],
            feature),
        sizeof rows / sizeof *rows, rows);
  arena_destroy(arena);
}

/* --- collectives of two and three devices --- */

static const int64_t small[3] = {1, 2, 3}, twice[3] = {1, 4, 3}, wide[3] = {1, 2, 6};

/* Of the operand's block q, for some device q. */
static bool gathered_rows(const int64_t *out, const int64_t *in) {
  return (out[1] == in[1] || out[1] == in[1] + 2) && out[2] == in[2];
}
static bool gathered_columns(const int64_t *out, const int64_t *in) {
  return out[1] == in[1] && (out[2] == in[2] || out[2] == in[2] + 3);
}
static bool scattered_rows(const int64_t *out, const int64_t *in) { return gathered_rows(in, out); }
/* Blocks of two columns: element i of any block of three. */
static bool exchanged_columns(const int64_t *out, const int64_t *in) {
  int64_t apart = out[2] - in[2];
  return out[1] == in[1] && (apart == 0 || apart == 2 || apart == -2 || apart == 4 || apart == -4);
}

static void collectives_read_blocks(void **state) {
  (void)state;
#define P "p = f32[2,3] parameter(0)\n"
#define TWO ", replica_groups={{0,1}}"
  check_leaf(
      P "ROOT r = f32[4,3] all-gather(p), dimensions={0}" TWO, 0, 0, twice, small, gathered_rows);
  check_leaf(
      P "ROOT r = f32[2,6] all-gather(p), dimensions={1}" TWO, 0, 0, wide, small, gathered_columns);
  static const char gather[] =
      P "ROOT r = (f32[2,3], f32[2,6]) all-gather-start(p), dimensions={1}" TWO;
  check_leaf(gather, 0, 0, small, small, same_element);
  check_leaf(gather, 1, 0, wide, small, gathered_columns);
  check_leaf(
      "p = f32[4,3] parameter(0)\nROOT r = f32[2,3] reduce-scatter(p), dimensions={0}, to_apply=add" TWO,
      0, 0, small, twice, scattered_rows);
  check_leaf(
      "p = f32[2,6] parameter(0)\nROOT r = f32[2,6] all-to-all(p), dimensions={1}, replica_groups={{0,1,2}}",
      0, 0, wide, wide, exchanged_columns);
  check_leaf(
      P "ROOT r = f32[2,3] all-reduce(p), to_apply=add" TWO, 0, 0, small, small, same_element);
  check_leaf(P "ROOT r = f32[2,3] all-reduce-start(p), to_apply=add" TWO, 0, 0, small, small,
      same_element);
  check_leaf(P "ROOT r = f32[2,3] collective-permute(p), source_target_pairs={{0,1}}", 0, 0, small,
      small, same_element);
  static const char permute[] =
      P "ROOT r = (f32[2,3], f32[2,3]) collective-permute-start(p), source_target_pairs={{0,1}}";
  check_leaf(permute, 0, 0, small, small, same_element);
  check_leaf(permute, 1, 0, small, small, same_element);
  check_leaf(P "ROOT r = f32[2,3] collective-broadcast(p)" TWO, 0, 0, small, small, same_element);
}

/* Output k belongs to operand k; of an all-to-all of several operands to all of them. */
static void collectives_of_several_operands(void **state) {
  (void)state;
#define PQ P "q = f32[2,3] parameter(1)\n"
#define PAIR "(f32[2,3], f32[2,3])"
  for (uint32_t leaf = 0; leaf < 2; leaf++)
    for (uint32_t operand = 0; operand < 2; operand++) {
      ReadsElement *own = leaf == operand ? same_element : reads_nothing;
      check_leaf(PQ "ROOT r = " PAIR " all-reduce(p, q), to_apply=add" TWO, leaf, operand, small,
          small, own);
      check_leaf(
          PQ "ROOT r = " PAIR " all-to-all(p, q)" TWO, leaf, operand, small, small, same_element);
      check_leaf(PQ "ROOT r = (f32[4,3], f32[4,3]) all-gather(p, q), dimensions={0}" TWO, leaf,
          operand, twice, small, leaf == operand ? gathered_rows : reads_nothing);
      static const char start[] =
          PQ "ROOT r = (" PAIR ", (f32[4,3], f32[4,3])) all-gather-start(p, q), dimensions={0}" TWO;
      check_leaf(start, leaf, operand, small, small, own);
      check_leaf(
          start, leaf + 2, operand, twice, small, leaf == operand ? gathered_rows : reads_nothing);
    }
}

/* --- fft of f32[2,2,3]: everything in the last dimensions --- */

static const int64_t cube[3] = {2, 2, 3};
static bool same_vector(const int64_t *out, const int64_t *in) {
  return out[0] == in[0] && out[1] == in[1];
}
static bool same_matrix(const int64_t *out, const int64_t *in) { return out[0] == in[0]; }
static bool everything(const int64_t *, const int64_t *) { return true; }

static void transforms_read_the_last_dimensions(void **state) {
  (void)state;
#define CUBE "p = c64[2,2,3] parameter(0)\nROOT r = c64[2,2,3] fft(p), fft_type=FFT, fft_length="
  check_leaf(CUBE "{3}", 0, 0, cube, cube, same_vector);
  check_leaf(CUBE "{2,3}", 0, 0, cube, cube, same_matrix);
  check_leaf(CUBE "{2,2,3}", 0, 0, cube, cube, everything);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trainings),
      cmocka_unit_test(inferences),
      cmocka_unit_test(gradients),
      cmocka_unit_test(collectives_read_blocks),
      cmocka_unit_test(collectives_of_several_operands),
      cmocka_unit_test(transforms_read_the_last_dimensions),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
