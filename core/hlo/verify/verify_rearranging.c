/* Operations that rearrange elements, and operations without data operands. Each result size is a
 * function of operand sizes and attributes; for bitcast and iota the instruction's own shape is
 * only checked. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/checked.h"
#include "core/hlo/verify/check.h"

static int64_t *copy_sizes(const Check *check, const Shape *shape) {
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, shape->rank);
  if (shape->rank > 0) memcpy(sizes, shape->sizes, shape->rank * sizeof *sizes);
  return sizes;
}

static bool declared_array(const Check *check) {
  const Shape *shape = check->instruction->shape;
  if (shape == nullptr)
    return check_fail(check, "the operands do not fix a shape, and none is given");
  return shape_is_array(shape) ||
         check_fail(check, "the result is %s, not an array", shape_words(check, shape));
}

static bool check_iota(const Check *check) {
  if (!declared_array(check)) return false;
  if (check->instruction->shape->type == TYPE_pred)
    return check_fail(check, "the element type is pred, no type of numbers");
  int64_t dimension = check->instruction->number;
  if (dimension >= 0 && dimension < check->instruction->shape->rank) return true;
  return check_fail_at(check, "iota_dimension", "iota_dimension is %" PRId64 ", the rank %u",
      dimension, check->instruction->shape->rank);
}

static bool check_constant(const Check *check) {
  const Shape *shape = check->instruction->shape;
  uint32_t count = check->instruction->literal.count;
  if (shape == nullptr) return check_fail(check, "the shape is missing");
  if (count == 0 || (shape_is_array(shape) && count == shape_elements(shape))) return true;
  return check_fail(check, "the literal has %s for the shape %s", counted(count, "value"),
      shape_words(check, shape));
}

bool infer_source(const Check *check, const Shape **shape) {
  Opcode opcode = check->instruction->opcode;
  *shape = nullptr;
  if (opcode == HLO_IOTA) return check_iota(check);
  if (opcode == HLO_CONSTANT) return check_constant(check);
  if (opcode == HLO_PARTITION_ID || opcode == HLO_REPLICA_ID)
    return make_array(check, TYPE_u32, 0, nullptr, shape);
  if (opcode == HLO_RNG_GET_AND_UPDATE_STATE)
    return make_array(check, TYPE_u64, 1, &(const int64_t){2}, shape);
  return check->instruction->shape != nullptr || check_fail(check, "the shape is missing");
}

bool infer_broadcast(const Check *check, const Shape **shape) {
  if (!check_array(check, 0) || !declared_array(check)) return false;
  const Shape *operand = operand_shape(check, 0), *result = check->instruction->shape;
  Ints dimensions = check->instruction->dimensions;
  if (!check_count(check, "dimensions", dimensions.count, operand->rank) ||
      !check_dimensions(check, "dimensions", dimensions, result->rank)) {
    return false;
  }
  int64_t *sizes = copy_sizes(check, result);
  bool *bounds = dimension_set(check, result->rank);
  for (uint32_t i = 0; i < operand->rank; i++) {
    sizes[dimensions.values[i]] = operand->sizes[i];
    bounds[dimensions.values[i]] = shape_has_bound(operand, i);
  }
  return make_bounded(check, operand->type, result->rank, sizes, bounds, shape);
}

bool infer_transpose(const Check *check, const Shape **shape) {
  if (!check_array(check, 0)) return false;
  const Shape *operand = operand_shape(check, 0);
  Ints dimensions = check->instruction->dimensions;
  if (!check_count(check, "dimensions", dimensions.count, operand->rank) ||
      !check_dimensions(check, "dimensions", dimensions, operand->rank)) {
    return false;
  }
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, operand->rank);
  bool *bounds = dimension_set(check, operand->rank);
  for (uint32_t i = 0; i < operand->rank; i++) {
    sizes[i] = operand->sizes[dimensions.values[i]];
    bounds[i] = shape_has_bound(operand, (uint32_t)dimensions.values[i]);
  }
  if (!make_bounded(check, operand->type, operand->rank, sizes, bounds, shape)) return false;
  if (check->instruction->shape == nullptr)
    *shape = shape_with_permuted_layout(check->arena, *shape, operand, dimensions.values);
  return true;
}

bool infer_reverse(const Check *check, const Shape **shape) {
  *shape = operand_shape(check, 0);
  return check_array(check, 0) &&
         check_dimensions(check, "dimensions", check->instruction->dimensions, (*shape)->rank);
}

static bool slice_size(const Check *check, uint32_t i, int64_t size, int64_t *result) {
  const Instruction *slice = check->instruction;
  int64_t start = slice->starts.values[i], limit = slice->limits.values[i],
          stride = slice->strides.values[i];
  if (start < 0 || start > limit) {
    return check_fail_at(check, "slice",
        "start %" PRId64 " of dimension %u is not in [0, limit %" PRId64 "]", start, i, limit);
  }
  if (limit > size) {
    return check_fail_at(check, "slice",
        "limit %" PRId64 " of dimension %u is past the operand's size %" PRId64, limit, i, size);
  }
  if (stride <= 0) {
    return check_fail_at(
        check, "slice", "stride %" PRId64 " of dimension %u is not positive", stride, i);
  }
  assert(0 <= start && start <= limit && limit <= size);
  *result = ceildiv64(limit - start, stride);
  return true;
}

bool infer_slice(const Check *check, const Shape **shape) {
  if (!check_array(check, 0)) return false;
  const Shape *operand = operand_shape(check, 0);
  const Instruction *slice = check->instruction;
  if (!check_count(check, "slice", slice->starts.count, operand->rank) ||
      !check_count(check, "slice", slice->limits.count, operand->rank) ||
      !check_count(check, "slice", slice->strides.count, operand->rank)) {
    return false;
  }
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, operand->rank);
  bool *bounds = dimension_set(check, operand->rank);
  for (uint32_t i = 0; i < operand->rank; i++) {
    if (!slice_size(check, i, operand->sizes[i], &sizes[i])) return false;
    bounds[i] = sizes[i] != 1 && shape_has_bound(operand, i);
  }
  return make_bounded(check, operand->type, operand->rank, sizes, bounds, shape);
}

bool infer_reshape(const Check *check, const Shape **shape) {
  *shape = nullptr;
  if (!check_array(check, 0) || !declared_array(check)) return false;
  const Shape *operand = operand_shape(check, 0), *result = check->instruction->shape;
  if (!element_type_mixes(operand->type, result->type)) {
    return check_fail(check, "the element type changes from %s to %s",
        element_type_name(operand->type), element_type_name(result->type));
  }
  if (shape_elements(operand) == shape_elements(result)) return true;
  return check_fail(check, "%s has %s, %s has %" PRId64, shape_words(check, operand),
      counted(shape_elements(operand), "element"), shape_words(check, result),
      shape_elements(result));
}

static bool same_bits(
    const Shape *a, uint32_t bits_a, const Shape *b, uint32_t bits_b, bool *fits) {
  int64_t from, to;
  *fits = mul64(shape_elements(a), bits_a, &from) && mul64(shape_elements(b), bits_b, &to);
  return *fits && from == to;
}

/* Both arrays have the same number of bits, either as values or as stored in memory. */
static bool check_same_bits(const Check *check, const Shape *operand, const Shape *result) {
  bool fits, fits_stored;
  bool same = same_bits(
      operand, element_type_bits(operand->type), result, element_type_bits(result->type), &fits);
  bool same_stored = same_bits(
      operand, shape_stored_bits(operand), result, shape_stored_bits(result), &fits_stored);
  if (same || same_stored) return true;
  if (!fits || !fits_stored) return check_fail(check, "the size in bits overflows int64");
  return check_fail(
      check, "%s and %s differ in size", shape_words(check, operand), shape_words(check, result));
}

