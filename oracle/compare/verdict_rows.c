/* Compares the relation of the maps with the read relation, row by row.
 * If nothing is drawn, each row is compared once. If values are drawn, a comparison enumerates all
 * assignments of the values that it depends on, up to a bound. Past the bound it uses a fixed
 * sample, and the verdict says so. Comparisons are therefore kept small:
 * - If the target can be partitioned into shares (the updates of a scatter), each share is compared
 * alone, in both directions, under the values of its own rows.
 * - Output-to-input compares each row alone.
 * - Input-to-output has no rows of reads, only the inverse relation. All rows are compared together
 * if one output element alone would draw as much; otherwise each output element is compared alone.
 * Each of these is complete: whether a pair of elements is related depends only on the values that
 * the two elements use. */
#include <string.h>

#include "core/base/budget.h"
#include "core/base/clock.h"
#include "oracle/evaluate/assignments.h"

static bool has_choices(const ReadJudgement *judgement) {
  return judgement->stated.has_runtimes || judgement->set.is_dynamic;
}

bool add_related(Work *work, const StatedMaps *stated, int64_t from, uint64_t *related) {
  for (uint32_t i = 0; i < stated->plan_count; i++) {
    Plan *plan = &stated->plans[i];
    if (plan->map->runtime_count == 0) continue;
    for (int64_t point = plan->first[from]; point < plan->first[from + 1]; point++) {
      PointAnswer answer;
      int64_t to = 0;
      if (work->leads != nullptr && !work->leads[i][point]) continue;
      if (!plan_point(&work->context, plan, point, &answer, &to)) return false;
      assert(answer != ANSWER_INSIDE || (to >= 0 && to < work->judgement->to->elements));
      if (answer == ANSWER_INSIDE) bits_set(related, to);
    }
  }
  return true;
}

static void keep_masked(const Work *work, uint64_t *bits) {
  for (uint32_t i = 0; work->mask != nullptr && i < work->judgement->set.words; i++)
    bits[i] &= work->mask[i];
}

/* A row takes milliseconds at most, all rows under all assignments may take minutes. The oracle
 * ends while the question has time left for another judge. At every 64th row a coarse clock is
 * read; the thread's clock, which takes longer than 64 short rows, only after that one moved. */
