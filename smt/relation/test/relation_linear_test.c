/* Pieces with random equations of quotients and remainders, and digits of random mixed radices.
 * Without its quotients a piece must hold at the same points: those at which all equations hold,
 * those at which one is wrong by one, and those outside the bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "smt/relation/relation_linear.h"

static constexpr uint32_t inputs = 3, outputs = 3, atoms = inputs + outputs, points = 24;

typedef struct RelationLinearDice {
  uint64_t state;
} RelationLinearDice;

static int64_t dice_range(RelationLinearDice *dice, int64_t lo, int64_t hi) {
  dice->state = hash_mix(dice->state, 1);
  return lo + (int64_t)(dice->state % (uint64_t)(hi - lo + 1));
}

typedef struct RelationLinearFixture {
  Sums *sums;
  RelationLinearDice dice;
  uint32_t atoms[atoms]; /* inputs, then outputs */
  Wide sizes[inputs];
  Sum results[outputs];
  Piece piece;
} RelationLinearFixture;

static Sum atom_sum(const RelationLinearFixture *bench, uint32_t at) {
  return sum_of_atom(bench->sums, bench->atoms[at]);
}

static Sum linear_sum(RelationLinearFixture *bench) {
  Sum sum = sum_of_constant(bench->sums, dice_range(&bench->dice, -9, 9));
  for (uint32_t i = 0; i < inputs; i++)
    sum = sum_add(bench->sums, sum,
        sum_scale(bench->sums, atom_sum(bench, i), dice_range(&bench->dice, -12, 12)));
  return sum;
}

static Sum random_result(RelationLinearFixture *bench) {
  Sums *sums = bench->sums;
  Sum quotient = sum_floordiv(sums, linear_sum(bench), dice_range(&bench->dice, 1, 12));
  Sum rest = sum_mod(sums, linear_sum(bench), dice_range(&bench->dice, 1, 12));
  Sum both = sum_add(sums, quotient, sum_scale(sums, rest, dice_range(&bench->dice, -3, 3)));
  return dice_range(&bench->dice, 0, 1) == 0
             ? both
             : sum_floordiv(
                   sums, sum_add(sums, both, atom_sum(bench, 0)), dice_range(&bench->dice, 1, 6));
}

/* The digits of the row-major position of the inputs, in other sizes; the last output is the
 * rest. */
static void give_digits(RelationLinearFixture *bench) {
  Sums *sums = bench->sums;
  Sum position = sum_of_constant(sums, 0);
  for (uint32_t i = 0; i < inputs; i++)
    position = sum_add(sums, sum_scale(sums, position, bench->sizes[i]), atom_sum(bench, i));
  for (uint32_t i = 0; i < outputs; i++) {
    Wide size = dice_range(&bench->dice, 1, 12);
    bench->results[i] = i + 1 < outputs ? sum_mod(sums, position, size) : position;
    position = sum_floordiv(sums, position, size);
  }
}

static void linear_relation_build(RelationLinearFixture *bench, bool digits) {
  for (uint32_t i = 0; i < atoms; i++)
    assert_true(sum_is_atom(bench->sums, sum_free(bench->sums, "x"), &bench->atoms[i]));
  for (uint32_t i = 0; i < inputs; i++) {
    bench->sizes[i] = dice_range(&bench->dice, 1, 12);
    piece_within(bench->sums, &bench->piece, atom_sum(bench, i), 0, bench->sizes[i] - 1);
  }
  if (digits) give_digits(bench);
  for (uint32_t i = 0; i < outputs; i++) {
    if (!digits) bench->results[i] = random_result(bench);
    piece_equal(bench->sums, &bench->piece, bench->results[i], atom_sum(bench, inputs + i));
  }
}

static bool relation_linear_holds(
    RelationLinearFixture *bench, const Piece *piece, const Wide *values) {
  bool all = true;
  for (uint32_t i = 0; i < piece->withins.count; i++) {
    Wide value;
    const Within *within = &piece->withins.items[i];
    assert_true(sum_evaluate(bench->sums, values, within->sum, &value));
    all = all && within->lo <= value && value <= within->hi;
  }
  return all;
}

/* Random inputs, a few outside; outputs by the results, a few wrong. */
static Wide *draw_point(RelationLinearFixture *bench) {
  Wide *values = ARENA_NEW(bench->sums->arena, Wide, bench->sums->atom_count);
  for (uint32_t i = 0; i < inputs; i++)
    values[bench->atoms[i]] = dice_range(
        &bench->dice, dice_range(&bench->dice, 0, 9) == 0 ? -2 : 0, (int64_t)bench->sizes[i] - 1);
  assert_true(sums_complete(bench->sums, values));
  for (uint32_t i = 0; i < outputs; i++) {
    Wide result;
    assert_true(sum_evaluate(bench->sums, values, bench->results[i], &result));
    values[bench->atoms[inputs + i]] =
        result + (dice_range(&bench->dice, 0, 5) == 0 ? dice_range(&bench->dice, -1, 1) : 0);
  }
  assert_true(sums_complete(bench->sums, values));
  return values;
}

static bool any_quotient(const Sums *sums, const Piece *piece) {
  for (uint32_t i = 0; i < piece->withins.count; i++) {
    const SumNode *node = &sums->sums[piece->withins.items[i].sum.at];
    for (uint32_t k = 0; k < node->term_count; k++)
      if (sums->atoms[node->terms[k].atom].kind == ATOM_QUOTIENT) return true;
  }
  return false;
}

static void one_piece(uint64_t seed, uint32_t *simpler, uint32_t *linear_count, uint32_t *inside) {
  Arena *arena = arena_create();
  RelationLinearFixture bench = {.sums = sums_create(arena), .dice = {seed}};
  bool digits = seed % 2 == 0;
  linear_relation_build(&bench, digits);
  Piece linear;
  *simpler += piece_without_quotients(bench.sums, &bench.piece, &linear);
  assert_false(bench.sums->overflow);
  bool is_linear = !any_quotient(bench.sums, &linear);
  assert_true(is_linear || !digits);
  *linear_count += is_linear;
  for (uint32_t i = 0; i < points; i++) {
    const Wide *values = draw_point(&bench);
    bool is_inside = relation_linear_holds(&bench, &bench.piece, values);
    assert_int_equal(is_inside, relation_linear_holds(&bench, &linear, values));
    *inside += is_inside;
  }
  arena_destroy(arena);
}

static void pieces_keep_their_points(void **state) {
  (void)state;
  static constexpr uint32_t few = 2'000;
  uint32_t simpler = 0, linear = 0, inside = 0,
           count = getenv("AFFIRM_FEW") != nullptr ? few : 20'000;
  for (uint64_t seed = 1; seed <= count; seed++) {
    one_piece(seed, &simpler, &linear, &inside);
    if (seed == few) assert_true(simpler >= 1'950 && linear >= 1'011); /* no fewer than ever */
  }
  print_message("%u of %u pieces simpler, %u linear, %u of %u points inside\n", simpler, count,
      linear, inside, count * points);
  assert_in_range(inside, count * points / 4, count * points * 3 / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_keep_their_points)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
