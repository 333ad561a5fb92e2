/* Decides whether two spots have the same value. Both are followed to the operations that compute
 * them. Each pair of cases that can occur together must be one operation on operands that are the
 * same. A repeated question is decided once. The depth is bounded. */
#include <assert.h>

#include "core/base/stack.h"
#include "smt/values/values.h"

static constexpr uint32_t deepest = 1'500;

enum : uint32_t { ROLE_INDEX = 1 };

/* ---- claims ---- */

static uint64_t hash_spot(uint64_t hash, const Spot *spot) {
  hash = hash_mix(hash, (uint64_t)(uintptr_t)spot->frame);
  hash = hash_mix(hash_mix(hash, (uint64_t)(uintptr_t)spot->instruction), spot->leaf);
  for (uint32_t i = 0; i < spot->rank; i++) hash = hash_mix(hash, spot->index[i].at);
  return hash;
}

static uint64_t hash_claim(const Given *given, const Spot *a, const Spot *b) {
  uint64_t hash = hash_spot(hash_spot(7, a), b);
  for (uint32_t i = 0; i < given->withins.count; i++) {
    Within within = given->withins.items[i];
    hash =
        hash_mix(hash_mix(hash_mix(hash, within.sum.at), (uint64_t)within.lo), (uint64_t)within.hi);
  }
  return hash;
}

static bool same_withins(const Withins *a, const Withins *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++) {
    Within x = a->items[i], y = b->items[i];
    if (!sum_same(x.sum, y.sum) || x.lo != y.lo || x.hi != y.hi) return false;
  }
  return true;
}

static uint32_t find_claim(
    ValuesProof *proof, uint64_t hash, const Given *given, const Spot *a, const Spot *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  uint32_t at;
  for (TableProbe probe = table_probe(&proof->claim_table, hash);
      table_next(&proof->claim_table, &probe, &at);) {
    const Claim *claim = &proof->claims.items[at];
    if (spot_same(&claim->a, a) && spot_same(&claim->b, b) &&
        same_withins(&claim->given, &given->withins))
      return at;
  }
  return UINT32_MAX;
}

/* ---- operations ---- */

/* Whether type, attributes and operand types are the same. */
static bool operations_agree(ValuesProof *proof, const SpotView *a, const SpotView *b) {
  const Instruction *x = a->spot.instruction, *y = b->spot.instruction;
  const char *differs;
  if (a->opcode != b->opcode || a->operand_count != b->operand_count ||
      spot_type(&a->spot) != spot_type(&b->spot))
    return false;
  for (uint32_t i = 0; i < a->operand_count; i++)
    if (spot_type(&a->operands[i]) != spot_type(&b->operands[i])) return false;
  if (a->opcode == HLO_COPY) return true; /* the attributes are those of the movement */
  bool is_rewritten = x->opcode != a->opcode || y->opcode != b->opcode;
  if (is_rewritten && opcode_family(x->opcode) != FAMILY_COLLECTIVE) {
    if (attributes_are_usual(x, &differs) && attributes_are_usual(y, &differs)) return true;
  } else if (attributes_agree(x, y, &differs)) return true;
  (void)proof_open(
      proof, "%s '%s' and '%s' differ in %s", opcode_name(x->opcode), x->name, y->name, differs);
  return false;
}

/* Whether the instruction sums products from 0, whatever its view is. */
static bool sums_products(const SpotView *view) {
  Opcode opcode = view->spot.instruction->opcode;
  return opcode == HLO_DOT || opcode == HLO_CONVOLUTION;
}

static Same operands_same(ValuesProof *proof, const Given *given, const SpotView *a,
    const SpotView *b, bool is_exchanged) {
  assert(given_is_canonical(proof->sums, given));
  Same worst = SAME_YES;
  UsedLaws before = laws_begin(proof);
  for (uint32_t i = 0; i < a->operand_count && worst != SAME_NO; i++) {
    Same same = spots_same(proof, given, &a->operands[i], &b->operands[is_exchanged ? 1 - i : i]);
    if (same != SAME_YES) worst = same;
  }
  laws_end(proof, before, worst);
  return worst;
}

