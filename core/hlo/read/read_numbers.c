/* Values of attributes that consist of integers. The verifier compares sizes with other fields;
 * here only the attribute itself is checked. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/hlo/read/reader.h"

Ints take_ints(Reader *reader, const IntList *list) {
  Ints ints = {.count = list->count, .values = ARENA_NEW(reader->arena, int64_t, list->count)};
  if (list->count > 0) memcpy(ints.values, list->items, list->count * sizeof *list->items);
  return ints;
}

static bool read_item(Reader *reader, IntList *list, const char *what) {
  int64_t *item = ARENA_PUSH(reader->scratch, list);
  return scan_integer(&reader->scan, item, what);
}

bool read_int_list(Reader *reader, char opening, char separator, char closing, IntList *list) {
  Scanner *scan = &reader->scan;
  if (!scan_expect(scan, opening, "before a list of integers")) return false;
  if (scan_accept(scan, closing)) return true;
  do {
    if (!read_item(reader, list, "an integer")) return false;
  } while (scan_accept(scan, separator));
  return scan_expect(scan, closing, "after a list of integers");
}

bool read_ints(Reader *reader, Ints *ints) {
  IntList list = {};
  if (!read_int_list(reader, '{', ',', '}', &list)) return false;
  *ints = take_ints(reader, &list);
  return true;
}

/* 1x2x3 */
static bool read_product(Reader *reader, IntList *list) {
  do {
    if (!read_item(reader, list, "an integer")) return false;
  } while (scan_accept_here(&reader->scan, 'x'));
  return true;
}

/* 0_1x2_3: low and high, alternating */
static bool read_edges(Reader *reader, IntList *list) {
  do {
    if (!read_item(reader, list, "an integer") ||
        !scan_expect(&reader->scan, '_', "between low and high padding") ||
        !read_item(reader, list, "an integer")) {
      return false;
    }
  } while (scan_accept_here(&reader->scan, 'x'));
  return true;
}

