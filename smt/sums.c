/* Linear sums over atoms, hash-consed in two open-addressing tables.
 * Keeps: terms ascending by atom, no zero coefficient; an atom's arguments exist before it, so a loop over atoms is bottom-up;
 * an atom's known bounds follow from those of its arguments. Only identities that hold for all integers are applied: constants fold,
 * min and max of sums that differ by a constant, and for quotients (floor of floor; without them Z3 was lost in chains of reshapes)
 *   (c*y + z) floordiv c = y + z floordiv c
 *   (g*x + k) floordiv (g*c) = (x + k floordiv g) floordiv c
 *   (w floordiv a + s) floordiv c = (w + a*s) floordiv (a*c).
 * Refuses by `overflow`: a coefficient past 2^100 leaves the constant 0 in its place and marks the whole pool. */
#include "smt/sums.h"

#include <assert.h>
#include <string.h>

#include "core/base/hash.h"

static constexpr Wide wide_limit = (Wide)1 << 100;

static bool fits(Wide value) { return -wide_limit < value && value < wide_limit; }

Wide wide_floordiv(Wide x, Wide divisor) {
  assert(divisor > 0);
  Wide quotient = x / divisor;
  return x % divisor < 0 ? quotient - 1 : quotient;
}

static uint64_t hash_wide(uint64_t hash, Wide value) {
  return hash_mix(hash_mix(hash, (uint64_t)value), (uint64_t)(value >> 64));
}

static uint64_t hash_sum(const SumNode *node) {
  uint64_t hash = hash_wide(node->term_count, node->constant);
  for (uint32_t i = 0; i < node->term_count; i++)
    hash = hash_wide(hash_mix(hash, node->terms[i].atom), node->terms[i].coefficient);
  return hash;
}

static bool same_node(const SumNode *a, const SumNode *b) {
  if (a->term_count != b->term_count || a->constant != b->constant) return false;
  for (uint32_t i = 0; i < a->term_count; i++) {
    if (a->terms[i].atom != b->terms[i].atom || a->terms[i].coefficient != b->terms[i].coefficient) return false;
  }
  return true;
}

static uint64_t hash_atom(const Atom *atom) {
  uint64_t hash = hash_mix(hash_mix(hash_wide(atom->kind, atom->divisor), atom->a.at), atom->b.at);
  hash = hash_mix(hash, (uint64_t)(uintptr_t)atom->instruction);
  for (uint32_t i = 0; i < atom->index_count; i++) hash = hash_mix(hash, atom->index[i].at);
  return hash;
}

static bool same_atom(const Atom *a, const Atom *b) {
  if (a->kind != b->kind || a->kind == ATOM_FREE || a->divisor != b->divisor) return false;
  if (a->a.at != b->a.at || a->b.at != b->b.at || a->instruction != b->instruction) return false;
  if (a->index_count != b->index_count) return false;
  for (uint32_t i = 0; i < a->index_count; i++) {
    if (a->index[i].at != b->index[i].at) return false;
  }
  return true;
}

static void table_insert(uint32_t *table, uint32_t mask, uint64_t hash, uint32_t at) {
  uint32_t slot = (uint32_t)hash & mask;
  while (table[slot] != UINT32_MAX) slot = (slot + 1) & mask;
  table[slot] = at;
}

static uint32_t *table_create(Arena *arena, uint32_t size) {
  uint32_t *table = ARENA_NEW(arena, uint32_t, size);
  memset(table, 0xff, (size_t)size * sizeof *table);
  return table;
}

static void grow_sum_table(Sums *sums) {
  sums->sum_mask = 2 * sums->sum_mask + 1;
  sums->sum_table = table_create(sums->arena, sums->sum_mask + 1);
  for (uint32_t i = 0; i < sums->sum_count; i++)
    table_insert(sums->sum_table, sums->sum_mask, hash_sum(&sums->sums[i]), i);
}

static void grow_atom_table(Sums *sums) {
  sums->atom_mask = 2 * sums->atom_mask + 1;
  sums->atom_table = table_create(sums->arena, sums->atom_mask + 1);
  for (uint32_t i = 0; i < sums->atom_count; i++) {
    if (sums->atoms[i].kind == ATOM_FREE) continue;
    table_insert(sums->atom_table, sums->atom_mask, hash_atom(&sums->atoms[i]), i);
  }
}

