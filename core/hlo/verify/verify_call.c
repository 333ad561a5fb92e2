/* Structure operations (tuples, barriers, copies) and calls: operands against parameters, the
 * result against the root of the called computation. */
#include <assert.h>
#include <inttypes.h>

#include "core/hlo/verify/check.h"

static bool infer_tuple(const Check *check, const Shape **shape) {
  uint32_t count = check->instruction->operand_count;
  const Shape **elements = ARENA_NEW(check->arena, const Shape *, count);
  for (uint32_t i = 0; i < count; i++) elements[i] = operand_shape(check, i);
  *shape = shape_tuple(check->arena, count, elements);
  return true;
}

static bool element_of(const Check *check, int64_t index, const Shape **shape) {
  const Shape *tuple = operand_shape(check, 0);
  if (!shape_is_tuple(tuple))
    return check_fail(check, "operand 0 is %s, not a tuple", shape_words(check, tuple));
  if (index < 0 || index >= tuple->element_count) {
    return check_fail_at(check, "index", "index %" PRId64 " of a tuple with %s", index,
        counted(tuple->element_count, "element"));
  }
  *shape = tuple->elements[index];
  return true;
}

/* (destination, source, context) */
static bool check_copy_start(const Check *check) {
  const Shape *shape = check->instruction->shape, *operand = operand_shape(check, 0);
  bool fits = shape != nullptr && shape_is_tuple(shape) && shape->element_count >= 2 &&
              shape_compatible(shape->elements[0], operand) &&
              shape_compatible(shape->elements[1], operand);
  return fits || check_fail(check, "the shape is not (destination, source, context) for %s",
                     shape_words(check, operand));
}

/* The shape of other opcodes is that of their first operand. */
bool infer_structure(const Check *check, const Shape **shape) {
  const Instruction *instruction = check->instruction;
  Opcode opcode = instruction->opcode;
  *shape = nullptr;
  if (opcode == HLO_TUPLE) return infer_tuple(check, shape);
  if (opcode == HLO_GET_TUPLE_ELEMENT) return element_of(check, instruction->number, shape);
  if (opcode == HLO_COPY_START) return check_copy_start(check);
  if (opcode == HLO_COPY_DONE) return element_of(check, 0, shape);
  /* Of anything, though its builder in XLA takes tokens alone. */
  if (opcode == HLO_AFTER_ALL) return make_array(check, TYPE_token, 0, nullptr, shape);
  assert(instruction->operand_count > 0);
  *shape = operand_shape(check, 0);
  return true;
}

/* The operands from `first` on are the arguments. */
static bool check_arguments(
    const Check *check, const Computation *computation, uint32_t first, uint32_t count) {
  if (computation->parameter_count != count) {
    return check_fail(check, "computation '%.60s' has %s for %s", computation->name,
        counted(computation->parameter_count, "parameter"), counted(count, "operand"));
  }
  for (uint32_t i = 0; i < count; i++) {
    const Shape *parameter = computation->parameters[i]->shape,
                *operand = operand_shape(check, first + i);
    if (shape_compatible(parameter, operand)) continue;
    return check_fail(check, "operand %u is %s, parameter %u of '%.60s' is %s", first + i,
        shape_words(check, operand), i, computation->name, shape_words(check, parameter));
  }
  return true;
}

bool infer_call(const Check *check, const Shape **shape) {
  const Instruction *instruction = check->instruction;
  const Computation *computation;
  bool applies = instruction->opcode == HLO_CALL && called_as(instruction, "to_apply") != nullptr;
  if (!check_called_once(check, applies ? "to_apply" : "calls", &computation) ||
      !check_arguments(check, computation, 0, instruction->operand_count)) {
    return false;
  }
  *shape = computation->root->shape;
  return true;
}

bool infer_while(const Check *check, const Shape **shape) {
  const Computation *condition, *body;
  *shape = operand_shape(check, 0);
  if (!check_called_once(check, "condition", &condition) ||
      !check_arguments(check, condition, 0, 1) || !check_called_once(check, "body", &body) ||
      !check_arguments(check, body, 0, 1)) {
    return false;
  }
  const Shape *result = condition->root->shape;
  if (!shape_is_array(result) || result->rank != 0 || result->type != TYPE_pred) {
    return check_fail_at(
        check, "condition", "the condition returns %s, not pred[]", shape_words(check, result));
  }
  return shape_compatible(body->root->shape, *shape) ||
         check_fail_at(check, "body", "the body returns %s for %s",
             shape_words(check, body->root->shape), shape_words(check, *shape));
}

static bool check_branch_index(const Check *check) {
  const Shape *index = operand_shape(check, 0);
  uint32_t branches = check->instruction->called_count;
  if (!check_scalar(check, 0)) return false;
  if (index->type != TYPE_s32 && index->type != TYPE_pred) {
    return check_fail(
        check, "the index has element type %s, not pred or s32", element_type_name(index->type));
  }
  if (branches == 0 || branches + 1 != check->instruction->operand_count) {
    return check_fail(check, "%u branches for %s", branches,
        counted(check->instruction->operand_count, "operand"));
  }
  return index->type == TYPE_s32 || branches == 2 ||
         check_fail(check, "%u branches for a pred", branches);
}

bool infer_conditional(const Check *check, const Shape **shape) {
  const Instruction *instruction = check->instruction;
  if (!check_branch_index(check)) return false;
  *shape = instruction->called[0]->root->shape;
  for (uint32_t i = 0; i < instruction->called_count; i++) {
    const Computation *branch = instruction->called[i];
    if (!check_arguments(check, branch, i + 1, 1)) return false;
    if (shape_compatible(branch->root->shape, *shape)) continue;
    return check_fail(check, "branches 0 and %u return %s and %s", i, shape_words(check, *shape),
        shape_words(check, branch->root->shape));
  }
  return true;
}

/* ((operands), result, contexts...) */
static bool check_async_start(const Check *check) {
  const Instruction *start = check->instruction;
  const Computation *computation;
  const Shape *shape = start->shape;
  if (!check_called_once(check, "calls", &computation) ||
      !check_arguments(check, computation, 0, start->operand_count)) {
    return false;
  }
  const Shape *operands;
  bool fits = infer_tuple(check, &operands) && shape != nullptr && shape_is_tuple(shape) &&
              shape->element_count >= 2 && shape_compatible(shape->elements[0], operands) &&
              shape_compatible(shape->elements[1], computation->root->shape);
  return fits || check_fail(check, "the shape is not ((operands), result, ...) of '%.60s'",
                     computation->name);
}

bool infer_async(const Check *check, const Shape **shape) {
  *shape = nullptr;
  Opcode opcode = check->instruction->opcode;
  if (opcode == HLO_ASYNC_START) return check_async_start(check);
  Opcode before = check->instruction->operands[0]->opcode;
  if (before != HLO_ASYNC_START && before != HLO_ASYNC_UPDATE) {
    return check_fail(
        check, "operand 0 is '%s', not async-start or async-update", opcode_name(before));
  }
  const Instruction *instruction = check->instruction, *begun = instruction->operands[0];
  if (instruction->called_count > 0 && begun->called_count > 0 &&
      instruction->called[0] != begun->called[0])
    return check_fail_at(check, "calls", "operand 0 calls another computation");
  if (opcode == HLO_ASYNC_DONE) return element_of(check, 1, shape);
  *shape = operand_shape(check, 0);
  return true;
}
