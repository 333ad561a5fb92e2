/* Batch normalization: the result has the shape of the operand; training and gradient have two
 * vectors beside it. Scale, offset, mean and variance are vectors over the feature dimension, and
 * the gradient of the output has the operand's sizes. Without a feature dimension of the operand
 * the vectors may have any size. */
#include "core/hlo/attribute.h"
#include "core/hlo/verify/check.h"

/* True for a vector with the size of the feature dimension; false sets the error. */
static bool check_vector(const Check *check, uint32_t operand) {
  const Shape *of = operand_shape(check, 0), *vector = operand_shape(check, operand);
  int64_t feature;
  if (vector->rank != 1)
    return check_fail(check, "operand %u is %s, not a vector", operand, shape_words(check, vector));
  if (!attribute_number(check->instruction, "feature_index", &feature) || feature >= of->rank ||
      vector->sizes[0] == of->sizes[feature])
    return true;
  return check_fail_at(check, "feature_index", "operand %u is %s, and the operand %s", operand,
      shape_words(check, vector), shape_words(check, of));
}

bool infer_batch_norm_inference(const Check *check, const Shape **shape) {
  *shape = operand_shape(check, 0);
  bool valid = check_arrays(check);
  for (uint32_t i = 1; valid && i < 5; i++) valid = check_vector(check, i);
  return valid;
}

/* The operand's shape and two vectors. */
static const Shape *with_vectors(const Check *check) {
  const Shape *vector = operand_shape(check, 1),
              *const shapes[] = {operand_shape(check, 0), vector, vector};
  return shape_tuple(check->arena, 3, shapes);
}

bool infer_batch_norm_training(const Check *check, const Shape **shape) {
  if (!check_arrays(check) || !check_vector(check, 1) || !check_vector(check, 2)) return false;
  *shape = with_vectors(check);
  return true;
}

bool infer_batch_norm_grad(const Check *check, const Shape **shape) {
  bool valid = check_arrays(check) && check_same_sizes(check, 0, 4);
  for (uint32_t i = 1; valid && i < 4; i++) valid = check_vector(check, i);
  if (valid) *shape = with_vectors(check);
  return valid;
}
