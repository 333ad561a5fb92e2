/* Compares two unions of maps row by row, under every assignment of the values that either of them
 * depends on. */
#include <string.h>

#include "oracle/evaluate/assignments.h"

static bool row_of(Work *work, const StatedMaps *stated, uint64_t *related) {
  const ReadJudgement *judgement = work->judgement;
  assert(work->element < judgement->from->elements);
  memcpy(related, stated->fixed + (size_t)work->element * judgement->row_words,
      judgement->row_words * sizeof *related);
  return add_related(work, stated, work->element, related);
}

static bool compare_stated(Work *work, Tally *tally) {
  ReadJudgement *judgement = work->judgement;
  if (!row_of(work, &judgement->stated, work->reads) ||
      !row_of(work, &judgement->other, work->related))
    return false;
  compare_row(judgement, judgement->row_words, work->element, work->reads, work->related, tally);
  return true;
}

bool judge_stated_alike(ReadJudgement *judgement) {
  int64_t rows = judgement->from->elements;
  Work work = work_create(judgement);
  work.reads = ARENA_NEW(judgement->arena, uint64_t, judgement->row_words);
  work.related = ARENA_NEW(judgement->arena, uint64_t, judgement->row_words);
  for (work.element = 0; work.element < rows; work.element++)
    if (!each_or_sample(&work, compare_stated, most_paths(judgement, rows))) return false;
  return true;
}