static Same elementwise_same(
    ValuesProof *proof, const Given *given, const SpotView *a, const SpotView *b) {
  assert(given_is_canonical(proof->sums, given));
  if (!operations_agree(proof, a, b)) return proof_differ(proof, given, &a->spot, &b->spot);
  if (a->opcode == HLO_MAP) {
    Same called = called_same(proof, a->spot.instruction, b->spot.instruction);
    if (called != SAME_YES)
      return proof_open(proof, "bodies of map '%s'", a->spot.instruction->name);
  }
  if (opcode_family(a->opcode) == FAMILY_COLLECTIVE) {
    if (called_same(proof, a->spot.instruction, b->spot.instruction) != SAME_YES)
      return proof_open(
          proof, "functions of %s '%s'", opcode_name(a->opcode), a->spot.instruction->name);
    if (given_has_values(proof, given, &a->spot))
      return functions_same(proof, given, &a->spot, &b->spot);
  }
  if (sums_products(a) != sums_products(b) && !law_sums_one(proof, spot_type(&a->spot)))
    return proof_differ(proof, given, &a->spot, &b->spot);
  /* The law counts as used only if the operands are exchanged. */
  UsedLaws before = proof->used;
  bool was_quiet = proof->is_quiet;
  bool may_exchange = a->operand_count == 2 && law_commutes(proof, a->opcode, spot_type(&a->spot));
  UsedLaws exchanging = proof->used;
  proof->used = before;
  proof->is_quiet = was_quiet || may_exchange;
  Same same = operands_same(proof, given, a, b, false);
  if (same != SAME_YES && may_exchange && operands_same(proof, given, a, b, true) == SAME_YES) {
    same = SAME_YES;
    laws_join(proof, &exchanging);
  }
  proof->is_quiet = was_quiet;
  if (same == SAME_NO && may_exchange) return proof_differ(proof, given, &a->spot, &b->spot);
  if (same == SAME_OPEN && may_exchange)
    return proof_open(proof, "operands of %s '%s' and '%s'", opcode_name(a->opcode),
        a->spot.instruction->name, b->spot.instruction->name);
  return same;
}

static Same parameters_same(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  if (a->frame != nullptr || b->frame != nullptr)
    return proof_open(proof, "parameter '%s' of a body that is not followed", a->instruction->name);
  if (a->instruction->number != b->instruction->number || a->leaf != b->leaf)
    return proof_differ(proof, given, a, b);
  Same same = indices_same(proof, given, a->rank, a->index, b->index);
  if (same == SAME_NO && proof->difference[0] == 0 && !proof->is_quiet)
    snprintf(proof->difference, sizeof proof->difference, "another element of parameter %lld",
        (long long)a->instruction->number);
  return same;
}

/* Compares an iota's element, which is its index, with a constant or another iota. */
static Same iotas_same(
    ValuesProof *proof, const Given *given, const SpotView *a, const SpotView *b) {
  assert(given_is_canonical(proof->sums, given));
  Sum values[2];
  const SpotView *views[] = {a, b};
  if (spot_type(&a->spot) != spot_type(&b->spot))
    return proof_differ(proof, given, &a->spot, &b->spot);
  for (uint32_t i = 0; i < 2; i++) {
    const Spot *spot = &views[i]->spot;
    Wide integer = 0;
    ElementLiteral literal = {};
    if (views[i]->kind == VIEW_IOTA) values[i] = spot->index[spot->instruction->number];
    else {
      literal = literal_at(proof, spot);
      if (!literal_integer(&literal, &integer))
        return proof_differ(proof, given, &a->spot, &b->spot);
      values[i] = sum_of_constant(proof->sums, integer);
    }
  }
  return indices_same(proof, given, 1, &values[0], &values[1]);
}

static Same structure_same(
    ValuesProof *proof, const Given *given, const SpotView *a, const SpotView *b) {
  assert(given_is_canonical(proof->sums, given));
  bool has_iota = a->kind == VIEW_IOTA || b->kind == VIEW_IOTA,
       has_others = (a->kind != VIEW_IOTA && a->kind != VIEW_CONSTANT) ||
                    (b->kind != VIEW_IOTA && b->kind != VIEW_CONSTANT);
  if (has_iota && !has_others) return iotas_same(proof, given, a, b);
  if (sums_products(a) && sums_products(b)) return folds_same(proof, given, &a->spot, &b->spot);
  if (a->kind != b->kind) return proof_differ(proof, given, &a->spot, &b->spot);
  switch (a->kind) {
    case VIEW_PARAMETER: return parameters_same(proof, given, &a->spot, &b->spot);
    case VIEW_CONSTANT: return constants_same(proof, given, &a->spot, &b->spot);
    case VIEW_IOTA: return iotas_same(proof, given, a, b);
    case VIEW_ELEMENTWISE: return elementwise_same(proof, given, a, b);
    case VIEW_FOLD: return folds_same(proof, given, &a->spot, &b->spot);
    case VIEW_FUNCTION: return functions_same(proof, given, &a->spot, &b->spot);
  }
  return SAME_OPEN;
}

