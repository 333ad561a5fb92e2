/* Collectives: the shape on one device. all-gather multiplies a dimension by the group's size,
 * reduce-scatter divides it; the others keep the operands' shapes. The result of a start is a tuple
 * of operands and results. As in XLA's shape inference, operands are arrays; only the offsets of a
 * permute of slices may be tuples. */
#include <inttypes.h>

#include "core/base/checked.h"
#include "core/hlo/verify/check.h"

static const Shape *operands_shape(const Check *check) {
  uint32_t count = check->instruction->operand_count;
  const Shape **shapes = ARENA_NEW(check->arena, const Shape *, count);
  for (uint32_t i = 0; i < count; i++) shapes[i] = operand_shape(check, i);
  return make_result(check, count, shapes);
}

/* The common size of all groups; 0 if unknown. */
static bool group_size(const Check *check, int64_t *size) {
  const ReplicaGroups *groups = check->instruction->replica_groups;
  *size = 0;
  for (uint32_t i = 0; groups != nullptr && i < groups->count; i++) {
    if (i > 0 && groups->groups[i].count != *size) {
      return check_fail_at(check, "replica_groups", "the groups have %" PRId64 " and %u members",
          *size, groups->groups[i].count);
    }
    *size = groups->groups[i].count;
  }
  return true;
}

/* With a channel and without global device ids, the partitions of each replica of a group take part
 * too. Their number is not known here. */
static bool has_partitions(const Instruction *collective) {
  return collective->channel_id >= 0 && !collective->use_global_device_ids;
}

/* True if `large` is `small` times some positive number. */
static bool is_times(int64_t large, int64_t small) {
  return small == 0 ? large == 0 : large >= small && large % small == 0;
}

/* Checks that `large` is `small` with `dimension` multiplied by the group's size. If the size is
 * unknown, any factor will do; with partitions, any multiple of the size. */
static bool is_multiple(
    const Check *check, const Shape *small, const Shape *large, uint32_t dimension, int64_t size) {
  bool fits = shape_is_array(small) && shape_is_array(large) && small->type == large->type &&
              small->rank == large->rank && dimension < small->rank;
  for (uint32_t i = 0; fits && i < small->rank; i++) {
    int64_t a = small->sizes[i], b = large->sizes[i], product;
    if (i != dimension) fits = a == b;
    else if (size <= 0) fits = is_times(b, a);
    else if (!mul64(a, size, &product)) fits = false;
    else if (has_partitions(check->instruction)) fits = is_times(b, product);
    else fits = product == b;
  }
  return fits ||
         check_fail(check, "%s is not %s with dimension %u multiplied by the group size %" PRId64,
             shape_words(check, large), shape_words(check, small), dimension, size);
}

static bool gathered_dimension(const Check *check, uint32_t *dimension, int64_t *size) {
  Ints dimensions = check->instruction->dimensions;
  if (!check_count(check, "dimensions", dimensions.count, 1) || !group_size(check, size))
    return false;
  if (dimensions.values[0] < 0 || dimensions.values[0] > UINT32_MAX) {
    return check_fail_at(
        check, "dimensions", "dimension %" PRId64 " is out of range", dimensions.values[0]);
  }
  *dimension = (uint32_t)dimensions.values[0];
  return true;
}

/* Checks each operand against its part of the result: the larger of the two is the smaller times
 * the group's size. */
static bool check_gathered(const Check *check, const Shape *result, bool scatters) {
  uint32_t dimension, count = check->instruction->operand_count;
  int64_t size;
  if (!gathered_dimension(check, &dimension, &size)) return false;
  bool is_array = count == 1 && !shape_is_tuple(result);
  if (!is_array && (!shape_is_tuple(result) || result->element_count != count)) {
    return check_fail(
        check, "the result is %s for %s", shape_words(check, result), counted(count, "operand"));
  }
  for (uint32_t i = 0; i < count; i++) {
    const Shape *part = is_array ? result : result->elements[i], *operand = operand_shape(check, i);
    if (!is_multiple(check, scatters ? part : operand, scatters ? operand : part, dimension, size))
      return false;
  }
  return true;
}

/* (operands, result, ...); with several operands, both are tuples. */
static bool start_result(const Check *check, const Shape **result) {
  const Shape *shape = check->instruction->shape;
  uint32_t most = check->instruction->opcode == HLO_ALL_GATHER_START ? 2 : UINT32_MAX;
  bool fits = shape_is_tuple(shape) && shape->element_count >= 2 && shape->element_count <= most &&
              shape_compatible(shape->elements[0], operands_shape(check));
  if (!fits) return check_fail(check, "the shape is not (operands, result, ...)");
  *result = shape->elements[1];
  return true;
}

