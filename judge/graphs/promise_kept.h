/* The indices of gathers and scatters, and whether they keep a promise, by enumeration. */
#ifndef JUDGE_GRAPHS_PROMISE_KEPT_H
#define JUDGE_GRAPHS_PROMISE_KEPT_H

#include "core/hlo/graph.h"

/* The array of indices of a gather or a scatter. */
[[nodiscard]] const Instruction *promise_indices(const Instruction *instruction);

/* What comes before copies and reshapes, which keep elements and their order. */
[[nodiscard]] const Instruction *before_reshapes(const Instruction *instruction);

/* How the elements of the array are tuples of indices. The component `at` of a tuple is the element
 * (tuple / inner * width + at) * inner + tuple % inner of the array, in row-major order. */
typedef struct IndexForm {
  int64_t count, width, inner;
  const Ints *dims; /* of the operand, by component */
  const Ints *batching,
      *along_these; /* the batching dimensions of the operand and of the indices */
} IndexForm;
[[nodiscard]] IndexForm index_form(const Instruction *instruction);

/* Whether windows of the second scatter are apart wherever those of the first are, if both have the
 * same tuples. */
[[nodiscard]] bool windows_are_as_small(const Instruction *first, const Instruction *second);

/* True if there is one tuple of indices at most, or if the indices are a constant, an iota, or a
 * copy or reshape of them, and the tuples are in ascending order. */
[[nodiscard]] bool indices_ascend(const Instruction *instruction);
/* The same, if no two windows of the scatter have an element in common. */
[[nodiscard]] bool indices_are_apart(const Instruction *scatter);

#endif
