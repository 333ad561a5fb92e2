/* Operations whose offsets are values. Starts are clamped so that the whole window lies inside: start = clamp(value, 0, size - window).
 *   dynamic-slice         out[i] = in[start + i]; every output element reads every offset
 *   dynamic-update-slice  out[i] = update[i - start] inside the window, in[i] outside of it; every output element reads every offset
 *   gather                out[batch, offset] = in[start + offset], the start vector being the row `batch` of the indices
 *   scatter               out[i] = in[i] combined with each update element whose place is i; an update window that does not lie inside wholly is
 *                         skipped (not clamped); every output element reads all indices
 * Convention: scatter's combiner is taken to use both of its sides. */
#include "oracle/product.h"

static bool names(const Ints *dimensions, int64_t dimension) {
  for (uint32_t i = 0; i < dimensions->count; i++)
    if (dimensions->values[i] == dimension) return true;
  return false;
}

/* Values from 0 .. most make a difference, and one on either side. */
static bool start_value(Reading *reading, uint32_t operand, int64_t element, int64_t most, Wide *start) {
  return read_value(reading, operand, element, -1, (Wide)most + 1, start);
}

/* Offsets are scalars, one for each dimension, or one operand with one element for each. */
static bool clamped_offset(Reading *reading, uint32_t first, uint32_t dimension, int64_t most, int64_t *offset) {
  Wide value;
  bool is_vector = read_operand(reading, first)->rank == 1;
  if (!start_value(reading, is_vector ? first : first + dimension, is_vector ? dimension : 0, most, &value)) return false;
  *offset = (int64_t)wide_clamp(value, 0, most);
  return true;
}

