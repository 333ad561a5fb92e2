/* Follows elements of a loop's state only through get-tuple-element, tuple, copy, and operations on
 * integers that return an operand, as a sum with 0. An element on any other path counts as changed
 * by the body, and as unknown in the condition, unless it is compared with itself. So every
 * reported loop never ends, but not every endless loop is reported. */
#include "judge/graphs/endless.h"

#include <string.h>

#include "core/hlo/namesakes.h"
#include "core/hlo/stateful.h"
#include "judge/graphs/needed.h"

static const Computation *endless_called(const Instruction *loop, const char *role) {
  for (uint32_t i = 0; i < loop->called_count; i++)
    if (strcmp(loop->called_roles[i], role) == 0) return loop->called[i];
  return nullptr;
}

static bool is_constant(const Instruction *instruction, int64_t value) {
  return instruction->opcode == HLO_CONSTANT && instruction->literal.count == 1 &&
         instruction->literal.values[0] == value;
}

/* The operand that the operation returns for all operands; nullptr if there is none. */
static const Instruction *returned_operand(const Instruction *instruction) {
  Instruction *const *operands = instruction->operands;
  Opcode opcode = instruction->opcode;
  if (opcode == HLO_COPY) return operands[0];
  if (instruction->operand_count != 2 || !element_type_is_integral(instruction->shape->type))
    return nullptr;
  bool is_sum = opcode == HLO_ADD, is_product = opcode == HLO_MULTIPLY,
       is_lattice =
           opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM || opcode == HLO_AND || opcode == HLO_OR;
  if (is_lattice && operands[0] == operands[1]) return operands[0];
  if ((is_sum || opcode == HLO_SUBTRACT) && is_constant(operands[1], 0)) return operands[0];
  if (is_product && is_constant(operands[1], 1)) return operands[0];
  if (is_sum && is_constant(operands[0], 0)) return operands[1];
  return is_product && is_constant(operands[0], 1) ? operands[1] : nullptr;
}

static const Instruction *before_copies(const Instruction *instruction) {
  for (const Instruction *next; (next = returned_operand(instruction)) != nullptr;)
    instruction = next;
  return instruction;
}

/* Whether the body returns element `at` of its state as it was; of a state that is no tuple, the
 * whole. */
static bool keeps_element(const Computation *body, uint32_t at) {
  const Instruction *root = before_copies(body->root);
  if (root->opcode == HLO_PARAMETER) return true;
  if (root->opcode != HLO_TUPLE || at >= root->operand_count) return false;
  const Instruction *element = before_copies(root->operands[at]);
  return element->opcode == HLO_GET_TUPLE_ELEMENT && element->number == at &&
         before_copies(element->operands[0])->opcode == HLO_PARAMETER;
}

static bool keeps_all(const Computation *body, const Shape *state) {
  bool keeps = true;
  uint32_t count = shape_is_tuple(state) ? state->element_count : 1;
  for (uint32_t i = 0; keeps && i < count; i++) keeps = keeps_element(body, i);
  return keeps;
}

/* Whether the operation compares an integer with itself, so that its result is known. */
static bool compares_with_itself(const Instruction *instruction, bool *result) {
  if (instruction->opcode != HLO_COMPARE ||
      !element_type_is_integral(instruction->operands[0]->shape->type) ||
      before_copies(instruction->operands[0]) != before_copies(instruction->operands[1]))
    return false;
  const Attribute *direction = instruction_attribute(instruction, "direction");
  *result = direction != nullptr &&
            (strcmp(direction->text, "EQ") == 0 || strcmp(direction->text, "LE") == 0 ||
                strcmp(direction->text, "GE") == 0);
  return direction != nullptr;
}

/* By instruction: the value of the root depends on it. */
static const bool *marked_by_value(Arena *arena, const Computation *computation) {
  bool *marks = ARENA_NEW(arena, bool, computation->instruction_count);
  marks[computation->root->id] = true;
  for (uint32_t i = computation->instruction_count; i-- > 0;) {
    const Instruction *instruction = computation->instructions[i];
    bool result, depends = marks[i] && !compares_with_itself(instruction, &result);
    for (uint32_t k = 0; depends && k < instruction->operand_count; k++)
      marks[instruction->operands[k]->id] = true;
  }
  return marks;
}

