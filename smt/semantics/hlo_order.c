/* Operations along whole dimensions. sort, topk and fft read the whole dimension for every output
 * element; of a sort, what its comparison does not use is a bound, except the output's own operand.
 * Cholesky and triangular-solve read the part of the triangle that the element depends on. */
#include <assert.h>
#include <string.h>

#include "smt/semantics/hlo_reading.h"

/* Reads at the output's index, except `count` dimensions from `first` on, which cover the whole
 * operand. */
static Access *read_along(SmtReading *reading, uint32_t operand, uint32_t first, uint32_t count) {
  assert(operand < reading->instruction->operand_count);
  Access *access = reading_access(reading, operand, 0);
  const Shape *shape = operand_leaf_shape(reading, operand, 0);
  for (uint32_t i = 0; i < access->rank; i++) {
    bool along = first <= i && i < first + count;
    access->element[i] =
        along ? piece_hidden(reading->sums, &access->piece, "any", 0, (Wide)shape->sizes[i] - 1)
              : reading->index[i];
  }
  return access;
}

/* The order depends on the operands that the comparison uses. */
bool reads_of_sort(SmtReading *reading) {
  const Instruction *sort = reading->instruction;
  uint32_t dimension = sort->dimensions.count == 0 ? 0 : (uint32_t)sort->dimensions.values[0];
  for (uint32_t k = 0; k < sort->operand_count; k++) {
    Access *access = read_along(reading, k, dimension, 1);
    bool is_read = k == reading->leaf || sort->called_count != 1 ||
                   reading_body_uses(reading, sort->called[0], 2 * (int64_t)k) ||
                   reading_body_uses(reading, sort->called[0], 2 * (int64_t)k + 1);
    if (!is_read) access->at_most = "the comparison does not use this operand";
  }
  return true;
}

bool reads_of_topk(SmtReading *reading) {
  (void)read_along(reading, 0, reading->shape->rank - 1, 1);
  return true;
}

bool reads_of_fft(SmtReading *reading) {
  uint32_t lengths = reading->instruction->sizes.count;
  (void)read_along(reading, 0, reading->shape->rank - lengths, lengths);
  return true;
}

/* With l the lower triangle, row i, column j <= i: l[i][j] needs a[i][0..j] and the triangle
 * a[m][0..m] for m <= j. The upper factor is the mirror image. Outside its triangle the output is
 * unspecified and reads nothing. */
bool reads_of_cholesky(SmtReading *reading) {
  uint32_t rank = reading->shape->rank;
  bool lower = reading->instruction->flag;
  uint32_t row_dim = lower ? rank - 2 : rank - 1, column_dim = lower ? rank - 1 : rank - 2;
  Sum i = reading->index[row_dim], j = reading->index[column_dim];
  Access *row = read_along(reading, 0, rank - 2, 2);
  piece_ordered(reading->sums, &row->piece, j, i);
  piece_equal(reading->sums, &row->piece, row->element[row_dim], i);
  piece_ordered(reading->sums, &row->piece, row->element[column_dim], j);
  Access *before = read_along(reading, 0, rank - 2, 2);
  piece_ordered(reading->sums, &before->piece, j, i);
  piece_ordered(reading->sums, &before->piece, before->element[row_dim], j);
  piece_ordered(
      reading->sums, &before->piece, before->element[column_dim], before->element[row_dim]);
  return true;
}

static bool attribute_is(const SmtReading *reading, const char *name, const char *text) {
  const Attribute *attribute = instruction_attribute(reading->instruction, name);
  return attribute != nullptr && strcmp(attribute->text, text) == 0;
}

/* Reads m[p][q] with q <= p <= i of a lower triangle, i <= p <= q of an upper one; without the
 * diagonal if `unit`. */
static void read_triangle(
    SmtReading *reading, Sum i, uint32_t row_dim, uint32_t column_dim, bool lower, bool unit) {
  assert(sums_has(reading->sums, i));
  uint32_t rank = operand_leaf_shape(reading, 0, 0)->rank;
  Access *matrix = read_along(reading, 0, rank - 2, 2);
  Sum p = matrix->element[row_dim], q = matrix->element[column_dim];
  Sum beside = unit ? sum_plus(reading->sums, q, lower ? 1 : -1) : q;
  piece_ordered(reading->sums, &matrix->piece, lower ? beside : p, lower ? p : beside);
  piece_ordered(reading->sums, &matrix->piece, lower ? p : i, lower ? i : p);
}

/* op(a) x = b, or x op(a) = b, which is op(a)^T x^T = b^T. Let m be that matrix. If m is lower,
 * x[i] needs b[0..i] and m[p][q] for q <= p <= i; if m is upper, the reverse. A diagonal of ones is
 * not read. */
bool reads_of_triangular_solve(SmtReading *reading) {
  uint32_t rank = reading->shape->rank;
  bool left = reading->instruction->flag, unit = attribute_is(reading, "unit_diagonal", "true");
  bool transposed = (instruction_attribute(reading->instruction, "transpose_a") != nullptr &&
                        !attribute_is(reading, "transpose_a", "NO_TRANSPOSE")) != !left;
  bool lower = attribute_is(reading, "lower", "true") != transposed;
  uint32_t side = left ? rank - 2 : rank - 1, row_dim = transposed ? rank - 1 : rank - 2,
           column_dim = transposed ? rank - 2 : rank - 1;
  Sum i = reading->index[side];
  Access *right = read_along(reading, 1, side, 1);
  if (lower) piece_ordered(reading->sums, &right->piece, right->element[side], i);
  else piece_ordered(reading->sums, &right->piece, i, right->element[side]);
  read_triangle(reading, i, row_dim, column_dim, lower, unit);
  return true;
}
