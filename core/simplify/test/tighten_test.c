/* One constraint on a sum of parts, each a function of a variable of its own: the simplified bounds
 * of each variable are exactly the least and the greatest value of the points that satisfy the
 * constraint, found by trying them all. So no point is lost and no end is left that no point has.
 * The parts are the operators' own; the values are around 0, or beside an end of int64. */
#include "core/map/test/defined.h"
#include "core/simplify/test/test_world.h"

typedef struct TightenPart {
  const char *text; /* of the variable's name */
  ExprOp op;        /* EXPR_VAR: the variable itself */
  int64_t number, sign;
} TightenPart;

static const TightenPart parts[] = {{"%s", EXPR_VAR, 0, 1}, {"-%s", EXPR_VAR, 0, -1},
    {"%s*2", EXPR_MUL, 2, 1}, {"%s*(-3)", EXPR_MUL, -3, 1}, {"%s floordiv 3", EXPR_FLOORDIV, 3, 1},
    {"-(%s floordiv 4)", EXPR_FLOORDIV, 4, -1}, {"%s ceildiv 3", EXPR_CEILDIV, 3, 1},
    {"-(%s ceildiv 4)", EXPR_CEILDIV, 4, -1}, {"%s mod 5", EXPR_MOD, 5, 1},
    {"-(%s mod 4)", EXPR_MOD, 4, -1}, {"min(%s, 4)", EXPR_MIN, 4, 1},
    {"-min(%s, 6)", EXPR_MIN, 6, -1}, {"max(%s, 3)", EXPR_MAX, 3, 1},
    {"-max(%s, 2)", EXPR_MAX, 2, -1}};
static constexpr uint32_t part_count = sizeof parts / sizeof *parts;
static constexpr int64_t most_values = 16;

static Int128 value_of(const TightenPart *part, Int128 x) {
  return part->sign * (part->op == EXPR_VAR ? x : defined_apply(part->op, x, part->number));
}

