/* Linear sums over atoms, hash-consed in two open-addressing tables.
 * Keeps: terms are in ascending order of atoms, without zero coefficients. An atom's arguments
 * exist before it, so a loop over atoms is bottom-up. An atom's known bounds follow from those of
 * its arguments. All identities that are applied hold wherever the atoms are within their known
 * bounds: here constants are folded and products are multiplied out; sums_quotient.c and
 * sums_choose.c have the others.
 * Overflow: a coefficient past 2^100, a product of more than 64 factors or too many terms is
 * replaced by the constant 0 and sets `overflow` of the whole pool. */
#include "smt/terms/sums_parts.h"

#include <assert.h>

#include "core/base/hash.h"

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
    if (a->terms[i].atom != b->terms[i].atom || a->terms[i].coefficient != b->terms[i].coefficient)
      return false;
  }
  return true;
}

static uint64_t hash_atom(const SumAtom *atom) {
  uint64_t hash = hash_mix(hash_mix(hash_wide(atom->kind, atom->divisor), atom->a.at), atom->b.at);
  hash = hash_mix(hash, (uint64_t)(uintptr_t)atom->instruction);
  for (uint32_t i = 0; i < atom->index_count; i++) hash = hash_mix(hash, atom->index[i].at);
  return hash;
}

static bool same_atom(const SumAtom *a, const SumAtom *b) {
  if (a->kind != b->kind || a->kind == ATOM_FREE || a->divisor != b->divisor) return false;
  if (a->a.at != b->a.at || a->b.at != b->b.at || a->instruction != b->instruction) return false;
  if (a->index_count != b->index_count) return false;
  for (uint32_t i = 0; i < a->index_count; i++) {
    if (a->index[i].at != b->index[i].at) return false;
  }
  return true;
}

/* `node` is already in the arena. */
Sum sums_intern(Sums *sums, SumNode node) {
  for (uint32_t i = 0; i < node.term_count; i++) {
    assert(sums_has_atom(sums, node.terms[i].atom));
    assert(
        node.terms[i].coefficient != 0 && (i == 0 || node.terms[i - 1].atom < node.terms[i].atom));
    if (!wide_fits(node.terms[i].coefficient)) sums->overflow = true;
  }
  if (!wide_fits(node.constant)) sums->overflow = true;
  sums->terms += node.term_count;
  if (sums->terms > most_terms) sums->overflow = true;
  if (sums->overflow) return (Sum){0};
  uint64_t hash = hash_sum(&node);
  uint32_t at;
  for (TableProbe probe = table_probe(&sums->sum_table, hash);
      table_next(&sums->sum_table, &probe, &at);)
    if (same_node(&sums->sums[at], &node)) return (Sum){at};
  if (sums->sum_count == sums->sum_capacity) {
    sums->sum_capacity *= 2;
    sums->sums = arena_grow(
        sums->arena, sums->sums, sums->sum_count, sums->sum_capacity, sizeof *sums->sums);
  }
  sums->sums[sums->sum_count] = node;
  table_add(&sums->sum_table, sums->arena, hash, sums->sum_count);
  return (Sum){sums->sum_count++};
}

bool sums_has_all(const Sums *sums, uint32_t count, const Sum *items) {
  for (uint32_t i = 0; i < count; i++)
    if (!sums_has(sums, items[i])) return false;
  return true;
}

Sums *sums_create(Arena *arena) {
  Sums *sums = ARENA_NEW(arena, Sums, 1);
  *sums = (Sums){.arena = arena, .sum_capacity = 256, .atom_capacity = 64};
  sums->sums = ARENA_NEW(arena, SumNode, sums->sum_capacity);
  sums->atoms = ARENA_NEW(arena, SumAtom, sums->atom_capacity);
  Sum zero = sums_intern(sums, (SumNode){});
  assert(zero.at == 0);
  (void)zero;
  return sums;
}

const char *sums_overflow_reason(const Sums *sums) {
  assert(sums->overflow);
  return sums->terms > most_terms ? "too large: sums of more than 8,388,608 terms in all"
                                  : "coefficients past 2^100";
}

Sum sum_of_constant(Sums *sums, Wide value) {
  return sums_intern(sums, (SumNode){.constant = value});
}

Sum sum_of_atom(Sums *sums, uint32_t atom) {
  assert(sums_has_atom(sums, atom));
  SumTerm *term = ARENA_NEW(sums->arena, SumTerm, 1);
  *term = (SumTerm){.atom = atom, .coefficient = 1};
  return sums_intern(sums, (SumNode){.term_count = 1, .terms = term});
}

