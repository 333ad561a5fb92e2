/* Verifies a module: its structure (which computations and operands are defined before their use),
 * then each instruction's shape. A declared shape is compared in sizes and element types with the
 * shape that the operation implies. If the operation leaves the element type open (dot, convert),
 * the declared one counts. Floating-point types of operands and results may differ, as in XLA's
 * verifier. Dynamic sizes count as their bounds. Layouts must be permutations. If a size is
 * unknown, f32[?], no shape rule is checked. Recursion follows the nesting of tuples. */
#include "core/hlo/verify/verify.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/hlo/verify/check.h"
#include "core/hlo/read/names.h"

/* One operand for each size of the result, which has as many elements as the array. */
static bool check_dynamic_reshape(const Check *check) {
  const Shape *result = check->instruction->shape, *array = operand_shape(check, 0);
  uint32_t count = check->instruction->operand_count;
  if (!check_array(check, 0) || !shape_is_array(result) || result->type != array->type ||
      shape_elements(result) != shape_elements(array))
    return check_fail(
        check, "%s is reshaped to %s", shape_words(check, array), shape_words(check, result));
  if (count != result->rank + 1)
    return check_fail(
        check, "%s for %s", counted(count - 1, "size"), counted(result->rank, "dimension"));
  for (uint32_t i = 1; i < count; i++) {
    if (!check_scalar(check, i)) return false;
    if (operand_shape(check, i)->type != TYPE_s32)
      return check_fail(check, "size %u has element type %s", i - 1,
          element_type_name(operand_shape(check, i)->type));
  }
  return true;
}

bool infer_opaque(const Check *check, const Shape **shape) {
  Opcode opcode = check->instruction->opcode;
  uint32_t dimension;
  *shape = nullptr;
  if (opcode == HLO_GET_DIMENSION_SIZE) {
    return check_array(check, 0) &&
           check_one_dimension(check, operand_shape(check, 0)->rank, &dimension) &&
           make_array(check, TYPE_s32, 0, nullptr, shape);
  }
  if (opcode == HLO_SET_DIMENSION_SIZE) {
    if (!check_array(check, 0) || !check_scalar(check, 1) ||
        !check_one_dimension(check, operand_shape(check, 0)->rank, &dimension))
      return false;
    bool *bounds = dimension_set(check, operand_shape(check, 0)->rank);
    bounds_add(bounds, operand_shape(check, 0));
    bounds[dimension] = true;
    *shape = shape_with_bounds(check->arena, operand_shape(check, 0), bounds);
    return true;
  }
  if (check->instruction->shape == nullptr) return check_fail(check, "the shape is missing");
  return opcode != HLO_DYNAMIC_RESHAPE || check_dynamic_reshape(check);
}

/* A transfer is ended by the operation of its own kind. What it starts from may also come out of a
 * tuple, whose opcode does not tell the kind. */
bool infer_transfer(const Check *check, const Shape **shape) {
  const Instruction *instruction = check->instruction;
  bool ends_send = instruction->opcode == HLO_SEND_DONE;
  if (!ends_send && instruction->opcode != HLO_RECV_DONE) return infer_opaque(check, shape);
  Opcode wrong = ends_send ? HLO_RECV : HLO_SEND;
  assert(instruction->operand_count == 1);
  if (!shape_is_tuple(operand_shape(check, 0)))
    return check_fail(check, "operand 0 is %s, which starts nothing",
        shape_words(check, operand_shape(check, 0)));
  if (instruction->operands[0]->opcode != wrong) return infer_opaque(check, shape);
  return check_fail(
      check, "operand 0 is a %s, which %s-done ends", opcode_name(wrong), opcode_name(wrong));
}

static Infer *const rules[opcode_group_count] = {
#define GROUP(group, family) infer_##group,
#include "core/hlo/opcodes.def"
#undef GROUP
};

static bool check_operand_count(const Check *check) {
  Opcode opcode = check->instruction->opcode;
  uint32_t count = check->instruction->operand_count;
  uint32_t least = opcode_least_operands(opcode), most = opcode_most_operands(opcode);
  if (count >= least && count <= most) return true;
  if (least == most) return check_fail(check, "%s, not %u", counted(count, "operand"), least);
  return most == UINT32_MAX
             ? check_fail(check, "%s, not at least %u", counted(count, "operand"), least)
             : check_fail(check, "%s, not %u to %u", counted(count, "operand"), least, most);
}

