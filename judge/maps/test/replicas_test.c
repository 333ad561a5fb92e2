/* The engine's maps across devices against the oracle's enumeration of all devices: every
 * collective, mode and kind of group, in both directions. A map of a wrong device must be
 * refuted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "judge/maps/devices.h"
#include "oracle/semantics/replica.h"

#define ADDED ", to_apply=add"
#define P "p = f32[4,2] parameter(0)\n"
#define Q "q = f32[4,2] parameter(1)\n"
#define EIGHT "{{0,1,2,3},{4,5,6,7}}"

typedef struct ReplicasRunCase {
  const char *lines;
  IndexMesh world;
} ReplicasRunCase;

static const ReplicasRunCase runs[] = {
    {P "ROOT r = f32[4,2] all-reduce(p)" ADDED, {3, 2}},
    {P "ROOT r = f32[4,2] all-reduce(p), replica_groups={}, channel_id=1" ADDED, {2, 3}},
    {P "ROOT r = f32[4,2] all-reduce(p), replica_groups={{0,2},{1,3}}" ADDED, {4, 2}},
    {P "ROOT r = f32[4,2] all-reduce(p), replica_groups={{0,5,1},{2},{4,3}}" ADDED, {7, 1}},
    {P "ROOT r = f32[4,2] all-reduce(p), replica_groups={{2,0},{1}}, channel_id=1" ADDED, {3, 2}},
    {P "ROOT r = f32[4,2] all-reduce(p), replica_groups={{0,3},{1,2}}, channel_id=1, use_global_device_ids=true" ADDED,
        {2, 2}},
    {P "ROOT r = f32[4,2] all-reduce(p), replica_groups=[2,4]<=[8], channel_id=1, use_global_device_ids=true" ADDED,
        {4, 2}},
    {P "ROOT r = f32[4,2] all-reduce(p), replica_groups=[4,2]<=[2,4]T(1,0), channel_id=1, use_global_device_ids=true" ADDED,
        {2, 4}},
    {P "ROOT r = f32[4,2] all-reduce(p), replica_groups=[4,2]<=[2,2,2]T(0,2,1), channel_id=1, use_global_device_ids=true" ADDED,
        {8, 1}},
    {P Q "ROOT r = (f32[4,2], f32[4,2]) all-reduce(p, q), replica_groups={{0,1}}" ADDED, {2, 1}},
    {P "ROOT r = f32[4,2] all-reduce-start(p), replica_groups={{1,0}}" ADDED, {2, 1}},
    {P "ROOT r = f32[8,2] all-gather(p), replica_groups={{1,0}}, dimensions={0}", {2, 1}},
    {P "ROOT r = f32[4,6] all-gather(p), replica_groups={{5,0,1},{2,3,4}}, dimensions={1}", {6, 1}},
    {P "ROOT r = f32[16,2] all-gather(p), replica_groups={{1,0},{2,3}}, dimensions={0}, channel_id=2",
        {4, 2}},
    {P "ROOT r = f32[8,2] all-gather(p), replica_groups={{3,0},{1,2}}, dimensions={0}, channel_id=2, use_global_device_ids=true",
        {2, 2}},
    {P "ROOT r = f32[16,2] all-gather(p), replica_groups=" EIGHT
       ", dimensions={0}, channel_id=2, use_global_device_ids=true",
        {2, 4}},
    {P "ROOT r = f32[4,8] all-gather(p), dimensions={1}, channel_id=2", {2, 2}},
    {P "ROOT r = (f32[4,2], f32[8,2]) all-gather-start(p), replica_groups={{1,0}}, dimensions={0}",
        {2, 1}},
    {P Q
        "ROOT r = (f32[8,2], f32[8,2]) all-gather(p, q), replica_groups={{0,2},{1,3}}, dimensions={0}",
        {4, 1}},
    {P "ROOT r = f32[2,2] reduce-scatter(p), replica_groups={{1,0},{2,3}}, dimensions={0}" ADDED,
        {4, 1}},
    {P "ROOT r = f32[1,2] reduce-scatter(p), replica_groups={{3,0,1,2}}, dimensions={0}" ADDED,
        {5, 1}},
    {P "ROOT r = f32[1,2] reduce-scatter(p), replica_groups={{1,0}}, dimensions={0}, channel_id=1" ADDED,
        {2, 2}},
    {P "ROOT r = f32[2,2] reduce-scatter(p), replica_groups={{0,3},{2,1}}, dimensions={0}, channel_id=1, use_global_device_ids=true" ADDED,
        {2, 2}},
    {P "ROOT r = f32[4,2] all-to-all(p), replica_groups={{0,1},{3,2}}, dimensions={0}", {4, 1}},
    {P "ROOT r = f32[4,2] all-to-all(p), replica_groups={{0,1,3,2}}, dimensions={0}", {5, 2}},
    {P "ROOT r = f32[4,2] all-to-all(p), dimensions={1}, channel_id=1, replica_groups={{1,0}}",
        {2, 2}},
    {P Q "ROOT r = (f32[4,2], f32[4,2]) all-to-all(p, q), replica_groups={{3,1},{0,2}}", {4, 1}},
    {P Q "ROOT r = (f32[4,2], f32[4,2]) all-to-all(p, q), replica_groups={{1,0}}, channel_id=4",
        {2, 4}},
    {P "ROOT r = f32[4,2] collective-permute(p), source_target_pairs={{0,1},{1,2},{2,3},{3,0}}",
        {4, 1}},
    {P "ROOT r = f32[4,2] collective-permute(p), source_target_pairs={{0,4},{4,1},{2,5}}", {6, 2}},
    {P "ROOT r = f32[4,2] collective-permute(p), channel_id=1, source_target_pairs={{0,2},{1,1},{2,0}}",
        {2, 3}},
    {P "ROOT r = (f32[4,2], f32[4,2]) collective-permute-start(p), source_target_pairs={{0,1},{1,0}}",
        {2, 1}},
    {P "ROOT r = f32[4,2] collective-broadcast(p), replica_groups={{2,0},{1,3}}", {5, 1}},
    {P "ROOT r = f32[4,2] collective-broadcast(p), replica_groups={{0,1},{2,3}}, channel_id=1",
        {2, 4}},
    {"p = f32[1] parameter(0)\nROOT r = f32[20] all-gather(p), dimensions={0}, "
     "replica_groups={{7,3,19,0,12,5,1,18,2,14,9,4,17,6,11,8,16,10,15,13}}",
        {20, 1}},
    {"p = f32[20] parameter(0)\nROOT r = f32[20] all-reduce(p), replica_groups={{7,3,19,0,12,5,1,18,2,14,9,4,17,6,11,8,16,10,15,13}}" ADDED,
        {20, 1}},
};

typedef struct ReplicasFixture {
  Arena *arena;
  Judge *judge;
  const Instruction *root;
} ReplicasFixture;

static ReplicasFixture bench_open(const char *lines) {
  ReplicasFixture bench = {.arena = arena_create()};
  Error error = {};
  Source *source = ARENA_NEW(bench.arena, Source, 1);
  const Module *module = nullptr;
  const char *text = arena_printf(bench.arena,
      "HloModule m\nadd {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\nENTRY e {\n%s\n}\n",
      lines);
  *source = (Source){.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  bench.judge = judge_create(nullptr, &error);
  if (bench.judge == nullptr || !hlo_read(bench.arena, source, &module, &error))
    fail_msg("%s\n%s", lines, error.message);
  bench.root = module->entry->root;
  return bench;
}

static void bench_close(ReplicasFixture *bench) {
  judge_destroy(bench->judge);
  arena_destroy(bench->arena);
}

static Verdict judge_one(const ReplicasFixture *bench, IndexMesh world, bool forward,
    uint32_t output, uint32_t operand, const MapSet *maps) {
  ReplicaWorld of_oracle = {world.replicas, world.partitions};
  Verdict verdict;
  Error error = {};
  bool done = forward ? replica_input_to_output(bench->judge->oracle, bench->root, of_oracle,
                            operand, 0, output, maps->count, maps->maps, &verdict, &error)
                      : replica_output_to_input(bench->judge->oracle, bench->root, of_oracle,
                            output, operand, 0, maps->count, maps->maps, &verdict, &error);
  if (!done) fail_msg("%s", error.message);
  return verdict;
}

static MapSet maps_of(const ReplicasFixture *bench, IndexMesh world, bool forward, uint32_t output,
    uint32_t operand) {
  MapSet maps;
  Error error = {};
  bool done = forward ? index_replicas_input_to_output(bench->judge->indexer, bench->root, world,
                            operand, 0, output, &maps, &error)
                      : index_replicas_output_to_input(bench->judge->indexer, bench->root, world,
                            output, operand, 0, &maps, &error);
  if (!done) fail_msg("%s", error.message);
  return maps;
}

static void fail_with(const ReplicasFixture *bench, const ReplicasRunCase *run, const MapSet *maps,
    const char *words) {
  Text text = text_create(bench->arena);
  for (uint32_t i = 0; i < maps->count; i++) {
    map_print(&text, bench->judge->context, maps->maps[i], MAP_STYLE_LINE);
    text_string(&text, "\n");
  }
  fail_msg("%s\n%s\n%s", run->lines, words, text.bytes == nullptr ? "no maps" : text.bytes);
}

/* A union that became too large is an over-approximation; every other answer is exact. */
static void judge_pair(const ReplicasFixture *bench, const ReplicasRunCase *run, bool forward,
    uint32_t output, uint32_t operand) {
  MapSet maps = maps_of(bench, run->world, forward, output, operand);
  bool is_large = run->world.replicas == 20 && maps.claim == INDEX_OVER_APPROXIMATION;
  if (maps.claim != INDEX_EXACT && !is_large) fail_with(bench, run, &maps, maps.reason);
  Verdict verdict = judge_one(bench, run->world, forward, output, operand, &maps);
  if (verdict.reason != (is_large ? REASON_EXTRA : REASON_EXACT))
    fail_with(bench, run, &maps, verdict_text(&verdict));
}

