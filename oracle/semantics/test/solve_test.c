/* Triangular solves and Cholesky factors: the algorithm is run on sets of elements instead of
 * numbers, in every combination of its attributes, on two matrices at once. */
#include "oracle/test/test_module.h"

static constexpr int order = 3, columns = 2, batches = 2;

/* Elements of one matrix, one bit each; of the right side the same. */
typedef struct Needs {
  uint64_t of_matrix, of_right;
} Needs;

static Needs joined(Needs a, Needs b) {
  return (Needs){a.of_matrix | b.of_matrix, a.of_right | b.of_right};
}

static void print_set(Text *text, uint64_t set, int first, bool is_start) {
  text_string(text, is_start ? "" : "|");
  for (int i = 0, is_first = 1; i < 64; i++)
    if ((set >> i & 1) != 0) text_printf(text, is_first ? "%d" : " %d", first + i), is_first = 0;
}

typedef struct Solve {
  bool is_left, is_lower, is_unit;
  const char *transpose;
} Solve;

/* The element of the matrix that stands at (i, j) in the system for the unknowns of one column;
 * none outside of the triangle, and none on a diagonal of ones. */
static uint64_t coefficient(const Solve *solve, int i, int j) {
  int row = solve->is_left ? i : j, column = solve->is_left ? j : i;
  if (strcmp(solve->transpose, "NO_TRANSPOSE") != 0) {
    int other = row;
    row = column;
    column = other;
  }
  bool is_inside = solve->is_lower ? column <= row : row <= column;
  if (!is_inside || (solve->is_unit && row == column)) return 0;
  return UINT64_C(1) << (order * row + column);
}

/* Unknowns are found from the one that no other enters. */
static void solve_by_substitution(const Solve *solve, int line, Needs unknowns[order]) {
  bool is_forward = coefficient(solve, 1, 0) != 0;
  for (int step = 0; step < order; step++) {
    int i = is_forward ? step : order - 1 - step;
    int right = solve->is_left ? columns * i + line : order * line + i;
    Needs needs = {coefficient(solve, i, i), UINT64_C(1) << right};
    for (int j = 0; j < order; j++)
      if (j != i && coefficient(solve, i, j) != 0)
        needs = joined(needs, joined(unknowns[j], (Needs){.of_matrix = coefficient(solve, i, j)}));
    unknowns[i] = needs;
  }
}

static void check_solve(const Solve *solve) {
  OracleFixture bench = bench_create();
  const char *right = solve->is_left ? "f32[2,3,2]" : "f32[2,2,3]";
  const Instruction *root = root_of(&bench,
      arena_printf(bench.arena,
          "a = f32[2,3,3] parameter(0)\nb = %s parameter(1)\nROOT r = %s triangular-solve(a, b), "
          "left_side=%s, lower=%s, unit_diagonal=%s, transpose_a=%s",
          right, right, solve->is_left ? "true" : "false", solve->is_lower ? "true" : "false",
          solve->is_unit ? "true" : "false", solve->transpose));
  Text matrix = text_create(bench.arena), sides = text_create(bench.arena);
  for (int element = 0; element < batches * order * columns; element++) {
    Needs unknowns[order];
    int batch = element / (order * columns), within = element % (order * columns);
    int line = solve->is_left ? within % columns : within / order;
    int at = solve->is_left ? within / columns : within % order;
    solve_by_substitution(solve, line, unknowns);
    print_set(&matrix, unknowns[at].of_matrix, batch * order * order, element == 0);
    print_set(&sides, unknowns[at].of_right, batch * order * columns, element == 0);
  }
  assert_string_equal(reads_of(&bench, root, 0), matrix.bytes);
  assert_string_equal(reads_of(&bench, root, 1), sides.bytes);
  bench_destroy(&bench);
}

static void solves_read_what_substitution_uses(void **state) {
  (void)state;
  static const char *const transposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  for (int i = 0; i < 24; i++)
    check_solve(&(Solve){i % 2 == 0, i / 2 % 2 == 0, i / 4 % 2 == 0, transposes[i / 8]});
}

/* factor_needs(i, j) = (a(i, j) - sum of factor_needs(i, k) factor_needs(j, k)) / factor_needs(j,
 * j), and on the diagonal the root of the same difference. */
static uint64_t factor_needs(bool is_lower, int i, int j) {
  uint64_t needs = UINT64_C(1) << (is_lower ? order * i + j : order * j + i);
  for (int k = 0; k < j; k++) needs |= factor_needs(is_lower, i, k) | factor_needs(is_lower, j, k);
  return i == j ? needs : needs | factor_needs(is_lower, j, j);
}

static void factors_read_what_the_algorithm_uses(void **state) {
  (void)state;
  for (int is_lower = 0; is_lower < 2; is_lower++) {
    OracleFixture bench = bench_create();
    const Instruction *root = root_of(
        &bench, arena_printf(bench.arena,
                    "a = f32[2,3,3] parameter(0)\nROOT r = f32[2,3,3] cholesky(a), lower=%s",
                    is_lower ? "true" : "false"));
    Text expected = text_create(bench.arena);
    for (int element = 0; element < batches * order * order; element++) {
      int row = element / order % order, column = element % order;
      int i = is_lower ? row : column, j = is_lower ? column : row;
      print_set(&expected, j > i ? 0 : factor_needs(is_lower, i, j),
          element / (order * order) * order * order, element == 0);
    }
    assert_string_equal(reads_of(&bench, root, 0), expected.bytes);
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_read_what_substitution_uses),
      cmocka_unit_test(factors_read_what_the_algorithm_uses),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
