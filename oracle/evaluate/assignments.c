/* Enumerates all assignments, or samples them with a different seed for each row, so that all rows
 * together cover more. */
#include "oracle/evaluate/assignments.h"

#include <stdlib.h>

Work work_create(ReadJudgement *judgement) {
  return (Work){.judgement = judgement, .context = judgement_context(judgement)};
}

void work_point_lists(ReadJudgement *judgement, uint32_t **counts, int64_t ***points) {
  *counts = ARENA_NEW(judgement->arena, uint32_t, judgement->stated.plan_count);
  *points = ARENA_NEW(judgement->arena, int64_t *, judgement->stated.plan_count);
  for (uint32_t i = 0; i < judgement->stated.plan_count; i++)
    (*points)[i] = ARENA_NEW(judgement->arena, int64_t, judgement->stated.plans[i].point_count);
}

bool compare_once(Work *work, Compare *compare, Tally *tally) {
  ReadJudgement *judgement = work->judgement;
  if (compare(work, tally)) return true;
  bool is_fault = !judgement->rejection.is_set && judgement->fault.kind != FAULT_NONE;
  if (!is_fault || !judgement->values.is_doubtful) return false;
  if (judgement->doubtful.kind == FAULT_NONE) judgement->doubtful = judgement->fault;
  judgement->fault = (Fault){};
  work->has_fault = true;
  return true;
}

/* A comparison under values of what is computed; the last bits say what it found. */
static constexpr uint64_t found_missing = 1, found_extra = 2, found_bits = 4;

static int compare_numbers(const void *a, const void *b) {
  uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
  return (first > second) - (first < second);
}

/* What is found whatever the values of what is computed are, if only the free values suit. */
static uint64_t found_for_all(const ComputedNumbers *numbers) {
  uint64_t all = numbers->count > 0 ? found_missing | found_extra : 0, one = 0;
  if (numbers->count > 1)
    qsort(numbers->items, numbers->count, sizeof *numbers->items, compare_numbers);
  for (uint32_t i = 0; i < numbers->count; i++) {
    one |= numbers->items[i] % found_bits;
    if (i + 1 < numbers->count &&
        numbers->items[i + 1] / found_bits == numbers->items[i] / found_bits)
      continue;
    all &= one;
    one = 0;
  }
  return all;
}

/* At the end of an enumeration: if some value was not tried, its comparisons show nothing more. */
static bool end_numbers(Work *work, Tally *tally) {
  ReadJudgement *judgement = work->judgement;
  uint64_t found = judgement->values.was_cut || work->has_many ? 0 : found_for_all(&work->numbers);
  if ((found & found_missing) != 0 && tally->missing == 0) {
    assert(judgement->doubtful.kind != FAULT_NONE);
    judgement->fault = judgement->doubtful;
    return false;
  }
  tally->is_missing_sure = tally->is_missing_sure || (found & found_missing) != 0;
  tally->is_extra_sure = tally->is_extra_sure || (tally->extra > 0 && (found & found_extra) != 0);
  return true;
}

static void add_number(Work *work, uint64_t number, uint64_t found) {
  ComputedNumbers *numbers = &work->numbers;
  uint64_t *last = numbers->count > 0 ? &numbers->items[numbers->count - 1] : nullptr;
  if (last != nullptr && *last / found_bits == number) *last |= found;
  else *ARENA_PUSH(work->judgement->arena, numbers) = number * found_bits | found;
}

static bool compare_assignment(Work *work, Compare *compare, Tally *tally) {
  Values *values = &work->judgement->values;
  int64_t missing = tally->missing, extra = tally->extra;
  uint64_t number, found = 0;
  values_begin(values);
  work->has_fault = false;
  if (!compare_once(work, compare, tally)) return false;
  tally->paths++;
  if (tally->missing > missing || work->has_fault) found |= found_missing;
  if (tally->extra > extra) found |= found_extra;
  if (!values_number(values, UINT64_MAX / found_bits, &number)) work->has_many = true;
  else add_number(work, number, found);
  if (!values->was_widened) return true;
  *tally = (Tally){};
  work->numbers.count = 0;
  return true;
}

static bool enumerate_assignments(
    Work *work, Compare *compare, uint64_t most, Tally *tally, bool *is_complete) {
  Values *values = &work->judgement->values;
  *is_complete = true;
  *tally = (Tally){};
  work->numbers.count = 0;
  work->has_many = false;
  for (values_restart(values);;) {
    if (!compare_assignment(work, compare, tally)) return false;
    assert(values->position <= values->tape.count);
    bool is_hopeless = tally->paths == 1 && values_estimate(values, most) > most;
    if (!values_next(values)) return end_numbers(work, tally);
    if (tally->paths < most && !is_hopeless) continue;
    *is_complete = false;
    return true;
  }
}

/* What an enumeration makes sure has a fault of this enumeration as its witness. */
bool each_assignment(Work *work, Compare *compare, uint64_t most, Tally *tally, bool *is_complete) {
  assert(most > 0);
  Fault earlier = work->judgement->doubtful;
  work->judgement->doubtful = (Fault){};
  bool goes_on = enumerate_assignments(work, compare, most, tally, is_complete);
  if (earlier.kind != FAULT_NONE) work->judgement->doubtful = earlier;
  return goes_on;
}

static bool sample(Work *work, Compare *compare, uint64_t count, Tally *tally) {
  for (uint64_t i = 0; i < count; i++) {
    values_begin_sample(&work->judgement->values, (uint64_t)work->element, i);
    if (!compare_once(work, compare, tally)) return false;
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
