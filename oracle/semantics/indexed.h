/* Rows of indices, shared by gather and scatter. A row is the index vector of one batch position;
 * batch positions are numbered in row-major order. */
#ifndef ORACLE_SEMANTICS_INDEXED_H
#define ORACLE_SEMANTICS_INDEXED_H

#include "core/hlo/compare.h"
#include "oracle/semantics/reading.h"

/* The element of the indices that is component `component` of the row of a batch index. If the
 * index vector dimension is after the last dimension, a row has one component. */
[[nodiscard]] int64_t index_element(
    const Leaf *indices, int64_t vector_dimension, const int64_t *batch, int64_t component);
/* The position of a dimension of the indices after the index vector dimension is removed. */
[[nodiscard]] int64_t batch_position(int64_t dimension, int64_t vector_dimension);
/* The value of an index that is clamped to, or only valid in, 0 .. most. One value on either side
 * also matters. */
[[nodiscard]] bool start_value(
    Reading *reading, uint32_t operand, int64_t element, int64_t most, Wide *start);

/* The dimension numbers of a scatter, and the dimensions of the updates that are not window
 * dimensions. */
typedef struct ScatterRows {
  const ScatterNumbers *numbers;
  const Leaf *out, *indices, *updates;
  uint32_t indices_operand, batch_rank;
  uint32_t batch_dimensions[oracle_max_rank];
  uint32_t window_dimensions[oracle_max_rank]; /* of the updates, by the output's dimension;
                                                  no_operand if the window is 1 wide */
} ScatterRows;
[[nodiscard]] ScatterRows scatter_rows(const Node *scatter);
[[nodiscard]] int64_t scatter_rows_count(const ScatterRows *rows);
/* Where a window starts along a dimension that no index places: at its batch position if it is a
 * batching dimension, else at 0. */
[[nodiscard]] int64_t scatter_batch_start(
    const ScatterRows *rows, const int64_t *batch, uint32_t dimension);

/* Of a scatter: the number of index rows that place its updates, and the row that places an element
 * of the updates. */
[[nodiscard]] int64_t scatter_row_count(const Node *scatter);
[[nodiscard]] int64_t scatter_row_of(const Node *scatter, int64_t element);

#endif
