/* Records that combine elements: reductions, windows, dot and convolution. */
#include <inttypes.h>

#include "fuzz/decoder.h"

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
    if ((bits >> i & 1) == 0)
      dimensions[dropped++] = i;
    else
      value->sizes[kept++] = value->sizes[i];
  }
  value->rank = kept;
  value->has_layout = false;
  return dropped;
}

bool fuzz_write_reduce(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, choose(decoder, 1, 64)), value = operand;
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
  FuzzValue both[2] = {pick_value(decoder, choose(decoder, 1, 64))};
  if (!is_reducible(&both[0])) return false;
  both[1] = both[0];
  if (choose(decoder, 4, 3) != 0) both[1].type = choose(decoder, 4, 3) == 1 ? TYPE_s32 : TYPE_f32;
  both[1] = both[1].type == both[0].type ? pick_alike(decoder, both[0], choose(decoder, 5, 64)) : add_parameter(decoder, both[1]);
  FuzzValue initial[2] = {add_initial(decoder, both[0].type, decoder->record[3]), add_initial(decoder, both[1].type, decoder->record[3] >> 1)};
  FuzzValue values[2] = {both[0], both[1]};
  int64_t dimensions[fuzz_max_rank];
  uint32_t dropped = drop_dimensions(&values[0], decoder->record[2], dimensions);
  dropped = drop_dimensions(&values[1], decoder->record[2], dimensions);
  const char *reducer = reducer_name(decoder, 2, both);
  uint32_t tuple = begin_tuple(decoder, 2, values, "");
  text_printf(&decoder->body, "reduce(v%u, v%u, v%u, v%u)", both[0].id, both[1].id, initial[0].id, initial[1].id);
  print_numbers(&decoder->body, "dimensions", dropped, dimensions);
  text_printf(&decoder->body, ", to_apply=%s\n", reducer);
  take_element(decoder, tuple, 1, values[1]);
  take_element(decoder, tuple, 0, values[0]);
  return true;
}

typedef struct FuzzWindow {
  uint32_t rank;
  int64_t size[fuzz_max_rank], stride[fuzz_max_rank], low[fuzz_max_rank], high[fuzz_max_rank], base[fuzz_max_rank], dilation[fuzz_max_rank];
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
  uint32_t a = decoder->record[at % fuzz_record_bytes], b = decoder->record[(at + 1) % fuzz_record_bytes];
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
  for (uint32_t i = 0; i < rank; i++) text_printf(text, "%s%" PRId64, i == 0 ? "" : "x", numbers[i]);
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
  for (uint32_t i = 0; reversal && i < window->rank; i++) text_printf(text, "%s%d", i == 0 ? "" : "x", window->reversal[i]);
  text_string(text, "}");
}

bool fuzz_write_reduce_window(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, choose(decoder, 1, 64)), value = operand;
  if (!is_reducible(&operand)) return false;
  FuzzWindow window = {.rank = operand.rank};
  for (uint32_t i = 0; i < operand.rank; i++) {
    choose_window(decoder, 3 + 2 * i, i, &window);
    if (window_count(&window, i, operand.sizes[i]) < 0) window.low[i] = window.high[i] = 0;
    value.sizes[i] = window_count(&window, i, operand.sizes[i]);
  }
  if (fuzz_room(&value) > fuzz_max_elements) return false;
  FuzzValue initial = add_initial(decoder, operand.type, decoder->record[2]);
  const char *reducer = reducer_name(decoder, 1, &operand);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "reduce-window(v%u, v%u)", operand.id, initial.id);
  print_window(&decoder->body, &window, false);
  text_printf(&decoder->body, ", to_apply=%s", reducer);
  finish_value(decoder, &value);
  return true;
}

static const char *comparison_name(Decoder *decoder) {
  if ((decoder->reducers >> 30 & 1) == 0)
    text_string(&decoder->computations, "at_least {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = pred[] compare(a, b), direction=GE\n}\n\n");
  decoder->reducers |= 1u << 30;
  return "at_least";
}

bool fuzz_write_select_and_scatter(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, choose(decoder, 1, 64)), source = operand, value = operand;
  if (operand.type != TYPE_f32 || operand.rank == 0) return false;
  FuzzWindow window = {.rank = operand.rank};
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
  text_printf(&decoder->body, "select-and-scatter(v%u, v%u, v%u)", operand.id, source.id, initial.id);
  text_string(&decoder->body, ", window={");
  print_dims(&decoder->body, "size", window.rank, window.size);
  print_dims(&decoder->body, " stride", window.rank, window.stride);
  text_string(&decoder->body, " pad=");
  for (uint32_t i = 0; i < window.rank; i++)
    text_printf(&decoder->body, "%s%" PRId64 "_%" PRId64, i == 0 ? "" : "x", window.low[i], window.high[i]);
  text_printf(&decoder->body, "}, select=%s, scatter=%s", select, scatter);
  finish_value(decoder, &value);
  return true;
}