static Sum new_atom(Sums *sums, SumAtom atom) {
  if (sums->atom_count == sums->atom_capacity) {
    sums->atom_capacity *= 2;
    sums->atoms = arena_grow(
        sums->arena, sums->atoms, sums->atom_count, sums->atom_capacity, sizeof *sums->atoms);
  }
  assert(sums_has(sums, atom.a));
  assert(sums_has(sums, atom.b));
  assert(sums_has(sums, atom.product));
  assert(sums_has_all(sums, atom.index_count, atom.index));
  assert(atom.kind != ATOM_QUOTIENT || atom.divisor > 0);
  uint32_t at = sums->atom_count++;
  sums->atoms[at] = atom;
  if (atom.kind != ATOM_FREE) table_add(&sums->atom_table, sums->arena, hash_atom(&atom), at);
  return sum_of_atom(sums, at);
}

bool sums_find_atom(const Sums *sums, const SumAtom *atom, uint32_t *at) {
  for (TableProbe probe = table_probe(&sums->atom_table, hash_atom(atom));
      table_next(&sums->atom_table, &probe, at);)
    if (same_atom(&sums->atoms[*at], atom)) return true;
  return false;
}

Sum sums_intern_atom(Sums *sums, SumAtom atom) {
  uint32_t at = 0;
  if (sums->overflow) return (Sum){0};
  return sums_find_atom(sums, &atom, &at) ? sum_of_atom(sums, at) : new_atom(sums, atom);
}

Sum sum_free(Sums *sums, const char *name) {
  if (sums->overflow) return (Sum){0};
  return new_atom(sums, (SumAtom){.kind = ATOM_FREE, .name = name});
}

Sum sum_free_within(Sums *sums, const char *name, Wide lo, Wide hi) {
  if (sums->overflow) return (Sum){0};
  return new_atom(
      sums, (SumAtom){.kind = ATOM_FREE, .name = name, .bounded = true, .lo = lo, .hi = hi});
}

bool sum_is_constant(const Sums *sums, Sum sum, Wide *value) {
  assert(sums_has(sums, sum));
  const SumNode *node = sum_node(sums, sum);
  *value = node->constant;
  return node->term_count == 0;
}

bool sum_is_atom(const Sums *sums, Sum sum, uint32_t *atom) {
  assert(sums_has(sums, sum));
  const SumNode *node = sum_node(sums, sum);
  if (node->term_count != 1 || node->constant != 0 || node->terms[0].coefficient != 1) return false;
  *atom = node->terms[0].atom;
  return true;
}

/* a + factor * b: one merge of two ascending lists. */
Sum sum_combine(Sums *sums, Sum a, Sum b, Wide factor) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  if (sums->overflow) return (Sum){0};
  const SumNode *left = sum_node(sums, a), *right = sum_node(sums, b);
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
  return sums_intern(sums, (SumNode){.term_count = count, .terms = terms, .constant = constant});
}

Sum sum_add(Sums *sums, Sum a, Sum b) { return sum_combine(sums, a, b, 1); }

Sum sum_of_all(Sums *sums, uint32_t count, const Sum *summands) {
  if (count == 0) return sum_of_constant(sums, 0);
  if (count == 1) return summands[0];
  Sum first = sum_of_all(sums, count / 2, summands);
  return sum_add(sums, first, sum_of_all(sums, count - count / 2, summands + count / 2));
}
Sum sum_subtract(Sums *sums, Sum a, Sum b) { return sum_combine(sums, a, b, -1); }
Sum sum_scale(Sums *sums, Sum a, Wide factor) { return sum_combine(sums, (Sum){0}, a, factor); }

static constexpr uint32_t max_factors = 64;

/* Bounds a product: its ends are among the products of the factors' ends. */
static void bound_product(SumAtom *atom, const SumAtom *a, const SumAtom *b) {
  Wide corners[4];
  if (!a->bounded || !b->bounded) return;
  for (uint32_t i = 0; i < 4; i++)
    if (__builtin_mul_overflow(i & 1 ? a->hi : a->lo, i & 2 ? b->hi : b->lo, &corners[i]) ||
        !wide_fits(corners[i]))
      return;
  *atom = (SumAtom){.kind = atom->kind,
      .a = atom->a,
      .b = atom->b,
      .bounded = true,
      .lo = corners[0],
      .hi = corners[0]};
  for (uint32_t i = 1; i < 4; i++) {
    if (corners[i] < atom->lo) atom->lo = corners[i];
    if (corners[i] > atom->hi) atom->hi = corners[i];
  }
}

