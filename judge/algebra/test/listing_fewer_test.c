/* The list of all points as a judge of maps with fewer variables, of inverses and of bijections,
 * against definitions that are evaluated here at every point. An answer has fewer variables rightly
 * if some choice of dropped ones explains it: whatever their values are, the answer reaches the
 * same results by the same elements from what was kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/text.h"
#include "judge/algebra/algebra.h"
#include "judge/obligations/obligation.h"

static uint64_t state_of_fewer = 77;

static uint32_t fewer_below(uint32_t end) {
  state_of_fewer = state_of_fewer * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_fewer >> 33) % end;
}

/* ---- maps ---- */

static constexpr uint32_t fewer_most = 5, fewer_results = 2, fewer_width = 2;

/* offset + sum of factors * variables, then its remainder or quotient by the divisor, if any. */
typedef struct FewerSum {
  int64_t factors[fewer_most], offset, divisor;
  bool is_quotient;
} FewerSum;

typedef struct FewerSource {
  uint32_t instruction, name; /* of two each */
  bool is_known;              /* its index */
  uint32_t width;
  FewerSum index[fewer_width];
  Interval clamp;
} FewerSource;

/* The variables are numbered: dimensions, at most one range variable, runtime variables. */
typedef struct FewerMap {
  uint32_t counts[3], results, constraints;
  Interval bounds[fewer_most], in[fewer_results];
  FewerSum result[fewer_results], constraint[fewer_results];
  bool has_sources;
  FewerSource sources[2];
} FewerMap;

static uint32_t fewer_first(const FewerMap *map, VarKind kind) {
  return kind == VAR_DIM ? 0 : map->counts[0] + (kind == VAR_RUNTIME ? map->counts[1] : 0);
}

static uint32_t fewer_count(const FewerMap *map) {
  return fewer_first(map, VAR_RUNTIME) + map->counts[2];
}

static VarKind fewer_kind(const FewerMap *map, uint32_t variable) {
  return variable < map->counts[0]                  ? VAR_DIM
         : variable < fewer_first(map, VAR_RUNTIME) ? VAR_RANGE
                                                    : VAR_RUNTIME;
}

/* All sums of a map; `of` is null past the last one. Those of index maps may have no runtime
 * variable. */
static FewerSum *fewer_sum(FewerMap *map, uint32_t number) {
  uint32_t at = number;
  if (at < map->results) return &map->result[at];
  at -= map->results;
  if (at < map->constraints) return &map->constraint[at];
  at -= map->constraints;
  for (uint32_t i = 0; map->has_sources && i < map->counts[2]; i++) {
    if (!map->sources[i].is_known) continue;
    if (at < map->sources[i].width) return &map->sources[i].index[at];
    at -= map->sources[i].width;
  }
  return nullptr;
}

static uint32_t fewer_sums(FewerMap *map) {
  uint32_t count = 0;
  while (fewer_sum(map, count) != nullptr) count++;
  return count;
}

static FewerSum draw_fewer_sum(uint32_t variables) {
  FewerSum sum = {.divisor = fewer_below(4) == 0 ? 2 : 0, .is_quotient = fewer_below(2) == 0};
  for (uint32_t i = 0; i < variables; i++) sum.factors[i] = fewer_below(3) == 0;
  return sum;
}

static FewerSource draw_fewer_source(uint32_t known, Interval bounds) {
  FewerSource source = {.instruction = fewer_below(2),
      .name = fewer_below(2),
      .is_known = fewer_below(5) > 0,
      .width = 1 + fewer_below(fewer_width),
      .clamp = {bounds.lo + (fewer_below(4) == 0), bounds.hi - (fewer_below(4) == 0)}};
  for (uint32_t i = 0; i < fewer_width; i++) source.index[i] = draw_fewer_sum(known);
  return source;
}

