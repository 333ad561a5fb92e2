/* Comparing pairs of elements, each under the assignments that it alone depends on. An update of a scatter falls on an output element by its own indices, whatever
 * the others are; rows depend on the indices of all updates together, and have too many assignments. */
#include <string.h>

#include "oracle/assignments.h"

/* Each pair goes through assignments of its own: few of those, few pairs. */
static int64_t most_pairs(const Judgement *judgement) {
  uint64_t assignments = judgement->oracle->limits.assignments;
  return assignments > 0 && assignments < 4096 ? (int64_t)(4 * assignments) : verdict_most_pairs;
}

bool has_lone_pairs(const Judgement *judgement) {
  const Node *root = judgement->flow.root;
  return root->instruction->opcode == HLO_SCATTER && !root->is_input &&
         judgement->set.target->input > root->instruction->operand_count / 2 &&
         (Wide)judgement->from->elements * judgement->to->elements <= most_pairs(judgement);
}

/* Whether the maps relate the pair: by the listed points, which start at its first element and may lead to its second. */
static bool pair_is_said(Work *work, int64_t from, int64_t to, bool *is_said) {
  Judgement *judgement = work->judgement;
  *is_said = bits_has(judgement->fixed + (size_t)from * judgement->row_words, to);
  for (uint32_t i = 0; i < judgement->plan_count; i++)
    for (uint32_t k = 0; k < work->counts[i]; k++) {
      PointAnswer answer;
      int64_t reached = 0;
      if (!plan_point(&work->context, &judgement->plans[i], work->points[i][k], &answer, &reached)) return false;
      *is_said = *is_said || (answer == ANSWER_INSIDE && reached == to);
    }
  return true;
}

static bool compare_one_pair(Work *work, Tally *tally) {
  Judgement *judgement = work->judgement;
  int64_t from = judgement->is_backward ? work->operand : work->output;
  int64_t to = judgement->is_backward ? work->output : work->operand;
  bool is_said;
  memset(work->reads, 0, judgement->set.sets.words * sizeof *work->reads);
  if (!read_set_of(&judgement->set, work->output, work->at, work->reads) || !pair_is_said(work, from, to, &is_said)) return false;
  bool is_read = bits_has(work->reads, work->operand);
  compare_pair(judgement, from, to, is_read, is_said, tally);
  return true;
}

/* Of one element, the points of maps with runtime variables that may lead to the index `at`. */
static void find_pair_points(Judgement *judgement, int64_t from, const int64_t *at, uint32_t *counts, int64_t **points) {
  for (uint32_t i = 0; i < judgement->plan_count; i++) {
    Plan *plan = &judgement->plans[i];
    counts[i] = 0;
    if (plan->map->runtime_count == 0) continue;
    for (int64_t point = plan->first[from]; point < plan->first[from + 1]; point++)
      if (plan_may_reach(plan, point, at)) points[i][counts[i]++] = point;
  }
}

static bool judge_pair(Work *work, uint32_t *counts, int64_t **points) {
  Judgement *judgement = work->judgement;
  int64_t at[oracle_max_rank] = {}, to[oracle_max_rank] = {};
  int64_t from = judgement->is_backward ? work->operand : work->output;
  leaf_index(judgement->set.output, work->output, at);
  leaf_index(judgement->to, judgement->is_backward ? work->output : work->operand, to);
  find_pair_points(judgement, from, to, counts, points);
  work->at = at;
  judgement->set.reading.single = work->operand;
  return each_or_sample(work, compare_one_pair, most_paths(judgement, judgement->from->elements));
}

bool judge_pairs(Judgement *judgement) {
  uint32_t *counts;
  int64_t **points;
  work_point_lists(judgement, &counts, &points);
  Work work = work_create(judgement);
  work.reads = ARENA_NEW(judgement->arena, uint64_t, judgement->set.sets.words);
  work.counts = counts;
  work.points = (const int64_t *const *)points;
  judgement->tally = (Tally){};
  judgement->verdict->assignments_complete = true;
  judgement->set.reading.is_single = true;
  for (work.output = 0; work.output < judgement->set.output->elements; work.output++)
    for (work.operand = 0; work.operand < judgement->set.operand->elements; work.operand++)
      if (!judge_pair(&work, counts, points)) return false;
  return true;
}
