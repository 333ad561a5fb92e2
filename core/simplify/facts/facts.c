/* Facts about values: interval bounds from the variables' bounds, by the transfer functions of
 * core/map/bounds.h, and facts that single constraints state about a sum.
 *
 * Keeps: the bounds contain the value at every point of the domain. A sum is bounded summand by
 * summand in the order in which it is written, so that an expression with bounds here passes
 * map_check. Fails on overflow. */
#include <assert.h>

#include "core/base/checked.h"
#include "core/map/bounds.h"
#include "core/simplify/engine.h"

static bool facts_scaled(
    Simplifier *simplifier, int64_t coefficient, Interval bounds, Interval *result) {
  int64_t lo, hi;
  if (!simplifier_mul(simplifier, coefficient, bounds.lo, &lo) ||
      !simplifier_mul(simplifier, coefficient, bounds.hi, &hi))
    return false;
  *result = coefficient < 0 ? (Interval){hi, lo} : (Interval){lo, hi};
  assert(result->lo <= result->hi);
  return true;
}

static bool interval_added(Simplifier *simplifier, Interval *total, Interval more) {
  assert(more.lo <= more.hi);
  return simplifier_add(simplifier, total->lo, more.lo, &total->lo) &&
         simplifier_add(simplifier, total->hi, more.hi, &total->hi);
}

/* ---- bounds ---- */

void simplifier_new_epoch(Simplifier *simplifier) {
  assert(simplifier->epoch < UINT32_MAX);
  simplifier->epoch++;
  memo_forget(simplifier);
  simplifier->known_count = 0;
  simplifier->knows_congruences = false;
}

static Variable *variables_of(const Simplifier *simplifier, VarKind kind) {
  Variable *variables =
      ARENA_NEW(simplifier->context->arena, Variable, simplifier->variable_count[kind]);
  for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++)
    variables[i].bounds = simplifier->bounds[kind][i];
  return variables;
}

Map simplifier_box(const Simplifier *simplifier) {
  return (Map){.dim_count = simplifier->variable_count[VAR_DIM],
      .range_count = simplifier->variable_count[VAR_RANGE],
      .runtime_count = simplifier->variable_count[VAR_RUNTIME],
      .dims = variables_of(simplifier, VAR_DIM),
      .ranges = variables_of(simplifier, VAR_RANGE),
      .runtimes = variables_of(simplifier, VAR_RUNTIME)};
}

static bool bound_stated(Simplifier *simplifier, const NormalAtom *atom, Interval *bounds) {
  ArenaMark mark = arena_mark(simplifier->context->arena);
  const Map box = simplifier_box(simplifier);
  bool fits = expr_bounds(simplifier->context, &box, atom->expr, bounds);
  arena_rewind(simplifier->context->arena, mark);
  return fits;
}

static bool bound_combined(Simplifier *simplifier, const NormalAtom *atom, Interval *bounds) {
  if (!facts_sum(simplifier, atom->arguments[0], bounds)) return false;
  for (uint32_t i = 1; i < atom->count; i++) {
    Interval next;
    if (!facts_sum(simplifier, atom->arguments[i], &next) ||
        !bounds_apply(atom->op, *bounds, next, bounds))
      return false;
  }
  return true;
}

static bool bound_atom(Simplifier *simplifier, const NormalAtom *atom, Interval *bounds) {
  if (atom->op == EXPR_VAR) {
    *bounds = simplifier->bounds[atom->var_kind][atom->var_index];
    return true;
  }
  if (atom->op == EXPR_ADD) return bound_stated(simplifier, atom, bounds);
  if (atom->count > 1) return bound_combined(simplifier, atom, bounds);
  Interval argument;
  return facts_sum(simplifier, atom->arguments[0], &argument) &&
         bounds_apply(atom->op, argument, (Interval){atom->divisor, atom->divisor}, bounds);
}

bool facts_atom(Simplifier *simplifier, NormalAtom *atom, Interval *bounds) {
  if (atom->bounds_epoch != simplifier->epoch) {
    atom->bounds_epoch = simplifier->epoch;
    atom->is_bounded =
        bound_atom(simplifier, atom, &atom->bounds) || simplifier_overflows(simplifier);
  }
  assert(!atom->is_bounded || atom->bounds.lo <= atom->bounds.hi);
  *bounds = atom->bounds;
  return atom->is_bounded;
}

bool facts_box(Simplifier *simplifier, const Summand *items, uint32_t count, int64_t constant,
    Interval *total) {
  *total = (Interval){};
  uint32_t leader = sum_leader(items, count);
  for (uint32_t turn = 0; turn < count; turn++) {
    Interval one;
    uint32_t i = sum_turn(leader, turn);
    if (!facts_atom(simplifier, items[i].atom, &one) ||
        !facts_scaled(simplifier, items[i].coefficient, one, &one) ||
        !interval_added(simplifier, total, one))
      return false;
  }
  return interval_added(simplifier, total, (Interval){constant, constant});
}

bool facts_sum(Simplifier *simplifier, NormalSum *sum, Interval *bounds) {
  if (sum->bounds_epoch != simplifier->epoch) {
    sum->bounds_epoch = simplifier->epoch;
    sum->is_bounded = facts_box(simplifier, sum->items, sum->count, sum->constant, &sum->bounds);
  }
  assert(!sum->is_bounded || sum->bounds.lo <= sum->bounds.hi);
  *bounds = sum->bounds;
  return sum->is_bounded;
}

/* ---- facts from constraints ---- */

