/* Read sets across devices, compared with sets written by hand for small runs, and verdicts on maps
 * across devices in both forms. */
#include "oracle/semantics/replica.h"

#include "oracle/test/test_module.h"

typedef struct ReplicaRunCase {
  const char *name, *lines;
  ReplicaWorld world;
  uint32_t leaf, operand;
  const char *reads; /* of each element of the output on each device: "replica.partition.element" */
} ReplicaRunCase;

#define ADDED "to_apply=add"
#define P2 "p = f32[2] parameter(0)\n"
#define P4 "p = f32[4] parameter(0)\n"

static const ReplicaRunCase runs[] = {
    {"no groups, no channel: all replicas of the same partition",
        P2 "ROOT r = f32[2] all-reduce(p), replica_groups={}, " ADDED, {2, 2}, 0, 0,
        "0.0.0 1.0.0|0.0.1 1.0.1|0.1.0 1.1.0|0.1.1 1.1.1|0.0.0 1.0.0|0.0.1 1.0.1|0.1.0 1.1.0|0.1.1 1.1.1"},
    {"groups of replicas", P2 "ROOT r = f32[2] all-reduce(p), replica_groups={{0},{2,1}}, " ADDED,
        {3, 1}, 0, 0, "0.0.0|0.0.1|1.0.0 2.0.0|1.0.1 2.0.1|1.0.0 2.0.0|1.0.1 2.0.1"},
    {"a channel alone: the replicas' partitions too",
        "p = f32[1] parameter(0)\nROOT r = f32[1] all-reduce(p), channel_id=1, replica_groups={{0,2},{1}}, " ADDED,
        {3, 2}, 0, 0,
        "0.0.0 0.1.0 2.0.0 2.1.0|0.0.0 0.1.0 2.0.0 2.1.0|1.0.0 1.1.0|1.0.0 1.1.0|0.0.0 0.1.0 2.0.0 2.1.0|0.0.0 0.1.0 2.0.0 2.1.0"},
    {"global ids",
        "p = f32[1] parameter(0)\nROOT r = f32[1] all-reduce(p), channel_id=1, use_global_device_ids=true, replica_groups={{0,3},{1,2}}, " ADDED,
        {2, 2}, 0, 0, "0.0.0 1.1.0|0.1.0 1.0.0|0.1.0 1.0.0|0.0.0 1.1.0"},
    {"gathered in the order of the group",
        P2 "ROOT r = f32[4] all-gather(p), dimensions={0}, replica_groups={{1,0}}", {2, 1}, 0, 0,
        "1.0.0|1.0.1|0.0.0|0.0.1|1.0.0|1.0.1|0.0.0|0.0.1"},
    {"gathered from partitions, replicas outermost",
        "p = f32[1] parameter(0)\nROOT r = f32[4] all-gather(p), dimensions={0}, channel_id=1, replica_groups={}",
        {2, 2}, 0, 0,
        "0.0.0|0.1.0|1.0.0|1.1.0|0.0.0|0.1.0|1.0.0|1.1.0|0.0.0|0.1.0|1.0.0|1.1.0|0.0.0|0.1.0|1.0.0|1.1.0"},
    {"the second operand of a gathering",
        "p = f32[1] parameter(0)\nq = f32[1] parameter(1)\nROOT r = (f32[2], f32[2]) all-gather(p, q), dimensions={0}, replica_groups={{0,1}}",
        {2, 1}, 1, 1, "0.0.0|1.0.0|0.0.0|1.0.0"},
    {"an operand does not reach the other output",
        "p = f32[1] parameter(0)\nq = f32[1] parameter(1)\nROOT r = (f32[2], f32[2]) all-gather(p, q), dimensions={0}, replica_groups={{0,1}}",
        {2, 1}, 1, 0, "|||"},
    {"scattered parts go by member",
        P4 "ROOT r = f32[2] reduce-scatter(p), dimensions={0}, replica_groups={{1,0}}, " ADDED,
        {2, 1}, 0, 0, "0.0.2 1.0.2|0.0.3 1.0.3|0.0.0 1.0.0|0.0.1 1.0.1"},
    {"blocks change places",
        P4 "ROOT r = f32[4] all-to-all(p), dimensions={0}, replica_groups={{0,1}}", {2, 1}, 0, 0,
        "0.0.0|0.0.1|1.0.0|1.0.1|0.0.2|0.0.3|1.0.2|1.0.3"},
    {"blocks of partitions, in the order of the group",
        P2 "ROOT r = f32[2] all-to-all(p), dimensions={0}, channel_id=1, replica_groups={{1,0}}",
        {2, 2}, 0, 0, "0.1.1|0.0.1|0.1.0|0.0.0|1.1.1|1.0.1|1.1.0|1.0.0"},
    {"operands change places",
        "p = f32[1] parameter(0)\nq = f32[1] parameter(1)\nROOT r = (f32[1], f32[1]) all-to-all(p, q), replica_groups={{1,0}}",
        {2, 1}, 0, 1, "1.0.0|"},
    {"a permutation leaves some out",
        P2 "ROOT r = f32[2] collective-permute(p), source_target_pairs={{0,1},{1,2}}", {3, 1}, 0, 0,
        "||0.0.0|0.0.1|1.0.0|1.0.1"},
    {"a permutation of partitions",
        "p = f32[1] parameter(0)\nROOT r = f32[1] collective-permute(p), channel_id=3, source_target_pairs={{0,1},{1,0}}",
        {2, 2}, 0, 0, "0.1.0|0.0.0|1.1.0|1.0.0"},
    {"broadcast from the first, nothing outside",
        P2 "ROOT r = f32[2] collective-broadcast(p), replica_groups={{2,0}}", {3, 1}, 0, 0,
        "2.0.0|2.0.1|||2.0.0|2.0.1"},
    {"a start holds its operand",
        P2 "ROOT r = (f32[2], f32[4]) all-gather-start(p), dimensions={0}, replica_groups={{1,0}}",
        {2, 1}, 0, 0, "0.0.0|0.0.1|1.0.0|1.0.1"},
    {"and its result",
        P2 "ROOT r = (f32[2], f32[4]) all-gather-start(p), dimensions={0}, replica_groups={{1,0}}",
        {2, 1}, 1, 0, "1.0.0|1.0.1|0.0.0|0.0.1|1.0.0|1.0.1|0.0.0|0.0.1"},
};

