/* A sample of each scope of the gate, evenly spread, judged in this process: processor time a case, and of it what writing the case, reading it as HLO and
 * the engine's simplified maps of all questions take alone. What is left is the oracle, the raw maps, printing and reading back. */
#include "bench/exhaust_scopes.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "core/hlo/read.h"
#include "judge/exhaust.h"

static constexpr uint64_t sample = 4000;
static constexpr double least_rate = 20'000; /* of single operations, a second */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

typedef struct Stages {
  uint64_t cases, questions;
  double writing, reading, engine, all;
} Stages;

static uint64_t case_at(const ScopePlan *plan, uint64_t cases, uint64_t i) { return (uint64_t)((double)i * ((double)plan->count / (double)cases)); }

static void ask_engine(Judge *judge, Arena *arena, const Module *module, Stages *stages) {
  QuestionList questions = {};
  questions_add(arena, module->entry->root, &question_filter_all, &questions);
  stages->questions += questions.count;
  for (uint32_t i = 0; i < questions.count; i++) {
    MapSet maps;
    Error error = {};
    (void)judge_ask_engine(judge, &questions.items[i], &maps, &error);
  }
}

static void measure_case(const ScopePlan *plan, uint64_t k, Judge *judge, Arena *arena, Stages *stages) {
  ArenaMark mark = arena_mark(arena);
  MapMark maps = map_context_mark(judge->context);
  Text text = text_create(arena);
  double start = seconds();
  scope_write_case(plan, k, &text);
  double written = seconds();
  Source source = {.name = "case", .text = text.bytes, .length = text.length, .first_line = 1};
  const Module *module;
  Error error = {};
  bool is_read = !scope_is_of_maps(plan->scope->kind) && hlo_read(arena, &source, &module, &error);
  double read = seconds();
  if (is_read) ask_engine(judge, arena, module, stages);
  double asked = seconds();
  stages->writing += written - start;
  stages->reading += read - written;
  stages->engine += asked - read;
  indexer_reset(judge->indexer);
  map_context_rewind(judge->context, maps);
  arena_rewind(arena, mark);
}

static bool measure(const ScopePlan *plan, Stages *stages) {
  Error error = {};
  Examiner *examiner = examiner_create(plan, nullptr, &error);
  Judge *judge = judge_create(&(JudgeOptions){.without_smt = true}, &error);
  if (examiner == nullptr || judge == nullptr) return false;
  Arena *arena = arena_create();
  ExhaustTally tally = {};
  stages->cases = plan->count < sample ? plan->count : sample;
  double start = seconds();
  for (uint64_t i = 0; i < stages->cases; i++) (void)examiner_judge(examiner, case_at(plan, stages->cases, i), &tally);
  stages->all = seconds() - start;
  for (uint64_t i = 0; i < stages->cases; i++) measure_case(plan, case_at(plan, stages->cases, i), judge, arena, stages);
  arena_destroy(arena);
  judge_destroy(judge);
  examiner_destroy(examiner);
  return tally.failed + tally.open == 0;
}

static void print(const ScopePlan *plan, const Stages *stages) {
  double cases = (double)stages->cases, rate = cases / stages->all;
  double known = stages->writing + stages->reading + stages->engine;
  bool is_slow = plan->scope->kind == SCOPE_CHAIN && plan->scope->length == 1 && rate < least_rate;
  printf("%-24s %8.0f a second%s %8.1f us a case: write %4.1f, read %4.1f, engine %5.1f, rest %6.1f; %4.1f questions\n", plan->scope->name, rate,
         is_slow ? " *" : "  ", stages->all / cases * 1e6, stages->writing / cases * 1e6, stages->reading / cases * 1e6, stages->engine / cases * 1e6,
         (stages->all - known) / cases * 1e6, (double)stages->questions / cases);
}

int bench_scopes(void) {
  int status = 0;
  uint64_t cases = 0;
  double time = 0;
  for (uint32_t i = 0; i < scope_count; i++) {
    ScopePlan *plan = scope_plan_create(&scopes[i], TIER_GATE);
    Stages stages = {};
    if (plan->count > 0 && !measure(plan, &stages)) status = 1;
    if (plan->count > 0) print(plan, &stages);
    if (plan->count > 0 && plan->scope->kind == SCOPE_CHAIN && plan->scope->length == 1) {
      cases += plan->count;
      time += stages.all * ((double)plan->count / (double)stages.cases);
    }
    scope_plan_destroy(plan);
  }
  printf("single operations of the gate: %" PRIu64 " cases, %.0f a second of one core (limit %.0f); * is below it\n", cases, (double)cases / time, least_rate);
  return status == 0 && (double)cases / time < least_rate ? 1 : status;
}
