/* Slices at offsets that random arithmetic computes from one byte, by both judges. The maps state
 * the position for each run of values of the byte: they are exact, lack a read if a run has another
 * position or no map, and have a pair too many if a run has two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "judge/maps/judge.h"
#include "oracle/equivalence/test/offset_steps.h"

static constexpr int64_t computed_size = 12;
static constexpr uint32_t most_runs = 24;

/* Values of the byte with one position. */
typedef struct ComputedRun {
  Interval bytes;
  int64_t position;
} ComputedRun;

static Interval byte_range(const CaseSteps *made) {
  return made->is_signed ? (Interval){-128, 127} : (Interval){0, 255};
}

/* 0 if there are too many. */
static uint32_t computed_runs(const CaseSteps *made, ComputedRun runs[most_runs]) {
  Interval range = byte_range(made);
  uint32_t count = 0;
  for (int64_t byte = range.lo; byte <= range.hi; byte++) {
    int32_t values[most_case_steps];
    for (uint32_t i = 0; i < made->count; i++)
      values[i] = step_result(made, i, values, (int32_t)byte, 0);
    int64_t position = step_clamped(0, values[made->count - 1], (int32_t)computed_size - 1);
    if (count > 0 && runs[count - 1].position == position) runs[count - 1].bytes.hi = byte;
    else if (count == most_runs - 1) return 0;
    else runs[count++] = (ComputedRun){.bytes = {byte, byte}, .position = position};
  }
  return count;
}

static const Module *computed_module(Arena *arena, const CaseSteps *made) {
  Text text = text_create(arena);
  text_printf(&text,
      "HloModule m\nENTRY e {\np = f32[%d] parameter(0)\nw = s32[] parameter(1)\n"
      "q = %s[] parameter(2)\n",
      (int)computed_size, made->is_signed ? "s8" : "u8");
  for (uint32_t i = 0; i < made->count; i++) print_step_text(&text, made, i);
  text_printf(&text, "ROOT d = f32[1] dynamic-slice(p, v%u), dynamic_slice_sizes={1}\n}\n",
      made->count - 1);
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text.bytes, .length = text.length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text.bytes, error.message);
  return module;
}

static const Map *map_of_run(
    MapContext *context, const Module *module, Interval range, const ComputedRun *run) {
  Map *map = map_create(context, 1, 0, 1, 1, 0), *index = map_create(context, 1, 0, 1, 0, 0);
  map->dims[0].bounds = index->dims[0].bounds = (Interval){0, 0};
  map->runtimes[0].bounds = index->runtimes[0].bounds = run->bytes;
  map->results[0] = expr_const(context->pool, run->position);
  map->sources = ARENA_NEW(context->arena, RuntimeSource, 1);
  map->sources[0] = (RuntimeSource){
      .name = "q", .instruction = module->entry->parameters[2], .index = index, .clamp = range};
  return map;
}

typedef struct ComputedCounts {
  uint32_t decided, open, by_smt, open_by_smt;
} ComputedCounts;

static void check_reason(const char *who, const Verdict *verdict, VerdictReason reason,
    Judge *judge, const Module *module, const Map *spoiled, uint32_t *open) {
  bool is_open = verdict->status == VERDICT_UNKNOWN || verdict->scope == SCOPE_SAMPLE;
  *open += is_open;
  if (is_open ? verdict->status != VERDICT_REFUTED || verdict->reason == reason
              : verdict->reason == reason)
    return;
  Text text = text_create(judge->context->arena);
  map_print(&text, judge->context, spoiled, MAP_STYLE_LINE);
  fail_msg("%s, expected %s: %s\n%s\n%s", who,
      reason == REASON_WRONG   ? "wrong"
      : reason == REASON_EXTRA ? "extra"
                               : "exact",
      verdict_text(verdict), text.bytes, module->entry->root->operands[1]->name);
}

