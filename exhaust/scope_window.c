/* Ways to apply slice, pad, reduce and the windowed operations: choices of the dimensions are
 * independent of each other, and a way is a number in mixed radix with one digit a dimension. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "exhaust/scope_window.h"

static void write_integer(ScopeWriter *writer, const char *before, int64_t value) {
  text_string(writer->text, before);
  text_integer(writer->text, value);
}

/* Starts and limits 0 <= start <= limit <= size, strides 1 to size, at least one. */
static int64_t strides(int64_t size) { return size == 0 ? 1 : size; }
static uint64_t slice_ways(int64_t size) {
  return (uint64_t)((size + 1) * (size + 2) / 2 * strides(size));
}

uint64_t count_slice(const ScopeLimits *, const Tensor *in) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < in->rank; i++) count *= slice_ways(in->sizes[i]);
  return count;
}

typedef struct SliceWay {
  int64_t start, limit, stride;
} SliceWay;

static SliceWay slice_at(int64_t size, uint64_t way) {
  SliceWay slice = {.stride = 1 + (int64_t)digit_take(&way, (uint64_t)strides(size))};
  for (; (int64_t)way > size - slice.start; slice.start++)
    way -= (uint64_t)(size - slice.start + 1);
  slice.limit = slice.start + (int64_t)way;
  return slice;
}

void write_slice(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  SliceWay slices[scope_max_rank];
  out->rank = in->rank;
  for (uint32_t i = 0; i < in->rank; i++) {
    slices[i] = slice_at(in->sizes[i], digit_take(&way, slice_ways(in->sizes[i])));
    out->sizes[i] = (slices[i].limit - slices[i].start + slices[i].stride - 1) / slices[i].stride;
  }
  if (writer == nullptr) return;
  scope_write_begin(writer, out, "slice");
  text_string(writer->text, "), slice={");
  for (uint32_t i = 0; i < in->rank; i++) {
    write_integer(writer, i == 0 ? "[" : ", [", slices[i].start);
    write_integer(writer, ":", slices[i].limit);
    write_integer(writer, ":", slices[i].stride);
    text_string(writer->text, "]");
  }
  text_string(writer->text, "}");
  scope_write_end(writer);
}

typedef struct PadWay {
  int64_t low, high, interior, size; /* size: of the result */
} PadWay;

/* The way with that number, or with number == nullptr none; gives how many there are up to it. */
static uint64_t pad_ways(
    const ScopeLimits *limits, int64_t size, const uint64_t *number, PadWay *pad) {
  int64_t edge = limits->ranges.edge;
  uint64_t count = 0;
  for (int64_t low = -edge; low <= edge; low++)
    for (int64_t high = -edge; high <= edge; high++)
      for (int64_t interior = 0; interior <= limits->ranges.interior; interior++) {
        int64_t result = low + high + size + (size == 0 ? 0 : size - 1) * interior;
        if (result < 0) continue;
        if (number != nullptr && count == *number) {
          *pad = (PadWay){low, high, interior, result};
          return count;
        }
        count++;
      }
  return count;
}

uint64_t count_pad(const ScopeLimits *limits, const Tensor *in) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < in->rank; i++) count *= pad_ways(limits, in->sizes[i], nullptr, nullptr);
  return count;
}

static uint32_t write_scalar(ScopeWriter *writer) {
  return scope_write_parameter(writer, "f32", &(Tensor){});
}

/* `OPCODE(v0, p1)` with a scalar parameter. */
static void begin_with_scalar(ScopeWriter *writer, const Tensor *out, const char *opcode) {
  uint32_t value = write_scalar(writer);
  scope_write_begin(writer, out, opcode);
  write_integer(writer, ", p", value);
  text_string(writer->text, ")");
}

void write_pad(
    const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  PadWay pads[scope_max_rank] = {};
  out->rank = in->rank;
  for (uint32_t i = 0; i < in->rank; i++) {
    uint64_t digit = digit_take(&way, pad_ways(limits, in->sizes[i], nullptr, nullptr));
    (void)pad_ways(limits, in->sizes[i], &digit, &pads[i]);
    out->sizes[i] = pads[i].size;
  }
  if (writer == nullptr) return;
  begin_with_scalar(writer, out, "pad");
  for (uint32_t i = 0; i < in->rank; i++) {
    write_integer(writer, i == 0 ? ", padding=" : "x", pads[i].low);
    write_integer(writer, "_", pads[i].high);
    write_integer(writer, "_", pads[i].interior);
  }
  scope_write_end(writer);
}

uint64_t count_reduce(const ScopeLimits *, const Tensor *in) { return UINT64_C(1) << in->rank; }

