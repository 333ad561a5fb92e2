/* Input-to-output, one output element at a time: its reads, and the points of the maps that can
 * lead to it, under each assignment of the values that they depend on. */
#include <string.h>

#include "oracle/evaluate/assignments.h"

/* The elements that maps without runtime variables relate to the output element. */
static void find_fixed(Work *work) {
  const ReadJudgement *judgement = work->judgement;
  memset(work->fixed, 0, judgement->set.words * sizeof *work->fixed);
  for (int64_t x = 0; x < judgement->from->elements; x++)
    if (bits_has(judgement->stated.fixed + (size_t)x * judgement->row_words, work->element))
      bits_set(work->fixed, x);
}

/* Adds the elements that maps with runtime variables relate to the output element. */
static bool add_inverse_related(Work *work, uint64_t *related) {
  ReadJudgement *judgement = work->judgement;
  for (uint32_t i = 0; i < judgement->stated.plan_count; i++)
    for (uint32_t k = 0; k < work->counts[i]; k++) {
      Plan *plan = &judgement->stated.plans[i];
      PointAnswer answer;
      int64_t to = 0;
      if (!plan_point(&work->context, plan, work->points[i][k], &answer, &to)) return false;
      assert(answer != ANSWER_INSIDE || (to >= 0 && to < judgement->to->elements));
      if (answer != ANSWER_INSIDE || to != work->element) continue;
      bits_set(related,
          leaf_element(judgement->from, plan->points + (size_t)work->points[i][k] * plan->width));
    }
  return true;
}

static void verdict_alone_turn(ReadFinding *finding) {
  int64_t from = finding->from;
  finding->from = finding->to;
  finding->to = from;
}

/* Compares one row of the read relation; from and to are exchanged in the findings. */
static bool compare_one_output(Work *work, Tally *tally) {
  ReadJudgement *judgement = work->judgement;
  Tally row = {};
  uint32_t words = judgement->set.words;
  assert(words == bits_words(judgement->from->elements) && work->element < judgement->to->elements);
  memset(work->reads, 0, words * sizeof *work->reads);
  memcpy(work->related, work->fixed, words * sizeof *work->related);
  if (!read_set_of(&judgement->set, work->element, work->at, work->reads) ||
      !add_inverse_related(work, work->related))
    return false;
  compare_row(judgement, words, work->element, work->reads, work->related, &row);
  verdict_alone_turn(&row.first_missing);
  verdict_alone_turn(&row.first_extra);
  add_tally(tally, &row);
  return true;
}

/* The points of maps with runtime variables that can lead to the output element: the results that
 * need no runtime variable match. */
static void find_points(ReadJudgement *judgement, int64_t element, const int64_t *at,
    uint32_t *counts, int64_t **points) {
  for (uint32_t i = 0; i < judgement->stated.plan_count; i++) {
    Plan *plan = &judgement->stated.plans[i];
    counts[i] = 0;
    for (int64_t point = 0; point < plan->point_count; point++)
      if (plan_may_reach(plan, point, element, at)) points[i][counts[i]++] = point;
  }
}

static bool can_visit(ReadJudgement *judgement) {
  Wide visits = 0;
  for (uint32_t i = 0; i < judgement->stated.plan_count; i++)
    visits += (Wide)judgement->stated.plans[i].point_count * judgement->to->elements;
  return visits <= judgement->oracle->limits.pairs ||
         reject(&judgement->rejection, REASON_TOO_LARGE, "too many points and output elements");
}

static Work alone_work(
    ReadJudgement *judgement, int64_t *at, uint32_t **counts, int64_t ***points) {
  work_point_lists(judgement, counts, points);
  Work work = work_create(judgement);
  work.at = at;
  work.counts = *counts;
  work.points = (const int64_t *const *)*points;
  work.reads = ARENA_NEW(judgement->arena, uint64_t, judgement->set.words);
  work.related = ARENA_NEW(judgement->arena, uint64_t, judgement->set.words);
  work.fixed = ARENA_NEW(judgement->arena, uint64_t, judgement->set.words);
  return work;
}

bool judge_outputs_alone(ReadJudgement *judgement) {
  assert(judgement->is_backward);
  int64_t at[oracle_max_rank] = {};
  uint32_t *counts;
  int64_t **points;
  if (!can_visit(judgement)) return false;
  Work work = alone_work(judgement, at, &counts, &points);
  for (work.element = 0; work.element < judgement->to->elements; work.element++) {
    find_points(judgement, work.element, at, counts, points);
    find_fixed(&work);
    if (!each_or_sample(&work, compare_one_output, most_paths(judgement, judgement->to->elements)))
      return false;
    leaf_next(judgement->to, at);
  }
  return true;
}

bool probe_outputs_alone(ReadJudgement *judgement, uint32_t *draws, uint64_t *estimate) {
  assert(judgement->is_backward);
  int64_t at[oracle_max_rank] = {};
  uint32_t *counts;
  int64_t **points;
  Tally ignored = {};
  *draws = 0;
  *estimate = 1;
  if (judgement->to->elements == 0) return true;
  Work work = alone_work(judgement, at, &counts, &points);
  find_points(judgement, 0, at, counts, points);
  find_fixed(&work);
  values_restart(&judgement->values);
  values_begin(&judgement->values);
  if (!compare_once(&work, compare_one_output, &ignored)) return false;
  *draws = judgement->values.position;
  *estimate = values_estimate(&judgement->values, verdict_most_paths);
  assert(*estimate > 0);
  return true;
}
