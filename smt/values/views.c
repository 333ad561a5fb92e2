/* Classifies an operation that computes as a function of one element of each operand, of a multiset
 * of tuples, or of whole operands. An operation without semantics is a function of whole operands.
 * A product of one pair is a multiplication unless it has attributes of its own, such as a
 * precision. A reduction of one tuple by a single operation is that operation on the initial value
 * and the tuple. */
#include "smt/values/values.h"

#include <assert.h>

static Spot operand_spot(const Spot *spot, uint32_t operand) {
  const Instruction *from = spot->instruction->operands[operand];
  return spot_at(spot->frame, from, 0, from->shape->rank == 0 ? nullptr : spot->index);
}

static void view_operands(ValuesProof *proof, SpotView *view, uint32_t count) {
  view->operand_count = count;
  view->operands = ARENA_NEW(proof->arena, Spot, count);
}

static SpotView view_elementwise(ValuesProof *proof, const Spot *spot, Opcode opcode) {
  assert(spot_is_well_formed(proof->sums, spot));
  SpotView view = {.kind = VIEW_ELEMENTWISE, .opcode = opcode, .spot = *spot};
  view_operands(proof, &view, spot->instruction->operand_count);
  for (uint32_t i = 0; i < view.operand_count; i++) view.operands[i] = operand_spot(spot, i);
  return view;
}

bool given_has_values(ValuesProof *proof, const Given *given, const Spot *spot) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, spot));
  const Sums *sums = proof->sums;
  bool *depends = sums_dependent_on_values(sums);
  for (uint32_t i = 0; i < spot->rank; i++)
    if (sum_depends(sums, depends, spot->index[i])) return true;
  for (uint32_t i = 0; i < given->withins.count; i++)
    if (sum_depends(sums, depends, given->withins.items[i].sum)) return true;
  return false;
}

/* Collectives in which each result element depends on the same element of one operand on every
 * device. */
static bool view_pointwise(ValuesProof *proof, const Spot *spot, SpotView *view) {
  assert(spot_is_well_formed(proof->sums, spot));
  const Instruction *instruction = spot->instruction;
  Opcode opcode = collective_of(instruction);
  bool is_pointwise = opcode == HLO_ALL_REDUCE || opcode == HLO_COLLECTIVE_BROADCAST ||
                      opcode == HLO_COLLECTIVE_PERMUTE;
  uint32_t first = collective_first_result(instruction), operand = spot->leaf - first;
  if (!is_pointwise || spot->leaf < first || operand >= instruction->operand_count ||
      given_has_values(proof, &(Given){}, spot))
    return false;
  const Instruction *from = instruction->operands[operand];
  if (!shape_is_array(from->shape) || !shape_same_sizes(from->shape, spot_shape(spot)) ||
      (first == 0 && shape_leaf_count(instruction->shape) != instruction->operand_count))
    return false;
  *view = (SpotView){.kind = VIEW_ELEMENTWISE, .opcode = opcode, .spot = *spot};
  view_operands(proof, view, 1);
  view->operands[0] = spot_at(spot->frame, from, 0, spot->index);
  return true;
}

/* A bitcast or conversion of bits to another type of the same width. */
static bool view_reinterpreted(ValuesProof *proof, const Spot *spot, SpotView *view) {
  assert(spot_is_well_formed(proof->sums, spot));
  const Instruction *instruction = spot->instruction;
  bool is_convert = instruction->opcode == HLO_BITCAST_CONVERT,
       is_bitcast = instruction->opcode == HLO_BITCAST;
  if (!is_convert && !is_bitcast) return false;
  const Shape *from = shape_leaf(instruction->operands[0]->shape, spot->leaf);
  if (element_type_bits(spot_type(spot)) != element_type_bits(from->type) ||
      (is_bitcast && shape_stored_bits(spot_shape(spot)) != shape_stored_bits(from)))
    return false;
  SmtReading reading = {.sums = proof->sums,
      .value = hlo_value,
      .frame = spot->frame,
      .instruction = instruction,
      .leaf = spot->leaf,
      .shape = spot_shape(spot),
      .index = spot->index};
  if (!proof_accesses(proof, &reading) || reading.accesses.count != 1 ||
      reading.accesses.items[0]->piece.hidden.count > 0 ||
      !given_implies_all(proof, &(Given){}, &reading.accesses.items[0]->piece.withins))
    return false;
  *view = (SpotView){.kind = VIEW_ELEMENTWISE, .opcode = HLO_BITCAST_CONVERT, .spot = *spot};
  view_operands(proof, view, 1);
  view->operands[0] = spot_at(
      spot->frame, instruction->operands[0], spot->leaf, reading.accesses.items[0]->element);
  return true;
}

/* An element that data movement passes on as a float of another type, as a copy does. It may be
 * rounded. */
