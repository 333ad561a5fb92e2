/* Reductions: every output reads every initial value and, of every input, all elements that are
 * folded into it. Windows: position o of the output covers o*stride + w*window_dilation - pad_low
 * of the dilated input, whose elements are base_dilation apart; positions outside the input or
 * between its elements read nothing. */
#include "smt/semantics/hlo_reading.h"

#include <assert.h>

static void read_initial_values(SmtReading *reading, uint32_t first) {
  for (uint32_t k = first; k < reading->instruction->operand_count; k++) reading_scalar(reading, k);
}

bool reads_of_reduce(SmtReading *reading) {
  uint32_t inputs = reading->instruction->operand_count / 2;
  for (uint32_t k = 0; k < inputs; k++) {
    const Shape *input = operand_leaf_shape(reading, k, 0);
    Access *access = reading_access(reading, k, 0);
    uint32_t kept = 0, at;
    for (uint32_t i = 0; i < access->rank; i++) {
      bool reduced = reading_finds(reading->instruction->dimensions, i, &at);
      access->element[i] =
          reduced ? piece_hidden(reading->sums, &access->piece, "r", 0, (Wide)input->sizes[i] - 1)
                  : reading->index[kept];
      kept += !reduced;
    }
  }
  read_initial_values(reading, inputs);
  return true;
}

bool reads_of_reduce_window(SmtReading *reading) {
  uint32_t inputs = reading->instruction->operand_count / 2;
  const Window *window = reading->instruction->window;
  for (uint32_t k = 0; k < inputs; k++) {
    const Shape *input = operand_leaf_shape(reading, k, 0);
    Access *access = reading_access(reading, k, 0);
    if (window == nullptr || window->rank != access->rank)
      return reading_lacks(reading, "a window of another rank");
    for (uint32_t i = 0; i < access->rank; i++) {
      Sum within =
          piece_hidden(reading->sums, &access->piece, "w", 0, (Wide)window->dims[i].size - 1);
      access->element[i] = reading_in_window(reading->sums, &access->piece, &window->dims[i],
          reading->index[i], within, input->sizes[i]);
    }
  }
  read_initial_values(reading, inputs);
  return true;
}

/* In one dimension: a window `at` (a position of the source) that contains the output's index. */
static Sum window_over(
    Sums *sums, Piece *piece, const WindowDim *window, Sum index, int64_t positions) {
  assert(sums_has(sums, index));
  Sum at = piece_hidden(sums, piece, "window", 0, (Wide)positions - 1);
  Sum within = piece_hidden(sums, piece, "w", 0, (Wide)window->size - 1);
  Sum position = sum_add(
      sums, sum_scale(sums, at, window->stride), sum_scale(sums, within, window->window_dilation));
  piece_equal(sums, piece, sum_plus(sums, position, -(Wide)window->pad_low), index);
  return at;
}

/* The operands are operand, source, initial value. An output element may receive the source of each
 * window that contains it. The values of all elements in these windows decide which, so all of them
 * are read. */
bool reads_of_select_and_scatter(SmtReading *reading) {
  Sums *sums = reading->sums;
  const Window *window = reading->instruction->window;
  const Shape *operand = operand_leaf_shape(reading, 0, 0),
              *source = operand_leaf_shape(reading, 1, 0);
  Access *values = reading_access(reading, 0, 0), *sources = reading_access(reading, 1, 0);
  if (window == nullptr || window->rank != operand->rank)
    return reading_lacks(reading, "a window of another rank");
  for (uint32_t i = 0; i < operand->rank; i++) {
    if (window->dims[i].base_dilation != 1) return reading_lacks(reading, "base dilation");
    sources->element[i] =
        window_over(sums, &sources->piece, &window->dims[i], reading->index[i], source->sizes[i]);
    Sum at =
        window_over(sums, &values->piece, &window->dims[i], reading->index[i], source->sizes[i]);
    Sum within = piece_hidden(sums, &values->piece, "v", 0, (Wide)window->dims[i].size - 1);
    values->element[i] =
        reading_in_window(sums, &values->piece, &window->dims[i], at, within, operand->sizes[i]);
  }
  reading_scalar(reading, 2);
  return true;
}

/* Whether every instruction of the step is elementwise, so that positions outside the scanned
 * dimension do not mix. */
static bool is_pointwise(const Computation *step) {
  for (uint32_t i = 0; i < step->instruction_count; i++) {
    const Instruction *instruction = step->instructions[i];
    OpcodeFamily family = opcode_family(instruction->opcode);
    bool moves = instruction->opcode == HLO_TUPLE || instruction->opcode == HLO_GET_TUPLE_ELEMENT ||
                 family == FAMILY_SOURCE;
    if (!moves && (family != FAMILY_ELEMENTWISE || instruction->opcode == HLO_MAP)) return false;
  }
  return true;
}

/* An output at t reads the inputs at all steps up to t; final carries read them at all steps. */
static void read_scanned_input(
    SmtReading *reading, uint32_t operand, uint32_t dimension, bool is_output) {
  assert(operand < reading->instruction->operand_count);
  Sums *sums = reading->sums;
  Access *access = reading_access(reading, operand, 0);
  Wide last = (Wide)operand_leaf_shape(reading, operand, 0)->sizes[dimension] - 1;
  Sum step = piece_hidden(sums, &access->piece, "t", 0, last);
  for (uint32_t i = 0; i < access->rank; i++) {
    if (i != dimension) access->element[i] = reading->index[is_output || i < dimension ? i : i - 1];
  }
  access->element[dimension] = step;
  if (!is_output) return;
  Sum ahead = sum_subtract(sums, reading->index[dimension], step);
  if (reading->instruction->flag) ahead = sum_scale(sums, ahead, -1);
  piece_within(sums, &access->piece, ahead, 0, last);
}

static void read_carry(SmtReading *reading, uint32_t operand, uint32_t dimension, bool is_output) {
  assert(operand < reading->instruction->operand_count);
  Access *access = reading_access(reading, operand, 0);
  for (uint32_t i = 0; i < access->rank; i++)
    access->element[i] = reading->index[is_output && i >= dimension ? i + 1 : i];
}

/* The operands are inputs and initial carries; the results are outputs and final carries. */
bool reads_of_scan(SmtReading *reading) {
  const Instruction *scan = reading->instruction;
  uint32_t carries = (uint32_t)scan->number, inputs = scan->operand_count - carries,
           dimension = (uint32_t)scan->dimensions.values[0];
  uint32_t outputs = shape_leaf_count(scan->shape) - carries;
  bool is_output = reading->leaf < outputs;
  if (scan->called_count != 1 || !is_pointwise(scan->called[0]))
    return reading_lacks(reading, "a scan whose step mixes positions");
  for (uint32_t k = 0; k < scan->operand_count; k++) {
    uint32_t wanted = reading->shape->rank + (k < inputs ? (is_output ? 0 : 1) : 0) -
                      (k >= inputs && is_output ? 1 : 0);
    if (operand_leaf_shape(reading, k, 0)->rank != wanted)
      return reading_lacks(reading, "a scan of values of several shapes");
    if (k < inputs) read_scanned_input(reading, k, dimension, is_output);
    else read_carry(reading, k, dimension, is_output);
  }
  return true;
}