/* `node` lives in the arena already. */
static Sum intern(Sums *sums, SumNode node) {
  for (uint32_t i = 0; i < node.term_count; i++) {
    assert(node.terms[i].coefficient != 0 && (i == 0 || node.terms[i - 1].atom < node.terms[i].atom));
    if (!fits(node.terms[i].coefficient)) sums->overflow = true;
  }
  if (!fits(node.constant)) sums->overflow = true;
  if (sums->overflow) return (Sum){0};
  uint64_t hash = hash_sum(&node);
  for (uint32_t slot = (uint32_t)hash & sums->sum_mask; sums->sum_table[slot] != UINT32_MAX; slot = (slot + 1) & sums->sum_mask) {
    if (same_node(&sums->sums[sums->sum_table[slot]], &node)) return (Sum){sums->sum_table[slot]};
  }
  if (sums->sum_count == sums->sum_capacity) {
    sums->sum_capacity *= 2;
    sums->sums = arena_grow(sums->arena, sums->sums, sums->sum_count, sums->sum_capacity, sizeof *sums->sums);
  }
  sums->sums[sums->sum_count] = node;
  if (2 * sums->sum_count > sums->sum_mask) grow_sum_table(sums);
  table_insert(sums->sum_table, sums->sum_mask, hash, sums->sum_count);
  return (Sum){sums->sum_count++};
}

Sums *sums_create(Arena *arena) {
  Sums *sums = ARENA_NEW(arena, Sums, 1);
  *sums = (Sums){.arena = arena, .sum_capacity = 256, .atom_capacity = 64, .sum_mask = 1023, .atom_mask = 255};
  sums->sums = ARENA_NEW(arena, SumNode, sums->sum_capacity);
  sums->atoms = ARENA_NEW(arena, Atom, sums->atom_capacity);
  sums->sum_table = table_create(arena, sums->sum_mask + 1);
  sums->atom_table = table_create(arena, sums->atom_mask + 1);
  Sum zero = intern(sums, (SumNode){});
  assert(zero.at == 0);
  (void)zero;
  return sums;
}

static const SumNode *node_of(const Sums *sums, Sum sum) {
  assert(sum.at < sums->sum_count);
  return &sums->sums[sum.at];
}

Sum sum_of_constant(Sums *sums, Wide value) { return intern(sums, (SumNode){.constant = value}); }

Sum sum_of_atom(Sums *sums, uint32_t atom) {
  assert(atom < sums->atom_count);
  SumTerm *term = ARENA_NEW(sums->arena, SumTerm, 1);
  *term = (SumTerm){.atom = atom, .coefficient = 1};
  return intern(sums, (SumNode){.term_count = 1, .terms = term});
}

static Sum new_atom(Sums *sums, Atom atom) {
  if (sums->atom_count == sums->atom_capacity) {
    sums->atom_capacity *= 2;
    sums->atoms = arena_grow(sums->arena, sums->atoms, sums->atom_count, sums->atom_capacity, sizeof *sums->atoms);
  }
  uint32_t at = sums->atom_count++;
  sums->atoms[at] = atom;
  if (2 * sums->atom_count > sums->atom_mask) grow_atom_table(sums);
  else if (atom.kind != ATOM_FREE) table_insert(sums->atom_table, sums->atom_mask, hash_atom(&atom), at);
  return sum_of_atom(sums, at);
}

static Sum intern_atom(Sums *sums, Atom atom) {
  if (sums->overflow) return (Sum){0};
  uint64_t hash = hash_atom(&atom);
  for (uint32_t slot = (uint32_t)hash & sums->atom_mask; sums->atom_table[slot] != UINT32_MAX; slot = (slot + 1) & sums->atom_mask) {
    if (same_atom(&sums->atoms[sums->atom_table[slot]], &atom)) return sum_of_atom(sums, sums->atom_table[slot]);
  }
  return new_atom(sums, atom);
}

Sum sum_free(Sums *sums, const char *name) {
  if (sums->overflow) return (Sum){0};
  return new_atom(sums, (Atom){.kind = ATOM_FREE, .name = name});
}

Sum sum_free_within(Sums *sums, const char *name, Wide lo, Wide hi) {
  if (sums->overflow) return (Sum){0};
  return new_atom(sums, (Atom){.kind = ATOM_FREE, .name = name, .bounded = true, .lo = lo, .hi = hi});
}

