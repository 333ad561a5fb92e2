/* Counts missing and extra pairs of a comparison, with the first pair of each. Also creates the
 * context of the plans of compared maps. */
#include <string.h>

#include "oracle/compare/verdict.h"

/* Sets the finding of a row. One under an assignment that can occur replaces another. Once the
 * judgement has a sure one, the values of later findings are never printed. */
static void verdict_find(ReadFinding *finding, bool *is_sure, bool all_sure,
    const ReadJudgement *judgement, int64_t from, int64_t to) {
  assert(from >= 0 && to >= 0);
  bool was_sure = *is_sure;
  *is_sure = was_sure || !judgement->values.is_doubtful;
  if (finding->is_set && *is_sure == was_sure) return;
  bool is_shown = !all_sure && !judgement->oracle->is_terse;
  *finding = (ReadFinding){.is_set = true, .from = from, .to = to};
  if (!is_shown) return;
  ArenaMark mark = arena_mark(judgement->arena);
  Text text = text_create(judgement->arena);
  values_print(&text, &judgement->values);
  size_t capacity = sizeof finding->values - 1,
         length = text.length < capacity ? text.length : capacity;
  memcpy(finding->values, text.bytes, length);
  finding->values[length] = 0;
  arena_rewind(judgement->arena, mark);
}

void compare_row(ReadJudgement *judgement, uint32_t words, int64_t from, const uint64_t *reads,
    const uint64_t *related, Tally *tally) {
  const Tally *all = &judgement->tally;
  for (uint32_t word = 0; word < words; word++) {
    if (reads[word] == related[word]) continue;
    uint64_t missing = reads[word] & ~related[word], extra = related[word] & ~reads[word];
    tally->missing += __builtin_popcountll(missing);
    tally->extra += __builtin_popcountll(extra);
    if (missing != 0)
      verdict_find(&tally->first_missing, &tally->is_missing_sure, all->is_missing_sure, judgement,
          from, word * INT64_C(64) + __builtin_ctzll(missing));
    if (extra != 0)
      verdict_find(&tally->first_extra, &tally->is_extra_sure, all->is_extra_sure, judgement, from,
          word * INT64_C(64) + __builtin_ctzll(extra));
  }
}

static void join_finding(
    ReadFinding *all, bool *is_sure, const ReadFinding *row, bool is_row_sure) {
  if (!all->is_set || (is_row_sure && !*is_sure)) *all = *row;
  *is_sure = *is_sure || is_row_sure;
}

void add_tally(Tally *all, const Tally *row) {
  assert(row->missing >= 0 && row->extra >= 0);
  assert((row->missing > 0) == row->first_missing.is_set &&
         (row->extra > 0) == row->first_extra.is_set);
  all->missing += row->missing;
  all->extra += row->extra;
  all->paths += row->paths;
  join_finding(
      &all->first_missing, &all->is_missing_sure, &row->first_missing, row->is_missing_sure);
  join_finding(&all->first_extra, &all->is_extra_sure, &row->first_extra, row->is_extra_sure);
}

PlanContext judgement_context(ReadJudgement *judgement) {
  return (PlanContext){.arena = judgement->arena,
      .maps = judgement->oracle->context,
      .rejection = &judgement->rejection,
      .from = judgement->from,
      .to = judgement->to,
      .limit = judgement->oracle->limits.pairs,
      .fault = &judgement->fault,
      .excess = &judgement->excess,
      .values = &judgement->values};
}
