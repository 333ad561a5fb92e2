/* Compares read sets of computing operations with the computation itself: one operand element is
 * changed at a time, everything is recomputed in floating point, and the outputs that change are
 * those that read the element. Systems are solved by elimination of the whole matrix, not row by
 * row, so that the test does not depend on the order in which unknowns depend on each other. */
#include <math.h>

#include "oracle/test/test_module.h"

static constexpr uint32_t most_elements = 64, most_tensors = 5;
static constexpr double changed = 1e-7;

typedef struct Tensors {
  double in[most_tensors][most_elements], out[most_tensors][most_elements];
} Tensors;

typedef struct PerturbOption {
  bool is_lower, is_left, is_transposed, is_unit;
} PerturbOption;

typedef void Compute(Tensors *tensors, PerturbOption option);

static uint64_t state_of_random = 0x9e3779b97f4a7c15;

static double random_number(void) {
  state_of_random ^= state_of_random << 13;
  state_of_random ^= state_of_random >> 7;
  state_of_random ^= state_of_random << 17;
  return 0.5 + (double)(state_of_random >> 11) / (double)(UINT64_C(1) << 53);
}

/* Compares the dependences found by changing one operand element at a time with the read set. */
static void check_against(const char *what, const char *lines, uint32_t leaf, uint32_t operand,
    int64_t in_size, int64_t out_size, const Tensors *base, Compute *compute,
    PerturbOption option) {
  OracleFixture bench = bench_create();
  const Instruction *root = root_of(&bench, lines);
  bool depends[most_elements][most_elements] = {};
  Tensors before = *base;
  compute(&before, option);
  for (int64_t x = 0; x < in_size; x++) {
    Tensors after = *base;
    after.in[operand][x] += 0.25;
    compute(&after, option);
    for (int64_t y = 0; y < out_size; y++)
      depends[y][x] = !(fabs(after.out[leaf][y] - before.out[leaf][y]) < changed);
  }
  Text text = text_create(bench.arena);
  text_string(&text, "");
  for (int64_t y = 0; y < out_size; y++) {
    text_string(&text, y == 0 ? "" : "|");
    for (int64_t x = 0, first = 1; x < in_size; x++)
      if (depends[y][x]) text_printf(&text, first ? "%lld" : " %lld", (long long)x), first = 0;
  }
  const char *reads = reads_of_leaf(&bench, root, leaf, operand, 0);
  if (strcmp(text.bytes, reads) != 0)
    fail_msg("%s, output %u, operand %u\ndepends: %s\nreads:   %s", what, leaf, operand, text.bytes,
        reads);
  bench_destroy(&bench);
}

static constexpr int n = 4;

/* The factor of a matrix of which one triangle is given. The other triangle of the result is 0 and
 * is not compared. */
static void factor(Tensors *tensors, PerturbOption option) {
  double a[n][n], l[n][n] = {};
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[i][j] = a[j][i] = tensors->in[0][option.is_lower ? i * n + j : j * n + i];
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double sum = a[i][j];
      for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) tensors->out[0][option.is_lower ? i * n + j : j * n + i] = l[i][j];
}

static void perturb_fill(Tensors *tensors) {
  for (uint32_t t = 0; t < most_tensors; t++)
    for (uint32_t i = 0; i < most_elements; i++) tensors->in[t][i] = random_number();
}

static void cholesky_reads_what_its_factor_depends_on(void **state) {
  (void)state;
  for (int lower = 0; lower < 2; lower++) {
    Tensors tensors = {};
    char lines[160];
    perturb_fill(&tensors);
    for (int i = 0; i < n; i++) tensors.in[0][i * n + i] += 10;
    snprintf(lines, sizeof lines,
        "a = f64[4,4] parameter(0)\nROOT r = f64[4,4] cholesky(a), lower=%s",
        lower ? "true" : "false");
    check_against(
        lines, lines, 0, 0, n * n, n * n, &tensors, factor, (PerturbOption){.is_lower = lower});
  }
}

static constexpr int columns = 2;

/* Solves m * x = b for several right-hand sides by elimination with pivots. */
static void eliminate(double m[n][n], double b[n][columns]) {
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k; i < n; i++)
      if (fabs(m[i][k]) > fabs(m[pivot][k])) pivot = i;
    for (int j = 0; j < n; j++) {
      double other = m[k][j];
      m[k][j] = m[pivot][j];
      m[pivot][j] = other;
    }
    for (int j = 0; j < columns; j++) {
      double other = b[k][j];
      b[k][j] = b[pivot][j];
      b[pivot][j] = other;
    }
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      double factor_of_row = m[i][k] / m[k][k];
      for (int j = 0; j < n; j++) m[i][j] -= factor_of_row * m[k][j];
      for (int j = 0; j < columns; j++) b[i][j] -= factor_of_row * b[k][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < columns; j++) b[i][j] /= m[i][i];
}

/* op(a) * x = b, or x * op(a) = b, that is op(a)^T * x^T = b^T. */
static void solve(Tensors *tensors, PerturbOption option) {
  double m[n][n], b[n][columns];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      bool is_used = option.is_lower ? j <= i : j >= i;
      double value = !is_used ? 0 : i == j && option.is_unit ? 1 : tensors->in[0][i * n + j];
      if (option.is_transposed == option.is_left) m[j][i] = value;
      else m[i][j] = value;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < columns; j++)
      b[i][j] = tensors->in[1][option.is_left ? i * columns + j : j * n + i];
  eliminate(m, b);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < columns; j++)
      tensors->out[0][option.is_left ? i * columns + j : j * n + i] = b[i][j];
}

