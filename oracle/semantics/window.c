/* Operations with windows. Offset w of the window at output position o is at p = o * stride + w *
 * window_dilation - pad_low of the input, whose elements are base_dilation apart. It is element p /
 * base_dilation if that is an integer and inside; everything else is padding.
 * reduce-window: output element o of every output reads the window's elements of every input, and
 * every initial value.
 * select-and-scatter: output element d reads each source element whose window contains d, all
 * operand elements of those windows (their values decide which one is selected), and the initial
 * value.
 * Convention: reducer, select and scatter use all of their parameters. */
#include "oracle/semantics/product.h"

/* Whether input element x lies in the window at output position o. */
static bool is_in_window(const WindowDim *window, Wide o, Wide x) {
  assert(window->window_dilation > 0 && window->base_dilation > 0 && window->stride > 0);
  Wide from_start = x * window->base_dilation + window->pad_low - o * window->stride;
  Wide offset;
  return from_start >= 0 && wide_divides(window->window_dilation, from_start, &offset) &&
         offset < window->size;
}

static bool has_window(Reading *reading, uint32_t rank) {
  const Instruction *instruction = reading->node->instruction;
  if (instruction->window == nullptr ? rank == 0 : instruction->window->rank == rank) return true;
  return reject(reading->rejection, REASON_UNSUPPORTED, "'%s' has no window of rank %u",
      instruction->name, rank);
}

bool read_reduce_window(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  uint32_t inputs = instruction->operand_count / 2;
  assert(instruction->operand_count % 2 == 0);
  if (!has_window(reading, read_operand(reading, 0)->rank)) return false;
  for (uint32_t operand = 0; operand < inputs; operand++) {
    if (!read_wants(reading, operand)) continue;
    Product product;
    product_begin(reading, operand, &product);
    for (uint32_t i = 0; i < product.leaf->rank; i++)
      for (int64_t x = 0; x < product.leaf->sizes[i]; x++)
        if (is_in_window(&instruction->window->dims[i], reading->at[i], x))
          product_add(&product, i, x);
    product_read(reading, &product);
  }
  for (uint32_t operand = inputs; operand < instruction->operand_count; operand++)
    if (read_wants(reading, operand)) read_element(reading, operand, 0);
  return true;
}

/* Adds the source positions whose windows contain d, in one dimension. */
static void add_sources(const WindowDim *window, uint32_t dimension, int64_t d, Product *source) {
  for (int64_t s = 0; s < source->leaf->sizes[dimension]; s++)
    if (is_in_window(window, s, d)) product_add(source, dimension, s);
}

/* Adds the operand elements of the windows at the source positions, in one dimension. */
static void add_windows(
    const WindowDim *window, uint32_t dimension, const Product *source, Product *operand) {
  for (int64_t x = 0; x < operand->leaf->sizes[dimension]; x++)
    for (uint32_t i = 0; i < source->count[dimension]; i++) {
      if (!is_in_window(window, source->positions[dimension][i], x)) continue;
      product_add(operand, dimension, x);
      break;
    }
}

/* The windows are followed as far as the operands that are asked about need them. */
bool read_select_and_scatter(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  Product operand, source;
  if (!has_window(reading, reading->node->leaves[0].rank)) return false;
  bool wants_operand = read_wants(reading, 0), wants_source = read_wants(reading, 1);
  if (wants_operand) product_begin(reading, 0, &operand);
  if (wants_operand || wants_source) product_begin(reading, 1, &source);
  for (uint32_t i = 0; i < reading->node->leaves[0].rank && (wants_operand || wants_source); i++) {
    const WindowDim *window = &instruction->window->dims[i];
    assert(reading->at[i] >= 0 && reading->at[i] < reading->node->leaves[0].sizes[i]);
    add_sources(window, i, reading->at[i], &source);
    if (wants_operand) add_windows(window, i, &source, &operand);
  }
  if (wants_operand && source.leaf->elements > 0) product_read(reading, &operand);
  if (wants_source) product_read(reading, &source);
  if (read_wants(reading, 2)) read_element(reading, 2, 0);
  return true;
}
