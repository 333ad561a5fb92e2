/* Copies instructions with new operands. A value that is neither the buffer, a constant, nor moved
 * memory becomes a parameter of the kernel, one parameter per value. */
#include "judge/graphs/hazard_kernel.h"

typedef struct KernelCopy {
  const Instruction *from;
  Instruction *to;
} KernelCopy;

typedef struct HazardKernel {
  Arena *arena;
  Computation *made;
  uint32_t parameter, leaf;
  struct {
    KernelCopy *items;
    uint32_t count, capacity;
  } copies;
} HazardKernel;

static bool keeps_memory(Opcode opcode) {
  return opcode == HLO_BITCAST || opcode == HLO_RESHAPE || opcode == HLO_GET_TUPLE_ELEMENT ||
         opcode == HLO_TUPLE;
}

bool hazard_parameter_of(const Instruction *instruction, uint32_t *leaf, uint32_t *parameter) {
  while (instruction->opcode != HLO_PARAMETER) {
    if (!keeps_memory(instruction->opcode)) return false;
    uint32_t operand = 0;
    if (instruction->opcode == HLO_GET_TUPLE_ELEMENT)
      *leaf += shape_leaf_offset(instruction->operands[0]->shape, (uint32_t)instruction->number);
    for (; instruction->opcode == HLO_TUPLE && operand < instruction->operand_count; operand++) {
      uint32_t leaves = shape_leaf_count(instruction->operands[operand]->shape);
      if (*leaf < leaves) break;
      *leaf -= leaves;
    }
    if (operand >= instruction->operand_count) return false;
    instruction = instruction->operands[operand];
  }
  *parameter = (uint32_t)instruction->number;
  return true;
}

static Instruction *kernel_add(HazardKernel *kernel, const Instruction *like) {
  Computation *made = kernel->made;
  Instruction *instruction = ARENA_NEW(kernel->arena, Instruction, 1);
  *instruction = *like;
  instruction->is_root = false;
  instruction->parent = made;
  instruction->id = made->instruction_count;
  made->instructions[made->instruction_count++] = instruction;
  return instruction;
}

static Instruction *kernel_parameter(HazardKernel *kernel, const char *name, const Shape *shape) {
  Computation *made = kernel->made;
  Instruction *parameter = kernel_add(kernel, &(Instruction){.name = name,
                                                  .opcode = HLO_PARAMETER,
                                                  .shape = shape,
                                                  .number = made->parameter_count,
                                                  .batch_group_count = 1,
                                                  .channel_id = -1});
  made->parameters[made->parameter_count++] = parameter;
  return parameter;
}

static bool is_buffer(const HazardKernel *kernel, const Instruction *instruction) {
  uint32_t leaf = 0, parameter = 0;
  bool is_whole =
      instruction->opcode == HLO_PARAMETER || instruction->opcode == HLO_GET_TUPLE_ELEMENT;
  return is_whole && shape_is_array(instruction->shape) &&
         hazard_parameter_of(instruction, &leaf, &parameter) && parameter == kernel->parameter &&
         leaf == kernel->leaf;
}

static Instruction *kernel_value(HazardKernel *kernel, const Instruction *instruction);

static Instruction *kernel_copy(HazardKernel *kernel, const Instruction *instruction) {
  Instruction **operands = ARENA_NEW(kernel->arena, Instruction *, instruction->operand_count + 1);
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    operands[i] = kernel_value(kernel, instruction->operands[i]);
  Instruction *copy = kernel_add(kernel, instruction);
  copy->operands = operands;
  return copy;
}

static Instruction *kernel_value(HazardKernel *kernel, const Instruction *instruction) {
  if (is_buffer(kernel, instruction)) return kernel->made->parameters[0];
  for (uint32_t i = 0; i < kernel->copies.count; i++)
    if (kernel->copies.items[i].from == instruction) return kernel->copies.items[i].to;
  bool is_copied = instruction->opcode == HLO_CONSTANT || instruction->opcode == HLO_BITCAST ||
                   instruction->opcode == HLO_RESHAPE || instruction->opcode == HLO_TUPLE;
  Instruction *to = is_copied ? kernel_copy(kernel, instruction)
                              : kernel_parameter(kernel, instruction->name, instruction->shape);
  *ARENA_PUSH(kernel->arena, &kernel->copies) = (KernelCopy){instruction, to};
  return to;
}

/* Allocates room for every earlier instruction, copied or as a parameter. */
static Computation *kernel_begin(Arena *arena, const Computation *from) {
  Computation *made = ARENA_NEW(arena, Computation, 1);
  *made = (Computation){.name = "update_and_reader", .is_entry = true};
  made->instructions = ARENA_NEW(arena, Instruction *, from->instruction_count + 4);
  made->parameters = ARENA_NEW(arena, Instruction *, from->instruction_count + 2);
  return made;
}

Computation *hazard_kernel(Arena *arena, const Instruction *update, const Instruction *reader,
    uint32_t parameter, uint32_t leaf) {
  const Computation *from = update->parent;
  HazardKernel kernel = {
      .arena = arena, .made = kernel_begin(arena, from), .parameter = parameter, .leaf = leaf};
  (void)kernel_parameter(&kernel, "buffer", shape_leaf(from->parameters[parameter]->shape, leaf));
  Instruction **operands = ARENA_NEW(arena, Instruction *, 2);
  operands[0] = kernel_copy(&kernel, update);
  operands[1] = kernel_copy(&kernel, reader);
  Instruction *root = kernel_add(
      &kernel, &(Instruction){.name = "both",
                   .opcode = HLO_TUPLE,
                   .shape = shape_tuple(arena, 2, (const Shape *[]){update->shape, reader->shape}),
                   .batch_group_count = 1,
                   .channel_id = -1});
  root->operands = operands;
  root->operand_count = 2;
  kernel.made->root = root;
  return kernel.made;
}
