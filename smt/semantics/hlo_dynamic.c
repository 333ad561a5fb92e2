/* Operations whose offsets are known at run time. dynamic-slice, dynamic-update-slice and gather
 * clamp each offset so that the slice stays inside. scatter does not clamp: an update that is
 * partly outside is dropped whole. Its combining computation takes the elements of all inputs and
 * all updates at the position, so each output reads them all. An output element reads the index
 * vectors that can place a window at it, for some values of their type. */
#include "smt/semantics/hlo_reading.h"

#include <assert.h>

/* Offsets are rank-0 operands from `first` on, or one operand of rank 1. */
static Sum offset_of(const SmtReading *reading, uint32_t first, uint32_t dimension) {
  const Instruction *instruction = reading->instruction;
  Sum position = sum_of_constant(reading->sums, dimension);
  if (operand_leaf_shape(reading, first, 0)->rank == 1)
    return reading->value(
        reading->sums, reading->frame, instruction->operands[first], 0, &position);
  return reading->value(
      reading->sums, reading->frame, instruction->operands[first + dimension], 0, nullptr);
}

static Sum clamped_offset(
    const SmtReading *reading, uint32_t first, uint32_t dimension, int64_t size, int64_t slice) {
  return sum_clamp(reading->sums, 0, offset_of(reading, first, dimension), (Wide)size - slice);
}

static void read_offsets(SmtReading *reading, uint32_t first) {
  for (uint32_t k = first; k < reading->instruction->operand_count; k++)
    (void)reading_all(reading, k);
}

bool reads_of_dynamic_slice(SmtReading *reading) {
  Sums *sums = reading->sums;
  const Shape *input = operand_leaf_shape(reading, 0, 0);
  Access *access = reading_access(reading, 0, 0);
  for (uint32_t i = 0; i < access->rank; i++) {
    Sum offset = clamped_offset(reading, 1, i, input->sizes[i], reading->shape->sizes[i]);
    access->element[i] = sum_add(sums, reading->index[i], offset);
  }
  read_offsets(reading, 1);
  return true;
}

static bool covers(const SmtReading *reading, const Shape *update, uint32_t dimension) {
  return update->sizes[dimension] == reading->shape->sizes[dimension];
}

/* Whether the offset of every dimension that the update does not fill is a constant. */
static bool has_known_offsets(const SmtReading *reading, const Shape *update) {
  Wide value;
  for (uint32_t i = 0; i < update->rank; i++)
    if (!covers(reading, update, i) &&
        !sum_is_constant(reading->sums,
            clamped_offset(reading, 2, i, reading->shape->sizes[i], update->sizes[i]), &value))
      return false;
  return true;
}

static void read_beside(SmtReading *reading, Sum index, Wide lo, Wide hi) {
  reading_identity(reading, 0, 0);
  piece_within(
      reading->sums, &reading->accesses.items[reading->accesses.count - 1]->piece, index, lo, hi);
}

/* Reads the part before and the part after the update in the dimension. */
static void read_both_sides(SmtReading *reading, const Shape *update, uint32_t dimension) {
  int64_t size = reading->shape->sizes[dimension], length = update->sizes[dimension];
  Sum offset = clamped_offset(reading, 2, dimension, size, length),
      index = reading->index[dimension];
  Wide first;
  if (sum_is_constant(reading->sums, offset, &first)) {
    if (first > 0) read_beside(reading, index, 0, first - 1);
    if (first + length < size) read_beside(reading, index, first + length, size - 1);
    return;
  }
  Sum position = sum_subtract(reading->sums, index, offset);
  read_beside(reading, position, -no_bound, -1);
  read_beside(reading, position, length, no_bound);
}

/* How far the index is outside of the update in the dimension; inside, at most 0. */
static Sum outside_by(const SmtReading *reading, const Shape *update, uint32_t dimension) {
  Sums *sums = reading->sums;
  Sum offset = clamped_offset(
      reading, 2, dimension, reading->shape->sizes[dimension], update->sizes[dimension]);
  Sum position = sum_subtract(sums, reading->index[dimension], offset);
  return sum_max(
      sums, sum_scale(sums, position, -1), sum_plus(sums, position, 1 - update->sizes[dimension]));
}

/* Reads the part outside of the update by one access: with one for each side, a chain of n updates
 * would have 2^n paths. */
static void read_outside(SmtReading *reading, const Shape *update) {
  Sum farthest = sum_of_constant(reading->sums, 0);
  for (uint32_t i = 0; i < update->rank; i++)
    if (!covers(reading, update, i))
      farthest = sum_max(reading->sums, farthest, outside_by(reading, update, i));
  read_beside(reading, farthest, 1, no_bound);
}

/* Reads the part outside of the update. */
static void read_untouched(SmtReading *reading, const Shape *update) {
  if (reading->joins_sides && !has_known_offsets(reading, update)) {
    read_outside(reading, update);
    return;
  }
  for (uint32_t i = 0; i < update->rank; i++)
    if (!covers(reading, update, i)) read_both_sides(reading, update, i);
}

