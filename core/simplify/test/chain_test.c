/* Chains of reshapes, transposes and reverses, composed and simplified stepwise and at once. A
 * chain of reshapes always simplifies to the direct reshape, and to the identity if it returns to
 * its first shape, whatever the factors. A chain with transposes and reverses that are undone again
 * simplifies to the identity in all but one of 500 chains, and has the identity's values in all.
 * AFFIRM_CHAIN_RUNS=N makes it a campaign. */
#include "core/simplify/test/test_world.h"

#include <stdlib.h>

#include "core/map/compose.h"
#include "core/map/evaluate.h"

static constexpr uint32_t max_rank = 8;

typedef struct CoreChainShape {
  uint32_t rank;
  int64_t sizes[max_rank];
} CoreChainShape;

static int64_t chain_draw(SimplifyFixture *world, int64_t lo, int64_t hi) {
  return random_between(&world->random, lo, hi);
}

/* Distributes factors of a number at random over a shape. */
static CoreChainShape random_shape(
    SimplifyFixture *world, uint32_t factor_count, const int64_t *factors) {
  CoreChainShape shape = {.rank = (uint32_t)chain_draw(world, 1, 5)};
  for (uint32_t i = 0; i < shape.rank; i++) shape.sizes[i] = 1;
  for (uint32_t i = 0; i < factor_count; i++)
    shape.sizes[chain_draw(world, 0, shape.rank - 1)] *= factors[i];
  return shape;
}

static Expr linear(SimplifyFixture *world, const CoreChainShape *shape) {
  ExprPool *pool = world->context->pool;
  Expr sum = expr_var(pool, VAR_DIM, 0);
  for (uint32_t i = 1; i < shape->rank; i++) {
    Expr scaled = expr_binary(pool, EXPR_MUL, sum, expr_const(pool, shape->sizes[i]));
    sum = expr_binary(pool, EXPR_ADD, scaled, expr_var(pool, VAR_DIM, i));
  }
  return sum;
}

static Map *chain_create(SimplifyFixture *world, const CoreChainShape *from, uint32_t results) {
  Map *map = map_create(world->context, from->rank, 0, 0, results, 0);
  for (uint32_t i = 0; i < from->rank; i++) map->dims[i].bounds = (Interval){0, from->sizes[i] - 1};
  return map;
}

static const Map *reshape(
    SimplifyFixture *world, const CoreChainShape *from, const CoreChainShape *to) {
  ExprPool *pool = world->context->pool;
  Map *map = chain_create(world, from, to->rank);
  Expr rest = linear(world, from);
  int64_t stride = 1;
  for (uint32_t i = 0; i < to->rank; i++) stride *= to->sizes[i];
  for (uint32_t i = 0; i < to->rank; i++) {
    stride /= to->sizes[i];
    map->results[i] = expr_binary(pool, EXPR_FLOORDIV, rest, expr_const(pool, stride));
    rest = expr_binary(pool, EXPR_MOD, rest, expr_const(pool, stride));
  }
  return map;
}

static void random_permutation(SimplifyFixture *world, uint32_t rank, uint32_t *permutation) {
  for (uint32_t i = 0; i < rank; i++) permutation[i] = i;
  for (uint32_t i = rank; i > 1; i--) {
    uint32_t at = (uint32_t)chain_draw(world, 0, i - 1), kept = permutation[i - 1];
    permutation[i - 1] = permutation[at];
    permutation[at] = kept;
  }
}

static const Map *transpose(SimplifyFixture *world, const CoreChainShape *from, CoreChainShape *to,
    const uint32_t *permutation) {
  Map *map = chain_create(world, from, from->rank);
  to->rank = from->rank;
  for (uint32_t i = 0; i < from->rank; i++) {
    to->sizes[i] = from->sizes[permutation[i]];
    map->results[i] = expr_var(world->context->pool, VAR_DIM, permutation[i]);
  }
  return map;
}

static const Map *reverse(SimplifyFixture *world, const CoreChainShape *from, uint64_t which) {
  ExprPool *pool = world->context->pool;
  Map *map = chain_create(world, from, from->rank);
  for (uint32_t i = 0; i < from->rank; i++) {
    Expr variable = expr_var(pool, VAR_DIM, i);
    Expr minus = expr_binary(pool, EXPR_MUL, variable, expr_const(pool, -1));
    map->results[i] = (which >> i & 1) == 0 ? variable
                                            : expr_binary(pool, EXPR_ADD, minus,
                                                  expr_const(pool, from->sizes[i] - 1));
  }
  return map;
}

static const Map *chain_simplified(SimplifyFixture *world, const Map *map) {
  const Map *result;
  Error error = {};
  bool done = simplify_map(world->simplifier, map, nullptr, &result, nullptr, &error);
  if (!done) error_print(&error, stderr);
  assert_true(done);
  return result;
}

static const Map *chain_composed(SimplifyFixture *world, const Map *first, const Map *second) {
  const Map *result;
  Error error = {};
  assert_true(map_compose(world->context, first, second, &result, &error));
  return result;
}

/* One random step; `back` undoes it. */
static const Map *random_step(SimplifyFixture *world, uint32_t factor_count, const int64_t *factors,
    CoreChainShape *shape, bool only_reshapes, const Map **back) {
  CoreChainShape from = *shape;
  int64_t kind = only_reshapes ? 0 : chain_draw(world, 0, 3);
  if (kind == 2) {
    uint64_t which = random_next(&world->random);
    *back = reverse(world, &from, which);
    return *back;
  }
  if (kind == 3) {
    uint32_t permutation[max_rank], inverse[max_rank];
    random_permutation(world, from.rank, permutation);
    for (uint32_t i = 0; i < from.rank; i++) inverse[permutation[i]] = i;
    const Map *there = transpose(world, &from, shape, permutation);
    CoreChainShape again;
    *back = transpose(world, shape, &again, inverse);
    return there;
  }
  *shape = random_shape(world, factor_count, factors);
  *back = reshape(world, shape, &from);
  return reshape(world, &from, shape);
}

