/* Enumerates all assignments, or samples them with a different seed for each row, so that all rows
 * together cover more. */
#include "oracle/evaluate/assignments.h"

Work work_create(ReadJudgement *judgement) {
  return (Work){.judgement = judgement, .context = judgement_context(judgement)};
}

void work_point_lists(ReadJudgement *judgement, uint32_t **counts, int64_t ***points) {
  *counts = ARENA_NEW(judgement->arena, uint32_t, judgement->stated.plan_count);
  *points = ARENA_NEW(judgement->arena, int64_t *, judgement->stated.plan_count);
  for (uint32_t i = 0; i < judgement->stated.plan_count; i++)
    (*points)[i] = ARENA_NEW(judgement->arena, int64_t, judgement->stated.plans[i].point_count);
}

bool each_assignment(Work *work, Compare *compare, uint64_t most, Tally *tally, bool *is_complete) {
  assert(most > 0);
  Values *values = &work->judgement->values;
  *is_complete = true;
  *tally = (Tally){};
  for (values_restart(values);;) {
    values_begin(values);
    if (!compare(work, tally)) return false;
    tally->paths++;
    if (values->was_widened) *tally = (Tally){};
    assert(values->position <= values->tape.count);
    bool is_hopeless = tally->paths == 1 && values_estimate(values, most) > most;
    if (!values_next(values)) return true;
    if (tally->paths < most && !is_hopeless) continue;
    *is_complete = false;
    return true;
  }
}

static bool sample(Work *work, Compare *compare, uint64_t count, Tally *tally) {
  for (uint64_t i = 0; i < count; i++) {
    values_begin_sample(&work->judgement->values, (uint64_t)work->element, i);
    if (!compare(work, tally)) return false;
    tally->paths++;
  }
  return true;
}

bool each_or_sample(Work *work, Compare *compare, uint64_t most) {
  ReadJudgement *judgement = work->judgement;
  Tally tally;
  bool is_complete;
  if (!each_assignment(work, compare, most, &tally, &is_complete)) return false;
  uint64_t samples = most < verdict_most_samples ? most : verdict_most_samples;
  assert(is_complete || tally.paths >= 1);
  if (!is_complete && !sample(work, compare, samples, &tally)) return false;
  if (!is_complete || judgement->values.was_cut) judgement->verdict->scope = SCOPE_SAMPLE;
  add_tally(&judgement->tally, &tally);
  return true;
}

/* An assignment follows several reads, so the plan uses only a quarter of the reads that may be
 * followed. */
uint64_t most_paths(const ReadJudgement *judgement, int64_t rows) {
  uint64_t each = (uint64_t)(rows > 0 ? rows : 1), most = verdict_all_paths / each;
  uint64_t affordable = (uint64_t)judgement->oracle->limits.pairs / 4 / each;
  if (most < verdict_least_paths) most = verdict_least_paths;
  if (most > verdict_most_paths) most = verdict_most_paths;
  uint64_t wanted = judgement->oracle->limits.assignments;
  if (wanted > 0 && most > wanted) most = wanted;
  assert(most > 0);
  return most > affordable ? affordable + 1 : most;
}
