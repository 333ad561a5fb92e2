/* Builds modules, computations and instructions, and everything that all operations share. */
#include "core/hlo/build/build.h"

#include <assert.h>
#include <string.h>

#include "core/hlo/verify/check.h"
#include "core/hlo/verify/verify.h"

ModuleBuilder hlo_module_builder(Arena *arena) { return (ModuleBuilder){.arena = arena}; }

static bool builder_failed(const ModuleBuilder *module) { return module->error.kind != ERROR_NONE; }

Builder hlo_build_computation(ModuleBuilder *module, const char *name) {
  Computation *computation = ARENA_NEW(module->arena, Computation, 1);
  computation->name = name;
  return (Builder){.module = module, .computation = computation};
}

Computation *hlo_build_finish(Builder *builder, Instruction *root) {
  Computation *computation = builder->computation;
  if (builder_failed(builder->module) || root == nullptr) return nullptr;
  root->is_root = true;
  computation->root = root;
  computation->instruction_count = builder->instructions.count;
  computation->instructions = builder->instructions.items;
  computation->parameter_count = builder->parameters.count;
  computation->parameters = builder->parameters.items;
  *ARENA_PUSH(builder->module->arena, &builder->module->computations) = computation;
  return computation;
}

Computation *hlo_built_computation(const ModuleBuilder *module, const char *name) {
  for (uint32_t i = 0; i < module->computations.count; i++)
    if (strcmp(module->computations.items[i]->name, name) == 0)
      return module->computations.items[i];
  return nullptr;
}

bool hlo_build_module(
    ModuleBuilder *builder, const char *name, const Module **built, Error *error) {
  assert(builder->computations.count > 0 || builder_failed(builder));
  if (builder_failed(builder)) {
    *error = builder->error;
    return false;
  }
  Module *module = ARENA_NEW(builder->arena, Module, 1);
  *module = (Module){.name = name,
      .computation_count = builder->computations.count,
      .computations = builder->computations.items,
      .entry = builder->computations.items[builder->computations.count - 1]};
  module->entry->is_entry = true;
  *built = module;
  return hlo_verify(builder->arena, module, error);
}

Ints hlo_build_ints(Builder *builder, uint32_t count, const int64_t *values) {
  Ints ints = {.count = count, .values = ARENA_NEW(builder->module->arena, int64_t, count)};
  if (count > 0) memcpy(ints.values, values, count * sizeof *values);
  return ints;
}

const Shape *hlo_build_shape(
    Builder *builder, ElementType type, uint32_t rank, const int64_t *sizes) {
  const Shape *shape = nullptr;
  if (builder_failed(builder->module) ||
      !shape_array(builder->module->arena, type, rank, sizes, &shape, &builder->module->error))
    return nullptr;
  return shape;
}

const Shape *hlo_build_laid_shape(Builder *builder, ElementType type, uint32_t rank,
    const int64_t *sizes, const uint32_t *minor_to_major) {
  const Shape *plain = hlo_build_shape(builder, type, rank, sizes);
  if (plain == nullptr || rank == 0) return plain;
  Shape *laid = ARENA_NEW(builder->module->arena, Shape, 1);
  *laid = *plain;
  laid->has_layout = true;
  laid->minor_to_major = ARENA_NEW(builder->module->arena, uint32_t, rank);
  memcpy(laid->minor_to_major, minor_to_major, rank * sizeof *minor_to_major);
  return laid;
}

static bool has_operands(uint32_t count, Instruction *const *operands) {
  bool all = true;
  for (uint32_t i = 0; i < count; i++) all &= operands[i] != nullptr;
  return all;
}

static void set_defaults(Arena *arena, Instruction *instruction) {
  Opcode opcode = instruction->opcode;
  instruction->channel_id = -1;
  instruction->batch_group_count = 1;
  if (opcode == HLO_CONVOLUTION) instruction->number = 1;
  if (opcode == HLO_TOPK) instruction->flag = true;
  if (opcode == HLO_GATHER) instruction->gather = ARENA_NEW(arena, GatherNumbers, 1);
  if (opcode == HLO_SCATTER) instruction->scatter = ARENA_NEW(arena, ScatterNumbers, 1);
  if (opcode_family(opcode) == FAMILY_CONTRACT && opcode != HLO_CONVOLUTION)
    instruction->dot = ARENA_NEW(arena, DotNumbers, 1);
}