static FewerMap draw_fewer(void) {
  FewerMap map = {.counts = {fewer_below(3), fewer_below(2), fewer_below(3)},
      .results = 1 + fewer_below(fewer_results),
      .constraints = fewer_below(2),
      .has_sources = fewer_below(4) > 0};
  uint32_t count = fewer_count(&map), runtimes = fewer_first(&map, VAR_RUNTIME);
  for (uint32_t i = 0; i < count; i++) {
    map.bounds[i].lo = fewer_below(2);
    map.bounds[i].hi = map.bounds[i].lo + fewer_below(3);
  }
  for (uint32_t i = 0; i < map.results; i++) map.result[i] = draw_fewer_sum(count);
  map.constraint[0] = draw_fewer_sum(count);
  map.in[0] = (Interval){fewer_below(2), 1 + fewer_below(3)};
  for (uint32_t i = 0; i < map.counts[2]; i++)
    map.sources[i] = draw_fewer_source(runtimes, map.bounds[runtimes + i]);
  return map;
}

static Expr fewer_expr(MapContext *context, const FewerMap *map, const FewerSum *sum) {
  Expr made = expr_const(context->pool, sum->offset);
  for (uint32_t i = 0; i < fewer_count(map); i++) {
    if (sum->factors[i] == 0) continue;
    VarKind kind = fewer_kind(map, i);
    Expr variable = expr_var(context->pool, kind, i - fewer_first(map, kind));
    made = expr_binary(context->pool, EXPR_ADD, made,
        expr_binary(context->pool, EXPR_MUL, variable, expr_const(context->pool, sum->factors[i])));
  }
  ExprOp op = sum->is_quotient ? EXPR_FLOORDIV : EXPR_MOD;
  return sum->divisor == 0
             ? made
             : expr_binary(context->pool, op, made, expr_const(context->pool, sum->divisor));
}

static Map *fewer_begin(
    MapContext *context, const FewerMap *map, uint32_t results, uint32_t constraints) {
  Map *made =
      map_create(context, map->counts[0], map->counts[1], map->counts[2], results, constraints);
  for (uint32_t i = 0; i < fewer_count(map); i++) map_variable(made, i)->bounds = map->bounds[i];
  return made;
}

static const Map *map_of_fewer(MapContext *context, const FewerMap *map) {
  static const char *const names[] = {"a", "b"};
  static const int instructions[2];
  Map *made = fewer_begin(context, map, map->results, map->constraints);
  for (uint32_t i = 0; i < map->results; i++)
    made->results[i] = fewer_expr(context, map, &map->result[i]);
  for (uint32_t i = 0; i < map->constraints; i++)
    made->constraints[i] =
        (Constraint){.expr = fewer_expr(context, map, &map->constraint[i]), .in = map->in[i]};
  if (map->has_sources) made->sources = ARENA_NEW(context->arena, RuntimeSource, 2);
  for (uint32_t i = 0; map->has_sources && i < map->counts[2]; i++) {
    const FewerSource *source = &map->sources[i];
    Map *index = fewer_begin(context, map, source->width, 0);
    for (uint32_t k = 0; k < source->width; k++)
      index->results[k] = fewer_expr(context, map, &source->index[k]);
    made->sources[i] = (RuntimeSource){.instruction = &instructions[source->instruction],
        .name = names[source->name],
        .index = source->is_known ? index : nullptr,
        .clamp = source->clamp};
  }
  return made;
}

/* ---- points ---- */

static int64_t fewer_value(const FewerSum *sum, const int64_t *at) {
  int64_t value = sum->offset;
  for (uint32_t i = 0; i < fewer_most; i++) value += sum->factors[i] * at[i];
  if (sum->divisor == 0) return value;
  int64_t remainder = (value % sum->divisor + sum->divisor) % sum->divisor;
  return sum->is_quotient ? (value - remainder) / sum->divisor : remainder;
}

static bool fewer_has(const FewerMap *map, const int64_t *at) {
  for (uint32_t i = 0; i < fewer_count(map); i++)
    if (at[i] < map->bounds[i].lo || at[i] > map->bounds[i].hi) return false;
  for (uint32_t i = 0; i < map->constraints; i++) {
    int64_t value = fewer_value(&map->constraint[i], at);
    if (value < map->in[i].lo || value > map->in[i].hi) return false;
  }
  return true;
}

