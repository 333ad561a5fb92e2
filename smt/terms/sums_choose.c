/* A canonical form for min and max. Nested choices of one kind become one choice among all their
 * operands. An operand that another one is never worse than is dropped, and a summand or factor
 * that all operands share is moved outside:
 *   min(min(a, b), c) = min(a, b, c);  min(a, b) = a where a <= b always;
 *   min(g*a + s, g*b + s) = g*min(a, b) + s, g > 0.
 * Choices with more operands than fit stay nested. */
#include <assert.h>

#include "smt/terms/sums_parts.h"

static constexpr uint32_t max_operands = 8;

typedef struct SumsChooseChoice {
  AtomKind kind;
  uint32_t count;
  uint32_t steps; /* steps of gathering */
  Sum items[max_operands];
} SumsChooseChoice;

/* Whether a is never worse than b: never above it for min, never below it for max. */
static bool is_never_worse(Sums *sums, AtomKind kind, Sum a, Sum b) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  Wide lo, hi;
  Sum distance = sum_subtract(sums, a, b);
  if (!sum_range(sums, distance, &lo, &hi)) return false;
  return kind == ATOM_MIN ? hi <= 0 : lo >= 0;
}

static bool put_operand(Sums *sums, SumsChooseChoice *choice, Sum operand) {
  assert(sums_has(sums, operand));
  uint32_t kept = 0;
  for (uint32_t i = 0; i < choice->count; i++)
    if (is_never_worse(sums, choice->kind, choice->items[i], operand)) return true;
  for (uint32_t i = 0; i < choice->count; i++)
    if (!is_never_worse(sums, choice->kind, operand, choice->items[i]))
      choice->items[kept++] = choice->items[i];
  choice->count = kept;
  if (kept == max_operands) return false;
  choice->items[choice->count++] = operand;
  return true;
}

/* Gathers the operands of a sum k*m + s, where m is a choice of this kind and k > 0; otherwise the
 * sum is one operand. Recursion is as deep as choices nest. */
static bool sums_choose_gather(Sums *sums, SumsChooseChoice *choice, Sum sum) {
  assert(sums_has(sums, sum));
  static constexpr uint32_t max_steps = 64;
  if (choice->steps++ == max_steps) return false;
  const SumNode node = *sum_node(sums, sum);
  for (uint32_t i = 0; i < node.term_count; i++) {
    const SumAtom atom = sums->atoms[node.terms[i].atom];
    Wide k = node.terms[i].coefficient;
    if (atom.kind != choice->kind || k < 0) continue;
    if (!sum_scale_fits(sums, atom.a, k) || !sum_scale_fits(sums, atom.b, k)) continue;
    Sum rest = sum_combine(sums, sum, sum_of_atom(sums, node.terms[i].atom), -k);
    return sums_choose_gather(sums, choice, sum_combine(sums, rest, atom.a, k)) &&
           sums_choose_gather(sums, choice, sum_combine(sums, rest, atom.b, k));
  }
  return put_operand(sums, choice, sum);
}

/* The terms that all operands share, and the least constant. */
static Sum shared_part(Sums *sums, const SumsChooseChoice *choice) {
  SumNode first = *sum_node(sums, choice->items[0]), shared = {.constant = first.constant};
  shared.terms = ARENA_NEW(sums->arena, SumTerm, first.term_count);
  for (uint32_t i = 0; i < first.term_count; i++) {
    bool all = true;
    for (uint32_t k = 1; k < choice->count && all; k++)
      all = sum_coefficient(sums, choice->items[k], first.terms[i].atom) ==
            first.terms[i].coefficient;
    if (all) shared.terms[shared.term_count++] = first.terms[i];
  }
  for (uint32_t k = 1; k < choice->count; k++) {
    Wide constant = sum_node(sums, choice->items[k])->constant;
    if (constant < shared.constant) shared.constant = constant;
  }
  return sums_intern(sums, shared);
}

