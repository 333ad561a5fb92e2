/* Comparing under many assignments: what a comparison is given, and going through the assignments
 * of the values that it asks for. */
#ifndef ORACLE_ASSIGNMENTS_H
#define ORACLE_ASSIGNMENTS_H

#include "oracle/compare/verdict.h"

/* Work that one enumeration does under each assignment. */
typedef struct Work {
  ReadJudgement *judgement;
  PlanContext context;
  int64_t element; /* the row, or the output element that is taken alone */
  const int64_t *at;
  const uint64_t *mask; /* of the elements of the operand that are compared; nullptr for all */
  uint8_t **leads;      /* output-to-input, by plan and point: whether it may lead into the mask */
  uint64_t *reads, *says;
  uint64_t
      *fixed; /* of one output element alone: what maps without runtime variables lead from to it */
  const uint32_t *counts; /* of the points that can lead to the element, by plan */
  const int64_t *const *points;
} Work;

/* Compares once, under the current assignment, and counts into `tally`. */
typedef bool Compare(Work *work, Tally *tally);

/* Work over a judgement, without buffers. */
[[nodiscard]] Work work_create(ReadJudgement *judgement);
/* Room for the points of each plan. */
void work_point_lists(ReadJudgement *judgement, uint32_t **counts, int64_t ***points);

/* How many assignments of each of so many rows are all gone through. */
[[nodiscard]] uint64_t most_paths(const ReadJudgement *judgement, int64_t rows);
/* All assignments of the values that `compare` asks for, at most `most`; is_complete tells whether
 * they were all. Where the first one draws so often that there must be more, it is the only one. */
[[nodiscard]] bool each_assignment(
    Work *work, Compare *compare, uint64_t most, Tally *tally, bool *is_complete);
/* All assignments, or a sample, which the verdict then says; counted into the judgement's tally. */
[[nodiscard]] bool each_or_sample(Work *work, Compare *compare, uint64_t most);

/* Every output element alone, with the points of the maps that can lead to it: input-to-output. */
[[nodiscard]] bool judge_outputs_alone(ReadJudgement *judgement);
/* What a comparison of the first output element alone draws under its first assignment, and how
 * many assignments that promises. */
[[nodiscard]] bool probe_outputs_alone(
    ReadJudgement *judgement, uint32_t *draws, uint64_t *estimate);
/* Adds what the maps with runtime variables say for one element of the tensor that they go from. */
[[nodiscard]] bool add_says(Work *work, const Said *said, int64_t from, uint64_t *says);

#endif
