/* Composes data movement away. A spot of a reshape, transpose, broadcast, slice, pad, concatenate,
 * reverse, gather, dynamic slice or update, bitcast, copy, tuple, call or fusion is replaced by
 * spots of its operands, each with the constraints under which it applies. The semantics are those
 * of smt/semantics; index operands are not followed. An operation with a dimension of unknown size
 * is not treated as data movement here. */
#include "smt/values/values.h"

#include <assert.h>

static constexpr uint32_t most_cases = 600;

static constexpr uint32_t all_operands = UINT32_MAX;

/* The number of leading operands that contain moved elements. 0: the operation computes. */
static const uint32_t moved_by_group[opcode_group_count] = {
    [GROUP_copy] = 1,
    [GROUP_structure] = all_operands,
    [GROUP_async] = 1,
    [GROUP_bitcast] = 1,
    [GROUP_broadcast] = 1,
    [GROUP_transpose] = 1,
    [GROUP_reverse] = 1,
    [GROUP_slice] = 1,
    [GROUP_reshape] = 1,
    [GROUP_concatenate] = all_operands,
    [GROUP_pad] = 2,
    [GROUP_dynamic_slice] = 1,
    [GROUP_dynamic_update_slice] = 2,
    [GROUP_gather] = 1,
    [GROUP_collective_done] = 1,
};

static uint32_t moved_operands(const Spot *spot) {
  const Instruction *instruction = spot->instruction;
  uint32_t moved = moved_by_group[opcode_group(instruction->opcode)];
  if (spot->leaf < collective_first_result(instruction)) moved = all_operands;
  return moved < instruction->operand_count ? moved : instruction->operand_count;
}

static bool has_unknown_size(const Shape *shape) {
  if (!shape_is_array(shape) || shape->dynamic == nullptr) return false;
  for (uint32_t i = 0; i < shape->rank; i++)
    if (shape->dynamic[i]) return true;
  return false;
}

static bool keeps_size(const Spot *spot) {
  OpcodeGroup group = opcode_group(spot->instruction->opcode);
  if (group == GROUP_structure || group == GROUP_copy) return true;
  if (has_unknown_size(spot_shape(spot))) return false;
  for (uint32_t i = 0; i < spot->instruction->operand_count; i++)
    if (has_unknown_size(spot->instruction->operands[i]->shape)) return false;
  return true;
}

/* Whether elements keep their bits in memory: half of the bits of a stored element are no
 * element. */
static bool keeps_stored_bits(const Spot *spot) {
  const Instruction *instruction = spot->instruction;
  return instruction->opcode != HLO_BITCAST ||
         shape_stored_bits(shape_leaf(instruction->operands[0]->shape, spot->leaf)) ==
             shape_stored_bits(spot_shape(spot));
}

/* Whether what is read has the type of the result: the same bits with another type are another
 * value, and a float that becomes one of another type may be rounded. */
static bool keeps_type(const Spot *spot, const Access *access) {
  return shape_leaf(spot->instruction->operands[access->operand]->shape, access->leaf)->type ==
         spot_type(spot);
}

static void cases_add(ValuesProof *proof, ProofCases *cases, ProofCase item) {
  if (item.given.is_empty) return;
  if (cases->count >= most_cases) cases->is_cut = true;
  else *ARENA_PUSH(proof->arena, cases) = item;
}

static bool is_transparent(const Spot *spot) {
  return moved_operands(spot) > 0 && keeps_size(spot) && keeps_stored_bits(spot);
}

/* Replaces values that decide what is read by the values of the first graph, if both graphs have
 * them. */
static void access_join(ValuesProof *proof, Access *access) {
  for (uint32_t i = 0; i < access->rank; i++)
    access->element[i] = proof->questions->joined(proof, access->element[i]);
  for (uint32_t i = 0; i < access->piece.withins.count; i++)
    access->piece.withins.items[i].sum =
        proof->questions->joined(proof, access->piece.withins.items[i].sum);
}

/* Adds the operands that are read as further cases; false if there are no semantics. */
static bool case_moved(ValuesProof *proof, const ProofCase *from, ProofCases *next) {
  const Instruction *instruction = from->spot.instruction;
  uint32_t moved = moved_operands(&from->spot);
  bool is_found = false;
  if (!is_transparent(&from->spot)) return false;
  SmtReading reading = {.sums = proof->sums,
      .value = hlo_value,
      .frame = from->spot.frame,
      .instruction = instruction,
      .leaf = from->spot.leaf,
      .shape = spot_shape(&from->spot),
      .index = from->spot.index};
  if (!proof_accesses(proof, &reading)) return false;
  for (uint32_t i = 0; i < reading.accesses.count; i++) {
    const Access *access = reading.accesses.items[i];
    if (access->operand >= moved) continue;
    if (access->lacking != nullptr || access->piece.hidden.count > 0 ||
        !keeps_type(&from->spot, access))
      return false;
    if (instruction->opcode == HLO_BITCAST &&
        !given_implies_all(proof, &from->given, &access->piece.withins))
      return false;
  }
  for (uint32_t i = 0; i < reading.accesses.count; i++) {
    const Access *access = reading.accesses.items[i];
    if (access->operand >= moved) continue;
    is_found = true;
    access_join(proof, reading.accesses.items[i]);
    ProofCase item = {.given = given_copy(proof, &from->given),
        .spot = spot_at(from->spot.frame, instruction->operands[access->operand], access->leaf,
            access->element)};
    given_add_all(proof, &item.given, &access->piece.withins);
    cases_add(proof, next, item);
  }
  return is_found;
}

