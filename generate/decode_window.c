/* Records that combine elements: reductions, windows and convolution. */
#include <inttypes.h>

#include "generate/decoder.h"

static FuzzValue add_initial(Decoder *decoder, ElementType type, uint32_t selector) {
  if (selector % 2 != 0) return add_parameter(decoder, (FuzzValue){.type = type});
  return add_constant(decoder, type, 0);
}

static bool is_reducible(const FuzzValue *operand) {
  return operand->rank > 0 && (operand->type == TYPE_f32 || operand->type == TYPE_s32);
}

/* Drops the dimensions whose bit is set; which are dropped goes to `dimensions`. */
static uint32_t drop_dimensions(FuzzValue *value, uint8_t bits, int64_t *dimensions) {
  uint32_t dropped = 0, kept = 0;
  for (uint32_t i = 0; i < value->rank; i++) {
    if ((bits >> i & 1) == 0) dimensions[dropped++] = i;
    else value->sizes[kept++] = value->sizes[i];
  }
  value->rank = kept;
  value->has_layout = false;
  return dropped;
}

bool fuzz_write_reduce(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value = operand;
  if (!is_reducible(&operand)) return false;
  FuzzValue initial = add_initial(decoder, operand.type, decoder->record[3]);
  int64_t dimensions[fuzz_max_rank];
  uint32_t dropped = drop_dimensions(&value, decoder->record[2], dimensions);
  const char *reducer = reducer_name(decoder, 1, &operand);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "reduce(v%u, v%u)", operand.id, initial.id);
  print_numbers(&decoder->body, "dimensions", dropped, dimensions);
  text_printf(&decoder->body, ", to_apply=%s", reducer);
  finish_value(decoder, &value);
  return true;
}

/* Two operands of the same sizes, of types that may differ; the tuple is taken apart at once. */
bool fuzz_write_variadic_reduce(Decoder *decoder) {
  FuzzValue both[2] = {pick_value(decoder, record_choose(decoder, 1, 64))};
  if (!is_reducible(&both[0])) return false;
  both[1] = both[0];
  if (record_choose(decoder, 4, 3) != 0)
    both[1].type = record_choose(decoder, 4, 3) == 1 ? TYPE_s32 : TYPE_f32;
  both[1] = both[1].type == both[0].type
                ? pick_alike(decoder, both[0], record_choose(decoder, 5, 64))
                : add_parameter(decoder, both[1]);
  FuzzValue initial[2] = {add_initial(decoder, both[0].type, decoder->record[3]),
      add_initial(decoder, both[1].type, decoder->record[3] >> 1)};
  FuzzValue values[2] = {both[0], both[1]};
  int64_t dimensions[fuzz_max_rank];
  uint32_t dropped = drop_dimensions(&values[0], decoder->record[2], dimensions);
  dropped = drop_dimensions(&values[1], decoder->record[2], dimensions);
  const char *reducer = reducer_name(decoder, 2, both);
  uint32_t tuple = begin_tuple(decoder, 2, values, "");
  text_printf(&decoder->body, "reduce(v%u, v%u, v%u, v%u)", both[0].id, both[1].id, initial[0].id,
      initial[1].id);
  print_numbers(&decoder->body, "dimensions", dropped, dimensions);
  text_printf(&decoder->body, ", to_apply=%s\n", reducer);
  take_element(decoder, tuple, 1, values[1]);
  take_element(decoder, tuple, 0, values[0]);
  return true;
}

typedef struct FuzzWindow {
  uint32_t rank;
  int64_t size[fuzz_max_rank], stride[fuzz_max_rank], low[fuzz_max_rank], high[fuzz_max_rank],
      base[fuzz_max_rank], dilation[fuzz_max_rank];
  bool reversal[fuzz_max_rank];
} FuzzWindow;

/* How many windows fit along a dimension; -1 when the padded base would be negative. */
static int64_t window_count(const FuzzWindow *window, uint32_t i, int64_t size) {
  int64_t base = size == 0 ? 0 : (size - 1) * window->base[i] + 1;
  int64_t padded = base + window->low[i] + window->high[i];
  int64_t wide = (window->size[i] - 1) * window->dilation[i] + 1;
  if (padded < 0) return -1;
  return padded < wide ? 0 : (padded - wide) / window->stride[i] + 1;
}

static void choose_window(const Decoder *decoder, uint32_t at, uint32_t i, FuzzWindow *window) {
  uint32_t a = decoder->record[at % fuzz_record_bytes],
           b = decoder->record[(at + 1) % fuzz_record_bytes];
  window->size[i] = 1 + (a & 3);
  window->stride[i] = 1 + (a >> 2 & 3) % 3;
  window->low[i] = (int64_t)(b & 3) - (b >> 6 == 3 ? 2 : 0);
  window->high[i] = (int64_t)(b >> 2 & 3) - (b >> 6 == 3 ? 2 : 0);
  window->base[i] = 1 + (a >> 4 & 1);
  window->dilation[i] = 1 + (a >> 5 & 1);
  window->reversal[i] = (b >> 4 & 1) != 0;
}