/* Values of all variables lie in [0, 5]. */
static constexpr int64_t fewer_values = 6;

/* The next of all values of the variables in `set`, false after the last. */
static bool fewer_next(int64_t *at, uint32_t set) {
  for (uint32_t i = 0; i < fewer_most; i++) {
    if ((set >> i & 1) == 0) continue;
    if (++at[i] < fewer_values) return true;
    at[i] = 0;
  }
  return false;
}

static uint32_t fewer_all(const FewerMap *map) { return (1u << fewer_count(map)) - 1; }

static uint32_t fewer_of_kind(const FewerMap *map, VarKind kind) {
  return ((1u << map->counts[kind]) - 1) << fewer_first(map, kind);
}

static uint64_t fewer_points(const FewerMap *map) {
  uint64_t count = 0;
  int64_t at[fewer_most] = {};
  do count += fewer_has(map, at);
  while (fewer_next(at, fewer_all(map)));
  return count;
}

typedef struct FewerReach {
  uint32_t count;
  uint64_t items[fewer_values];
} FewerReach;

/* What is reached at values of dimensions and runtime variables: results, and the elements of which
 * the runtime variables in `kept` are the values, as one number each. */
static FewerReach fewer_reach(const FewerMap *map, uint32_t kept, const int64_t *values) {
  FewerReach reach = {};
  uint32_t range = map->counts[0], runtimes = fewer_first(map, VAR_RUNTIME);
  int64_t at[fewer_most];
  memcpy(at, values, sizeof at);
  for (int64_t value = 0; value < (map->counts[1] == 0 ? 1 : fewer_values); value++) {
    if (map->counts[1] > 0) at[range] = value;
    if (!fewer_has(map, at)) continue;
    uint64_t code = 0;
    for (uint32_t i = 0; i < map->results; i++)
      code = code << 8 | (uint8_t)fewer_value(&map->result[i], at);
    for (uint32_t i = 0; map->has_sources && i < map->counts[2]; i++)
      for (uint32_t k = 0; (kept >> (runtimes + i) & 1) != 0 && map->sources[i].is_known &&
                           k < map->sources[i].width;
          k++)
        code = code << 8 | (uint8_t)fewer_value(&map->sources[i].index[k], at);
    reach.items[reach.count++] = code;
  }
  return reach;
}

static bool fewer_reach_within(const FewerReach *a, const FewerReach *b) {
  for (uint32_t i = 0; i < a->count; i++) {
    uint32_t k = 0;
    while (k < b->count && b->items[k] != a->items[i]) k++;
    if (k == b->count) return false;
  }
  return true;
}

static bool fewer_sources_alike(const FewerMap *a, uint32_t i, const FewerMap *b, uint32_t k) {
  if (!a->has_sources || !b->has_sources) return a->has_sources == b->has_sources;
  const FewerSource *x = &a->sources[i], *y = &b->sources[k];
  return x->instruction == y->instruction && x->name == y->name && x->clamp.lo == y->clamp.lo &&
         x->clamp.hi == y->clamp.hi && x->is_known == y->is_known &&
         (!x->is_known || x->width == y->width);
}

/* The values in the place that the kept variables have in the answer. */
static void fewer_moved(
    const FewerMap *map, const FewerMap *made, uint32_t kept, const int64_t *at, int64_t *moved) {
  uint32_t next[] = {0, 0, fewer_first(made, VAR_RUNTIME)};
  memset(moved, 0, fewer_most * sizeof *moved);
  for (uint32_t i = 0; i < fewer_count(map); i++)
    if ((kept >> i & 1) != 0) moved[next[fewer_kind(map, i)]++] = at[i];
}