void write_reduce(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  uint32_t reduced[scope_max_rank], count = 0;
  *out = (Tensor){};
  for (uint32_t i = 0; i < in->rank; i++) {
    if ((way >> i & 1) != 0) reduced[count++] = i;
    else out->sizes[out->rank++] = in->sizes[i];
  }
  if (writer == nullptr) return;
  uint32_t value = write_scalar(writer);
  scope_write_begin(writer, out, "reduce");
  write_integer(writer, ", p", value);
  text_string(writer->text, ")");
  scope_write_numbers(writer->text, "dimensions", count, reduced);
  text_string(writer->text, ", to_apply=add");
  scope_write_end(writer);
}

/* Base dilations and edges that leave a size of 0 or more: the way with that number, or with number
 * == nullptr none; gives how many there are up to it. */
static uint64_t base_ways(
    const ScopeRanges *ranges, int64_t size, const uint64_t *number, WindowWay *window) {
  uint64_t count = 0;
  for (int64_t base = 1; base <= ranges->dilation; base++)
    for (int64_t low = ranges->window_low; low <= ranges->window_high; low++)
      for (int64_t high = ranges->window_low; high <= ranges->window_high; high++) {
        int64_t padded = (size == 0 ? 0 : (size - 1) * base + 1) + low + high;
        if (padded < 0) continue;
        if (number != nullptr && count == *number) {
          *window = (WindowWay){.base = base, .low = low, .high = high, .result = padded};
          return count;
        }
        count++;
      }
  return count;
}

static uint64_t slide_ways(const ScopeRanges *ranges) {
  return (uint64_t)(ranges->window * ranges->stride * ranges->dilation);
}

uint64_t window_ways(const ScopeRanges *ranges, int64_t size) {
  return slide_ways(ranges) * base_ways(ranges, size, nullptr, nullptr);
}

/* A window that is wider than the padded size has no place. */
WindowWay window_at(const ScopeRanges *ranges, int64_t size, uint64_t way) {
  uint64_t slide = digit_take(&way, slide_ways(ranges));
  WindowWay window = {};
  (void)base_ways(ranges, size, &way, &window);
  window.size = 1 + (int64_t)digit_take(&slide, (uint64_t)ranges->window);
  window.stride = 1 + (int64_t)digit_take(&slide, (uint64_t)ranges->stride);
  window.dilation = 1 + (int64_t)slide;
  int64_t padded = window.result, width = (window.size - 1) * window.dilation + 1;
  window.result = padded < width ? 0 : (padded - width) / window.stride + 1;
  return window;
}

static void write_window_part(
    ScopeWriter *writer, const char *name, uint32_t rank, const WindowWay *windows, size_t part) {
  text_string(writer->text, name);
  for (uint32_t i = 0; i < rank; i++) {
    int64_t value;
    memcpy(&value, (const char *)&windows[i] + part, sizeof value);
    write_integer(writer, i == 0 ? "" : "x", value);
  }
}

void write_window(ScopeWriter *writer, uint32_t rank, const WindowWay *windows) {
  text_string(writer->text, ", window={");
  write_window_part(writer, "size=", rank, windows, offsetof(WindowWay, size));
  write_window_part(writer, " stride=", rank, windows, offsetof(WindowWay, stride));
  text_string(writer->text, " pad=");
  for (uint32_t i = 0; i < rank; i++) {
    write_integer(writer, i == 0 ? "" : "x", windows[i].low);
    write_integer(writer, "_", windows[i].high);
  }
  write_window_part(writer, " lhs_dilate=", rank, windows, offsetof(WindowWay, base));
  write_window_part(writer, " rhs_dilate=", rank, windows, offsetof(WindowWay, dilation));
}

uint64_t count_reduce_window(const ScopeLimits *limits, const Tensor *in) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < in->rank; i++) count *= window_ways(&limits->ranges, in->sizes[i]);
  return count;
}

void write_reduce_window(
    const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  WindowWay windows[scope_max_rank];
  out->rank = in->rank;
  for (uint32_t i = 0; i < in->rank; i++) {
    windows[i] = window_at(&limits->ranges, in->sizes[i],
        digit_take(&way, window_ways(&limits->ranges, in->sizes[i])));
    out->sizes[i] = windows[i].result;
  }
  if (writer == nullptr) return;
  begin_with_scalar(writer, out, "reduce-window");
  if (in->rank > 0) {
    write_window(writer, in->rank, windows);
    text_string(writer->text, "}");
  }
  text_string(writer->text, ", to_apply=add");
  scope_write_end(writer);
}

/* Positions of batch, features and space, of the kernel of output features, input features and
 * space. */
typedef struct ConvolutionWay {
  uint32_t input[3], kernel[3], output[3];
  int64_t groups, batch_groups, per_group;
  bool reversal;
  WindowWay window;
} ConvolutionWay;

