/* Bounds of variables from single constraints: the interval of a sum is propagated to its summands,
 * the interval of an atom to its arguments. For s = c1*a1 + ... in [l, u] with bounds [L, H] of s
 * and [Li, Hi] of ci*ai:
 *   ci*ai in [l - (H - Hi), u - (L - Li)].
 * x floordiv c in [l, u] implies x in [l*c, u*c + c - 1]; x ceildiv c implies x in [(l - 1)*c + 1,
 * u*c]; x mod c in [l, u] moves the ends of x to the nearest value with such a remainder; min(..)
 * >= l and max(..) <= u hold for every argument.
 * Keeps: no point of the domain is lost. An overflow implies nothing.
 * The recursion is as deep as atoms nest, at most normal_max_depth. */
#include "core/simplify/facts/constraints.h"

#include <assert.h>

#include "core/base/checked.h"

typedef struct Tighten {
  Simplifier *simplifier;
  Interval **next;
} Tighten;

static constexpr Interval everything = {INT64_MIN, INT64_MAX};

static void tighten_sum(const Tighten *tighten, NormalSum *sum, Interval in);

static void tighten_meet(Interval *bounds, Interval other) {
  bounds->lo = max64(bounds->lo, other.lo);
  bounds->hi = min64(bounds->hi, other.hi);
}

static void tighten_floordiv(const Tighten *tighten, const NormalAtom *atom, Interval in) {
  Interval inner = everything;
  if (!mul64(in.lo, atom->divisor, &inner.lo)) inner.lo = INT64_MIN;
  if (!mul64(in.hi, atom->divisor, &inner.hi) || !add64(inner.hi, atom->divisor - 1, &inner.hi))
    inner.hi = INT64_MAX;
  tighten_sum(tighten, atom->arguments[0], inner);
}

static void tighten_ceildiv(const Tighten *tighten, const NormalAtom *atom, Interval in) {
  Interval inner = everything;
  if (!mul64(in.lo, atom->divisor, &inner.lo) || !sub64(inner.lo, atom->divisor - 1, &inner.lo))
    inner.lo = INT64_MIN;
  if (!mul64(in.hi, atom->divisor, &inner.hi)) inner.hi = INT64_MAX;
  tighten_sum(tighten, atom->arguments[0], inner);
}

/* The smallest value >= from whose remainder is in [in.lo, in.hi], a part of [0, c - 1]. */
static int64_t next_with_remainder(int64_t from, int64_t c, Interval in) {
  int64_t remainder = mod64(from, c), next;
  assert(0 <= in.lo && in.lo <= in.hi && in.hi < c);
  if (remainder >= in.lo && remainder <= in.hi) return from;
  int64_t step = remainder < in.lo ? in.lo - remainder : c - remainder + in.lo;
  assert(step > 0 && step < c);
  return add64(from, step, &next) ? next : from;
}

static int64_t previous_with_remainder(int64_t from, int64_t c, Interval in) {
  int64_t remainder = mod64(from, c), previous;
  assert(0 <= in.lo && in.lo <= in.hi && in.hi < c);
  if (remainder >= in.lo && remainder <= in.hi) return from;
  int64_t step = remainder > in.hi ? remainder - in.hi : c - in.hi + remainder;
  assert(step > 0 && step < c);
  return sub64(from, step, &previous) ? previous : from;
}

static void tighten_mod(const Tighten *tighten, const NormalAtom *atom, Interval in) {
  Interval argument;
  tighten_meet(&in, (Interval){0, atom->divisor - 1});
  if (in.lo > in.hi || !facts_sum(tighten->simplifier, atom->arguments[0], &argument)) return;
  Interval inner = {next_with_remainder(argument.lo, atom->divisor, in),
      previous_with_remainder(argument.hi, atom->divisor, in)};
  tighten_sum(tighten, atom->arguments[0], inner);
}

static void tighten_arguments(const Tighten *tighten, const NormalAtom *atom, Interval in) {
  for (uint32_t i = 0; i < atom->count; i++) tighten_sum(tighten, atom->arguments[i], in);
}

static void tighten_atom(const Tighten *tighten, const NormalAtom *atom, Interval in) {
  assert(atom_is_canonical(atom));
  switch (atom->op) {
    case EXPR_VAR: tighten_meet(&tighten->next[atom->var_kind][atom->var_index], in); return;
    case EXPR_FLOORDIV: tighten_floordiv(tighten, atom, in); return;
    case EXPR_CEILDIV: tighten_ceildiv(tighten, atom, in); return;
    case EXPR_MOD: tighten_mod(tighten, atom, in); return;
    case EXPR_MIN: tighten_arguments(tighten, atom, (Interval){in.lo, INT64_MAX}); return;
    case EXPR_MAX: tighten_arguments(tighten, atom, (Interval){INT64_MIN, in.hi}); return;
    case EXPR_CONST:
    case EXPR_ADD:
    case EXPR_MUL: return;
  }
}

/* [ceil(lo / c), floor(hi / c)], with the ends exchanged for c < 0. */
static Interval tighten_divided(Interval in, int64_t c) {
  assert(c != 0);
  if (c == INT64_MIN) return everything;
  if (c > 0)
    return (Interval){in.lo == INT64_MIN ? in.lo : ceildiv64(in.lo, c),
        in.hi == INT64_MAX ? in.hi : floordiv64(in.hi, c)};
  int64_t lo, hi;
  if (in.hi == INT64_MAX || !sub64(0, in.hi, &lo)) lo = INT64_MIN;
  if (in.lo == INT64_MIN || !sub64(0, in.lo, &hi)) hi = INT64_MAX;
  return tighten_divided((Interval){lo, hi}, -c);
}

static Interval share_of(Interval in, Interval all, Interval own) {
  Interval share;
  int64_t others;
  assert(all.lo <= all.hi && own.lo <= own.hi);
  if (in.lo == INT64_MIN || !sub64(all.hi, own.hi, &others) || !sub64(in.lo, others, &share.lo))
    share.lo = INT64_MIN;
  if (in.hi == INT64_MAX || !sub64(all.lo, own.lo, &others) || !sub64(in.hi, others, &share.hi))
    share.hi = INT64_MAX;
  return share;
}

static void tighten_sum(const Tighten *tighten, NormalSum *sum, Interval in) {
  Interval all;
  if (!facts_sum(tighten->simplifier, sum, &all) || (in.lo <= all.lo && all.hi <= in.hi)) return;
  for (uint32_t i = 0; i < sum->count; i++) {
    Interval atom, own;
    int64_t c = sum->items[i].coefficient;
    if (!facts_atom(tighten->simplifier, sum->items[i].atom, &atom)) continue;
    if (!mul64(c, c < 0 ? atom.hi : atom.lo, &own.lo) ||
        !mul64(c, c < 0 ? atom.lo : atom.hi, &own.hi))
      continue;
    Interval share = tighten_divided(share_of(in, all, own), c);
    if (share.lo > atom.lo || share.hi < atom.hi) tighten_atom(tighten, sum->items[i].atom, share);
  }
}

void tighten_by(Simplifier *simplifier, Demand demand, Interval *next[variable_kinds]) {
  Tighten tighten = {.simplifier = simplifier, .next = next};
  tighten_sum(&tighten, demand.sum, demand.in);
}