static void print_dims(Text *text, const char *name, uint32_t rank, const int64_t *numbers) {
  text_printf(text, "%s=", name);
  for (uint32_t i = 0; i < rank; i++)
    text_printf(text, "%s%" PRId64, i == 0 ? "" : "x", numbers[i]);
}

static void print_window(Text *text, const FuzzWindow *window, bool reversal) {
  text_string(text, ", window={");
  print_dims(text, "size", window->rank, window->size);
  print_dims(text, " stride", window->rank, window->stride);
  text_string(text, " pad=");
  for (uint32_t i = 0; i < window->rank; i++)
    text_printf(text, "%s%" PRId64 "_%" PRId64, i == 0 ? "" : "x", window->low[i], window->high[i]);
  print_dims(text, " lhs_dilate", window->rank, window->base);
  print_dims(text, " rhs_dilate", window->rank, window->dilation);
  if (reversal) text_string(text, " rhs_reversal=");
  for (uint32_t i = 0; reversal && i < window->rank; i++)
    text_printf(text, "%s%d", i == 0 ? "" : "x", window->reversal[i]);
  text_string(text, "}");
}

/* Two operands through one window; the tuple is taken apart at once. */
static void write_double_reduce_window(
    Decoder *decoder, const FuzzWindow *window, FuzzValue operand, FuzzValue value) {
  FuzzValue both[2] = {operand, operand}, values[2] = {value, value};
  if (record_choose(decoder, 12, 2) != 0) {
    both[1].type = values[1].type = operand.type == TYPE_f32 ? TYPE_s32 : TYPE_f32;
    both[1] = value_or_parameter(decoder, both[1], record_choose(decoder, 13, 64));
  } else {
    both[1] = pick_alike(decoder, operand, record_choose(decoder, 13, 64));
  }
  values[0].has_layout = values[1].has_layout = false;
  FuzzValue initial[2] = {add_initial(decoder, both[0].type, decoder->record[2]),
      add_initial(decoder, both[1].type, decoder->record[2] >> 1)};
  const char *reducer = reducer_name(decoder, 2, both);
  uint32_t tuple = begin_tuple(decoder, 2, values, "");
  text_printf(&decoder->body, "reduce-window(v%u, v%u, v%u, v%u)", both[0].id, both[1].id,
      initial[0].id, initial[1].id);
  print_window(&decoder->body, window, false);
  text_printf(&decoder->body, ", to_apply=%s\n", reducer);
  take_element(decoder, tuple, 1, values[1]);
  take_element(decoder, tuple, 0, values[0]);
}

bool fuzz_write_reduce_window(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value = operand;
  if (!is_reducible(&operand)) return false;
  FuzzWindow window = {.rank = operand.rank};
  decoder->bound = operand.rank;
  for (uint32_t i = 0; i < operand.rank; i++) {
    choose_window(decoder, 3 + 2 * i, i, &window);
    if (window_count(&window, i, operand.sizes[i]) < 0) window.low[i] = window.high[i] = 0;
    value.sizes[i] = window_count(&window, i, operand.sizes[i]);
  }
  if (fuzz_room(&value) > fuzz_max_elements) return false;
  if (record_choose(decoder, 11, 4) == 3) {
    write_double_reduce_window(decoder, &window, operand, value);
    return true;
  }
  FuzzValue initial = add_initial(decoder, operand.type, decoder->record[2]);
  const char *reducer = reducer_name(decoder, 1, &operand);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "reduce-window(v%u, v%u)", operand.id, initial.id);
  print_window(&decoder->body, &window, false);
  text_printf(&decoder->body, ", to_apply=%s", reducer);
  finish_value(decoder, &value);
  return true;
}

const char *comparison_name(Decoder *decoder) {
  if ((decoder->reducers >> 30 & 1) == 0)
    text_string(&decoder->computations,
        "at_least {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = pred[] compare(a, b), direction=GE\n}\n\n");
  decoder->reducers |= 1u << 30;
  return "at_least";
}