/* Leaf k of the result is a bitcast of leaf k of the operand; what is no array stays as it is. */
static bool check_bitcast(const Check *check, const Shape *operand, const Shape *result) {
  assert(operand != nullptr && result != nullptr);
  if (shape_is_array(operand) && shape_is_array(result))
    return check_same_bits(check, operand, result);
  bool same = shape_is_tuple(operand) && shape_is_tuple(result)
                  ? operand->element_count == result->element_count
                  : shape_compatible(operand, result);
  if (!same)
    return check_fail(
        check, "%s is no bitcast of %s", shape_words(check, result), shape_words(check, operand));
  for (uint32_t i = 0; i < operand->element_count; i++) {
    if (!check_bitcast(check, operand->elements[i], result->elements[i])) return false;
  }
  return true;
}

bool infer_bitcast(const Check *check, const Shape **shape) {
  const Shape *operand = operand_shape(check, 0);
  bool is_open = shape_is_array(operand);
  *shape = check->instruction->shape == nullptr && !is_open ? operand : nullptr;
  if (is_open && !declared_array(check)) return false;
  return *shape != nullptr || check_bitcast(check, operand, check->instruction->shape);
}

bool infer_bitcast_convert(const Check *check, const Shape **shape) {
  if (!check_array(check, 0) || !declared_array(check)) return false;
  const Shape *operand = operand_shape(check, 0);
  ElementType type = check->instruction->shape->type;
  uint32_t from = element_type_bits(operand->type), to = element_type_bits(type),
           rank = operand->rank;
  assert(from > 0 && to > 0);
  if (element_type_is_complex(operand->type) != element_type_is_complex(type))
    return check_fail(check, "from %s to %s, of which one is complex",
        element_type_name(operand->type), element_type_name(type));
  if (from % to != 0 && to % from != 0) {
    return check_fail(check, "neither width divides the other: %s and %s",
        element_type_name(operand->type), element_type_name(type));
  }
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, (size_t)rank + 1);
  bool *bounds = dimension_set(check, rank + 1);
  if (rank > 0) memcpy(sizes, operand->sizes, rank * sizeof *sizes);
  bounds_add(bounds, operand);
  if (from > to) sizes[rank++] = from / to;
  if (from < to) {
    if (rank == 0 || sizes[rank - 1] != to / from)
      return check_fail(
          check, "the operand's last dimension is not %u, the ratio of the widths", to / from);
    rank--;
  }
  return make_bounded(check, type, rank, sizes, bounds, shape);
}