/* The computation, and those that its instructions call. */
static void mark_called(const Module *module, const Computation *computation, bool *is_needed) {
  for (uint32_t i = 0; i < module->computation_count; i++)
    if (module->computations[i] == computation) {
      if (is_needed[i]) return;
      is_needed[i] = true;
    }
  for (uint32_t i = 0; i < computation->instruction_count; i++)
    for (uint32_t k = 0; k < computation->instructions[i]->called_count; k++)
      mark_called(module, computation->instructions[i]->called[k], is_needed);
}

void hlo_drop_uncalled(Arena *arena, Module *module) {
  bool *is_needed = ARENA_NEW(arena, bool, module->computation_count);
  mark_called(module, module->entry, is_needed);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < module->computation_count; i++)
    if (is_needed[i]) module->computations[kept++] = module->computations[i];
  module->computation_count = kept;
}

Instruction *hlo_build_begin(
    Builder *builder, Opcode opcode, uint32_t operand_count, Instruction *const *operands) {
  Arena *arena = builder->module->arena;
  if (builder_failed(builder->module) || !has_operands(operand_count, operands)) return nullptr;
  Instruction *instruction = ARENA_NEW(arena, Instruction, 1);
  *instruction = (Instruction){.opcode = opcode,
      .operand_count = operand_count,
      .operands = ARENA_NEW(arena, Instruction *, operand_count),
      .parent = builder->computation};
  if (operand_count > 0) memcpy(instruction->operands, operands, operand_count * sizeof *operands);
  set_defaults(arena, instruction);
  return instruction;
}

static const char *build_name_of(Arena *arena, char letter, uint32_t number) {
  if (number > 9) return arena_printf(arena, "%c%u", letter, number);
  char *name = ARENA_NEW(arena, char, 3);
  name[0] = letter;
  name[1] = (char)('0' + number);
  return name;
}

static const char *next_name(Builder *builder, Opcode opcode) {
  Arena *arena = builder->module->arena;
  if (opcode == HLO_PARAMETER) return build_name_of(arena, 'p', builder->parameters.count);
  if (opcode == HLO_CONSTANT) return build_name_of(arena, 'c', builder->constant_count++);
  return build_name_of(arena, 'v', builder->value_count++);
}

static bool shape_is_right(Builder *builder, Instruction *instruction, const Shape *shape) {
  ModuleBuilder *module = builder->module;
  const Module unread = {};
  instruction->shape = shape;
  if (shape != nullptr)
    return hlo_verify_instruction(module->arena, &unread, instruction, &module->error);
  Check check = {.arena = module->arena, .instruction = instruction, .error = &module->error};
  return infer_shape(&check, &instruction->shape);
}

Instruction *hlo_build_end(Builder *builder, Instruction *instruction, const Shape *shape) {
  ModuleBuilder *module = builder->module;
  if (instruction == nullptr || builder_failed(module)) return nullptr;
  if (!shape_is_right(builder, instruction, shape)) return nullptr;
  assert(instruction->shape != nullptr);
  instruction->name = next_name(builder, instruction->opcode);
  instruction->id = builder->instructions.count;
  *ARENA_PUSH(module->arena, &builder->instructions) = instruction;
  if (instruction->opcode == HLO_PARAMETER)
    *ARENA_PUSH(module->arena, &builder->parameters) = instruction;
  return instruction;
}

void hlo_build_call(
    Builder *builder, Instruction *instruction, const char *role, Computation *called) {
  if (instruction == nullptr) return;
  Arena *arena = builder->module->arena;
  uint32_t count = instruction->called_count++;
  instruction->called =
      arena_grow(arena, instruction->called, count, count + 1, sizeof(Computation *));
  instruction->called_roles =
      arena_grow(arena, instruction->called_roles, count, count + 1, sizeof(char *));
  instruction->called[count] = called;
  instruction->called_roles[count] = role;
}

void hlo_build_attribute(
    Builder *builder, Instruction *instruction, const char *name, const char *text) {
  if (instruction == nullptr) return;
  uint32_t count = instruction->attribute_count++;
  instruction->attributes = arena_grow(builder->module->arena, instruction->attributes, count,
      count + 1, sizeof *instruction->attributes);
  instruction->attributes[count] = (Attribute){.name = name, .text = text};
}
