/* Rows of indices, shared by gather and scatter. A row is the index vector of one batch position;
 * batch positions are numbered in row-major order. */
#ifndef ORACLE_SEMANTICS_INDEXED_H
#define ORACLE_SEMANTICS_INDEXED_H

#include "oracle/semantics/reading.h"

[[nodiscard]] bool names_dimension(const Ints *dimensions, int64_t dimension);
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

/* Of a scatter: the number of index rows that place its updates, and the row that places an element
 * of the updates. */
[[nodiscard]] int64_t scatter_row_count(const Node *scatter);
[[nodiscard]] int64_t scatter_row_of(const Node *scatter, int64_t element);

#endif