typedef enum WindowPart : uint8_t {
  PART_SIZE,
  PART_STRIDE,
  PART_PAD,
  PART_LHS_DILATE,
  PART_RHS_DILATE,
  PART_RHS_REVERSAL,
} WindowPart;
static constexpr uint32_t window_part_count = 6;
static const char *const window_parts[] = {
    "size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};

static bool read_window_part(Reader *reader, IntList *parts) {
  Scanner *scan = &reader->scan;
  Slice name;
  if (!scan_accept_word(scan, &name)) return scan_fail(scan, "a part of a window or '}'");
  uint32_t part = 0;
  while (part < window_part_count && !slice_is(name, window_parts[part])) part++;
  if (part == window_part_count) {
    return read_fail(reader, ERROR_INPUT, name.offset, name.length,
        "expected size, stride, pad, lhs_dilate, rhs_dilate or rhs_reversal");
  }
  if (parts[part].count > 0) {
    return read_fail(reader, ERROR_INPUT, name.offset, name.length, "the window has '%s' twice",
        window_parts[part]);
  }
  if (!scan_expect(scan, '=', "after a window's part")) return false;
  return part == PART_PAD ? read_edges(reader, &parts[part]) : read_product(reader, &parts[part]);
}

static bool window_parts_agree(Reader *reader, const IntList *parts, size_t start) {
  for (uint32_t i = 1; i < window_part_count; i++) {
    uint32_t count = i == PART_PAD ? parts[i].count / 2 : parts[i].count;
    if (count == 0 || count == parts[PART_SIZE].count) continue;
    return read_fail(reader, ERROR_INPUT, start, reader->scan.at - start,
        "the window's %s has %s, its size %u", window_parts[i], counted(count, "dimension"),
        parts[PART_SIZE].count);
  }
  return true;
}

static bool reversals_are_flags(Reader *reader, const IntList *reversals, size_t start) {
  for (uint32_t i = 0; i < reversals->count; i++) {
    if (reversals->items[i] == 0 || reversals->items[i] == 1) continue;
    return read_fail(reader, ERROR_INPUT, start, reader->scan.at - start,
        "the window's rhs_reversal is %" PRId64 ", not 0 or 1", reversals->items[i]);
  }
  return true;
}

static WindowDim window_dim(const IntList *parts, uint32_t i) {
  assert(i < parts[PART_SIZE].count);
#define PART_OR(part, other) (parts[part].count > 0 ? parts[part].items[i] : (other))
  return (WindowDim){
      .size = parts[PART_SIZE].items[i],
      .stride = PART_OR(PART_STRIDE, 1),
      .pad_low = parts[PART_PAD].count > 0 ? parts[PART_PAD].items[2 * i] : 0,
      .pad_high = parts[PART_PAD].count > 0 ? parts[PART_PAD].items[2 * i + 1] : 0,
      .base_dilation = PART_OR(PART_LHS_DILATE, 1),
      .window_dilation = PART_OR(PART_RHS_DILATE, 1),
      .reversal = PART_OR(PART_RHS_REVERSAL, 0) == 1,
  };
#undef PART_OR
}

bool read_window(Reader *reader, Window **window) {
  Scanner *scan = &reader->scan;
  IntList parts[6] = {};
  size_t start = (scan_blanks(scan), scan->at);
  if (!scan_expect(scan, '{', "before a window")) return false;
  while (!scan_accept(scan, '}')) {
    if (!read_window_part(reader, parts)) return false;
  }
  if (!window_parts_agree(reader, parts, start) ||
      !reversals_are_flags(reader, &parts[PART_RHS_REVERSAL], start))
    return false;
  *window = ARENA_NEW(reader->arena, Window, 1);
  (*window)->rank = parts[PART_SIZE].count;
  (*window)->dims = ARENA_NEW(reader->arena, WindowDim, (*window)->rank);
  for (uint32_t i = 0; i < (*window)->rank; i++) (*window)->dims[i] = window_dim(parts, i);
  return true;
}

static constexpr uint32_t most_spatial = 10;

/* The position of each label of one operand; -1 if it is missing. */
typedef struct Labels {
  char first, second;
  int64_t first_at, second_at;
  int64_t spatial[10];
} Labels;

static int64_t *read_numbers_position_of(Labels *labels, char label) {
  if (label == labels->first) return &labels->first_at;
  if (label == labels->second) return &labels->second_at;
  return label >= '0' && label <= '9' ? &labels->spatial[label - '0'] : nullptr;
}

/* Letters and digits, each once; a '?' is a dimension without a label. */
static bool scan_labels(Reader *reader, Labels *labels) {
  Scanner *scan = &reader->scan;
  size_t start = scan->at;
  for (; scan->at < scan->length; scan->at++) {
    char label = scan->text[scan->at];
    int64_t *position = read_numbers_position_of(labels, label);
    if (position == nullptr && label != '?') break;
    if (position == nullptr) continue;
    if (*position >= 0)
      return read_fail(reader, ERROR_INPUT, scan->at, 1, "the label '%c' is used twice", label);
    *position = (int64_t)(scan->at - start);
  }
  return true;
}

/* Both letters must occur, and spatial digits from 0 without gaps. */
static bool read_labels(
    Reader *reader, char first, char second, int64_t *first_at, int64_t *second_at, Ints *spatial) {
  Labels labels = {.first = first, .second = second, .first_at = -1, .second_at = -1};
  memset(labels.spatial, -1, sizeof labels.spatial);
  size_t start = reader->scan.at;
  if (!scan_labels(reader, &labels)) return false;
  size_t width = reader->scan.at - start;
  uint32_t count = 0;
  while (count < most_spatial && labels.spatial[count] >= 0) count++;
  for (uint32_t i = count; i < most_spatial; i++) {
    if (labels.spatial[i] < 0) continue;
    return read_fail(reader, ERROR_INPUT, start, width, "spatial dimension %u is missing", count);
  }
  if (labels.first_at < 0 || labels.second_at < 0) {
    return read_fail(reader, ERROR_INPUT, start, width, "the labels have no '%c'",
        labels.first_at < 0 ? first : second);
  }
  *first_at = labels.first_at;
  *second_at = labels.second_at;
  assert(count <= width);
  *spatial = (Ints){.count = count, .values = ARENA_NEW(reader->arena, int64_t, count)};
  if (count > 0) memcpy(spatial->values, labels.spatial, count * sizeof *labels.spatial);
  return true;
}

bool read_dim_labels(Reader *reader, ConvolutionNumbers **result) {
  Scanner *scan = &reader->scan;
  ConvolutionNumbers *numbers = *result = ARENA_NEW(reader->arena, ConvolutionNumbers, 1);
  size_t start = (scan_blanks(scan), scan->at);
  bool read =
      read_labels(reader, 'b', 'f', &numbers->input_batch, &numbers->input_feature,
          &numbers->input_spatial) &&
      scan_expect(scan, '_', "between the labels of input and kernel") &&
      read_labels(reader, 'i', 'o', &numbers->kernel_input_feature, &numbers->kernel_output_feature,
          &numbers->kernel_spatial) &&
      (scan_accept_text(scan, "->") || scan_fail(scan, "'->' before the labels of the output")) &&
      read_labels(reader, 'b', 'f', &numbers->output_batch, &numbers->output_feature,
          &numbers->output_spatial);
  if (!read) return false;
  uint32_t spatial = numbers->input_spatial.count;
  if (spatial == numbers->kernel_spatial.count && spatial == numbers->output_spatial.count)
    return true;
  return read_fail(reader, ERROR_INPUT, start, scan->at - start,
      "input, kernel and output have %u, %u and %s", spatial, numbers->kernel_spatial.count,
      counted(numbers->output_spatial.count, "spatial dimension"));
}

bool read_padding(Reader *reader, PadDim **padding, uint32_t *rank) {
  Scanner *scan = &reader->scan;
  struct {
    uint32_t count;
    uint32_t capacity;
    PadDim *items;
  } dims = {};
  do {
    PadDim *dim = ARENA_PUSH(reader->scratch, &dims);
    if (!scan_integer(scan, &dim->low, "low padding") ||
        !scan_expect(scan, '_', "between low and high padding") ||
        !scan_integer(scan, &dim->high, "high padding")) {
      return false;
    }
    if (scan_accept_here(scan, '_') && !scan_integer(scan, &dim->interior, "interior padding"))
      return false;
  } while (scan_accept_here(scan, 'x'));
  *padding = arena_grow(reader->arena, dims.items, dims.count, dims.count, sizeof *dims.items);
  *rank = dims.count;
  return true;
}

bool read_slice_ranges(Reader *reader, Instruction *instruction) {
  Scanner *scan = &reader->scan;
  IntList starts = {}, limits = {}, strides = {};
  if (!scan_expect(scan, '{', "before the ranges of a slice")) return false;
  while (!scan_accept(scan, '}')) {
    if (starts.count > 0 && !scan_expect(scan, ',', "between the ranges of a slice")) return false;
    int64_t *stride = ARENA_PUSH(reader->scratch, &strides);
    *stride = 1;
    if (!scan_expect(scan, '[', "before a range") || !read_item(reader, &starts, "a start") ||
        !scan_expect(scan, ':', "between start and limit") ||
        !read_item(reader, &limits, "a limit") ||
        (scan_accept(scan, ':') && !scan_integer(scan, stride, "a stride")) ||
        !scan_expect(scan, ']', "after a range")) {
      return false;
    }
  }
  instruction->starts = take_ints(reader, &starts);
  instruction->limits = take_ints(reader, &limits);
  instruction->strides = take_ints(reader, &strides);
  return true;
}
