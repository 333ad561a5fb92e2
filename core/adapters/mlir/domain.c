/* Trims intervals by magnitude, then writes inequalities. */
#include "core/adapters/mlir/domain.h"

#include <assert.h>
#include <inttypes.h>

typedef struct Writing {
  AffineText *affine;
  Magnitudes *sizes;
  Domain *domain;
} Writing;

/* The empty interval {1, 0} if no value of at most `size` in magnitude is inside; an end that
 * always holds becomes INT64_MIN or INT64_MAX. */
static Interval trimmed(Interval in, uint64_t size) {
  if (in.lo > in.hi) return (Interval){1, 0};
  if (size > INT64_MAX) return in;
  int64_t most = (int64_t)size;
  if (in.lo > most || in.hi < -most) return (Interval){1, 0};
  return (Interval){in.lo <= -most ? INT64_MIN : in.lo, in.hi >= most ? INT64_MAX : in.hi};
}

static void begin_inequality(Writing *writing) {
  if (writing->domain->set.length > 0) text_string(&writing->domain->set, ", ");
}

static void write_never(Writing *writing) {
  begin_inequality(writing);
  text_string(&writing->domain->set, "-1 >= 0");
}

static void write_expression(Writing *writing, Expr expr) {
  writing->affine->variables_only = true;
  affine_expression(writing->affine, &writing->domain->set, &writing->domain->operands, expr);
  writing->affine->variables_only = false;
}

/* Writes e - minus >= 0, or == 0. */
static void write_at_least(Writing *writing, Expr expr, int64_t minus, const char *relation) {
  assert(minus > INT64_MIN);
  begin_inequality(writing);
  write_expression(writing, expr);
  text_printf(&writing->domain->set, " %c %" PRId64 " %s 0", minus < 0 ? '+' : '-',
      minus < 0 ? -minus : minus, relation);
}

static void write_at_most(Writing *writing, Expr expr, int64_t most) {
  begin_inequality(writing);
  text_printf(&writing->domain->set, "%" PRId64 " - (", most);
  write_expression(writing, expr);
  text_string(&writing->domain->set, ") >= 0");
}

static void write_interval(Writing *writing, Expr expr, Interval in) {
  if (in.lo > in.hi) write_never(writing);
  else if (in.lo == in.hi) write_at_least(writing, expr, in.lo, "==");
  else {
    if (in.lo > INT64_MIN) write_at_least(writing, expr, in.lo, ">=");
    if (in.hi < INT64_MAX) write_at_most(writing, expr, in.hi);
  }
}

static void write_constraint(Writing *writing, const Constraint *one) {
  Interval in = trimmed(one->in, magnitude(writing->sizes, one->expr).value);
  bool holds = in.lo == INT64_MIN && in.hi == INT64_MAX;
  if (holds) return;
  if (in.lo > in.hi || affine_is_pure(writing->affine, one->expr))
    write_interval(writing, one->expr, in);
  else
    *ARENA_PUSH(writing->affine->scratch, writing->domain) =
        (Constraint){.expr = one->expr, .in = in};
}

static void domain_write_bounds(
    Writing *writing, VarKind kind, uint32_t count, const Variable *inner, const Variable *outer) {
  for (uint32_t i = 0; i < count; i++) {
    Interval in = inner[i].bounds, box = outer[i].bounds;
    assert(in.lo > in.hi || (box.lo <= in.lo && in.hi <= box.hi));
    if (in.lo == box.lo && in.hi == box.hi) continue;
    Expr variable = expr_var(writing->affine->context->pool, kind, i);
    if (in.lo == box.lo) in.lo = INT64_MIN;
    if (in.hi == box.hi) in.hi = INT64_MAX;
    write_interval(
        writing, variable, inner[i].bounds.lo > inner[i].bounds.hi ? inner[i].bounds : in);
  }
}

Domain domain_create(AffineText *affine, Magnitudes *sizes, const Map *map, const Map *box) {
  Domain domain = {.set = text_create(affine->scratch)};
  Writing writing = {.affine = affine, .sizes = sizes, .domain = &domain};
  assert(map->dim_count == box->dim_count && map->range_count == box->range_count);
  assert(map->runtime_count == box->runtime_count);
  if (map->state == MAP_KNOWN_EMPTY) write_never(&writing);
  domain_write_bounds(&writing, VAR_DIM, map->dim_count, map->dims, box->dims);
  domain_write_bounds(&writing, VAR_RANGE, map->range_count, map->ranges, box->ranges);
  domain_write_bounds(&writing, VAR_RUNTIME, map->runtime_count, map->runtimes, box->runtimes);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    write_constraint(&writing, &map->constraints[i]);
  return domain;
}

void domain_set(const AffineText *affine, Text *text, const Domain *domain) {
  assert(domain->set.length > 0);
  text_string(text, "affine_set<");
  affine_parameters(text, &domain->operands);
  text_printf(text, " : (%s)>", domain->set.bytes);
  affine_arguments(affine, text, &domain->operands);
}

static uint32_t write_comparison(
    AffineText *affine, const char *relation, uint32_t value, int64_t bound) {
  uint32_t constant = affine->next_value++, condition = affine->next_value++;
  affine_line(affine, "%%v%" PRIu32 " = arith.constant %" PRId64 " : index", constant, bound);
  affine_line(affine, "%%v%" PRIu32 " = arith.cmpi %s, %%v%" PRIu32 ", %%v%" PRIu32 " : index",
      condition, relation, value, constant);
  return condition;
}

uint32_t domain_condition(AffineText *affine, const Constraint *one) {
  uint32_t value = affine_value(affine, one->expr);
  if (one->in.lo == INT64_MIN) return write_comparison(affine, "sle", value, one->in.hi);
  uint32_t low = write_comparison(affine, "sge", value, one->in.lo);
  if (one->in.hi == INT64_MAX) return low;
  uint32_t high = write_comparison(affine, "sle", value, one->in.hi), both = affine->next_value++;
  affine_line(
      affine, "%%v%" PRIu32 " = arith.andi %%v%" PRIu32 ", %%v%" PRIu32 " : i1", both, low, high);
  return both;
}
