/* Compares two unions of maps row by row, under every assignment of the values that either of them
 * depends on. */
#include <string.h>

#include "oracle/evaluate/assignments.h"

static bool row_of(Work *work, const Said *said, uint64_t *says) {
  const ReadJudgement *judgement = work->judgement;
  assert(work->element < judgement->from->elements);
  memcpy(says, said->fixed + (size_t)work->element * judgement->row_words,
      judgement->row_words * sizeof *says);
  return add_says(work, said, work->element, says);
}

static bool compare_said(Work *work, Tally *tally) {
  ReadJudgement *judgement = work->judgement;
  if (!row_of(work, &judgement->said, work->reads) || !row_of(work, &judgement->other, work->says))
    return false;
  compare_row(judgement, judgement->row_words, work->element, work->reads, work->says, tally);
  return true;
}

bool judge_said_alike(ReadJudgement *judgement) {
  int64_t rows = judgement->from->elements;
  Work work = work_create(judgement);
  work.reads = ARENA_NEW(judgement->arena, uint64_t, judgement->row_words);
  work.says = ARENA_NEW(judgement->arena, uint64_t, judgement->row_words);
  for (work.element = 0; work.element < rows; work.element++)
    if (!each_or_sample(&work, compare_said, most_paths(judgement, rows))) return false;
  return true;
}
