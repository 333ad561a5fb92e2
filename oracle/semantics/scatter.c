/* scatter: out[i] = in[i] combined with each update element placed at i. A row of indices places
 * one window of updates; a window that is not completely inside is skipped, not clamped. So a row
 * contributes at most one update element to an output element, at the output's offset from the
 * row's start. Index values of a row are queried only until the row is known to miss. An output
 * element reads the rows of indices of which some values, of their type, place a window at it.
 * Convention: the combiner uses both of its arguments. */
#include "oracle/semantics/arithmetic.h"
#include "oracle/semantics/indexed.h"

ScatterRows scatter_rows(const Node *scatter) {
  const ScatterNumbers *numbers = scatter->instruction->scatter;
  uint32_t inputs = scatter->instruction->operand_count / 2, windows = 0;
  ScatterRows rows = {.numbers = numbers,
      .out = &scatter->leaves[0],
      .indices = &scatter->operands[inputs]->leaves[0],
      .updates = &scatter->operands[inputs + 1]->leaves[0],
      .indices_operand = inputs};
  for (uint32_t i = 0; i < rows.updates->rank; i++) {
    if (!ints_has(&numbers->update_window_dims, i)) rows.batch_dimensions[rows.batch_rank++] = i;
  }
  for (uint32_t i = 0; i < rows.out->rank; i++) {
    bool is_window =
        !ints_has(&numbers->inserted_window_dims, i) && !ints_has(&numbers->input_batching_dims, i);
    rows.window_dimensions[i] =
        is_window ? (uint32_t)numbers->update_window_dims.values[windows++] : no_operand;
  }
  assert(windows == numbers->update_window_dims.count);
  return rows;
}

int64_t scatter_rows_count(const ScatterRows *rows) {
  int64_t count = 1;
  for (uint32_t i = 0; i < rows->batch_rank; i++)
    count *= rows->updates->sizes[rows->batch_dimensions[i]];
  return count;
}

int64_t scatter_row_count(const Node *scatter) {
  ScatterRows rows = scatter_rows(scatter);
  return scatter_rows_count(&rows);
}

int64_t scatter_row_of(const Node *scatter, int64_t element) {
  ScatterRows rows = scatter_rows(scatter);
  int64_t at[oracle_max_rank] = {}, row = 0;
  leaf_index(rows.updates, element, at);
  for (uint32_t i = 0; i < rows.batch_rank; i++)
    row = row * rows.updates->sizes[rows.batch_dimensions[i]] + at[rows.batch_dimensions[i]];
  assert(row < scatter_rows_count(&rows));
  return row;
}

static void next_batch(const ScatterRows *rows, int64_t *batch) {
  for (uint32_t i = rows->batch_rank; i-- > 0;) {
    if (++batch[i] < rows->updates->sizes[rows->batch_dimensions[i]]) return;
    batch[i] = 0;
  }
}

/* The update's offset in one dimension of the output, for a window that starts at `start`. False if
 * the window or the offset lies outside. */
static bool is_hit_along(
    const ScatterRows *rows, uint32_t dimension, Wide start, int64_t at, int64_t *update) {
  uint32_t window = rows->window_dimensions[dimension];
  int64_t size = window == no_operand ? 1 : rows->updates->sizes[window];
  assert(at >= 0 && at < rows->out->sizes[dimension]);
  if (start < 0 || start > rows->out->sizes[dimension] - size || at < start || at - start >= size)
    return false;
  if (window != no_operand) update[window] = (int64_t)(at - start);
  return true;
}

int64_t scatter_batch_start(const ScatterRows *rows, const int64_t *batch, uint32_t dimension) {
  const ScatterNumbers *numbers = rows->numbers;
  uint32_t k = ints_find(&numbers->input_batching_dims, dimension);
  if (k == UINT32_MAX) return 0;
  return batch[batch_position(
      numbers->scatter_indices_batching_dims.values[k], numbers->index_vector_dim)];
}

static bool is_hit_by_batch(
    const ScatterRows *rows, const int64_t *batch, const int64_t *at, int64_t *update) {
  for (uint32_t i = 0; i < rows->out->rank; i++)
    if (!ints_has(&rows->numbers->scatter_dims_to_operand_dims, i) &&
        !is_hit_along(rows, i, scatter_batch_start(rows, batch, i), at[i], update))
      return false;
  return true;
}

