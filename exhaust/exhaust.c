/* The examiner, and the judgement of one case, from its number to its tally. Every
 * question of a case is judged, whatever the questions before it found. */
#include "exhaust/exhaust.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "core/base/budget.h"
#include "exhaust/exhaust_case.h"

Examiner *examiner_create(const ScopePlan *plan, const RuleSet *rules, Error *error) {
  return examiner_create_of(plan, rules, nullptr, error);
}

Examiner *examiner_create_of(
    const ScopePlan *plan, const RuleSet *rules, Engine *engine, Error *error) {
  Arena *arena = arena_create();
  Examiner *examiner = ARENA_NEW(arena, Examiner, 1);
  *examiner = (Examiner){.plan = plan,
      .arena = arena,
      .text = text_create(arena),
      .replay = "",
      .known = known_maps_create()};
  bool is_of_two = plan->scope->kind == SCOPE_PAIRS || plan->scope->kind == SCOPE_GRAPHS;
  examiner->judge = judge_create(
      &(JudgeOptions){
          .rules = rules, .effort = is_of_two ? EFFORT_USUAL : EFFORT_SPARING, .engine = engine},
      error);
  if (examiner->judge != nullptr) {
    examiner->judge->exactness = EXACTNESS_NOTED;
    examiner->raw = ARENA_NEW(arena, Judge, 1);
    *examiner->raw = (Judge){.context = examiner->judge->context,
        .simplifier = examiner->judge->simplifier,
        .effort = examiner->judge->effort,
        .oracle = examiner->judge->oracle,
        .smt = examiner->judge->smt};
    examiner->raw->indexer = indexer_create(examiner->judge->context, nullptr, error);
  }
  if (examiner->judge == nullptr || examiner->raw->indexer == nullptr) {
    examiner_destroy(examiner);
    return nullptr;
  }
  return examiner;
}

static constexpr uint64_t sampled_gate = 2, sampled_pairs = 64,
                          sampled_nightly = 100; /* sample sizes: cases per scope */

uint64_t exhaust_usual_stride(const ScopePlan *plan) {
  if (plan->scope->kind == SCOPE_OPERATORS) return 1;
  switch (plan->tier) {
    case TIER_GATE:
      return plan->count / (plan->scope->kind == SCOPE_PAIRS ? sampled_pairs : sampled_gate) + 1;
    case TIER_NIGHTLY: return plan->count / sampled_nightly + 1;
    case TIER_FULL: return 1;
  }
  return 1;
}

void examiner_call_all(Examiner *examiner, uint64_t stride) {
  Error error = {};
  examiner->stride = stride;
  if (stride > 0 && !mlir_library(&examiner->mlir, &error)) examiner->mlir = nullptr;
}

void examiner_want_exact(Examiner *examiner) { examiner->judge->exactness = EXACTNESS_WANTED; }

void examiner_destroy(Examiner *examiner) {
  if (examiner->raw != nullptr && examiner->raw->indexer != nullptr)
    indexer_destroy(examiner->raw->indexer);
  judge_destroy(examiner->judge);
  known_maps_destroy(examiner->known);
  arena_destroy(examiner->arena);
}

/* A module gets the header that a printed module has, so that both texts can be equal. */
static void write_case(Examiner *examiner, uint64_t k) {
  assert(k < examiner->plan->count);
  examiner->number = k;
  examiner->text.length = 0;
  if (scope_is_of_modules(examiner->plan->scope->kind))
    text_string(&examiner->text, "HloModule case\n\n");
  scope_write_case(examiner->plan, k, &examiner->text);
}

static Status name_lost(Examiner *examiner, const KeptCase *kept) {
  ExhaustCount count = strcmp(kept->end, "hung") == 0     ? EXHAUST_hung
                       : strcmp(kept->end, "memory") == 0 ? EXHAUST_grown
                                                          : EXHAUST_crashed;
  write_case(examiner, kept->number);
  examiner->last = (ExhaustTally){.cases = 1, .failed = 1};
  examiner->last.counts[count] = 1;
  exhaust_report_fault(examiner, count,
      count == EXHAUST_hung    ? "past the limit of processor time"
      : count == EXHAUST_grown ? "past the limit of memory"
                               : kept->end);
  return STATUS_REFUTED;
}

Status examiner_explain(Examiner *examiner, const KeptCase *kept) {
  assert(examiner->report != nullptr);
  return kept->end[0] != 0 ? name_lost(examiner, kept)
                           : examiner_judge(examiner, kept->number, &(ExhaustTally){});
}

static Status status_of(const ExhaustTally *tally) {
  Status status = STATUS_PROVED;
  for (uint32_t i = 0; i < exhaust_count_count; i++)
    if (tally->counts[i] > 0) status = status_worse(status, exhaust_count_status((ExhaustCount)i));
  return status;
}

static uint64_t interrupted(const Examiner *examiner) {
  const Engine *engine = examiner->judge->engine;
  return engine == nullptr ? 0 : engine_interrupted(engine);
}

Status examiner_judge(Examiner *examiner, uint64_t k, ExhaustTally *tally) {
  const uint64_t before = interrupted(examiner);
  MapMark judged = map_context_mark(examiner->judge->context);
  bool began = budget_begin(0, nullptr); /* one budget for all questions of the case: reading the
                                            clock for each would cost more than some questions do */
  oracle_use_words(examiner->judge->oracle, examiner->report != nullptr);
  write_case(examiner, k);
  examiner->found_count = 0;
  examiner->has_known = false;
  ArenaMark mark = arena_mark(examiner->arena);
  ExhaustCase run = {.examiner = examiner,
      .tally.cases = 1,
      .source = {.name = exhaust_source_name,
          .text = examiner->text.bytes,
          .length = examiner->text.length,
          .first_line = 1}};
  switch (examiner->plan->scope->kind) {
    case SCOPE_CHAIN:
    case SCOPE_MIXED:
    case SCOPE_EMPTY:
    case SCOPE_WRAPPED: exhaust_graph(&run); break;
    case SCOPE_MAPS:
    case SCOPE_OPERATORS: exhaust_map(&run); break;
    case SCOPE_COMPOSITIONS: exhaust_composition(&run); break;
    case SCOPE_ALGEBRA: exhaust_one_map(&run); break;
    case SCOPE_PAIRS: exhaust_two_maps(&run); break;
    case SCOPE_GRAPHS: exhaust_two_graphs(&run); break;
    case SCOPE_RULES: exhaust_rule(&run); break;
  }
  run.tally.counts[EXHAUST_interrupted] += interrupted(examiner) - before;
  Status status = status_of(&run.tally);
  run.tally.failed = status == STATUS_REFUTED;
  run.tally.open = status == STATUS_UNDECIDED;
  if (status == STATUS_PROVED && examiner->has_known) exhaust_note(&run, EXHAUST_known);
  exhaust_tally_add(tally, &run.tally);
  examiner->last = run.tally;
  budget_end(began);
  indexer_reset(examiner->judge->indexer);
  indexer_reset(examiner->raw->indexer);
  map_context_rewind(examiner->judge->context, judged);
  arena_rewind(examiner->arena, mark);
  return status;
}
