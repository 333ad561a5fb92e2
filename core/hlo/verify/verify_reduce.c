/* Reductions: reduce, reduce-window, select-and-scatter, scan. A window of `size` positions,
 * dilated to (size-1)*window_dilation+1, moves by `stride` over the dilated and padded base. It has
 * (padded - window) / stride + 1 positions, or none if it does not fit. If the reducer returns a
 * tuple, so does the reduction, even for one input. */
#include <assert.h>
#include <inttypes.h>

#include "core/base/checked.h"
#include "core/hlo/verify/check.h"

/* (size - 1) * dilation + 1, or 0 for size 0 */
static bool dilated(int64_t size, int64_t dilation, int64_t *result) {
  *result = 0;
  return size == 0 || (mul64(size - 1, dilation, result) && add64(*result, 1, result));
}

bool window_output_size(const Check *check, const WindowDim *window, uint32_t dimension,
    int64_t size, int64_t *output) {
  if (window->size < 1 || window->stride < 1 || window->base_dilation < 1 ||
      window->window_dilation < 1) {
    return check_fail_at(check, "window",
        "size, stride or dilation of window dimension %u is not positive", dimension);
  }
  int64_t base, reach;
  if (!dilated(size, window->base_dilation, &base) ||
      !dilated(window->size, window->window_dilation, &reach) ||
      !add64(base, window->pad_low, &base) || !add64(base, window->pad_high, &base)) {
    return check_fail_at(
        check, "window", "the size of window dimension %u overflows int64", dimension);
  }
  if (base < 0) {
    return check_fail_at(check, "window",
        "the padding leaves window dimension %u the size %" PRId64, dimension, base);
  }
  assert(reach > 0);
  *output = base < reach ? 0 : (base - reach) / window->stride + 1;
  return true;
}

static bool windowed_sizes(const Check *check, const Shape *operand, int64_t **sizes) {
  const Window *window = check->instruction->window;
  uint32_t rank = window == nullptr ? 0 : window->rank;
  if (rank != operand->rank) {
    return check_fail_at(check, "window", "the window has %s, the operand %u",
        counted(rank, "dimension"), operand->rank);
  }
  *sizes = ARENA_NEW(check->arena, int64_t, rank);
  for (uint32_t i = 0; i < rank; i++) {
    if (!window_output_size(check, &window->dims[i], i, operand->sizes[i], &(*sizes)[i]))
      return false;
  }
  return true;
}

/* n inputs of the same sizes and n initial scalars. */
static bool check_inputs(const Check *check, uint32_t *inputs) {
  uint32_t count = check->instruction->operand_count;
  if (count % 2 != 0) {
    return check_fail(
        check, "%s: inputs and as many initial values are needed", counted(count, "operand"));
  }
  *inputs = count / 2;
  for (uint32_t i = 0; i < *inputs; i++) {
    if (!check_array(check, i) || !check_same_sizes(check, 0, i) ||
        !check_scalar(check, *inputs + i))
      return false;
  }
  return true;
}

static bool reduced_shapes(const Check *check, uint32_t inputs, uint32_t rank, const int64_t *sizes,
    const bool *bounds, const Shape **shape) {
  const Shape **shapes = ARENA_NEW(check->arena, const Shape *, inputs);
  const Computation *reducer;
  if (!check_reducer(check, "to_apply", &(ReducerOperands){inputs, inputs, 0}, &reducer))
    return false;
  for (uint32_t i = 0; i < inputs; i++) {
    ElementType type = reducer->parameters[i]->shape->type;
    if (!make_bounded(check, type, rank, sizes, bounds, &shapes[i])) return false;
  }
  *shape = shape_is_tuple(reducer->root->shape) ? shape_tuple(check->arena, inputs, shapes)
                                                : make_result(check, inputs, shapes);
  return true;
}

/* The dimensions in which the size of an input is an upper bound. */
static bool *input_bounds(const Check *check, uint32_t inputs) {
  bool *bounds = dimension_set(check, operand_shape(check, 0)->rank);
  for (uint32_t i = 0; i < inputs; i++) bounds_add(bounds, operand_shape(check, i));
  return bounds;
}

bool infer_reduce(const Check *check, const Shape **shape) {
  uint32_t inputs;
  if (!check_inputs(check, &inputs)) return false;
  const Shape *operand = operand_shape(check, 0);
  Ints dimensions = check->instruction->dimensions;
  if (!check_dimensions(check, "dimensions", dimensions, operand->rank)) return false;
  bool *reduced = dimension_set(check, operand->rank);
  dimension_set_add(reduced, dimensions);
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, operand->rank);
  bool *bounds = dimension_set(check, operand->rank), *all = input_bounds(check, inputs);
  uint32_t rank = 0;
  for (uint32_t i = 0; i < operand->rank; i++) {
    if (reduced[i]) continue;
    bounds[rank] = all[i];
    sizes[rank++] = operand->sizes[i];
  }
  return reduced_shapes(check, inputs, rank, sizes, bounds, shape);
}

bool infer_reduce_window(const Check *check, const Shape **shape) {
  uint32_t inputs;
  int64_t *sizes;
  return check_inputs(check, &inputs) && windowed_sizes(check, operand_shape(check, 0), &sizes) &&
         reduced_shapes(check, inputs, operand_shape(check, 0)->rank, sizes,
             input_bounds(check, inputs), shape);
}

/* The function that compares two elements of a window. */
static bool check_selecting(const Check *check) {
  const Computation *select;
  if (!check_called_once(check, "select", &select) || !check_scalar_parameters(check, select, 2) ||
      !check_parameter_takes(check, select, 0, 0) || !check_parameter_takes(check, select, 1, 0))
    return false;
  return check_returns_pred(check, select);
}

