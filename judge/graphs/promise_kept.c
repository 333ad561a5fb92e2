/* A tuple of indices is read along index_vector_dim, and the tuples are numbered in row-major order
 * of the other dimensions. Two windows have no element in common if in one dimension their starts
 * are at least a window apart. Refuses batching dimensions, negative indices and tuples that are in
 * another order than the dimensions they name. */
#include "judge/graphs/promise_kept.h"

#include <assert.h>

static constexpr int64_t most_tuples = 2'048;

const Instruction *promise_indices(const Instruction *instruction) {
  assert(instruction->opcode == HLO_GATHER || instruction->opcode == HLO_SCATTER);
  uint32_t at = instruction->opcode == HLO_GATHER ? 1 : instruction->operand_count / 2;
  return instruction->operands[at];
}

const Instruction *before_reshapes(const Instruction *instruction) {
  while (instruction->opcode == HLO_COPY || instruction->opcode == HLO_RESHAPE)
    instruction = instruction->operands[0];
  return instruction;
}

static int64_t index_vector_dim(const Instruction *instruction) {
  return instruction->opcode == HLO_GATHER ? instruction->gather->index_vector_dim
                                           : instruction->scatter->index_vector_dim;
}

IndexForm index_form(const Instruction *instruction) {
  const Shape *shape = promise_indices(instruction)->shape;
  int64_t elements = shape_elements(shape), vector = index_vector_dim(instruction);
  IndexForm form = {.width = 1, .inner = 1};
  if (vector < shape->rank) form.width = shape->sizes[vector];
  for (int64_t i = vector + 1; i < shape->rank; i++) form.inner *= shape->sizes[i];
  form.count = form.width > 0 ? elements / form.width : INT64_MAX;
  if (instruction->opcode == HLO_GATHER) {
    form.dims = &instruction->gather->start_index_map;
    form.batching = &instruction->gather->operand_batching_dims;
    form.along_these = &instruction->gather->start_indices_batching_dims;
  } else {
    form.dims = &instruction->scatter->scatter_dims_to_operand_dims;
    form.batching = &instruction->scatter->input_batching_dims;
    form.along_these = &instruction->scatter->scatter_indices_batching_dims;
  }
  return form;
}

static int64_t iota_element(const Instruction *iota, int64_t position) {
  int64_t inner = 1;
  for (int64_t i = iota->number + 1; i < iota->shape->rank; i++) inner *= iota->shape->sizes[i];
  return position / inner % iota->shape->sizes[iota->number];
}

static bool has_elements(const Instruction *constant) {
  return constant->opcode == HLO_CONSTANT && constant->literal.count > 0 &&
         constant->literal.count == shape_elements(constant->shape);
}

/* False if the element is not known. */
static bool source_element(const Instruction *source, int64_t position, int64_t *value) {
  ElementType type = source->shape->type;
  if (type != TYPE_s32 && type != TYPE_s64 && type != TYPE_u32 && type != TYPE_u64) return false;
  if (source->opcode == HLO_BROADCAST && source->operands[0]->shape->rank == 0) {
    source = source->operands[0];
    position = 0;
  }
  if (source->opcode == HLO_IOTA) *value = iota_element(source, position);
  else if (has_elements(source)) *value = source->literal.values[position];
  else return false;
  return *value >= 0;
}

typedef struct IndexTuples {
  const Instruction *source;
  IndexForm form;
} IndexTuples;

static IndexTuples tuples_of(const Instruction *instruction) {
  return (IndexTuples){before_reshapes(promise_indices(instruction)), index_form(instruction)};
}

/* False if the component is not known. */
static bool tuple_component(const IndexTuples *tuples, int64_t tuple, int64_t at, int64_t *value) {
  const IndexForm *form = &tuples->form;
  int64_t outer = tuple / form->inner, inner = tuple % form->inner;
  return source_element(tuples->source, (outer * form->width + at) * form->inner + inner, value);
}

static bool can_enumerate(const IndexForm *form) {
  if (form->batching->count > 0 || form->count > most_tuples) return false;
  for (uint32_t i = 1; i < form->dims->count; i++)
    if (form->dims->values[i - 1] > form->dims->values[i]) return false;
  return true;
}

static bool ascends(const IndexTuples *tuples, int64_t tuple) {
  for (int64_t i = 0; i < tuples->form.width; i++) {
    int64_t low, high;
    if (!tuple_component(tuples, tuple, i, &low) || !tuple_component(tuples, tuple + 1, i, &high))
      return false;
    if (low != high) return low < high;
  }
  return true;
}

bool indices_ascend(const Instruction *instruction) {
  IndexTuples tuples = tuples_of(instruction);
  bool ascend = tuples.form.count <= 1 || can_enumerate(&tuples.form);
  for (int64_t i = 0; ascend && i + 1 < tuples.form.count; i++) ascend = ascends(&tuples, i);
  return ascend;
}

static bool names_dim(const Ints *dims, int64_t dim) {
  for (uint32_t i = 0; i < dims->count; i++)
    if (dims->values[i] == dim) return true;
  return false;
}

static bool has_window(const ScatterNumbers *numbers, int64_t dim) {
  return !names_dim(&numbers->inserted_window_dims, dim) &&
         !names_dim(&numbers->input_batching_dims, dim);
}

/* The size of the window in a dimension of the operand. */
static int64_t window_size(const Instruction *scatter, int64_t dim) {
  const ScatterNumbers *numbers = scatter->scatter;
  const Shape *updates = scatter->operands[scatter->operand_count / 2 + 1]->shape;
  uint32_t at = 0;
  if (!has_window(numbers, dim)) return 1;
  for (int64_t i = 0; i < dim; i++) at += has_window(numbers, i);
  assert(at < numbers->update_window_dims.count);
  return updates->sizes[numbers->update_window_dims.values[at]];
}

bool windows_are_as_small(const Instruction *first, const Instruction *second) {
  const Ints *dims = index_form(second).dims;
  for (uint32_t i = 0; i < dims->count; i++)
    if (window_size(second, dims->values[i]) > window_size(first, dims->values[i])) return false;
  return true;
}

static bool tuples_apart(
    const Instruction *scatter, const IndexTuples *tuples, int64_t a, int64_t b) {
  for (int64_t i = 0; i < tuples->form.width; i++) {
    int64_t one, other;
    if (!tuple_component(tuples, a, i, &one) || !tuple_component(tuples, b, i, &other))
      return false;
    int64_t size = window_size(scatter, tuples->form.dims->values[i]);
    if (one - other >= size || other - one >= size) return true;
  }
  return false;
}

/* A gather reads one index as often as it likes, so its windows are not looked at. */
bool indices_are_apart(const Instruction *scatter) {
  if (scatter->opcode != HLO_SCATTER) return false;
  IndexTuples tuples = tuples_of(scatter);
  bool apart = tuples.form.count <= 1 || can_enumerate(&tuples.form);
  for (int64_t i = 0; apart && i < tuples.form.count; i++)
    for (int64_t k = 0; apart && k < i; k++) apart = tuples_apart(scatter, &tuples, i, k);
  return apart;
}
