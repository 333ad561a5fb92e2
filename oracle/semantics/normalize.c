/* Batch normalization, and the size of a dimension. f is the index along feature_index, and "line
 * f" are all elements with that index:
 *   batch-norm-training   of (x, scale, offset): output i reads line f of x (mean and variance are
 *                         taken over it), scale[f] and offset[f]; mean f and variance f read line f
 *                         of x
 *   batch-norm-inference  of (x, scale, offset, mean, variance): element i of x, and element f of
 *                         each of the others
 *   batch-norm-grad       of (x, scale, mean, variance, gradient): for x: line f of x and of the
 *                         gradient, element f of the others; for the scale: the same without the
 *                         scale; for the offset: line f of the gradient alone, whose sum it is
 *   get-dimension-size    reads no element: the size is a property of the shape, also if it is
 *                         dynamic */
#include <stdlib.h>

#include "oracle/semantics/product.h"

typedef enum NormalizedPart : uint8_t {
  PART_NONE,
  PART_ELEMENT,
  PART_LINE,
  PART_FEATURE
} NormalizedPart;

static constexpr uint32_t most_normal_outputs = 3, most_operands = 5;

/* By output and operand, the part that is read. */
static const NormalizedPart training[most_normal_outputs][most_operands] = {
    {PART_LINE, PART_FEATURE, PART_FEATURE}, {PART_LINE, PART_NONE, PART_NONE},
    {PART_LINE, PART_NONE, PART_NONE}};
static const NormalizedPart inference[most_normal_outputs][most_operands] = {
    {PART_ELEMENT, PART_FEATURE, PART_FEATURE, PART_FEATURE, PART_FEATURE}};
static const NormalizedPart gradient[most_normal_outputs][most_operands] = {
    {PART_LINE, PART_FEATURE, PART_FEATURE, PART_FEATURE, PART_LINE},
    {PART_LINE, PART_NONE, PART_FEATURE, PART_FEATURE, PART_LINE},
    {PART_NONE, PART_NONE, PART_NONE, PART_NONE, PART_LINE}};

/* feature_index names a dimension of the first operand; vectors have one element per feature. */
static bool feature_dimension(const Reading *reading, uint32_t *dimension) {
  const Instruction *instruction = reading->node->instruction;
  const Attribute *attribute = instruction_attribute(instruction, "feature_index");
  const Leaf *x = read_operand(reading, 0);
  if (attribute == nullptr) return false;
  char *end;
  long long index = strtoll(attribute->text, &end, 10);
  if (end == attribute->text || *end != '\0' || index < 0 || index >= x->rank) return false;
  *dimension = (uint32_t)index;
  assert(*dimension < oracle_max_rank);
  for (uint32_t i = 1; i < instruction->operand_count; i++) {
    const Leaf *operand = read_operand(reading, i);
    bool is_vector = operand->rank == 1 && operand->sizes[0] == x->sizes[index];
    if (!is_vector && !(i == 4 && shape_same_sizes(operand->shape, x->shape))) return false;
  }
  return true;
}

static void read_line(Reading *reading, uint32_t operand, uint32_t dimension, int64_t feature) {
  Product product;
  product_begin(reading, operand, &product);
  for (uint32_t i = 0; i < product.leaf->rank; i++) {
    if (i == dimension) product_add(&product, i, feature);
    else product_add_all(&product, i);
  }
  product_read(reading, &product);
}

static bool read_normalization(
    Reading *reading, const NormalizedPart parts[most_normal_outputs][most_operands], uint32_t outputs) {
  const Instruction *instruction = reading->node->instruction;
  uint32_t dimension;
  if (instruction->operand_count > most_operands || reading->node->leaf_count != outputs ||
      !feature_dimension(reading, &dimension))
    return reject(reading->rejection, REASON_UNSUPPORTED,
        "'%s' does not say which dimension has its features", instruction->name);
  const Leaf *out = &reading->node->leaves[reading->leaf];
  if (out->rank != (reading->leaf == 0 ? read_operand(reading, 0)->rank : 1))
    return read_unsupported(reading);
  int64_t feature = reading->at[reading->leaf == 0 ? dimension : 0];
  assert(feature >= 0 && feature < read_operand(reading, 0)->sizes[dimension]);
  for (uint32_t operand = 0; operand < instruction->operand_count; operand++) {
    if (!read_wants(reading, operand)) continue;
    switch (parts[reading->leaf][operand]) {
      case PART_NONE: break;
      case PART_ELEMENT: read_element(reading, operand, reading->element); break;
      case PART_LINE: read_line(reading, operand, dimension, feature); break;
      case PART_FEATURE: read_element(reading, operand, feature); break;
    }
  }
  return true;
}

bool read_batch_norm_training(Reading *reading) { return read_normalization(reading, training, 3); }
bool read_batch_norm_inference(Reading *reading) {
  return read_normalization(reading, inference, 1);
}
bool read_batch_norm_grad(Reading *reading) { return read_normalization(reading, gradient, 3); }
