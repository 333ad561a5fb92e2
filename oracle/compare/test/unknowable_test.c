/* Operations whose reads are not in the text: each is rejected with its name and the reason. When
 * the elements of runtime variables are known, against the list of what must be stated. */
#include "oracle/compare/same_elements.h"
#include "oracle/test/test_module.h"

#define PARAMETERS \
  "p = f32[4] parameter(0)\nq = f32[4] parameter(1)\ni = s64[2] parameter(2)\n" \
  "u = u64[2] parameter(3)\nn = s32[] parameter(4)\nt = token[] after-all()\n" \
  "z = f32[] parameter(5)\n"

static void reads_that_are_not_in_the_text_have_a_reason(void **) {
  static const struct {
    const char *line, *reason;
    uint32_t operand;
  } rows[] = {
      {"ROOT r = f32[4] custom-call(p), custom_call_target=\"t\"",
          "what custom-call 'r' reads is unknown: what it computes is not in the text", 0},
      {"ROOT r = (u64[2], u32[4]) rng-bit-generator(u), algorithm=rng_default",
          "what rng-bit-generator 'r' reads is unknown: the algorithm decides which words of the "
          "state a number uses",
          0},
      {"ROOT r = f32[4] ragged-all-to-all(p, q, i, i, i, i), replica_groups={{0,1}}",
          "what ragged-all-to-all 'r' reads is unknown: sizes and offsets on other devices decide",
          0},
      {"ROOT r = f32[4] ragged-all-to-all(p, q, i, i, i, i), replica_groups={{0,1}}",
          "what ragged-all-to-all 'r' reads is unknown: sizes and offsets on other devices decide",
          1},
      {"ROOT r = f32[<=4] set-dimension-size(p, n), dimensions={0}",
          "what set-dimension-size 'r' reads is unknown: sizes that are values decide which "
          "elements exist",
          0},
      {"ROOT r = f32[6] dynamic-pad(p, z, n, n, n)",
          "what dynamic-pad 'r' reads is unknown: sizes that are values decide which elements "
          "exist",
          0},
      {"ROOT r = (f32[4], u32[], token[]) send(p, t), channel_id=1",
          "what send 'r' reads is unknown: the other side of the transfer is not in the module", 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    const Instruction *root =
        root_of(&bench, arena_printf(bench.arena, PARAMETERS "%s", rows[i].line));
    assert_string_equal(reads_of(&bench, root, rows[i].operand),
        arena_printf(bench.arena, "rejected: %s", rows[i].reason));
    bench_destroy(&bench);
  }
}

/* ---- elements of runtime variables ---- */

static constexpr uint32_t stated_runtimes = 62;

enum : uint32_t {
  LACKS_NOTHING,
  LACKS_SOURCES,
  LACKS_INDEX,
  LACKS_POINTS,
  LACKS_INSTRUCTION,
  HAS_NAME_ALONE,
  INDEX_OF_MORE_DIMS,
  INDEX_OF_MORE_RANGES,
  INDEX_OF_MORE_RUNTIMES,
  INDEX_OF_HIGHEST_RANK,
  INDEX_OF_HIGHER_RANK,
  stated_way_count
};

/* A map whose last variable lacks something, or has too much of it. */
static const Map *stated_map(OracleFixture *bench, uint32_t runtimes, uint32_t way) {
  static const Instruction instruction = {.name = "i"};
  Map *map = map_create(bench->maps, 2, 1, runtimes, 1, 0);
  map->results[0] = expr_const(bench->maps->pool, 0);
  map->sources = ARENA_NEW(bench->arena, RuntimeSource, runtimes + 1);
  for (uint32_t i = 0; i < runtimes; i++) {
    bool is_last = i + 1 == runtimes;
    uint32_t dims = 2 + (is_last && way == INDEX_OF_MORE_DIMS),
             ranges = 1 + (is_last && way == INDEX_OF_MORE_RANGES),
             more = runtimes + (is_last && way == INDEX_OF_MORE_RUNTIMES), rank = 1;
    if (is_last && way == INDEX_OF_HIGHEST_RANK) rank = oracle_max_rank;
    if (is_last && way == INDEX_OF_HIGHER_RANK) rank = oracle_max_rank + 1;
    map->sources[i] = (RuntimeSource){.instruction = &instruction,
        .name = "i",
        .index = map_create(bench->maps, dims, ranges, more, rank, 0)};
    if (is_last && way == LACKS_INDEX) map->sources[i].index = nullptr;
    if (is_last && way == LACKS_POINTS) map->sources[i].index = map_known_empty(bench->maps);
    if (is_last && (way == LACKS_INSTRUCTION || way == HAS_NAME_ALONE))
      map->sources[i].instruction = nullptr;
    if (is_last && way == LACKS_INSTRUCTION) map->sources[i].name = nullptr;
  }
  if (way == LACKS_SOURCES) map->sources = nullptr;
  return map;
}

static bool states_all(uint32_t runtimes, uint32_t way) {
  static const bool ways[stated_way_count] = {
      [LACKS_NOTHING] = true, [HAS_NAME_ALONE] = true, [INDEX_OF_HIGHEST_RANK] = true};
  return runtimes == 0 || (runtimes <= stated_runtimes && ways[way]);
}

static void elements_are_known_if_all_are_stated(void **) {
  static const uint32_t counts[] = {0, 1, 3, stated_runtimes, stated_runtimes + 1};
  for (uint32_t first = 0; first < 5; first++)
    for (uint32_t second = 0; second < 5; second++)
      for (uint32_t way = 0; way < stated_way_count; way++)
        for (uint32_t other = 0; other < stated_way_count; other++) {
          if (way != 0 && other != 0) continue;
          OracleFixture bench = bench_create();
          bool wanted = counts[first] + counts[second] > 0 && states_all(counts[first], way) &&
                        states_all(counts[second], other);
          assert_int_equal(elements_are_stated(stated_map(&bench, counts[first], way),
                               stated_map(&bench, counts[second], other)),
              wanted);
          bench_destroy(&bench);
        }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads_that_are_not_in_the_text_have_a_reason),
      cmocka_unit_test(elements_are_known_if_all_are_stated)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
