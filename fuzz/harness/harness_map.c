/* Checks of one simplified map. The Z3 solver is recreated after a thousand questions, because its
 * memory only grows. */
#include "fuzz/harness/harness_map.h"

#include <string.h>

#include "smt/smt.h"

static constexpr uint64_t most_points = 1 << 16, most_traced_points = 1 << 12,
                          questions_a_solver = 1000, rlimit = 200'000;

const Map *harness_simplified(Harness *harness, const Map *map, const char *body) {
  const Map *result;
  Error error = {};
  if (simplify_map(harness->simplifier, map, &(SimplifyOptions){}, &result, nullptr, &error))
    return result;
  if (error.kind != ERROR_OVERFLOW && error.kind != ERROR_LIMIT)
    harness_fail(FOUND_REJECTED, body, "%s", error.message);
  harness->rejected++;
  return nullptr;
}

bool harness_require_same(Harness *harness, const Map *map, const Map *result, const char *body) {
  Verdict verdict;
  Error error = {};
  if (!oracle_same_map(harness->oracle, map, result, most_points, &verdict, &error))
    harness_fail(FOUND_JUDGE, body, "%s", error.message);
  harness->answers[verdict.status == VERDICT_UNKNOWN ? REASON_TOO_LARGE : REASON_EXACT]++;
  if (verdict.status == VERDICT_REFUTED)
    harness_fail(FOUND_UNSOUND, body, "becomes %s: %s", harness_map_text(harness, result),
        verdict_text(&verdict));
  return verdict.status == VERDICT_PROVED;
}

static Smt *solver(Harness *harness) {
  static Smt *smt;
  static uint64_t queries;
  if (queries++ % questions_a_solver != 0) return smt;
  if (smt != nullptr) smt_destroy(smt);
  return smt = smt_create(harness->context, &(SmtOptions){.rlimit = rlimit});
}

/* A step is a statement about integers of any size (judge/maps/steps.h): where one of its maps
 * leaves int64, the proof decides. */
static void step_prove(
    Harness *harness, const TraceStep *step, const char *body, Verdict *verdict) {
  Error error = {};
  if (!smt_same_map(solver(harness), step->map_before, step->map_after, verdict, &error))
    harness_fail(FOUND_JUDGE, body, "%s", error.message);
  harness->proved += verdict->status == VERDICT_PROVED;
  harness->unproved += verdict->status == VERDICT_UNKNOWN;
}

static void check_step(Harness *harness, const TraceStep *step, const char *body) {
  Verdict verdict;
  Error error = {};
  if (!oracle_same_map(
          harness->oracle, step->map_before, step->map_after, most_traced_points, &verdict, &error))
    harness_fail(FOUND_JUDGE, body, "%s", error.message);
  if (verdict.reason == REASON_LEAVES_INT64) step_prove(harness, step, body, &verdict);
  if (verdict.status == VERDICT_REFUTED)
    harness_fail(FOUND_STEP, body, "%s makes %s of %s: %s",
        step->rule != nullptr ? step->rule->name : step->what,
        harness_map_text(harness, step->map_after), harness_map_text(harness, step->map_before),
        verdict_text(&verdict));
}

void harness_check_trace(Harness *harness, const Map *map, const char *body, const char *text) {
  Trace trace = {.arena = harness->arena};
  const Map *result;
  Error error = {};
  if (!simplify_map(harness->simplifier, map, &(SimplifyOptions){}, &result, &trace, &error)) {
    harness->rejected++;
    return;
  }
  if (strcmp(text, harness_map_text(harness, result)) != 0)
    harness_fail(
        FOUND_TRACE, body, "becomes %s, and traced %s", text, harness_map_text(harness, result));
  for (uint32_t i = 0; i < trace.count; i++)
    if (trace.items[i].map_before != nullptr && trace.items[i].map_after != nullptr)
      check_step(harness, &trace.items[i], body);
}

void harness_prove_same(Harness *harness, const Map *map, const Map *result, const char *body) {
  Verdict verdict;
  Error error = {};
  if (!smt_same_map(solver(harness), map, result, &verdict, &error))
    harness_fail(FOUND_JUDGE, body, "%s", error.message);
  harness->proved += verdict.status == VERDICT_PROVED;
  harness->unproved += verdict.status == VERDICT_UNKNOWN;
  if (verdict.status == VERDICT_REFUTED)
    harness_fail(FOUND_REFUTED, body, "becomes %s: %s", harness_map_text(harness, result),
        verdict_text(&verdict));
}

void harness_require_alike(
    FindingKind kind, const char *body, const char *text, const char *other) {
  if (strcmp(text, other) != 0) harness_fail(kind, body, "becomes %s, and %s", text, other);
}
