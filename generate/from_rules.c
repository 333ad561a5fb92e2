/* Two bytes select a rule, then one byte each constant and some each letter. If the guards are far
 * from their edge (violated by more than one, or no comparison within one of changing), the same
 * bytes are read again, mixed with a hash, and the nearest reading is used. Recursion: at most
 * `deepest` nested rules, and a term's depth. */
#include "generate/from_rules.h"

#include <string.h>

#include "core/base/checked.h"
#include "core/base/edges.h"
#include "core/base/hash.h"
#include "core/map/bounds.h"
#include "smt/rules/rule_value.h"

static constexpr uint32_t deepest = 3;
static constexpr int64_t far_bound = 1 << 16;
static constexpr uint32_t variable_limit = 4;
static constexpr uint32_t readings = 12; /* attempts for an outermost rule; nested rules have one */

typedef struct Maker {
  MapContext *context;
  const RuleSet *rules;
  const uint8_t *bytes;
  size_t size, at;
  Map *map;
  int64_t edges[8]; /* constants of the rules so far, used for bounds */
  uint32_t edge_count;
  uint64_t twist; /* 0: bytes are used unchanged */
} Maker;

typedef struct Filled {
  const Rule *rule;
  int64_t constants[rule_max_letters];
  Expr exprs[rule_max_letters];
} Filled;

static uint8_t from_rules_next(Maker *maker) {
  uint8_t byte = maker->at < maker->size ? maker->bytes[maker->at] : 0;
  maker->at++;
  return maker->twist == 0 ? byte : (uint8_t)(byte ^ hash_mix(maker->twist, maker->at) >> 32);
}

static Expr from_rules_number(Maker *maker, int64_t value) {
  return expr_const(maker->context->pool, value);
}

static bool bounds_are(Maker *maker, Expr expr, Interval *bounds) {
  return expr_bounds(maker->context, maker->map, expr, bounds);
}

static Expr from_rules_joined(Maker *maker, ExprOp op, Expr left, Expr right) {
  ExprPool *pool = maker->context->pool;
  int64_t divisor;
  bool divides = op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD;
  Interval bounds;
  if (divides && bounds_are(maker, right, &bounds) && bounds.lo == bounds.hi)
    right = from_rules_number(maker, bounds.lo);
  if (divides && (!expr_is_const(pool, right, &divisor) || divisor <= 0)) return left;
  Expr whole = expr_binary(pool, op, left, right);
  return bounds_are(maker, whole, &bounds) ? whole : left;
}

/* Builds a term of a left side, where lo(x) and hi(x) do not occur. */
static Expr built(Maker *maker, const Filled *filled, const RuleTerm *term) {
  switch (term->kind) {
    case TERM_INTEGER: return from_rules_number(maker, term->value);
    case TERM_CONSTANT_LETTER: return from_rules_number(maker, filled->constants[term->letter]);
    case TERM_EXPR: return filled->exprs[term->letter];
    case TERM_LO:
    case TERM_HI: return from_rules_number(maker, 0);
    case TERM_GCD:
    case TERM_OPERATOR: break;
  }
  Expr left = built(maker, filled, term->left), right = built(maker, filled, term->right);
  return term->kind == TERM_GCD ? left : from_rules_joined(maker, term->op, left, right);
}

static int64_t edge(Maker *maker) {
  uint8_t how = from_rules_next(maker);
  if (maker->edge_count == 0) return how % 12;
  int64_t first = maker->edges[how % maker->edge_count],
          second = maker->edges[how / 8 % maker->edge_count];
  int64_t near;
  if (how & 128 && !mul64(first, second, &first)) first = second;
  return add64(first, how / 16 % 4 - 2, &near) ? near : first;
}

/* 0, or a number near `hi` if `hi` is far away, so that the domain stays small. */
static int64_t least_beside(int64_t hi) {
  int64_t lo;
  if (hi >= -far_bound && hi <= far_bound) return 0;
  return sub64(hi, 11, &lo) ? lo : hi;
}

