/* What gather and scatter share: rows of indices. A row is the index vector of one place of the
 * batch; places are numbered in row-major order. */
#ifndef ORACLE_INDEXED_H
#define ORACLE_INDEXED_H

#include "oracle/semantics/reading.h"

[[nodiscard]] bool names_dimension(const Ints *dimensions, int64_t dimension);
/* The index of component `component` of the row of indices that belongs to a batch index; a row
 * after the last dimension has one component. */
[[nodiscard]] int64_t index_element(
    const Leaf *indices, int64_t vector_dimension, const int64_t *batch, int64_t component);
/* The position of a dimension of the indices among those that are left without the index
 * vector's. */
[[nodiscard]] int64_t batch_position(int64_t dimension, int64_t vector_dimension);
/* The value of an index of which 0 .. most make a difference, and one on either side. */
[[nodiscard]] bool start_value(
    Reading *reading, uint32_t operand, int64_t element, int64_t most, Wide *start);
void read_all_of(Reading *reading, uint32_t first, uint32_t end);

/* Of a scatter: how many rows of indices place its updates, and which of them places an element of
 * the updates. */
[[nodiscard]] int64_t scatter_row_count(const Node *scatter);
[[nodiscard]] int64_t scatter_row_of(const Node *scatter, int64_t element);

#endif