static bool fewer_explained_by(const FewerMap *map, const FewerMap *made, uint32_t kept) {
  uint32_t runtimes = fewer_first(map, VAR_RUNTIME), own = 0;
  for (uint32_t i = 0; i < map->counts[2]; i++) {
    const FewerSource *source = &map->sources[i];
    Interval bounds = map->bounds[runtimes + i];
    bool is_kept = (kept >> (runtimes + i) & 1) != 0;
    if (is_kept && !fewer_sources_alike(map, i, made, own++)) return false;
    if (!is_kept && map->has_sources &&
        (bounds.lo > source->clamp.lo || bounds.hi < source->clamp.hi))
      return false; /* without the variable, values would count that are excluded */
  }
  int64_t at[fewer_most] = {};
  do {
    bool is_value = true;
    for (uint32_t i = 0; i < fewer_count(map); i++)
      if ((kept >> i & 1) == 0 && fewer_kind(map, i) != VAR_RANGE)
        is_value &= at[i] >= map->bounds[i].lo && at[i] <= map->bounds[i].hi;
    if (!is_value) continue;
    int64_t moved[fewer_most];
    fewer_moved(map, made, kept, at, moved);
    FewerReach before = fewer_reach(map, kept, at), after = fewer_reach(made, UINT32_MAX, moved);
    if (!fewer_reach_within(&before, &after) || !fewer_reach_within(&after, &before)) return false;
  } while (fewer_next(at, fewer_all(map) & ~fewer_of_kind(map, VAR_RANGE)));
  return true;
}

/* `may_drop` is a set of kinds. */
static bool fewer_is_right(const FewerMap *map, const FewerMap *made, uint32_t may_drop) {
  uint32_t ranges = fewer_of_kind(map, VAR_RANGE), runtimes = fewer_of_kind(map, VAR_RUNTIME),
           dims = fewer_of_kind(map, VAR_DIM);
  for (uint32_t kept = 0; kept <= fewer_all(map); kept++) {
    uint32_t dropped = fewer_all(map) & ~kept & ~ranges;
    if ((kept & ranges) != 0 || ((dropped & dims) != 0 && (may_drop >> VAR_DIM & 1) == 0) ||
        ((dropped & runtimes) != 0 && (may_drop >> VAR_RUNTIME & 1) == 0) ||
        (uint32_t)__builtin_popcount(kept & dims) != made->counts[0] ||
        (uint32_t)__builtin_popcount(kept & runtimes) != made->counts[2])
      continue;
    if (map->results == made->results && fewer_explained_by(map, made, kept)) return true;
  }
  return false;
}

/* ---- answers ---- */

static void drop_fewer(FewerMap *map, uint32_t variable) {
  VarKind kind = fewer_kind(map, variable);
  uint32_t place = variable - fewer_first(map, kind), after = fewer_count(map) - 1 - variable;
  for (uint32_t i = 0; i < fewer_sums(map); i++) {
    int64_t *factors = fewer_sum(map, i)->factors;
    memmove(&factors[variable], &factors[variable + 1], after * sizeof *factors);
    factors[variable + after] = 0;
  }
  memmove(&map->bounds[variable], &map->bounds[variable + 1], after * sizeof *map->bounds);
  if (kind == VAR_RUNTIME && place == 0) map->sources[0] = map->sources[1];
  map->counts[kind]--;
}

/* Nothing uses the variable any more. */
static void unuse_fewer(FewerMap *map, uint32_t variable) {
  for (uint32_t i = 0; i < fewer_sums(map); i++) fewer_sum(map, i)->factors[variable] = 0;
}

static void use_fewer(FewerMap *map, uint32_t variable) {
  FewerSum *sum = fewer_sum(map, fewer_below(fewer_sums(map)));
  bool is_of_index = sum < map->result || sum >= map->result + fewer_results;
  is_of_index = is_of_index && (sum < map->constraint || sum >= map->constraint + fewer_results);
  if (!is_of_index || fewer_kind(map, variable) != VAR_RUNTIME) sum->factors[variable] = 1;
}