static bool check_piece(const Check *check, uint32_t operand, uint32_t dimension) {
  const Shape *first = operand_shape(check, 0), *piece = operand_shape(check, operand);
  if (!check_mixing_types(check, 0, operand)) return false;
  bool same = first->rank == piece->rank;
  for (uint32_t i = 0; i < first->rank && same; i++)
    same = i == dimension || first->sizes[i] == piece->sizes[i];
  return same || check_fail(check, "operands 0 and %u differ outside dimension %u: %s and %s",
                     operand, dimension, shape_words(check, first), shape_words(check, piece));
}

bool infer_concatenate(const Check *check, const Shape **shape) {
  if (!check_arrays(check)) return false;
  const Shape *first = operand_shape(check, 0);
  uint32_t dimension;
  if (!check_one_dimension(check, first->rank, &dimension)) return false;
  int64_t *sizes = copy_sizes(check, first);
  bool *bounds = dimension_set(check, first->rank);
  bounds_add(bounds, first);
  for (uint32_t i = 1; i < check->instruction->operand_count; i++) {
    if (!check_piece(check, i, dimension)) return false;
    bounds_add(bounds, operand_shape(check, i));
    if (!add64(sizes[dimension], operand_shape(check, i)->sizes[dimension], &sizes[dimension])) {
      return check_fail(check, "the size of dimension %u overflows int64", dimension);
    }
  }
  return make_bounded(check, first->type, first->rank, sizes, bounds, shape);
}

/* size + low + high + interior * max(size - 1, 0) */
static bool padded_size(
    const Check *check, const PadDim *pad, uint32_t dimension, int64_t size, int64_t *result) {
  int64_t inner;
  if (pad->interior < 0) {
    return check_fail_at(
        check, "padding", "interior padding of dimension %u is negative", dimension);
  }
  if (!mul64(pad->interior, size > 0 ? size - 1 : 0, &inner) || !add64(size, inner, result) ||
      !add64(*result, pad->low, result) || !add64(*result, pad->high, result)) {
    return check_fail_at(check, "padding", "the size of dimension %u overflows int64", dimension);
  }
  return *result >= 0 || check_fail_at(check, "padding",
                             "dimension %u would have the size %" PRId64, dimension, *result);
}

bool infer_pad(const Check *check, const Shape **shape) {
  if (!check_array(check, 0) || !check_scalar(check, 1) || !check_mixing_types(check, 0, 1))
    return false;
  const Shape *operand = operand_shape(check, 0), *declared = check->instruction->shape;
  const PadDim *padding = check->instruction->padding;
  if (padding == nullptr && operand->rank > 0) return check_fail(check, "padding is missing");
  bool same_rank =
      declared == nullptr ||
      (declared_array(check) && check_count(check, "padding", declared->rank, operand->rank));
  if (!same_rank) return false;
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, operand->rank);
  bool *bounds = dimension_set(check, operand->rank);
  for (uint32_t i = 0; i < operand->rank; i++) {
    if (!padded_size(check, &padding[i], i, operand->sizes[i], &sizes[i])) return false;
  }
  bounds_add(bounds, operand);
  return make_bounded(check, operand->type, operand->rank, sizes, bounds, shape);
}