static Same formulas_same(ValuesProof *proof, const Given *given, Sum x, Sum y) {
  assert(given_is_canonical(proof->sums, given));
  assert(sums_has(proof->sums, x));
  assert(sums_has(proof->sums, y));
  static constexpr uint32_t most_weight = 60;
  x = sum_joined(proof, x);
  y = sum_joined(proof, y);
  if (sum_same(x, y)) return SAME_YES;
  if (sum_weight(proof, sum_subtract(proof->sums, x, y)) > most_weight) return SAME_OPEN;
  bool was_brief = proof->is_brief;
  proof->is_brief = true;
  Same same = given_equal(proof, given, 1, &x, &y);
  proof->is_brief = was_brief;
  return same;
}

/* Compares integers by their formulas, whatever operations compute them. A formula is followed for
 * a bounded number of steps. */
static Same integers_same(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  static constexpr uint32_t most_steps = 100'000, own_steps = 3'000;
  Sums *sums = proof->sums;
  if (spot_type(a) != spot_type(b)) return SAME_OPEN;
  sums->value_steps = most_steps - own_steps;
  Sum x = hlo_value(sums, a->frame, a->instruction, a->leaf, a->index);
  sums->value_steps = most_steps - own_steps;
  Sum y = hlo_value(sums, b->frame, b->instruction, b->leaf, b->index);
  bool is_cut = sums->too_deep;
  sums->value_steps = 0;
  sums->too_deep = false;
  return is_cut ? SAME_OPEN : formulas_same(proof, given, x, y);
}

static Same views_compared(
    ValuesProof *proof, const Given *given, const SpotView *a, const SpotView *b) {
  assert(given_is_canonical(proof->sums, given));
  bool had_formula = proof->has_formula,
       is_integral = element_type_is_integral(spot_type(&a->spot)) &&
                     element_type_is_integral(spot_type(&b->spot));
  proof->has_formula = is_integral && a->kind == VIEW_ELEMENTWISE && b->kind == VIEW_ELEMENTWISE;
  UsedLaws before = laws_begin(proof);
  Same same = structure_same(proof, given, a, b);
  laws_end(proof, before, same);
  proof->has_formula = had_formula;
  bool computes = a->kind != VIEW_PARAMETER || b->kind != VIEW_PARAMETER;
  if (same == SAME_YES || !computes || had_formula || !is_integral || proof_is_over(proof))
    return same;
  const Wide *witness = proof->witness;
  uint32_t count = proof->witness_count;
  bool was_quiet = proof->is_quiet;
  proof->is_quiet = true;
  bool is_equal = integers_same(proof, given, &a->spot, &b->spot) == SAME_YES;
  proof->is_quiet = was_quiet;
  proof->witness = witness;
  proof->witness_count = count;
  return is_equal ? SAME_YES : same;
}

/* Only the laws of a proof that succeeds count as used. */
static Same views_same(
    ValuesProof *proof, const Given *given, const SpotView *a, const SpotView *b) {
  UsedLaws before = laws_begin(proof);
  Same same = views_compared(proof, given, a, b);
  laws_end(proof, before, same);
  return same;
}

static bool is_free_index(ValuesProof *proof, const Spot *spot) {
  assert(spot_is_well_formed(proof->sums, spot));
  const Shape *shape = spot_shape(spot);
  for (uint32_t i = 0; i < spot->rank; i++)
    if (!sum_same(spot->index[i], proof_variable(proof, ROLE_INDEX, i, shape->sizes[i])))
      return false;
  return true;
}

/* Whether both are the same element of two arrays that are equal as a whole. Such arrays are proved
 * equal once, whatever indices are read. */
static bool same_as_wholes(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  Opcode opcode = a->instruction->opcode;
  bool computes = opcode != HLO_PARAMETER && opcode != HLO_CONSTANT && opcode != HLO_IOTA;
  if (!computes || opcode != b->instruction->opcode || spot_type(a) != spot_type(b) ||
      !shape_same_sizes(spot_shape(a), spot_shape(b)))
    return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (!sum_same(a->index[i], b->index[i])) return false;
  if (given->withins.count == 0 && is_free_index(proof, a)) return false;
  bool was_quiet = proof->is_quiet;
  proof->is_quiet = true;
  Same same =
      leaves_same(proof, a->frame, a->instruction, a->leaf, b->frame, b->instruction, b->leaf);
  proof->is_quiet = was_quiet;
  return same == SAME_YES;
}

