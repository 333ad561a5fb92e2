/* Operations that read along whole dimensions.
 * sort: every output element reads the whole line of every operand, because the order depends on
 * the operands that the comparison uses. Lines of operands that it does not use, and that are not
 * the output's own, are listed as well; the list is then a bound.
 * topk: every output element reads the whole line.
 * fft: everything in the last dimensions, as many as fft_length names.
 * cholesky: reads only the named triangle. Lower: factor (i, j) with j <= i depends on the elements
 * (p, q), q <= p, with p <= j, and on row i up to j. The other triangle of the output is
 * unspecified and reads nothing. Upper: the same with rows and columns exchanged.
 * triangular-solve: solves row by row from the corner. Unknown i reads the right-hand sides of its
 * column up to i and the triangle's rows up to i, without the diagonal if unit_diagonal is set. If
 * the triangle is (after transposing) upper, "up to i" is "from i on". */
#include <string.h>

#include "oracle/semantics/product.h"

static void read_lines(Reading *reading, uint32_t operand, const bool *runs) {
  Product product;
  product_begin(reading, operand, &product);
  for (uint32_t i = 0; i < product.leaf->rank; i++) {
    if (runs[i]) product_add_all(&product, i);
    else product_add(&product, i, reading->at[i]);
  }
  product_read(reading, &product);
}

bool read_sort(Reading *reading) {
  const Instruction *sort = reading->node->instruction;
  bool runs[oracle_max_rank] = {};
  if (sort->dimensions.count != 1 || sort->called_count != 1) return read_unsupported(reading);
  assert(sort->dimensions.values[0] >= 0 && sort->dimensions.values[0] < oracle_max_rank);
  runs[sort->dimensions.values[0]] = true;
  for (uint32_t operand = 0; operand < sort->operand_count; operand++) {
    if (!read_wants(reading, operand)) continue;
    bool is_used = operand == reading->leaf ||
                   body_uses(reading->arena, sort->called[0], 2 * (int64_t)operand) ||
                   body_uses(reading->arena, sort->called[0], 2 * (int64_t)operand + 1);
    reading->is_bound = reading->is_bound || !is_used;
    read_lines(reading, operand, runs);
  }
  return true;
}

bool read_topk(Reading *reading) {
  bool runs[oracle_max_rank] = {};
  uint32_t rank = read_operand(reading, 0)->rank;
  if (rank == 0) return read_unsupported(reading);
  runs[rank - 1] = true;
  read_lines(reading, 0, runs);
  return true;
}

bool read_fft(Reading *reading) {
  const Instruction *fft = reading->node->instruction;
  bool runs[oracle_max_rank] = {};
  uint32_t rank = read_operand(reading, 0)->rank;
  if (fft->sizes.count == 0 || fft->sizes.count > rank) return read_unsupported(reading);
  for (uint32_t i = rank - fft->sizes.count; i < rank; i++) runs[i] = true;
  read_lines(reading, 0, runs);
  return true;
}

/* Compares the attribute's text; `otherwise` is the result if the attribute is missing. */
static bool order_attribute_is(
    const Instruction *instruction, const char *name, const char *value, bool otherwise) {
  const Attribute *attribute = instruction_attribute(instruction, name);
  return attribute == nullptr ? otherwise : strcmp(attribute->text, value) == 0;
}

/* Reads (row, column) of the matrix at the output element's batch index. */
static void read_matrix_element(Reading *reading, uint32_t operand, int64_t row, int64_t column) {
  const Leaf *leaf = read_operand(reading, operand);
  int64_t at[oracle_max_rank] = {};
  for (uint32_t i = 0; i + 2 < leaf->rank; i++) at[i] = reading->at[i];
  assert(leaf->rank >= 2);
  at[leaf->rank - 2] = row;
  at[leaf->rank - 1] = column;
  read_index(reading, operand, at);
}

bool read_cholesky(Reading *reading) {
  const Leaf *leaf = read_operand(reading, 0);
  if (leaf->rank < 2) return read_unsupported(reading);
  bool is_lower = order_attribute_is(reading->node->instruction, "lower", "true", false);
  int64_t row = reading->at[leaf->rank - 2], column = reading->at[leaf->rank - 1];
  int64_t i = is_lower ? row : column, j = is_lower ? column : row;
  if (j > i) return true;
  for (int64_t p = 0; p <= i; p++)
    for (int64_t q = 0; q <= p && q <= j; q++)
      if (p <= j || p == i) read_matrix_element(reading, 0, is_lower ? p : q, is_lower ? q : p);
  return true;
}

/* Whether unknown i reads element (p, q) of the matrix, after transposing. */
static bool counts(bool is_lower, bool is_unit, int64_t i, int64_t p, int64_t q) {
  bool in_triangle = is_lower ? q <= p : q >= p;
  bool in_reach = is_lower ? p <= i : p >= i;
  return in_triangle && in_reach && !(is_unit && p == q);
}

bool read_triangular_solve(Reading *reading) {
  const Instruction *solve = reading->node->instruction;
  const Leaf *matrix = read_operand(reading, 0), *right = read_operand(reading, 1);
  bool is_known = order_attribute_is(solve, "transpose_a", "NO_TRANSPOSE", true) ||
                  order_attribute_is(solve, "transpose_a", "TRANSPOSE", true) ||
                  order_attribute_is(solve, "transpose_a", "ADJOINT", true);
  if (matrix->rank < 2 || right->rank != matrix->rank || !is_known)
    return read_unsupported(reading);
  bool is_left = order_attribute_is(solve, "left_side", "true", false),
       is_unit = order_attribute_is(solve, "unit_diagonal", "true", false);
  bool is_transposed = !order_attribute_is(solve, "transpose_a", "NO_TRANSPOSE", true);
  bool is_lower = order_attribute_is(solve, "lower", "true", false);
  int64_t n = matrix->sizes[matrix->rank - 1];
  assert(n == matrix->sizes[matrix->rank - 2]);
  /* x * op(a) = b is op(a)^T * x^T = b^T: one more transposition. */
  bool is_flipped = is_transposed != !is_left;
  bool is_forward = is_lower != is_flipped;
  int64_t row = reading->at[right->rank - 2], column = reading->at[right->rank - 1];
  int64_t i = is_left ? row : column;
  for (int64_t p = 0; p < n; p++) {
    if (read_wants(reading, 1) && (is_forward ? p <= i : p >= i))
      read_matrix_element(reading, 1, is_left ? p : row, is_left ? column : p);
    for (int64_t q = 0; q < n && read_wants(reading, 0); q++)
      if (counts(is_forward, is_unit, i, p, q))
        read_matrix_element(reading, 0, is_flipped ? q : p, is_flipped ? p : q);
  }
  return true;
}
