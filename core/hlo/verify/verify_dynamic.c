/* Operations with offsets known only at run time: dynamic-slice, dynamic-update-slice, gather,
 * scatter.
 *
 * Gather: the result has the slice's dimensions (without the collapsed and the batching ones) at
 * the positions in offset_dims, and between them those of the start indices (without the index
 * vector's), in order. Scatter is the same with the updates as gather's result; its
 * update_window_dims may be in any order: the k-th entry is the position of the window's k-th
 * dimension. */
#include <assert.h>
#include <inttypes.h>

#include "core/hlo/verify/check.h"

/* As in XLA, a pred is no number. */
static bool is_index_type(ElementType type) {
  return element_type_is_integral(type) && type != TYPE_pred;
}

/* One scalar for each dimension; the reader splits a single index vector into scalars. */
static bool check_indices(const Check *check, uint32_t first, uint32_t rank) {
  const Instruction *instruction = check->instruction;
  if (instruction->operand_count != first + rank) {
    return check_fail(check, "%s for %s", counted(instruction->operand_count - first, "index"),
        counted(rank, "dimension"));
  }
  for (uint32_t i = first; i < instruction->operand_count; i++) {
    if (!check_scalar(check, i) || !check_same_types(check, first, i)) return false;
    if (is_index_type(operand_shape(check, i)->type)) continue;
    return check_fail(check, "index %u has element type %s", i - first,
        element_type_name(operand_shape(check, i)->type));
  }
  return true;
}

bool infer_dynamic_slice(const Check *check, const Shape **shape) {
  if (!check_array(check, 0)) return false;
  const Shape *operand = operand_shape(check, 0);
  Ints sizes = check->instruction->sizes;
  if (!check_indices(check, 1, operand->rank) ||
      !check_count(check, "dynamic_slice_sizes", sizes.count, operand->rank)) {
    return false;
  }
  for (uint32_t i = 0; i < operand->rank; i++) {
    if (sizes.values[i] >= 0 && sizes.values[i] <= operand->sizes[i]) continue;
    return check_fail_at(check, "dynamic_slice_sizes",
        "slice size %" PRId64 " of dimension %u is not in [0, %" PRId64 "]", sizes.values[i], i,
        operand->sizes[i]);
  }
  return make_array(check, operand->type, operand->rank, sizes.values, shape);
}

bool infer_dynamic_update_slice(const Check *check, const Shape **shape) {
  *shape = operand_shape(check, 0);
  if (!check_array(check, 0) || !check_array(check, 1) || !check_mixing_types(check, 0, 1))
    return false;
  const Shape *operand = operand_shape(check, 0), *update = operand_shape(check, 1);
  if (!check_indices(check, 2, operand->rank)) return false;
  if (update->rank != operand->rank) {
    return check_fail(check, "the update has rank %u, the operand %u", update->rank, operand->rank);
  }
  for (uint32_t i = 0; i < operand->rank; i++) {
    if (update->sizes[i] <= operand->sizes[i]) continue;
    return check_fail(check,
        "the update's size %" PRId64 " of dimension %u is past the operand's size %" PRId64,
        update->sizes[i], i, operand->sizes[i]);
  }
  return true;
}

/* The common numbers of gather and scatter, with gather's names. */
typedef struct VerifyDynamicNumbers {
  const char *window_name, *collapsed_name, *batching_name, *indices_batching_name, *map_name;
  Ints window, collapsed, batching, indices_batching, map;
  bool window_in_any_order;
  int64_t index_vector_dim;
  const Shape *operand, *indices;
  uint32_t result_rank;
  bool *in_window; /* [result_rank] */
  bool *dropped;   /* [operand rank]: collapsed or batching */
} VerifyDynamicNumbers;

static bool check_index_vector(const Check *check, const VerifyDynamicNumbers *numbers) {
  const Shape *indices = numbers->indices;
  if (!is_index_type(indices->type)) {
    return check_fail(check, "the indices have element type %s", element_type_name(indices->type));
  }
  if (numbers->index_vector_dim < 0 || numbers->index_vector_dim > indices->rank) {
    return check_fail_at(check, "index_vector_dim",
        "index_vector_dim %" PRId64 " is not in [0, %u]", numbers->index_vector_dim, indices->rank);
  }
  int64_t length =
      numbers->index_vector_dim == indices->rank ? 1 : indices->sizes[numbers->index_vector_dim];
  if (numbers->map.count == length) return true;
  return check_fail_at(check, numbers->map_name, "%s has %s, an index vector %" PRId64,
      numbers->map_name, counted(numbers->map.count, "entry"), length);
}

static bool check_disjoint(
    const Check *check, const bool *taken, const char *name, Ints dimensions) {
  for (uint32_t i = 0; i < dimensions.count; i++) {
    if (!taken[dimensions.values[i]]) continue;
    return check_fail_at(
        check, name, "dimension %" PRId64 " of %s is taken already", dimensions.values[i], name);
  }
  return true;
}

