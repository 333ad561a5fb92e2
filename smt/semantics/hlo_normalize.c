/* Batch normalization. A feature is one position of the feature dimension, and the batch of a
 * feature are all elements there.
 *   training(operand, scale, offset): the normalized element reads the batch of its feature, for
 *     the mean and the variance, and the feature's scale and offset; mean and variance read the
 *     batch.
 *   inference(operand, scale, offset, mean, variance): the element, and the four of its feature.
 *   grad(operand, scale, mean, variance, grad_output): the gradient of the operand reads the
 *     batches of operand and grad_output, which it sums, and scale, mean and variance of the
 *     feature; that of the scale the same without the scale; that of the offset, a sum, the batch
 *     of grad_output.
 * Rejects a feature index that is missing or outside the operand. */
#include "smt/semantics/hlo_reading.h"

#include <errno.h>
#include <stdlib.h>

typedef struct Normalizing {
  SmtReading *reading;
  uint32_t dimension; /* of the features */
  Sum feature;
} Normalizing;

static bool feature_dimension(const SmtReading *reading, uint32_t rank, uint32_t *dimension) {
  const Attribute *attribute = instruction_attribute(reading->instruction, "feature_index");
  if (attribute == nullptr) return false;
  char *end;
  errno = 0;
  long value = strtol(attribute->text, &end, 10);
  if (errno != 0 || end == attribute->text || *end != 0 || value < 0 ||
      (unsigned long)value >= rank)
    return false;
  *dimension = (uint32_t)value;
  return true;
}

static void read_batch(const Normalizing *work, uint32_t operand) {
  Access *access = reading_all(work->reading, operand);
  access->element[work->dimension] = work->feature;
}

static void read_feature(const Normalizing *work, uint32_t operand) {
  Access *access = reading_access(work->reading, operand, 0);
  access->element[0] = work->feature;
}

static void read_training(const Normalizing *work) {
  read_batch(work, 0);
  if (work->reading->leaf != 0) return;
  read_feature(work, 1);
  read_feature(work, 2);
}

static void read_inference(const Normalizing *work) {
  reading_identity(work->reading, 0, 0);
  for (uint32_t operand = 1; operand < 5; operand++) read_feature(work, operand);
}

static void read_gradient(const Normalizing *work) {
  read_batch(work, 4);
  if (work->reading->leaf == 2) return;
  read_batch(work, 0);
  if (work->reading->leaf == 0) read_feature(work, 1);
  read_feature(work, 2);
  read_feature(work, 3);
}

/* Whether the operands after the first are vectors over the features; the last operand of a
 * gradient has the rank of the first. */
static bool has_shapes(
    const SmtReading *reading, uint32_t dimension, uint32_t count, uint32_t vectors) {
  const Shape *operand = operand_leaf_shape(reading, 0, 0);
  if (reading->instruction->operand_count != count) return false;
  for (uint32_t i = 1; i <= vectors; i++) {
    const Shape *vector = operand_leaf_shape(reading, i, 0);
    if (vector->rank != 1 || vector->sizes[0] != operand->sizes[dimension]) return false;
  }
  return vectors + 1 == count || operand_leaf_shape(reading, count - 1, 0)->rank == operand->rank;
}

bool reads_of_batch_norm(SmtReading *reading) {
  Normalizing work = {.reading = reading};
  const Opcode opcode = reading->instruction->opcode;
  bool is_training = opcode == HLO_BATCH_NORM_TRAINING, is_gradient = opcode == HLO_BATCH_NORM_GRAD;
  if (reading->instruction->operand_count == 0)
    return reading_lacks(reading, "batch normalization of nothing");
  uint32_t rank = operand_leaf_shape(reading, 0, 0)->rank;
  if (!feature_dimension(reading, rank, &work.dimension))
    return reading_lacks(reading, "no feature index of the operand");
  if (!has_shapes(reading, work.dimension, is_training ? 3 : 5,
          is_training   ? 2
          : is_gradient ? 3
                        : 4))
    return reading_lacks(reading, "operands of other shapes than a batch and its features");
  bool is_whole = reading->leaf == 0;
  if (reading->shape->rank != (is_whole ? rank : 1))
    return reading_lacks(reading, "an output of another rank");
  work.feature = reading->index[is_whole ? work.dimension : 0];
  if (is_training) read_training(&work);
  else if (is_gradient) read_gradient(&work);
  else read_inference(&work);
  return true;
}