static void triangular_solve_reads_what_its_unknowns_depend_on(void **state) {
  (void)state;
  for (int bits = 0; bits < 16; bits++) {
    PerturbOption option = {
        .is_lower = bits & 1, .is_left = bits & 2, .is_transposed = bits & 4, .is_unit = bits & 8};
    Tensors tensors = {};
    char lines[400];
    const char *right = option.is_left ? "f64[4,2]" : "f64[2,4]";
    perturb_fill(&tensors);
    snprintf(lines, sizeof lines,
        "a = f64[4,4] parameter(0)\nb = %s parameter(1)\nROOT r = %s triangular-solve(a, b), left_side=%s, lower=%s, unit_diagonal=%s, transpose_a=%s",
        right, right, option.is_left ? "true" : "false", option.is_lower ? "true" : "false",
        option.is_unit ? "true" : "false", option.is_transposed ? "TRANSPOSE" : "NO_TRANSPOSE");
    check_against(lines, lines, 0, 0, n * n, n * columns, &tensors, solve, option);
    check_against(lines, lines, 0, 1, n * columns, n * columns, &tensors, solve, option);
  }
}

/* --- batch normalization of [2, 3, 2], features along dimension 1 --- */

static constexpr int features = 3, elements = 12, per_feature = 4;
static constexpr double epsilon = 0.01;
static int feature_of(int i) { return i / 2 % features; }

static void mean_of(const double *x, double *mean) {
  for (int f = 0; f < features; f++) mean[f] = 0;
  for (int i = 0; i < elements; i++) mean[feature_of(i)] += x[i] / per_feature;
}

static void train(Tensors *t, PerturbOption option) {
  (void)option;
  double *mean = t->out[1], *variance = t->out[2], squares[most_elements];
  mean_of(t->in[0], mean);
  for (int i = 0; i < elements; i++)
    squares[i] = (t->in[0][i] - mean[feature_of(i)]) * (t->in[0][i] - mean[feature_of(i)]);
  mean_of(squares, variance);
  for (int i = 0, f = 0; i < elements; i++, f = feature_of(i))
    t->out[0][i] =
        (t->in[0][i] - mean[f]) / sqrt(variance[f] + epsilon) * t->in[1][f] + t->in[2][f];
}

static void infer(Tensors *t, PerturbOption option) {
  (void)option;
  for (int i = 0, f = 0; i < elements; i++, f = feature_of(i))
    t->out[0][i] =
        (t->in[0][i] - t->in[3][f]) / sqrt(t->in[4][f] + epsilon) * t->in[1][f] + t->in[2][f];
}

/* The derivatives of a sum of gradient[i] * train(x)[i], with the given mean and variance. */
static void differentiate(Tensors *t, PerturbOption option) {
  (void)option;
  const double *x = t->in[0], *scale = t->in[1], *mean = t->in[2], *variance = t->in[3],
               *gradient = t->in[4];
  double *of_scale = t->out[1], *of_offset = t->out[2], products[most_elements];
  for (int i = 0, f = 0; i < elements; i++, f = feature_of(i))
    products[i] = gradient[i] * (x[i] - mean[f]) / sqrt(variance[f] + epsilon);
  mean_of(products, of_scale);
  mean_of(gradient, of_offset);
  for (int i = 0, f = 0; i < elements; i++, f = feature_of(i))
    t->out[0][i] =
        scale[f] / sqrt(variance[f] + epsilon) *
        (gradient[i] - of_offset[f] - (x[i] - mean[f]) * of_scale[f] / sqrt(variance[f] + epsilon));
}

typedef struct Normalization {
  const char *lines;
  uint32_t operands, outputs;
  int64_t in_sizes[most_tensors], out_sizes[most_tensors];
  Compute *compute;
} Normalization;

#define VECTORS "x = f64[2,3,2] parameter(0)\nb = f64[3] parameter(1)\nc = f64[3] parameter(2)\n"

static void normalization_reads_what_it_depends_on(void **state) {
  (void)state;
  static const Normalization all[] = {
      {VECTORS
          "ROOT r = (f64[2,3,2], f64[3], f64[3]) batch-norm-training(x, b, c), epsilon=0.01, feature_index=1",
          3, 3, {12, 3, 3}, {12, 3, 3}, train},
      {VECTORS
          "d = f64[3] parameter(3)\ne = f64[3] parameter(4)\nROOT r = f64[2,3,2] batch-norm-inference(x, b, c, d, e), epsilon=0.01, feature_index=1",
          5, 1, {12, 3, 3, 3, 3}, {12}, infer},
      {VECTORS
          "d = f64[3] parameter(3)\ne = f64[2,3,2] parameter(4)\n"
          "ROOT r = (f64[2,3,2], f64[3], f64[3]) batch-norm-grad(x, b, c, d, e), epsilon=0.01, feature_index=1",
          5, 3, {12, 3, 3, 3, 12}, {12, 3, 3}, differentiate},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (uint32_t operand = 0; operand < all[i].operands; operand++)
      for (uint32_t leaf = 0; leaf < all[i].outputs; leaf++) {
        Tensors tensors = {};
        perturb_fill(&tensors);
        check_against(all[i].lines, all[i].lines, leaf, operand, all[i].in_sizes[operand],
            all[i].out_sizes[leaf], &tensors, all[i].compute, (PerturbOption){});
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cholesky_reads_what_its_factor_depends_on),
      cmocka_unit_test(triangular_solve_reads_what_its_unknowns_depend_on),
      cmocka_unit_test(normalization_reads_what_it_depends_on),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