bool infer_select_and_scatter(const Check *check, const Shape **shape) {
  const Computation *scatter;
  int64_t *sizes;
  const Shape *positions;
  *shape = operand_shape(check, 0);
  if (!check_array(check, 0) || !check_array(check, 1) || !check_scalar(check, 2) ||
      !check_selecting(check) ||
      !check_reducer(check, "scatter", &(ReducerOperands){1, 2, 1}, &scatter) ||
      !windowed_sizes(check, *shape, &sizes) ||
      !make_array(check, (*shape)->type, (*shape)->rank, sizes, &positions)) {
    return false;
  }
  return shape_same_sizes(positions, operand_shape(check, 1)) ||
         check_fail(check, "the source is %s, the windows have the places %s",
             shape_words(check, operand_shape(check, 1)), shape_words(check, positions));
}

/* The shape of `element` with a dimension of `size` inserted before `dimension`. */
static bool with_dimension(const Check *check, const Shape *element, uint32_t dimension,
    int64_t size, const Shape **shape) {
  if (!shape_is_array(element) || dimension > element->rank) {
    return check_fail(check,
        "the step returns %s, where no dimension can be inserted before dimension %u",
        shape_words(check, element), dimension);
  }
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, (size_t)element->rank + 1);
  for (uint32_t i = 0; i <= element->rank; i++) {
    sizes[i] = i == dimension ? size : element->sizes[i - (i > dimension)];
  }
  return make_array(check, element->type, element->rank + 1, sizes, shape);
}

/* One dimension, with the same size in every input. */
static bool scanned_size(const Check *check, uint32_t inputs, uint32_t *dimension, int64_t *size) {
  if (!check_arrays(check) || !check_one_dimension(check, operand_shape(check, 0)->rank, dimension))
    return false;
  *size = operand_shape(check, 0)->sizes[*dimension];
  for (uint32_t i = 0; i < inputs; i++) {
    const Shape *input = operand_shape(check, i);
    if (*dimension < input->rank && input->sizes[*dimension] == *size) continue;
    return check_fail(check, "operand %u is %s, not of size %" PRId64 " in dimension %u", i,
        shape_words(check, input), *size, *dimension);
  }
  return true;
}

/* The next value of a carry has the sizes of its initial value. */
static bool check_carry(const Check *check, uint32_t operand, const Shape *next) {
  const Shape *initial = operand_shape(check, operand);
  return (shape_is_array(next) && shape_same_sizes(initial, next)) ||
         check_fail(check, "operand %u is %s, and the step returns %s", operand,
             shape_words(check, initial), shape_words(check, next));
}

/* The step's outputs, each with the scanned dimension inserted, followed by the carries. */
static bool scanned_shapes(
    const Check *check, const Shape *root, uint32_t dimension, int64_t size, const Shape **shape) {
  int64_t carries = check->instruction->number;
  if (root->element_count < carries) {
    return check_fail(check, "the step returns %s for %" PRId64 " carries",
        counted(root->element_count, "value"), carries);
  }
  const Shape **shapes = ARENA_NEW(check->arena, const Shape *, root->element_count);
  for (uint32_t i = 0; i < root->element_count; i++) {
    shapes[i] = root->elements[i];
    bool is_output = i + carries < root->element_count;
    uint32_t operand = check->instruction->operand_count - (root->element_count - i);
    if (is_output ? !with_dimension(check, root->elements[i], dimension, size, &shapes[i])
                  : !check_carry(check, operand, root->elements[i]))
      return false;
  }
  *shape = shape_tuple(check->arena, root->element_count, shapes);
  return true;
}

/* The step takes an input without the scanned dimension, and a carry as it is. */
static bool check_step(
    const Check *check, const Computation *step, uint32_t inputs, uint32_t dimension) {
  for (uint32_t i = 0; i < check->instruction->operand_count; i++) {
    const Shape *operand = operand_shape(check, i), *taken = step->parameters[i]->shape;
    uint32_t left_out = i < inputs ? dimension : operand->rank;
    bool fits = shape_is_array(taken) && taken->rank + (i < inputs) == operand->rank;
    for (uint32_t k = 0; fits && k < taken->rank; k++)
      fits = taken->sizes[k] == operand->sizes[k + (k >= left_out)];
    if (fits) continue;
    return check_fail(check, "operand %u is %s, and the step accepts %s", i,
        shape_words(check, operand), shape_words(check, taken));
  }
  return true;
}

/* The operands are inputs, then `carries` initial values; the step returns outputs, then the next
 * carries. */
bool infer_scan(const Check *check, const Shape **shape) {
  const Instruction *scan = check->instruction;
  const Computation *step;
  uint32_t dimension;
  int64_t size;
  if (scan->number < 0 || scan->number >= scan->operand_count) {
    return check_fail_at(check, "num_carries", "num_carries is %" PRId64 " of %s", scan->number,
        counted(scan->operand_count, "operand"));
  }
  if (!scanned_size(check, scan->operand_count - (uint32_t)scan->number, &dimension, &size) ||
      !check_called_once(check, "to_apply", &step)) {
    return false;
  }
  if (step->parameter_count != scan->operand_count) {
    return check_fail(check, "the step has %s for %s", counted(step->parameter_count, "parameter"),
        counted(scan->operand_count, "operand"));
  }
  if (!check_step(check, step, scan->operand_count - (uint32_t)scan->number, dimension))
    return false;
  const Shape *root = step->root->shape;
  if (shape_is_tuple(root)) return scanned_shapes(check, root, dimension, size, shape);
  *shape = root;
  return scan->number > 0 || with_dimension(check, root, dimension, size, shape);
}