/* True if the part has all values between its least and its greatest. */
static bool has_no_gap(const TightenPart *part, Interval bounds) {
  Int128 least = value_of(part, bounds.lo), greatest = least;
  bool seen[64] = {};
  for (Int128 x = bounds.lo; x <= bounds.hi; x++) {
    Int128 value = value_of(part, x);
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  assert_true(greatest - least < 64);
  for (Int128 x = bounds.lo; x <= bounds.hi; x++) seen[value_of(part, x) - least] = true;
  bool has_all = true;
  for (Int128 i = 0; i <= greatest - least; i++) has_all &= seen[i];
  return has_all;
}

/* A quotient rounded up is rewritten to one rounded down. That may be larger than what was given,
 * and then the map is kept as it was given. A remainder may be rewritten to a difference, whose sum
 * with the other part may leave int64. */
static bool may_be_kept(const TightenPart *part, Interval bounds) {
  bool is_near_0 = bounds.lo > -1000 && bounds.hi < 1000;
  return part->op == EXPR_CEILDIV || (part->op == EXPR_MOD && !is_near_0);
}

/* The least and the greatest value of variable i of the points that satisfy the constraint. */
static Interval hull_of(
    const TightenPart both[2], const Interval bounds[2], Interval in, uint32_t i) {
  Interval hull = {INT64_MAX, INT64_MIN};
  for (Int128 x = bounds[0].lo; x <= bounds[0].hi; x++)
    for (Int128 y = bounds[1].lo; y <= bounds[1].hi; y++) {
      Int128 sum = value_of(&both[0], x) + value_of(&both[1], y);
      int64_t value = (int64_t)(i == 0 ? x : y);
      if (sum < in.lo || sum > in.hi) continue;
      if (value < hull.lo) hull.lo = value;
      if (value > hull.hi) hull.hi = value;
    }
  return hull;
}

/* An upper bound of a minimum is not one of its first operand alone unless the other is above. */
static void check_bounds(const char *text, const TightenPart *part, Interval hull, Interval given,
    Interval simplified, bool is_exact) {
  bool lo_is_exact = is_exact && part->op != EXPR_MAX,
       hi_is_exact = is_exact && part->op != EXPR_MIN;
  bool holds = given.lo <= simplified.lo && simplified.lo <= hull.lo && hull.hi <= simplified.hi &&
               simplified.hi <= given.hi && (!lo_is_exact || simplified.lo == hull.lo) &&
               (!hi_is_exact || simplified.hi == hull.hi);
  if (!holds)
    fail_msg("%s\n[%lld, %lld] instead of [%lld, %lld]", text, (long long)simplified.lo,
        (long long)simplified.hi, (long long)hull.lo, (long long)hull.hi);
}

/* Not at the least number itself: products of quotients there leave int64, which implies
 * nothing. */
static Interval random_bounds(RandomMaps *random, int64_t from) {
  int64_t width = random_between(random, 0, most_values - 1), shift = random_between(random, 0, 9);
  if (from == INT64_MIN) return (Interval){from + 4 + shift, from + 4 + shift + width};
  if (from == INT64_MAX) return (Interval){from - shift - width, from - shift};
  return (Interval){from - shift, from - shift + width};
}

static bool check_pair(SimplifyFixture *world, const TightenPart both[2], const int64_t from[2]) {
  Interval bounds[2];
  Int128 value = 0;
  bool is_exact = true;
  for (uint32_t i = 0; i < 2; i++) {
    bounds[i] = random_bounds(&world->random, from[i]);
    is_exact &= has_no_gap(&both[i], bounds[i]) && !may_be_kept(&both[i], bounds[i]);
    value += value_of(&both[i], random_between(&world->random, bounds[i].lo, bounds[i].hi));
  }
  if (value < INT64_MIN + 9 || value > INT64_MAX - 9) return false;
  Interval in = {(int64_t)value - random_between(&world->random, 0, 4),
      (int64_t)value + random_between(&world->random, 0, 4)};
  char sum[2][32], text[300];
  for (uint32_t i = 0; i < 2; i++)
    snprintf(sum[i], sizeof sum[i], both[i].text, i == 0 ? "d0" : "d1");
  snprintf(text, sizeof text,
      "(d0, d1) -> (0), domain: d0 in [%lld, %lld], d1 in [%lld, %lld], %s + %s in [%lld, %lld]",
      (long long)bounds[0].lo, (long long)bounds[0].hi, (long long)bounds[1].lo,
      (long long)bounds[1].hi, sum[0], sum[1], (long long)in.lo, (long long)in.hi);
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map, *simplified;
  Error error = {};
  if (!map_parse(world->context, &source, &map, &error)) return false;
  if (!simplify_map(world->simplifier, map, &(SimplifyOptions){.keep_points = true}, &simplified,
          nullptr, &error))
    fail_msg("%s: %s", text, error.message);
  for (uint32_t i = 0; i < 2; i++)
    check_bounds(text, &both[i], hull_of(both, bounds, in, i), bounds[i],
        simplified->dims[i].bounds, is_exact);
  return true;
}

static void bounds_are_the_hull_of_the_points(void **) {
  static const int64_t from[][2] = {{0, 0}, {0, 0}, {-20, 30}, {INT64_MAX, INT64_MIN},
      {INT64_MAX, 0}, {INT64_MIN, 0}, {INT64_MAX, INT64_MAX}, {INT64_MIN, INT64_MIN}};
  SimplifyFixture world = open_world();
  world.random = (RandomMaps){.state = 20261201};
  uint32_t checked = 0;
  for (uint32_t i = 0; i < part_count * part_count; i++)
    for (uint32_t k = 0; k < 8 * 4; k++) {
      MapMark mark = map_context_mark(world.context);
      checked += check_pair(
          &world, (TightenPart[]){parts[i / part_count], parts[i % part_count]}, from[k % 8]);
      map_context_rewind(world.context, mark);
    }
  assert_true(checked > 2000);
  close_world(&world);
}

/* The least x of all int64 whose value, which grows with x, is at least `from`. */
static Int128 first_from(const TightenPart *part, Int128 from) {
  Int128 lo = INT64_MIN, hi = (Int128)INT64_MAX + 1;
  while (lo < hi) {
    Int128 middle = defined_floor(lo + hi, 2);
    if (value_of(part, middle) >= from) hi = middle;
    else lo = middle + 1;
  }
  return lo;
}

/* Nothing can be added to all int64 or taken from them, so that a quotient is not rewritten. */
static void bounds_of_all_numbers_are_the_hull_of_the_points(void **) {
  static const TightenPart growing[] = {{"d0 floordiv 3", EXPR_FLOORDIV, 3, 1},
      {"d0 ceildiv 3", EXPR_CEILDIV, 3, 1}, {"d0 floordiv 1000", EXPR_FLOORDIV, 1000, 1},
      {"d0 ceildiv 1000", EXPR_CEILDIV, 1000, 1}};
  static const int64_t ends[] = {-4, -1, 0, 1, 5, 1234, INT64_MAX / 3 - 9, INT64_MIN / 3 + 9,
      INT64_MAX / 1000 - 9, INT64_MIN / 1000 + 9};
  static constexpr uint32_t end_count = sizeof ends / sizeof *ends;
  SimplifyFixture world = open_world();
  for (uint32_t i = 0; i < 4 * end_count; i++)
    for (int64_t more = 0; more < 5; more++) {
      const TightenPart *part = &growing[i / end_count];
      Interval in = {ends[i % end_count], ends[i % end_count] + more};
      if (value_of(part, INT64_MIN) >= in.lo || value_of(part, INT64_MAX) <= in.hi) continue;
      char text[300];
      snprintf(text, sizeof text, "(d0) -> (0), domain: d0 in [%lld, %lld], %s in [%lld, %lld]",
          (long long)INT64_MIN, (long long)INT64_MAX, part->text, (long long)in.lo,
          (long long)in.hi);
      const Map *simplified;
      Error error = {};
      assert_true(simplify_map(world.simplifier, fixture_parse(&world, text),
          &(SimplifyOptions){.keep_points = true}, &simplified, nullptr, &error));
      Interval hull = {
          (int64_t)first_from(part, in.lo), (int64_t)(first_from(part, (Int128)in.hi + 1) - 1)};
      check_bounds(
          text, part, hull, (Interval){INT64_MIN, INT64_MAX}, simplified->dims[0].bounds, true);
    }
  close_world(&world);
}

/* Bounds that creep for about as many rounds as are taken. A constraint beside them needs a round
 * of its own the first time, and is one of a variable the second time. */
static void creeping_bounds_are_the_same_the_second_time(void **) {
  static const char *const texts[] = {
      "(d0, d1, d2) -> (d0), domain: d0 in [0, 100], d1 in [0, 100], d2 in [0, 100], "
      "d0 - d1 in [1, 5000], 115*d1 - 114*d0 in [0, 10000], d2*3 in [1, 300]",
      "(d0, d1) -> (d0), domain: d0 in [0, 2000], d1 in [0, 2000], (d0 mod 10001)*2 in [1, 2000], "
      "d0 - d1 in [1, 5000], 51*d1 - 50*d0 in [0, 100000]"};
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const Map *once, *twice;
    Error error = {};
    assert_true(simplify_map(
        world.simplifier, fixture_parse(&world, texts[i]), nullptr, &once, nullptr, &error));
    assert_true(simplify_map(world.simplifier, once, nullptr, &twice, nullptr, &error));
    assert_string_equal(fixture_print(&world, once), fixture_print(&world, twice));
  }
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_are_the_hull_of_the_points),
      cmocka_unit_test(bounds_of_all_numbers_are_the_hull_of_the_points),
      cmocka_unit_test(creeping_bounds_are_the_same_the_second_time)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
