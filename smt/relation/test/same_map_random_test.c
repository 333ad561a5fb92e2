/* Compares verdicts on pairs of random maps with evaluation at every point of the box: a map and
 * the same map changed in one place, in an operator, a constant, a constraint or a bound. About
 * half of the changes have no effect, and the proof must recognise them. Widths are small and
 * coefficients of all sizes, so that bounds decide quotients, remainders, min and max about half of
 * the time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "core/map/test/random_map.h"
#include "core/map/text.h"
#include "smt/solver/confirm.h"
#include "smt/smt.h"

typedef struct SameMapRandomTrial {
  MapContext *context;
  Smt *smt;
  RandomMaps random;
  uint32_t same, different, unknown;
} SameMapRandomTrial;

static Expr changed_leaf(SameMapRandomTrial *trial, Expr expr) {
  int64_t value;
  if (!expr_is_const(trial->context->pool, expr, &value))
    return expr_binary(trial->context->pool, EXPR_ADD, expr, expr_const(trial->context->pool, 1));
  bool is_larger = random_between(&trial->random, 0, 1) == 0;
  if (value == INT64_MAX) is_larger = false;
  if (value == INT64_MIN) is_larger = true;
  return expr_const(trial->context->pool, is_larger ? value + 1 : value - 1);
}

/* The expression with one place changed, on a random path. */
static Expr same_map_random_changed(SameMapRandomTrial *trial, Expr expr) {
  ExprPool *pool = trial->context->pool;
  ExprNode node = *expr_node(pool, expr);
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return changed_leaf(trial, expr);
  bool is_division = node.op == EXPR_FLOORDIV || node.op == EXPR_CEILDIV || node.op == EXPR_MOD;
  switch (random_between(&trial->random, 0, 4)) {
    case 0:
    case 1:
      return expr_binary(pool, node.op, same_map_random_changed(trial, node.left), node.right);
    case 2:
    case 3:
      if (is_division) break; /* a divisor of 0 is invalid */
      return expr_binary(pool, node.op, node.left, same_map_random_changed(trial, node.right));
    default: break;
  }
  if (node.op == EXPR_MIN) return expr_binary(pool, EXPR_MAX, node.left, node.right);
  if (node.op == EXPR_MAX) return node.left;
  if (node.op == EXPR_FLOORDIV) return expr_binary(pool, EXPR_CEILDIV, node.left, node.right);
  if (node.op == EXPR_CEILDIV) return expr_binary(pool, EXPR_FLOORDIV, node.left, node.right);
  if (node.op == EXPR_MOD) return node.left;
  return expr_binary(pool, EXPR_ADD, node.left, node.right);
}

static Map *copy_of(SameMapRandomTrial *trial, const Map *map) {
  Map *copy = map_create(trial->context, map->dim_count, map->range_count, map->runtime_count,
      map->result_count, map->constraint_count);
  for (uint32_t i = 0; i < map->dim_count; i++) copy->dims[i] = map->dims[i];
  for (uint32_t i = 0; i < map->range_count; i++) copy->ranges[i] = map->ranges[i];
  for (uint32_t i = 0; i < map->runtime_count; i++) copy->runtimes[i] = map->runtimes[i];
  for (uint32_t i = 0; i < map->result_count; i++) copy->results[i] = map->results[i];
  for (uint32_t i = 0; i < map->constraint_count; i++) copy->constraints[i] = map->constraints[i];
  return copy;
}

/* One less at either end. */
static void bound_narrow(SameMapRandomTrial *trial, Interval *interval) {
  if (random_between(&trial->random, 0, 1) == 0) interval->hi--;
  else interval->lo++;
}

static Interval *bounds_of(Map *map, uint32_t at) {
  if (at < map->dim_count) return &map->dims[at].bounds;
  at -= map->dim_count;
  return at < map->range_count ? &map->ranges[at].bounds
                               : &map->runtimes[at - map->range_count].bounds;
}

static const Map *changed_map(SameMapRandomTrial *trial, const Map *map) {
  Map *copy = copy_of(trial, map);
  int64_t position = random_between(&trial->random, 0, 5);
  if (position <= 2 && map->result_count > 0) {
    uint32_t at = (uint32_t)random_between(&trial->random, 0, map->result_count - 1);
    copy->results[at] = same_map_random_changed(trial, copy->results[at]);
  } else if (position <= 4 && map->constraint_count > 0) {
    Constraint *constraint =
        &copy->constraints[random_between(&trial->random, 0, map->constraint_count - 1)];
    if (position == 3) constraint->expr = same_map_random_changed(trial, constraint->expr);
    else bound_narrow(trial, &constraint->in);
  } else if (map_variable_count(map) > 0) {
    int64_t at = random_between(&trial->random, 0, map_variable_count(map) - 1);
    bound_narrow(trial, bounds_of(copy, (uint32_t)at));
  }
  return copy;
}