bool infer_shape(const Check *check, const Shape **shape) {
  assert(check->instruction->opcode < opcode_count);
  return check_operand_count(check) &&
         rules[opcode_group(check->instruction->opcode)](check, shape);
}

/* True if a result may have another precision than its operands: for operations that compute or
 * move elements, not for those that pass values on. */
static bool may_mix(Opcode opcode) {
  OpcodeFamily family = opcode_family(opcode);
  return family != FAMILY_SOURCE && family != FAMILY_STRUCTURE && family != FAMILY_CALL &&
         family != FAMILY_OPAQUE && opcode != HLO_BITCAST_CONVERT;
}

static bool compare_shape(const Check *check, const Shape *inferred) {
  const Shape *declared = check->instruction->shape;
  if (declared == nullptr) return check_fail(check, "the shape is missing");
  if (inferred == nullptr || shape_compatible(inferred, declared)) return true;
  if (may_mix(check->instruction->opcode) && shape_mixes(inferred, declared)) return true;
  return check_fail(check, "the shape is %s, the operation returns %s",
      shape_words(check, declared), shape_words(check, inferred));
}

static bool check_layout(const Check *check, const Shape *shape) {
  for (uint32_t i = 0; i < shape->element_count; i++) {
    if (!check_layout(check, shape->elements[i])) return false;
  }
  if (!shape->has_layout || shape->rank == 0) return true;
  if (shape->minor_to_major == nullptr) return check_fail(check, "the layout's order is missing");
  bool *seen = dimension_set(check, shape->rank);
  for (uint32_t i = 0; i < shape->rank; i++) {
    uint32_t dimension = shape->minor_to_major[i];
    if (dimension >= shape->rank || seen[dimension])
      return check_fail(check, "the layout is not a permutation");
    seen[dimension] = true;
  }
  return true;
}

/* If a size is unknown, only the operand count and the layout are checked. */
static bool check_unbounded(const Check *check) {
  const Instruction *instruction = check->instruction;
  if (instruction->shape == nullptr) return check_fail(check, "the shape is missing");
  return check_operand_count(check) && check_layout(check, instruction->shape);
}

static bool check_shape(const Check *check) {
  const Shape *inferred;
  if (instruction_unbounded(check->instruction) != nullptr) return check_unbounded(check);
  return infer_shape(check, &inferred) && compare_shape(check, inferred) &&
         check_layout(check, check->instruction->shape);
}

static Check check_of(
    Arena *arena, const Module *module, const Instruction *instruction, Error *error) {
  return (Check){.arena = arena,
      .module = module,
      .source = module->source,
      .instruction = instruction,
      .error = error};
}

bool hlo_verify_instruction(
    Arena *arena, const Module *module, const Instruction *instruction, Error *error) {
  ArenaMark mark = arena_mark(arena);
  Check check = check_of(arena, module, instruction, error);
  bool valid = check_shape(&check);
  arena_rewind(arena, mark);
  return valid;
}

typedef struct Structure {
  Arena *arena;
  const Module *module;
  Names seen; /* computations verified so far, by name */
  Error *error;
} Structure;

static bool check_operands(const Check *check) {
  const Instruction *instruction = check->instruction;
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    const Instruction *operand = instruction->operands[i];
    bool above = operand != nullptr && operand->parent == instruction->parent &&
                 operand->id < instruction->id &&
                 instruction->parent->instructions[operand->id] == operand;
    if (!above)
      return check_fail(check, "operand %u is not defined above in the same computation", i);
  }
  return true;
}

/* True if the opcode calls computations in this role. */
static bool has_role(Opcode opcode, const char *role) {
  static const struct {
    Opcode opcode;
    const char *role;
  } rows[] = {{HLO_FUSION, "calls"}, {HLO_CALL, "calls"}, {HLO_CALL, "to_apply"},
      {HLO_ASYNC_START, "calls"}, {HLO_ASYNC_UPDATE, "calls"}, {HLO_ASYNC_DONE, "calls"},
      {HLO_CUSTOM_CALL, "calls"}, {HLO_CUSTOM_CALL, "to_apply"}, {HLO_WHILE, "condition"},
      {HLO_WHILE, "body"}, {HLO_CONDITIONAL, "branch"}, {HLO_SELECT_AND_SCATTER, "select"},
      {HLO_SELECT_AND_SCATTER, "scatter"}, {HLO_MAP, "to_apply"}, {HLO_REDUCE, "to_apply"},
      {HLO_REDUCE_WINDOW, "to_apply"}, {HLO_SCAN, "to_apply"}, {HLO_SCATTER, "to_apply"},
      {HLO_SORT, "to_apply"}, {HLO_ALL_REDUCE, "to_apply"}, {HLO_ALL_REDUCE_START, "to_apply"},
      {HLO_REDUCE_SCATTER, "to_apply"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].opcode == opcode && strcmp(rows[i].role, role) == 0) return true;
  return false;
}

