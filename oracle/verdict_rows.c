/* Comparing the relation of the maps with the read relation, row by row.
 * Where nothing is drawn, each row is compared once. Where values are drawn, a row is compared under each assignment of the values that the row asks for:
 * all of them up to a bound, else a fixed sample, and the verdict says so.
 * Input-to-output has no rows of reads, only the converse: at first all rows are compared under each assignment of all values; where there are
 * too many, each output element is taken alone, with the points of the maps that can lead to it.
 * The updates of a scatter depend on all indices together, but each update on its own alone: where there are too many assignments, each pair of an output
 * element and an update is compared alone, in both directions. */
#include <string.h>

#include "oracle/assignments.h"

static bool is_drawn(const Judgement *judgement) { return judgement->has_runtimes || judgement->set.is_dynamic; }

/* What the maps with runtime variables say for one element of the tensor that they go from. */
static bool add_says(Work *work, int64_t from, uint64_t *says) {
  Judgement *judgement = work->judgement;
  for (uint32_t i = 0; i < judgement->plan_count; i++) {
    Plan *plan = &judgement->plans[i];
    if (plan->map->runtime_count == 0) continue;
    for (int64_t point = plan->first[from]; point < plan->first[from + 1]; point++) {
      PointAnswer answer;
      int64_t to = 0;
      if (!plan_point(&work->context, plan, point, &answer, &to)) return false;
      if (answer == ANSWER_INSIDE) bits_set(says, to);
    }
  }
  return true;
}

/* --- output to input --- */

static bool compare_one_row(Work *work, Tally *tally) {
  Judgement *judgement = work->judgement;
  size_t size = judgement->row_words * sizeof *work->reads;
  memset(work->reads, 0, size);
  memcpy(work->says, judgement->fixed + (size_t)work->element * judgement->row_words, size);
  if (!read_set_of(&judgement->set, work->element, work->at, work->reads) || !add_says(work, work->element, work->says))
    return false;
  compare_row(judgement, judgement->row_words, work->element, work->reads, work->says, tally);
  return true;
}

bool judge_output_to_input(Judgement *judgement) {
  int64_t at[oracle_max_rank] = {}, rows = judgement->from->elements;
  Work work = work_create(judgement);
  work.at = at;
  work.reads = ARENA_NEW(judgement->arena, uint64_t, judgement->row_words);
  work.says = ARENA_NEW(judgement->arena, uint64_t, judgement->row_words);
  bool drawn = is_drawn(judgement);
  if (!drawn) judgement->tally.paths = 1;
  for (work.element = 0; work.element < rows; work.element++) {
    if (drawn ? !each_or_sample(&work, compare_one_row, most_paths(judgement, rows)) : !compare_one_row(&work, &judgement->tally))
      return false;
    if (!judgement->verdict->assignments_complete && has_lone_pairs(judgement)) return judge_pairs(judgement);
    leaf_next(judgement->from, at);
  }
  return true;
}

/* --- input to output --- */

/* The read relation turned: bit y of row x where output element y reads element x. */
static bool turn_reads(Work *work, uint64_t *matrix) {
  Judgement *judgement = work->judgement;
  int64_t at[oracle_max_rank] = {};
  for (int64_t y = 0; y < judgement->to->elements; y++) {
    memset(work->reads, 0, judgement->set.sets.words * sizeof *work->reads);
    if (!read_set_of(&judgement->set, y, at, work->reads)) return false;
    for (uint32_t word = 0; word < judgement->set.sets.words; word++)
      for (uint64_t bits = work->reads[word]; bits != 0; bits &= bits - 1)
        bits_set(matrix + (size_t)(word * INT64_C(64) + __builtin_ctzll(bits)) * judgement->row_words, y);
    leaf_next(judgement->to, at);
  }
  return true;
}

static bool compare_all_rows(Work *work, Tally *tally) {
  Judgement *judgement = work->judgement;
  size_t words = (size_t)judgement->from->elements * judgement->row_words;
  uint64_t *reads = work->says;
  memset(reads, 0, words * sizeof *reads);
  if (!turn_reads(work, reads)) return false;
  uint64_t *says = work->says + words;
  for (int64_t x = 0; x < judgement->from->elements; x++) {
    memcpy(says, judgement->fixed + (size_t)x * judgement->row_words, judgement->row_words * sizeof *says);
    if (!add_says(work, x, says)) return false;
    compare_row(judgement, judgement->row_words, x, reads + (size_t)x * judgement->row_words, says, tally);
  }
  return true;
}