static const char *with_adder(OracleFixture *bench, const char *lines) {
  return arena_printf(bench->arena,
      "HloModule m\nadd {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\nENTRY e {\n%s\n}\n",
      lines);
}

static void print_reads(Text *text, const ReplicaElements *reads) {
  for (uint32_t i = 0; i < reads->count; i++)
    text_printf(text, "%s%lld.%lld.%lld", i == 0 ? "" : " ", (long long)reads->items[i].replica,
        (long long)reads->items[i].partition, (long long)reads->items[i].element);
}

static void devices_read_what_is_written_here(void **state) {
  (void)state;
  for (size_t row = 0; row < sizeof runs / sizeof *runs; row++) {
    const ReplicaRunCase *run = &runs[row];
    OracleFixture bench = bench_create();
    const Instruction *root = read_root(&bench, with_adder(&bench, run->lines));
    int64_t size = shape_elements(shape_leaf(root->shape, run->leaf));
    Text text = text_create(bench.arena);
    Error error = {};
    for (int64_t i = 0; i < run->world.replicas * run->world.partitions * size; i++) {
      ReplicaElement output = {
          i / size / run->world.partitions, i / size % run->world.partitions, i % size};
      ReplicaElements reads;
      if (!replica_reads(
              bench.oracle, root, run->world, run->leaf, run->operand, 0, output, &reads, &error))
        fail_msg("%s: %s", run->name, error.message);
      text_string(&text, i == 0 ? "" : "|");
      print_reads(&text, &reads);
    }
    if (strcmp(text.bytes, run->reads) != 0)
      fail_msg("%s\n%s\nexpected: %s", run->name, text.bytes, run->reads);
    bench_destroy(&bench);
  }
}

typedef struct ReplicaVerdictCase {
  const char *lines;
  ReplicaWorld world;
  bool is_backward;
  const char *maps[2];
  VerdictReason answer;
  const char *words;
} ReplicaVerdictCase;

#define GATHER P2 "ROOT r = f32[4] all-gather(p), dimensions={0}, replica_groups={{1,0}}"
#define GATHERED "domain: d0 in [0, 1], d1 in [0, 0], d2 in [0, 3]"
#define SHIFT P2 "ROOT r = f32[2] collective-permute(p), source_target_pairs={{0,1},{1,2}}"