static bool is_in_time(ReadJudgement *judgement) {
  static constexpr uint32_t looks_between = 64;
  clockid_t clock;
  uint32_t seconds = judgement->oracle->limits.seconds;
  if (++judgement->looks % looks_between != 0) return true;
  bool has_ticked = clock_has_ticked(&judgement->tick);
  Budget *budget = has_ticked ? budget_running() : nullptr;
  if (budget_is_spent() || (budget != nullptr && budget_look(budget)))
    return reject(&judgement->rejection, REASON_TOO_LARGE, "%s", budget_reason());
  if (!has_ticked) return true;
  int64_t now = clock_of_thread(&clock) ? clock_nanoseconds(clock) : -1;
  if (judgement->end == 0) judgement->end = now + seconds * INT64_C(1'000'000'000);
  return now < judgement->end || reject(&judgement->rejection, REASON_TOO_LARGE,
                                     "out of time: more than %u s of enumeration", seconds);
}

/* --- output to input --- */

static bool compare_one_row(Work *work, Tally *tally) {
  ReadJudgement *judgement = work->judgement;
  if (!is_in_time(judgement)) return false;
  size_t size = judgement->row_words * sizeof *work->reads;
  assert(judgement->row_words == judgement->set.words);
  memset(work->reads, 0, size);
  memcpy(
      work->related, judgement->stated.fixed + (size_t)work->element * judgement->row_words, size);
  if (!read_set_of(&judgement->set, work->element, work->at, work->reads) ||
      !add_related(work, &judgement->stated, work->element, work->related))
    return false;
  keep_masked(work, work->reads);
  keep_masked(work, work->related);
  compare_row(judgement, judgement->row_words, work->element, work->reads, work->related, tally);
  return true;
}

static bool compare_every_row(Work *work, Tally *tally) {
  int64_t at[oracle_max_rank] = {}, share = work->element;
  bool done = true;
  work->at = at;
  for (work->element = 0; done && work->element < work->judgement->from->elements;
      work->element++) {
    done = compare_one_row(work, tally);
    leaf_next(work->judgement->from, at);
  }
  work->at = nullptr;
  work->element = share;
  return done;
}

/* --- input to output --- */

/* The inverse of the read relation: bit y of row x is set if output element y reads element x. */
static bool turn_reads(Work *work, uint64_t *matrix) {
  ReadJudgement *judgement = work->judgement;
  assert(judgement->is_backward && judgement->set.words == bits_words(judgement->from->elements));
  int64_t at[oracle_max_rank] = {};
  for (int64_t y = 0; y < judgement->to->elements; y++) {
    memset(work->reads, 0, judgement->set.words * sizeof *work->reads);
    if (!is_in_time(judgement) || !read_set_of(&judgement->set, y, at, work->reads)) return false;
    keep_masked(work, work->reads);
    for (uint32_t word = 0; word < judgement->set.words; word++)
      for (uint64_t bits = work->reads[word]; bits != 0; bits &= bits - 1)
        bits_set(
            matrix + (size_t)(word * INT64_C(64) + __builtin_ctzll(bits)) * judgement->row_words,
            y);
    leaf_next(judgement->to, at);
  }
  return true;
}

static bool compare_inverse_rows(Work *work, Tally *tally) {
  ReadJudgement *judgement = work->judgement;
  size_t words = (size_t)judgement->from->elements * judgement->row_words;
  uint64_t *reads = work->related;
  memset(reads, 0, words * sizeof *reads);
  if (!turn_reads(work, reads)) return false;
  uint64_t *related = work->related + words;
  for (int64_t x = 0; x < judgement->from->elements; x++) {
    if (work->mask != nullptr && !bits_has(work->mask, x)) continue;
    memcpy(related, judgement->stated.fixed + (size_t)x * judgement->row_words,
        judgement->row_words * sizeof *related);
    if (!is_in_time(judgement) || !add_related(work, &judgement->stated, x, related)) return false;
    compare_row(judgement, judgement->row_words, x, reads + (size_t)x * judgement->row_words,
        related, tally);
  }
  return true;
}

/* --- both directions --- */

static Work rows_work(ReadJudgement *judgement) {
  size_t words = judgement->is_backward ? (size_t)judgement->from->elements * judgement->row_words +
                                              judgement->row_words
                                        : judgement->row_words;
  Work work = work_create(judgement);
  work.reads = ARENA_NEW(judgement->arena, uint64_t, judgement->set.words);
  work.related = ARENA_NEW(judgement->arena, uint64_t, words);
  return work;
}

/* Marks the points that may lead into the mask: their results that need no runtime variable match
 * one of its elements. */
static void find_leading(Work *work) {
  ReadJudgement *judgement = work->judgement;
  int64_t at[oracle_max_rank] = {};
  for (uint32_t i = 0; i < judgement->stated.plan_count; i++)
    memset(work->leads[i], 0, judgement->stated.plans[i].point_count);
  for (int64_t element = 0; element < judgement->to->elements;
      element++, leaf_next(judgement->to, at)) {
    if (!bits_has(work->mask, element)) continue;
    for (uint32_t i = 0; i < judgement->stated.plan_count; i++)
      for (uint32_t point = 0; point < judgement->stated.plans[i].point_count; point++)
        if (!work->leads[i][point])
          work->leads[i][point] = plan_may_reach(&judgement->stated.plans[i], point, element, at);
  }
}

/* Allocates `leads` if it costs no more than the reads that may be followed. */
static void make_leads(Work *work) {
  ReadJudgement *judgement = work->judgement;
  Wide points = 0;
  for (uint32_t i = 0; i < judgement->stated.plan_count; i++)
    points += judgement->stated.plans[i].point_count;
  if (judgement->is_backward || points * judgement->to->elements > judgement->oracle->limits.pairs)
    return;
  work->leads = ARENA_NEW(judgement->arena, uint8_t *, judgement->stated.plan_count);
  for (uint32_t i = 0; i < judgement->stated.plan_count; i++)
    work->leads[i] = ARENA_NEW(judgement->arena, uint8_t, judgement->stated.plans[i].point_count);
}

static bool judge_shares(ReadJudgement *judgement, uint32_t count, const Share *shares) {
  assert(count > 1 && judgement->set.is_dynamic);
  Work work = rows_work(judgement);
  make_leads(&work);
  uint64_t most =
      most_paths(judgement, (judgement->from->elements + judgement->to->elements) * count);
  for (uint32_t i = 0; i < count; i++) {
    work.element = i;
    work.mask = shares[i].mask;
    if (work.leads != nullptr) find_leading(&work);
    read_set_only_rows(&judgement->set, shares[i].rows);
    if (!each_or_sample(
            &work, judgement->is_backward ? compare_inverse_rows : compare_every_row, most))
      return false;
  }
  return true;
}

bool judge_output_to_input(ReadJudgement *judgement) {
  int64_t at[oracle_max_rank] = {}, rows = judgement->from->elements;
  uint32_t share_count;
  const Share *shares;
  bool chooses = has_choices(judgement);
  if (chooses && read_set_shares(&judgement->set, &share_count, &shares))
    return judge_shares(judgement, share_count, shares);
  Work work = rows_work(judgement);
  work.at = at;
  if (!chooses) judgement->tally.paths = 1;
  for (work.element = 0; work.element < rows; work.element++) {
    if (chooses ? !each_or_sample(&work, compare_one_row, most_paths(judgement, rows))
                : !compare_one_row(&work, &judgement->tally))
      return false;
    leaf_next(judgement->from, at);
  }
  return true;
}

/* Whether all rows together draw no more values than one output element alone, or at most twice its
 * estimated number of assignments. */
static bool should_join(ReadJudgement *judgement, Work *work, bool *joins) {
  uint32_t draws;
  uint64_t estimate;
  Tally ignored = {};
  if (!probe_outputs_alone(judgement, &draws, &estimate)) return false;
  values_restart(&judgement->values);
  values_begin(&judgement->values);
  if (!compare_once(work, compare_inverse_rows, &ignored)) return false;
  assert(judgement->values.mode == DRAW_IN_ORDER);
  *joins = judgement->values.position <= draws ||
           values_estimate(&judgement->values, verdict_most_paths) <= 2 * estimate;
  return true;
}

bool judge_input_to_output(ReadJudgement *judgement) {
  uint32_t share_count;
  const Share *shares;
  Tally tally;
  bool is_complete, joins;
  if (has_choices(judgement) && read_set_shares(&judgement->set, &share_count, &shares))
    return judge_shares(judgement, share_count, shares);
  Work work = rows_work(judgement);
  if (!has_choices(judgement)) {
    judgement->tally.paths = 1;
    return compare_inverse_rows(&work, &judgement->tally);
  }
  int64_t rows = judgement->from->elements + judgement->to->elements;
  if (judgement->to->elements == 0) /* every point of the maps is a fault, and no output has it */
    return each_or_sample(&work, compare_inverse_rows, most_paths(judgement, rows));
  if (!should_join(judgement, &work, &joins)) return false;
  if (!joins) return judge_outputs_alone(judgement);
  if (!each_assignment(
          &work, compare_inverse_rows, most_paths(judgement, rows), &tally, &is_complete))
    return false;
  if (!is_complete) return judge_outputs_alone(judgement);
  if (judgement->values.was_cut) judgement->verdict->scope = SCOPE_SAMPLE;
  add_tally(&judgement->tally, &tally);
  return true;
}
