/* Simplified coverings against raw ones. Answers that are exact relate what is read; of coverings the pairs themselves are compared.
 * First as maps: over the same variables, which are read from the same elements, they agree at every point, whatever values those elements have. Where simplifying has
 * changed the variables, by the pairs that both relate under every assignment of values. A sample of assignments decides nothing. */
#include <string.h>

#include "judge/exhaust_case.h"

static constexpr uint64_t most_points = UINT64_C(1) << 21; /* of one map: an offset of eight bits in each dimension */

static bool has_same_source(const RuntimeSource *a, const RuntimeSource *b) {
  bool same = a->instruction == b->instruction && a->instruction != nullptr && a->clamp.lo == b->clamp.lo && a->clamp.hi == b->clamp.hi;
  same = same && a->index != nullptr && b->index != nullptr && a->index->state == MAP_PLAIN && b->index->state == MAP_PLAIN;
  same = same && a->index->result_count == b->index->result_count;
  for (uint32_t i = 0; same && i < a->index->result_count; i++) same = expr_same(a->index->results[i], b->index->results[i]);
  return same;
}

static bool has_same_variables(const Map *a, const Map *b) {
  bool same = a->state == MAP_PLAIN && b->state == MAP_PLAIN && a->dim_count == b->dim_count && a->range_count == b->range_count &&
              a->runtime_count == b->runtime_count && a->result_count == b->result_count;
  for (uint32_t i = 0; same && i < a->runtime_count; i++)
    same = a->sources != nullptr && b->sources != nullptr && has_same_source(&a->sources[i], &b->sources[i]);
  return same;
}

/* Map by map, in their order. */
static bool are_same_maps(const CaseRun *run, const MapSet *simplified, const MapSet *raw) {
  bool same = simplified->count == raw->count;
  for (uint32_t i = 0; same && i < raw->count; i++) {
    SameVerdict verdict;
    Error error = {};
    same = has_same_variables(simplified->maps[i], raw->maps[i]) &&
           oracle_same_map(run->examiner->judge->oracle, raw->maps[i], simplified->maps[i], most_points, &verdict, &error) && verdict.answer == SAME_YES;
  }
  return same;
}

void exhaust_compare_coverings(CaseRun *run, const Judgement *simplified, const Judgement *raw) {
  const Question *question = &raw->question;
  OracleMaps before = {raw->maps.count, raw->maps.maps}, after = {simplified->maps.count, simplified->maps.maps};
  OracleVerdict verdict;
  Error error = {};
  if (are_same_maps(run, &simplified->maps, &raw->maps)) return;
  if (!oracle_same_pairs(run->examiner->judge->oracle, question->instruction, question->direction == INPUT_TO_OUTPUT, question->output, question->operand,
                         question->operand_leaf, before, after, &verdict, &error))
    exhaust_fault(run, EXHAUST_not_judged, "raw and simplified: %s", error.message);
  else if (verdict.missing > 0 || verdict.extra > 0) exhaust_fault(run, EXHAUST_differs, "raw before, simplified after: %s", verdict.text);
  else if (verdict.answer != ORACLE_EXACT || !verdict.assignments_complete) exhaust_fault(run, EXHAUST_not_judged, "raw and simplified: %s", verdict.text);
}