bool sum_is_constant(const Sums *sums, Sum sum, Wide *value) {
  const SumNode *node = node_of(sums, sum);
  *value = node->constant;
  return node->term_count == 0;
}

bool sum_is_atom(const Sums *sums, Sum sum, uint32_t *atom) {
  const SumNode *node = node_of(sums, sum);
  if (node->term_count != 1 || node->constant != 0 || node->terms[0].coefficient != 1) return false;
  *atom = node->terms[0].atom;
  return true;
}

/* a + factor * b: one merge of two ascending lists. */
static Sum combine(Sums *sums, Sum a, Sum b, Wide factor) {
  if (sums->overflow) return (Sum){0};
  const SumNode *left = node_of(sums, a), *right = node_of(sums, b);
  SumTerm *terms = ARENA_NEW(sums->arena, SumTerm, left->term_count + right->term_count);
  uint32_t count = 0, i = 0, j = 0;
  bool overflow = false;
  Wide scaled, constant;
  while (i < left->term_count || j < right->term_count) {
    uint32_t atom_left = i < left->term_count ? left->terms[i].atom : UINT32_MAX;
    uint32_t atom_right = j < right->term_count ? right->terms[j].atom : UINT32_MAX;
    SumTerm term = {.atom = atom_left < atom_right ? atom_left : atom_right};
    if (atom_left <= atom_right) term.coefficient = left->terms[i++].coefficient;
    if (atom_right <= atom_left) {
      overflow |= __builtin_mul_overflow(right->terms[j++].coefficient, factor, &scaled);
      overflow |= __builtin_add_overflow(term.coefficient, scaled, &term.coefficient);
    }
    if (term.coefficient != 0) terms[count++] = term;
  }
  overflow |= __builtin_mul_overflow(right->constant, factor, &scaled);
  overflow |= __builtin_add_overflow(left->constant, scaled, &constant);
  if (overflow) sums->overflow = true;
  return intern(sums, (SumNode){.term_count = count, .terms = terms, .constant = constant});
}

Sum sum_add(Sums *sums, Sum a, Sum b) { return combine(sums, a, b, 1); }
Sum sum_subtract(Sums *sums, Sum a, Sum b) { return combine(sums, a, b, -1); }
Sum sum_scale(Sums *sums, Sum a, Wide factor) { return combine(sums, (Sum){0}, a, factor); }

bool sum_bounds(const Sums *sums, Sum sum, Wide *lo, Wide *hi) {
  const SumNode *node = node_of(sums, sum);
  *lo = *hi = node->constant;
  for (uint32_t i = 0; i < node->term_count; i++) {
    const Atom *atom = &sums->atoms[node->terms[i].atom];
    Wide coefficient = node->terms[i].coefficient, low, high;
    if (!atom->bounded) return false;
    bool overflow = __builtin_mul_overflow(coefficient, coefficient > 0 ? atom->lo : atom->hi, &low);
    overflow |= __builtin_mul_overflow(coefficient, coefficient > 0 ? atom->hi : atom->lo, &high);
    overflow |= __builtin_add_overflow(*lo, low, lo);
    overflow |= __builtin_add_overflow(*hi, high, hi);
    if (overflow || !fits(*lo) || !fits(*hi)) return false;
  }
  return true;
}

static Wide absolute(Wide value) { return value < 0 ? -value : value; }

