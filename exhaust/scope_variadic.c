/* Ways to apply reduce and reduce-window to two or three arrays at once, and select-and-scatter. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "exhaust/scope_window.h"

static const char *const types[] = {"f32", "s32", "f32"};

/* Two arrays or three, the tensor at hand in any of the places; or twice in the first two. */
static constexpr uint64_t input_ways = 2 + 3 + 1;

typedef struct Inputs {
  uint32_t count, at;
  bool is_twice;
} Inputs;

static Inputs inputs_at(uint64_t way) {
  if (way == 5) return (Inputs){.count = 2, .is_twice = true};
  return way < 2 ? (Inputs){.count = 2, .at = (uint32_t)way}
                 : (Inputs){.count = 3, .at = (uint32_t)way - 2};
}

static const char *type_of(const Inputs *inputs, uint32_t i) {
  return i == inputs->at || inputs->is_twice ? "f32" : types[i];
}

/* "(f32[2], s32[2]) reduce(v0, p1, p2, p3)", with a parameter for each other array and each initial
 * value. */
static void write_head(ScopeWriter *writer, const Inputs *inputs, const Tensor *in,
    const Tensor *out, const char *opcode) {
  char operands[128] = "", shape[320] = "(";
  size_t at = 0, shape_at = 1;
  for (uint32_t i = 0; i < inputs->count; i++) {
    const char *comma = i == 0 ? "" : ", ";
    bool is_at_hand = i == inputs->at || inputs->is_twice;
    if (is_at_hand)
      at += (size_t)snprintf(operands + at, sizeof operands - at, "%s%s", comma, writer->at_hand);
    else
      at += (size_t)snprintf(operands + at, sizeof operands - at, "%sp%u", comma,
          scope_write_parameter(writer, type_of(inputs, i), in));
    shape_at += (size_t)snprintf(shape + shape_at, sizeof shape - shape_at, "%s%s", comma,
        scope_shape_words(type_of(inputs, i), out).text);
  }
  for (uint32_t i = 0; i < inputs->count; i++)
    at += (size_t)snprintf(operands + at, sizeof operands - at, ", p%u",
        scope_write_parameter(writer, type_of(inputs, i), &(Tensor){}));
  assert(at < sizeof operands && shape_at + 1 < sizeof shape);
  snprintf(writer->at_hand, sizeof writer->at_hand, "v%u", writer->value_count++);
  text_printf(writer->text, "  %s%s = %s) %s(%s)", writer->is_last ? "ROOT " : "", writer->at_hand,
      shape, opcode, operands);
}

/* Each result is the sum of its own pair. */
static void write_reducer(ScopeWriter *writer, const Inputs *inputs) {
  Text *text = writer->text;
  text_string(text, ", to_apply={\n");
  for (uint32_t i = 0; i < 2 * inputs->count; i++)
    text_printf(text, "    a%u = %s[] parameter(%u)\n", i, type_of(inputs, i % inputs->count), i);
  for (uint32_t i = 0; i < inputs->count; i++)
    text_printf(
        text, "    s%u = %s[] add(a%u, a%u)\n", i, type_of(inputs, i), i, i + inputs->count);
  text_string(text, "    ROOT t = (");
  for (uint32_t i = 0; i < inputs->count; i++)
    text_printf(text, "%s%s[]", i == 0 ? "" : ", ", type_of(inputs, i));
  text_string(text, ") tuple(");
  for (uint32_t i = 0; i < inputs->count; i++) text_printf(text, "%ss%u", i == 0 ? "" : ", ", i);
  text_string(text, ") }\n");
}

uint64_t count_reduce_variadic(const ScopeLimits *, const Tensor *in) {
  return input_ways << in->rank;
}

void write_reduce_variadic(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  Inputs inputs = inputs_at(digit_take(&way, input_ways));
  uint32_t reduced[scope_max_rank], count = 0;
  *out = (Tensor){};
  for (uint32_t i = 0; i < in->rank; i++) {
    if ((way >> i & 1) != 0) reduced[count++] = i;
    else out->sizes[out->rank++] = in->sizes[i];
  }
  if (writer == nullptr) return;
  write_head(writer, &inputs, in, out, "reduce");
  scope_write_numbers(writer->text, "dimensions", count, reduced);
  write_reducer(writer, &inputs);
}

static uint64_t all_windows(const ScopeLimits *limits, const Tensor *in) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < in->rank; i++) count *= window_ways(&limits->ranges, in->sizes[i]);
  return count;
}

static void take_windows(const ScopeLimits *limits, const Tensor *in, uint64_t *way,
    WindowWay *windows, Tensor *places) {
  places->rank = in->rank;
  for (uint32_t i = 0; i < in->rank; i++) {
    windows[i] = window_at(
        &limits->ranges, in->sizes[i], digit_take(way, window_ways(&limits->ranges, in->sizes[i])));
    places->sizes[i] = windows[i].result;
  }
}

static void write_windows(ScopeWriter *writer, uint32_t rank, const WindowWay *windows) {
  if (rank == 0) return;
  write_window(writer, rank, windows);
  text_string(writer->text, "}");
}

uint64_t count_reduce_window_variadic(const ScopeLimits *limits, const Tensor *in) {
  return input_ways * all_windows(limits, in);
}

void write_reduce_window_variadic(
    const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  Inputs inputs = inputs_at(digit_take(&way, input_ways));
  WindowWay windows[scope_max_rank];
  take_windows(limits, in, &way, windows, out);
  if (writer == nullptr) return;
  write_head(writer, &inputs, in, out, "reduce-window");
  write_windows(writer, in->rank, windows);
  write_reducer(writer, &inputs);
}

uint64_t count_select_and_scatter(const ScopeLimits *limits, const Tensor *in) {
  return all_windows(limits, in);
}

void write_select_and_scatter(
    const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  WindowWay windows[scope_max_rank];
  Tensor places;
  take_windows(limits, in, &way, windows, &places);
  *out = *in;
  if (writer == nullptr) return;
  uint32_t source = scope_write_parameter(writer, "f32", &places),
           value = scope_write_parameter(writer, "f32", &(Tensor){});
  scope_write_begin(writer, out, "select-and-scatter");
  text_printf(writer->text, ", p%u, p%u)", source, value);
  write_windows(writer, in->rank, windows);
  text_string(writer->text,
      ", select={\n    a = f32[] parameter(0)\n    b = f32[] parameter(1)\n    ROOT l = pred[] compare(a, b), direction=GE }, scatter=add");
  scope_write_end(writer);
}
