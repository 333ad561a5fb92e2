/* Steps whose arithmetic leaves int64: they are exact only if a proof about integers of any size
 * shows it, and different wherever a judge finds a point inside int64. */
#include "judge/maps/steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/text.h"

static const Map *steps_map(MapContext *context, int64_t last, Expr result) {
  Map *map = map_create(context, 1, 0, 0, 1, 0);
  map->dims[0].bounds = (Interval){0, last};
  map->results[0] = result;
  return map;
}

/* (d0 * factor) floordiv factor, which is d0 for integers of any size. */
static Expr multiplied_and_divided(ExprPool *pool, int64_t factor) {
  Expr far = expr_binary(pool, EXPR_MUL, expr_var(pool, VAR_DIM, 0), expr_const(pool, factor));
  return expr_binary(pool, EXPR_FLOORDIV, far, expr_const(pool, factor));
}

/* d0 below 3, from there on d0 + 1. */
static Expr more_from_three_on(ExprPool *pool) {
  Expr dim = expr_var(pool, VAR_DIM, 0);
  return expr_binary(
      pool, EXPR_ADD, dim, expr_binary(pool, EXPR_FLOORDIV, dim, expr_const(pool, 3)));
}

static void a_step_past_int64_needs_a_proof(void **) {
  static constexpr int64_t small = INT64_MAX / 3, large = INT64_MAX; /* past int64 at d0 = 2 */
  static const struct {
    int64_t factor, last;
    bool without_smt, is_other;
    VerdictReason reason;
    const char *words;
  } rows[] = {
      {small, 3, false, false, REASON_EXACT, ""},
      {small, 3, true, false, REASON_EXACT, ""},
      {large, 3, false, false, REASON_EXACT, "for integers of any size; "},
      {large, 3, true, false, REASON_OPEN, "nothing is known about integers of any size; "},
      {small, 3, false, true, REASON_DIFFERENT, ""},
      {small, 3, true, true, REASON_DIFFERENT, ""},
      {large, 3, false, true, REASON_DIFFERENT, ""},
      {large, 3, true, true, REASON_OPEN, "nothing is known about integers of any size; "},
      {large, 1, true, false, REASON_EXACT, ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (uint32_t is_exchanged = 0; is_exchanged < 2; is_exchanged++) {
      Error error = {};
      Judge *judge = judge_create(&(JudgeOptions){.without_smt = rows[i].without_smt}, &error);
      assert_non_null(judge);
      ExprPool *pool = judge->context->pool;
      const Map *far = steps_map(
                    judge->context, rows[i].last, multiplied_and_divided(pool, rows[i].factor)),
                *near = steps_map(judge->context, rows[i].last,
                    rows[i].is_other ? more_from_three_on(pool) : expr_var(pool, VAR_DIM, 0));
      SameJudgement judgement;
      judge_step(judge, is_exchanged ? near : far, is_exchanged ? far : near, &judgement);
      if (judgement.reason != rows[i].reason ||
          strncmp(judgement.text, rows[i].words, strlen(rows[i].words)) != 0)
        fail_msg("row %zu: %s, not %s: %s", i, verdict_reason_name(judgement.reason),
            verdict_reason_name(rows[i].reason), judgement.text);
      judge_destroy(judge);
    }
}

/* A context that has grown by more than 32 MB since the mark is rewound, and a smaller one stays.
 */
static void a_large_context_is_relieved(void **) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.without_smt = true}, &error);
  assert_non_null(judge);
  Arena *arena = judge->context->arena;
  for (uint32_t megabytes = 1; megabytes <= 64; megabytes *= 4) {
    JudgeMark mark = judge_mark(judge);
    size_t before = arena_bytes(arena);
    (void)ARENA_NEW(arena, char, (size_t)megabytes << 20);
    size_t grown = arena_bytes(arena);
    judge_relieve(judge, &mark);
    bool is_rewound = arena_bytes(arena) < grown;
    assert_int_equal(is_rewound, grown > before + ((size_t)32 << 20));
  }
  judge_destroy(judge);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_past_int64_needs_a_proof),
      cmocka_unit_test(a_large_context_is_relieved),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