static bool case_entered(
    ValuesProof *proof, const ProofCase *from, uint32_t leaf, ProofCases *next) {
  const Instruction *caller = from->spot.instruction;
  if (caller->called_count == 0) return false;
  ProofCase item = *from;
  item.spot = spot_at(proof_frame(proof, from->spot.frame, caller), caller->called[0]->root, leaf,
      from->spot.index);
  cases_add(proof, next, item);
  return true;
}

static bool case_of_operand(
    ValuesProof *proof, const ProofCase *from, uint32_t leaf, ProofCases *next) {
  const Instruction *instruction = from->spot.instruction;
  uint32_t operand = 0;
  for (; operand < instruction->operand_count; operand++) {
    uint32_t leaves = shape_leaf_count(instruction->operands[operand]->shape);
    if (leaf < leaves) break;
    leaf -= leaves;
  }
  if (operand == instruction->operand_count) return false;
  ProofCase item = *from;
  item.spot = spot_at(from->spot.frame, instruction->operands[operand], leaf, from->spot.index);
  cases_add(proof, next, item);
  return true;
}

/* The output is ((operands), result, ..): the operands themselves, or the results of the body. */
static bool case_started(ValuesProof *proof, const ProofCase *from, ProofCases *next) {
  const Shape *shape = from->spot.instruction->shape;
  if (!shape_is_tuple(shape) || shape->element_count < 2) return false;
  uint32_t operands = shape_leaf_count(shape->elements[0]),
           results = shape_leaf_count(shape->elements[1]);
  if (from->spot.leaf < operands) return case_of_operand(proof, from, from->spot.leaf, next);
  if (from->spot.leaf >= operands + results) return false;
  return case_entered(proof, from, from->spot.leaf - operands, next);
}

/* A parameter of a called computation is the caller's operand. */
static bool case_left(ValuesProof *proof, const ProofCase *from, ProofCases *next) {
  const CallSite *frame = from->spot.frame;
  uint32_t operand;
  if (frame == nullptr || !frame_operand(frame, from->spot.instruction, &operand)) return false;
  ProofCase item = *from;
  item.spot =
      spot_at(frame->outer, frame->caller->operands[operand], from->spot.leaf, from->spot.index);
  cases_add(proof, next, item);
  return true;
}

/* Whether each branch has its own computation and operand, so that a frame identifies the
 * branch. */
static bool branches_are_plain(const Instruction *conditional) {
  uint32_t count = conditional->called_count;
  if (count == 0 || conditional->operand_count != count + 1 ||
      conditional->operands[0]->shape->rank != 0)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    if (conditional->called[i]->parameter_count != 1) return false;
    for (uint32_t k = 0; k < i; k++)
      if (conditional->called[i] == conditional->called[k]) return false;
  }
  return true;
}

static void case_of_branch(
    ValuesProof *proof, const ProofCase *from, uint32_t branch, Within within, ProofCases *next) {
  assert(sums_has(proof->sums, within.sum));
  const Instruction *conditional = from->spot.instruction;
  ProofCase item = {.given = given_copy(proof, &from->given),
      .spot = spot_at(proof_frame(proof, from->spot.frame, conditional),
          conditional->called[branch]->root, from->spot.leaf, from->spot.index)};
  given_add(proof, &item.given, within);
  cases_add(proof, next, item);
}

/* `true` selects the first branch; an index out of range selects the last. */
static bool case_branched(ValuesProof *proof, const ProofCase *from, ProofCases *next) {
  const Instruction *conditional = from->spot.instruction;
  if (!branches_are_plain(conditional)) return false;
  Spot chooser = spot_at(from->spot.frame, conditional->operands[0], 0, nullptr);
  Sum value = proof->questions->joined(proof, proof_value(proof, &chooser));
  uint32_t last = conditional->called_count - 1;
  bool is_pred = spot_type(&chooser) == TYPE_pred;
  for (uint32_t i = 0; i < last; i++) {
    Wide index = is_pred ? 1 : i;
    case_of_branch(proof, from, i, (Within){value, index, index}, next);
  }
  case_of_branch(proof, from, last, (Within){value, -no_bound, is_pred ? 0 : -1}, next);
  if (!is_pred) case_of_branch(proof, from, last, (Within){value, last, no_bound}, next);
  return true;
}

/* An operation that a law reduces to one of its operands. */
static bool case_reduced(ValuesProof *proof, const ProofCase *from, ProofCases *next) {
  ProofCase item = *from;
  if (!proof->questions->reduces(proof, &from->spot, &item.spot)) return false;
  cases_add(proof, next, item);
  return true;
}

static bool case_expanded(ValuesProof *proof, const ProofCase *from, ProofCases *next) {
  OpcodeGroup group = opcode_group(from->spot.instruction->opcode);
  if (from->spot.instruction->opcode == HLO_PARAMETER) return case_left(proof, from, next);
  if (group == GROUP_call) return case_entered(proof, from, from->spot.leaf, next);
  if (group == GROUP_async_start) return case_started(proof, from, next);
  if (group == GROUP_conditional) return case_branched(proof, from, next);
  if (from->spot.instruction->opcode == HLO_CONVERT &&
      from->spot.instruction->operands[0]->shape->type == from->spot.instruction->shape->type)
    return case_of_operand(proof, from, 0, next);
  return case_moved(proof, from, next) || case_reduced(proof, from, next);
}

ProofCases spot_cases(ValuesProof *proof, const Given *given, const Spot *spot) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, spot));
  ProofCases work = {}, cases = {};
  cases_add(proof, &work, (ProofCase){.given = *given, .spot = *spot});
  uint32_t done = 0;
  for (; done < work.count && !proof_is_over(proof); done++) {
    ProofCase item = work.items[done];
    proof->steps++;
    if (!case_expanded(proof, &item, &work)) cases_add(proof, &cases, item);
  }
  cases.is_cut |= work.is_cut || done < work.count;
  return cases;
}