/* Each value of the variable allows one of the range variable. */
static void tie_fewer(FewerMap *map, uint32_t variable) {
  uint32_t range = map->counts[0];
  if (map->counts[1] == 0) return;
  FewerSum *sum = &map->constraint[map->constraints];
  *sum = (FewerSum){};
  sum->factors[range] = sum->factors[variable] = 1;
  int64_t end = map->bounds[range].lo + map->bounds[variable].hi;
  map->in[map->constraints++] = (Interval){end, end};
}

static void change_fewer(FewerMap *map) {
  uint32_t count = fewer_count(map), what = fewer_below(10);
  FewerSource *source = &map->sources[map->counts[2] > 1 ? fewer_below(2) : 0];
  if (what == 0 && count > 0) use_fewer(map, fewer_below(count));
  if (what == 1 && count > 0) map->bounds[fewer_below(count)].hi++;
  if (what == 2) map->in[0].hi++;
  if (what == 3) fewer_sum(map, fewer_below(fewer_sums(map)))->offset++;
  if (what == 4) source->instruction ^= 1;
  if (what == 5) source->name ^= 1;
  if (what == 6) *(fewer_below(2) == 0 ? &source->clamp.lo : &source->clamp.hi) += 1;
  if (what == 7) source->width = 1 + source->width % 2;
  if (what == 9 && map->constraints > 0) map->constraints--;
  if (what == 8) *(fewer_below(2) == 0 ? &source->is_known : &map->has_sources) ^= true;
}

/* Drops variables of the kind, some of which are used. */
static FewerMap without_fewer(FewerMap *map, VarKind kind) {
  uint32_t first = fewer_first(map, kind), dropped = fewer_below(1u << map->counts[kind]);
  for (uint32_t i = 0; i < map->counts[kind]; i++)
    if ((dropped >> i & 1) != 0) unuse_fewer(map, first + i);
  FewerMap made = *map;
  for (uint32_t i = map->counts[kind]; i > 0; i--) {
    if ((dropped >> (i - 1) & 1) == 0) continue;
    drop_fewer(&made, first + i - 1);
    if (fewer_below(4) == 0) use_fewer(map, first + i - 1);
    else if (fewer_below(4) == 0 && map->constraints < fewer_results) tie_fewer(map, first + i - 1);
  }
  return made;
}

/* s = step * t + rest, where a constraint allows no other values of the range variable. */
static FewerMap rescale_fewer(FewerMap *map) {
  uint32_t range = map->counts[0];
  int64_t step = 2, rest = fewer_below(2);
  if (map->counts[1] == 0) return *map;
  map->bounds[range].hi = map->bounds[range].lo + 1 + fewer_below(3);
  FewerMap made = *map;
  map->constraint[map->constraints] =
      (FewerSum){.factors = {[0] = 0}, .offset = step - rest, .divisor = step};
  map->constraint[map->constraints].factors[range] = 1;
  map->in[map->constraints++] = (Interval){0, 0};
  made.bounds[range].lo = (map->bounds[range].lo - rest + step - 1) / step;
  made.bounds[range].hi = (map->bounds[range].hi - rest) / step;
  for (uint32_t i = 0; i < fewer_sums(&made); i++) {
    FewerSum *sum = fewer_sum(&made, i);
    sum->offset += sum->factors[range] * rest;
    sum->factors[range] *= step;
  }
  return made;
}

static void check_fewer(Judge *judge, const AlgebraQuery *query, const AlgebraAnswer *answer,
    bool is_right, uint32_t counts[2]) {
  Obligation obligation = algebra_obligation(query, answer, 0);
  Verdict verdict = verdict_begin(judge->context->arena);
  judge_by_listing(judge, &obligation, &verdict);
  counts[is_right]++;
  if (verdict.status == (is_right ? VERDICT_PROVED : VERDICT_REFUTED)) return;
  Text text = text_create(judge->context->arena);
  map_print(&text, judge->context, query->maps[0], MAP_STYLE_LINE);
  text_string(&text, "\n");
  if (answer->map != nullptr) map_print(&text, judge->context, answer->map, MAP_STYLE_LINE);
  fail_msg("%s, is it right? %d\n%s\n%s", algebra_row(query->operation)->text, is_right, text.bytes,
      verdict_text(&verdict));
}