static void maps_across_devices_are_the_read_sets(void **) {
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    ReplicasFixture bench = bench_open(runs[i].lines);
    for (uint32_t output = 0; output < shape_leaf_count(bench.root->shape); output++)
      for (uint32_t operand = 0; operand < bench.root->operand_count; operand++) {
        judge_pair(&bench, &runs[i], false, output, operand);
        judge_pair(&bench, &runs[i], true, output, operand);
      }
    bench_close(&bench);
  }
}

/* Device x is paired with x^3 modulo a prime, which has no runs: the union is too large, and
 * contains the reads of every device. */
static const char *cubes(Arena *arena, int64_t prime, bool in_pairs) {
  Text text = text_create(arena);
  for (int64_t x = 0; x < prime; x++) {
    text_string(&text, x == 0 ? "" : in_pairs ? "},{" : ",");
    if (in_pairs) text_printf(&text, "%lld,", (long long)x);
    text_printf(&text, "%lld", (long long)(x * x * x % prime));
  }
  return text.bytes;
}

static void unions_that_are_too_large_leave_no_device_out(void **) {
  static const struct {
    const char *lines;
    int64_t prime; /* 2 modulo 3, so that cubes are distinct */
    bool in_pairs;
  } rows[] = {
      {"p = f32[1] parameter(0)\nROOT r = f32[1] collective-permute(p), source_target_pairs={{%s}}",
          401, true},
      {"p = f32[1] parameter(0)\n"
       "ROOT r = f32[401] all-gather(p), dimensions={0}, replica_groups={{%s}}",
          401, false},
      {"p = f32[47] parameter(0)\n"
       "ROOT r = f32[47] all-to-all(p), dimensions={0}, replica_groups={{%s}}",
          47, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    Text lines = text_create(arena);
    const char *list = strstr(rows[i].lines, "%s");
    text_append(&lines, rows[i].lines, (size_t)(list - rows[i].lines));
    text_string(&lines, cubes(arena, rows[i].prime, rows[i].in_pairs));
    text_string(&lines, list + 2);
    const ReplicasRunCase run = {lines.bytes, {rows[i].prime, 1}};
    ReplicasFixture bench = bench_open(run.lines);
    for (int forward = 0; forward < 2; forward++) {
      MapSet maps = maps_of(&bench, run.world, forward, 0, 0);
      Verdict verdict = judge_one(&bench, run.world, forward, 0, 0, &maps);
      if (maps.claim != INDEX_OVER_APPROXIMATION || verdict.reason != REASON_EXTRA)
        fail_with(&bench, &run, &maps, verdict_text(&verdict));
    }
    bench_close(&bench);
    arena_destroy(arena);
  }
}

/* Without devices, the elements that any device reads are exact too. */
static void local_maps_are_the_read_sets(void **) {
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    ReplicasFixture bench = bench_open(runs[i].lines);
    QuestionList questions = {};
    questions_add(bench.arena, bench.root, &question_filter_all, &questions);
    for (uint32_t k = 0; k < questions.count; k++) {
      Judgement *judgement = ARENA_NEW(bench.arena, Judgement, 1);
      judge_question(bench.judge, &questions.items[k], judgement);
      if (judgement->answer != REASON_EXACT)
        fail_msg(
            "%s\n%s: %s", runs[i].lines, judge_answer_text(judgement->answer), judgement->reason);
      if (judgement->maps.claim != INDEX_EXACT)
        fail_msg("%s\n%s", runs[i].lines, judgement->maps.reason);
    }
    bench_close(&bench);
  }
}