static Same cases_same(ValuesProof *proof, const ProofCase *a, const ProofCase *b) {
  Given with = given_copy(proof, &a->given);
  given_add_all(proof, &with, &b->given.withins);
  if (with.is_empty || same_as_wholes(proof, &with, &a->spot, &b->spot)) return SAME_YES;
  SpotView x = spot_view(proof, &a->spot), y = spot_view(proof, &b->spot);
  bool was_quiet = proof->is_quiet;
  proof->is_quiet = true;
  Same same = views_same(proof, &with, &x, &y);
  proof->is_quiet = was_quiet;
  if (same == SAME_YES || proof_is_over(proof)) return same;
  Sum *none = nullptr;
  if (given_unify(proof, &with, 0, none, none)) return views_same(proof, &with, &x, &y);
  if (given_vacuous(proof, &with) == SAME_YES) return SAME_YES;
  return was_quiet ? same : views_same(proof, &with, &x, &y);
}

static Same spots_compared(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  ProofCases as = spot_cases(proof, given, a), bs = spot_cases(proof, given, b);
  Same worst = SAME_YES;
  if (as.is_cut || bs.is_cut)
    return proof_open(proof, "too many cases of %s '%s'", opcode_name(a->instruction->opcode),
        a->instruction->name);
  for (uint32_t i = 0; i < as.count; i++) {
    for (uint32_t k = 0; k < bs.count; k++) {
      if (proof_is_over(proof)) return SAME_OPEN;
      proof->steps++;
      Same same = cases_same(proof, &as.items[i], &bs.items[k]);
      if (same == SAME_NO) return same;
      if (same == SAME_OPEN) worst = same;
    }
  }
  return worst;
}

static void claim_decided(ValuesProof *proof, uint32_t at, Same same) {
  Claim *claim = &proof->claims.items[at];
  claim->in_progress = false;
  claim->same = same;
  if (same == SAME_YES) claim->used = proof->used;
  claim->was_over = same == SAME_OPEN && proof_is_over(proof);
  claim->witness = proof->witness;
  claim->witness_count = proof->witness_count;
}

Same spots_same(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  if (given->is_empty) return SAME_YES;
  if (proof_is_over(proof)) return SAME_OPEN;
  if (proof->depth >= deepest || stack_is_low()) return proof_open(proof, "too deep");
  uint64_t hash = hash_claim(given, a, b);
  uint32_t at = find_claim(proof, hash, given, a, b);
  if (at != UINT32_MAX) {
    const Claim *known = &proof->claims.items[at];
    if (known->in_progress) return proof_open(proof, "a claim needs itself");
    if (known->same == SAME_NO) {
      proof->witness = known->witness;
      proof->witness_count = known->witness_count;
    }
    bool is_silent = !proof->is_quiet && (known->same == SAME_OPEN ? proof->reason[0] == 0
                                                                   : known->same == SAME_NO &&
                                                                         proof->difference[0] == 0),
         is_weaker = known->same != SAME_YES && known->had_formula && !proof->has_formula;
    if (!is_silent && !is_weaker && !known->was_over) {
      if (known->same == SAME_YES) laws_join(proof, &known->used);
      return known->same;
    }
  } else {
    at = proof->claims.count;
    Withins withins = given_copy(proof, given).withins;
    *ARENA_PUSH(proof->arena, &proof->claims) = (Claim){.a = *a, .b = *b, .given = withins};
    table_add(&proof->claim_table, proof->arena, hash, at);
  }
  proof->claims.items[at].in_progress = true;
  proof->claims.items[at].had_formula = proof->has_formula;
  proof->depth++;
  UsedLaws before = laws_begin(proof);
  Same same = spots_compared(proof, given, a, b);
  proof->depth--;
  claim_decided(proof, at, same);
  laws_end(proof, before, same);
  return same;
}

Same leaves_same(ValuesProof *proof, const CallSite *frame_a, const Instruction *a, uint32_t leaf_a,
    const CallSite *frame_b, const Instruction *b, uint32_t leaf_b) {
  const Shape *x = shape_leaf(a->shape, leaf_a), *y = shape_leaf(b->shape, leaf_b);
  if (x->type != y->type || !shape_same_sizes(x, y))
    return proof_open(proof, "'%s' and '%s' differ in shape", a->name, b->name);
  if (shape_is_array(x) && shape_elements(x) == 0) return SAME_YES;
  Sum *index = ARENA_NEW(proof->arena, Sum, x->rank);
  for (uint32_t i = 0; i < x->rank; i++)
    index[i] = proof_variable(proof, ROLE_INDEX, i, x->sizes[i]);
  Spot first = spot_at(frame_a, a, leaf_a, index), second = spot_at(frame_b, b, leaf_b, index);
  bool had_formula = proof->has_formula;
  uint32_t fold_depth = proof->fold_depth;
  proof->has_formula = false;
  proof->fold_depth = 0;
  Same same = spots_same(proof, &(Given){}, &first, &second);
  proof->has_formula = had_formula;
  proof->fold_depth = fold_depth;
  return same;
}
