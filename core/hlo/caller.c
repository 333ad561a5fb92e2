/* Builds a computation that calls others: its parameters first, then one call of each. It is not
 * verified, but satisfies the verifier's rules for a call: as many operands as parameters, of the
 * same sizes, defined earlier in the same computation. */
#include "core/hlo/caller.h"

#include <assert.h>

static constexpr uint32_t call_count = 2;

static Instruction *caller_add(
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

Computation *caller_create(Arena *arena, const Computation *like) {
  Computation *caller = ARENA_NEW(arena, Computation, 1);
  *caller =
      (Computation){.name = "caller", .is_entry = true, .parameter_count = like->parameter_count};
  caller->instructions = ARENA_NEW(arena, Instruction *, like->parameter_count + call_count);
  caller->parameters = ARENA_NEW(arena, Instruction *, like->parameter_count + 1);
  for (uint32_t i = 0; i < like->parameter_count; i++) {
    Instruction *parameter = caller_add(
        arena, caller, HLO_PARAMETER, like->parameters[i]->name, like->parameters[i]->shape);
    parameter->number = i;
    caller->parameters[i] = parameter;
  }
  return caller;
}

Instruction *caller_call(
    Arena *arena, Computation *caller, const Computation *called, const char *name) {
  assert(caller->parameter_count == called->parameter_count);
  assert(caller->instruction_count < caller->parameter_count + call_count);
  Instruction *call = caller_add(arena, caller, HLO_CALL, name, called->root->shape);
  call->operand_count = caller->parameter_count;
  call->operands = caller->parameters;
  call->called_count = 1;
  call->called = ARENA_NEW(arena, Computation *, 1);
  call->called[0] = (Computation *)called;
  call->called_roles = ARENA_NEW(arena, const char *, 1);
  call->called_roles[0] = "to_apply";
  caller->root = call;
  return call;
}
