/* Cholesky and triangular-solve: the part of a matrix that the recurrences reach. There are n rows
 * and columns; other dimensions are batches.
 *
 * Cholesky, lower: L[i, j], i >= j, depends on A[i, l] with l <= j and on A[k, l] with l <= k <= j;
 * upper is the same with rows and columns exchanged. The semantics leave the other triangle of the
 * output open, so it reads nothing.
 *
 * Triangular-solve of op(A) x = b (left) or x op(A) = b (right): p is the output's index along the
 * solved dimension. It is solved upwards if left and op(A) is lower, or right and op(A) is upper,
 * else downwards. x at p depends on b at q with q <= p (downwards q >= p), and on the elements of
 * op(A) with inner <= outer <= p (p <= outer <= inner), with inner and outer different if the
 * diagonal is all ones. Outer is the row for the left form and the column for the right form. */
#include <assert.h>

#include "core/hlo/attribute.h"
#include "core/index/family.h"

/* A build over the output, with results for the batch dimensions. */
static Build build_batches(const IndexQuery *query) {
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i + 2 < query->input->rank; i++) build_result(&build, build_dim(&build, i));
  return build;
}

[[maybe_unused]] static bool is_square(const Shape *shape) {
  return shape->rank >= 2 && shape->sizes[shape->rank - 2] == shape->sizes[shape->rank - 1];
}

/* Requires least <= high - low. */
static void require_order(Build *build, Expr low, Expr high, int64_t least, int64_t size) {
  build_require(build, build_minus(build, high, low), least, size - 1);
}

static void two_results(Build *build, Expr row, Expr column, bool is_exchanged) {
  build_result(build, is_exchanged ? column : row);
  build_result(build, is_exchanged ? row : column);
}

/* Of the own row A[i, l], l <= j < i; of the rows before A[k, l], l <= k <= j <= i. */
static bool reads_triangle(
    const IndexQuery *query, bool upper, bool is_own_row, IndexResult *answer, Error *error) {
  uint32_t rank = query->output->rank;
  int64_t size = query->output->sizes[rank - 1];
  Build build = build_batches(query);
  Expr i = build_dim(&build, upper ? rank - 1 : rank - 2),
       j = build_dim(&build, upper ? rank - 2 : rank - 1);
  Expr k = is_own_row ? i : build_span(&build, size), l = build_span(&build, size);
  require_order(&build, j, i, is_own_row ? 1 : 0, size);
  if (!is_own_row) require_order(&build, k, j, 0, size);
  require_order(&build, l, is_own_row ? j : k, 0, size);
  two_results(&build, k, l, upper);
  return answer_finish(query, answer, &build, error);
}

bool reads_cholesky(const IndexQuery *query, IndexResult *answer, Error *error) {
  assert(is_square(query->input) && shape_same_sizes(query->input, query->output));
  bool upper = !query->instruction->flag;
  return reads_triangle(query, upper, true, answer, error) &&
         reads_triangle(query, upper, false, answer, error);
}

typedef struct TriangularSolve {
  bool left, upwards, transposed, unit;
  uint32_t along; /* the dimension of the output along which the system is solved */
  int64_t size;
} TriangularSolve;

static TriangularSolve solving(const IndexQuery *query) {
  const Instruction *solve = query->instruction;
  bool transposed = attribute_is(solve, "transpose_a", "TRANSPOSE") ||
                    attribute_is(solve, "transpose_a", "ADJOINT");
  bool lower = attribute_is(solve, "lower", "true") != transposed;
  uint32_t along = query->output->rank - (solve->flag ? 2 : 1);
  return (TriangularSolve){.left = solve->flag,
      .upwards = lower == solve->flag,
      .transposed = transposed,
      .unit = attribute_is(solve, "unit_diagonal", "true"),
      .along = along,
      .size = query->output->sizes[along]};
}

/* Requires that `first` precedes `second` in the order of solving, by at least `least`
 * positions. */
static void require_solved(
    Build *build, const TriangularSolve *one, Expr first, Expr second, int64_t least) {
  if (one->upwards) require_order(build, first, second, least, one->size);
  else require_order(build, second, first, least, one->size);
}

static bool reads_factor(
    const IndexQuery *query, const TriangularSolve *one, IndexResult *answer, Error *error) {
  Build build = build_batches(query);
  Expr outer = build_span(&build, one->size), inner = build_span(&build, one->size);
  require_solved(&build, one, inner, outer, one->unit ? 1 : 0);
  require_solved(&build, one, outer, build_dim(&build, one->along), 0);
  two_results(&build, outer, inner, one->left == one->transposed);
  return answer_finish(query, answer, &build, error);
}

static bool reads_right_side(
    const IndexQuery *query, const TriangularSolve *one, IndexResult *answer, Error *error) {
  Build build = build_over(query->context, query->output);
  Expr element = build_span(&build, one->size);
  require_solved(&build, one, element, build_dim(&build, one->along), 0);
  for (uint32_t i = 0; i < query->input->rank; i++)
    build_result(&build, i == one->along ? element : build_dim(&build, i));
  return answer_finish(query, answer, &build, error);
}

bool reads_triangular_solve(const IndexQuery *query, IndexResult *answer, Error *error) {
  TriangularSolve one = solving(query);
  assert(query->input->rank == query->output->rank && one.along < query->output->rank);
  if (query->operand == 1) return reads_right_side(query, &one, answer, error);
  assert(is_square(query->input) && query->input->sizes[query->input->rank - 1] == one.size);
  return reads_factor(query, &one, answer, error);
}
