/* Collects updates in place, and what a loop, a callee or an alias stores in the buffer. */
#include "judge/hazards/buffer_values.h"

#include <string.h>

#include "judge/hazards/buffer_update.h"

static uint64_t hash_leaf(BufferLeaf leaf) { return hash_mix(leaf.instruction->id, leaf.leaf); }

static BufferHeld *find_held(const BufferValues *values, BufferLeaf leaf) {
  uint32_t item;
  for (TableProbe probe = table_probe(&values->table, hash_leaf(leaf));
      table_next(&values->table, &probe, &item);)
    if (buffer_is_same(values->held.items[item].leaf, leaf)) return &values->held.items[item];
  return nullptr;
}

bool buffer_holds(const BufferValues *values, uint32_t count, BufferLeaf leaf) {
  const BufferHeld *held = find_held(values, leaf);
  return held != nullptr && held->at < count;
}

/* Whether the operation makes a new array and writes each of its elements. */
static bool writes_new_array(const Instruction *instruction) {
  switch (opcode_family(instruction->opcode)) {
    case FAMILY_ELEMENTWISE:
    case FAMILY_SHAPE:
    case FAMILY_REDUCE:
    case FAMILY_CONTRACT:
    case FAMILY_ORDER: return true;
    case FAMILY_CALL: return instruction->opcode == HLO_FUSION;
    case FAMILY_DYNAMIC:
      return instruction->opcode == HLO_DYNAMIC_SLICE || instruction->opcode == HLO_GATHER;
    case FAMILY_SOURCE:
    case FAMILY_STRUCTURE:
    case FAMILY_COLLECTIVE:
    case FAMILY_OPAQUE: return false;
  }
  return false;
}

bool buffer_same_order(const Shape *a, const Shape *b) {
  const char *of_a = a->layout_rest == nullptr ? "" : a->layout_rest,
             *of_b = b->layout_rest == nullptr ? "" : b->layout_rest;
  bool is_same = strcmp(of_a, of_b) == 0 && a->rank == b->rank;
  for (uint32_t i = 0; is_same && i < a->rank; i++) {
    uint32_t major = a->rank - 1 - i;
    is_same = (a->has_layout ? a->minor_to_major[i] : major) ==
              (b->has_layout ? b->minor_to_major[i] : major);
  }
  return is_same;
}

/* A copy of the buffer into itself changes nothing, unless it changes the layout. */
static bool copies_itself(const Buffers *buffers, BufferLeaf made, BufferLeaf parameter) {
  const Instruction *copy = made.instruction;
  if (copy->opcode != HLO_COPY) return false;
  BufferLeaf from = buffer_oldest(buffers, buffer_leaf(copy->operands[0], made.leaf));
  return buffer_same_order(copy->shape, copy->operands[0]->shape) &&
         buffer_is_same(from, parameter);
}

/* A write into memory that its instruction does not return. */
static bool is_effect(BufferLeaf made) {
  return made.leaf >= shape_leaf_count(made.instruction->shape);
}

/* Appends the value. Until all are found, its place is only known to be one of them. */
static void values_append(const Buffers *buffers, BufferValues *values, BufferValue value) {
  table_add(&values->table, buffers->arena, hash_leaf(value.made), values->held.count);
  *ARENA_PUSH(buffers->arena, &values->held) = (BufferHeld){.leaf = value.made};
  *ARENA_PUSH(buffers->arena, values) = value;
}

/* Inserts in the order of the instructions. An instruction returns memory after it wrote. */
static void values_add(const Buffers *buffers, BufferValues *values, BufferValue value) {
  const Instruction *instruction = value.made.instruction;
  if (find_held(values, value.made) != nullptr) return;
  values_append(buffers, values, value);
  for (uint32_t i = values->count - 1;
      i > 1 && values->items[i - 1].made.instruction->id >=
                   instruction->id + (is_effect(value.made) ? 0 : 1);
      i--) {
    values->items[i] = values->items[i - 1];
    values->items[i - 1] = value;
  }
}

static BufferValue value_of_update(const Buffers *buffers, BufferLeaf made) {
  return (BufferValue){.made = made,
      .is_written = buffer_is_changed(buffers, made),
      .is_unfollowed = buffer_is_unfollowed(buffers, made)};
}

/* A constant is never made in a buffer of another value. */
static BufferValue value_of_first(const Buffers *buffers, BufferLeaf made, BufferLeaf parameter) {
  bool is_new = writes_new_array(made.instruction),
       is_made =
           made.instruction->opcode != HLO_PARAMETER && made.instruction->opcode != HLO_CONSTANT;
  return (BufferValue){.made = made,
      .is_written = is_made && !copies_itself(buffers, made, parameter),
      .is_unfollowed = is_made && !is_new};
}

/* From the last value back to the parameter or to the array that was new. A chain that ends at
 * another parameter holds values of two buffers, and nothing is added. */
static void add_chain(const Buffers *buffers, BufferValues *values, BufferLeaf last) {
  BufferLeaf first = last, parameter = values->items[0].made;
  while (!buffer_is_same(first, parameter) && buffer_updated(buffers, first, &first)) {}
  if (!buffer_is_same(first, parameter) && first.instruction->opcode == HLO_PARAMETER) return;
  for (BufferLeaf at = last; !buffer_is_same(at, first); (void)buffer_updated(buffers, at, &at))
    values_add(buffers, values, value_of_update(buffers, at));
  values_add(buffers, values, value_of_first(buffers, first, parameter));
}

static bool has_operand(const Instruction *instruction, const BufferValues *values) {
  instruction = buffer_begin(instruction);
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(instruction->operands[i]->shape); k++)
      if (find_held(values, buffer_leaf(instruction->operands[i], k)) != nullptr) return true;
  return false;
}

/* Writes into the buffer that the instruction does not return. */
static void add_effects(
    const Buffers *buffers, const Instruction *instruction, BufferValues *values) {
  BufferLeaves effects = buffer_effects(buffers, instruction);
  uint32_t leaves = shape_leaf_count(instruction->shape);
  for (uint32_t i = 0; i < effects.count; i++)
    if (find_held(values, effects.items[i]) != nullptr)
      values_add(buffers, values,
          (BufferValue){
              .made = {instruction, leaves + i}, .is_written = true, .is_unfollowed = true});
}

/* Updates in place of values of the buffer, whether or not they lead to the last one. */
static void add_updates(const Buffers *buffers, BufferValues *values) {
  const Computation *computation = values->items[0].made.instruction->parent;
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    if (!buffer_may_update(instruction)) continue;
    if (buffer_caller(instruction) == nullptr && !has_operand(instruction, values)) continue;
    add_effects(buffers, instruction, values);
    for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->shape); leaf++) {
      BufferLeaf made = {instruction, leaf}, before;
      if (buffer_updated(buffers, made, &before) && find_held(values, before) != nullptr)
        values_add(buffers, values, value_of_update(buffers, made));
    }
  }
}

BufferValues buffer_values(const Buffers *buffers, BufferLeaf parameter, BufferLeaf last) {
  BufferValues values = {};
  values_append(buffers, &values, (BufferValue){.made = parameter});
  add_chain(buffers, &values, last);
  add_updates(buffers, &values);
  for (uint32_t i = 0; i < values.count; i++) find_held(&values, values.items[i].made)->at = i;
  return values;
}
