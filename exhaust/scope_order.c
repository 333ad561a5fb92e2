/* Ways to apply sort, topk, cholesky, triangular-solve, fft and scan: what reads along whole
 * dimensions, or a prefix of one. Operands that are not f32, or are not the tensor at hand, are
 * parameters of their own; p0 then stays unread. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "exhaust/scope_operation.h"

typedef struct Name {
  char text[16];
} Name;

static Name at_hand(const ScopeWriter *writer) {
  Name name;
  static_assert(sizeof name.text == sizeof writer->at_hand);
  memcpy(name.text, writer->at_hand, sizeof name.text);
  return name;
}

/* All dimensions, one operand or two, stable or not. */
uint64_t count_sort(const ScopeLimits *, const Tensor *in) { return in->rank * 4; }

void write_sort(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  *out = *in;
  if (writer == nullptr) return;
  uint64_t dimension = digit_take(&way, in->rank);
  bool has_second = digit_take(&way, 2) == 1;
  Name name = at_hand(writer);
  const char *stable = way == 1 ? "true" : "false";
  ShapeWords first = scope_shape_words("f32", in), second = scope_shape_words("s32", in);
  if (!has_second) {
    scope_write_form(writer, first.text,
        "sort(%s), dimensions={%u}, is_stable=%s, to_apply={\n    a = f32[] parameter(0)\n    b = f32[] parameter(1)\n"
        "    ROOT l = pred[] compare(a, b), direction=LT }",
        name.text, (unsigned)dimension, stable);
    return;
  }
  char both[224];
  snprintf(both, sizeof both, "(%s, %s)", first.text, second.text);
  uint32_t other = scope_write_parameter(writer, "s32", in);
  scope_write_form(writer, both,
      "sort(%s, p%u), dimensions={%u}, is_stable=%s, to_apply={\n    a = f32[] parameter(0)\n    b = f32[] parameter(1)\n"
      "    c = s32[] parameter(2)\n    d = s32[] parameter(3)\n    ROOT l = pred[] compare(a, b), direction=LT }",
      name.text, other, (unsigned)dimension, stable);
}

/* k from 0 to the size, largest or smallest. */
uint64_t count_topk(const ScopeLimits *, const Tensor *in) {
  return in->rank == 0 ? 0 : (uint64_t)(in->sizes[in->rank - 1] + 1) * 2;
}

void write_topk(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  *out = *in;
  bool is_largest = digit_take(&way, 2) == 1;
  out->sizes[in->rank - 1] = (int64_t)way;
  if (writer == nullptr) return;
  Name name = at_hand(writer);
  char both[224];
  snprintf(both, sizeof both, "(%s, %s)", scope_shape_words("f32", out).text,
      scope_shape_words("s32", out).text);
  scope_write_form(writer, both, "topk(%s), k=%u, largest=%s", name.text, (unsigned)way,
      is_largest ? "true" : "false");
}

static bool is_square(const Tensor *in) {
  return in->rank >= 2 && in->sizes[in->rank - 1] == in->sizes[in->rank - 2];
}

uint64_t count_cholesky(const ScopeLimits *, const Tensor *in) { return is_square(in) ? 2 : 0; }

void write_cholesky(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  *out = *in;
  if (writer == nullptr) return;
  Name name = at_hand(writer);
  scope_write_form(writer, scope_shape_words("f32", in).text, "cholesky(%s), lower=%s", name.text,
      way == 1 ? "true" : "false");
}

/* Both sides, both triangles, the diagonal 1 or not, three ways to transpose, 1 to 3 right-hand
 * sides. */
static constexpr int64_t most_sides = 3;
uint64_t count_triangular_solve(const ScopeLimits *, const Tensor *in) {
  return is_square(in) ? (uint64_t)most_sides * 24 : 0;
}

void write_triangular_solve(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  static const char *const transposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"},
                           *const words[] = {"false", "true"};
  bool is_left = digit_take(&way, 2) == 1, is_lower = digit_take(&way, 2) == 1,
       is_unit = digit_take(&way, 2) == 1;
  uint64_t transpose = digit_take(&way, 3);
  *out = *in;
  out->sizes[in->rank - (is_left ? 1 : 2)] = 1 + (int64_t)way;
  if (writer == nullptr) return;
  Name name = at_hand(writer);
  uint32_t right = scope_write_parameter(writer, "f32", out);
  scope_write_form(writer, scope_shape_words("f32", out).text,
      "triangular-solve(%s, p%u), left_side=%s, lower=%s, unit_diagonal=%s, transpose_a=%s",
      name.text, right, words[is_left], words[is_lower], words[is_unit], transposes[transpose]);
}

/* FFT, IFFT, RFFT, and IRFFT to each length that has so many halves: 2n - 1 and, where it is not 0,
 * 2n - 2. Over one, two or three dimensions. */
