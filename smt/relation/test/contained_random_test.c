/* Containment of small relations, and the same relation, against sets of pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/map.h"
#include "smt/smt.h"

static uint64_t state_of_relations = 3;

static uint32_t relation_below(uint32_t end) {
  state_of_relations =
      state_of_relations * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_relations >> 33) % end;
}

/* (d0)[s0] -> (d0 * a + s0 * b + c, (d0 + s0) mod m), d0 + s0 in an interval. */
typedef struct SmallRelation {
  int64_t a, b, c, m;
  Interval dim, range, sum;
} SmallRelation;

static Interval relation_interval(int64_t most) {
  int64_t lo = relation_below(2);
  return (Interval){lo, lo + relation_below((uint32_t)most + 1)};
}

static SmallRelation draw_relation(void) {
  return (SmallRelation){.a = (int64_t)relation_below(4) - 1,
      .b = (int64_t)relation_below(4) - 1,
      .c = relation_below(2),
      .m = 1 + relation_below(3),
      .dim = relation_interval(2),
      .range = relation_interval(3),
      .sum = {relation_below(2), 3 + relation_below(3)}};
}

/* A part of the relation, more than it, or another one. */
static SmallRelation change_relation(SmallRelation relation) {
  SmallRelation other = draw_relation();
  switch (relation_below(6)) {
    case 0: relation.dim.hi -= 1; break;
    case 1: relation.range.hi -= 1; break;
    case 2: relation.sum.hi = relation.sum.lo + 1; break;
    case 3: relation.c = other.c; break;
    case 4: relation.m = other.m; break;
    default: return other;
  }
  return relation;
}

static const Map *map_of_relation(MapContext *context, const SmallRelation *relation) {
  ExprPool *pool = context->pool;
  Map *map = map_create(context, 1, 1, 0, 2, 1);
  Expr dim = expr_var(pool, VAR_DIM, 0), range = expr_var(pool, VAR_RANGE, 0),
       sum = expr_binary(pool, EXPR_ADD, dim, range);
  map->dims[0].bounds = relation->dim;
  map->ranges[0].bounds = relation->range;
  map->results[0] = expr_binary(pool, EXPR_ADD,
      expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_MUL, dim, expr_const(pool, relation->a)),
          expr_binary(pool, EXPR_MUL, range, expr_const(pool, relation->b))),
      expr_const(pool, relation->c));
  map->results[1] = expr_binary(pool, EXPR_MOD, sum, expr_const(pool, relation->m));
  map->constraints[0] = (Constraint){.expr = sum, .in = relation->sum};
  return map;
}

/* The pairs with this d0, as bits: the first result is from -8 on. */
static uint64_t pairs_at(const SmallRelation *relation, int64_t dim) {
  uint64_t pairs = 0;
  if (dim < relation->dim.lo || dim > relation->dim.hi) return 0;
  for (int64_t range = relation->range.lo; range <= relation->range.hi; range++) {
    if (dim + range < relation->sum.lo || dim + range > relation->sum.hi) continue;
    int64_t first = dim * relation->a + range * relation->b + relation->c + 8;
    assert_true(first >= 0 && first < 21);
    pairs |= UINT64_C(1) << (3 * first + (dim + range) % relation->m);
  }
  return pairs;
}

static bool is_part_of(const SmallRelation *inner, const SmallRelation *outer) {
  for (int64_t dim = 0; dim < 4; dim++)
    if ((pairs_at(inner, dim) & ~pairs_at(outer, dim)) != 0) return false;
  return true;
}

static void relations_are_contained_as_sets_are(void **) {
  const uint32_t rounds = test_length(1000, 60, 20);
  uint32_t contained = 0, same = 0;
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  for (uint32_t round = 0; round < rounds; round++) {
    MapMark mark = map_context_mark(context);
    SmallRelation inner = draw_relation(), outer = inner;
    for (uint32_t i = relation_below(3); i > 0; i--) inner = change_relation(inner);
    for (uint32_t i = relation_below(2); i > 0; i--) outer = change_relation(outer);
    const Map *one = map_of_relation(context, &inner), *other = map_of_relation(context, &outer);
    bool is_contained = is_part_of(&inner, &outer),
         is_same = is_contained && is_part_of(&outer, &inner);
    Error error = {};
    Verdict by_sets, by_equality;
    assert_true(smt_contained(smt, one, other, &by_sets, &error));
    assert_true(smt_same_relation(smt, one, other, &by_equality, &error));
    if (by_sets.status != (is_contained ? VERDICT_PROVED : VERDICT_REFUTED) ||
        by_equality.status != (is_same ? VERDICT_PROVED : VERDICT_REFUTED))
      fail_msg("round %u: contained %u, not %u; same %u, not %u: %s", round, by_sets.status,
          is_contained, by_equality.status, is_same, verdict_text(&by_sets));
    contained += is_contained;
    same += is_same;
    map_context_rewind(context, mark);
  }
  assert_true(contained > same && same > rounds / 10 && contained < rounds - rounds / 10);
  smt_destroy(smt);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relations_are_contained_as_sets_are),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
