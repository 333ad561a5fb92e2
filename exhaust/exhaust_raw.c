/* Compares simplified over-approximations with the raw ones. Exact answers need no comparison:
 * their relation is the read set. First the maps are compared pairwise: with the same variables and
 * the same sources they must agree at every point. If simplifying changed the variables, the
 * relations are compared under every assignment of the sources. A sample of the assignments decides
 * nothing. */

#include "exhaust/exhaust_case.h"

static constexpr uint64_t most_points =
    UINT64_C(1) << 21; /* points of one map: an 8-bit offset in each dimension */

static bool are_sources_known(const Map *map) {
  bool known = map->state == MAP_PLAIN && (map->sources != nullptr || map->runtime_count == 0);
  for (uint32_t i = 0; known && i < map->runtime_count; i++)
    known = map->sources[i].instruction != nullptr && map->sources[i].index != nullptr;
  return known;
}

/* Compares the maps pairwise by position. */
static bool are_same_maps(const ExhaustCase *run, const MapSet *simplified, const MapSet *raw) {
  bool same = simplified->count == raw->count;
  for (uint32_t i = 0; same && i < raw->count; i++) {
    Verdict verdict;
    Error error = {};
    same = are_sources_known(simplified->maps[i]) && are_sources_known(raw->maps[i]) &&
           oracle_same_map(run->examiner->judge->oracle, raw->maps[i], simplified->maps[i],
               most_points, &verdict, &error) &&
           verdict.status == VERDICT_PROVED;
  }
  return same;
}

static void compare_over_approximations(
    ExhaustCase *run, const Judgement *simplified, const Judgement *raw) {
  const Question *question = &raw->question;
  OracleMaps before = {raw->maps.count, raw->maps.maps},
             after = {simplified->maps.count, simplified->maps.maps};
  Verdict verdict;
  Error error = {};
  if (are_same_maps(run, &simplified->maps, &raw->maps)) return;
  if (!oracle_same_pairs(run->examiner->judge->oracle, question->instruction,
          question->direction == INPUT_TO_OUTPUT, question->output, question->operand,
          question->operand_leaf, before, after, &verdict, &error))
    exhaust_fault(run, EXHAUST_not_judged, "raw and simplified: %s", error.message);
  else if (verdict.missing > 0 || verdict.extra > 0)
    exhaust_fault(run, EXHAUST_differs, "raw before, simplified after: %s", verdict_text(&verdict));
  else if (verdict.reason != REASON_EXACT || verdict.scope == SCOPE_SAMPLE)
    exhaust_fault(run, EXHAUST_not_judged, "raw and simplified: %s", verdict_text(&verdict));
}

/* Simplifying may find a map empty and turn a declared over-approximation into an exact claim.
 * Claims may therefore differ if the judges find both answers exact. */
void exhaust_compare_raw(ExhaustCase *run, const Judgement *simplified, const Judgement *raw) {
  bool both_exact = judge_finds_exact(simplified) && judge_finds_exact(raw);
  if (simplified->answer != raw->answer && !both_exact)
    exhaust_report(run, EXHAUST_differs, run->examiner->raw, raw);
  else if (raw->by[BY_ORACLE].reason == REASON_EXTRA ||
           simplified->by[BY_ORACLE].reason == REASON_EXTRA)
    compare_over_approximations(run, simplified, raw);
}