static bool done_result(const Check *check, const Shape **shape) {
  const Shape *started = operand_shape(check, 0);
  if (check->instruction->opcode == HLO_ALL_REDUCE_DONE) {
    *shape = started;
    return true;
  }
  if (!shape_is_tuple(started) || started->element_count < 2) {
    return check_fail(
        check, "operand 0 is %s, not (operands, result, ...)", shape_words(check, started));
  }
  *shape = started->elements[1];
  return true;
}

/* The form without a dimension: member q of a group gets operand q, so that all have one shape. */
static bool exchanged_tuple(const Check *check, int64_t size, const Shape **shape) {
  const Instruction *exchange = check->instruction;
  uint32_t count = exchange->operand_count;
  const Shape **shapes = ARENA_NEW(check->arena, const Shape *, count);
  for (uint32_t i = 0; i < count; i++) {
    shapes[i] = operand_shape(check, i);
    if (!check_same_sizes(check, 0, i) || !check_same_types(check, 0, i)) return false;
  }
  *shape = shape_tuple(check->arena, count, shapes);
  return size == 0 || count == size ||
         check_fail_at(
             check, "replica_groups", "%s in groups of %" PRId64, counted(count, "operand"), size);
}

static bool all_to_all_shape(const Check *check, const Shape **shape) {
  int64_t size;
  uint32_t dimension;
  if (!group_size(check, &size)) return false;
  if (check->instruction->dimensions.count == 0) return exchanged_tuple(check, size, shape);
  if (check->instruction->operand_count != 1)
    return check_fail_at(check, "dimensions", "%s, not 1, along a dimension",
        counted(check->instruction->operand_count, "operand"));
  *shape = operand_shape(check, 0);
  if (!check_one_dimension(check, (*shape)->rank, &dimension)) return false;
  int64_t split = (*shape)->sizes[dimension];
  return size == 0 || split % size == 0 ||
         check_fail_at(check, "dimensions",
             "dimension %u of size %" PRId64 " in groups of %" PRId64, dimension, split, size);
}

/* The operands are the array to send, the array to replace slices of, and the offsets in both. */
static bool permuted_slices(const Check *check, const Shape **shape) {
  if (check->instruction->operand_count != 4)
    return check_fail(
        check, "%s, not 1, or 4 for slices", counted(check->instruction->operand_count, "operand"));
  *shape = operand_shape(check, 1);
  return check_array(check, 0) && check_array(check, 1);
}

static bool check_permute_start(const Check *check) {
  const Shape *result;
  if (!start_result(check, &result)) return false;
  return shape_compatible(result, operands_shape(check)) ||
         check_fail(check, "the result %s is not like the operands", shape_words(check, result));
}

static bool is_done(Opcode opcode) {
  return opcode == HLO_ALL_REDUCE_DONE || opcode == HLO_ALL_GATHER_DONE ||
         opcode == HLO_COLLECTIVE_PERMUTE_DONE;
}

bool infer_collective(const Check *check, const Shape **shape) {
  Opcode opcode = check->instruction->opcode;
  const Shape *result = check->instruction->shape;
  *shape = nullptr;
  if (result == nullptr) return check_fail(check, "the shape is missing");
  if (is_done(opcode)) return done_result(check, shape);
  if (!check_devices(check)) return false;
  if (instruction_permutes_slices(check->instruction)) return permuted_slices(check, shape);
  if (!check_arrays(check)) return false;
  if (opcode == HLO_ALL_GATHER) return check_gathered(check, result, false);
  if (opcode == HLO_REDUCE_SCATTER) return check_gathered(check, result, true);
  if (opcode == HLO_ALL_GATHER_START)
    return start_result(check, &result) && check_gathered(check, result, false);
  if (opcode == HLO_COLLECTIVE_PERMUTE_START) return check_permute_start(check);
  if (opcode == HLO_ALL_TO_ALL) return all_to_all_shape(check, shape);
  int64_t size;
  if (opcode == HLO_RAGGED_ALL_TO_ALL && !group_size(check, &size)) return false;
  *shape = opcode == HLO_RAGGED_ALL_TO_ALL ? operand_shape(check, 1) : operands_shape(check);
  return true;
}
