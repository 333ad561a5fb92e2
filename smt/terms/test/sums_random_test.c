/* Random sums, each part with its values at some points, computed separately. Whatever the
 * canonical forms are, the sum has these values, and its range contains them. Then facts that hold
 * at one of the points are added: tightening must keep that point, sums rebuilt under the facts
 * have the same values there, and no enumeration of cases excludes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "smt/rules/cases.h"
#include "smt/rules/rule_sample.h"
#include "smt/terms/tighten.h"

static constexpr uint32_t points = 12, variables = 3, parts = 14;

typedef struct SumsRandomPart {
  Sum sum;
  Wide values[points];
} SumsRandomPart;

typedef struct Growth {
  Sums *sums;
  Dice dice;
  int64_t most; /* of constants */
  SumsRandomPart parts[parts];
  uint32_t atoms[variables];
} Growth;

static Wide lesser(Wide a, Wide b) { return a < b ? a : b; }
static Wide greater(Wide a, Wide b) { return a > b ? a : b; }

static void grow_variables(Growth *growth) {
  for (uint32_t i = 0; i < variables; i++) {
    int64_t lo = dice_range(&growth->dice, 0, 2) == 0 ? dice_range(&growth->dice, -9, 9) : 0,
            hi = lo + dice_range(&growth->dice, 0, 12);
    growth->parts[i].sum = sum_free_within(growth->sums, "v", lo, hi);
    assert_true(sum_is_atom(growth->sums, growth->parts[i].sum, &growth->atoms[i]));
    for (uint32_t k = 0; k < points; k++)
      growth->parts[i].values[k] = dice_range(&growth->dice, lo, hi);
  }
}

static void grow_part(Growth *growth, uint32_t at) {
  Sums *sums = growth->sums;
  const SumsRandomPart *a = &growth->parts[dice_range(&growth->dice, 0, at - 1)],
                       *b = &growth->parts[dice_range(&growth->dice, 0, at - 1)];
  SumsRandomPart *part = &growth->parts[at];
  int64_t c = dice_range(&growth->dice, 1, growth->most),
          factor = dice_range(&growth->dice, -growth->most, growth->most);
  int64_t kind = dice_range(&growth->dice, 0, 8);
  switch (kind) {
    case 0: part->sum = sum_min(sums, a->sum, b->sum); break;
    case 1: part->sum = sum_max(sums, a->sum, b->sum); break;
    case 2: part->sum = sum_product(sums, a->sum, b->sum); break;
    case 3:
    case 4: part->sum = sum_mod(sums, a->sum, c); break;
    case 5:
    case 6: part->sum = sum_floordiv(sums, a->sum, c); break;
    default: part->sum = sum_add(sums, sum_scale(sums, a->sum, factor), b->sum); break;
  }
  for (uint32_t k = 0; k < points; k++) {
    Wide x = a->values[k], y = b->values[k];
    part->values[k] = kind == 0   ? lesser(x, y)
                      : kind == 1 ? greater(x, y)
                      : kind == 2 ? x * y
                      : kind <= 4 ? x - c * wide_floordiv(x, c)
                      : kind <= 6 ? wide_floordiv(x, c)
                                  : factor * x + y;
  }
}

/* Larger values are not used further: products of products would soon overflow. */
static bool is_moderate(const SumsRandomPart *part) {
  for (uint32_t k = 0; k < points; k++)
    if (part->values[k] > ((Wide)1 << 55) || part->values[k] < -((Wide)1 << 55)) return false;
  return true;
}

static bool sums_random_grow(Growth *growth) {
  grow_variables(growth);
  for (uint32_t at = variables; at < parts; at++) do
      grow_part(growth, at);
    while (!is_moderate(&growth->parts[at]) && !growth->sums->overflow);
  return !growth->sums->overflow;
}

static void complete_at(const Growth *growth, uint32_t point, Wide *values) {
  for (uint32_t i = 0; i < variables; i++)
    values[growth->atoms[i]] = growth->parts[i].values[point];
  assert_true(sums_complete(growth->sums, values));
}

static void check_values(const Growth *growth, uint32_t point) {
  Wide *values = ARENA_NEW(growth->sums->arena, Wide, growth->sums->atom_count), value;
  complete_at(growth, point, values);
  for (uint32_t i = 0; i < parts; i++) {
    assert_true(sum_evaluate(growth->sums, values, growth->parts[i].sum, &value));
    assert_true(value == growth->parts[i].values[point]);
  }
}

