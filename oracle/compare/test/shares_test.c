/* Shares of a scatter's target are disjoint and complete. Under every assignment, a share's own
 * rows read the same elements of it as all rows do. */
#include "oracle/test/test_module.h"

#define ADD "add {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n"
#define FUSED(parameters, body, arguments, shape) \
  "HloModule m\n" ADD "f {\n" parameters body "}\nENTRY e {\n" parameters "ROOT r = " shape \
  " fusion(" arguments "), kind=kLoop, calls=f\n}\n"

typedef struct ShareCase {
  const char *name, *module;
  uint32_t operand, shares; /* 0: not partitioned */
} ShareCase;

#define THREE "a = f32[4] parameter(0)\ni = s32[3,1] parameter(1)\nu = f32[3] parameter(2)\n"
#define ONE_WIDE \
  "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n"
#define TWO "a = f32[3,3] parameter(0)\ni = s32[2,2] parameter(1)\nu = f32[2,2,1] parameter(2)\n"

static const ShareCase cases[] = {
    {"one row an update",
        FUSED(THREE,
            "t = f32[4] scatter(a, i, u), " ONE_WIDE "ROOT n = f32[4] reverse(t), dimensions={0}\n",
            "a, i, u", "f32[4]"),
        2, 3},
    {"the operand is not divided",
        FUSED(THREE,
            "t = f32[4] scatter(a, i, u), " ONE_WIDE "ROOT n = f32[4] reverse(t), dimensions={0}\n",
            "a, i, u", "f32[4]"),
        0, 0},
    {"an update is not used",
        FUSED(THREE,
            "w = f32[2] slice(u), slice={[1:3]}\nj = s32[2,1] slice(i), slice={[0:2],[0:1]}\nt = f32[4] scatter(a, j, w), " ONE_WIDE
            "ROOT n = f32[4] negate(t)\n",
            "a, i, u", "f32[4]"),
        2, 3},
    {"rows with an update in common",
        FUSED("a = f32[4] parameter(0)\ni = s32[3,1] parameter(1)\nu = f32[2] parameter(2)\n",
            "l = f32[1] slice(u), slice={[0:1]}\nw = f32[3] concatenate(u, l), dimensions={0}\nt = f32[4] scatter(a, i, w), " ONE_WIDE
            "ROOT n = f32[4] negate(t)\n",
            "a, i, u", "f32[4]"),
        2, 2},
    {"all rows with one update",
        FUSED("a = f32[4] parameter(0)\ni = s32[3,1] parameter(1)\nu = f32[] parameter(2)\n",
            "w = f32[3] broadcast(u), dimensions={}\nt = f32[4] scatter(a, i, w), " ONE_WIDE
            "ROOT n = f32[4] negate(t)\n",
            "a, i, u", "f32[4]"),
        2, 0},
    {"windows of two, read twice",
        FUSED(TWO,
            "t = f32[3,3] scatter(a, i, u), update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={1,0}, "
            "index_vector_dim=1, to_apply=add\nb = f32[3,3] transpose(t), dimensions={1,0}\nROOT n = f32[3,3] add(t, b)\n",
            "a, i, u", "f32[3,3]"),
        2, 2},
    {"updates that move are not divided",
        FUSED(THREE "o = s32[] parameter(3)\n",
            "w = f32[2] dynamic-slice(u, o), dynamic_slice_sizes={2}\nj = s32[2,1] slice(i), slice={[0:2],[0:1]}\n"
            "t = f32[4] scatter(a, j, w), " ONE_WIDE "ROOT n = f32[4] negate(t)\n",
            "a, i, u, o", "f32[4]"),
        2, 0},
};

static void check_cover(const ReadSet *set, uint32_t count, const Share *shares) {
  for (int64_t element = 0; element < set->operand->elements; element++) {
    uint32_t in = 0;
    for (uint32_t i = 0; i < count; i++) in += bits_has(shares[i].mask, element);
    assert_int_equal(in, 1);
  }
}

