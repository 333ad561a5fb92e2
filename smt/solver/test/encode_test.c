/* Compares the encoder with plain evaluation: random expressions at random points, first as sums,
 * then as Z3 terms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/base/test/length.h"
#include "smt/solver/confirm.h"
#include "smt/solver/query.h"

static uint64_t random_next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static int64_t random_constant(uint64_t *random) {
  static const int64_t some[] = {
      0, 1, 2, 3, 4, 6, 8, 12, 64, 100, 1024, 4096, 12288, -1, -2, -7, -64, 999'983};
  return some[random_next(random) % (sizeof some / sizeof some[0])];
}

static Expr random_expr(ExprPool *pool, uint64_t *random, uint32_t depth) {
  uint64_t choice = random_next(random) % 16;
  if (depth == 0 || choice < 3) {
    return choice % 3 == 0 ? expr_const(pool, random_constant(random))
                           : expr_var(pool, (VarKind)(random_next(random) % 3),
                                 (uint32_t)(random_next(random) % 2));
  }
  static const ExprOp ops[] = {EXPR_ADD, EXPR_ADD, EXPR_ADD, EXPR_MUL, EXPR_FLOORDIV, EXPR_FLOORDIV,
      EXPR_CEILDIV, EXPR_MOD, EXPR_MOD, EXPR_MIN, EXPR_MAX};
  ExprOp op = ops[random_next(random) % (sizeof ops / sizeof ops[0])];
  Expr left = random_expr(pool, random, depth - 1);
  if (op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD) {
    int64_t divisor = random_constant(random);
    return expr_binary(
        pool, op, left, expr_const(pool, divisor < 0 ? -divisor : divisor + (divisor == 0)));
  }
  if (op == EXPR_MUL && random_next(random) % 8 != 0)
    return expr_binary(pool, op, left, expr_const(pool, random_constant(random)));
  return expr_binary(pool, op, left, random_expr(pool, random, depth - 1));
}

typedef struct EncodeSample {
  MapContext *context;
  Arena *arena;
  Sums *sums;
  Map *map;
  MapVariables variables;
  EncodedMap encoded;
} EncodeSample;

static bool sample_create(EncodeSample *sample, uint64_t *random, uint32_t depth) {
  Error error = {};
  *sample = (EncodeSample){.context = map_context_create(), .arena = arena_create()};
  sample->sums = sums_create(sample->arena);
  sample->map = map_create(sample->context, 2, 2, 2, 3, 0);
  for (uint32_t i = 0; i < 2; i++)
    sample->map->dims[i].bounds = sample->map->ranges[i].bounds = sample->map->runtimes[i].bounds =
        (Interval){-1'000'000, 1'000'000};
  for (uint32_t i = 0; i < 3; i++)
    sample->map->results[i] = random_expr(sample->context->pool, random, depth);
  sample->variables = encode_fresh_variables(sample->sums, sample->map);
  bool encoded = encode_map(
      sample->sums, sample->context, sample->map, &sample->variables, &sample->encoded, &error);
  assert_true(encoded);
  return !sample->sums->overflow;
}

static void sample_destroy(EncodeSample *sample) {
  arena_destroy(sample->arena);
  map_context_destroy(sample->context);
}

static int64_t random_value(uint64_t *random) {
  int64_t value = (int64_t)(random_next(random) % 2'000'001) - 1'000'000;
  return random_next(random) % 2 == 0 ? value % 16 : value;
}

static void sums_agree_with_evaluation(void **state) {
  (void)state;
  uint64_t random = 12345;
  const uint32_t rounds = test_length(20'000, 20'000, 3'000);
  uint32_t compared = 0;
  for (uint32_t i = 0; i < rounds; i++) {
    EncodeSample sample;
    bool usable = sample_create(&sample, &random, 1 + i % 7);
    for (uint32_t p = 0; p < 10 && usable; p++) {
      Wide *atoms = ARENA_NEW(sample.arena, Wide, sample.sums->atom_count), point[6], value;
      for (uint32_t v = 0; v < 6; v++) atoms[v] = point[v] = random_value(&random);
      Replayed replayed = confirm_map(sample.arena, sample.context, sample.map, point);
      if (replayed.state != REPLAY_INSIDE || !sums_complete(sample.sums, atoms)) continue;
      for (uint32_t r = 0; r < 3; r++) {
        assert_true(sum_evaluate(sample.sums, atoms, sample.encoded.results[r], &value));
        assert_true(value == replayed.results[r]);
        compared++;
      }
    }
    sample_destroy(&sample);
  }
  assert_true(compared > rounds * 20);
}

/* Each variable of a map is an integer of its own, in the order of the map's variables. */
static void fresh_variables_are_all_different(void **) {
  for (uint32_t code = 0; code < 4 * 4 * 4; code++) {
    MapContext *context = map_context_create();
    Arena *arena = arena_create();
    Sums *sums = sums_create(arena);
    uint32_t counts[] = {code % 4, code / 4 % 4, code / 16}, atom, next = 0;
    const Map *map = map_create(context, counts[0], counts[1], counts[2], 0, 0);
    MapVariables variables = encode_fresh_variables(sums, map);
    const Sum *kinds[] = {variables.dims, variables.ranges, variables.runtimes};
    for (uint32_t kind = 0; kind < 3; kind++)
      for (uint32_t i = 0; i < counts[kind]; i++) {
        assert_true(sum_is_atom(sums, kinds[kind][i], &atom));
        assert_int_equal(atom, next++);
      }
    assert_int_equal(sums->atom_count, next);
    arena_destroy(arena);
    map_context_destroy(context);
  }
}