/* Whether the condition has the same value in each iteration. */
static bool condition_repeats(Arena *arena, const Computation *condition, const Computation *body) {
  const bool *marks = marked_by_value(arena, condition);
  for (uint32_t i = 0; i < condition->instruction_count; i++) {
    const Instruction *instruction = condition->instructions[i];
    bool result;
    bool is_read = marks[i] && !compares_with_itself(instruction, &result);
    if (!is_read) continue;
    if (instruction_stateful(instruction) != nullptr) return false;
    for (uint32_t k = 0; k < instruction->operand_count; k++) {
      const Instruction *operand = instruction->operands[k];
      if (operand->opcode != HLO_PARAMETER) continue;
      bool keeps = instruction->opcode == HLO_GET_TUPLE_ELEMENT
                       ? keeps_element(body, (uint32_t)instruction->number)
                       : keeps_all(body, operand->shape);
      if (!keeps) return false;
    }
  }
  return condition->root->opcode != HLO_PARAMETER || keeps_all(body, condition->root->shape);
}

static bool never_ends(Arena *arena, const Instruction *loop) {
  const Computation *condition = endless_called(loop, "condition"),
                    *body = endless_called(loop, "body");
  bool result, is_false = is_constant(condition->root, 0) ||
                          (compares_with_itself(condition->root, &result) && !result);
  return !is_false && condition_repeats(arena, condition, body);
}

static bool is_while(const Instruction *instruction) { return instruction->opcode == HLO_WHILE; }

void module_endless_loops(Arena *arena, const Module *module, EndlessLoops *loops) {
  *loops = (EndlessLoops){};
  if (module_find(module, is_while) == nullptr) return;
  const NeededParts needed = needed_parts(arena, module, NEEDED_BY_RUNS);
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const Computation *computation = module->computations[i];
    for (uint32_t k = 0; k < computation->instruction_count; k++) {
      const Instruction *instruction = computation->instructions[k];
      bool may_run = is_while(instruction) && (needed.is_cut || is_needed(&needed, instruction));
      if (may_run && never_ends(arena, instruction)) *ARENA_PUSH(arena, loops) = instruction;
    }
  }
  loops->is_cut = needed.is_cut && loops->count > 0;
}

static bool same_attribute_texts(const Instruction *a, const Instruction *b) {
  for (uint32_t i = 0; i < a->attribute_count; i++) {
    const Attribute *other = instruction_attribute(b, a->attributes[i].name);
    if (strcmp(a->attributes[i].name, "metadata") != 0 &&
        (other == nullptr || strcmp(other->text, a->attributes[i].text) != 0))
      return false;
  }
  return true;
}

/* Whether both are the same expression of elements of a state, which are added as pairs. */
static bool same_of_state(
    const Instruction *a, const Instruction *b, uint32_t depth, StateElements *elements) {
  static constexpr uint32_t deepest = 12;
  bool is_element = a->opcode == HLO_GET_TUPLE_ELEMENT && b->opcode == a->opcode &&
                    a->operands[0]->opcode == HLO_PARAMETER &&
                    b->operands[0]->opcode == HLO_PARAMETER;
  if (depth == deepest || !shape_same_arrays(a->shape, b->shape)) return false;
  if (is_element) {
    if (elements->count == endless_most_elements) return false;
    elements->sides[0][elements->count] = (uint32_t)a->number;
    elements->sides[1][elements->count++] = (uint32_t)b->number;
    return true;
  }
  bool is_alike = a->opcode == b->opcode && a->opcode != HLO_PARAMETER && a->called_count == 0 &&
                  b->called_count == 0 && a->operand_count == b->operand_count &&
                  !instruction_is_elided(a) && same_attribute_texts(a, b) &&
                  same_attribute_texts(b, a);
  if (a->opcode == HLO_CONSTANT) return is_alike && strcmp(a->literal_text, b->literal_text) == 0;
  for (uint32_t i = 0; is_alike && i < a->operand_count; i++)
    is_alike = same_of_state(a->operands[i], b->operands[i], depth + 1, elements);
  return is_alike;
}

bool endless_conditions_agree(const Instruction *a, const Instruction *b, StateElements *elements) {
  *elements = (StateElements){};
  return same_of_state(
      endless_called(a, "condition")->root, endless_called(b, "condition")->root, 0, elements);
}