static const KnownSum *find_known(const Simplifier *simplifier, const NormalSum *sum) {
  if (sum->known_epoch != simplifier->epoch || sum->known->position == simplifier->known_except)
    return nullptr;
  return sum->known;
}

/* p = r (mod m) determines (p + k) mod c if c divides m. */
static bool known_remainder(Simplifier *simplifier, const NormalAtom *atom, Interval *in) {
  if (!simplifier->knows_congruences || atom->op != EXPR_MOD) return false;
  const NormalSum *argument = atom->arguments[0],
                  *part = sum_intern(&simplifier->normal, argument->items, argument->count, 0);
  if (part->congruent_epoch != simplifier->epoch ||
      part->congruent->position == simplifier->known_except)
    return false;
  if (part->congruent->modulus % atom->divisor != 0) return false;
  int64_t c = atom->divisor,
          value = mod64(mod64(part->congruent->residue, c) - c + mod64(argument->constant, c), c);
  assert(value >= 0 && value < c);
  *in = (Interval){value, value};
  return true;
}

static void remember_congruence(Simplifier *simplifier, const Demand *demand, KnownSum *known) {
  const NormalAtom *atom = sum_is_atom(demand->sum) ? demand->sum->items[0].atom : nullptr;
  if (atom == nullptr || atom->op != EXPR_MOD || demand->in.lo != demand->in.hi) return;
  const NormalSum *argument = atom->arguments[0];
  NormalSum *part = sum_intern(&simplifier->normal, argument->items, argument->count, 0);
  known->modulus = atom->divisor;
  known->residue =
      mod64(mod64(demand->in.lo, atom->divisor) - mod64(argument->constant, atom->divisor),
          atom->divisor);
  assert(known->residue >= 0 && known->residue < known->modulus);
  part->congruent = known;
  part->congruent_epoch = simplifier->epoch;
  simplifier->knows_congruences = true;
}

static void facts_meet(Interval *bounds, Interval other) {
  bounds->lo = max64(bounds->lo, other.lo);
  bounds->hi = min64(bounds->hi, other.hi);
}

/* The summands divided by their content, as in constraints: scale * primitive. */
static const NormalSum *primitive_of(
    Simplifier *simplifier, const Summand *items, uint32_t count, int64_t *scale) {
  assert(count > 0);
  *scale = summands_content(items, count, 0);
  if (*scale == 0) return nullptr;
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Summand *divided = BUMP_NEW(&simplifier->normal.temp, Summand, count);
  for (uint32_t i = 0; i < count; i++)
    divided[i] = (Summand){items[i].coefficient / *scale, items[i].atom};
  assert(summands_are_canonical(divided, count));
  const NormalSum *primitive = sum_intern(&simplifier->normal, divided, count, 0);
  bump_release(&simplifier->normal.temp, mark);
  return primitive;
}

static void meet_known(Simplifier *simplifier, const Summand *items, uint32_t count,
    int64_t constant, Interval *bounds) {
  int64_t scale;
  const NormalSum *primitive =
      count == 0 ? nullptr : primitive_of(simplifier, items, count, &scale);
  const KnownSum *known = primitive == nullptr ? nullptr : find_known(simplifier, primitive);
  Interval in;
  if (known == nullptr || !facts_scaled(simplifier, scale, known->in, &in) ||
      !interval_added(simplifier, &in, (Interval){constant, constant}))
    return;
  facts_meet(bounds, in);
}

/* A fact may be about a single summand's atom. */
static bool known_items(Simplifier *simplifier, const Summand *items, uint32_t count,
    int64_t constant, Interval *total) {
  *total = (Interval){constant, constant};
  for (uint32_t i = 0; i < count; i++) {
    Interval one;
    if (!facts_atom(simplifier, items[i].atom, &one)) return false;
    const KnownSum *known = find_known(simplifier, &items[i].atom->alone);
    Interval remainder;
    if (known != nullptr) facts_meet(&one, known->in);
    if (known_remainder(simplifier, items[i].atom, &remainder)) facts_meet(&one, remainder);
    if (!facts_scaled(simplifier, items[i].coefficient, one, &one) ||
        !interval_added(simplifier, total, one))
      return false;
  }
  return true;
}

bool facts_items(Simplifier *simplifier, const Summand *items, uint32_t count, int64_t constant,
    Interval *bounds) {
  if (!facts_box(simplifier, items, count, constant, bounds)) return false;
  if (simplifier->known_count == 0) return true;
  Interval by_atoms;
  if (known_items(simplifier, items, count, constant, &by_atoms)) facts_meet(bounds, by_atoms);
  meet_known(simplifier, items, count, constant, bounds);
  assert(summands_are_canonical(items, count));
  return bounds->lo <= bounds->hi;
}

bool facts_known(Simplifier *simplifier, NormalSum *sum, Interval *bounds) {
  if (simplifier->known_count == 0) return facts_sum(simplifier, sum, bounds);
  return facts_items(simplifier, sum->items, sum->count, sum->constant, bounds);
}

void facts_remember(Simplifier *simplifier, Demand demand, uint32_t position) {
  assert(demand.sum->constant == 0 && demand.in.lo <= demand.in.hi);
  assert(simplifier->known_count < simplifier->known_capacity);
  KnownSum *known = &simplifier->known[simplifier->known_count++];
  *known = (KnownSum){.in = demand.in, .position = position};
  demand.sum->known = known;
  demand.sum->known_epoch = simplifier->epoch;
  remember_congruence(simplifier, &demand, known);
}