/* The judges run the computations that an instruction has, whatever their roles: it has only those
 * that its rule checks. */
static bool check_roles(const Check *check) {
  const Instruction *instruction = check->instruction;
  for (uint32_t i = 0; i < instruction->called_count; i++)
    if (!has_role(instruction->opcode, instruction->called_roles[i]))
      return check_fail_at(check, instruction->called_roles[i], "it calls no computation by %s",
          instruction->called_roles[i]);
  bool is_call = instruction->opcode == HLO_CALL;
  return !is_call || instruction->called_count <= 1 ||
         check_fail(check, "it calls %u computations", instruction->called_count);
}

static bool check_callees(const Structure *structure, const Check *check) {
  const Instruction *instruction = check->instruction;
  for (uint32_t i = 0; i < instruction->called_count; i++) {
    const Computation *callee = instruction->called[i];
    bool above = callee != nullptr && instruction->called_roles[i] != nullptr &&
                 names_find(&structure->seen, 0, callee->name, strlen(callee->name)) == callee;
    if (!above) return check_fail(check, "called computation %u is not defined before this one", i);
  }
  return check_roles(check);
}

static bool check_control_predecessors(const Check *check) {
  const Instruction *instruction = check->instruction;
  for (uint32_t i = 0; i < instruction->predecessor_count; i++) {
    const ControlPredecessor *predecessor = &instruction->predecessors[i];
    if (predecessor->position != UINT32_MAX && predecessor->position >= instruction->id)
      return check_fail_at(check, "control-predecessors",
          "control predecessor '%s' is not above it", predecessor->name);
  }
  return true;
}

static bool check_parameters(const Structure *structure, const Computation *computation) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *parameter = computation->instructions[i];
    if (parameter->opcode != HLO_PARAMETER) continue;
    count++;
    bool placed = parameter->number >= 0 && parameter->number < computation->parameter_count &&
                  computation->parameters[parameter->number] == parameter;
    Check check = check_of(structure->arena, structure->module, parameter, structure->error);
    if (!placed)
      return check_fail(&check, "number %" PRId64 " is not this parameter's", parameter->number);
  }
  return count == computation->parameter_count ||
         error_set(structure->error, ERROR_INPUT, "computation '%.100s' has %s, not %u",
             computation->name, counted(count, "parameter"), computation->parameter_count);
}

static bool check_instruction(
    const Structure *structure, const Computation *computation, uint32_t id) {
  const Instruction *instruction = computation->instructions[id];
  Check check = check_of(structure->arena, structure->module, instruction, structure->error);
  if (instruction->id != id || instruction->parent != computation)
    return check_fail(&check, "its place is wrong");
  return check_operands(&check) && check_callees(structure, &check) &&
         check_control_predecessors(&check) &&
         hlo_verify_instruction(structure->arena, structure->module, instruction, structure->error);
}

static bool check_computation(Structure *structure, Computation *computation) {
  const Instruction *root = computation->root;
  bool has_root = root != nullptr && root->id < computation->instruction_count &&
                  computation->instructions[root->id] == root;
  if (!has_root) {
    return error_set(
        structure->error, ERROR_INPUT, "computation '%.100s' has no root", computation->name);
  }
  if (!check_parameters(structure, computation)) return false;
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    if (!check_instruction(structure, computation, i)) return false;
  }
  if (names_add(&structure->seen, structure->arena, 0, computation->name, strlen(computation->name),
          computation)) {
    return true;
  }
  return error_set(
      structure->error, ERROR_INPUT, "two computations are named '%.100s'", computation->name);
}

bool hlo_verify(Arena *arena, const Module *module, Error *error) {
  ArenaMark mark = arena_mark(arena);
  Structure structure = {.arena = arena, .module = module, .error = error};
  bool valid = true;
  for (uint32_t i = 0; i < module->computation_count && valid; i++) {
    valid = check_computation(&structure, module->computations[i]);
  }
  if (valid && (module->entry == nullptr || names_find(&structure.seen, 0, module->entry->name,
                                                strlen(module->entry->name)) != module->entry)) {
    valid = error_set(error, ERROR_INPUT, "the entry is not one of the module's computations");
  }
  arena_rewind(arena, mark);
  return valid;
}
