/* Input-to-output maps against the inverse relation of maps proved exact: the right maps, each of
 * them spoiled, too few maps, and maps that no solver decides. */
#include "judge/maps/inverse_proof.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "core/map/text.h"

/* A pad of 100 elements to 140: operand 0 has one map, the padding value two. */
static const char pad[] =
    "ENTRY e {\np = f32[100] parameter(0)\nz = f32[] parameter(1)\nROOT q = f32[140] pad(p, z), padding=20_20\n}\n";

typedef struct InverseProofRow {
  uint32_t operand, count;
  const char *maps[2];
  VerdictReason cover;
} InverseProofRow;

#define LOW "()[s0] -> (s0), domain: s0 in [0, 19]"
#define HIGH "()[s0] -> (s0), domain: s0 in [120, 139]"

static const InverseProofRow rows[] = {
    {0, 1, {"(d0) -> (d0 + 20), domain: d0 in [0, 99]"}, REASON_EXACT},
    {0, 1, {"(d0) -> (d0 + 21), domain: d0 in [0, 99]"}, REASON_WRONG},
    {0, 1, {"(d0) -> (d0 + 20), domain: d0 in [0, 98]"}, REASON_WRONG},
    {0, 1, {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 99], s0 in [20, 21]"}, REASON_OPEN},
    {0, 1, {"UNDEFINED"}, REASON_OPEN},
    {1, 2, {LOW, HIGH}, REASON_EXACT},
    {1, 2, {LOW, LOW}, REASON_OPEN},
    {1, 2, {HIGH, HIGH}, REASON_OPEN},
    {1, 2, {LOW, "()[s0] -> (s0), domain: s0 in [120, 138]"}, REASON_OPEN},
    {1, 2, {LOW, "UNDEFINED"}, REASON_OPEN},
    {1, 1, {LOW}, REASON_OPEN},
    {1, 0, {}, REASON_OPEN},
};

static void only_the_whole_inverse_is_exact(void **) {
  Arena *arena = arena_create();
  Error error = {};
  const Module *module;
  Source source = {.name = "pad", .text = pad, .length = strlen(pad), .first_line = 1};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  assert_true(hlo_read(arena, &source, &module, &error));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const Map *maps[2] = {};
    for (uint32_t k = 0; k < rows[i].count; k++) {
      Source text = {.name = "map",
          .text = rows[i].maps[k],
          .length = strlen(rows[i].maps[k]),
          .first_line = 1};
      assert_true(map_parse(judge->context, &text, &maps[k], &error));
    }
    const Question question = {.instruction = module->entry->root,
        .direction = INPUT_TO_OUTPUT,
        .operand = rows[i].operand};
    const MapSet given = {.maps = maps, .count = rows[i].count, .claim = INDEX_EXACT};
    Verdict verdict = verdict_begin(judge->context->arena);
    judge_inverse(judge, &question, &given, &verdict);
    if (verdict.reason != rows[i].cover)
      fail_msg("row %zu: %s, not %s: %s", i, verdict_reason_name(verdict.reason),
          verdict_reason_name(rows[i].cover), verdict_text(&verdict));
    assert_int_equal(verdict.status, verdict_reason_status(verdict.reason));
  }
  judge_destroy(judge);
  arena_destroy(arena);
}

/* One parameter is both offsets: at most 0 in the first dimension, and at most 4 in the second. */
static const char update[] =
    "ENTRY e {\nx = f32[11,8] parameter(0)\nu = f32[11,4] parameter(1)\nat = s32[] parameter(2)\n"
    "ROOT q = f32[11,8] dynamic-update-slice(x, u, at, at)\n}\n";

typedef struct WidenedOffset {
  uint32_t offset;
  int64_t lo, hi;  /* added to the bounds */
  bool is_clamped; /* also to the clamp */
} WidenedOffset;

/* A value that only the other offset takes, or none, is none of this one. */
static void an_offset_has_no_values_of_another(void **) {
  Arena *arena = arena_create();
  Error error = {};
  const Module *module;
  Source source = {.name = "update", .text = update, .length = strlen(update), .first_line = 1};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  assert_true(hlo_read(arena, &source, &module, &error));
  const Question question = {
      .instruction = module->entry->root, .direction = INPUT_TO_OUTPUT, .operand = 1};
  MapSet own;
  assert_true(judge_query_own(judge, &question, &own, &error));
  assert_int_equal(own.count, 1);
  assert_int_equal(own.maps[0]->runtime_count, 2);
  static const WidenedOffset offsets[] = {{0, 0, 0, false}, {0, 0, 1, false}, {1, 0, 1, false},
      {0, -1, 0, false}, {1, -1, 0, false}, {0, 0, 1, true}, {0, -1, 0, true}};
  for (uint32_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
    const WidenedOffset *row = &offsets[i];
    Map *map = map_copy(judge->context->arena, own.maps[0]);
    Interval *bounds = &map->runtimes[row->offset].bounds;
    *bounds = (Interval){bounds->lo + row->lo, bounds->hi + row->hi};
    if (row->is_clamped) map->sources[row->offset].clamp = *bounds;
    const Map *maps[] = {map};
    const MapSet given = {.maps = maps, .count = 1, .claim = INDEX_EXACT};
    Verdict verdict = verdict_begin(judge->context->arena);
    judge_inverse(judge, &question, &given, &verdict);
    assert_int_equal(verdict.reason, i > 0 ? REASON_OPEN : REASON_EXACT);
  }
  judge_destroy(judge);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(only_the_whole_inverse_is_exact),
      cmocka_unit_test(an_offset_has_no_values_of_another)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
