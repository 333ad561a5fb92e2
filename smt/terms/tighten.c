/* One round: each fact lo <= sum <= hi bounds each of its atoms by what the others leave. Each
 * derived atom is bounded by its arguments and bounds them in turn: q = x floordiv c implies
 * c*lo(q) <= x <= c*hi(q) + c - 1; m = min(a, b) implies lo(m) <= a, b. An interval without
 * integers ends the search: the facts contradict each other. A bound past 2^100 is ignored. */
#include "smt/terms/tighten.h"

#include <assert.h>

static constexpr Wide capacity = (Wide)1 << 100;
static constexpr uint32_t max_rounds = 12;

typedef struct Tightening {
  Sums *sums;
  bool changed, impossible;
} Tightening;

typedef struct AtomRange {
  Wide lo, hi; /* -capacity and capacity: unbounded */
} AtomRange;

static constexpr AtomRange everything = {-capacity, capacity};

static AtomRange range_of(const Sums *sums, uint32_t atom) {
  assert(sums_has_atom(sums, atom));
  const SumAtom *at = &sums->atoms[atom];
  return at->bounded ? (AtomRange){at->lo, at->hi} : everything;
}

static void tighten_narrow(Tightening *work, uint32_t atom, AtomRange to) {
  SumAtom *at = &work->sums->atoms[atom];
  AtomRange old = range_of(work->sums, atom);
  AtomRange new = {to.lo > old.lo ? to.lo : old.lo, to.hi < old.hi ? to.hi : old.hi};
  if (new.lo > new.hi) work->impossible = true;
  if (work->impossible || (new.lo == old.lo &&new.hi == old.hi)) return;
  if (new.lo <= -capacity || new.hi >= capacity) return;
  at->lo = new.lo;
  at->hi = new.hi;
  at->bounded = true;
  work->changed = true;
}

static bool has_end(Wide value) { return -capacity < value && value < capacity; }

/* coefficient * range; unknown ends remain unknown. */
static AtomRange tighten_scaled(AtomRange range, Wide coefficient) {
  Wide first = coefficient > 0 ? range.lo : range.hi, last = coefficient > 0 ? range.hi : range.lo;
  AtomRange result = everything;
  if (!has_end(first) || __builtin_mul_overflow(first, coefficient, &result.lo) ||
      !has_end(result.lo))
    result.lo = -capacity;
  if (!has_end(last) || __builtin_mul_overflow(last, coefficient, &result.hi) ||
      !has_end(result.hi))
    result.hi = capacity;
  return result;
}

/* The number of terms without an end, and the sum of the known ends. Partial sums stay below 2^126
 * for 2^25 terms. */
typedef struct Ends {
  Wide lo, hi;
  uint32_t no_lo, no_hi;
} Ends;

static void take_in(Ends *ends, AtomRange range) {
  if (has_end(range.lo)) ends->lo += range.lo;
  else ends->no_lo++;
  if (has_end(range.hi)) ends->hi += range.hi;
  else ends->no_hi++;
}

static Ends ends_of(const Sums *sums, const SumNode *node) {
  Ends ends = {.lo = node->constant, .hi = node->constant};
  assert(node->term_count < 1u << 25);
  for (uint32_t i = 0; i < node->term_count; i++)
    take_in(&ends, tighten_scaled(range_of(sums, node->terms[i].atom), node->terms[i].coefficient));
  return ends;
}

static AtomRange range_of_sum(const Sums *sums, Sum sum) {
  assert(sums_has(sums, sum));
  Ends ends = ends_of(sums, &sums->sums[sum.at]);
  return (AtomRange){ends.no_lo == 0 && has_end(ends.lo) ? ends.lo : -capacity,
      ends.no_hi == 0 && has_end(ends.hi) ? ends.hi : capacity};
}

/* lo <= rest + coefficient * atom <= hi, where rest is in [rest_lo, rest_hi]. */
static void narrow_term(Tightening *work, const SumTerm *term, const Ends *ends, AtomRange to) {
  AtomRange own = tighten_scaled(range_of(work->sums, term->atom), term->coefficient),
            left = everything, result = everything;
  bool rest_has_lo = ends->no_lo == (has_end(own.lo) ? 0u : 1u),
       rest_has_hi = ends->no_hi == (has_end(own.hi) ? 0u : 1u);
  if (has_end(to.lo) && rest_has_hi) left.lo = to.lo - (ends->hi - (has_end(own.hi) ? own.hi : 0));
  if (has_end(to.hi) && rest_has_lo) left.hi = to.hi - (ends->lo - (has_end(own.lo) ? own.lo : 0));
  Wide size = term->coefficient > 0 ? term->coefficient : -term->coefficient;
  if (term->coefficient < 0)
    left = (AtomRange){
        has_end(left.hi) ? -left.hi : -capacity, has_end(left.lo) ? -left.lo : capacity};
  if (has_end(left.lo)) result.lo = -wide_floordiv(-left.lo, size);
  if (has_end(left.hi)) result.hi = wide_floordiv(left.hi, size);
  tighten_narrow(work, term->atom, result);
}

/* Remainders inside the sum may contradict the fact even if the intervals of its atoms do not. */
static void test_fact(Tightening *work, const Within *fact) {
  Wide lo, hi;
  if (fact->lo > fact->hi ||
      (sum_range(work->sums, fact->sum, &lo, &hi) && (lo > fact->hi || hi < fact->lo)))
    work->impossible = true;
}