static bool is_hit_by_indices(Reading *reading, const ScatterRows *rows, const int64_t *batch,
    int64_t *update, bool *is_hit) {
  const Ints *placed = &rows->numbers->scatter_dims_to_operand_dims;
  *is_hit = true;
  for (uint32_t i = 0; i < placed->count && *is_hit; i++) {
    uint32_t dimension = (uint32_t)placed->values[i], window = rows->window_dimensions[dimension];
    int64_t most =
        rows->out->sizes[dimension] - (window == no_operand ? 1 : rows->updates->sizes[window]);
    int64_t element = index_element(rows->indices, rows->numbers->index_vector_dim, batch, i);
    assert(element >= 0 && element < rows->indices->elements);
    Wide start;
    if (!start_value(reading, rows->indices_operand, element, most, &start)) return false;
    *is_hit = is_hit_along(rows, dimension, start, reading->at[dimension], update);
  }
  return true;
}

static bool read_updates(Reading *reading, uint32_t inputs) {
  ScatterRows rows = scatter_rows(reading->node);
  int64_t batch[oracle_max_rank] = {},
          count = rows.updates->elements == 0 ? 0 : scatter_rows_count(&rows);
  for (int64_t row = 0; row < count; row++, next_batch(&rows, batch)) {
    int64_t update[oracle_max_rank] = {};
    bool is_hit;
    if (reading->rows != nullptr && !reading->rows[row]) continue;
    if (!is_hit_by_batch(&rows, batch, reading->at, update)) continue;
    if (!is_hit_by_indices(reading, &rows, batch, update, &is_hit)) return false;
    if (!is_hit) continue;
    for (uint32_t i = 0; i < rows.batch_rank; i++) update[rows.batch_dimensions[i]] = batch[i];
    for (uint32_t i = inputs + 1; i < reading->node->instruction->operand_count; i++)
      if (read_wants(reading, i)) read_index(reading, i, update);
  }
  return true;
}

/* Whether some index values place a window at the output element along the placed dimensions. */
static bool may_be_hit(const Reading *reading, const ScatterRows *rows) {
  const Ints *placed = &rows->numbers->scatter_dims_to_operand_dims;
  ElementType type = rows->indices->shape->type;
  for (uint32_t i = 0; i < placed->count; i++) {
    uint32_t dimension = (uint32_t)placed->values[i], window = rows->window_dimensions[dimension];
    int64_t size = window == no_operand ? 1 : rows->updates->sizes[window];
    Wide at = reading->at[dimension], most = (Wide)rows->out->sizes[dimension] - size;
    Wide first = wide_clamp(at - size + 1, 0, INT64_MAX), last = at < most ? at : most;
    if (first < integer_lowest(type)) first = integer_lowest(type);
    if (last > integer_highest(type)) last = integer_highest(type);
    if (first > last) return false;
  }
  return true;
}

static void read_rows(Reading *reading, uint32_t inputs) {
  ScatterRows rows = scatter_rows(reading->node);
  int64_t batch[oracle_max_rank] = {}, update[oracle_max_rank] = {};
  int64_t count =
      rows.updates->elements == 0 || !may_be_hit(reading, &rows) ? 0 : scatter_rows_count(&rows);
  for (int64_t row = 0; row < count; row++, next_batch(&rows, batch)) {
    if (!is_hit_by_batch(&rows, batch, reading->at, update)) continue;
    for (uint32_t i = 0; i < rows.numbers->scatter_dims_to_operand_dims.count; i++)
      read_element(
          reading, inputs, index_element(rows.indices, rows.numbers->index_vector_dim, batch, i));
  }
}

bool read_scatter(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  uint32_t inputs = instruction->operand_count / 2;
  bool wants_updates = false;
  if (instruction->scatter == nullptr || instruction->operand_count % 2 == 0)
    return read_unsupported(reading);
  for (uint32_t i = 0; i < inputs; i++) {
    if (read_wants(reading, i)) read_element(reading, i, reading->element);
    wants_updates = wants_updates || read_wants(reading, inputs + 1 + i);
  }
  if (read_wants(reading, inputs)) read_rows(reading, inputs);
  return !wants_updates || read_updates(reading, inputs);
}