static bool view_passed(ValuesProof *proof, const Spot *spot, SpotView *view) {
  assert(spot_is_well_formed(proof->sums, spot));
  static const bool passes[opcode_group_count] = {[GROUP_broadcast] = true,
      [GROUP_transpose] = true,
      [GROUP_reverse] = true,
      [GROUP_slice] = true,
      [GROUP_reshape] = true,
      [GROUP_dynamic_slice] = true,
      [GROUP_gather] = true};
  const Instruction *instruction = spot->instruction;
  SmtReading reading = {.sums = proof->sums,
      .value = hlo_value,
      .frame = spot->frame,
      .instruction = instruction,
      .leaf = spot->leaf,
      .shape = spot_shape(spot),
      .index = spot->index};
  if (!passes[opcode_group(instruction->opcode)] ||
      instruction->operands[0]->shape->type == spot_type(spot) ||
      !proof_accesses(proof, &reading) || reading.accesses.count == 0)
    return false;
  const Access *access = reading.accesses.items[0];
  for (uint32_t i = 1; i < reading.accesses.count; i++)
    if (reading.accesses.items[i]->operand == 0) return false;
  if (access->operand != 0 || access->lacking != nullptr || access->piece.hidden.count > 0 ||
      !given_implies_all(proof, &(Given){}, &access->piece.withins))
    return false;
  *view = (SpotView){.kind = VIEW_ELEMENTWISE, .opcode = HLO_COPY, .spot = *spot};
  view_operands(proof, view, 1);
  view->operands[0] = spot_at(spot->frame, instruction->operands[0], access->leaf, access->element);
  return true;
}

static bool has_no_attributes(const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->attribute_count; i++)
    if (attribute_changes_value(instruction, instruction->attributes[i].name)) return false;
  return true;
}

/* The single operation of a function of two parameters; false if it has more, or if the opcode
 * alone does not state which function of two elements of one type it is, as for a map. */
static bool single_operation(const Computation *function, bool *is_exchanged) {
  const Instruction *root = function->root;
  if (function->parameter_count != 2 || root->operand_count != 2 ||
      opcode_family(root->opcode) != FAMILY_ELEMENTWISE || !has_no_attributes(root) ||
      root->called_count > 0 || root->operands[0]->shape->type != root->shape->type ||
      root->operands[1]->shape->type != root->shape->type ||
      root->operands[0]->opcode != HLO_PARAMETER || root->operands[1]->opcode != HLO_PARAMETER ||
      root->operands[0] == root->operands[1])
    return false;
  *is_exchanged = root->operands[0]->number == 1;
  return true;
}

bool fold_operation(const Instruction *reduction, Opcode *opcode, bool *is_exchanged) {
  if (reduction->operand_count != 2 || reduction->called_count != 1 ||
      !single_operation(reduction->called[0], is_exchanged))
    return false;
  const Instruction *root = reduction->called[0]->root;
  if (!shape_is_array(reduction->shape) || root->shape->type != reduction->shape->type)
    return false;
  *opcode = root->opcode;
  return true;
}

/* A sum from 0 of one product. */
static bool view_single_product(
    ValuesProof *proof, const Spot *spot, const Fold *fold, SpotView *view) {
  assert(spot_is_well_formed(proof->sums, spot));
  assert(fold_is_well_formed(proof->sums, fold));
  const char *differs;
  ElementType type = spot_type(spot);
  view->opcode = HLO_MULTIPLY;
  view_operands(proof, view, 2);
  for (uint32_t i = 0; i < 2; i++) view->operands[i] = fold->tuple[i];
  return attributes_are_usual(spot->instruction, &differs) && spot_type(&fold->tuple[0]) == type &&
         spot_type(&fold->tuple[1]) == type;
}

/* A fold of one tuple is its function. */
static bool view_folded_once(ValuesProof *proof, const Spot *spot, SpotView *view) {
  assert(spot_is_well_formed(proof->sums, spot));
  Fold fold;
  bool is_exchanged = false;
  const Instruction *instruction = spot->instruction;
  if (!spot_fold(proof, spot, 0, &fold) || fold.count > 0 || fold.given.withins.count > 0 ||
      fold.given.is_empty)
    return false;
  ElementType type = spot_type(spot);
  *view = (SpotView){.kind = VIEW_ELEMENTWISE, .spot = *spot};
  if (fold.is_product) return view_single_product(proof, spot, &fold, view);
  if (!fold_operation(instruction, &view->opcode, &is_exchanged)) return false;
  view_operands(proof, view, 2);
  view->operands[is_exchanged] = fold.initials[0];
  view->operands[1 - is_exchanged] = fold.tuple[0];
  return spot_type(&fold.tuple[0]) == type && spot_type(&fold.initials[0]) == type;
}

static bool view_folds(Opcode opcode) {
  return opcode == HLO_REDUCE || opcode == HLO_REDUCE_WINDOW || opcode == HLO_DOT ||
         opcode == HLO_CONVOLUTION;
}

SpotView spot_view(ValuesProof *proof, const Spot *spot) {
  assert(spot_is_well_formed(proof->sums, spot));
  const Instruction *instruction = spot->instruction;
  Opcode opcode = instruction->opcode;
  SpotView view = {.kind = VIEW_FUNCTION, .opcode = opcode, .spot = *spot};
  if (opcode == HLO_PARAMETER) view.kind = VIEW_PARAMETER;
  else if (opcode == HLO_CONSTANT) view.kind = VIEW_CONSTANT;
  else if (opcode == HLO_IOTA) view.kind = VIEW_IOTA;
  else if (opcode_family(opcode) == FAMILY_ELEMENTWISE && instruction->operand_count > 0)
    return view_elementwise(proof, spot, opcode);
  else if (view_folds(opcode) && view_folded_once(proof, spot, &view)) return view;
  else if (view_folds(opcode))
    view = (SpotView){.kind = VIEW_FOLD, .opcode = opcode, .spot = *spot};
  else if (view_pointwise(proof, spot, &view) || view_reinterpreted(proof, spot, &view) ||
           view_passed(proof, spot, &view))
    return view;
  return view;
}
