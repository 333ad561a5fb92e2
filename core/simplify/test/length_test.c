/* Rules of order "text" decrease a length: it is the length of the printed sum. */
#include "core/expr/visit.h"
#include "core/simplify/engine.h"
#include "core/simplify/normal/normal.h"
#include "core/simplify/test/test_world.h"

/* A product in a product is printed in parentheses, which are not counted. */
static bool is_nested_product(void *state, Expr, ExprNode node) {
  const ExprPool *pool = state;
  return node.op == EXPR_MUL && expr_node(pool, node.left)->op == EXPR_MUL;
}

static void check_length(SimplifyFixture *world, const Map *map, Expr expr) {
  Simplifier *simplifier = world->simplifier;
  simplifier->normal.has_overflow = false;
  simplifier_begin(simplifier, map);
  simplifier->rules_off = true;
  NormalSum *sum = convert_in(simplifier, expr);
  simplifier->rules_off = false;
  if (sum == nullptr) return;
  simplifier->leads = true; /* as in the stage of these rules */
  simplifier->writing++;
  Text text = text_create(world->context->arena);
  Map plain = *map; /* with the usual names */
  for (uint32_t i = 0; i < map_variable_count(map); i++) map_variable(&plain, i)->name = nullptr;
  Expr written = convert_out(simplifier, sum);
  expr_print(&text, world->context, &plain, written, MAP_STYLE_LINE);
  simplifier->leads = false;
  simplifier->writing++;
  Memo seen = memo_create(world->context->arena);
  if (expr_any(world->context->pool, &seen, written, is_nested_product, world->context->pool))
    return;
  bool has_least =
      strstr(text.bytes, "-9223372036854775808") != nullptr; /* printed with its sign */
  if (sum_length(sum) != text.length && !has_least)
    fail_msg("%llu, not %zu: %s", (unsigned long long)sum_length(sum), text.length, text.bytes);
}

static void a_sum_is_as_long_as_its_text(void **) {
  SimplifyFixture world = open_world();
  uint32_t checked = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    MapMark mark = map_context_mark(world.context);
    RandomMaps random = {.state = i,
        .max_variables = 1 + i % 14,
        .max_depth = 1 + i % 5,
        .max_results = 3,
        .max_constraints = 1,
        .max_coefficient = i % 2 == 0 ? 3 : 1200,
        .max_bound = 9};
    const Map *map = random_map(world.context, &random);
    for (uint32_t k = 0; k < map->result_count; k++, checked++)
      check_length(&world, map, map->results[k]);
    map_context_rewind(world.context, mark);
  }
  assert_true(checked > 10000);
  close_world(&world);
}

static void digits_are_those_that_are_printed(void **) {
  static const int64_t values[] = {0, 1, 9, 10, 99, 100, 999, 1000, INT64_MAX, INT64_MIN,
      INT64_MIN + 1, -1, -9, -10, -99, -100, 1000000000000000000, 999999999999999999};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    char text[32];
    assert_int_equal(
        digits_of(values[i]), snprintf(text, sizeof text, "%lld", (long long)values[i]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sum_is_as_long_as_its_text),
      cmocka_unit_test(digits_are_those_that_are_printed),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