/* How much is known: the numbers of ranges and of atoms with bounds, and the sum of their widths.
 */
typedef struct SumsRandomTally {
  uint32_t ranges, bounded, constants;
  Wide range_width, bounded_width;
} SumsRandomTally;

static Wide width_of(Wide lo, Wide hi) { return lesser(hi - lo, 10'000); }

static void check_ranges(const Growth *growth, SumsRandomTally *tally) {
  Wide lo, hi;
  for (uint32_t i = 0; i < parts; i++) {
    if (!sum_range(growth->sums, growth->parts[i].sum, &lo, &hi)) continue;
    tally->ranges++;
    tally->range_width += width_of(lo, hi);
    for (uint32_t k = 0; k < points; k++)
      assert_true(lo <= growth->parts[i].values[k] && growth->parts[i].values[k] <= hi);
  }
}

/* Facts around the values at one point, some of them tight. */
static void check_under_facts(Growth *growth, uint32_t point, SumsRandomTally *tally) {
  Within facts[4];
  Sum rebuilt[parts];
  Wide value;
  for (uint32_t i = 0; i < 4; i++) {
    const SumsRandomPart *part = &growth->parts[dice_range(&growth->dice, 0, parts - 1)];
    facts[i] = (Within){part->sum, part->values[point] - dice_range(&growth->dice, 0, 3),
        part->values[point] + dice_range(&growth->dice, 0, 3)};
  }
  assert_false(cases_exclude(growth->sums, 4, facts, &(Goal){}));
  assert_true(sums_tighten(growth->sums, 4, facts));
  for (uint32_t i = 0; i < parts; i++) rebuilt[i] = growth->parts[i].sum;
  sums_rebuild(growth->sums, parts, rebuilt);
  if (growth->sums->overflow) return;
  Wide *values = ARENA_NEW(growth->sums->arena, Wide, growth->sums->atom_count);
  complete_at(growth, point, values);
  for (uint32_t i = 0; i < parts; i++) {
    assert_true(sum_evaluate(growth->sums, values, rebuilt[i], &value));
    assert_true(value == growth->parts[i].values[point]);
    tally->constants += sum_is_constant(growth->sums, rebuilt[i], &value);
  }
  for (uint32_t i = 0; i < growth->sums->atom_count; i++) {
    const SumAtom *atom = &growth->sums->atoms[i];
    if (!atom->bounded) continue;
    assert_true(atom->lo <= values[i] && values[i] <= atom->hi);
    tally->bounded++;
    tally->bounded_width += width_of(atom->lo, atom->hi);
  }
}

/* No less than ever is known. */
static void check_tally(const SumsRandomTally *tally) {
  print_message("%u ranges of %lld, %u atoms of %lld, %u constants\n", tally->ranges,
      (long long)tally->range_width, tally->bounded, (long long)tally->bounded_width,
      tally->constants);
  assert_true(tally->ranges >= 21'000 && tally->range_width <= 15'494'322);
  assert_true(
      tally->bounded >= 10'735 && tally->bounded_width <= 577'572 && tally->constants >= 9'614);
}

static void sums_have_their_values(void **state) {
  (void)state;
  static const int64_t most[] = {4, 12, 60, 1000, INT64_C(1) << 40};
  static constexpr uint32_t few = 1500;
  SumsRandomTally tally = {};
  uint32_t trials = getenv("AFFIRM_NIGHTLY") != nullptr ? 200000
                    : getenv("AFFIRM_FEW") != nullptr   ? few
                                                        : 15000,
           grown = 0;
  Arena *arena = arena_create();
  for (uint32_t i = 0; i < trials; i++) {
    ArenaMark mark = arena_mark(arena);
    Growth growth = {.sums = sums_create(arena), .dice = {i}, .most = most[i % 5]};
    if (sums_random_grow(&growth)) {
      grown++;
      for (uint32_t k = 0; k < points; k++) check_values(&growth, k);
      check_ranges(&growth, &tally);
      check_under_facts(&growth, i % points, &tally);
    }
    arena_rewind(arena, mark);
    if (i == few - 1) check_tally(&tally);
  }
  print_message("%u of %u grown without overflow\n", grown, trials);
  assert_true(grown > trials / 2);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_have_their_values)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