/* Under the current assignment; values drawn for all rows are reused. */
static void check_assignment(
    OracleFixture *bench, ReadSet *set, uint32_t count, const Share *shares) {
  ArenaMark mark = arena_mark(bench->arena);
  int64_t at[oracle_max_rank] = {};
  for (int64_t element = 0; element < set->output->elements;
      element++, leaf_next(set->output, at)) {
    uint64_t *all = ARENA_NEW(bench->arena, uint64_t, set->words);
    read_set_only_rows(set, nullptr);
    assert_true(read_set_of(set, element, at, all));
    for (uint32_t i = 0; i < count; i++) {
      uint64_t *own = ARENA_NEW(bench->arena, uint64_t, set->words);
      read_set_only_rows(set, shares[i].rows);
      assert_true(read_set_of(set, element, at, own));
      for (uint32_t word = 0; word < set->words; word++)
        assert_int_equal(own[word] & shares[i].mask[word], all[word] & shares[i].mask[word]);
    }
  }
  read_set_only_rows(set, nullptr);
  arena_rewind(bench->arena, mark);
}

static void shares_read_what_all_rows_read(void **state) {
  (void)state;
  for (size_t row = 0; row < sizeof cases / sizeof *cases; row++) {
    OracleFixture bench = bench_create();
    Arena *arena = arena_create();
    const Instruction *root = read_root(&bench, cases[row].module);
    Rejection rejection = {};
    Flow flow;
    Values values;
    ReadSet set;
    uint32_t count, assignments = 0;
    const Share *shares;
    OracleLimits limits = {.elements = 4096, .pairs = 1 << 26};
    assert_true(flow_create(&flow, arena, root, &rejection));
    values_create(&values, &flow);
    assert_true(read_set_create(&set, &flow, &values, &limits, 0, cases[row].operand, 0));
    bool divided = read_set_shares(&set, &count, &shares);
    if (divided != (cases[row].shares > 0) || (divided && count != cases[row].shares))
      fail_msg("%s: %u shares", cases[row].name, count);
    if (divided) check_cover(&set, count, shares);
    values_restart(&values);
    for (bool more = divided; more; assignments++) {
      values_begin(&values);
      check_assignment(&bench, &set, count, shares);
      more = values_next(&values);
    }
    assert_true(!divided || assignments > 20);
    arena_destroy(arena);
    bench_destroy(&bench);
  }
}

/* Pairs of a map outside of a share are ignored, also if there are too many points to compute in
 * advance which of them may lead into the share. An update outside of the operand occurs for two of
 * the 6 values of an index. So each of three shares has two pairs too many, under each of the 6 * 6
 * values of the other two indices. */
static void maps_are_cut_to_the_share(void **state) {
  (void)state;
  static const char *const repeats[] = {"0", "999"};
  for (size_t i = 0; i < 2; i++) {
    OracleFixture bench = bench_create();
    Error error = {};
    Verdict verdict;
    const Instruction *root =
        read_root(&bench, "HloModule m\n" ADD "ENTRY e {\n" THREE
                          "ROOT t = f32[4] scatter(a, i, u), " ONE_WIDE "}\n");
    const char *domain = arena_printf(bench.arena,
        "domain: d0 in [0, 3], s0 in [0, 2], s1 in [0, %s], rt0 in [0, 3]", repeats[i]);
    const Map *map = map_of(&bench,
        arena_printf(bench.arena,
            "(d0)[s0, s1]{rt0} -> (s0), %s, d0 - rt0 in [0, 0]\nruntime variables:\nrt0: i; (d0)[s0, s1]{rt0} -> (s0, 0), %s",
            domain, domain));
    Oracle *oracle = oracle_create(bench.maps, &(OracleLimits){.elements = 4096, .pairs = 30000});
    assert_true(oracle_output_to_input(oracle, root, 0, 2, 0, 1, &map, &verdict, &error));
    if (verdict.reason != REASON_EXTRA)
      fail_msg("%s: %d: %s", repeats[i], verdict.reason, verdict_text(&verdict));
    assert_int_equal(verdict.missing, 0);
    assert_int_equal(verdict.extra, i == 0 ? 6 : 6 * 6 * 6);
    oracle_destroy(oracle);
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shares_read_what_all_rows_read),
      cmocka_unit_test(maps_are_cut_to_the_share)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