void sums_bound_again(Sums *sums, uint32_t first) {
  for (uint32_t i = first; i < sums->atom_count; i++) {
    SumAtom *atom = &sums->atoms[i];
    uint32_t a = 0, b = 0;
    atom->bounded = false;
    if (atom->kind == ATOM_PRODUCT && sum_is_atom(sums, atom->a, &a) &&
        sum_is_atom(sums, atom->b, &b))
      bound_product(atom, &sums->atoms[a], &sums->atoms[b]);
  }
}

static Sum pair_product(Sums *sums, Sum a, Sum b) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  uint32_t first = 0, second = 0;
  if (!sum_is_atom(sums, a, &first) || !sum_is_atom(sums, b, &second)) return (Sum){0};
  SumAtom atom = {.kind = ATOM_PRODUCT, .a = a, .b = b};
  bound_product(&atom, &sums->atoms[first], &sums->atoms[second]);
  return sums_intern_atom(sums, atom);
}

/* Lists the factors of an atom, those of a product one by one; false if there are too many. The
 * last factor of a product is b. */
static bool gather_factors(const Sums *sums, uint32_t atom, uint32_t *count, uint32_t *factors) {
  assert(sums_has_atom(sums, atom));
  uint32_t last = 0;
  for (; sums->atoms[atom].kind == ATOM_PRODUCT;
      (void)sum_is_atom(sums, sums->atoms[atom].a, &atom)) {
    if (*count == max_factors || !sum_is_atom(sums, sums->atoms[atom].b, &last)) return false;
    factors[(*count)++] = last;
  }
  if (*count == max_factors) return false;
  factors[(*count)++] = atom;
  return true;
}

/* Sorts factors, so that a product is the same atom however it was built. */
static Sum atom_product(Sums *sums, uint32_t a, uint32_t b) {
  uint32_t factors[max_factors], count = 0;
  if (!gather_factors(sums, a, &count, factors) || !gather_factors(sums, b, &count, factors)) {
    sums->overflow = true;
    return (Sum){0};
  }
  for (uint32_t i = 1; i < count; i++) {
    uint32_t moved = factors[i], at = i;
    for (; at > 0 && factors[at - 1] > moved; at--) factors[at] = factors[at - 1];
    factors[at] = moved;
  }
  Sum product = sum_of_atom(sums, factors[0]);
  for (uint32_t i = 1; i < count && !sums->overflow; i++)
    product = pair_product(sums, product, sum_of_atom(sums, factors[i]));
  return product;
}

Sum sum_product(Sums *sums, Sum a, Sum b) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  Wide value;
  if (sums->overflow) return (Sum){0};
  if (sum_is_constant(sums, a, &value)) return sum_scale(sums, b, value);
  if (sum_is_constant(sums, b, &value)) return sum_scale(sums, a, value);
  SumNode left = *sum_node(sums, a), right = *sum_node(sums, b);
  Sum total = sum_scale(sums, b, left.constant),
      linear = sum_subtract(sums, a, sum_of_constant(sums, left.constant));
  total = sum_combine(sums, total, linear, right.constant);
  for (uint32_t i = 0; i < left.term_count; i++) {
    for (uint32_t k = 0; k < right.term_count && !sums->overflow; k++) {
      Wide coefficient = left.terms[i].coefficient;
      if (__builtin_mul_overflow(coefficient, right.terms[k].coefficient, &coefficient))
        sums->overflow = true;
      total = sum_combine(
          sums, total, atom_product(sums, left.terms[i].atom, right.terms[k].atom), coefficient);
    }
  }
  return sums->overflow ? (Sum){0} : total;
}

Sum sum_value(Sums *sums, const void *instruction, const char *name, uint32_t index_count,
    const Sum *index, Wide lo, Wide hi) {
  Sum *copy = ARENA_NEW(sums->arena, Sum, index_count);
  for (uint32_t i = 0; i < index_count; i++) copy[i] = index[i];
  return sums_intern_atom(sums, (SumAtom){.kind = ATOM_VALUE,
                                    .bounded = true,
                                    .lo = lo,
                                    .hi = hi,
                                    .name = name,
                                    .instruction = instruction,
                                    .index_count = index_count,
                                    .index = copy});
}