/* A map for groups in ascending order is wrong if the order matters. */
static void another_device_is_refuted(void **) {
  IndexMesh world = {2, 1};
  ReplicasFixture right =
      bench_open(P "ROOT r = f32[8,2] all-gather(p), replica_groups={{0,1}}, dimensions={0}");
  ReplicasFixture other =
      bench_open(P "ROOT r = f32[8,2] all-gather(p), replica_groups={{1,0}}, dimensions={0}");
  for (int forward = 0; forward < 2; forward++) {
    MapSet maps = maps_of(&right, world, forward, 0, 0);
    ReplicasFixture mixed = right;
    assert_int_equal(judge_one(&right, world, forward, 0, 0, &maps).reason, REASON_EXACT);
    mixed.root = other.root;
    assert_int_equal(judge_one(&mixed, world, forward, 0, 0, &maps).reason, REASON_WRONG);
  }
  bench_close(&other);
  bench_close(&right);
}

static void what_does_not_fit_is_undefined(void **) {
  static const ReplicasRunCase bad[] = {
      {P "ROOT r = f32[4,2] all-reduce(p), replica_groups={{0,1}}" ADDED, {1, 1}},
      {P "ROOT r = f32[4,2] all-reduce(p), use_global_device_ids=true, replica_groups={{0,1}}" ADDED,
          {2, 1}},
      {P "ROOT r = f32[8,2] all-gather(p), dimensions={0}", {3, 1}},
      {P "ROOT r = f32[4,2] negate(p)", {3, 1}},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ReplicasFixture bench = bench_open(bad[i].lines);
    MapSet maps = maps_of(&bench, bad[i].world, false, 0, 0);
    assert_int_equal(maps.claim, INDEX_UNDEFINED);
    assert_int_equal(maps.count, 0);
    assert_non_null(maps.reason);
    bench_close(&bench);
  }
}

