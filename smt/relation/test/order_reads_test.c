/* Reads of sorts, triangular solves and Cholesky factors: sorts of three operands by each pair of
 * their comparison's parameters, and algorithms that run on sets of elements instead of numbers.
 * The relation is a union of single pairs; without one of them it is wrong, with one more it has
 * something extra. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "smt/smt.h"

typedef struct OrderFixture {
  MapContext *context;
  Arena *arena;
  Smt *smt;
  const Instruction *root;
} OrderFixture;

static OrderFixture order_begin(const char *text) {
  OrderFixture made = {.context = map_context_create()};
  made.arena = made.context->arena;
  made.smt = smt_create(made.context, nullptr);
  const Module *module;
  Error error = {};
  Source source = {.name = "order", .text = text, .length = strlen(text), .first_line = 1};
  if (!hlo_read(made.arena, &source, &module, &error)) fail_msg("%s\n%s", error.message, text);
  made.root = module->entry->root;
  return made;
}

static void order_end(OrderFixture *made) {
  smt_destroy(made->smt);
  map_context_destroy(made->context);
}

static const Map *order_map(const OrderFixture *made, const char *text) {
  const Map *map;
  Error error = {};
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  if (!map_parse(made->context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

static VerdictReason order_answer(const OrderFixture *made, uint32_t leaf, uint32_t operand,
    uint32_t count, const Map *const *maps) {
  Verdict verdict;
  Error error = {};
  if (!smt_output_to_input(made->smt, made->root, leaf, operand, 0, count, maps, &verdict, &error))
    fail_msg("%s", error.message);
  return verdict.reason;
}

/* ---- sorts ---- */

/* An operand is read along the whole line if it is the output's own, or one that is compared;
 * whether another is read is not known. */
static void check_sort(uint32_t first, uint32_t second, uint32_t dimension) {
  char text[1024];
  snprintf(text, sizeof text,
      "lt { p0 = f32[] parameter(0) p1 = f32[] parameter(1) p2 = f32[] parameter(2)\n"
      "p3 = f32[] parameter(3) p4 = f32[] parameter(4) p5 = f32[] parameter(5)\n"
      "ROOT c = pred[] compare(p%u, p%u), direction=LT }\n"
      "ENTRY e { a = f32[2,3] parameter(0) b = f32[2,3] parameter(1) c = f32[2,3] parameter(2)\n"
      "ROOT r = (f32[2,3], f32[2,3], f32[2,3]) sort(a, b, c), dimensions={%u}, to_apply=lt }\n",
      first, second, dimension);
  OrderFixture made = order_begin(text);
  const Map *lines =
      order_map(&made, dimension == 0 ? "(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 1], d1 in "
                                        "[0, 2], s0 in [0, 1]"
                                      : "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in "
                                        "[0, 2], s0 in [0, 2]");
  for (uint32_t leaf = 0; leaf < 3; leaf++)
    for (uint32_t operand = 0; operand < 3; operand++) {
      bool is_read = leaf == operand || first / 2 == operand || second / 2 == operand;
      assert_int_equal(
          order_answer(&made, leaf, operand, 1, &lines), is_read ? REASON_EXACT : REASON_CONTAINS);
      assert_int_equal(order_answer(&made, leaf, operand, 0, nullptr),
          is_read ? REASON_WRONG : REASON_UNSUPPORTED);
    }
  order_end(&made);
}

static void sorts_read_what_they_compare(void **) {
  uint32_t step = test_length(1, 7, 7);
  for (uint32_t pair = 0; pair < 36; pair += step) check_sort(pair / 6, pair % 6, pair % 2);
}

