/* Edits of several numbers of an instruction that only fit together. A dimension of a slice gets a
 * smaller start, stride or size, with the limit and the result's shape that follow. A size of a
 * reshape's operand and one of its result are divided by the same divisor, which keeps the numbers
 * of elements equal; the operand must be a parameter. No edit makes a number greater, so that edits
 * end. The reader rejects a candidate that does not fit the other instructions. */
#include <string.h>

#include "core/base/arena.h"
#include "reduce/reduce_graph.h"

static Shape *resized_shape(
    const ReducedGraph *graph, const Shape *shape, uint32_t dimension, int64_t size) {
  Shape *made = ARENA_NEW(graph->arena, Shape, 1);
  *made = *shape;
  made->sizes = ARENA_NEW(graph->arena, int64_t, shape->rank);
  memcpy(made->sizes, shape->sizes, shape->rank * sizeof *shape->sizes);
  made->sizes[dimension] = size;
  return made;
}

/* --- slices --- */

/* A new size, start and stride; `keeps` leaves the number as it is. */
static constexpr int64_t keeps = -1;
static const struct {
  int64_t size, start, stride;
} slice_edits[] = {
    {1, 0, 1},
    {2, 0, 1},
    {keeps, 0, 1},
    {keeps, 0, keeps},
    {keeps, keeps, 1},
    {keeps, 0, 2},
    {keeps, keeps, 2},
    {1, keeps, keeps},
    {2, keeps, keeps},
    {3, keeps, keeps},
};
static constexpr uint32_t slice_edit_count = sizeof slice_edits / sizeof *slice_edits;

static uint32_t slice_rank(const Instruction *instruction) {
  bool is_slice = instruction->opcode == HLO_SLICE && shape_is_array(instruction->shape) &&
                  instruction->starts.count == instruction->shape->rank &&
                  instruction->limits.count == instruction->shape->rank &&
                  instruction->strides.count == instruction->shape->rank;
  return is_slice ? instruction->shape->rank : 0;
}

uint32_t graph_slice_edits(const ReducedGraph *graph) {
  uint32_t count = 0;
  InstructionPosition position;
  for (uint32_t i = 0; (position = graph_position(graph, i)).instruction != nullptr; i++)
    count += slice_rank(position.instruction) * slice_edit_count;
  return count;
}

static Ints with_value(const ReducedGraph *graph, const Ints *of, uint32_t at, int64_t value) {
  int64_t *values = ARENA_NEW(graph->arena, int64_t, of->count);
  memcpy(values, of->values, of->count * sizeof *values);
  values[at] = value;
  return (Ints){.count = of->count, .values = values};
}

/* The ranges are then printed from the fields, not as they were written. */
static void forget_written_ranges(Instruction *slice) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < slice->attribute_count; i++)
    if (strcmp(slice->attributes[i].name, "slice") != 0)
      slice->attributes[kept++] = slice->attributes[i];
  slice->attribute_count = kept;
}

static bool edit_slice_dimension(
    ReducedGraph *graph, Instruction *slice, uint32_t dimension, uint32_t edit) {
  int64_t old_size = slice->shape->sizes[dimension], old_start = slice->starts.values[dimension],
          old_stride = slice->strides.values[dimension],
          old_limit = slice->limits.values[dimension];
  int64_t size = slice_edits[edit].size == keeps ? old_size : slice_edits[edit].size,
          start = slice_edits[edit].start == keeps ? old_start : slice_edits[edit].start,
          stride = slice_edits[edit].stride == keeps ? old_stride : slice_edits[edit].stride;
  bool is_greater = size > old_size || start > old_start || stride > old_stride || size < 1;
  if (is_greater || (size == old_size && start == old_start && stride == old_stride)) return false;
  int64_t limit = start + (size - 1) * stride + 1;
  if (limit > old_limit) return false;
  forget_written_ranges(slice);
  slice->starts = with_value(graph, &slice->starts, dimension, start);
  slice->limits = with_value(graph, &slice->limits, dimension, limit);
  slice->strides = with_value(graph, &slice->strides, dimension, stride);
  slice->shape = resized_shape(graph, slice->shape, dimension, size);
  return true;
}

bool graph_edit_slice(ReducedGraph *graph, uint32_t number) {
  InstructionPosition position;
  for (uint32_t i = 0; (position = graph_position(graph, i)).instruction != nullptr; i++) {
    uint32_t edits = slice_rank(position.instruction) * slice_edit_count;
    if (number < edits)
      return edit_slice_dimension(
          graph, position.instruction, number / slice_edit_count, number % slice_edit_count);
    number -= edits;
  }
  return false;
}

/* --- reshapes --- */

/* The divisors that are tried: the greatest common one, and it without each of its smallest prime
 * factors. */
static constexpr uint32_t divisor_count = 6;

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The number itself if its factors are large. */
static int64_t smallest_factor(int64_t number) {
  static constexpr int64_t most_tried = 1 << 16;
  for (int64_t factor = 2; factor <= most_tried && factor * factor <= number; factor++)
    if (number % factor == 0) return factor;
  return number;
}

/* Divisor `which` of the number, largest first: the number itself, then after removing smallest
 * prime factors one by one; 1 if there are no more. */
static int64_t divisor_of(int64_t number, uint32_t which) {
  for (; which > 0 && number > 1; which--) number /= smallest_factor(number);
  return number;
}

static uint32_t reshape_edits_of(const Instruction *instruction) {
  bool is_reshape = instruction->opcode == HLO_RESHAPE && instruction->operand_count == 1 &&
                    instruction->operands[0]->opcode == HLO_PARAMETER &&
                    shape_is_array(instruction->shape) &&
                    shape_is_array(instruction->operands[0]->shape);
  return is_reshape
             ? instruction->shape->rank * instruction->operands[0]->shape->rank * divisor_count
             : 0;
}

uint32_t graph_reshape_edits(const ReducedGraph *graph) {
  uint32_t count = 0;
  InstructionPosition position;
  for (uint32_t i = 0; (position = graph_position(graph, i)).instruction != nullptr; i++)
    count += reshape_edits_of(position.instruction);
  return count;
}

static bool divide_sizes(ReducedGraph *graph, Instruction *reshape, uint32_t number) {
  Instruction *operand = reshape->operands[0];
  uint32_t pair = number / divisor_count, rank = operand->shape->rank, from = pair % rank,
           to = pair / rank;
  int64_t before = operand->shape->sizes[from], after = reshape->shape->sizes[to];
  if (before <= 1 || after <= 1) return false;
  int64_t divisor = divisor_of(common_divisor(before, after), number % divisor_count);
  if (divisor <= 1) return false;
  operand->shape = resized_shape(graph, operand->shape, from, before / divisor);
  reshape->shape = resized_shape(graph, reshape->shape, to, after / divisor);
  return true;
}

bool graph_edit_reshape(ReducedGraph *graph, uint32_t number) {
  InstructionPosition position;
  for (uint32_t i = 0; (position = graph_position(graph, i)).instruction != nullptr; i++) {
    uint32_t edits = reshape_edits_of(position.instruction);
    if (number < edits) return divide_sizes(graph, position.instruction, number);
    number -= edits;
  }
  return false;
}