/* Change 0: none; 1: another position; 2: a run without a map; 3: a run with two. */
static void check_runs(Judge *judge, const Module *module, Interval range, uint32_t count,
    ComputedRun *runs, uint32_t change, bool with_smt, ComputedCounts *counts) {
  static const VerdictReason reasons[] = {REASON_EXACT, REASON_WRONG, REASON_WRONG, REASON_EXTRA};
  const Map *maps[most_runs];
  uint32_t at = case_below(count), last = count - 1;
  ComputedRun changed[most_runs];
  memcpy(changed, runs, count * sizeof *runs);
  int64_t other = (runs[at].position + 1 + case_below((uint32_t)computed_size - 1)) % computed_size;
  if (change == 1) changed[at].position = other;
  if (change == 2 && count > 1) changed[at] = changed[last], count--;
  else if (change == 2) changed[at].bytes.hi--;
  if (change == 3) changed[count++] = (ComputedRun){.bytes = runs[at].bytes, .position = other};
  for (uint32_t i = 0; i < count; i++)
    maps[i] = map_of_run(judge->context, module, range, &changed[i]);
  Verdict verdict;
  Error error = {};
  assert_true(oracle_output_to_input(
      judge->oracle, module->entry->root, 0, 0, 0, count, maps, &verdict, &error));
  counts->decided++;
  check_reason("oracle", &verdict, reasons[change], judge, module, maps[at % count], &counts->open);
  if (!with_smt) return;
  assert_true(
      smt_output_to_input(judge->smt, module->entry->root, 0, 0, 0, count, maps, &verdict, &error));
  counts->by_smt++;
  check_reason(
      "smt", &verdict, reasons[change], judge, module, maps[at % count], &counts->open_by_smt);
}

static void slices_at_computed_offsets_are_judged_for_each_byte(void **) {
  static constexpr uint32_t smt_step = 12;
  const uint32_t rounds = test_length(300, 300, 100);
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  assert_non_null(judge);
  ComputedCounts counts = {};
  for (uint32_t round = 0; round < rounds; round++) {
    MapMark mark = map_context_mark(judge->context);
    Arena *arena = arena_create();
    ComputedRun runs[most_runs];
    CaseSteps made = draw_steps(false);
    uint32_t count = computed_runs(&made, runs);
    const Module *module = computed_module(arena, &made);
    for (uint32_t change = 0; count > 0 && change < 4; change++)
      check_runs(
          judge, module, byte_range(&made), count, runs, change, round % smt_step == 0, &counts);
    arena_destroy(arena);
    map_context_rewind(judge->context, mark);
  }
  assert_true(counts.decided > rounds && counts.open * 20 < counts.decided);
  assert_true(counts.by_smt > rounds / 15 && counts.open_by_smt * 4 < counts.by_smt);
  judge_destroy(judge);
}

/* ---- values ---- */

static const Computation *computed_entry(Arena *arena, const char *text) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text, error.message);
  return module->entry;
}

/* Two arrays that differ at a position which some value of the offset leads to are not proved the
 * same. */
static void reached_positions_are_not_proved_the_same(void **) {
  const uint32_t rounds = test_length(120, 120, 40);
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.without_oracle = true}, &error);
  assert_non_null(judge);
  uint32_t proved = 0, reached = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    MapMark mark = map_context_mark(judge->context);
    Arena *arena = arena_create();
    CaseSteps made = draw_steps(true);
    uint32_t positions = reached_positions(&made), position = case_below(table_size);
    bool is_reached = (positions >> position & 1) != 0;
    const char *after = steps_text(arena, &made, position);
    SmtValues *values =
        smt_values_create(judge->smt, computed_entry(arena, steps_text(arena, &made, table_size)),
            computed_entry(arena, after), LAW_NONE);
    Verdict verdict;
    assert_true(smt_values_query(values, 0, &verdict, &error));
    if (is_reached && verdict.status == VERDICT_PROVED)
      fail_msg("proved, but position %u is reached\n%s", position, after);
    proved += verdict.status == VERDICT_PROVED;
    reached += is_reached;
    smt_values_destroy(values);
    arena_destroy(arena);
    map_context_rewind(judge->context, mark);
  }
  assert_true(proved > rounds / 4 && reached > rounds / 10);
  judge_destroy(judge);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slices_at_computed_offsets_are_judged_for_each_byte),
      cmocka_unit_test(reached_positions_are_not_proved_the_same),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