static Expr from_rules_variable(Maker *maker) {
  ExprPool *pool = maker->context->pool;
  Map *map = maker->map;
  uint8_t which = from_rules_next(maker);
  uint32_t index = which % variable_limit;
  if (index < map->dim_count) return expr_var(pool, VAR_DIM, index);
  int64_t hi = edge(maker), lo = which & 64 ? edge(maker) : least_beside(hi);
  index = map->dim_count++;
  map->dims[index] = (Variable){.bounds = {lo < hi ? lo : hi, lo < hi ? hi : lo}};
  return expr_var(pool, VAR_DIM, index);
}

static Expr from_rule(Maker *maker, uint32_t depth, Filled *filled);

static Expr letter(Maker *maker, uint32_t depth) {
  uint8_t how = from_rules_next(maker);
  Filled inner = {};
  if (how % 4 == 3 && depth < deepest) return from_rule(maker, depth + 1, &inner);
  Expr first = from_rules_variable(maker);
  if (how % 4 != 2) return first;
  int64_t factor = maker->edge_count == 0 ? 2 : maker->edges[how / 4 % maker->edge_count];
  return from_rules_joined(maker, EXPR_ADD,
      from_rules_joined(maker, EXPR_MUL, first, from_rules_number(maker, factor)),
      from_rules_variable(maker));
}

static void from_rules_fill(Maker *maker, uint32_t depth, Filled *filled) {
  static const int64_t values[] = {2, 3, 4, 1, 6, 8, 12, 5, 16, 10, 7, 9, -1, -2, -3, 0};
  for (uint32_t i = 0; i < filled->rule->constant_count; i++) {
    uint8_t byte = from_rules_next(maker);
    filled->constants[i] = byte >= 192 ? edge_integer(byte - 192u) : values[byte % 16];
    if (maker->edge_count < 8) maker->edges[maker->edge_count++] = filled->constants[i];
  }
  for (uint32_t i = 0; i < filled->rule->expr_count; i++) filled->exprs[i] = letter(maker, depth);
}

static int64_t from_rules_distance(Comparison relation, Wide left, Wide right) {
  Wide more = left - right, capped = more > 1000 ? 1000 : more < -1000 ? -1000 : more;
  int64_t gap = (int64_t)capped;
  switch (relation) {
    case REL_EQ: return gap < 0 ? -gap : gap;
    case REL_NE: return gap == 0;
    case REL_LT: return gap < 0 ? 0 : gap + 1;
    case REL_LE: return gap <= 0 ? 0 : gap;
    case REL_GT: return gap > 0 ? 0 : 1 - gap;
    case REL_GE: return gap >= 0 ? 0 : -gap;
  }
  return 0;
}

static bool values_of(Maker *maker, const Filled *filled, RuleValues *values) {
  memcpy(values->constants, filled->constants, sizeof values->constants);
  for (uint32_t i = 0; i < filled->rule->expr_count; i++) {
    Interval bounds;
    if (!bounds_are(maker, filled->exprs[i], &bounds)) return false;
    values->lo[i] = values->exprs[i] = bounds.lo;
    values->hi[i] = bounds.hi;
  }
  return true;
}

/* How far the guards are from their edge. 0 if they hold or one is violated by one, and some
 * comparison is within one of changing. */
static int64_t edge_distance(Maker *maker, const Filled *filled) {
  RuleValues values;
  const Rule *rule = filled->rule;
  int64_t off = 0, slack = rule->guard_count == 0 ? 0 : 1000;
  if (!values_of(maker, filled, &values)) return INT64_MAX;
  for (uint32_t i = 0; i < rule->guard_count; i++) {
    Wide left, right, bad_value;
    const RuleTerm *bad;
    if (!term_value(rule->guards[i].left, &values, &left, &bad, &bad_value) ||
        !term_value(rule->guards[i].right, &values, &right, &bad, &bad_value))
      return INT64_MAX;
    Wide gap = left < right ? right - left : left - right;
    off += from_rules_distance(rule->guards[i].relation, left, right);
    if (gap < slack) slack = (int64_t)gap;
  }
  return (off <= 1 ? 0 : 4 * off) + (slack <= 1 ? 0 : slack);
}

