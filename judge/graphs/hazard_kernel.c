/* Copies instructions with new operands. A value that is neither the buffer, a constant, nor moved
 * memory becomes a parameter of the kernel, one parameter per value. Integers that may be offsets
 * are computed in the kernel. */
#include "judge/graphs/hazard_kernel.h"

typedef struct KernelCopy {
  const Instruction *from;
  Instruction *to;
  bool is_copied; /* false: the value became parameters, or is the buffer */
} KernelCopy;

typedef struct HazardKernel {
  Arena *arena;
  Computation *made;
  const BufferValues *values;
  uint32_t written;  /* values before it are parameter 0 */
  uint32_t integers; /* that are computed and were copied */
  bool is_free;      /* others became parameters */
  bool is_index;     /* what is copied now may be an index of a slice, an update or the like */
  struct {
    KernelCopy *items;
    uint32_t count, capacity;
  } copies;
} HazardKernel;

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

static Instruction *kernel_operation(
    HazardKernel *kernel, Opcode opcode, const Shape *shape, uint32_t count) {
  Instruction *made = kernel_add(kernel, &(Instruction){.name = opcode_name(opcode),
                                             .opcode = opcode,
                                             .shape = shape,
                                             .operand_count = count,
                                             .batch_group_count = 1,
                                             .channel_id = -1});
  made->operands = ARENA_NEW(kernel->arena, Instruction *, count + 1);
  return made;
}

/* The buffer as an array of the shape. */
static Instruction *kernel_buffer(HazardKernel *kernel, const Shape *shape) {
  Instruction *buffer = kernel->made->parameters[0];
  if (shape == buffer->shape) return buffer;
  Instruction *bitcast = kernel_operation(kernel, HLO_BITCAST, shape, 1);
  bitcast->operands[0] = buffer;
  return bitcast;
}

/* The leaves of a value from `leaf` on, in its shape: the buffer, or parameters. */
static Instruction *kernel_leaves(
    HazardKernel *kernel, const Instruction *from, const Shape *shape, uint32_t *leaf) {
  if (!shape_is_tuple(shape)) {
    BufferLeaf memory = buffer_leaf(from, (*leaf)++);
    return buffer_holds(kernel->values, kernel->written, memory)
               ? kernel_buffer(kernel, shape)
               : kernel_parameter(kernel, from->name, shape);
  }
  Instruction **parts = ARENA_NEW(kernel->arena, Instruction *, shape->element_count + 1);
  for (uint32_t i = 0; i < shape->element_count; i++)
    parts[i] = kernel_leaves(kernel, from, shape->elements[i], leaf);
  Instruction *tuple = kernel_operation(kernel, HLO_TUPLE, shape, shape->element_count);
  tuple->operands = parts;
  return tuple;
}

static Instruction *kernel_value(HazardKernel *kernel, const Instruction *instruction);

static bool is_integer(const Instruction *instruction) {
  const Shape *shape = instruction->shape;
  return shape_is_array(shape) && shape_elements(shape) == 1 &&
         element_type_is_integral(shape->type);
}

/* A called computation may use an integer as an index. */
static bool is_index_operand(const Instruction *instruction, uint32_t operand) {
  Opcode opcode = instruction->opcode;
  if (opcode == HLO_GATHER) return operand == 1;
  if (opcode == HLO_SCATTER) return operand == instruction->operand_count / 2;
  return (opcode == HLO_DYNAMIC_SLICE && operand >= 1) ||
         (opcode == HLO_DYNAMIC_UPDATE_SLICE && operand >= 2) ||
         (instruction->called_count > 0 && is_integer(instruction->operands[operand]));
}

static Instruction *kernel_copy(HazardKernel *kernel, const Instruction *instruction) {
  Instruction **operands = ARENA_NEW(kernel->arena, Instruction *, instruction->operand_count + 1);
  bool was_index = kernel->is_index;
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    kernel->is_index = was_index || is_index_operand(instruction, i);
    operands[i] = kernel_value(kernel, instruction->operands[i]);
  }
  kernel->is_index = was_index;
  Instruction *copy = kernel_add(kernel, instruction);
  copy->operands = operands;
  return copy;
}

/* An integer that may be an offset. */
static bool is_computed_integer(const Instruction *instruction) {
  return is_integer(instruction) && instruction->opcode != HLO_PARAMETER;
}

/* The instruction that computes an integer which comes out of a tuple; nullptr if it is none. */
static const Instruction *out_of_tuple(const Instruction *instruction) {
  if (instruction->opcode != HLO_GET_TUPLE_ELEMENT || !is_integer(instruction)) return nullptr;
  BufferLeaf made = buffer_leaf(instruction, 0);
  bool is_whole = made.leaf == 0 && !shape_is_tuple(made.instruction->shape);
  return is_whole && made.instruction != instruction ? made.instruction : nullptr;
}

/* Marks the kernel if indices became parameters that the computation around it computes. */
static void mark_free(HazardKernel *kernel, const Instruction *indices, bool is_copied) {
  const Shape *shape = indices->shape;
  if (!kernel->is_index || is_copied || !shape_is_array(shape) ||
      !element_type_is_integral(shape->type))
    return;
  kernel->is_free |= buffer_leaf(indices, 0).instruction->opcode != HLO_PARAMETER;
}

