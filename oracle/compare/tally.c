/* Counts missing and extra pairs of a comparison, with the first pair of each. Also creates the
 * context of the plans of compared maps. */
#include <string.h>

#include "oracle/compare/verdict.h"

/* `first` is the finding of the judgement so far. Once it is set, the values of later findings are
 * never printed. */
static void verdict_find(ReadFinding *finding, const ReadFinding *first,
    const ReadJudgement *judgement, int64_t from, int64_t to) {
  assert(from >= 0 && to >= 0);
  if (finding->is_set) return;
  bool is_shown = !first->is_set && !judgement->oracle->is_terse;
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
  for (uint32_t word = 0; word < words; word++) {
    if (reads[word] == related[word]) continue;
    uint64_t missing = reads[word] & ~related[word], extra = related[word] & ~reads[word];
    tally->missing += __builtin_popcountll(missing);
    tally->extra += __builtin_popcountll(extra);
    if (missing != 0)
      verdict_find(&tally->first_missing, &judgement->tally.first_missing, judgement, from,
          word * INT64_C(64) + __builtin_ctzll(missing));
    if (extra != 0)
      verdict_find(&tally->first_extra, &judgement->tally.first_extra, judgement, from,
          word * INT64_C(64) + __builtin_ctzll(extra));
  }
}

void add_tally(Tally *all, const Tally *row) {
  assert(row->missing >= 0 && row->extra >= 0);
  assert((row->missing > 0) == row->first_missing.is_set &&
         (row->extra > 0) == row->first_extra.is_set);
  all->missing += row->missing;
  all->extra += row->extra;
  all->paths += row->paths;
  if (!all->first_missing.is_set) all->first_missing = row->first_missing;
  if (!all->first_extra.is_set) all->first_extra = row->first_extra;
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