static bool check_batching(const Check *check, const VerifyDynamicNumbers *numbers) {
  Ints batching = numbers->batching, indices_batching = numbers->indices_batching;
  bool *batches = dimension_set(check, numbers->operand->rank);
  if (!check_count(check, numbers->indices_batching_name, indices_batching.count, batching.count) ||
      !check_dimensions(
          check, numbers->indices_batching_name, indices_batching, numbers->indices->rank)) {
    return false;
  }
  dimension_set_add(batches, batching);
  if (!check_disjoint(check, batches, numbers->map_name, numbers->map)) return false;
  for (uint32_t i = 0; i < batching.count; i++) {
    int64_t dimension = indices_batching.values[i];
    if (dimension == numbers->index_vector_dim) {
      return check_fail_at(
          check, numbers->indices_batching_name, "index_vector_dim is a batching dimension too");
    }
    int64_t size = numbers->operand->sizes[batching.values[i]],
            of_indices = numbers->indices->sizes[dimension];
    if (size == of_indices) continue;
    return check_fail_at(check, numbers->batching_name,
        "batching dimensions of the sizes %" PRId64 " and %" PRId64, size, of_indices);
  }
  return true;
}

static bool check_numbers(const Check *check, VerifyDynamicNumbers *numbers) {
  uint32_t rank = numbers->operand->rank;
  if (!check_index_vector(check, numbers)) return false;
  bool has_vector = numbers->index_vector_dim < numbers->indices->rank;
  numbers->result_rank = numbers->window.count + numbers->indices->rank - (has_vector ? 1 : 0);
  if (!check_dimensions(check, numbers->window_name, numbers->window, numbers->result_rank) ||
      (!numbers->window_in_any_order &&
          !check_increasing(check, numbers->window_name, numbers->window)) ||
      !check_dimensions(check, numbers->collapsed_name, numbers->collapsed, rank) ||
      !check_increasing(check, numbers->collapsed_name, numbers->collapsed) ||
      !check_dimensions(check, numbers->batching_name, numbers->batching, rank) ||
      !check_increasing(check, numbers->batching_name, numbers->batching) ||
      !check_dimensions(check, numbers->map_name, numbers->map, rank)) {
    return false;
  }
  numbers->dropped = dimension_set(check, rank);
  dimension_set_add(numbers->dropped, numbers->collapsed);
  if (!check_disjoint(check, numbers->dropped, numbers->batching_name, numbers->batching))
    return false;
  dimension_set_add(numbers->dropped, numbers->batching);
  numbers->in_window = dimension_set(check, numbers->result_rank);
  dimension_set_add(numbers->in_window, numbers->window);
  uint32_t kept = rank - numbers->collapsed.count - numbers->batching.count;
  return check_count(check, numbers->window_name, numbers->window.count, kept) &&
         check_batching(check, numbers);
}

/* Puts the sizes of the indices, without the index vector, at the positions outside the window, and
 * likewise whether each is an upper bound. */
static void put_index_sizes(const VerifyDynamicNumbers *numbers, int64_t *sizes, bool *bounds) {
  uint32_t from = 0;
  assert(numbers->in_window != nullptr && numbers->dropped != nullptr);
  for (uint32_t i = 0; i < numbers->result_rank; i++) {
    if (numbers->in_window[i]) continue;
    if (from == numbers->index_vector_dim) from++;
    assert(from < numbers->indices->rank);
    bounds[i] = shape_has_bound(numbers->indices, from);
    sizes[i] = numbers->indices->sizes[from++];
  }
}

/* Puts the sizes of the slice, without the dropped dimensions, at the positions inside the window.
 * A size is an upper bound where the slice has the whole of a bounded dimension. */
static void put_window_sizes(
    const VerifyDynamicNumbers *numbers, const int64_t *slice, int64_t *sizes, bool *bounds) {
  uint32_t from = 0;
  for (uint32_t i = 0; i < numbers->window.count; i++, from++) {
    while (numbers->dropped[from]) from++;
    assert(from < numbers->operand->rank);
    bounds[numbers->window.values[i]] =
        shape_has_bound(numbers->operand, from) && slice[from] == numbers->operand->sizes[from];
    sizes[numbers->window.values[i]] = slice[from];
  }
}

static bool check_slice_sizes(const Check *check, const VerifyDynamicNumbers *numbers, Ints slice) {
  if (!check_count(check, "slice_sizes", slice.count, numbers->operand->rank)) return false;
  for (uint32_t i = 0; i < slice.count; i++) {
    int64_t size = slice.values[i];
    if (size < 0 || size > numbers->operand->sizes[i]) {
      return check_fail_at(check, "slice_sizes",
          "slice size %" PRId64 " of dimension %u is not in [0, %" PRId64 "]", size, i,
          numbers->operand->sizes[i]);
    }
    if (numbers->dropped[i] && size > 1) {
      return check_fail_at(check, "slice_sizes",
          "dimension %u is left out, and its slice size is %" PRId64, i, size);
    }
  }
  return true;
}