static const ReplicaVerdictCase verdicts[] = {
    {GATHER, {2, 1}, false, {"(d0, d1, d2) -> (1 - d2 floordiv 2, d1, d2 mod 2), " GATHERED},
        REASON_EXACT, ""},
    {GATHER, {2, 1}, false,
        {"(d0, d2) -> (1 - d2 floordiv 2, d2 mod 2), domain: d0 in [0, 1], d2 in [0, 3]"},
        REASON_EXACT, ""},
    {GATHER, {2, 1}, false, {"(d0, d1, d2) -> (d2 floordiv 2, d1, d2 mod 2), " GATHERED},
        REASON_WRONG, "element (0, 0, 0) of 'r' reads (1, 0, 0) of 'p'"},
    {GATHER, {2, 1}, false, {"(d0, d1, d2)[s0] -> (s0, d1, d2 mod 2), " GATHERED ", s0 in [0, 1]"},
        REASON_EXTRA, "8 such pairs"},
    {GATHER, {2, 1}, true,
        {"(d0, d2)[s0] -> (s0, d2 - d0 * 2 + 2), domain: d0 in [0, 1], d2 in [0, 1], s0 in [0, 1]"},
        REASON_EXACT, ""},
    {GATHER, {2, 1}, false, {"(d0, d1, d2) -> (2 - d2 floordiv 2, d1, d2 mod 2), " GATHERED},
        REASON_WRONG, "outside of 'p'"},
    {GATHER, {2, 1}, false, {"(d0) -> (d0), domain: d0 in [0, 1]"}, REASON_WRONG, "goes from"},
    {GATHER, {2, 1}, false, {"KNOWN EMPTY"}, REASON_WRONG, ""},
    {GATHER, {1, 1}, false, {"KNOWN EMPTY"}, REASON_UNSUPPORTED, "names 1"},
    {GATHER, {1 << 20, 1 << 20}, false, {"KNOWN EMPTY"}, REASON_TOO_LARGE, ""},
    {SHIFT, {3, 1}, false, {"(d0, d1) -> (d0 - 1, d1), domain: d0 in [1, 2], d1 in [0, 1]"},
        REASON_EXACT, ""},
    {SHIFT, {3, 1}, true, {"(d0, d1) -> (d0 + 1, d1), domain: d0 in [0, 1], d1 in [0, 1]"},
        REASON_EXACT, ""},
    {SHIFT, {3, 1}, false, {"(d0, d1) -> (d0 mod 2, d1), domain: d0 in [1, 2], d1 in [0, 1]"},
        REASON_WRONG, ""},
    {SHIFT, {3, 1}, false,
        {"(d0, d1) -> (0, d1), domain: d0 in [1, 1], d1 in [0, 1]",
            "(d0, d1) -> (1, d1), domain: d0 in [2, 2], d1 in [0, 1]"},
        REASON_EXACT, ""},
    {P2 "ROOT r = f32[2] all-reduce(p), use_global_device_ids=true, replica_groups={{0,1}}, " ADDED,
        {2, 1}, false, {"KNOWN EMPTY"}, REASON_UNSUPPORTED, "take part"},
    {P2 "ROOT r = f32[2] negate(p)", {2, 1}, false, {"KNOWN EMPTY"}, REASON_UNSUPPORTED, "negate"},
    {"p = f32[3] parameter(0)\nROOT r = f32[6] all-gather(p), dimensions={0}", {3, 1}, false,
        {"KNOWN EMPTY"}, REASON_UNSUPPORTED, "do not fit"},
};

static void maps_across_devices_are_judged(void **state) {
  (void)state;
  for (size_t row = 0; row < sizeof verdicts / sizeof *verdicts; row++) {
    const ReplicaVerdictCase *verdict_case = &verdicts[row];
    OracleFixture bench = bench_create();
    const Instruction *root = read_root(&bench, with_adder(&bench, verdict_case->lines));
    const Map *maps[2];
    uint32_t count = 0;
    for (; count < 2 && verdict_case->maps[count] != nullptr; count++)
      maps[count] = map_of(&bench, verdict_case->maps[count]);
    Verdict verdict;
    Error error = {};
    bool done = verdict_case->is_backward
                    ? replica_input_to_output(bench.oracle, root, verdict_case->world, 0, 0, 0,
                          count, maps, &verdict, &error)
                    : replica_output_to_input(bench.oracle, root, verdict_case->world, 0, 0, 0,
                          count, maps, &verdict, &error);
    assert_true(done);
    if (verdict.reason != verdict_case->answer ||
        strstr(verdict_text(&verdict), verdict_case->words) == nullptr)
      fail_msg("row %zu: answer %u, %s", row, verdict.reason, verdict_text(&verdict));
    bench_destroy(&bench);
  }
}

static void a_world_holds_what_is_named(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  ReplicaWorld world;
  assert_true(replica_smallest_world(read_root(&bench, with_adder(&bench, GATHER)), &world));
  assert_int_equal(world.replicas, 2);
  assert_int_equal(world.partitions, 1);
  assert_true(replica_smallest_world(
      root_of(&bench, P2
          "ROOT r = f32[2] collective-permute(p), channel_id=1, source_target_pairs={{0,1},{1,4}}"),
      &world));
  assert_int_equal(world.replicas, 1);
  assert_int_equal(world.partitions, 5);
  assert_false(replica_smallest_world(root_of(&bench, P2 "ROOT r = f32[2] negate(p)"), &world));
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(devices_read_what_is_written_here),
      cmocka_unit_test(maps_across_devices_are_judged),
      cmocka_unit_test(a_world_holds_what_is_named),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