static bool is_identity(SimplifyFixture *world, const CoreChainShape *shape, const Map *map) {
  for (uint32_t i = 0; i < map->result_count; i++) {
    Expr wanted = shape->sizes[i] == 1 ? expr_const(world->context->pool, 0)
                                       : expr_var(world->context->pool, VAR_DIM, i);
    if (!expr_same(map->results[i], wanted)) return false;
  }
  return map->constraint_count == 0;
}

/* True if the map has the values of the identity at random points. */
static bool has_identity_values(
    SimplifyFixture *world, const CoreChainShape *shape, const Map *map) {
  for (uint32_t i = 0; i < 50; i++) {
    int64_t values[max_rank], results[max_rank];
    for (uint32_t j = 0; j < shape->rank; j++)
      values[j] = chain_draw(world, 0, shape->sizes[j] - 1);
    if (map_evaluate(world->context, map, &(Point){.dims = values}, results) != POINT_INSIDE)
      return false;
    if (memcmp(values, results, shape->rank * sizeof *values) != 0) return false;
  }
  return true;
}

typedef enum ChainOutcome : uint8_t { OUTCOME_GOOD, OUTCOME_LONGER, OUTCOME_WRONG } ChainOutcome;

static const int64_t primes[] = {2, 2, 2, 3, 3, 5, 7, 10, 4, 128, 11, 6};

/* A chain and its reverse: the identity. */
static ChainOutcome check_there_and_back(
    SimplifyFixture *world, uint32_t steps, bool only_reshapes, bool stepwise) {
  int64_t factors[6];
  uint32_t factor_count = (uint32_t)chain_draw(world, 1, 6);
  for (uint32_t i = 0; i < factor_count; i++) factors[i] = primes[chain_draw(world, 0, 11)];
  CoreChainShape shape = random_shape(world, factor_count, factors), first = shape;
  const Map *there[8], *back[8];
  for (uint32_t i = 0; i < steps; i++)
    there[i] = random_step(world, factor_count, factors, &shape, only_reshapes, &back[i]);
  const Map *whole = there[0];
  for (uint32_t i = 1; i < 2 * steps; i++) {
    whole = chain_composed(world, whole, i < steps ? there[i] : back[2 * steps - 1 - i]);
    if (stepwise) whole = chain_simplified(world, whole);
  }
  const Map *result = chain_simplified(world, whole);
  if (is_identity(world, &first, result)) return OUTCOME_GOOD;
  if (!only_reshapes && has_identity_values(world, &first, result)) return OUTCOME_LONGER;
  fprintf(stderr, "not the identity (%u steps, %s, %s): %s\n", steps,
      only_reshapes ? "reshapes" : "any", stepwise ? "stepwise" : "at once",
      fixture_print(world, result));
  if (!stepwise) fprintf(stderr, "  of %s\n", fixture_print(world, whole));
  return OUTCOME_WRONG;
}

/* A sequence of reshapes simplifies to the direct reshape. */
static ChainOutcome check_shortcut(SimplifyFixture *world, uint32_t steps, bool stepwise) {
  int64_t factors[6];
  uint32_t factor_count = (uint32_t)chain_draw(world, 1, 6);
  for (uint32_t i = 0; i < factor_count; i++) factors[i] = primes[chain_draw(world, 0, 11)];
  CoreChainShape shape = random_shape(world, factor_count, factors), first = shape;
  const Map *whole = reshape(world, &first, &first);
  for (uint32_t i = 0; i < steps; i++) {
    const Map *ignored;
    whole = chain_composed(
        world, whole, random_step(world, factor_count, factors, &shape, true, &ignored));
    if (stepwise) whole = chain_simplified(world, whole);
  }
  const Map *result = chain_simplified(world, whole),
            *direct = chain_simplified(world, reshape(world, &first, &shape));
  if (map_identical(world->context, result, direct)) return OUTCOME_GOOD;
  fprintf(stderr, "not the direct reshape (%u steps, %s): %s\n  direct %s\n", steps,
      stepwise ? "stepwise" : "at once", fixture_print(world, result),
      fixture_print(world, direct));
  return OUTCOME_WRONG;
}

static uint64_t number_from(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text == nullptr ? otherwise : strtoull(text, nullptr, 10);
}

static void chains_that_cancel_give_the_identity(void **state) {
  (void)state;
  uint64_t runs = number_from("AFFIRM_CHAIN_RUNS", 2000), outcomes[3] = {};
  SimplifyFixture world = open_world();
  for (uint64_t i = 0; i < runs; i++) {
    MapMark mark = map_context_mark(world.context);
    world.random.state = i;
    ChainOutcome outcome =
        i % 2 == 0 ? check_there_and_back(
                         &world, (uint32_t)chain_draw(&world, 1, 4), i % 4 == 0, i % 8 < 4)
                   : check_shortcut(&world, (uint32_t)chain_draw(&world, 1, 6), i % 8 < 4);
    outcomes[outcome]++;
    map_context_rewind(world.context, mark);
  }
  print_message("%llu chains, %llu longer than the identity, %llu wrong\n",
      (unsigned long long)runs, (unsigned long long)outcomes[OUTCOME_LONGER],
      (unsigned long long)outcomes[OUTCOME_WRONG]);
  close_world(&world);
  assert_int_equal(outcomes[OUTCOME_WRONG], 0);
  assert_true(500 * outcomes[OUTCOME_LONGER] <= runs);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(chains_that_cancel_give_the_identity)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