static void fewer_variables_are_explained_by_a_choice_of_dropped_ones(void **) {
  static const struct {
    AlgebraOperation operation;
    uint32_t may_drop;
  } rows[] = {{ALGEBRA_DROP_UNUSED, 1u << VAR_RUNTIME}, {ALGEBRA_DROP_DIMS, 1u << VAR_DIM},
      {ALGEBRA_RESCALE, 0}};
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  const uint32_t rounds = test_length(12000, 3000, 600);
  uint32_t counts[3][2] = {};
  for (uint32_t i = 0; i < rounds;) {
    MapMark mark = map_context_mark(judge->context);
    FewerMap map = draw_fewer(), made = i % 3 == 0   ? without_fewer(&map, VAR_RUNTIME)
                                        : i % 3 == 1 ? without_fewer(&map, VAR_DIM)
                                                     : rescale_fewer(&map);
    if (fewer_below(3) == 0) change_fewer(&made);
    if (fewer_points(&map) == 0 || fewer_points(&made) == 0) continue;
    AlgebraQuery query = {
        .operation = rows[i % 3].operation, .maps = {map_of_fewer(judge->context, &map)}};
    check_fewer(judge, &query,
        &(AlgebraAnswer){.kind = ALGEBRA_IS_MAP, .map = map_of_fewer(judge->context, &made)},
        fewer_is_right(&map, &made, rows[i % 3].may_drop), counts[i % 3]);
    map_context_rewind(judge->context, mark);
    i++;
  }
  for (uint32_t i = 0; i < 3; i++)
    assert_true(counts[i][0] > rounds / 30 && counts[i][1] > rounds / 30);
  judge_destroy(judge);
}

/* ---- inverses and bijections ---- */

/* Results are dimensions in another order, times a factor and plus an offset; the answer computes
 * them back. */
static FewerMap draw_invertible(FewerMap *inverse) {
  uint32_t count = 1 + fewer_below(2), is_turned = count > 1 ? fewer_below(2) : 0;
  FewerMap map = {.counts = {count}, .results = count};
  *inverse = (FewerMap){.counts = {count}, .results = count, .constraints = count};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t to = i ^ is_turned;
    int64_t factor = 1 + fewer_below(2), offset = fewer_below(2);
    Interval bounds = {fewer_below(2), 1 + fewer_below(2)};
    map.bounds[i] = bounds;
    map.result[to].factors[i] = factor;
    map.result[to].offset = offset;
    inverse->bounds[to] = (Interval){factor * bounds.lo + offset, factor * bounds.hi + offset};
    inverse->result[i] = (FewerSum){.offset = -offset, .divisor = factor, .is_quotient = true};
    inverse->constraint[i] = (FewerSum){.offset = -offset, .divisor = factor};
    inverse->result[i].factors[to] = inverse->constraint[i].factors[to] = 1;
  }
  return map;
}

static void fewer_results_at(const FewerMap *map, const int64_t *at, int64_t *results) {
  memset(results, 0, fewer_most * sizeof *results);
  for (uint32_t i = 0; i < map->results; i++) results[i] = fewer_value(&map->result[i], at);
}

/* Each point of `a` is the results of a point of `b` that is its results. */
static bool are_pairs_exchanged(const FewerMap *a, const FewerMap *b) {
  int64_t at[fewer_most] = {}, there[fewer_most], back[fewer_most];
  do {
    if (!fewer_has(a, at)) continue;
    fewer_results_at(a, at, there);
    fewer_results_at(b, there, back);
    if (!fewer_has(b, there) || memcmp(at, back, sizeof at) != 0) return false;
  } while (fewer_next(at, fewer_all(a)));
  return true;
}