static VerifyDynamicNumbers gather_numbers(const Check *check) {
  const GatherNumbers *gather = check->instruction->gather;
  return (VerifyDynamicNumbers){
      .window_name = "offset_dims",
      .window = gather->offset_dims,
      .collapsed_name = "collapsed_slice_dims",
      .collapsed = gather->collapsed_slice_dims,
      .batching_name = "operand_batching_dims",
      .batching = gather->operand_batching_dims,
      .indices_batching_name = "start_indices_batching_dims",
      .indices_batching = gather->start_indices_batching_dims,
      .map_name = "start_index_map",
      .map = gather->start_index_map,
      .index_vector_dim = gather->index_vector_dim,
      .operand = operand_shape(check, 0),
      .indices = operand_shape(check, 1),
  };
}

bool infer_gather(const Check *check, const Shape **shape) {
  const GatherNumbers *gather = check->instruction->gather;
  if (gather == nullptr) return check_fail(check, "the dimension numbers are missing");
  if (!check_arrays(check)) return false;
  VerifyDynamicNumbers numbers = gather_numbers(check);
  if (!check_numbers(check, &numbers) || !check_slice_sizes(check, &numbers, gather->slice_sizes))
    return false;
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, numbers.result_rank);
  bool *bounds = dimension_set(check, numbers.result_rank);
  put_index_sizes(&numbers, sizes, bounds);
  put_window_sizes(&numbers, gather->slice_sizes.values, sizes, bounds);
  return make_bounded(check, numbers.operand->type, numbers.result_rank, sizes, bounds, shape);
}

static bool check_updates(
    const Check *check, const VerifyDynamicNumbers *numbers, const Shape *updates) {
  if (updates->rank != numbers->result_rank) {
    return check_fail(
        check, "the updates have rank %u, not %u", updates->rank, numbers->result_rank);
  }
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, numbers->result_rank);
  bool *bounds = dimension_set(check, numbers->result_rank);
  put_index_sizes(numbers, sizes, bounds);
  put_window_sizes(numbers, numbers->operand->sizes, sizes, bounds);
  for (uint32_t i = 0; i < updates->rank; i++) {
    bool fits =
        numbers->in_window[i] ? updates->sizes[i] <= sizes[i] : updates->sizes[i] == sizes[i];
    if (fits) continue;
    return check_fail(check, "dimension %u of the updates has the size %" PRId64 ", %s %" PRId64, i,
        updates->sizes[i], numbers->in_window[i] ? "past the operand's" : "the indices have",
        sizes[i]);
  }
  return true;
}

/* n arrays, the indices, n updates. */
static bool check_scatter_operands(const Check *check, uint32_t *count) {
  const Computation *combiner;
  if (check->instruction->operand_count % 2 == 0) {
    return check_fail(check, "%s: arrays, indices and as many updates are needed",
        counted(check->instruction->operand_count, "operand"));
  }
  uint32_t n = *count = check->instruction->operand_count / 2;
  if (!check_arrays(check)) return false;
  for (uint32_t i = 0; i < n; i++) {
    if (!check_same_sizes(check, 0, i) || !check_same_sizes(check, n + 1, n + 1 + i) ||
        !check_mixing_types(check, i, n + 1 + i)) {
      return false;
    }
  }
  return check_reducer(check, "to_apply", &(ReducerOperands){n, 0, n + 1}, &combiner);
}

static VerifyDynamicNumbers scatter_numbers(const Check *check, uint32_t count) {
  const ScatterNumbers *scatter = check->instruction->scatter;
  return (VerifyDynamicNumbers){
      .window_name = "update_window_dims",
      .window = scatter->update_window_dims,
      .window_in_any_order = true,
      .collapsed_name = "inserted_window_dims",
      .collapsed = scatter->inserted_window_dims,
      .batching_name = "input_batching_dims",
      .batching = scatter->input_batching_dims,
      .indices_batching_name = "scatter_indices_batching_dims",
      .indices_batching = scatter->scatter_indices_batching_dims,
      .map_name = "scatter_dims_to_operand_dims",
      .map = scatter->scatter_dims_to_operand_dims,
      .index_vector_dim = scatter->index_vector_dim,
      .operand = operand_shape(check, 0),
      .indices = operand_shape(check, count),
  };
}

bool infer_scatter(const Check *check, const Shape **shape) {
  uint32_t count;
  if (check->instruction->scatter == nullptr)
    return check_fail(check, "the dimension numbers are missing");
  if (!check_scatter_operands(check, &count)) return false;
  VerifyDynamicNumbers numbers = scatter_numbers(check, count);
  if (!check_numbers(check, &numbers) ||
      !check_updates(check, &numbers, operand_shape(check, count + 1)))
    return false;
  const Shape **shapes = ARENA_NEW(check->arena, const Shape *, count);
  for (uint32_t i = 0; i < count; i++) shapes[i] = operand_shape(check, i);
  *shape = make_result(check, count, shapes);
  return true;
}