static uint64_t fft_kinds(const Tensor *in) { return in->sizes[in->rank - 1] == 1 ? 4 : 5; }

static uint32_t fft_lengths(const Tensor *in) { return in->rank < 3 ? in->rank : 3; }
uint64_t count_fft(const ScopeLimits *, const Tensor *in) {
  return in->rank == 0 ? 0 : fft_kinds(in) * fft_lengths(in);
}

void write_fft(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  static const char *const types[] = {"FFT", "IFFT", "RFFT", "IRFFT", "IRFFT"};
  uint64_t kind = digit_take(&way, fft_kinds(in));
  uint32_t count = 1 + (uint32_t)way, first = in->rank - count;
  int64_t lengths[3] = {}, *last = &lengths[count - 1];
  for (uint32_t i = 0; i < count; i++) lengths[i] = in->sizes[first + i];
  *out = *in;
  if (kind == 2) out->sizes[in->rank - 1] = *last / 2 + 1;
  if (kind >= 3) out->sizes[in->rank - 1] = *last = 2 * *last - (kind == 3 ? 1 : 2);
  if (writer == nullptr) return;
  Name name = at_hand(writer);
  if (kind != 2)
    snprintf(name.text, sizeof name.text, "p%u", scope_write_parameter(writer, "c64", in));
  char list[64];
  int at = 0;
  for (uint32_t i = 0; i < count; i++)
    at += snprintf(
        list + at, sizeof list - (size_t)at, "%s%lld", i == 0 ? "" : ",", (long long)lengths[i]);
  scope_write_form(writer, scope_shape_words(kind >= 3 ? "f32" : "c64", out).text,
      "fft(%s), fft_type=%s, fft_length={%s}", name.text, types[kind], list);
}

/* All dimensions, both directions, one input or two, no carry or one. */
uint64_t count_scan(const ScopeLimits *, const Tensor *in) { return in->rank * 8; }

typedef struct Scan {
  uint32_t inputs, carries;
  Tensor slice;
} Scan;

/* Every output and carry of the step is the sum of all of its parameters. */
static void write_step(ScopeWriter *writer, const Scan *scan) {
  Text *text = writer->text;
  ShapeWords slice = scope_shape_words("f32", &scan->slice);
  uint32_t count = scan->inputs + scan->carries;
  text_string(text, ", to_apply={\n");
  for (uint32_t i = 0; i < count; i++)
    text_printf(text, "    a%u = %s parameter(%u)\n", i, slice.text, i);
  if (count == 1) text_printf(text, "    n1 = %s negate(a0)\n", slice.text);
  for (uint32_t i = 1; i < count; i++)
    text_printf(text, "    n%u = %s add(%s%u, a%u)\n", i, slice.text, i == 1 ? "a" : "n", i - 1, i);
  uint32_t last = count == 1 ? 1 : count - 1;
  text_string(text, "    ROOT t = (");
  for (uint32_t i = 0; i < 1 + scan->carries; i++)
    text_printf(text, "%s%s", i == 0 ? "" : ", ", slice.text);
  text_string(text, ") tuple(");
  for (uint32_t i = 0; i < 1 + scan->carries; i++)
    text_printf(text, "%sn%u", i == 0 ? "" : ", ", last);
  text_string(text, ") }\n");
}

void write_scan(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  *out = *in;
  if (writer == nullptr) return;
  uint32_t dimension = (uint32_t)digit_take(&way, in->rank);
  bool is_reverse = digit_take(&way, 2) == 1;
  Scan scan = {.inputs = 1 + (uint32_t)digit_take(&way, 2), .carries = (uint32_t)way};
  for (uint32_t i = 0; i < in->rank; i++)
    if (i != dimension) scan.slice.sizes[scan.slice.rank++] = in->sizes[i];
  Name name = at_hand(writer);
  uint32_t first = writer->parameter_count;
  if (scan.inputs == 2) (void)scope_write_parameter(writer, "f32", in);
  if (scan.carries == 1) (void)scope_write_parameter(writer, "f32", &scan.slice);
  snprintf(writer->at_hand, sizeof writer->at_hand, "v%u", writer->value_count++);
  text_printf(writer->text, "  %s%s = (%s", writer->is_last ? "ROOT " : "", writer->at_hand,
      scope_shape_words("f32", in).text);
  if (scan.carries == 1)
    text_printf(writer->text, ", %s", scope_shape_words("f32", &scan.slice).text);
  text_printf(writer->text, ") scan(%s", name.text);
  for (uint32_t i = first; i < writer->parameter_count; i++) text_printf(writer->text, ", p%u", i);
  text_printf(writer->text, "), dimensions={%u}, num_carries=%u, is_reverse=%s", dimension,
      scan.carries, is_reverse ? "true" : "false");
  write_step(writer, &scan);
}