/* At a fixed point Z3 must decide that the term has the evaluated value and cannot have another. */
static void z3_agrees_with_evaluation(void **state) {
  (void)state;
  uint64_t random = 777;
  const uint32_t rounds = test_length(120, 120, 40);
  uint32_t compared = 0;
  for (uint32_t i = 0; i < rounds; i++) {
    EncodeSample sample;
    Wide point[6];
    bool usable = sample_create(&sample, &random, 1 + i % 5);
    for (uint32_t v = 0; v < 6; v++) point[v] = random_value(&random);
    Replayed replayed = confirm_map(sample.arena, sample.context, sample.map, point);
    if (usable && replayed.state == REPLAY_INSIDE) {
      Query query = query_open(sample.arena, sample.sums, 0, 0);
      Z3_ast facts[10];
      const Sum *kinds[] = {
          sample.variables.dims, sample.variables.ranges, sample.variables.runtimes};
      for (uint32_t v = 0; v < 6; v++)
        facts[v] = query_within(
            &query, (Within){.sum = kinds[v / 2][v % 2], .lo = point[v], .hi = point[v]});
      for (uint32_t r = 0; r < 3; r++)
        facts[6 + r] = query_within(&query, (Within){.sum = sample.encoded.results[r],
                                                .lo = replayed.results[r],
                                                .hi = replayed.results[r]});
      assert_int_equal(query_check(&query, 9, facts), VERDICT_REFUTED);
      facts[6] = query_not(&query, query_and(&query, 3, (Z3_ast[]){facts[6], facts[7], facts[8]}));
      assert_int_equal(query_check(&query, 7, facts), VERDICT_PROVED);
      query_close(&query);
      compared++;
    }
    sample_destroy(&sample);
  }
  assert_true(compared > rounds * 2 / 3);
}

static void quotients_are_shared(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Sums *sums = sums_create(arena);
  Sum x = sum_free(sums, "x"), y = sum_free(sums, "y");
  Sum both = sum_add(sums, sum_scale(sums, x, 24), y);
  assert_true(
      sum_same(sum_floordiv(sums, sum_floordiv(sums, both, 6), 4), sum_floordiv(sums, both, 24)));
  assert_true(sum_same(sum_floordiv(sums, sum_add(sums, both, sum_scale(sums, x, 24)), 24),
      sum_add(sums, sum_scale(sums, x, 2), sum_floordiv(sums, y, 24))));
  Sum digits =
      sum_add(sums, sum_scale(sums, sum_floordiv(sums, both, 24), 24), sum_mod(sums, both, 24));
  assert_true(sum_same(digits, both));
  Wide value;
  assert_true(sum_is_constant(sums, sum_floordiv(sums, sum_of_constant(sums, -7), 4), &value) &&
              value == -2);
  assert_false(sums->overflow);
  (void)sum_scale(sums, sum_scale(sums, x, (Wide)1 << 60), (Wide)1 << 60);
  assert_true(sums->overflow);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fresh_variables_are_all_different),
      cmocka_unit_test(sums_agree_with_evaluation),
      cmocka_unit_test(z3_agrees_with_evaluation),
      cmocka_unit_test(quotients_are_shared),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