Wide sum_coefficient(const Sums *sums, Sum sum, uint32_t atom) {
  const SumNode *node = sum_node(sums, sum);
  for (uint32_t i = 0; i < node->term_count; i++)
    if (node->terms[i].atom == atom) return node->terms[i].coefficient;
  return 0;
}

bool sum_depends(const Sums *sums, const bool *depends, Sum sum) {
  assert(sums_has(sums, sum));
  const SumNode *node = sum_node(sums, sum);
  for (uint32_t i = 0; i < node->term_count; i++)
    if (depends[node->terms[i].atom]) return true;
  return false;
}

void sums_mark_dependent(const Sums *sums, bool *depends) {
  for (uint32_t i = 0; i < sums->atom_count; i++) {
    const SumAtom *atom = &sums->atoms[i];
    if (atom->kind == ATOM_FREE || depends[i]) continue;
    depends[i] = sum_depends(sums, depends, atom->a) || sum_depends(sums, depends, atom->b);
    for (uint32_t k = 0; k < atom->index_count && !depends[i]; k++)
      depends[i] = sum_depends(sums, depends, atom->index[k]);
  }
}

bool *sums_dependent_on_values(const Sums *sums) {
  bool *depends = ARENA_NEW(sums->arena, bool, sums->atom_count);
  for (uint32_t i = 0; i < sums->atom_count; i++) depends[i] = sums->atoms[i].kind == ATOM_VALUE;
  sums_mark_dependent(sums, depends);
  return depends;
}

void sum_mark_atoms(const Sums *sums, Sum sum, bool *inside) {
  assert(sums_has(sums, sum));
  const SumNode *node = sum_node(sums, sum);
  for (uint32_t i = 0; i < node->term_count; i++) inside[node->terms[i].atom] = true;
}

/* An atom is newer than its arguments. */
void sums_mark_arguments(const Sums *sums, bool *inside) {
  for (uint32_t at = sums->atom_count; at-- > 0;) {
    const SumAtom *atom = &sums->atoms[at];
    if (!inside[at] || atom->kind == ATOM_FREE) continue;
    sum_mark_atoms(sums, atom->a, inside);
    sum_mark_atoms(sums, atom->b, inside);
    for (uint32_t i = 0; i < atom->index_count; i++) sum_mark_atoms(sums, atom->index[i], inside);
  }
}

bool sum_evaluate(const Sums *sums, const Wide *values, Sum sum, Wide *value) {
  assert(sums_has(sums, sum));
  const SumNode *node = sum_node(sums, sum);
  Wide total = node->constant, product;
  for (uint32_t i = 0; i < node->term_count; i++) {
    if (__builtin_mul_overflow(node->terms[i].coefficient, values[node->terms[i].atom], &product))
      return false;
    if (__builtin_add_overflow(total, product, &total)) return false;
  }
  *value = total;
  return wide_fits(total);
}

bool value_atoms_agree(const Sums *sums, const Wide *values, const SumAtom *a, const SumAtom *b) {
  Wide x, y;
  if (a->kind != ATOM_VALUE || b->kind != ATOM_VALUE || a->instruction != b->instruction ||
      a->index_count != b->index_count)
    return false;
  for (uint32_t i = 0; i < a->index_count; i++)
    if (!sum_evaluate(sums, values, a->index[i], &x) ||
        !sum_evaluate(sums, values, b->index[i], &y) || x != y)
      return false;
  return true;
}

bool sums_complete_atom(const Sums *sums, Wide *values, uint32_t at) {
  const SumAtom *atom = &sums->atoms[at];
  Wide a = 0, b = 0;
  if (atom->kind == ATOM_FREE || atom->kind == ATOM_VALUE) return true;
  if (!sum_evaluate(sums, values, atom->a, &a) || !sum_evaluate(sums, values, atom->b, &b))
    return false;
  if (atom->kind == ATOM_QUOTIENT) values[at] = wide_floordiv(a, atom->divisor);
  if (atom->kind == ATOM_MIN) values[at] = a < b ? a : b;
  if (atom->kind == ATOM_MAX) values[at] = a > b ? a : b;
  if (atom->kind == ATOM_RATIO) values[at] = b > 0 ? wide_floordiv(a, b) : 0;
  return atom->kind != ATOM_PRODUCT || !__builtin_mul_overflow(a, b, &values[at]);
}

bool sums_complete(const Sums *sums, Wide *values) {
  for (uint32_t i = 0; i < sums->atom_count; i++)
    if (!sums_complete_atom(sums, values, i)) return false;
  return true;
}