/* The state that a reading changes, apart from the pool of expressions. */
typedef struct Before {
  size_t at;
  uint32_t dim_count, edge_count;
} Before;

static int64_t read_letters(
    Maker *maker, uint32_t depth, Filled *filled, const Before *before, uint64_t twist) {
  maker->at = before->at;
  maker->map->dim_count = before->dim_count;
  maker->edge_count = before->edge_count;
  maker->twist = twist;
  from_rules_fill(maker, depth, filled);
  maker->twist = 0;
  return edge_distance(maker, filled);
}

static void fill_near_edge(Maker *maker, Filled *filled) {
  Before before = {maker->at, maker->map->dim_count, maker->edge_count};
  uint64_t best = 0;
  int64_t least = read_letters(maker, 0, filled, &before, 0);
  for (uint64_t twist = 1; twist < readings && least > 0; twist++) {
    int64_t far = read_letters(maker, 0, filled, &before, twist);
    if (far >= least) continue;
    least = far;
    best = twist;
  }
  if (least > 0) (void)read_letters(maker, 0, filled, &before, best);
}

static Expr from_rule(Maker *maker, uint32_t depth, Filled *filled) {
  uint32_t which = from_rules_next(maker);
  filled->rule =
      &maker->rules->items[(which + 256u * (from_rules_next(maker) & 3)) % maker->rules->count];
  if (depth == 0) fill_near_edge(maker, filled);
  else from_rules_fill(maker, depth, filled);
  return built(maker, filled, filled->rule->left.expr);
}

static int64_t end_of(Maker *maker, const Filled *filled, const RuleTerm *term) {
  Interval bounds;
  return bounds_are(maker, built(maker, filled, term), &bounds) ? bounds.lo : 0;
}

/* Adds the constraint that a letter's remainder by one of the constants is 0, which enables
 * cancellations. */
static void add_remainder(Maker *maker, const Filled *filled) {
  uint32_t constants = filled->rule->constant_count, letters = filled->rule->expr_count;
  if (constants == 0 || letters == 0) return;
  int64_t divisor = filled->constants[from_rules_next(maker) % constants];
  Expr remainder =
      from_rules_joined(maker, EXPR_MOD, filled->exprs[from_rules_next(maker) % letters],
          from_rules_number(maker, divisor < 2 ? 2 : divisor));
  maker->map->constraints[maker->map->constraint_count++] =
      (Constraint){.expr = remainder, .in = {0, 0}};
}

static void from_rules_add(Maker *maker) {
  Filled filled = {};
  Map *map = maker->map;
  Expr expr = from_rule(maker, 0, &filled);
  if (!filled.rule->left.is_constraint) {
    map->results[map->result_count++] = expr;
    if (from_rules_next(maker) % 4 == 3) add_remainder(maker, &filled);
    return;
  }
  Interval in = {
      end_of(maker, &filled, filled.rule->left.lo), end_of(maker, &filled, filled.rule->left.hi)};
  if (in.lo > in.hi) in = (Interval){in.hi, in.lo};
  map->constraints[map->constraint_count++] = (Constraint){.expr = expr, .in = in};
}

const Map *fuzz_map_from_rules(
    MapContext *context, const RuleSet *rules, const uint8_t *bytes, size_t size) {
  Maker maker = {.context = context, .rules = rules, .bytes = bytes, .size = size};
  maker.map = map_create(context, variable_limit, 0, 0, 4, 4);
  maker.map->dim_count = maker.map->result_count = maker.map->constraint_count = 0;
  uint32_t count = 1 + from_rules_next(&maker) % 3;
  while (count-- > 0) from_rules_add(&maker);
  for (uint32_t i = 0; i < maker.map->dim_count && maker.map->result_count < 4; i++)
    maker.map->results[maker.map->result_count++] = expr_var(context->pool, VAR_DIM, i);
  return maker.map;
}
