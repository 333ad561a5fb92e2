/* Comparisons under many assignments of runtime values: their inputs, and the enumeration of the
 * assignments that a comparison depends on. */
#ifndef ORACLE_EVALUATE_ASSIGNMENTS_H
#define ORACLE_EVALUATE_ASSIGNMENTS_H

#include "oracle/compare/verdict.h"

typedef struct ComputedNumbers {
  uint32_t count, capacity;
  uint64_t *items;
} ComputedNumbers;

/* The data of one enumeration and its comparisons. */
typedef struct Work {
  ReadJudgement *judgement;
  PlanContext context;
  int64_t element; /* the row, or the output element that is judged alone */
  const int64_t *at;
  const uint64_t *mask; /* of the elements of the operand that are compared; nullptr for all */
  uint8_t **leads;      /* output-to-input, by plan and point: whether the point may lead into the
                           mask */
  uint64_t *reads, *related;
  uint64_t
      *fixed; /* for one output element alone: what maps without runtime variables relate to it */
  const uint32_t *counts; /* of the points that can lead to the element, by plan */
  const int64_t *const *points;
  ComputedNumbers numbers; /* of the comparisons of this enumeration */
  bool has_many;           /* some of them has no number */
  bool has_fault;          /* the current comparison ended with a fault that may never occur */
} Work;

/* Compares once, under the current assignment, and counts into `tally`. */
typedef bool Compare(Work *work, Tally *tally);

/* A Work over a judgement, without buffers. */
[[nodiscard]] Work work_create(ReadJudgement *judgement);
/* Allocates space for the points of each plan. */
void work_point_lists(ReadJudgement *judgement, uint32_t **counts, int64_t ***points);

/* The largest number of assignments that are enumerated for each of `rows` rows. */
[[nodiscard]] uint64_t most_paths(const ReadJudgement *judgement, int64_t rows);
/* Compares under the current assignment. A fault under an assignment that may never occur ends only
 * this comparison, and is kept as doubtful. */
[[nodiscard]] bool compare_once(Work *work, Compare *compare, Tally *tally);
/* Enumerates all assignments of the values that `compare` uses, at most `most`. `is_complete`: they
 * were all. If the first assignment draws so often that there must be more than `most`, only the
 * first is compared. */
[[nodiscard]] bool each_assignment(
    Work *work, Compare *compare, uint64_t most, Tally *tally, bool *is_complete);
/* Compares under all assignments, or under a sample, which the verdict then states. Adds to the
 * judgement's tally. */
[[nodiscard]] bool each_or_sample(Work *work, Compare *compare, uint64_t most);

/* Input-to-output: judges every output element alone, with the points of the maps that can lead to
 * it. */
[[nodiscard]] bool judge_outputs_alone(ReadJudgement *judgement);
/* What the first output element, judged alone, draws under its first assignment, and the number of
 * assignments that this predicts. */
[[nodiscard]] bool probe_outputs_alone(
    ReadJudgement *judgement, uint32_t *draws, uint64_t *estimate);
/* Adds what the maps with runtime variables relate to one element of the tensor that they go
 * from. */
[[nodiscard]] bool add_related(
    Work *work, const StatedMaps *stated, int64_t from, uint64_t *related);

#endif