static void what_counts_as_wrong(void **) {
  static const struct {
    VerdictReason answer;
    IndexClaim claim;
    bool is_wrong;
  } rows[] = {
      {REASON_EXACT, INDEX_EXACT, false},
      {REASON_WRONG, INDEX_EXACT, true},
      {REASON_WRONG, INDEX_OVER_APPROXIMATION, true},
      {REASON_EXTRA, INDEX_EXACT, true},
      {REASON_EXTRA, INDEX_OVER_APPROXIMATION, false},
      {REASON_TOO_LARGE, INDEX_EXACT, false},
      {REASON_NO_MAPS, INDEX_EXACT, true},
      {REASON_NOT_ASKED, INDEX_EXACT, false},
      {REASON_UNDEFINED, INDEX_EXACT, false},
      {REASON_REJECTED, INDEX_EXACT, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const DevicesJudgement judgement = {
        .maps = {.claim = rows[i].claim}, .verdict = {.reason = rows[i].answer}};
    if (devices_are_wrong(&judgement) != rows[i].is_wrong) fail_msg("row %zu", i);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_across_devices_are_the_read_sets),
      cmocka_unit_test(unions_that_are_too_large_leave_no_device_out),
      cmocka_unit_test(local_maps_are_the_read_sets),
      cmocka_unit_test(another_device_is_refuted),
      cmocka_unit_test(what_does_not_fit_is_undefined),
      cmocka_unit_test(what_counts_as_wrong),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
