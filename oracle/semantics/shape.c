/* Operations that move elements by a fixed rule: each output element is one element of one operand.
 *   broadcast        out[i0, i1, ..] = in[i(dimensions[0]), i(dimensions[1]), ..]
 *   transpose        out[i] = in[j] with j(dimensions[k]) = i(k)
 *   reverse          out[i] = in[j] with j(k) = n(k) - 1 - i(k) where k is named, i(k) elsewhere
 *   slice            out[i] = in[start + i * stride]
 *   reshape          the elements in row-major order
 *   concatenate      the operand into whose part i falls
 *   pad              in[(i - low) / (interior + 1)] where that is an element, otherwise the padding
 *                    value
 *   bitcast          the element at the same bits of memory, by both layouts
 *   bitcast-convert  the bits of one element */
#include "oracle/semantics/reading.h"
#include "oracle/semantics/tiles.h"

bool read_broadcast(Reading *reading) {
  const Ints *dimensions = &reading->node->instruction->dimensions;
  int64_t in[oracle_max_rank] = {};
  for (uint32_t i = 0; i < read_operand(reading, 0)->rank; i++)
    in[i] = reading->at[dimensions->values[i]];
  read_index(reading, 0, in);
  return true;
}

bool read_transpose(Reading *reading) {
  const Ints *dimensions = &reading->node->instruction->dimensions;
  int64_t in[oracle_max_rank] = {};
  for (uint32_t i = 0; i < dimensions->count; i++) in[dimensions->values[i]] = reading->at[i];
  assert(dimensions->count == read_operand(reading, 0)->rank);
  read_index(reading, 0, in);
  return true;
}

bool read_reverse(Reading *reading) {
  const Ints *dimensions = &reading->node->instruction->dimensions;
  const Leaf *leaf = read_operand(reading, 0);
  int64_t in[oracle_max_rank] = {};
  for (uint32_t i = 0; i < leaf->rank; i++) in[i] = reading->at[i];
  for (uint32_t i = 0; i < dimensions->count; i++) {
    int64_t k = dimensions->values[i];
    assert(k >= 0 && k < leaf->rank);
    in[k] = leaf->sizes[k] - 1 - reading->at[k];
  }
  read_index(reading, 0, in);
  return true;
}

bool read_slice(Reading *reading) {
  const Instruction *slice = reading->node->instruction;
  int64_t in[oracle_max_rank] = {};
  for (uint32_t i = 0; i < read_operand(reading, 0)->rank; i++) {
    int64_t stride = slice->strides.count > i ? slice->strides.values[i] : 1;
    in[i] = slice->starts.values[i] + reading->at[i] * stride;
  }
  read_index(reading, 0, in);
  return true;
}

bool read_reshape(Reading *reading) {
  assert(read_operand(reading, 0)->elements == reading->node->leaves[0].elements);
  read_element(reading, 0, reading->element);
  return true;
}

bool read_concatenate(Reading *reading) {
  const Instruction *concatenate = reading->node->instruction;
  int64_t along = concatenate->dimensions.values[0];
  int64_t in[oracle_max_rank] = {};
  for (uint32_t i = 0; i < reading->node->leaves[0].rank; i++) in[i] = reading->at[i];
  for (uint32_t operand = 0; operand < concatenate->operand_count; operand++) {
    int64_t size = read_operand(reading, operand)->sizes[along];
    if (in[along] < size) {
      if (read_wants(reading, operand)) read_index(reading, operand, in);
      return true;
    }
    in[along] -= size;
  }
  assert(false && "an output element outside of every operand");
  return true;
}

bool read_pad(Reading *reading) {
  const PadDim *padding = reading->node->instruction->padding;
  const Leaf *leaf = read_operand(reading, 0);
  int64_t in[oracle_max_rank] = {};
  bool is_padding = false;
  for (uint32_t i = 0; i < leaf->rank; i++) {
    Wide from_edge = (Wide)reading->at[i] - padding[i].low, step = (Wide)padding[i].interior + 1;
    Wide position = 0;
    is_padding = is_padding || from_edge < 0 || !wide_divides(step, from_edge, &position) ||
                 position >= leaf->sizes[i];
    in[i] = is_padding ? 0 : (int64_t)position;
  }
  if (is_padding && read_wants(reading, 1)) read_element(reading, 1, 0);
  if (!is_padding && read_wants(reading, 0)) read_index(reading, 0, in);
  return true;
}

