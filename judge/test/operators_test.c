/* The engine's arithmetic (core/map/evaluate.h) and the oracle's (oracle/evaluate/program.h), which
 * were written independently, agree on all pairs of [-128, 127] x [1, 127] and on a million random
 * int64 pairs. They report overflow of int64 alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "core/map/evaluate.h"
#include "core/map/test/random_map.h"
#include "oracle/evaluate/program.h"

static const ExprOp operators[] = {
    EXPR_ADD, EXPR_MUL, EXPR_FLOORDIV, EXPR_CEILDIV, EXPR_MOD, EXPR_MIN, EXPR_MAX};
static constexpr uint32_t operator_count = sizeof operators / sizeof *operators;

/* (d0) -> (d0 op c) over [lo, hi] */
static Map *one_operator(MapContext *context, ExprOp op, int64_t c, int64_t lo, int64_t hi) {
  Map *map = map_create(context, 1, 0, 0, 1, 0);
  map->dims[0].bounds = (Interval){lo, hi};
  map->results[0] = expr_binary(
      context->pool, op, expr_var(context->pool, VAR_DIM, 0), expr_const(context->pool, c));
  return map;
}

static void compare_at(
    MapContext *context, const Map *map, const Program *program, int64_t *slots, int64_t x) {
  int64_t engine = 0;
  PointState state = map_evaluate(context, map, &(Point){.dims = &x}, &engine);
  slots[0] = x;
  PointAnswer answer = program_point(program, slots, 0);
  if ((state == POINT_OVERFLOW) != (answer == ANSWER_LEAVES_INT64))
    fail_msg("at %lld one of them leaves int64", (long long)x);
  if (state != POINT_INSIDE) return;
  assert_int_equal(answer, ANSWER_INSIDE);
  if (slots[program->results[0]] != engine)
    fail_msg("at %lld: engine %lld, oracle %lld", (long long)x, (long long)engine,
        (long long)slots[program->results[0]]);
}

static void every_small_pair_agrees(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  for (uint32_t k = 0; k < operator_count; k++) {
    for (int64_t c = 1; c <= 127; c++) {
      MapMark mark = map_context_mark(context);
      Map *map = one_operator(context, operators[k], c, -128, 127);
      Program program;
      program_compile(&program, context->arena, context, map, nullptr);
      int64_t *slots = ARENA_NEW(context->arena, int64_t, program.slot_count);
      for (int64_t x = -128; x <= 127; x++) compare_at(context, map, &program, slots, x);
      map_context_rewind(context, mark);
    }
  }
  map_context_destroy(context);
}

static void a_million_random_pairs_agree(void **state) {
  (void)state;
  size_t rounds = getenv("AFFIRM_FEW") != nullptr ? 20000 : 1000000;
  MapContext *context = map_context_create();
  RandomMaps random = {.state = 21};
  for (size_t i = 0; i < rounds; i++) {
    MapMark mark = map_context_mark(context);
    int64_t x = random_between(&random, INT64_MIN, INT64_MAX),
            c = random_between(&random, 1, i % 2 == 0 ? INT64_MAX : 1000);
    if (i % 16 == 0) x = i % 32 == 0 ? INT64_MIN : INT64_MAX;
    Map *map = one_operator(context, operators[i % operator_count], c, x, x);
    Program program;
    program_compile(&program, context->arena, context, map, nullptr);
    int64_t *slots = ARENA_NEW(context->arena, int64_t, program.slot_count);
    compare_at(context, map, &program, slots, x);
    map_context_rewind(context, mark);
  }
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_small_pair_agrees),
      cmocka_unit_test(a_million_random_pairs_agree),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