static Wide shared_factor(const Sums *sums, const SumsChooseChoice *choice) {
  Wide factor = 0;
  for (uint32_t k = 0; k < choice->count; k++) {
    const SumNode *node = sum_node(sums, choice->items[k]);
    factor = wide_gcd(factor, node->constant);
    for (uint32_t i = 0; i < node->term_count && factor != 1; i++)
      factor = wide_gcd(factor, node->terms[i].coefficient);
  }
  return factor == 0 ? 1 : factor;
}

static Sum sums_choose_divided(Sums *sums, Sum sum, Wide factor) {
  assert(sums_has(sums, sum));
  SumNode node = *sum_node(sums, sum),
          quotient = {.term_count = node.term_count, .constant = node.constant / factor};
  quotient.terms = ARENA_NEW(sums->arena, SumTerm, node.term_count);
  for (uint32_t i = 0; i < node.term_count; i++)
    quotient.terms[i] =
        (SumTerm){.atom = node.terms[i].atom, .coefficient = node.terms[i].coefficient / factor};
  return factor == 1 ? sum : sums_intern(sums, quotient);
}

static Sum pair_atom(Sums *sums, AtomKind kind, Sum a, Sum b) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  bool smaller = kind == ATOM_MIN;
  SumAtom atom = {.kind = kind, .a = a, .b = b};
  Wide lo_a, hi_a, lo_b, hi_b;
  if (sum_range(sums, a, &lo_a, &hi_a) && sum_range(sums, b, &lo_b, &hi_b)) {
    atom.bounded = true;
    atom.lo = (lo_a < lo_b) == smaller ? lo_a : lo_b;
    atom.hi = (hi_a < hi_b) == smaller ? hi_a : hi_b;
  }
  return sums_intern_atom(sums, atom);
}

static void sort_operands(SumsChooseChoice *choice) {
  for (uint32_t i = 1; i < choice->count; i++) {
    Sum moved = choice->items[i];
    uint32_t at = i;
    for (; at > 0 && choice->items[at - 1].at > moved.at; at--)
      choice->items[at] = choice->items[at - 1];
    choice->items[at] = moved;
  }
}

static Sum sums_choose_build(Sums *sums, SumsChooseChoice *choice) {
  if (choice->count == 1) return choice->items[0];
  Sum shared = shared_part(sums, choice);
  for (uint32_t i = 0; i < choice->count; i++)
    choice->items[i] = sum_subtract(sums, choice->items[i], shared);
  if (sums->overflow) return (Sum){0};
  Wide factor = shared_factor(sums, choice);
  for (uint32_t i = 0; i < choice->count; i++)
    choice->items[i] = sums_choose_divided(sums, choice->items[i], factor);
  sort_operands(choice);
  Sum chosen = choice->items[0];
  for (uint32_t i = 1; i < choice->count; i++)
    chosen = pair_atom(sums, choice->kind, chosen, choice->items[i]);
  return sum_combine(sums, shared, chosen, factor);
}

static Sum sum_choose(Sums *sums, Sum a, Sum b, AtomKind kind) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  SumsChooseChoice choice = {.kind = kind};
  if (sums->overflow) return (Sum){0};
  if (is_never_worse(sums, kind, a, b)) return a;
  if (is_never_worse(sums, kind, b, a)) return b;
  if (!sums_choose_gather(sums, &choice, a) || !sums_choose_gather(sums, &choice, b)) {
    choice = (SumsChooseChoice){.kind = kind};
    if (!put_operand(sums, &choice, a) || !put_operand(sums, &choice, b)) unreachable();
  }
  return sums->overflow ? (Sum){0} : sums_choose_build(sums, &choice);
}

Sum sum_min(Sums *sums, Sum a, Sum b) { return sum_choose(sums, a, b, ATOM_MIN); }
Sum sum_max(Sums *sums, Sum a, Sum b) { return sum_choose(sums, a, b, ATOM_MAX); }

Sum sum_clamp(Sums *sums, Wide lo, Sum a, Wide hi) {
  assert(sums_has(sums, a));
  return sum_max(sums, sum_of_constant(sums, lo), sum_min(sums, a, sum_of_constant(sums, hi)));
}