/* What reads whole lines, exactly. */
static void lines_are_read_as_a_whole(void **) {
  static const struct {
    const char *lines, *map;
  } rows[] = {
      {"a = f32[2,3] parameter(0) ROOT r = (f32[2,1], s32[2,1]) topk(a), k=1, largest=true",
          "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 0], s0 in [0, 2]"},
      {"a = f32[2,2,3] parameter(0) ROOT r = (f32[2,2,2], s32[2,2,2]) topk(a), k=2, largest=false",
          "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, 1], d2 in [0, 1], s0 "
          "in [0, 2]"},
      {"a = c64[2,3] parameter(0) ROOT r = c64[2,3] fft(a), fft_type=FFT, fft_length={3}",
          "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 2], s0 in [0, 2]"},
      {"a = c64[2,3,4] parameter(0) ROOT r = c64[2,3,4] fft(a), fft_type=IFFT, fft_length={3,4}",
          "(d0, d1, d2)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, 1], d1 in [0, 2], d2 in [0, 3], "
          "s0 in [0, 2], s1 in [0, 3]"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[512];
    snprintf(text, sizeof text, "ENTRY e { %s }\n", rows[i].lines);
    OrderFixture made = order_begin(text);
    const Map *map = order_map(&made, rows[i].map);
    assert_int_equal(order_answer(&made, 0, 0, 1, &map), REASON_EXACT);
    order_end(&made);
  }
}

/* ---- solves and factors ---- */

static constexpr uint32_t solve_order = 3;

/* The pair of an output element and an element of the operand, as a map. */
static const Map *pair_map(
    const OrderFixture *made, uint32_t row, uint32_t column, uint32_t read, uint32_t read_columns) {
  return order_map(made,
      arena_printf(made->arena, "(d0, d1) -> (%u, %u), domain: d0 in [%u, %u], d1 in [%u, %u]",
          read / read_columns, read % read_columns, row, row, column, column));
}

/* needs[at] has a bit for each element of the operand that the output element needs. */
static void check_needs(const OrderFixture *made, uint32_t operand, uint32_t count,
    uint32_t columns, const uint32_t *needs, uint32_t size, uint32_t read_columns) {
  const Map *maps[128];
  uint32_t pairs = 0, missing_at = 0, missing = 0;
  for (uint32_t at = 0; at < count; at++)
    for (uint32_t read = 0; read < size; read++)
      if ((needs[at] >> read & 1) != 0)
        maps[pairs++] = pair_map(made, at / columns, at % columns, read, read_columns);
      else missing_at = at, missing = read;
  assert_int_equal(order_answer(made, 0, operand, pairs, maps), REASON_EXACT);
  if (pairs > 0) assert_int_equal(order_answer(made, 0, operand, pairs - 1, maps), REASON_WRONG);
  if (pairs == count * size) return;
  maps[pairs] = pair_map(made, missing_at / columns, missing_at % columns, missing, read_columns);
  assert_int_equal(order_answer(made, 0, operand, pairs + 1, maps), REASON_EXTRA);
}

typedef struct OrderSolve {
  bool is_left, is_lower, is_unit, is_transposed;
} OrderSolve;

/* The element of the matrix at (i, j) of the system for one line of unknowns; none outside of the
 * triangle, and none on a diagonal of ones. */
static uint32_t solve_element(const OrderSolve *solve, uint32_t i, uint32_t j) {
  bool is_turned = solve->is_left == solve->is_transposed;
  uint32_t row = is_turned ? j : i, column = is_turned ? i : j;
  bool is_inside = solve->is_lower ? column <= row : row <= column;
  if (!is_inside || (solve->is_unit && row == column)) return 0;
  return 1u << (solve_order * row + column);
}

/* The unknowns of a line one after another, from the one that no other enters. */
static void solve_needs(
    const OrderSolve *solve, uint32_t matrix[solve_order], uint32_t right[solve_order]) {
  bool is_forward = solve_element(solve, 1, 0) != 0;
  for (uint32_t step = 0; step < solve_order; step++) {
    uint32_t i = is_forward ? step : solve_order - 1 - step;
    matrix[i] = solve_element(solve, i, i);
    right[i] = 1u << i;
    for (uint32_t j = 0; j < solve_order; j++) {
      if (j == i || solve_element(solve, i, j) == 0) continue;
      matrix[i] |= matrix[j] | solve_element(solve, i, j);
      right[i] |= right[j];
    }
  }
}

static void check_solve(const OrderSolve *solve, const char *transpose) {
  char text[512];
  const char *shape = solve->is_left ? "f32[3,1]" : "f32[1,3]";
  snprintf(text, sizeof text,
      "ENTRY e { a = f32[3,3] parameter(0) b = %s parameter(1)\n"
      "ROOT r = %s triangular-solve(a, b), left_side=%s, lower=%s, unit_diagonal=%s, "
      "transpose_a=%s }\n",
      shape, shape, solve->is_left ? "true" : "false", solve->is_lower ? "true" : "false",
      solve->is_unit ? "true" : "false", transpose);
  OrderFixture made = order_begin(text);
  uint32_t matrix[solve_order], right[solve_order], columns = solve->is_left ? 1 : solve_order;
  solve_needs(solve, matrix, right);
  check_needs(&made, 0, solve_order, columns, matrix, 9, solve_order);
  check_needs(&made, 1, solve_order, columns, right, solve_order, columns);
  order_end(&made);
}

static void solves_read_what_substitution_uses(void **) {
  static const char *const transposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  for (uint32_t i = 2; i < 26; i += test_length(1, 3, 11))
    check_solve(&(OrderSolve){i % 2 == 0, i / 2 % 2 == 0, i / 4 % 2 == 0, i % 24 >= 8},
        transposes[i % 24 / 8]);
}

/* l(i, j) from a(i, j), the products l(i, k) l(j, k) of the columns before, and l(j, j). */
static uint32_t factor_reads(bool is_lower, uint32_t i, uint32_t j) {
  uint32_t needs = 1u << (is_lower ? solve_order * i + j : solve_order * j + i);
  for (uint32_t k = 0; k < j; k++)
    needs |= factor_reads(is_lower, i, k) | factor_reads(is_lower, j, k);
  return i == j ? needs : needs | factor_reads(is_lower, j, j);
}

static void factors_read_what_the_algorithm_uses(void **) {
  for (uint32_t is_lower = 0; is_lower < 2; is_lower++) {
    char text[256];
    uint32_t needs[9];
    snprintf(text, sizeof text,
        "ENTRY e { a = f32[3,3] parameter(0)\nROOT r = f32[3,3] cholesky(a), lower=%s }\n",
        is_lower ? "true" : "false");
    OrderFixture made = order_begin(text);
    for (uint32_t at = 0; at < 9; at++) {
      uint32_t i = is_lower ? at / 3 : at % 3, j = is_lower ? at % 3 : at / 3;
      needs[at] = j > i ? 0 : factor_reads(is_lower, i, j);
    }
    check_needs(&made, 0, 9, solve_order, needs, 9, solve_order);
    order_end(&made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sorts_read_what_they_compare),
      cmocka_unit_test(lines_are_read_as_a_whole),
      cmocka_unit_test(solves_read_what_substitution_uses),
      cmocka_unit_test(factors_read_what_the_algorithm_uses)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