/* Each dimension of the left side is batch, free or contracting, by two bits; the right side is a new parameter with its dimensions
 * in an order of its own. */
bool fuzz_write_dot(Decoder *decoder) {
  FuzzValue left = pick_value(decoder, choose(decoder, 1, 64));
  if (left.type != TYPE_f32) return false;
  FuzzValue right = {.type = TYPE_f32}, value = {.type = TYPE_f32};
  int64_t batch[2][fuzz_max_rank], contracting[2][fuzz_max_rank], free_sizes[fuzz_max_rank];
  uint32_t batch_count = 0, contracting_count = 0, free_count = 0;
  for (uint32_t i = 0; i < left.rank; i++) {
    uint32_t role = choose_bits(decoder, 8 + i);
    if (role == 1) batch[0][batch_count++] = i;
    if (role >= 2) contracting[0][contracting_count++] = i;
    if (role == 0) free_sizes[free_count++] = left.sizes[i];
  }
  for (uint32_t i = 0; i < batch_count; i++) value.sizes[value.rank++] = left.sizes[batch[0][i]];
  for (uint32_t i = 0; i < free_count; i++) value.sizes[value.rank++] = free_sizes[i];
  bool contracts_first = choose(decoder, 5, 2) != 0, has_free = choose(decoder, 4, 2) != 0 && value.rank < fuzz_max_rank && batch_count + contracting_count < fuzz_max_rank;
  for (uint32_t pass = 0; pass < 2; pass++) {
    bool contracts = (pass == 0) == contracts_first;
    for (uint32_t i = 0; i < (contracts ? contracting_count : batch_count); i++) {
      (contracts ? contracting : batch)[1][i] = right.rank;
      right.sizes[right.rank++] = left.sizes[(contracts ? contracting : batch)[0][i]];
    }
    if (pass == 0 && has_free) right.sizes[right.rank++] = value.sizes[value.rank++] = 1 + choose(decoder, 6, 4);
  }
  if (fuzz_room(&value) > fuzz_max_elements || fuzz_room(&right) > fuzz_max_elements) return false;
  right = add_parameter(decoder, right);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "dot(v%u, v%u)", left.id, right.id);
  print_numbers(&decoder->body, "lhs_batch_dims", batch_count, batch[0]);
  print_numbers(&decoder->body, "lhs_contracting_dims", contracting_count, contracting[0]);
  print_numbers(&decoder->body, "rhs_batch_dims", batch_count, batch[1]);
  print_numbers(&decoder->body, "rhs_contracting_dims", contracting_count, contracting[1]);
  finish_value(decoder, &value);
  return true;
}

typedef struct Groups {
  int64_t feature, batch;
} Groups;

static Groups choose_groups(const Decoder *decoder) {
  switch (choose(decoder, 2, 4)) {
    case 1: return (Groups){2, 1};
    case 2: return (Groups){1, 2};
    default: return (Groups){1, 1};
  }
}

/* Batch, feature and one or two spatial dimensions, in the order that the record says; the input is a new parameter unless the
 * picked value divides as the groups ask. */
bool fuzz_write_convolution(Decoder *decoder) {
  Groups groups = choose_groups(decoder);
  uint32_t spatial = 1 + choose(decoder, 1, 2);
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
    input.sizes[2 + i] = 1 + choose(decoder, 11 + i, 5);
    kernel.sizes[2 + i] = window.size[i];
    if (window_count(&window, i, input.sizes[2 + i]) < 0) window.low[i] = window.high[i] = 0;
    value.sizes[2 + i] = window_count(&window, i, input.sizes[2 + i]);
  }
  if (fuzz_room(&value) > fuzz_max_elements || fuzz_room(&input) > fuzz_max_elements) return false;
  FuzzValue wanted = input;
  wanted.id = decoder->next_id;
  FuzzValue found = pick_alike(decoder, wanted, choose(decoder, 13, 64));
  input = found.id == wanted.id ? add_parameter(decoder, input) : found;
  kernel = add_parameter(decoder, kernel);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "convolution(v%u, v%u)", input.id, kernel.id);
  print_window(&decoder->body, &window, true);
  text_string(&decoder->body, spatial == 1 ? ", dim_labels=bf0_oi0->bf0" : ", dim_labels=bf01_oi01->bf01");
  text_printf(&decoder->body, ", feature_group_count=%" PRId64 ", batch_group_count=%" PRId64, groups.feature, groups.batch);
  finish_value(decoder, &value);
  return true;
}

/* Sorts one operand along one dimension. */
bool fuzz_write_sort(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, choose(decoder, 1, 64)), value = operand;
  if (operand.type != TYPE_f32 || operand.rank == 0) return false;
  const char *comparison = comparison_name(decoder);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "sort(v%u), dimensions={%u}, is_stable=true, to_apply=%s", operand.id, choose(decoder, 2, operand.rank), comparison);
  finish_value(decoder, &value);
  return true;
}