/* Computes the memory positions of the elements of a bitcast's output or operand, once per node. */
static bool memory_known(Reading *reading, const Leaf *leaf, Memory *memory) {
  const char *name = reading->node->instruction->name;
  if (memory->elements != nullptr) return true;
  switch (memory_of(reading->arena, leaf->shape, memory)) {
    case MEMORY_KNOWN: return true;
    case MEMORY_NOT_FOLLOWED:
      return reject(reading->rejection, REASON_UNSUPPORTED,
          "bitcast '%s' has a layout that is not followed", name);
    case MEMORY_TOO_LARGE:
      return reject(reading->rejection, REASON_TOO_LARGE,
          "bitcast '%s' occupies more than %lld positions in memory", name,
          (long long)memory_max_positions);
  }
  return false;
}

/* Checks that both sides occupy the same bits. */
static bool memories_agree(Reading *reading, const Memory *out, const Memory *in) {
  const Node *node = reading->node;
  const char *name = node->instruction->name;
  Wide out_bits = out->bits, in_bits = in->bits;
  if (out_bits * node->leaves[reading->leaf].elements !=
      in_bits * node->operands[0]->leaves[reading->leaf].elements)
    return reject(
        reading->rejection, REASON_UNSUPPORTED, "bitcast '%s' changes the number of bits", name);
  if (out_bits * out->positions != in_bits * in->positions)
    return reject(
        reading->rejection, REASON_UNSUPPORTED, "bitcast '%s' changes the amount of memory", name);
  if (out->bits % in->bits != 0 && in->bits % out->bits != 0)
    return reject(reading->rejection, REASON_UNSUPPORTED,
        "bitcast '%s' has widths of which neither divides the other", name);
  return true;
}

/* Reads all operand elements that share a bit with the output element, in the leaf with the same
 * number. Output elements, or parts of them, at the operand's padding read nothing. */
bool read_bitcast(Reading *reading) {
  const Node *node = reading->node;
  const char *name = node->instruction->name;
  if (reading->leaf >= node->operands[0]->leaf_count)
    return reject(
        reading->rejection, REASON_UNSUPPORTED, "bitcast '%s' changes the number of arrays", name);
  const Leaf *leaf = &node->leaves[reading->leaf],
             operand = flow_stated_operand(node, 0, reading->leaf);
  Memory *out = &node->memories[2 * (size_t)reading->leaf], *in = out + 1;
  if (!shape_is_array(leaf->shape) || !shape_is_array(operand.shape) || operand.elements == 0)
    return reject(
        reading->rejection, REASON_UNSUPPORTED, "bitcast '%s' changes the number of bits", name);
  if (!memory_known(reading, leaf, out) || !memory_known(reading, &operand, in) ||
      !memories_agree(reading, out, in))
    return false;
  int64_t first = out->position_of[reading->element] * out->bits,
          step = out->bits < in->bits ? out->bits : in->bits;
  for (int64_t bit = first; bit < first + out->bits; bit += step) {
    uint32_t element = in->elements[bit / in->bits];
    if (element != memory_padding) read_leaf_element(reading, 0, reading->leaf, element);
  }
  return true;
}

/* Equal widths keep the index. Towards a wider type, the operand's last dimension forms one output
 * element; towards a narrower type, the output's last dimension lies within one operand element. */
bool read_bitcast_convert(Reading *reading) {
  const Leaf *out = &reading->node->leaves[0], *in = read_operand(reading, 0);
  if (out->rank == in->rank) {
    read_element(reading, 0, reading->element);
    return true;
  }
  assert(out->rank + 1 == in->rank || out->rank == in->rank + 1);
  if (out->rank > in->rank) {
    read_element(reading, 0, reading->element / out->sizes[out->rank - 1]);
    return true;
  }
  int64_t parts = in->sizes[in->rank - 1];
  for (int64_t i = 0; i < parts; i++) read_element(reading, 0, reading->element * parts + i);
  return true;
}
