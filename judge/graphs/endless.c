/* A loop never ends once it runs if its condition has the same value before and after each run of
 * the body, condition(body(state)) = condition(state), and may hold. The oracle compares both as
 * functions of the state, at grade exact. So every reported loop never ends, but not every endless
 * loop is reported. */
#include "judge/graphs/endless.h"

#include <string.h>

#include "core/hlo/caller.h"
#include "core/hlo/namesakes.h"
#include "judge/graphs/needed.h"
#include "oracle/equivalence/same_values.h"

static const Computation *endless_called(const Instruction *loop, const char *role) {
  for (uint32_t i = 0; i < loop->called_count; i++)
    if (strcmp(loop->called_roles[i], role) == 0) return loop->called[i];
  return nullptr;
}

static const Instruction *before_copies(const Instruction *instruction) {
  while (instruction->opcode == HLO_COPY) instruction = instruction->operands[0];
  return instruction;
}

/* Whether the operation compares an integer with itself, so that its result is known. */
static bool compares_with_itself(const Instruction *instruction) {
  return instruction->opcode == HLO_COMPARE && shape_elements(instruction->shape) == 1 &&
         element_type_is_integral(instruction->operands[0]->shape->type) &&
         instruction_attribute(instruction, "direction") != nullptr &&
         before_copies(instruction->operands[0]) == before_copies(instruction->operands[1]);
}

static void make_constant(Arena *arena, Instruction *instruction, bool value) {
  instruction->literal = (Ints){.count = 1, .values = ARENA_NEW(arena, int64_t, 1)};
  instruction->literal.values[0] = value;
  instruction->opcode = HLO_CONSTANT;
  instruction->operand_count = instruction->called_count = 0;
  instruction->literal_text = value ? "true" : "false";
}

/* Makes a comparison of an integer with itself the constant that it is. */
static void set_known(Arena *arena, Instruction *instruction) {
  if (!compares_with_itself(instruction)) return;
  const char *direction = instruction_attribute(instruction, "direction")->text;
  make_constant(arena, instruction,
      strcmp(direction, "EQ") == 0 || strcmp(direction, "LE") == 0 || strcmp(direction, "GE") == 0);
}

/* A copy of the condition without comparisons of an integer with itself, which the oracle compares
 * like others. */
static const Computation *known_condition(Arena *arena, const Computation *condition) {
  Computation *known = ARENA_NEW(arena, Computation, 1);
  *known = *condition;
  known->instructions = ARENA_NEW(arena, Instruction *, known->instruction_count);
  known->parameters = ARENA_NEW(arena, Instruction *, known->parameter_count + 1);
  for (uint32_t i = 0; i < known->instruction_count; i++) {
    Instruction *made = known->instructions[i] = ARENA_NEW(arena, Instruction, 1);
    *made = *condition->instructions[i];
    made->parent = known;
    made->operands = ARENA_NEW(arena, Instruction *, made->operand_count + 1);
    for (uint32_t k = 0; k < made->operand_count; k++)
      made->operands[k] = known->instructions[condition->instructions[i]->operands[k]->id];
    set_known(arena, made);
  }
  for (uint32_t i = 0; i < known->parameter_count; i++)
    known->parameters[i] = known->instructions[condition->parameters[i]->id];
  known->root = known->instructions[condition->root->id];
  return known;
}

/* The condition after one more run of the body: condition(body(state)). */
static const Computation *condition_after_body(
    Arena *arena, const Computation *condition, const Computation *body) {
  Computation *caller = caller_create(arena, body);
  Instruction *state = caller_call(arena, caller, body, "body");
  Instruction *holds = caller_call(arena, caller, condition, "condition");
  holds->operands = ARENA_NEW(arena, Instruction *, 1);
  holds->operands[0] = state;
  return caller;
}

/* A condition of the same parameters that never holds. */
static const Computation *condition_never(Arena *arena, const Computation *condition) {
  Computation *never = caller_create(arena, condition);
  make_constant(arena, caller_call(arena, never, condition, "never"), false);
  return never;
}

/* The limit is for loops that end, where the oracle searches a difference. Equal conditions have
 * few elements, or arrays that are equal as a whole. */
static bool have_one_result(Arena *arena, const Computation *before, const Computation *after) {
  static constexpr ValuesLimits limits = {.elements = 100, .grade = LAW_EXACT};
  ValuesVerdict verdict;
  oracle_values_query(oracle_values_create(arena, before, after, &limits), 0, &verdict);
  return verdict.answer == REASON_EXACT;
}

static bool never_ends(const Instruction *loop) {
  const Computation *condition = endless_called(loop, "condition"),
                    *body = endless_called(loop, "body");
  if (body->unbounded != nullptr || condition->unbounded != nullptr) return false;
  Arena *arena = arena_create();
  condition = known_condition(arena, condition);
  bool never = have_one_result(arena, condition, condition_after_body(arena, condition, body)) &&
               !have_one_result(arena, condition, condition_never(arena, condition));
  arena_destroy(arena);
  return never;
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
      if (may_run && never_ends(instruction)) *ARENA_PUSH(arena, loops) = instruction;
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
