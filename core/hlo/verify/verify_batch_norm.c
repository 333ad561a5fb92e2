/* Batch normalization: the result has the shape of the operand; training and gradient have two
 * vectors beside it. Scale, offset, mean and variance are vectors over the feature dimension, which
 * is one of the operand, and the gradient of the output has the operand's sizes. */
#include "core/hlo/attribute.h"
#include "core/hlo/verify/check.h"

/* The feature dimension of operand 0; false sets the error. */
static bool feature_index(const Check *check, uint32_t *feature) {
  static const char name[] = "feature_index";
  const Attribute *attribute = instruction_attribute(check->instruction, name);
  uint32_t rank = operand_shape(check, 0)->rank;
  int64_t value;
  if (attribute == nullptr) return check_fail(check, "%s is missing", name);
  if (!attribute_number(check->instruction, name, &value) || value >= rank)
    return check_fail_at(check, name, "%s is %.60s, the rank %u", name, attribute->text, rank);
  *feature = (uint32_t)value;
  return true;
}

/* True for a vector with the size of the feature dimension; false sets the error. */
static bool check_vector(const Check *check, uint32_t feature, uint32_t operand) {
  const Shape *of = operand_shape(check, 0), *vector = operand_shape(check, operand);
  if (vector->rank != 1)
    return check_fail(check, "operand %u is %s, not a vector", operand, shape_words(check, vector));
  if (vector->sizes[0] == of->sizes[feature]) return true;
  return check_fail_at(check, "feature_index", "operand %u is %s, and the operand %s", operand,
      shape_words(check, vector), shape_words(check, of));
}

/* Operands 1 to `last` are such vectors; false sets the error. */
static bool check_vectors(const Check *check, uint32_t last) {
  uint32_t feature;
  if (!check_arrays(check) || !feature_index(check, &feature)) return false;
  for (uint32_t i = 1; i <= last; i++)
    if (!check_vector(check, feature, i)) return false;
  return true;
}

bool infer_batch_norm_inference(const Check *check, const Shape **shape) {
  *shape = operand_shape(check, 0);
  return check_vectors(check, 4);
}

/* The operand's shape and two vectors. */
static const Shape *with_vectors(const Check *check) {
  const Shape *vector = operand_shape(check, 1), *const shapes[] = {
                                                     operand_shape(check, 0), vector, vector};
  return shape_tuple(check->arena, 3, shapes);
}

bool infer_batch_norm_training(const Check *check, const Shape **shape) {
  if (!check_vectors(check, 2)) return false;
  *shape = with_vectors(check);
  return true;
}

bool infer_batch_norm_grad(const Check *check, const Shape **shape) {
  if (!check_vectors(check, 3) || !check_same_sizes(check, 0, 4)) return false;
  *shape = with_vectors(check);
  return true;
}
