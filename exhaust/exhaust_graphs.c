/* Judges pairs of graphs by the judges of values. The two judges must not contradict each other.
 * Graphs that either judge calls the same must have equal values under three assignments of
 * distinct integers (scopes/graph_forms.h), and graphs that are called different must not. */
#include <assert.h>

#include "core/hlo/read/read.h"
#include "exhaust/exhaust_case.h"
#include "exhaust/scopes/scope_graphs.h"
#include "judge/graphs/equiv_open.h"

/* Finds the first element whose values differ under one of the three assignments. */
static bool values_differ(const Array results[2], uint32_t *assignment, int64_t *at) {
  for (*assignment = 0; *assignment < assignments; ++*assignment)
    for (*at = 0; *at < array_elements(&results[0]); ++*at)
      if (results[0].values[*assignment][*at] != results[1].values[*assignment][*at]) return true;
  return false;
}

static void values_judge_same(
    ExhaustCase *run, const EquivValuesVerdict *verdict, const Array results[2]) {
  uint32_t assignment;
  int64_t at;
  if (values_differ(results, &assignment, &at))
    exhaust_fault(run, EXHAUST_contradicted,
        "%s says the same values, and element %lld is %lld before, %lld after, under assignment %u",
        verdict->judges, (long long)at, (long long)results[0].values[assignment][at],
        (long long)results[1].values[assignment][at], assignment);
  else exhaust_note(run, EXHAUST_algebra);
}

/* Equal values under the assignments neither confirm nor refute a difference. */
static void values_judge_different(
    ExhaustCase *run, const EquivValuesVerdict *verdict, const Array results[2]) {
  uint32_t assignment;
  int64_t at;
  if (values_differ(results, &assignment, &at)) exhaust_note(run, EXHAUST_algebra);
  else
    exhaust_fault(run, EXHAUST_not_judged,
        "%s says different values, and all elements are equal under %u assignments",
        verdict->judges, (unsigned)assignments);
}

/* An answer about tries alone passes only if the assignments show no difference either. */
static void values_judge_alike(
    ExhaustCase *run, const EquivValuesVerdict *verdict, const Array results[2]) {
  uint32_t assignment;
  int64_t at;
  if (!values_differ(results, &assignment, &at)) exhaust_note(run, EXHAUST_alike);
  else
    exhaust_fault(run, EXHAUST_not_judged,
        "equal values on all tries, and element %lld differs under assignment %u: %s",
        (long long)at, assignment, verdict->reason);
}

static void values_judge_pair(
    ExhaustCase *run, const EquivValuesVerdict *verdict, const Array results[2]) {
  if (verdict->answer == REASON_DISSENT)
    exhaust_fault(run, EXHAUST_contradicted, "%s", verdict->reason);
  else if (verdict->answer == REASON_EXACT) values_judge_same(run, verdict, results);
  else if (verdict->answer == REASON_DIFFERENT) values_judge_different(run, verdict, results);
  else if (verdict->answer == REASON_SAME_READS || verdict->answer == REASON_FEWER_READS ||
           verdict->answer == REASON_MORE_READS || verdict->answer == REASON_TRIED)
    values_judge_alike(run, verdict, results);
  else exhaust_fault(run, EXHAUST_not_judged, "%s", verdict->reason);
}

static bool read_pair(ExhaustCase *run, const Module *modules[2], Error *error) {
  uint32_t count;
  Source *parts;
  Arena *arena = run->examiner->arena;
  if (!hlo_split(arena, &run->source, &count, &parts, error)) return false;
  assert(count == 2);
  return hlo_read(arena, &parts[0], &modules[0], error) &&
         hlo_read(arena, &parts[1], &modules[1], error);
}

void exhaust_two_graphs(ExhaustCase *run) {
  const Module *modules[2];
  Error error = {};
  EquivValues values;
  Array *results = ARENA_NEW(run->examiner->arena, Array, 2);
  scope_graphs_results(run->examiner->plan, run->examiner->number, results);
  if (!read_pair(run, modules, &error) ||
      !equiv_values_open(run->examiner->arena, modules[0], modules[1], nullptr,
          run->examiner->judge->smt, &values, &error)) {
    exhaust_fault(run, EXHAUST_unread, "%s", error.message);
    return;
  }
  EquivValuesVerdict *verdict = ARENA_NEW(run->examiner->arena, EquivValuesVerdict, 1);
  equiv_values_judge(&values, 0, verdict);
  const ExhaustSpoil *spoil = run->examiner->spoil;
  if (spoil != nullptr && spoil->values != nullptr) spoil->values(verdict);
  values_judge_pair(run, verdict, results);
  if (verdict->values.answer == REASON_EXACT && verdict->proof.status != VERDICT_PROVED)
    exhaust_note(run, EXHAUST_alone);
  equiv_values_close(&values);
}