bool fuzz_write_select_and_scatter(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), source = operand,
            value = operand;
  if (operand.type != TYPE_f32 || operand.rank == 0) return false;
  FuzzWindow window = {.rank = operand.rank};
  decoder->bound = operand.rank;
  for (uint32_t i = 0; i < operand.rank; i++) {
    choose_window(decoder, 3 + 2 * i, i, &window);
    window.base[i] = window.dilation[i] = 1;
    if (window.low[i] < 0) window.low[i] = 0;
    if (window.high[i] < 0) window.high[i] = 0;
    source.sizes[i] = window_count(&window, i, operand.sizes[i]);
  }
  if (fuzz_room(&source) > fuzz_max_elements) return false;
  source = add_parameter(decoder, source);
  FuzzValue initial = add_initial(decoder, TYPE_f32, decoder->record[2]);
  const char *select = comparison_name(decoder), *scatter = reducer_name(decoder, 1, &operand);
  value.has_layout = false;
  begin_value(decoder, &value);
  text_printf(
      &decoder->body, "select-and-scatter(v%u, v%u, v%u)", operand.id, source.id, initial.id);
  text_string(&decoder->body, ", window={");
  print_dims(&decoder->body, "size", window.rank, window.size);
  print_dims(&decoder->body, " stride", window.rank, window.stride);
  text_string(&decoder->body, " pad=");
  for (uint32_t i = 0; i < window.rank; i++)
    text_printf(
        &decoder->body, "%s%" PRId64 "_%" PRId64, i == 0 ? "" : "x", window.low[i], window.high[i]);
  text_printf(&decoder->body, "}, select=%s, scatter=%s", select, scatter);
  finish_value(decoder, &value);
  return true;
}

typedef struct Groups {
  int64_t feature, batch;
} Groups;

static Groups choose_groups(const Decoder *decoder) {
  switch (record_choose(decoder, 2, 4)) {
    case 1: return (Groups){2, 1};
    case 2: return (Groups){1, 2};
    default: return (Groups){1, 1};
  }
}

/* Puts the sizes where the labels stand: dimension k, in the order of `names`, goes to place
 * order[k]. */
static FuzzValue place_labels(
    const FuzzValue *sizes, const char *names, uint32_t byte, char *labels) {
  FuzzValue placed = *sizes;
  int64_t order[fuzz_max_rank];
  permutation_of(byte, sizes->rank, order);
  for (uint32_t i = 0; i < sizes->rank; i++) {
    placed.sizes[order[i]] = sizes->sizes[i];
    labels[order[i]] = names[i];
  }
  return placed;
}

/* Batch, feature and up to two spatial dimensions, in an order for each of input, kernel and output
 * that the record says; the input is a value made before that has these sizes, or a new
 * parameter. */
bool fuzz_write_convolution(Decoder *decoder) {
  Groups groups = choose_groups(decoder);
  uint32_t spatial = record_choose(decoder, 1, 8) == 7 ? 0 : 1 + record_choose(decoder, 1, 2);
  FuzzValue input = {.type = TYPE_f32, .rank = 2 + spatial}, kernel = input, value = input;
  FuzzWindow window = {.rank = spatial};
  input.sizes[0] = groups.batch * (1 + choose_bits(decoder, 12) % 2);
  input.sizes[1] = groups.feature * (1 + choose_bits(decoder, 13) % 2);
  kernel.sizes[0] = groups.feature * groups.batch * (1 + choose_bits(decoder, 14) % 2);
  kernel.sizes[1] = input.sizes[1] / groups.feature;
  value.sizes[0] = input.sizes[0] / groups.batch;
  value.sizes[1] = kernel.sizes[0];
  for (uint32_t i = 0; i < spatial; i++) {
    choose_window(decoder, 6 + 2 * i, i, &window);
    window.size[i] = window.size[i] % 3 + 1;
    input.sizes[2 + i] = 1 + record_choose(decoder, 11 + i, 5);
    kernel.sizes[2 + i] = window.size[i];
    if (window_count(&window, i, input.sizes[2 + i]) < 0) window.low[i] = window.high[i] = 0;
    value.sizes[2 + i] = window_count(&window, i, input.sizes[2 + i]);
  }
  if (fuzz_room(&value) > fuzz_max_elements || fuzz_room(&input) > fuzz_max_elements) return false;
  char labels[3][fuzz_max_rank + 1] = {};
  input = place_labels(&input, "bf01", record_choose(decoder, 4, 256), labels[0]);
  kernel = place_labels(&kernel, "oi01", record_choose(decoder, 5, 256), labels[1]);
  value = place_labels(&value, "bf01", record_choose(decoder, 10, 256), labels[2]);
  decoder->bound = input.rank;
  input = value_or_parameter(decoder, input, record_choose(decoder, 13, 64));
  kernel = add_parameter(decoder, kernel);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "convolution(v%u, v%u)", input.id, kernel.id);
  if (spatial > 0) print_window(&decoder->body, &window, true);
  text_printf(&decoder->body, ", dim_labels=%s_%s->%s", labels[0], labels[1], labels[2]);
  text_printf(&decoder->body, ", feature_group_count=%" PRId64 ", batch_group_count=%" PRId64,
      groups.feature, groups.batch);
  finish_value(decoder, &value);
  return true;
}
