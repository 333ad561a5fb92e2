/* Builds the caller of two entries: its parameters first, then a call of each. It is made by hand
 * from entries that were verified, and satisfies what verification asks of a call: operands as many
 * as parameters, of the same sizes, earlier in the same computation. */
#include "judge/graphs/equiv_call.h"

#include <assert.h>

#include "judge/graphs/equiv.h"

static constexpr uint32_t call_count = 2;

bool equiv_leaf_is_read(const Shape *shape, uint32_t leaf) {
  const Shape *array = shape_leaf(shape, leaf);
  return shape_is_array(array) && shape_elements(array) > 0;
}

static Instruction *add(
    Arena *arena, Computation *caller, Opcode opcode, const char *name, const Shape *shape) {
  Instruction *instruction = ARENA_NEW(arena, Instruction, 1);
  *instruction = (Instruction){.name = name,
      .opcode = opcode,
      .id = caller->instruction_count,
      .shape = shape,
      .parent = caller,
      .batch_group_count = 1,
      .channel_id = -1};
  caller->instructions[caller->instruction_count++] = instruction;
  return instruction;
}

Computation *equiv_caller(Arena *arena, const Computation *entry) {
  Computation *caller = ARENA_NEW(arena, Computation, 1);
  *caller =
      (Computation){.name = "equiv", .is_entry = true, .parameter_count = entry->parameter_count};
  caller->instructions = ARENA_NEW(arena, Instruction *, entry->parameter_count + call_count);
  caller->parameters = ARENA_NEW(arena, Instruction *, entry->parameter_count + 1);
  for (uint32_t i = 0; i < entry->parameter_count; i++) {
    Instruction *parameter =
        add(arena, caller, HLO_PARAMETER, entry->parameters[i]->name, entry->parameters[i]->shape);
    parameter->number = i;
    caller->parameters[i] = parameter;
  }
  return caller;
}

Instruction *equiv_call(Arena *arena, Computation *caller, Computation *entry, const char *name) {
  assert(caller->parameter_count == entry->parameter_count);
  assert(caller->instruction_count < caller->parameter_count + call_count);
  Instruction *call = add(arena, caller, HLO_CALL, name, entry->root->shape);
  call->operand_count = caller->parameter_count;
  call->operands = caller->parameters;
  call->called_count = 1;
  call->called = ARENA_NEW(arena, Computation *, 1);
  call->called[0] = entry;
  call->called_roles = ARENA_NEW(arena, const char *, 1);
  call->called_roles[0] = "to_apply";
  caller->root = call;
  return call;
}

/* Offsets are read from integers: another type has other values. */
static bool same_integers(const Shape *before, const Shape *after) {
  assert(shape_leaf_count(before) == shape_leaf_count(after));
  for (uint32_t i = 0; i < shape_leaf_count(before); i++) {
    const Shape *one = shape_leaf(before, i), *other = shape_leaf(after, i);
    if (!shape_is_array(one) || !shape_is_array(other) || one->type == other->type) continue;
    if (element_type_is_integral(one->type) || element_type_is_integral(other->type)) return false;
  }
  return true;
}

static bool same_parameters(const Computation *before, const Computation *after, Error *error) {
  if (before->parameter_count != after->parameter_count)
    return error_set(error, ERROR_INPUT,
        "%u parameters before, %u after: parameters stand for each other by number",
        before->parameter_count, after->parameter_count);
  for (uint32_t i = 0; i < before->parameter_count; i++)
    if (!shape_same_sizes(before->parameters[i]->shape, after->parameters[i]->shape))
      return error_set(error, ERROR_INPUT,
          "parameter %u has other sizes after ('%s') than before ('%s')", i,
          after->parameters[i]->name, before->parameters[i]->name);
  for (uint32_t i = 0; i < before->parameter_count; i++)
    if (!same_integers(before->parameters[i]->shape, after->parameters[i]->shape))
      return error_set(error, ERROR_INPUT,
          "parameter %u has another element type after ('%s') than before ('%s'): its values are not the same",
          i, after->parameters[i]->name, before->parameters[i]->name);
  return true;
}

bool equiv_create(Judge *judge, Arena *arena, const Module *before, const Module *after,
    Equiv *equiv, Error *error) {
  if (before->entry == nullptr || after->entry == nullptr)
    return error_set(error, ERROR_INPUT, "a module without an entry computation");
  if (!same_parameters(before->entry, after->entry, error)) return false;
  if (!shape_same_sizes(before->entry->root->shape, after->entry->root->shape))
    return error_set(error, ERROR_INPUT,
        "the outputs have other sizes after ('%s') than before ('%s')", after->entry->root->name,
        before->entry->root->name);
  Computation *caller = equiv_caller(arena, before->entry);
  *equiv = (Equiv){.judge = judge, .entries = {before->entry, after->entry}};
  equiv->calls[EQUIV_BEFORE] = equiv_call(arena, caller, before->entry, "before");
  equiv->calls[EQUIV_AFTER] = equiv_call(arena, caller, after->entry, "after");
  return true;
}
