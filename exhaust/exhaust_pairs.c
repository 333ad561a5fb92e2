/* Two small maps: are they the same map, do they have the same relation, is one contained in the
 * other? The oracle decides each question in both directions, smt and isl decide a sample. Each
 * verdict is compared with the lists of all points of both maps (judge/algebra/brute_force.h), by
 * the definitions of judge/maps/same.h:
 *   same map                   as many variables of each kind, and the same points (d, s, rt) with
 *                              the same results
 *   same relation, contained   the sets of (d, rt, results); maps of different ranks share no
 *                              pair */
#include <assert.h>

#include "judge/algebra/brute_force.h"
#include "exhaust/exhaust_case.h"

static constexpr uint64_t most_points = 4096;
static constexpr uint32_t most_columns = 16;

/* One of the two maps, with its lists. */
typedef struct Listed {
  const Map *map;
  BruteForceRows points, pairs;
} Listed;

static bool list_side(ExhaustCase *run, const Map *map, Listed *side) {
  Error error = {};
  BruteForceRows rows;
  Arena *arena = run->examiner->arena;
  uint32_t columns[most_columns], count = 0;
  side->map = map;
  if (!brute_force_list(
          arena, run->examiner->judge->context, map, 0, nullptr, most_points, &rows, &error)) {
    exhaust_fault(run, EXHAUST_not_judged, "%s", error.message);
    return false;
  }
  assert(rows.width <= most_columns);
  for (uint32_t i = 0; i < rows.width; i++) columns[i] = i;
  side->points = brute_force_pick(arena, &rows, rows.width, columns);
  for (uint32_t i = 0; i < rows.width; i++)
    if (i < map->dim_count || i >= map_first_number(map, VAR_RUNTIME)) columns[count++] = i;
  side->pairs = brute_force_pick(arena, &rows, count, columns);
  brute_force_once(&side->pairs);
  return true;
}

static bool has_all(const BruteForceRows *all, const BruteForceRows *some) {
  return brute_force_missing(some, all) == nullptr;
}

static bool is_contained(const Listed *inner, const Listed *outer) {
  bool same_ranks = inner->map->dim_count == outer->map->dim_count &&
                    inner->map->result_count == outer->map->result_count;
  assert(inner->map->runtime_count == outer->map->runtime_count || !same_ranks);
  return same_ranks ? has_all(&outer->pairs, &inner->pairs) : inner->points.count == 0;
}

static bool is_same_map(const Listed *a, const Listed *b) {
  bool same_variables = a->map->dim_count == b->map->dim_count &&
                        a->map->range_count == b->map->range_count &&
                        a->map->runtime_count == b->map->runtime_count;
  if (!same_variables) return false;
  if (a->map->result_count != b->map->result_count) return a->points.count + b->points.count == 0;
  return has_all(&a->points, &b->points) && has_all(&b->points, &a->points);
}

static bool is_so(ObligationKind kind, const Listed *a, const Listed *b) {
  assert((OBLIGATIONS_ABOUT_MAPS >> kind & 1) != 0 && kind != OBLIGATION_READS);
  if (kind == OBLIGATION_SAME_MAP) return is_same_map(a, b);
  return is_contained(a, b) && (kind == OBLIGATION_CONTAINED || is_contained(b, a));
}

static const char *question_text(ObligationKind kind) {
  return kind == OBLIGATION_SAME_MAP        ? "same map"
         : kind == OBLIGATION_SAME_RELATION ? "same relation"
                                            : "contained";
}

typedef struct ExhaustPairsAnswer {
  bool is_given, is_decided, is_yes;
  const char *who, *words;
} ExhaustPairsAnswer;

static void judge_answer(ExhaustCase *run, ObligationKind kind, const Listed *a, const Listed *b,
    const ExhaustPairsAnswer *answer) {
  bool wanted = is_so(kind, a, b);
  if (!answer->is_given || !answer->is_decided)
    exhaust_fault(run, EXHAUST_not_judged, "%s: %s says nothing: %s", question_text(kind),
        answer->who, answer->words);
  else if (answer->is_yes == wanted) exhaust_note(run, EXHAUST_algebra);
  else
    exhaust_fault(run, EXHAUST_misstated, "%s: %s says %s: %s", question_text(kind), answer->who,
        answer->is_yes ? "yes" : "no", answer->words);
}

static void query_judge(
    ExhaustCase *run, JudgeId id, ObligationKind kind, const Listed *a, const Listed *b) {
  Judge *judge = run->examiner->judge;
  Verdict by[judge_count] = {};
  Verdict *verdict = &by[id];
  *verdict = verdict_begin(judge->context->arena);
  judge_row(id)->decide(
      judge, &(Obligation){.kind = kind, .before = a->map, .after = b->map}, verdict);
  if (id == BY_ISL && verdict->reason == REASON_NOT_ASKED) {
    exhaust_note(run, EXHAUST_unasked);
    return;
  }
  const ExhaustSpoil *spoil = run->examiner->spoil;
  if (id == BY_ORACLE && spoil != nullptr && spoil->same != nullptr) spoil->same(kind, verdict);
  judge_answer(run, kind, a, b,
      &(ExhaustPairsAnswer){judge_has_answered(by, id), verdict->status != VERDICT_UNKNOWN,
          verdict->status == VERDICT_PROVED, id == BY_ORACLE ? "the oracle" : judge_row(id)->name,
          verdict_text(verdict)});
}

void exhaust_pair(ExhaustCase *run, const Map *left, const Map *right) {
  Listed a, b;
  if (!list_side(run, left, &a) || !list_side(run, right, &b)) return;
  for (ObligationKind kind = OBLIGATION_SAME_MAP; kind <= OBLIGATION_CONTAINED; kind++) {
    query_judge(run, BY_ORACLE, kind, &a, &b);
    query_judge(run, BY_ORACLE, kind, &b, &a);
    if (exhaust_goes_to_all(run)) query_judge(run, BY_SMT, kind, &a, &b);
    if (exhaust_goes_to_all(run) && kind != OBLIGATION_CONTAINED)
      query_judge(run, BY_ISL, kind, &a, &b);
  }
}