bool reads_of_dynamic_update_slice(SmtReading *reading) {
  Sums *sums = reading->sums;
  const Shape *update = operand_leaf_shape(reading, 1, 0);
  read_untouched(reading, update);
  Access *access = reading_access(reading, 1, 0);
  for (uint32_t i = 0; i < access->rank; i++) {
    Sum offset = clamped_offset(reading, 2, i, reading->shape->sizes[i], update->sizes[i]);
    access->element[i] = sum_subtract(sums, reading->index[i], offset);
    piece_within(sums, &access->piece, access->element[i], 0, (Wide)update->sizes[i] - 1);
  }
  read_offsets(reading, 2);
  return true;
}

/* The index of component `component` of the index vector at a batch position, which has every
 * dimension of the indices except the vector's. */
static Sum *vector_index(const SmtReading *reading, const Shape *indices, int64_t vector_dim,
    const Sum *batch, Sum component) {
  assert(sums_has(reading->sums, component));
  Sum *index = ARENA_NEW(reading->sums->arena, Sum, indices->rank);
  uint32_t next = 0;
  for (uint32_t i = 0; i < indices->rank; i++)
    index[i] = i == vector_dim ? component : batch[next++];
  return index;
}

/* The batch position along dimension `dimension` of the indices. */
static Sum batch_position(const Sum *batch, int64_t vector_dim, int64_t dimension) {
  return batch[dimension - (vector_dim < dimension ? 1 : 0)];
}

static Sum start_at(const SmtReading *reading, uint32_t operand, int64_t vector_dim,
    const Sum *batch, uint32_t component) {
  assert(operand < reading->instruction->operand_count);
  const Shape *indices = operand_leaf_shape(reading, operand, 0);
  Sum *index =
      vector_index(reading, indices, vector_dim, batch, sum_of_constant(reading->sums, component));
  return reading->value(
      reading->sums, reading->frame, reading->instruction->operands[operand], 0, index);
}

/* Reads all components of the index vector at a batch position. */
static void read_vector(const SmtReading *reading, uint32_t operand, Access *access,
    int64_t vector_dim, const Sum *batch) {
  const Shape *indices = operand_leaf_shape(reading, operand, 0);
  Sum component = {0};
  if (vector_dim < indices->rank)
    component = piece_hidden(
        reading->sums, &access->piece, "component", 0, (Wide)indices->sizes[vector_dim] - 1);
  access->element = vector_index(reading, indices, vector_dim, batch, component);
}

static Sum gather_start(const SmtReading *reading, uint32_t dimension, const Sum *batch) {
  const GatherNumbers *gather = reading->instruction->gather;
  int64_t size = operand_leaf_shape(reading, 0, 0)->sizes[dimension],
          slice = gather->slice_sizes.values[dimension];
  uint32_t at;
  if (reading_finds(gather->start_index_map, dimension, &at))
    return sum_clamp(reading->sums, 0, start_at(reading, 1, gather->index_vector_dim, batch, at),
        (Wide)size - slice);
  if (reading_finds(gather->operand_batching_dims, dimension, &at))
    return batch_position(
        batch, gather->index_vector_dim, gather->start_indices_batching_dims.values[at]);
  return sum_of_constant(reading->sums, 0);
}

bool reads_of_gather(SmtReading *reading) {
  Sums *sums = reading->sums;
  const GatherNumbers *gather = reading->instruction->gather;
  if (gather == nullptr) return reading_lacks(reading, "a gather without its numbers");
  Sum *batch = ARENA_NEW(sums->arena, Sum, reading->shape->rank + 1);
  uint32_t batches = 0, window = 0, at;
  for (uint32_t i = 0; i < reading->shape->rank; i++)
    if (!reading_finds(gather->offset_dims, i, &at)) batch[batches++] = reading->index[i];
  Access *access = reading_access(reading, 0, 0);
  for (uint32_t i = 0; i < access->rank; i++) {
    access->element[i] = gather_start(reading, i, batch);
    if (reading_finds(gather->collapsed_slice_dims, i, &at) ||
        reading_finds(gather->operand_batching_dims, i, &at)) {
      if (gather->slice_sizes.values[i] == 0)
        return reading_lacks(reading, "slices without elements");
      continue;
    }
    access->element[i] =
        sum_add(sums, access->element[i], reading->index[gather->offset_dims.values[window++]]);
  }
  read_vector(reading, 1, reading_access(reading, 1, 0), gather->index_vector_dim, batch);
  return true;
}

typedef struct HloDynamicScattering {
  SmtReading *reading;
  const ScatterNumbers *numbers;
  uint32_t indices; /* operand number */
  const Shape *updates;
  Sum *batch; /* the scatter dimensions of the update's index */
} HloDynamicScattering;

