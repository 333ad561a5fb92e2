/* Judges an evenly spread sample of each scope of the gate in this process and prints the processor
 * time of a case. Four parts are measured alone: writing the case, reading it as HLO, and the
 * engine's simplified and raw maps of all questions. The rest is the oracle, printing and reading
 * back. A scope of single operations below the limit is printed with its bound: the rate of these
 * four parts, as if all judging were free. */
#include "bench/exhaust_scopes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/hlo/read/read.h"
#include "exhaust/exhaust.h"

static constexpr uint64_t sample = 4000;
static constexpr double least_rate = 20'000; /* of single operations, a second */

typedef struct Stages {
  uint64_t cases, questions;
  double writing, reading, engine, raw, all;
} Stages;

static uint64_t case_at(const ScopePlan *plan, uint64_t cases, uint64_t i) {
  return (uint64_t)((double)i * ((double)plan->count / (double)cases));
}

/* Seconds that the engine of `judge`, simplifying or raw, takes for all questions. */
static double query_engine(Judge *judge, const QuestionList *questions) {
  double start = clock_processor();
  MapMark mark = map_context_mark(judge->context);
  for (uint32_t i = 0; i < questions->count; i++) {
    MapSet maps;
    Error error = {};
    (void)judge_query_engine(judge, &questions->items[i], &maps, &error);
  }
  double time = clock_processor() - start;
  indexer_reset(judge->indexer);
  map_context_rewind(judge->context, mark);
  return time;
}

static void measure_case(
    const ScopePlan *plan, uint64_t k, Judge *judge, Judge *raw, Arena *arena, Stages *stages) {
  ArenaMark mark = arena_mark(arena);
  Text text = text_create(arena);
  double start = clock_processor();
  scope_write_case(plan, k, &text);
  double written = clock_processor();
  Source source = {.name = "case", .text = text.bytes, .length = text.length, .first_line = 1};
  const Module *module;
  Error error = {};
  bool is_read =
      scope_is_of_modules(plan->scope->kind) && hlo_read(arena, &source, &module, &error);
  double read = clock_processor();
  stages->writing += written - start;
  stages->reading += read - written;
  QuestionList questions = {};
  if (is_read) questions_add(arena, module->entry->root, &question_filter_all, &questions);
  stages->questions += questions.count;
  stages->engine += query_engine(judge, &questions);
  stages->raw += query_engine(raw, &questions);
  arena_rewind(arena, mark);
}

static bool exhaust_scopes_measure(const ScopePlan *plan, Stages *stages) {
  Error error = {};
  Examiner *examiner = examiner_create(plan, nullptr, &error);
  Judge *judge = judge_create(&(JudgeOptions){.without_smt = true}, &error),
        *raw = judge_create(&(JudgeOptions){.without_smt = true, .raw = true}, &error);
  if (examiner == nullptr || judge == nullptr || raw == nullptr) return false;
  Arena *arena = arena_create();
  ExhaustTally tally = {};
  stages->cases = plan->count < sample ? plan->count : sample;
  double start = clock_processor();
  for (uint64_t i = 0; i < stages->cases; i++)
    (void)examiner_judge(examiner, case_at(plan, stages->cases, i), &tally);
  stages->all = clock_processor() - start;
  for (uint64_t i = 0; i < stages->cases; i++)
    measure_case(plan, case_at(plan, stages->cases, i), judge, raw, arena, stages);
  arena_destroy(arena);
  judge_destroy(judge);
  judge_destroy(raw);
  examiner_destroy(examiner);
  return tally.failed + tally.open == 0;
}

static void exhaust_scopes_print(const ScopePlan *plan, const Stages *stages) {
  double cases = (double)stages->cases, rate = cases / stages->all;
  double bound = stages->writing + stages->reading + stages->engine + stages->raw;
  bool is_slow = plan->scope->kind == SCOPE_CHAIN && plan->scope->length == 1 && rate < least_rate;
  printf(
      "%-24s %8.0f a second%s %8.1f us a case: write %4.1f, read %4.1f, engine %5.1f, raw %5.1f, rest %6.1f; %4.1f questions",
      plan->scope->name, rate, is_slow ? " *" : "  ", stages->all / cases * 1e6,
      stages->writing / cases * 1e6, stages->reading / cases * 1e6, stages->engine / cases * 1e6,
      stages->raw / cases * 1e6, (stages->all - bound) / cases * 1e6,
      (double)stages->questions / cases);
  if (is_slow) printf("; bound %.0f", cases / bound);
  printf("\n");
}

static bool exhaust_scopes_wants(const char *name, int count, char **names) {
  bool is_wanted = count == 0;
  for (int i = 0; i < count; i++) is_wanted |= strcmp(name, names[i]) == 0;
  return is_wanted;
}

int bench_scopes(int count, char **names) {
  int status = 0;
  uint64_t cases = 0;
  double time = 0;
  for (uint32_t i = 0; i < scope_count; i++) {
    if (!exhaust_scopes_wants(scopes[i].name, count, names)) continue;
    ScopePlan *plan = scope_plan_create(&scopes[i], TIER_GATE);
    Stages stages = {};
    if (plan->count > 0 && !exhaust_scopes_measure(plan, &stages)) status = 1;
    if (plan->count > 0) exhaust_scopes_print(plan, &stages);
    if (plan->count > 0 && plan->scope->kind == SCOPE_CHAIN && plan->scope->length == 1) {
      cases += plan->count;
      time += stages.all * ((double)plan->count / (double)stages.cases);
    }
    scope_plan_destroy(plan);
  }
  printf("single operations of the gate: %" PRIu64
         " cases, %.0f a second of one core (limit %.0f); * is below it\n",
      cases, (double)cases / time, least_rate);
  return status == 0 && (double)cases / time < least_rate ? 1 : status;
}