/* Whether all operands are integers, and none of them was read from the buffer before the write. */
static bool is_of_integers(const HazardKernel *kernel, const Instruction *instruction) {
  OpcodeFamily family = opcode_family(instruction->opcode);
  bool is_followed = family == FAMILY_ELEMENTWISE || instruction->opcode == HLO_COPY ||
                     instruction->opcode == HLO_RESHAPE;
  for (uint32_t i = 0; is_followed && i < instruction->operand_count; i++)
    is_followed =
        is_integer(instruction->operands[i]) &&
        !buffer_holds(kernel->values, kernel->written, buffer_leaf(instruction->operands[i], 0));
  return is_followed && instruction->called_count == 0;
}

/* Whether the computed integer is copied with what it is computed from. */
static bool copies_integer(HazardKernel *kernel, const Instruction *instruction) {
  static constexpr uint32_t most_integers = 100;
  bool is_copied = kernel->integers < most_integers && is_of_integers(kernel, instruction);
  kernel->integers += is_copied;
  return is_copied;
}

static Instruction *kernel_value(HazardKernel *kernel, const Instruction *instruction) {
  for (uint32_t i = 0; i < kernel->copies.count; i++)
    if (kernel->copies.items[i].from == instruction) {
      mark_free(kernel, instruction, kernel->copies.items[i].is_copied);
      return kernel->copies.items[i].to;
    }
  bool is_copied = instruction->opcode == HLO_CONSTANT || instruction->opcode == HLO_BITCAST ||
                   (instruction->opcode == HLO_RESHAPE && buffer_is_moved(instruction)) ||
                   instruction->opcode == HLO_TUPLE ||
                   (is_computed_integer(instruction) && copies_integer(kernel, instruction));
  const Instruction *inner = out_of_tuple(instruction);
  if (inner != nullptr) return kernel_value(kernel, inner);
  mark_free(kernel, instruction, is_copied);
  uint32_t leaf = 0;
  Instruction *to = is_copied ? kernel_copy(kernel, instruction)
                              : kernel_leaves(kernel, instruction, instruction->shape, &leaf);
  *ARENA_PUSH(kernel->arena, &kernel->copies) = (KernelCopy){instruction, to, is_copied};
  return to;
}

/* The array at a leaf of the value. */
static Instruction *kernel_leaf(HazardKernel *kernel, Instruction *value, uint32_t leaf) {
  while (shape_is_tuple(value->shape)) {
    const Shape *shape = value->shape;
    uint32_t element = 0;
    while (leaf >= shape_leaf_offset(shape, element) + shape_leaf_count(shape->elements[element]))
      element++;
    leaf -= shape_leaf_offset(shape, element);
    Instruction *part =
        kernel_operation(kernel, HLO_GET_TUPLE_ELEMENT, shape->elements[element], 1);
    part->number = element;
    part->operands[0] = value;
    value = part;
  }
  return value;
}

/* The number of instructions that a value of this shape can need: a parameter or a bitcast for
 * each leaf, and tuples. */
static uint32_t shape_parts(const Shape *shape) {
  uint32_t parts = 1;
  for (uint32_t i = 0; shape_is_tuple(shape) && i < shape->element_count; i++)
    parts += shape_parts(shape->elements[i]);
  return parts;
}

/* Allocates room for every earlier instruction, copied or as parameters. */
static Computation *kernel_begin(Arena *arena, const Computation *from) {
  Computation *made = ARENA_NEW(arena, Computation, 1);
  uint32_t most = 4;
  for (uint32_t i = 0; i < from->instruction_count; i++)
    most += 2 * shape_parts(from->instructions[i]->shape);
  *made = (Computation){.name = "update_and_reader", .is_entry = true};
  made->instructions = ARENA_NEW(arena, Instruction *, most);
  made->parameters = ARENA_NEW(arena, Instruction *, most);
  return made;
}

Computation *hazard_kernel_alone(Arena *arena, const Instruction *instruction) {
  HazardKernel kernel = {.arena = arena, .made = kernel_begin(arena, instruction->parent)};
  Instruction **operands = ARENA_NEW(arena, Instruction *, instruction->operand_count + 1);
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    const Instruction *operand = instruction->operands[i];
    operands[i] = kernel_parameter(&kernel, operand->name, operand->shape);
  }
  kernel.made->root = kernel_add(&kernel, instruction);
  kernel.made->root->operands = operands;
  return kernel.made;
}

Computation *hazard_kernel(Arena *arena, const BufferValues *values, uint32_t written,
    const Instruction *reader, bool *is_free) {
  BufferLeaf made = values->items[written].made, before = values->items[0].made;
  HazardKernel kernel = {.arena = arena,
      .made = kernel_begin(arena, reader->parent),
      .values = values,
      .written = written};
  (void)kernel_parameter(&kernel, "buffer", shape_leaf(before.instruction->shape, before.leaf));
  Instruction *writer = kernel_copy(&kernel, made.instruction);
  writer = kernel_leaf(&kernel, writer, made.leaf);
  Instruction *after = kernel_copy(&kernel, reader);
  const Shape *shapes[] = {writer->shape, after->shape};
  Instruction *root = kernel_operation(&kernel, HLO_TUPLE, shape_tuple(arena, 2, shapes), 2);
  root->operands[0] = writer;
  root->operands[1] = after;
  kernel.made->root = root;
  *is_free = kernel.is_free;
  return kernel.made;
}
