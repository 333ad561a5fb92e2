/* Copies instructions with new operands. A value that is neither the buffer, a constant, nor moved
 * memory becomes a parameter of the kernel, one parameter per value. Integers that may be offsets
 * are computed in the kernel. */
#include "judge/hazards/hazard_kernel.h"

typedef struct KernelCopy {
  const Instruction *from;
  Instruction *to;
} KernelCopy;

/* The parameters of the module that a kernel takes. */
typedef struct KernelInputs {
  Table table; /* to indices */
  uint32_t count, capacity;
  BufferLeaf *items;
} KernelInputs;

/* Whether the value may be any one, whatever those before it are: it is a parameter of the module,
 * for the first time. */
static bool takes_any_value(Arena *arena, KernelInputs *inputs, BufferLeaf from) {
  if (from.instruction->opcode != HLO_PARAMETER || !from.instruction->parent->is_entry)
    return false;
  uint64_t hash = hash_mix(from.instruction->id, from.leaf);
  uint32_t item;
  for (TableProbe probe = table_probe(&inputs->table, hash);
      table_next(&inputs->table, &probe, &item);)
    if (buffer_is_same(inputs->items[item], from)) return false;
  table_add(&inputs->table, arena, hash, inputs->count);
  *ARENA_PUSH(arena, inputs) = from;
  return true;
}

typedef struct HazardKernel {
  Arena *arena;
  Computation *made;
  const BufferValues *values;
  uint32_t written;  /* values before it are parameter 0 */
  uint32_t integers; /* that are computed and were copied */
  bool *is_computed; /* [parameter] */
  KernelInputs inputs;
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

static Instruction *kernel_parameter(
    HazardKernel *kernel, const char *name, const Shape *shape, bool is_computed) {
  Computation *made = kernel->made;
  kernel->is_computed[made->parameter_count] = is_computed;
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
               : kernel_parameter(kernel, from->name, shape,
                     !takes_any_value(kernel->arena, &kernel->inputs, memory));
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

static Instruction *kernel_copy(HazardKernel *kernel, const Instruction *instruction) {
  Instruction **operands = ARENA_NEW(kernel->arena, Instruction *, instruction->operand_count + 1);
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    operands[i] = kernel_value(kernel, instruction->operands[i]);
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
    if (kernel->copies.items[i].from == instruction) return kernel->copies.items[i].to;
  bool is_copied = instruction->opcode == HLO_CONSTANT || instruction->opcode == HLO_BITCAST ||
                   (instruction->opcode == HLO_RESHAPE && buffer_is_moved(instruction)) ||
                   instruction->opcode == HLO_TUPLE ||
                   (is_computed_integer(instruction) && copies_integer(kernel, instruction));
  const Instruction *inner = out_of_tuple(instruction);
  if (inner != nullptr) return kernel_value(kernel, inner);
  uint32_t leaf = 0;
  Instruction *to = is_copied ? kernel_copy(kernel, instruction)
                              : kernel_leaves(kernel, instruction, instruction->shape, &leaf);
  *ARENA_PUSH(kernel->arena, &kernel->copies) = (KernelCopy){instruction, to};
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

/* Allocates room for every earlier instruction, copied or as parameters, and for further ones. */
static void kernel_begin(HazardKernel *kernel, const Computation *from, uint32_t further) {
  Computation *made = ARENA_NEW(kernel->arena, Computation, 1);
  uint32_t most = 4 + further;
  for (uint32_t i = 0; i < from->instruction_count; i++)
    most += 2 * shape_parts(from->instructions[i]->shape);
  *made = (Computation){.name = "update_and_reader", .is_entry = true};
  made->instructions = ARENA_NEW(kernel->arena, Instruction *, most);
  made->parameters = ARENA_NEW(kernel->arena, Instruction *, most);
  kernel->is_computed = ARENA_NEW(kernel->arena, bool, most);
  kernel->made = made;
}

const bool *hazard_computed(Arena *arena, const Instruction *instruction) {
  bool *is_computed = ARENA_NEW(arena, bool, instruction->operand_count + 1);
  KernelInputs inputs = {};
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(instruction->operands[i]->shape); k++)
      is_computed[i] |= !takes_any_value(arena, &inputs, buffer_leaf(instruction->operands[i], k));
  return is_computed;
}

Computation *hazard_kernel_alone(Arena *arena, const Instruction *instruction) {
  HazardKernel kernel = {.arena = arena};
  kernel_begin(&kernel, instruction->parent, instruction->operand_count);
  Instruction **operands = ARENA_NEW(arena, Instruction *, instruction->operand_count + 1);
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    const Instruction *operand = instruction->operands[i];
    operands[i] = kernel_parameter(&kernel, operand->name, operand->shape, true);
  }
  kernel.made->root = kernel_add(&kernel, instruction);
  kernel.made->root->operands = operands;
  return kernel.made;
}

Computation *hazard_kernel(Arena *arena, const BufferValues *values, uint32_t written,
    const Instruction *reader, const bool **is_computed) {
  BufferLeaf made = values->items[written].made, before = values->items[0].made;
  HazardKernel kernel = {.arena = arena, .values = values, .written = written};
  kernel_begin(&kernel, reader->parent, 0);
  (void)kernel_parameter(&kernel, "buffer", shape_leaf(before.instruction->shape, before.leaf),
      !takes_any_value(arena, &kernel.inputs, before));
  Instruction *writer = kernel_copy(&kernel, made.instruction);
  writer = kernel_leaf(&kernel, writer, made.leaf);
  Instruction *after = kernel_copy(&kernel, reader);
  const Shape *shapes[] = {writer->shape, after->shape};
  Instruction *root = kernel_operation(&kernel, HLO_TUPLE, shape_tuple(arena, 2, shapes), 2);
  root->operands[0] = writer;
  root->operands[1] = after;
  kernel.made->root = root;
  *is_computed = kernel.is_computed;
  return kernel.made;
}
