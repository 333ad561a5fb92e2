/* Random small pieces, compared with every point of a box: containment shown without a solver
 * holds, a constructed point is a point of the piece, and all bounds of atoms are restored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "smt/relation/relation_plain.h"

static constexpr uint32_t variables = 3, side = 8;
static constexpr int64_t least = -2;

typedef struct Plain {
  Sums *sums;
  uint64_t dice;
  Sum all[variables];
  Withins given;
  Piece inner;
  Relation outer;
} Plain;

static int64_t relation_plain_draw(Plain *plain, int64_t lo, int64_t hi) {
  plain->dice = hash_mix(plain->dice, 1);
  return lo + (int64_t)(plain->dice % (uint64_t)(hi - lo + 1));
}

static Sum draw_sum(Plain *plain) {
  Sums *sums = plain->sums;
  Sum sum = sum_of_constant(sums, relation_plain_draw(plain, -3, 3));
  for (uint32_t i = 0; i < variables; i++)
    sum = sum_add(sums, sum, sum_scale(sums, plain->all[i], relation_plain_draw(plain, -2, 2)));
  int64_t form = relation_plain_draw(plain, 0, 5);
  if (form == 0) return sum_floordiv(sums, sum, relation_plain_draw(plain, 2, 4));
  if (form == 1) return sum_mod(sums, sum, relation_plain_draw(plain, 2, 4));
  if (form == 2) return sum_min(sums, sum, plain->all[0]);
  return form == 3 ? plain->all[relation_plain_draw(plain, 0, variables - 1)] : sum;
}

static void draw_within(Plain *plain, Piece *piece) {
  Wide lo = relation_plain_draw(plain, -4, 4);
  piece_within(plain->sums, piece, draw_sum(plain), lo, lo + relation_plain_draw(plain, 0, 8));
}

/* A fact keeps each variable in the enumerated box. */
static void draw_inner(Plain *plain) {
  for (uint32_t i = 0; i < variables; i++)
    piece_within(plain->sums, &plain->inner, plain->all[i], relation_plain_draw(plain, least, 1),
        relation_plain_draw(plain, 1, least + side - 1));
  for (int64_t i = relation_plain_draw(plain, 0, 2); i > 0; i--) draw_within(plain, &plain->inner);
  if (relation_plain_draw(plain, 0, 1) == 0) return;
  Piece given = {};
  draw_within(plain, &given);
  plain->given = given.withins;
}

/* Some of the inner constraints, slightly wider or narrower, and sometimes one more. */
static void draw_outer(Plain *plain) {
  for (int64_t count = relation_plain_draw(plain, 0, 2); count > 0; count--) {
    Piece piece = {};
    for (uint32_t i = 0; i < plain->inner.withins.count; i++) {
      Within within = plain->inner.withins.items[i];
      if (relation_plain_draw(plain, 0, 1) == 0)
        piece_within(plain->sums, &piece, within.sum, within.lo - relation_plain_draw(plain, -1, 3),
            within.hi + relation_plain_draw(plain, -1, 3));
    }
    if (relation_plain_draw(plain, 0, 2) == 0) draw_within(plain, &piece);
    relation_add(plain->sums, &plain->outer, piece);
  }
}

static bool hold(const Plain *plain, const Withins *withins, const Wide *values) {
  for (uint32_t i = 0; i < withins->count; i++) {
    const Within *within = &withins->items[i];
    Wide value;
    assert_true(sum_evaluate(plain->sums, values, within->sum, &value));
    if (value < within->lo || value > within->hi) return false;
  }
  return true;
}

typedef struct RelationPlainCounted {
  uint32_t inside, missed;
} RelationPlainCounted;

