/* Maps of the corpus numbered in every way: the same text always; in exchanges.case, whose maps
 * have symmetries, the same after an exchange of variables that leaves the map what it is at every
 * point, and not the same without one, but for what is simplified already: that stays. */
#include "core/simplify/test/test_world.h"

#include "core/map/test/each_map.h"
#include "core/map/evaluate.h"
#include "core/simplify/order/exchange.h"

static constexpr uint32_t max_values = 16, kinds = 3;
static constexpr uint64_t most_points = 1u << 18, most_numberings = 720;

typedef struct Run {
  MapContext *context;
  Simplifier *simplifier;
  const Map *map, *simplified; /* of this visit */
  bool may_exchange, has_exchanged;
  uint32_t counts[3];
  Numbering there;
  bool taken[3][max_values];
  uint64_t maps, numberings, exchanges;
} Run;

static bool simplify(Run *run, const Map *map, const Map **simplified) {
  Error error = {};
  return simplify_map(run->simplifier, map, nullptr, simplified, nullptr, &error);
}

/* ---- the same at every point ---- */

typedef struct Box {
  uint32_t count;
  const Variable *variables[max_values];
  int64_t values[max_values];
} Box;

static Box box_of(const Map *map) {
  Box box = {};
  for (uint32_t i = 0; i < map->dim_count; i++) box.variables[box.count++] = &map->dims[i];
  for (uint32_t i = 0; i < map->range_count; i++) box.variables[box.count++] = &map->ranges[i];
  for (uint32_t i = 0; i < map->runtime_count; i++) box.variables[box.count++] = &map->runtimes[i];
  for (uint32_t i = 0; i < box.count; i++) box.values[i] = box.variables[i]->bounds.lo;
  return box;
}

static bool advance(Box *box) {
  for (uint32_t i = 0; i < box->count; i++) {
    if (box->values[i]++ < box->variables[i]->bounds.hi) return true;
    box->values[i] = box->variables[i]->bounds.lo;
  }
  return false;
}

static void assert_same_everywhere(Run *run, const Map *a, const Map *b) {
  Box box = box_of(a);
  uint64_t points = 0;
  do {
    int64_t x[max_values], y[max_values];
    const Point point = {
        box.values, box.values + a->dim_count, box.values + a->dim_count + a->range_count};
    PointState first = map_evaluate(run->context, a, &point, x),
               second = map_evaluate(run->context, b, &point, y);
    assert_int_equal(first, second);
    if (first == POINT_INSIDE) assert_memory_equal(x, y, a->result_count * sizeof *x);
    assert_true(++points <= most_points);
  } while (advance(&box));
}

/* ---- every numbering ---- */

static Numbering inverse_of(Run *run) {
  Numbering inverse;
  for (uint32_t kind = 0; kind < kinds; kind++) {
    inverse.to[kind] = ARENA_NEW(run->context->arena, uint32_t, run->counts[kind]);
    for (uint32_t i = 0; i < run->counts[kind]; i++) inverse.to[kind][run->there.to[kind][i]] = i;
  }
  return inverse;
}

static void check_exchange(Run *run, const Map *back) {
  Numbering exchange;
  if (!run->may_exchange || !map_exchange(run->simplifier, run->simplified, back, &exchange)) {
    fprintf(stderr, "%s\n  becomes %s\n  and     %s\n",
        print(&(World){.context = run->context}, run->map),
        print(&(World){.context = run->context}, run->simplified),
        print(&(World){.context = run->context}, back));
    fail();
  }
  assert_same_everywhere(
      run, run->simplified, map_renumber(run->context, run->simplified, &exchange));
  run->has_exchanged = true;
}

static void check_numbering(Run *run) {
  const Map *other, *back;
  const Numbering here = inverse_of(run);
  run->numberings++;
  if (!simplify(run, map_renumber(run->context, run->map, &run->there), &other)) return;
  if (!simplify(run, map_renumber(run->context, other, &here), &back)) return;
  if (!map_identical(run->context, run->simplified, back)) check_exchange(run, back);
}

