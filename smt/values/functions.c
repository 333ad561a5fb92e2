/* Functions of whole operands: loops, branches, custom calls, sorts, scatters, collectives and
 * everything without a formula. Two of them are the same function if opcode, attributes, shapes and
 * called computations agree. Their results are the same if all operands are, leaf by leaf. */
#include <assert.h>
#include <string.h>

#include "smt/values/values.h"

/* Compares the leaves of two computations' roots, with parameters matched by number. */
static Same roots_same(ValuesProof *proof, const Computation *a, const Computation *b) {
  uint32_t leaves = shape_leaf_count(a->root->shape);
  if (a->parameter_count != b->parameter_count || leaves != shape_leaf_count(b->root->shape))
    return SAME_OPEN;
  for (uint32_t i = 0; i < a->parameter_count; i++)
    if (!shape_compatible(a->parameters[i]->shape, b->parameters[i]->shape)) return SAME_OPEN;
  for (uint32_t i = 0; i < leaves; i++) {
    Same same = proof->questions->leaves(proof, nullptr, a->root, i, nullptr, b->root, i);
    if (same != SAME_YES) return same;
  }
  return SAME_YES;
}

static Same computations_same(ValuesProof *proof, const Computation *a, const Computation *b) {
  for (uint32_t i = 0; i < proof->computations.count; i++) {
    const ComputationPair *known = &proof->computations.items[i];
    if (known->a != a || known->b != b) continue;
    if (!known->in_progress && known->same == SAME_YES) laws_join(proof, &known->used);
    return known->in_progress ? SAME_OPEN : known->same;
  }
  uint32_t at = proof->computations.count;
  *ARENA_PUSH(proof->arena, &proof->computations) =
      (ComputationPair){.a = a, .b = b, .in_progress = true};
  UsedLaws before = laws_begin(proof);
  Same same = roots_same(proof, a, b);
  proof->computations.items[at].same = same;
  proof->computations.items[at].used = proof->used;
  laws_end(proof, before, same);
  proof->computations.items[at].in_progress = false;
  if (same == SAME_OPEN && proof_is_over(proof)) proof->computations.items[at].a = nullptr;
  return same;
}

Same called_same(ValuesProof *proof, const Instruction *a, const Instruction *b) {
  if (a->called_count != b->called_count) return SAME_OPEN;
  for (uint32_t i = 0; i < a->called_count; i++) {
    if (strcmp(a->called_roles[i], b->called_roles[i]) != 0) return SAME_OPEN;
    Same same = computations_same(proof, a->called[i], b->called[i]);
    if (same != SAME_YES) return same;
  }
  return SAME_YES;
}

/* A bitcast reads memory, so its elements depend on the layouts of both shapes. So does a custom
 * call, unless its operand_layout_constraints, an attribute, states the layouts. */
static bool layouts_agree(const Instruction *a, const Instruction *b) {
  bool is_call = a->opcode == HLO_CUSTOM_CALL;
  if (a->opcode != HLO_BITCAST && !is_call) return true;
  if (!shape_same_layouts(a->shape, b->shape)) return false;
  if (is_call && instruction_attribute(a, "operand_layout_constraints") != nullptr) return true;
  for (uint32_t i = 0; i < a->operand_count; i++)
    if (!shape_same_layouts(a->operands[i]->shape, b->operands[i]->shape)) return false;
  return true;
}

/* Whether the outputs have the same arrays; of a start and a collective, the results. */
static bool same_results(const Instruction *a, const Instruction *b) {
  uint32_t first = collective_first_result(a), other = collective_first_result(b),
           count = a->operand_count;
  if (a->opcode == b->opcode) return shape_same_arrays(a->shape, b->shape);
  if (first + count > shape_leaf_count(a->shape) || other + count > shape_leaf_count(b->shape))
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (!shape_same_arrays(shape_leaf(a->shape, first + i), shape_leaf(b->shape, other + i)))
      return false;
  return true;
}

/* The first reason why they are different functions; null: the same function. */
static const char *function_differs(
    ValuesProof *proof, const Instruction *a, const Instruction *b) {
  const char *differs;
  if (collective_of(a) != collective_of(b)) return "opcode";
  if (a->operand_count != b->operand_count) return "the number of operands";
  if (!same_results(a, b)) return "shape";
  for (uint32_t i = 0; i < a->operand_count; i++)
    if (!shape_same_arrays(a->operands[i]->shape, b->operands[i]->shape))
      return "the shape of an operand";
  if (!layouts_agree(a, b)) return "layout";
  if (!attributes_agree(a, b, &differs) || !shape_attributes_agree(a, b, &differs)) return differs;
  if (called_same(proof, a, b) != SAME_YES) return "a called computation";
  return stateful_pair(proof, a, b) ? nullptr : "what it is called for a second time";
}

static Same inputs_same(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  for (uint32_t i = 0; i < a->instruction->operand_count; i++) {
    const Instruction *x = a->instruction->operands[i], *y = b->instruction->operands[i];
    for (uint32_t leaf = 0; leaf < shape_leaf_count(x->shape); leaf++) {
      Same same = proof->questions->leaves(proof, a->frame, x, leaf, b->frame, y, leaf);
      if (same == SAME_NO) return proof_differ(proof, given, a, b);
      if (same == SAME_OPEN) return same;
    }
  }
  return SAME_YES;
}

/* Compares two sends for their receives. */
static Same send_same(ValuesProof *proof, const Spot *a, const Spot *b, const Instruction *sent_a,
    const Instruction *sent_b) {
  assert(sent_a->opcode == HLO_SEND && sent_b->opcode == HLO_SEND);
  const char *differs;
  if (sent_a->parent != a->instruction->parent || sent_b->parent != b->instruction->parent ||
      !attributes_agree(sent_a, sent_b, &differs))
    return SAME_OPEN;
  const Instruction *x = sent_a->operands[0], *y = sent_b->operands[0];
  if (!shape_compatible(x->shape, y->shape)) return SAME_OPEN;
  for (uint32_t leaf = 0; leaf < shape_leaf_count(x->shape); leaf++) {
    Same same = proof->questions->leaves(proof, a->frame, x, leaf, b->frame, y, leaf);
    if (same != SAME_YES) return same;
  }
  return SAME_YES;
}

/* A received value is what another device sends, by the same graph. */
static Same sent_same(ValuesProof *proof, const Spot *a, const Spot *b) {
  const Instruction *x = a->instruction, *y = b->instruction;
  ProofSends sends = sends_to(proof, x), others = sends_to(proof, y);
  Same same = sends.count == others.count ? SAME_YES : SAME_OPEN;
  for (uint32_t i = 0; i < sends.count && same == SAME_YES; i++)
    same = send_same(proof, a, b, sends.items[i], others.items[i]);
  if (same == SAME_YES) return same;
  return proof_open(proof, "what is sent to recv '%s' and '%s'", x->name, y->name);
}

Same functions_same(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  const Instruction *x = a->instruction, *y = b->instruction;
  if (collective_of(x) != collective_of(y)) return proof_differ(proof, given, a, b);
  const char *differs = function_differs(proof, x, y);
  if (differs != nullptr)
    return proof_open(
        proof, "%s '%.60s' and '%.60s': %s", opcode_name(x->opcode), x->name, y->name, differs);
  if (a->leaf - collective_first_result(x) != b->leaf - collective_first_result(y))
    return proof_differ(proof, given, a, b);
  Same same = indices_same(proof, given, a->rank, a->index, b->index);
  if (same == SAME_YES) same = inputs_same(proof, given, a, b);
  return same == SAME_YES ? sent_same(proof, a, b) : same;
}