static Sum scatter_start(const HloDynamicScattering *work, uint32_t dimension) {
  uint32_t at;
  if (reading_finds(work->numbers->scatter_dims_to_operand_dims, dimension, &at))
    return start_at(work->reading, work->indices, work->numbers->index_vector_dim, work->batch, at);
  if (reading_finds(work->numbers->input_batching_dims, dimension, &at))
    return batch_position(work->batch, work->numbers->index_vector_dim,
        work->numbers->scatter_indices_batching_dims.values[at]);
  return sum_of_constant(work->reading->sums, 0);
}

/* A hidden batch position, also in the access's element if it is of the updates. */
static void hide_batch(HloDynamicScattering *work, Access *access, Sum *element) {
  uint32_t batches = 0, at;
  for (uint32_t i = 0; i < work->updates->rank; i++) {
    if (reading_finds(work->numbers->update_window_dims, i, &at)) continue;
    Sum position = piece_hidden(
        work->reading->sums, &access->piece, "s", 0, (Wide)work->updates->sizes[i] - 1);
    work->batch[batches++] = position;
    if (element != nullptr) element[i] = position;
  }
}

static bool is_outside_window(const ScatterNumbers *numbers, uint32_t dimension) {
  uint32_t at;
  return reading_finds(numbers->inserted_window_dims, dimension, &at) ||
         reading_finds(numbers->input_batching_dims, dimension, &at);
}

/* Output element o reads the update at (s, w) with start(s) + w = o, if the whole window is inside
 * the output. */
static void read_update(HloDynamicScattering *work, uint32_t operand) {
  SmtReading *reading = work->reading;
  Sums *sums = reading->sums;
  const ScatterNumbers *numbers = work->numbers;
  Access *access = reading_access(reading, operand, 0);
  uint32_t window = 0;
  hide_batch(work, access, access->element);
  for (uint32_t i = 0; i < reading->shape->rank; i++) {
    Sum start = scatter_start(work, i), position = sum_subtract(sums, reading->index[i], start);
    Wide size = 1;
    if (is_outside_window(numbers, i)) {
      piece_within(sums, &access->piece, position, 0, 0);
    } else {
      int64_t dimension = numbers->update_window_dims.values[window++];
      size = work->updates->sizes[dimension];
      access->element[dimension] = position;
      piece_within(sums, &access->piece, position, 0, size - 1);
    }
    piece_within(sums, &access->piece, start, 0, (Wide)reading->shape->sizes[i] - size);
  }
}

/* Limits the output's positions along `dimension` to those that a window of `size` can cover. An
 * index vector is read for no other element. */
static void within_reach(
    const HloDynamicScattering *work, Piece *piece, uint32_t dimension, int64_t size) {
  const SmtReading *reading = work->reading;
  Wide last = (Wide)reading->shape->sizes[dimension] - size, least, most;
  uint32_t at;
  if (!reading_finds(work->numbers->scatter_dims_to_operand_dims, dimension, &at)) {
    Sum start = scatter_start(work, dimension);
    piece_within(reading->sums, piece, start, 0, last);
    piece_within(reading->sums, piece,
        sum_subtract(reading->sums, reading->index[dimension], start), 0, (Wide)size - 1);
    return;
  }
  ElementType type = operand_leaf_shape(reading, work->indices, 0)->type;
  if (hlo_type_range(type, &least, &most) && most < last) last = most;
  piece_within(
      reading->sums, piece, reading->index[dimension], 0, size == 0 ? -1 : last + size - 1);
}

/* The row of indices at a batch position, whole. */
static void read_row(HloDynamicScattering *work) {
  SmtReading *reading = work->reading;
  const ScatterNumbers *numbers = work->numbers;
  Access *access = reading_access(reading, work->indices, 0);
  uint32_t window = 0;
  hide_batch(work, access, nullptr);
  read_vector(reading, work->indices, access, numbers->index_vector_dim, work->batch);
  for (uint32_t i = 0; i < reading->shape->rank; i++) {
    int64_t size = is_outside_window(numbers, i)
                       ? 1
                       : work->updates->sizes[numbers->update_window_dims.values[window++]];
    within_reach(work, &access->piece, i, size);
  }
}

/* The operands are inputs, indices, updates; the number of updates equals that of inputs. */
bool reads_of_scatter(SmtReading *reading) {
  const ScatterNumbers *numbers = reading->instruction->scatter;
  uint32_t inputs = reading->instruction->operand_count / 2;
  if (numbers == nullptr) return reading_lacks(reading, "a scatter without its numbers");
  HloDynamicScattering work = {.reading = reading, .numbers = numbers, .indices = inputs};
  for (uint32_t k = 0; k < inputs; k++) {
    reading_identity(reading, k, 0);
    work.updates = operand_leaf_shape(reading, inputs + 1 + k, 0);
    work.batch = ARENA_NEW(reading->sums->arena, Sum, work.updates->rank + 1);
    read_update(&work, inputs + 1 + k);
  }
  read_row(&work);
  return true;
}
