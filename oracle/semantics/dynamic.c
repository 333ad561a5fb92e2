/* Operations whose offsets are values. Starts are clamped so that the whole window lies inside:
 * start = clamp(value, 0, size - window).
 *   dynamic-slice         out[i] = in[start + i]; every output element reads every offset
 *   dynamic-update-slice  out[i] = update[i - start] inside the window, in[i] outside of it;
 *                         every output element reads every offset
 *   gather                out[batch, offset] = in[start + offset], where the start vector is the
 *                         row `batch` of the indices
 * scatter.c implements scatter. */
#include "oracle/semantics/indexed.h"

bool start_value(Reading *reading, uint32_t operand, int64_t element, int64_t most, Wide *start) {
  return reading->read_value(reading, operand, element, -1, (Wide)most + 1, start);
}

/* Offsets are scalars, one for each dimension, or one operand with one element for each
 * dimension. */
static bool clamped_offset(
    Reading *reading, uint32_t first, uint32_t dimension, int64_t most, int64_t *offset) {
  Wide value;
  bool is_vector = read_operand(reading, first)->rank == 1;
  if (!start_value(
          reading, is_vector ? first : first + dimension, is_vector ? dimension : 0, most, &value))
    return false;
  *offset = (int64_t)wide_clamp(value, 0, most);
  assert(*offset >= 0 && *offset <= most);
  return true;
}

static void read_all_of(Reading *reading, uint32_t first, uint32_t end) {
  for (uint32_t operand = first; operand < end; operand++)
    for (int64_t element = 0;
        read_wants(reading, operand) && element < read_operand(reading, operand)->elements;
        element++)
      read_element(reading, operand, element);
}

bool read_dynamic_slice(Reading *reading) {
  const Instruction *slice = reading->node->instruction;
  const Leaf *in = read_operand(reading, 0), *out = &reading->node->leaves[0];
  int64_t at[oracle_max_rank] = {};
  read_all_of(reading, 1, slice->operand_count);
  if (!read_wants(reading, 0)) return true;
  for (uint32_t i = 0; i < in->rank; i++) {
    int64_t offset;
    if (!clamped_offset(reading, 1, i, in->sizes[i] - out->sizes[i], &offset)) return false;
    at[i] = offset + reading->at[i];
  }
  read_index(reading, 0, at);
  return true;
}

bool read_dynamic_update_slice(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  const Leaf *in = read_operand(reading, 0), *update = read_operand(reading, 1);
  int64_t at[oracle_max_rank] = {};
  bool is_inside = true;
  read_all_of(reading, 2, instruction->operand_count);
  if (!read_wants(reading, 0) && !read_wants(reading, 1)) return true;
  for (uint32_t i = 0; i < in->rank; i++) {
    int64_t offset;
    if (!clamped_offset(reading, 2, i, in->sizes[i] - update->sizes[i], &offset)) return false;
    at[i] = reading->at[i] - offset;
    is_inside = is_inside && at[i] >= 0 && at[i] < update->sizes[i];
  }
  if (is_inside && read_wants(reading, 1)) read_index(reading, 1, at);
  if (!is_inside && read_wants(reading, 0)) read_element(reading, 0, reading->element);
  return true;
}

int64_t index_element(
    const Leaf *indices, int64_t vector_dimension, const int64_t *batch, int64_t component) {
  int64_t at[oracle_max_rank] = {};
  for (uint32_t i = 0, next = 0; i < indices->rank; i++)
    at[i] = i == vector_dimension ? component : batch[next++];
  return leaf_element(indices, at);
}

int64_t batch_position(int64_t dimension, int64_t vector_dimension) {
  assert(dimension >= 0 && dimension != vector_dimension);
  return dimension < vector_dimension ? dimension : dimension - 1;
}

/* Splits an output index of gather into the batch index and the offset in the operand. */
static void split_gather(
    const Reading *reading, const GatherNumbers *numbers, int64_t *batch, int64_t *offset) {
  uint32_t batches = 0, offsets = 0;
  int64_t window[oracle_max_rank] = {};
  for (uint32_t i = 0; i < reading->node->leaves[0].rank; i++) {
    if (ints_has(&numbers->offset_dims, i)) window[offsets++] = reading->at[i];
    else batch[batches++] = reading->at[i];
  }
  assert(
      offsets == numbers->offset_dims.count && offsets + batches == reading->node->leaves[0].rank);
  offsets = 0;
  for (uint32_t i = 0; i < read_operand(reading, 0)->rank; i++) {
    bool is_window = !ints_has(&numbers->collapsed_slice_dims, i) &&
                     !ints_has(&numbers->operand_batching_dims, i);
    offset[i] = is_window ? window[offsets++] : 0;
  }
}

static void read_row(Reading *reading, uint32_t operand, const Ints *components,
    int64_t vector_dimension, const int64_t *batch) {
  for (uint32_t i = 0; i < components->count && read_wants(reading, operand); i++)
    read_element(reading, operand,
        index_element(read_operand(reading, operand), vector_dimension, batch, i));
}

bool read_gather(Reading *reading) {
  const GatherNumbers *numbers = reading->node->instruction->gather;
  if (numbers == nullptr) return read_unsupported(reading);
  const Leaf *in = read_operand(reading, 0), *indices = read_operand(reading, 1);
  int64_t batch[oracle_max_rank] = {}, at[oracle_max_rank] = {};
  split_gather(reading, numbers, batch, at);
  read_row(reading, 1, &numbers->start_index_map, numbers->index_vector_dim, batch);
  if (!read_wants(reading, 0)) return true;
  for (uint32_t i = 0; i < in->rank; i++)
    if (numbers->slice_sizes.values[i] < 1)
      return read_unknowable(reading, "it has slices without elements");
  for (uint32_t i = 0; i < numbers->start_index_map.count; i++) {
    int64_t dimension = numbers->start_index_map.values[i];
    int64_t most = in->sizes[dimension] - numbers->slice_sizes.values[dimension];
    Wide value;
    assert(most >= 0);
    if (!start_value(
            reading, 1, index_element(indices, numbers->index_vector_dim, batch, i), most, &value))
      return false;
    at[dimension] += (int64_t)wide_clamp(value, 0, most);
  }
  for (uint32_t i = 0; i < numbers->operand_batching_dims.count; i++)
    at[numbers->operand_batching_dims.values[i]] = batch[batch_position(
        numbers->start_indices_batching_dims.values[i], numbers->index_vector_dim)];
  read_index(reading, 0, at);
  return true;
}