static void inverses_have_the_pairs_exchanged(void **) {
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  const uint32_t rounds = test_length(4000, 1500, 300);
  uint32_t counts[2] = {};
  for (uint32_t i = 0; i < rounds; i++) {
    MapMark mark = map_context_mark(judge->context);
    FewerMap inverse, map = draw_invertible(&inverse);
    if (fewer_below(8) == 0) /* two points with the same results, one of which is left out */
      map.result[fewer_below(map.results)].factors[fewer_below(map.counts[0])] = fewer_below(2);
    if (fewer_below(8) == 0) inverse.counts[0]--, inverse.counts[1]++;
    else if (fewer_below(3) == 0) change_fewer(&inverse);
    AlgebraQuery query = {
        .operation = ALGEBRA_INVERSE, .maps = {map_of_fewer(judge->context, &map)}};
    check_fewer(judge, &query,
        &(AlgebraAnswer){.kind = ALGEBRA_IS_MAP, .map = map_of_fewer(judge->context, &inverse)},
        fewer_points(&map) == 0 ? fewer_points(&inverse) == 0
                                : inverse.counts[1] == 0 && are_pairs_exchanged(&map, &inverse) &&
                                      are_pairs_exchanged(&inverse, &map),
        counts);
    map_context_rewind(judge->context, mark);
  }
  assert_true(counts[0] > rounds / 5 && counts[1] > rounds / 5);
  judge_destroy(judge);
}

/* Each index of the box is the results of exactly one point, and no results lie outside. */
static bool fewer_is_bijective(const FewerMap *map, uint32_t count, const int64_t *sizes) {
  uint32_t hits[64] = {}, indices = 1;
  int64_t at[fewer_most] = {}, results[fewer_most];
  for (uint32_t i = 0; i < count; i++) indices *= sizes[i] < 0 ? 0 : (uint32_t)sizes[i];
  do {
    uint32_t index = 0;
    if (!fewer_has(map, at)) continue;
    if (map->results != count) return false;
    fewer_results_at(map, at, results);
    for (uint32_t i = 0; i < count; i++) {
      if (results[i] < 0 || results[i] >= sizes[i]) return false;
      index = index * (uint32_t)sizes[i] + (uint32_t)results[i];
    }
    hits[index]++;
  } while (fewer_next(at, fewer_all(map)));
  for (uint32_t i = 0; i < indices; i++)
    if (hits[i] != 1) return false;
  return true;
}

static void bijections_reach_each_index_of_the_box_once(void **) {
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  const uint32_t rounds = test_length(4000, 1500, 300);
  uint32_t counts[2] = {}, bijective = 0;
  for (uint32_t i = 0; i < rounds; i++) {
    MapMark mark = map_context_mark(judge->context);
    FewerMap ignored, map = fewer_below(2) == 0 ? draw_fewer() : draw_invertible(&ignored);
    map.has_sources = false;
    if (fewer_below(4) == 0) map.bounds[0].hi = map.bounds[0].lo - 1;
    int64_t sizes[3];
    uint32_t count = fewer_below(8) == 0 ? fewer_below(3) : map.results;
    for (uint32_t k = 0; k < count; k++)
      sizes[k] = fewer_below(6) == 0 ? (int64_t)fewer_below(3) - 2 : 1 + fewer_below(3);
    bool is_true = fewer_below(2) == 0, is_bijective = fewer_is_bijective(&map, count, sizes);
    AlgebraQuery query = {.operation = ALGEBRA_BIJECTIVE,
        .numbers = {.count = count, .items = sizes},
        .maps = {map_of_fewer(judge->context, &map)}};
    check_fewer(judge, &query,
        &(AlgebraAnswer){.kind = is_true ? ALGEBRA_IS_TRUE : ALGEBRA_IS_FALSE},
        is_true == is_bijective, counts);
    bijective += is_bijective;
    map_context_rewind(judge->context, mark);
  }
  assert_true(counts[0] > rounds / 3 && counts[1] > rounds / 3 && bijective > rounds / 20);
  judge_destroy(judge);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fewer_variables_are_explained_by_a_choice_of_dropped_ones),
      cmocka_unit_test(inverses_have_the_pairs_exchanged),
      cmocka_unit_test(bijections_reach_each_index_of_the_box_once),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