static RelationPlainCounted enumerate(const Plain *plain) {
  RelationPlainCounted counted = {};
  Wide *values = ARENA_NEW(plain->sums->arena, Wide, plain->sums->atom_count);
  for (uint32_t point = 0; point < side * side * side; point++) {
    uint32_t rest = point, atom = 0;
    for (uint32_t i = 0; i < variables; i++, rest /= side)
      if (sum_is_atom(plain->sums, plain->all[i], &atom))
        values[atom] = least + (int64_t)(rest % side);
    assert_true(sums_complete(plain->sums, values));
    if (!hold(plain, &plain->given, values) || !hold(plain, &plain->inner.withins, values))
      continue;
    bool is_held = false;
    for (uint32_t i = 0; i < plain->outer.count; i++)
      is_held |= hold(plain, &plain->outer.items[i].withins, values);
    counted.inside++;
    counted.missed += !is_held;
  }
  return counted;
}

typedef struct RelationPlainTally {
  uint32_t contained, shown, inhabited, points;
} RelationPlainTally;

static void one_question(uint64_t seed, RelationPlainTally *tally) {
  Arena *arena = arena_create();
  Plain plain = {.sums = sums_create(arena), .dice = seed};
  for (uint32_t i = 0; i < variables; i++)
    plain.all[i] = i == 0 ? sum_free_within(plain.sums, "x", least, least + side - 1)
                          : sum_free(plain.sums, "x");
  draw_inner(&plain);
  draw_outer(&plain);
  uint32_t count = plain.sums->atom_count;
  SumAtom *before = ARENA_NEW(arena, SumAtom, count);
  memcpy(before, plain.sums->atoms, count * sizeof *before);
  bool is_shown = relation_contained_plainly(plain.sums, &plain.given, &plain.inner, &plain.outer);
  const Wide *point = relation_plain_point(plain.sums, &plain.given, &plain.inner);
  for (uint32_t i = 0; i < count; i++) {
    const SumAtom *atom = &plain.sums->atoms[i];
    assert_true(
        atom->bounded == before[i].bounded && atom->lo == before[i].lo && atom->hi == before[i].hi);
  }
  RelationPlainCounted counted = enumerate(&plain);
  if (is_shown) assert_int_equal(counted.missed, 0);
  if (point != nullptr)
    assert_true(hold(&plain, &plain.given, point) && hold(&plain, &plain.inner.withins, point));
  tally->contained += counted.missed == 0;
  tally->shown += is_shown;
  tally->inhabited += counted.inside > 0;
  tally->points += point != nullptr;
  arena_destroy(arena);
}

static void what_is_shown_holds(void **state) {
  (void)state;
  RelationPlainTally tally = {};
  uint32_t count = getenv("AFFIRM_FEW") != nullptr ? 500 : 5'000;
  for (uint64_t seed = 1; seed <= count; seed++) one_question(seed, &tally);
  print_message("%u of %u contained, %u shown; %u have a point, %u found\n", tally.contained, count,
      tally.shown, tally.inhabited, tally.points);
  assert_true(tally.shown > tally.contained / 2 && tally.points > tally.inhabited / 2);
  assert_in_range(tally.contained, count / 10, count * 9 / 10);
}

/* Intervals of 4*((x floordiv 4)*y) create x*y under the facts of one piece. */
static void a_created_product_keeps_no_bounds(void **) {
  Arena *arena = arena_create();
  Sums *sums = sums_create(arena);
  Sum x = sum_free_within(sums, "x", 0, 7), y = sum_free_within(sums, "y", 0, 7);
  Sum four = sum_scale(sums, sum_product(sums, sum_floordiv(sums, x, 4), y), 4);
  Piece low = {}, high = {};
  piece_within(sums, &low, x, 0, 3);
  piece_within(sums, &low, y, 0, 3);
  piece_within(sums, &low, four, -100, 100);
  piece_within(sums, &high, x, 4, 7);
  piece_within(sums, &high, y, 5, 7);
  piece_within(sums, &high, four, 20, 28);
  uint32_t count = sums->atom_count;
  const Wide *point = relation_plain_point(sums, &(Withins){}, &low);
  assert_non_null(point);
  assert_true(sums->atom_count > count);
  assert_false(relation_contained_plainly(sums, &(Withins){}, &high, &(Relation){}));
  Wide lo, hi;
  assert_true(sum_bounds(sums, sum_product(sums, x, y), &lo, &hi));
  assert_true(lo == 0 && hi == 49);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_shown_holds), cmocka_unit_test(a_created_product_keeps_no_bounds)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