/* The elements that the maps lead from to the output element. */
static bool add_turned_says(Work *work, uint64_t *says) {
  Judgement *judgement = work->judgement;
  for (int64_t x = 0; x < judgement->from->elements; x++)
    if (bits_has(judgement->fixed + (size_t)x * judgement->row_words, work->element)) bits_set(says, x);
  for (uint32_t i = 0; i < judgement->plan_count; i++)
    for (uint32_t k = 0; k < work->counts[i]; k++) {
      Plan *plan = &judgement->plans[i];
      PointAnswer answer;
      int64_t to = 0;
      if (!plan_point(&work->context, plan, work->points[i][k], &answer, &to)) return false;
      if (answer != ANSWER_INSIDE || to != work->element) continue;
      bits_set(says, leaf_element(judgement->from, plan->points + (size_t)work->points[i][k] * plan->box.count));
    }
  return true;
}

static void turn(Finding *finding) {
  int64_t from = finding->from;
  finding->from = finding->to;
  finding->to = from;
}

/* One row of the read relation as it is: what is found in it is turned round. */
static bool compare_one_output(Work *work, Tally *tally) {
  Judgement *judgement = work->judgement;
  Tally row = {};
  uint32_t words = judgement->set.sets.words;
  memset(work->reads, 0, words * sizeof *work->reads);
  memset(work->says, 0, words * sizeof *work->says);
  if (!read_set_of(&judgement->set, work->element, work->at, work->reads) || !add_turned_says(work, work->says)) return false;
  compare_row(judgement, words, work->element, work->reads, work->says, &row);
  turn(&row.first_missing);
  turn(&row.first_extra);
  add_tally(tally, &row);
  return true;
}

/* The points of maps with runtime variables that can lead to the output element: their results without runtime variables fit. */
static void find_points(Judgement *judgement, const int64_t *at, uint32_t *counts, int64_t **points) {
  for (uint32_t i = 0; i < judgement->plan_count; i++) {
    Plan *plan = &judgement->plans[i];
    counts[i] = 0;
    for (int64_t point = 0; point < plan->point_count; point++)
      if (plan_may_reach(plan, point, at)) points[i][counts[i]++] = point;
  }
}

static bool judge_outputs_alone(Judgement *judgement, Work *work) {
  int64_t at[oracle_max_rank] = {};
  uint32_t *counts;
  int64_t **points;
  Wide visits = 0;
  work_point_lists(judgement, &counts, &points);
  for (uint32_t i = 0; i < judgement->plan_count; i++)
    visits += (Wide)judgement->plans[i].point_count * judgement->to->elements;
  if (visits > judgement->oracle->limits.pairs)
    return refuse(&judgement->refusal, ORACLE_TOO_LARGE, "too many points and output elements");
  work->says = ARENA_NEW(judgement->arena, uint64_t, judgement->set.sets.words);
  work->at = at;
  work->counts = counts;
  work->points = (const int64_t *const *)points;
  for (work->element = 0; work->element < judgement->to->elements; work->element++) {
    find_points(judgement, at, counts, points);
    if (!each_or_sample(work, compare_one_output, most_paths(judgement, judgement->to->elements))) return false;
    leaf_next(judgement->to, at);
  }
  return true;
}

bool judge_input_to_output(Judgement *judgement) {
  size_t words = (size_t)judgement->from->elements * judgement->row_words + judgement->row_words;
  Work work = work_create(judgement);
  work.reads = ARENA_NEW(judgement->arena, uint64_t, judgement->set.sets.words);
  work.says = ARENA_NEW(judgement->arena, uint64_t, words);
  if (!is_drawn(judgement)) {
    judgement->tally.paths = 1;
    return compare_all_rows(&work, &judgement->tally);
  }
  Tally tally;
  bool is_complete;
  int64_t rows = judgement->from->elements + judgement->to->elements;
  if (!each_assignment(&work, compare_all_rows, most_paths(judgement, rows), &tally, &is_complete)) return false;
  if (!is_complete) return has_lone_pairs(judgement) ? judge_pairs(judgement) : judge_outputs_alone(judgement, &work);
  if (judgement->values.was_cut) judgement->verdict->assignments_complete = false;
  add_tally(&judgement->tally, &tally);
  return true;
}