static void narrow_sum(Tightening *work, Sum sum, AtomRange to) {
  const SumNode node = work->sums->sums[sum.at];
  Ends ends = ends_of(work->sums, &node);
  if ((ends.no_lo == 0 && has_end(to.hi) && ends.lo > to.hi) ||
      (ends.no_hi == 0 && has_end(to.lo) && ends.hi < to.lo))
    work->impossible = true;
  for (uint32_t i = 0; i < node.term_count && !work->impossible; i++)
    narrow_term(work, &node.terms[i], &ends, to);
}

static void narrow_quotient(Tightening *work, uint32_t at) {
  const SumAtom atom = work->sums->atoms[at];
  AtomRange inside = range_of_sum(work->sums, atom.a), own = everything, back;
  if (has_end(inside.lo)) own.lo = wide_floordiv(inside.lo, atom.divisor);
  if (has_end(inside.hi)) own.hi = wide_floordiv(inside.hi, atom.divisor);
  tighten_narrow(work, at, own);
  back = tighten_scaled(range_of(work->sums, at), atom.divisor);
  if (has_end(back.hi)) back.hi += atom.divisor - 1;
  if (!work->impossible) narrow_sum(work, atom.a, back);
}

static Wide smaller(Wide a, Wide b) { return a < b ? a : b; }
static Wide tighten_larger(Wide a, Wide b) { return a > b ? a : b; }

static void narrow_choice(Tightening *work, uint32_t at) {
  const SumAtom atom = work->sums->atoms[at];
  AtomRange a = range_of_sum(work->sums, atom.a), b = range_of_sum(work->sums, atom.b), own;
  if (atom.kind == ATOM_MIN)
    tighten_narrow(work, at, (AtomRange){smaller(a.lo, b.lo), smaller(a.hi, b.hi)});
  else
    tighten_narrow(work, at, (AtomRange){tighten_larger(a.lo, b.lo), tighten_larger(a.hi, b.hi)});
  own = range_of(work->sums, at);
  if (work->impossible) return;
  AtomRange side =
      atom.kind == ATOM_MIN ? (AtomRange){own.lo, capacity} : (AtomRange){-capacity, own.hi};
  narrow_sum(work, atom.a, side);
  if (!work->impossible) narrow_sum(work, atom.b, side);
}

static void narrow_product(Tightening *work, uint32_t at) {
  const SumAtom atom = work->sums->atoms[at];
  AtomRange a = range_of_sum(work->sums, atom.a), b = range_of_sum(work->sums, atom.b),
            own = {capacity, -capacity};
  if (!has_end(a.lo) || !has_end(a.hi) || !has_end(b.lo) || !has_end(b.hi)) return;
  for (uint32_t i = 0; i < 4; i++) {
    Wide corner;
    if (__builtin_mul_overflow(i & 1 ? a.lo : a.hi, i & 2 ? b.lo : b.hi, &corner)) return;
    own = (AtomRange){smaller(own.lo, corner), tighten_larger(own.hi, corner)};
  }
  tighten_narrow(work, at, own);
}

static void narrow_atom(Tightening *work, uint32_t at) {
  switch (work->sums->atoms[at].kind) {
    case ATOM_FREE:
    case ATOM_VALUE:
    case ATOM_RATIO: return;
    case ATOM_QUOTIENT: narrow_quotient(work, at); return;
    case ATOM_MIN:
    case ATOM_MAX: narrow_choice(work, at); return;
    case ATOM_PRODUCT: narrow_product(work, at); return;
  }
  unreachable();
}

static AtomRange range_of_fact(const Within *fact) {
  return (AtomRange){
      fact->lo <= -no_bound ? -capacity : fact->lo, fact->hi >= no_bound ? capacity : fact->hi};
}

bool sums_has_facts(const Sums *sums, uint32_t count, const Within *facts) {
  for (uint32_t i = 0; i < count; i++)
    if (!sums_has(sums, facts[i].sum)) return false;
  return true;
}

bool sums_tighten(Sums *sums, uint32_t count, const Within *facts) {
  assert(sums_has_facts(sums, count, facts));
  Tightening work = {.sums = sums, .changed = true};
  for (uint32_t round = 0;
      round < max_rounds && work.changed && !work.impossible && !sums->overflow; round++) {
    work.changed = false;
    for (uint32_t i = 0; i < count && !work.impossible; i++) {
      test_fact(&work, &facts[i]);
      if (!work.impossible) narrow_sum(&work, facts[i].sum, range_of_fact(&facts[i]));
    }
    for (uint32_t at = 0; at < sums->atom_count && !work.impossible; at++) narrow_atom(&work, at);
  }
  return sums->overflow || !work.impossible;
}

void sums_rebuild(Sums *sums, uint32_t count, Sum *changed) {
  uint32_t atoms = sums->atom_count;
  bool *set = ARENA_NEW(sums->arena, bool, atoms);
  Sum *by = ARENA_NEW(sums->arena, Sum, atoms);
  for (uint32_t i = 0; i < atoms; i++) {
    set[i] = sums->atoms[i].bounded && sums->atoms[i].lo == sums->atoms[i].hi;
    if (set[i]) by[i] = sum_of_constant(sums, sums->atoms[i].lo);
  }
  AtomChange change = {.count = atoms, .set = set, .by = by};
  sums_replace(sums, &change, count, changed);
}