static void number(Run *run, uint32_t kind, uint32_t index, uint64_t *left) {
  if (*left == 0) return;
  if (kind == kinds) {
    (*left)--;
    check_numbering(run);
    return;
  }
  if (index == run->counts[kind]) {
    number(run, kind + 1, 0, left);
    return;
  }
  for (uint32_t to = run->counts[kind]; to-- > 0;) {
    if (run->taken[kind][to]) continue;
    run->taken[kind][to] = true;
    run->there.to[kind][index] = to;
    number(run, kind, index + 1, left);
    run->taken[kind][to] = false;
  }
}

static void check_map(
    void *user, MapContext *context, const Map *map, const char *path, uint32_t line) {
  Run *run = user;
  Error error = {};
  uint64_t left = most_numberings;
  if (map->state != MAP_PLAIN ||
      map->dim_count + map->range_count + map->runtime_count > max_values)
    return;
  run->simplifier = simplifier_create(context, nullptr, &error);
  assert_non_null(run->simplifier);
  run->context = context;
  run->map = map;
  run->may_exchange = strstr(path, "exchanges.case") != nullptr;
  run->has_exchanged = false;
  run->counts[0] = map->dim_count, run->counts[1] = map->range_count,
  run->counts[2] = map->runtime_count;
  for (uint32_t kind = 0; kind < kinds; kind++)
    run->there.to[kind] = ARENA_NEW(context->arena, uint32_t, run->counts[kind]);
  if (simplify(run, map, &run->simplified)) number(run, 0, 0, &left);
  run->maps++;
  run->exchanges += run->has_exchanged;
  if (run->may_exchange && !run->has_exchanged && !map_identical(context, map, run->simplified)) {
    fprintf(stderr, "%s:%u: has one text\n", path, line);
    fail();
  }
  simplifier_destroy(run->simplifier);
}

static void texts_do_not_depend_on_how_variables_are_numbered(void **state) {
  (void)state;
  Run run = {};
  each_map(AFFIRM_SOURCE_DIR "/corpus/numbering", check_map, &run);
  assert_in_range(run.maps, 30, UINT64_MAX);
  assert_in_range(run.exchanges, 1, run.maps);
  each_map(AFFIRM_SOURCE_DIR "/corpus/regressions", check_map, &run);
  each_map(AFFIRM_SOURCE_DIR "/corpus/reference", check_map, &run);
  print_message("%llu maps in %llu numberings, %llu maps with exchanges\n",
      (unsigned long long)run.maps, (unsigned long long)run.numberings,
      (unsigned long long)run.exchanges);
}

static void assert_exchange(const char *map, const char *other, const char *numbers) {
  World world = open_world();
  Numbering exchange;
  bool found = map_exchange(world.simplifier, parse(&world, map), parse(&world, other), &exchange);
  assert_int_equal(found, numbers != nullptr);
  for (uint32_t i = 0; numbers != nullptr && numbers[i] != 0; i++)
    assert_int_equal(exchange.to[VAR_DIM][i], numbers[i] - '0');
  close_world(&world);
}

static void an_exchange_is_a_permutation_of_one_kind_and_the_same_bounds(void **state) {
  (void)state;
  assert_exchange("(d0, d1) -> (d0 * 2 + d1), domain: d0 in [0, 9], d1 in [0, 9]",
      "(d0, d1) -> (d0 * 2 + d1), domain: d0 in [0, 9], d1 in [0, 9]", "01");
  assert_exchange("(d0, d1) -> (d0 * 2 + d1), domain: d0 in [0, 9], d1 in [0, 9]",
      "(d0, d1) -> (d0 + d1 * 2), domain: d0 in [0, 9], d1 in [0, 9]", "10");
  assert_exchange("(d0, d1) -> (d0 * 2 + d1), domain: d0 in [0, 9], d1 in [0, 9]",
      "(d0, d1) -> (d0 * 2 + d1 * 3), domain: d0 in [0, 9], d1 in [0, 9]", nullptr);
  assert_exchange("(d0, d1) -> (d0 * 2 + d1), domain: d0 in [0, 9], d1 in [0, 8]",
      "(d0, d1) -> (d0 + d1 * 2), domain: d0 in [0, 8], d1 in [0, 9]", nullptr);
  assert_exchange("(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 9], s0 in [0, 9]",
      "(d0)[s0] -> (d0 + s0 * 2), domain: d0 in [0, 9], s0 in [0, 9]", nullptr);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_exchange_is_a_permutation_of_one_kind_and_the_same_bounds),
      cmocka_unit_test(texts_do_not_depend_on_how_variables_are_numbered)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