static constexpr int64_t most_per_group = 2;

static uint64_t group_ways(int64_t features, int64_t batch) {
  uint64_t ways = 0;
  for (int64_t g = 1; g <= features; g++) ways += features % g == 0;
  for (int64_t g = 2; g <= batch; g++) ways += batch % g == 0;
  return ways * most_per_group;
}

static void groups_at(int64_t features, int64_t batch, uint64_t way, ConvolutionWay *convolution) {
  convolution->per_group = 1 + (int64_t)digit_take(&way, most_per_group);
  convolution->groups = convolution->batch_groups = 1;
  for (int64_t g = 1; g <= features; g++)
    if (features % g == 0 && way-- == 0) {
      convolution->groups = g;
      return;
    }
  for (int64_t g = 2; g <= batch; g++)
    if (batch % g == 0 && way-- == 0) {
      convolution->batch_groups = g;
      return;
    }
  assert(false);
}

/* Orders of the input's dimensions times groups times windows; each with both directions of the
 * window and all labels. */
static uint64_t order_ways(const ScopeLimits *limits, const Tensor *in, const uint32_t *at) {
  return group_ways(in->sizes[at[1]], in->sizes[at[0]]) *
         window_ways(&limits->ranges, in->sizes[at[2]]);
}

uint64_t count_convolution(const ScopeLimits *limits, const Tensor *in) {
  if (in->rank != 3) return 0;
  uint64_t ways = 0;
  for (uint64_t order = 0; order < 6; order++) {
    uint32_t at[3];
    arrangement_at(3, 3, order, at);
    ways += order_ways(limits, in, at);
  }
  return ways * 2 * (limits->ranges.all_labels ? 36 : 1);
}

static ConvolutionWay convolution_at(const ScopeLimits *limits, const Tensor *in, uint64_t way) {
  ConvolutionWay convolution = {.kernel = {2, 1, 0}, .output = {0, 2, 1}};
  if (limits->ranges.all_labels) {
    arrangement_at(3, 3, digit_take(&way, 6), convolution.kernel);
    arrangement_at(3, 3, digit_take(&way, 6), convolution.output);
  }
  convolution.reversal = digit_take(&way, 2) == 1;
  arrangement_at(3, 3, 0, convolution.input);
  for (uint64_t order = 0, ways; way >= (ways = order_ways(limits, in, convolution.input));) {
    way -= ways;
    arrangement_at(3, 3, ++order, convolution.input);
  }
  int64_t batch = in->sizes[convolution.input[0]], features = in->sizes[convolution.input[1]],
          space = in->sizes[convolution.input[2]];
  convolution.window =
      window_at(&limits->ranges, space, digit_take(&way, window_ways(&limits->ranges, space)));
  groups_at(features, batch, way, &convolution);
  return convolution;
}

/* The first letter stands at position at[0], and so on. */
static void write_labels(
    ScopeWriter *writer, const char *before, const uint32_t *at, const char *letters) {
  char text[4] = {};
  for (uint32_t i = 0; i < 3; i++) text[at[i]] = letters[i];
  text_string(writer->text, before);
  text_string(writer->text, text);
}

void write_convolution(
    const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  ConvolutionWay convolution = convolution_at(limits, in, way);
  int64_t batch = in->sizes[convolution.input[0]], features = in->sizes[convolution.input[1]];
  int64_t made = convolution.groups * convolution.batch_groups * convolution.per_group;
  out->rank = 3;
  out->sizes[convolution.output[0]] = batch / convolution.batch_groups;
  out->sizes[convolution.output[1]] = made;
  out->sizes[convolution.output[2]] = convolution.window.result;
  if (writer == nullptr) return;
  Tensor kernel = {.rank = 3};
  kernel.sizes[convolution.kernel[0]] = made;
  kernel.sizes[convolution.kernel[1]] = features / convolution.groups;
  kernel.sizes[convolution.kernel[2]] = convolution.window.size;
  uint32_t weights = scope_write_parameter(writer, "f32", &kernel);
  scope_write_begin(writer, out, "convolution");
  write_integer(writer, ", p", weights);
  text_string(writer->text, ")");
  write_window(writer, 1, &convolution.window);
  text_string(writer->text, convolution.reversal ? " rhs_reversal=1}" : "}");
  write_labels(writer, ", dim_labels=", convolution.input, "bf0");
  write_labels(writer, "_", convolution.kernel, "oi0");
  write_labels(writer, "->", convolution.output, "bf0");
  write_integer(writer, ", feature_group_count=", convolution.groups);
  write_integer(writer, ", batch_group_count=", convolution.batch_groups);
  scope_write_end(writer);
}