static bool is_small(const Map *map) {
  int64_t points = 1;
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    points *= map_variable(map, i)->bounds.hi - map_variable(map, i)->bounds.lo + 1;
    if (points > 400) return false;
  }
  return true;
}

static bool same_at(SameMapRandomTrial *trial, const Map *a, const Map *b, const Wide *values) {
  Replayed left = confirm_map(trial->context->arena, trial->context, a, values),
           right = confirm_map(trial->context->arena, trial->context, b, values);
  if (left.state != right.state) return false;
  for (uint32_t i = 0; i < a->result_count && left.state == REPLAY_INSIDE; i++)
    if (left.results[i] != right.results[i]) return false;
  return true;
}

/* Compares over the box of the first map, which contains that of the second. */
static bool same_everywhere(SameMapRandomTrial *trial, const Map *a, const Map *b) {
  Wide values[16];
  for (uint32_t i = 0; i < map_variable_count(a); i++) values[i] = map_variable(a, i)->bounds.lo;
  for (;;) {
    if (!same_at(trial, a, b, values)) return false;
    uint32_t i = 0;
    while (i < map_variable_count(a) && values[i] == map_variable(a, i)->bounds.hi) {
      values[i] = map_variable(a, i)->bounds.lo;
      i++;
    }
    if (i == map_variable_count(a)) return true;
    values[i]++;
  }
}

static void check_verdict(
    SameMapRandomTrial *trial, const Map *before, const Map *after, bool same) {
  Verdict verdict;
  Error error = {};
  assert_true(smt_same_map(trial->smt, before, after, &verdict, &error));
  trial->unknown += verdict.status == VERDICT_UNKNOWN;
  if (verdict.status == VERDICT_UNKNOWN || (verdict.status == VERDICT_PROVED) == same) return;
  Text text = text_create(trial->context->arena);
  map_print(&text, trial->context, before, MAP_STYLE_LINE);
  text_string(&text, "\n");
  map_print(&text, trial->context, after, MAP_STYLE_LINE);
  fail_msg("%s, but the maps are %s:\n%s\n%s",
      verdict.status == VERDICT_PROVED ? "proved" : "refuted", same ? "the same" : "different",
      text.bytes, verdict_text(&verdict));
}

/* Every fourth pair is exchanged. */
static void check_pair(SameMapRandomTrial *trial, const Map *before, const Map *after) {
  bool same = same_everywhere(trial, before, after);
  trial->same += same;
  trial->different += !same;
  bool is_exchanged = (trial->same + trial->different) % 4 == 0;
  check_verdict(trial, is_exchanged ? after : before, is_exchanged ? before : after, same);
}

static void same_map_agrees_with_evaluation(void **state) {
  (void)state;
  SameMapRandomTrial trial = {.context = map_context_create()};
  trial.smt = smt_create(trial.context, &(SmtOptions){.rlimit = 500'000});
  uint32_t pairs = getenv("AFFIRM_NIGHTLY") != nullptr ? 40000
                   : getenv("AFFIRM_FEW") != nullptr   ? 300
                                                       : 2000;
  static const int64_t coefficients[] = {5, 12, 60, 1000, INT64_C(1) << 40};
  for (uint32_t i = 0; i < pairs;) {
    MapMark mark = map_context_mark(trial.context);
    trial.random = (RandomMaps){.state = trial.random.state + 1,
        .max_variables = 3,
        .max_depth = 5,
        .max_results = 2,
        .max_constraints = 2,
        .max_coefficient = coefficients[i % 5],
        .max_bound = 9};
    const Map *before = random_map(trial.context, &trial.random),
              *after = changed_map(&trial, before);
    Error ignored = {};
    if (is_small(before) && map_check(trial.context, after, &ignored)) {
      check_pair(&trial, before, after);
      i++;
    }
    map_context_rewind(trial.context, mark);
  }
  print_message(
      "%u pairs the same, %u different, %u unknown\n", trial.same, trial.different, trial.unknown);
  assert_true(trial.unknown * 200 <= pairs - (pairs < 2000 ? pairs : 300) &&
              trial.same > pairs / 10 && trial.different > pairs / 10);
  smt_destroy(trial.smt);
  map_context_destroy(trial.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_map_agrees_with_evaluation)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
