/* One expression of a map is past a limit: simplifying rejects the map, with a trace or without
 * one, and names where that expression is. Whichever it is, the simplifier works on afterwards. */
#include "core/simplify/test/test_world.h"

static constexpr uint32_t most_placed = 3;

/* The sum of 2^17 products whose coefficient leaves int64, although no value does. */
static Expr oversized(ExprPool *pool) {
  Expr expr = expr_var(pool, VAR_DIM, 0), power = expr_const(pool, INT64_C(1) << 40);
  for (uint32_t i = 0; i < 17; i++) expr = expr_binary(pool, EXPR_ADD, expr, expr);
  return expr_binary(pool, EXPR_MUL, expr_binary(pool, EXPR_MUL, expr, power), power);
}

/* Results and constraints are dimensions, but the one at `place`: results come first. */
static const Map *map_with_one(
    MapContext *context, uint32_t results, uint32_t constraints, uint32_t place) {
  Map *map = map_create(context, 4, 0, 0, results, constraints);
  for (uint32_t i = 0; i < 4; i++) map->dims[i].bounds = (Interval){0, i == 0 ? 0 : 9};
  for (uint32_t i = 0; i < results + constraints; i++) {
    Expr expr = i == place ? oversized(context->pool)
                           : expr_var(context->pool, VAR_DIM, 1 + (i < results ? i : i - results));
    if (i < results) map->results[i] = expr;
    else map->constraints[i - results] = (Constraint){expr, {0, i - results + 2}};
  }
  return map;
}

static void check_rejected(SimplifyFixture *world, const Map *map, const char *message) {
  static const SimplifyOptions options = {.keep_points = true};
  for (uint32_t traced = 0; traced < 2; traced++) {
    Trace trace = {.arena = world->context->arena};
    const Map *simplified;
    Error error = {};
    bool fits = simplify_map(
        world->simplifier, map, &options, &simplified, traced == 1 ? &trace : nullptr, &error);
    assert_int_equal(fits, message == nullptr);
    if (message != nullptr) assert_int_equal(error.kind, ERROR_LIMIT);
    if (message != nullptr) assert_string_equal(error.message, message);
  }
}

static void the_place_past_a_limit_is_named(void **) {
  SimplifyFixture world = open_world();
  for (uint32_t results = 0; results <= most_placed; results++)
    for (uint32_t constraints = 0; constraints <= most_placed; constraints++)
      for (uint32_t place = 0; place <= results + constraints; place++) {
        bool is_result = place < results, is_none = place == results + constraints;
        char message[100];
        snprintf(message, sizeof message, "simplify: %s %u nests or grows past a limit",
            is_result ? "result" : "constraint", is_result ? place : place - results);
        check_rejected(&world, map_with_one(world.context, results, constraints, place),
            is_none ? nullptr : message);
      }
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_place_past_a_limit_is_named),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
