/* Collectives with their devices. */
#include "core/index/test/test_bench.h"

typedef struct ReplicaCase {
  const char *hlo;
  IndexMesh world;
  uint32_t output_leaf, operand;
  const char *expected;
} ReplicaCase;

#define SUM \
  "f {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b)\n}\nENTRY e {\n p = f32[4,6] parameter(0)\n"
static const ReplicaCase replicas[] = {
    {SUM "ROOT r = f32[4,6] all-reduce(p), replica_groups={{0,1},{2,3}}, to_apply=f\n}", {4, 1}, 0,
        0,
        "(d0, d1, d2, d3)[s0] -> ((d0 floordiv 2) * 2 + s0, d1, d2, d3), domain: d0 in [0, 3], d1 in [0, 0], d2 in [0, 3], d3 in [0, 5], s0 in [0, 1]"},
    {SUM "ROOT r = f32[4,6] all-reduce(p), replica_groups={{0,4},{1,5},{2},{3}}, to_apply=f\n}",
        {6, 1}, 0, 0,
        "(d0, d1, d2, d3)[s0] -> (d0 mod 4 + s0 * 4, d1, d2, d3), domain: d0 in [0, 5], d1 in [0, 0], d2 in [0, 3], d3 in [0, 5], s0 in [0, 1], d0 mod 4 in [0, 1]\n"
        "(d0, d1, d2, d3) -> (d0, d1, d2, d3), domain: d0 in [2, 3], d1 in [0, 0], d2 in [0, 3], d3 in [0, 5]"},
    {SUM "ROOT r = f32[4,6] all-reduce(p), channel_id=1, replica_groups={{0,1}}, to_apply=f\n}",
        {2, 3}, 0, 0,
        "(d0, d1, d2, d3)[s0, s1] -> (s1, s0, d2, d3), domain: d0 in [0, 1], d1 in [0, 2], d2 in [0, 3], d3 in [0, 5], s0 in [0, 2], s1 in [0, 1]"},
    {SUM
        "ROOT r = f32[4,6] all-reduce(p), channel_id=1, use_global_device_ids=true, replica_groups=[2,4]<=[8], to_apply=f\n}",
        {2, 4}, 0, 0,
        "(d0, d1, d2, d3)[s0] -> (d0, s0, d2, d3), domain: d0 in [0, 1], d1 in [0, 3], d2 in [0, 3], d3 in [0, 5], s0 in [0, 3]"},
    {SUM "ROOT r = f32[8,6] all-gather(p), replica_groups={{0,2},{1,3}}, dimensions={0}\n}", {4, 1},
        0, 0,
        "(d0, d1, d2, d3) -> (d0 mod 2 + (d2 floordiv 4) * 2, d1, d2 mod 4, d3), domain: d0 in [0, 3], d1 in [0, 0], d2 in [0, 7], d3 in [0, 5]"},
    {SUM "ROOT r = f32[12,6] all-gather(p), replica_groups={{3,0,1},{2,4,5}}, dimensions={0}\n}",
        {6, 1}, 0, 0,
        "(d0, d1, d2, d3) -> (3, d1, d2, d3), domain: d0 in [0, 1], d1 in [0, 0], d2 in [0, 3], d3 in [0, 5]\n"
        "(d0, d1, d2, d3) -> (d2 floordiv 4 - 1, d1, d2 mod 4, d3), domain: d0 in [0, 1], d1 in [0, 0], d2 in [4, 11], d3 in [0, 5]\n"
        "(d0, d1, d2, d3) -> (3, d1, d2, d3), domain: d0 in [3, 3], d1 in [0, 0], d2 in [0, 3], d3 in [0, 5]\n"
        "(d0, d1, d2, d3) -> (d2 floordiv 4 - 1, d1, d2 mod 4, d3), domain: d0 in [3, 3], d1 in [0, 0], d2 in [4, 11], d3 in [0, 5]\n"
        "(d0, d1, d2, d3) -> (2, d1, d2, d3), domain: d0 in [2, 2], d1 in [0, 0], d2 in [0, 3], d3 in [0, 5]\n"
        "(d0, d1, d2, d3) -> (d2 floordiv 4 + 3, d1, d2 mod 4, d3), domain: d0 in [2, 2], d1 in [0, 0], d2 in [4, 11], d3 in [0, 5]\n"
        "(d0, d1, d2, d3) -> (2, d1, d2, d3), domain: d0 in [4, 5], d1 in [0, 0], d2 in [0, 3], d3 in [0, 5]\n"
        "(d0, d1, d2, d3) -> (d2 floordiv 4 + 3, d1, d2 mod 4, d3), domain: d0 in [4, 5], d1 in [0, 0], d2 in [4, 11], d3 in [0, 5]"},
    {SUM
        "ROOT r = f32[4,3] reduce-scatter(p), replica_groups={{0,1}}, dimensions={1}, to_apply=f\n}",
        {2, 1}, 0, 0,
        "(d0, d1, d2, d3)[s0] -> (s0, d1, d2, d0 * 3 + d3), domain: d0 in [0, 1], d1 in [0, 0], d2 in [0, 3], d3 in [0, 2], s0 in [0, 1]"},
    {SUM "ROOT r = f32[4,6] all-to-all(p), replica_groups={{1,0}}, dimensions={0}\n}", {2, 1}, 0, 0,
        "(d0, d1, d2, d3) -> (-(d2 floordiv 2) + 1, d1, d2 mod 2 - d0 * 2 + 2, d3), domain: d0 in [0, 1], d1 in [0, 0], d2 in [0, 3], d3 in [0, 5]"},
    {SUM "ROOT r = f32[4,6] collective-permute(p), source_target_pairs={{0,1},{1,2}}\n}", {3, 1}, 0,
        0,
        "(d0, d1, d2, d3) -> (d0 - 1, d1, d2, d3), domain: d0 in [1, 2], d1 in [0, 0], d2 in [0, 3], d3 in [0, 5]"},
    {SUM "ROOT r = f32[4,6] collective-broadcast(p), replica_groups={{2,3}}\n}", {4, 1}, 0, 0,
        "(d0, d1, d2, d3) -> (2, d1, d2, d3), domain: d0 in [2, 3], d1 in [0, 0], d2 in [0, 3], d3 in [0, 5]"},
    {SUM
        "q = f32[4,6] parameter(1)\nROOT r = (f32[4,6], f32[4,6]) all-to-all(p, q), replica_groups={{0,1}}\n}",
        {8, 1}, 0, 1,
        "(d0, d1, d2, d3) -> (0, d1, d2, d3), domain: d0 in [1, 1], d1 in [0, 0], d2 in [0, 3], d3 in [0, 5]"},
};

static void devices_are_those_of_the_groups(void **) {
  for (size_t i = 0; i < sizeof replicas / sizeof *replicas; i++) {
    IndexFixture bench = bench_open(replicas[i].hlo, true);
    MapSet maps;
    Error error = {};
    assert_true(index_replicas_output_to_input(bench.indexer, root_of(&bench), replicas[i].world,
        replicas[i].output_leaf, replicas[i].operand, 0, &maps, &error));
    assert_int_equal(maps.claim, INDEX_EXACT);
    assert_string_equal(texts_of(&bench, &maps), replicas[i].expected);
    bench_close(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(devices_are_those_of_the_groups),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