static Wide greatest_common_divisor(Wide a, Wide b) {
  a = absolute(a);
  for (b = absolute(b); b != 0;) {
    Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The multiple of c nearest to a coefficient, as a count; what is left is in (-c/2, c/2], so a 1 stays a 1. */
static Wide nearest_multiple(Wide coefficient, Wide c) {
  Wide below = wide_floordiv(coefficient, c), rest = coefficient - below * c;
  return 2 * rest > c ? below + 1 : below;
}

/* sum = c * whole + rest, each coefficient of rest at most c/2 in size and its constant in [0, c). */
static void split_multiples(Sums *sums, Sum sum, Wide c, Sum *whole, Sum *rest) {
  SumNode node = *node_of(sums, sum);
  SumTerm *terms = ARENA_NEW(sums->arena, SumTerm, node.term_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < node.term_count; i++) {
    Wide multiple = nearest_multiple(node.terms[i].coefficient, c);
    if (multiple != 0) terms[count++] = (SumTerm){.atom = node.terms[i].atom, .coefficient = multiple};
  }
  *whole = intern(sums, (SumNode){.term_count = count, .terms = terms, .constant = wide_floordiv(node.constant, c)});
  *rest = combine(sums, sum, *whole, -c);
}

/* Divides out what all coefficients and the divisor share. */
static Sum divide_common(Sums *sums, Sum sum, Wide *divisor) {
  SumNode node = *node_of(sums, sum);
  Wide common = *divisor;
  for (uint32_t i = 0; i < node.term_count && common != 1; i++)
    common = greatest_common_divisor(node.terms[i].coefficient, common);
  if (common == 1) return sum;
  SumTerm *terms = ARENA_NEW(sums->arena, SumTerm, node.term_count);
  for (uint32_t i = 0; i < node.term_count; i++)
    terms[i] = (SumTerm){.atom = node.terms[i].atom, .coefficient = node.terms[i].coefficient / common};
  *divisor /= common;
  return intern(sums, (SumNode){.term_count = node.term_count, .terms = terms, .constant = wide_floordiv(node.constant, common)});
}

/* The one quotient that stands in the sum with coefficient 1. False when there is none, or more than one. */
static bool lone_quotient(const Sums *sums, Sum sum, uint32_t *atom) {
  const SumNode *node = node_of(sums, sum);
  uint32_t found = 0;
  for (uint32_t i = 0; i < node->term_count; i++) {
    if (node->terms[i].coefficient != 1 || sums->atoms[node->terms[i].atom].kind != ATOM_QUOTIENT) continue;
    *atom = node->terms[i].atom;
    found++;
  }
  return found == 1;
}

/* (w floordiv a + s) floordiv c as a quotient of w + a*s. */
static bool unnest(Sums *sums, Sum *sum, Wide *divisor) {
  uint32_t at;
  Wide product;
  if (!lone_quotient(sums, *sum, &at)) return false;
  Atom inner = sums->atoms[at];
  if (__builtin_mul_overflow(inner.divisor, *divisor, &product) || !fits(product)) return false;
  Sum others = sum_subtract(sums, *sum, sum_of_atom(sums, at));
  *sum = combine(sums, inner.a, others, inner.divisor);
  *divisor = product;
  return true;
}

static Sum quotient_atom(Sums *sums, Sum a, Wide divisor) {
  Wide value, lo, hi;
  if (sum_is_constant(sums, a, &value)) return sum_of_constant(sums, wide_floordiv(value, divisor));
  Atom atom = {.kind = ATOM_QUOTIENT, .a = a, .divisor = divisor};
  if (sum_bounds(sums, a, &lo, &hi)) {
    atom.bounded = true;
    atom.lo = wide_floordiv(lo, divisor);
    atom.hi = wide_floordiv(hi, divisor);
  }
  return intern_atom(sums, atom);
}

Sum sum_floordiv(Sums *sums, Sum a, Wide divisor) {
  assert(divisor > 0);
  Sum total = {0};
  do {
    Sum whole, rest;
    split_multiples(sums, a, divisor, &whole, &rest);
    total = sum_add(sums, total, whole);
    a = divide_common(sums, rest, &divisor);
    if (sums->overflow) return (Sum){0};
  } while (divisor != 1 && unnest(sums, &a, &divisor));
  return sum_add(sums, total, divisor == 1 ? a : quotient_atom(sums, a, divisor));
}

Sum sum_mod(Sums *sums, Sum a, Wide divisor) {
  return combine(sums, a, sum_floordiv(sums, a, divisor), -divisor);
}

static Sum choose(Sums *sums, Sum a, Sum b, bool smaller) {
  Wide difference;
  Sum distance = sum_subtract(sums, a, b);
  if (sums->overflow) return (Sum){0};
  if (sum_is_constant(sums, distance, &difference)) return (difference <= 0) == smaller ? a : b;
  if (b.at < a.at) {
    Sum swap = a;
    a = b;
    b = swap;
  }
  Atom atom = {.kind = smaller ? ATOM_MIN : ATOM_MAX, .a = a, .b = b};
  Wide lo_a, hi_a, lo_b, hi_b;
  if (sum_bounds(sums, a, &lo_a, &hi_a) && sum_bounds(sums, b, &lo_b, &hi_b)) {
    atom.bounded = true;
    atom.lo = (lo_a < lo_b) == smaller ? lo_a : lo_b;
    atom.hi = (hi_a < hi_b) == smaller ? hi_a : hi_b;
  }
  return intern_atom(sums, atom);
}

Sum sum_min(Sums *sums, Sum a, Sum b) { return choose(sums, a, b, true); }
Sum sum_max(Sums *sums, Sum a, Sum b) { return choose(sums, a, b, false); }

Sum sum_clamp(Sums *sums, Wide lo, Sum a, Wide hi) {
  return sum_max(sums, sum_of_constant(sums, lo), sum_min(sums, a, sum_of_constant(sums, hi)));
}

static Sum atom_product(Sums *sums, uint32_t a, uint32_t b) {
  Atom atom = {.kind = ATOM_PRODUCT};
  atom.a = sum_of_atom(sums, a < b ? a : b);
  atom.b = sum_of_atom(sums, a < b ? b : a);
  return intern_atom(sums, atom);
}

Sum sum_product(Sums *sums, Sum a, Sum b) {
  Wide value;
  if (sums->overflow) return (Sum){0};
  if (sum_is_constant(sums, a, &value)) return sum_scale(sums, b, value);
  if (sum_is_constant(sums, b, &value)) return sum_scale(sums, a, value);
  SumNode left = *node_of(sums, a), right = *node_of(sums, b);
  Sum total = sum_scale(sums, b, left.constant), linear = sum_subtract(sums, a, sum_of_constant(sums, left.constant));
  total = combine(sums, total, linear, right.constant);
  for (uint32_t i = 0; i < left.term_count; i++) {
    for (uint32_t k = 0; k < right.term_count && !sums->overflow; k++) {
      Wide coefficient = left.terms[i].coefficient;
      if (__builtin_mul_overflow(coefficient, right.terms[k].coefficient, &coefficient)) sums->overflow = true;
      total = combine(sums, total, atom_product(sums, left.terms[i].atom, right.terms[k].atom), coefficient);
    }
  }
  return sums->overflow ? (Sum){0} : total;
}

Sum sum_ratio(Sums *sums, Sum a, Sum b) {
  Wide divisor;
  uint32_t at = 0;
  if (sums->overflow) return (Sum){0};
  if (sum_is_constant(sums, b, &divisor)) return divisor > 0 ? sum_floordiv(sums, a, divisor) : a;
  Sum ratio = intern_atom(sums, (Atom){.kind = ATOM_RATIO, .a = a, .b = b});
  if (sum_is_atom(sums, ratio, &at)) {
    Sum product = sum_product(sums, b, ratio);
    sums->atoms[at].product = product;
  }
  return ratio;
}

Sum sum_value(Sums *sums, const void *instruction, const char *name, uint32_t index_count, const Sum *index, Wide lo, Wide hi) {
  Sum *copy = ARENA_NEW(sums->arena, Sum, index_count);
  for (uint32_t i = 0; i < index_count; i++) copy[i] = index[i];
  return intern_atom(sums, (Atom){.kind = ATOM_VALUE, .bounded = true, .lo = lo, .hi = hi, .name = name, .instruction = instruction,
                                  .index_count = index_count, .index = copy});
}

typedef struct Replacing {
  Sums *sums;
  const AtomChange *change;
  Sum *memo;     /* [known] sum that stands for the atom, once done */
  bool *done;
  uint32_t known;
} Replacing;

static Sum replace_in_sum(Replacing *work, Sum sum);

static Sum rebuild_atom(Replacing *work, uint32_t at) {
  Sums *sums = work->sums;
  Atom atom = sums->atoms[at];
  switch (atom.kind) {
    case ATOM_FREE: return sum_of_atom(sums, at);
    case ATOM_QUOTIENT: return sum_floordiv(sums, replace_in_sum(work, atom.a), atom.divisor);
    case ATOM_MIN: return sum_min(sums, replace_in_sum(work, atom.a), replace_in_sum(work, atom.b));
    case ATOM_MAX: return sum_max(sums, replace_in_sum(work, atom.a), replace_in_sum(work, atom.b));
    case ATOM_PRODUCT: return sum_product(sums, replace_in_sum(work, atom.a), replace_in_sum(work, atom.b));
    case ATOM_RATIO: return sum_ratio(sums, replace_in_sum(work, atom.a), replace_in_sum(work, atom.b));
    case ATOM_VALUE: {
      Sum *index = ARENA_NEW(sums->arena, Sum, atom.index_count);
      for (uint32_t i = 0; i < atom.index_count; i++) index[i] = replace_in_sum(work, atom.index[i]);
      return sum_value(sums, atom.instruction, atom.name, atom.index_count, index, atom.lo, atom.hi);
    }
  }
  unreachable();
}

static Sum replace_atom(Replacing *work, uint32_t at) {
  if (at < work->change->count && work->change->set[at]) return work->change->by[at];
  if (at >= work->known) return sum_of_atom(work->sums, at);
  if (!work->done[at]) {
    work->memo[at] = rebuild_atom(work, at);
    work->done[at] = true;
  }
  return work->memo[at];
}

static Sum replace_in_sum(Replacing *work, Sum sum) {
  SumNode node = *node_of(work->sums, sum);
  Sum result = sum_of_constant(work->sums, node.constant);
  for (uint32_t i = 0; i < node.term_count; i++)
    result = combine(work->sums, result, replace_atom(work, node.terms[i].atom), node.terms[i].coefficient);
  return result;
}

Sum sum_replace(Sums *sums, const AtomChange *change, Sum sum) {
  if (sums->overflow) return (Sum){0};
  Replacing work = {.sums = sums, .change = change, .known = sums->atom_count};
  work.memo = ARENA_NEW(sums->arena, Sum, work.known);
  work.done = ARENA_NEW(sums->arena, bool, work.known);
  return replace_in_sum(&work, sum);
}

void sums_replace_atom(Sums *sums, uint32_t atom, Sum by, uint32_t count, Sum *changed) {
  if (sums->overflow) return;
  bool *set = ARENA_NEW(sums->arena, bool, atom + 1);
  Sum *stands = ARENA_NEW(sums->arena, Sum, atom + 1);
  set[atom] = true;
  stands[atom] = by;
  AtomChange change = {.count = atom + 1, .set = set, .by = stands};
  Replacing work = {.sums = sums, .change = &change, .known = sums->atom_count};
  work.memo = ARENA_NEW(sums->arena, Sum, work.known);
  work.done = ARENA_NEW(sums->arena, bool, work.known);
  for (uint32_t i = 0; i < count; i++) changed[i] = replace_in_sum(&work, changed[i]);
}

bool sum_depends(const Sums *sums, const bool *depends, Sum sum) {
  const SumNode *node = node_of(sums, sum);
  for (uint32_t i = 0; i < node->term_count; i++)
    if (depends[node->terms[i].atom]) return true;
  return false;
}

void sums_mark_dependent(const Sums *sums, bool *depends) {
  for (uint32_t i = 0; i < sums->atom_count; i++) {
    const Atom *atom = &sums->atoms[i];
    if (atom->kind == ATOM_FREE || depends[i]) continue;
    depends[i] = sum_depends(sums, depends, atom->a) || sum_depends(sums, depends, atom->b);
    for (uint32_t k = 0; k < atom->index_count && !depends[i]; k++) depends[i] = sum_depends(sums, depends, atom->index[k]);
  }
}

bool sum_evaluate(const Sums *sums, const Wide *values, Sum sum, Wide *value) {
  const SumNode *node = node_of(sums, sum);
  Wide total = node->constant, product;
  for (uint32_t i = 0; i < node->term_count; i++) {
    if (__builtin_mul_overflow(node->terms[i].coefficient, values[node->terms[i].atom], &product)) return false;
    if (__builtin_add_overflow(total, product, &total)) return false;
  }
  *value = total;
  return fits(total);
}

bool sums_complete(const Sums *sums, Wide *values) {
  for (uint32_t i = 0; i < sums->atom_count; i++) {
    const Atom *atom = &sums->atoms[i];
    Wide a = 0, b = 0;
    if (atom->kind == ATOM_FREE || atom->kind == ATOM_VALUE) continue;
    if (!sum_evaluate(sums, values, atom->a, &a) || !sum_evaluate(sums, values, atom->b, &b)) return false;
    if (atom->kind == ATOM_QUOTIENT) values[i] = wide_floordiv(a, atom->divisor);
    if (atom->kind == ATOM_MIN) values[i] = a < b ? a : b;
    if (atom->kind == ATOM_MAX) values[i] = a > b ? a : b;
    if (atom->kind == ATOM_RATIO) values[i] = b > 0 ? wide_floordiv(a, b) : 0;
    if (atom->kind == ATOM_PRODUCT && __builtin_mul_overflow(a, b, &values[i])) return false;
  }
  return true;
}