static void read_all_of(Reading *reading, uint32_t first, uint32_t end) {
  for (uint32_t operand = first; operand < end; operand++)
    for (int64_t element = 0; read_wants(reading, operand) && element < read_operand(reading, operand)->elements; element++)
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

/* The index of component `component` of the row of indices that belongs to a batch index; a row behind the last dimension has one component. */
static int64_t index_element(const Leaf *indices, int64_t vector_dimension, const int64_t *batch, int64_t component) {
  int64_t at[oracle_max_rank] = {};
  for (uint32_t i = 0, next = 0; i < indices->rank; i++)
    at[i] = i == vector_dimension ? component : batch[next++];
  return leaf_element(indices, at);
}

/* The position of a dimension of the indices among those that are left without the index vector's. */
static int64_t batch_position(int64_t dimension, int64_t vector_dimension) {
  return dimension < vector_dimension ? dimension : dimension - 1;
}

/* Splits an output index of gather into batch index and offset in the operand. */
static void split_gather(const Reading *reading, const GatherNumbers *numbers, int64_t *batch, int64_t *offset) {
  uint32_t batches = 0, offsets = 0;
  int64_t window[oracle_max_rank] = {};
  for (uint32_t i = 0; i < reading->node->leaves[0].rank; i++) {
    if (names(&numbers->offset_dims, i)) window[offsets++] = reading->at[i];
    else batch[batches++] = reading->at[i];
  }
  offsets = 0;
  for (uint32_t i = 0; i < read_operand(reading, 0)->rank; i++) {
    bool is_window = !names(&numbers->collapsed_slice_dims, i) && !names(&numbers->operand_batching_dims, i);
    offset[i] = is_window ? window[offsets++] : 0;
  }
}

static void read_row(Reading *reading, uint32_t operand, const Ints *components, int64_t vector_dimension, const int64_t *batch) {
  for (uint32_t i = 0; i < components->count && read_wants(reading, operand); i++)
    read_element(reading, operand, index_element(read_operand(reading, operand), vector_dimension, batch, i));
}

bool read_gather(Reading *reading) {
  const GatherNumbers *numbers = reading->node->instruction->gather;
  if (numbers == nullptr) return read_unsupported(reading);
  const Leaf *in = read_operand(reading, 0), *indices = read_operand(reading, 1);
  int64_t batch[oracle_max_rank] = {}, at[oracle_max_rank] = {};
  split_gather(reading, numbers, batch, at);
  read_row(reading, 1, &numbers->start_index_map, numbers->index_vector_dim, batch);
  if (!read_wants(reading, 0)) return true;
  for (uint32_t i = 0; i < numbers->start_index_map.count; i++) {
    int64_t dimension = numbers->start_index_map.values[i];
    int64_t most = in->sizes[dimension] - numbers->slice_sizes.values[dimension];
    Wide value;
    if (!start_value(reading, 1, index_element(indices, numbers->index_vector_dim, batch, i), most, &value)) return false;
    at[dimension] += (int64_t)wide_clamp(value, 0, most);
  }
  for (uint32_t i = 0; i < numbers->operand_batching_dims.count; i++)
    at[numbers->operand_batching_dims.values[i]] =
        batch[batch_position(numbers->start_indices_batching_dims.values[i], numbers->index_vector_dim)];
  read_index(reading, 0, at);
  return true;
}

/* One update of a scatter: the index of its row of indices, its offset in the window, and the window's size, in the operand's dimensions. */
typedef struct Update {
  int64_t batch[oracle_max_rank], offset[oracle_max_rank], window[oracle_max_rank];
} Update;

static void split_update(const Reading *reading, const ScatterNumbers *numbers, const Leaf *updates, const int64_t *at,
                         Update *update) {
  uint32_t batches = 0, windows = 0;
  int64_t offset[oracle_max_rank] = {}, size[oracle_max_rank] = {};
  for (uint32_t i = 0; i < updates->rank; i++) {
    if (!names(&numbers->update_window_dims, i)) {
      update->batch[batches++] = at[i];
      continue;
    }
    offset[windows] = at[i];
    size[windows++] = updates->sizes[i];
  }
  windows = 0;
  for (uint32_t i = 0; i < reading->node->leaves[0].rank; i++) {
    bool is_window = !names(&numbers->inserted_window_dims, i) && !names(&numbers->input_batching_dims, i);
    update->offset[i] = is_window ? offset[windows] : 0;
    update->window[i] = is_window ? size[windows++] : 1;
  }
}

/* Whether the update's window lies inside, and its element falls on the output element. */
static bool hits(Reading *reading, const ScatterNumbers *numbers, uint32_t indices, const Update *update, bool *answer) {
  const Leaf *out = &reading->node->leaves[0];
  Wide start[oracle_max_rank] = {};
  *answer = true;
  for (uint32_t i = 0; i < numbers->input_batching_dims.count; i++)
    start[numbers->input_batching_dims.values[i]] =
        update->batch[batch_position(numbers->scatter_indices_batching_dims.values[i], numbers->index_vector_dim)];
  for (uint32_t i = 0; i < numbers->scatter_dims_to_operand_dims.count; i++) {
    int64_t dimension = numbers->scatter_dims_to_operand_dims.values[i];
    int64_t most = out->sizes[dimension] - update->window[dimension];
    int64_t element = index_element(read_operand(reading, indices), numbers->index_vector_dim, update->batch, i);
    if (!start_value(reading, indices, element, most, &start[dimension])) return false;
    *answer = *answer && start[dimension] >= 0 && start[dimension] <= most;
  }
  for (uint32_t i = 0; i < out->rank; i++)
    *answer = *answer && start[i] + update->offset[i] == reading->at[i];
  return true;
}

static bool wants_update(const Reading *reading, uint32_t inputs, int64_t element) {
  for (uint32_t i = 0; i < inputs; i++)
    if (read_wants_element(reading, inputs + 1 + i, element)) return true;
  return false;
}

static bool read_updates(Reading *reading, const ScatterNumbers *numbers, uint32_t inputs) {
  const Leaf *updates = read_operand(reading, inputs + 1);
  int64_t at[oracle_max_rank] = {};
  for (int64_t element = 0; element < updates->elements; element++, leaf_next(updates, at)) {
    Update update;
    bool is_hit;
    if (!wants_update(reading, inputs, element)) continue;
    split_update(reading, numbers, updates, at, &update);
    if (!hits(reading, numbers, inputs, &update, &is_hit)) return false;
    for (uint32_t i = 0; i < inputs && is_hit; i++)
      if (read_wants_element(reading, inputs + 1 + i, element)) read_element(reading, inputs + 1 + i, element);
  }
  return true;
}

bool read_scatter(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  const ScatterNumbers *numbers = instruction->scatter;
  uint32_t inputs = instruction->operand_count / 2;
  bool wants_updates = false;
  if (numbers == nullptr || instruction->operand_count % 2 == 0) return read_unsupported(reading);
  for (uint32_t i = 0; i < inputs; i++) {
    if (read_wants(reading, i)) read_element(reading, i, reading->element);
    wants_updates = wants_updates || read_wants(reading, inputs + 1 + i);
  }
  read_all_of(reading, inputs, inputs + 1);
  return !wants_updates || read_updates(reading, numbers, inputs);
}
