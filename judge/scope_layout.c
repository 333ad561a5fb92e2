/* Ways to apply bitcast between tiled layouts: both sides in every order of dimensions and each of the tilings below, wherever they have as many
 * elements and take the same memory. The operand is a parameter of its own, which has the layout; p0 stays unread.
 * A tile of n sizes covers the n most minor dimensions, each rounded up to a multiple; a second tile divides the first one and rounds nothing. */
#include <assert.h>

#include "judge/scope_operation.h"

static const struct {
  const char *text;
  uint32_t rank;
  int64_t sizes[2];
} tilings[] = {{"", 0, {1, 1}},          {":T(2)", 1, {2, 1}},   {":T(4)", 1, {4, 1}},      {":T(2,2)", 2, {2, 2}},
               {":T(2,4)", 2, {2, 4}}, {":T(3,2)", 2, {3, 2}}, {":T(4,2)(2,1)", 2, {4, 2}}};
static constexpr uint32_t tiling_count = sizeof tilings / sizeof *tilings;

typedef struct Layout {
  uint32_t minor_to_major[scope_max_rank], tiling;
} Layout;

static uint64_t layout_ways(const Tensor *tensor) { return arrangements(tensor->rank, tensor->rank) * tiling_count; }

static Layout layout_at(const Tensor *tensor, uint64_t way) {
  Layout layout = {.tiling = (uint32_t)digit_take(&way, tiling_count)};
  arrangement_at(tensor->rank, tensor->rank, way, layout.minor_to_major);
  return layout;
}

/* Elements of memory, padding included; 0 where the tile has more sizes than there are dimensions. */
static int64_t places(const Tensor *tensor, const Layout *layout) {
  uint32_t tiled = tilings[layout->tiling].rank;
  if (tiled > tensor->rank) return 0;
  int64_t product = 1;
  for (uint32_t i = 0; i < tensor->rank; i++) {
    int64_t size = tensor->sizes[layout->minor_to_major[i]], tile = i < tiled ? tilings[layout->tiling].sizes[tiled - 1 - i] : 1;
    product *= (size + tile - 1) / tile * tile;
  }
  return product;
}

typedef struct TiledWay {
  Layout from, to;
  const Tensor *out;
} TiledWay;

/* The results of one operand layout: the one with that number, or with number == nullptr none. Gives how many there are up to it. Both plain is `bitcast`. */
static uint64_t results_of(const ScopeLimits *limits, const Tensor *in, int64_t memory, const uint64_t *number, TiledWay *way) {
  uint64_t count = 0;
  int64_t elements = tensor_elements(in);
  for (uint32_t i = limits->tensors->first[elements]; memory > 0 && i < limits->tensors->first[elements + 1]; i++) {
    const Tensor *out = &limits->tensors->items[i];
    for (uint64_t w = 0; w < layout_ways(out); w++) {
      Layout layout = layout_at(out, w);
      if (places(out, &layout) != memory || (layout.tiling == 0 && way->from.tiling == 0)) continue;
      if (number != nullptr && count == *number) {
        way->to = layout;
        way->out = out;
        return count;
      }
      count++;
    }
  }
  return count;
}

uint64_t count_bitcast_tiled(const ScopeLimits *limits, const Tensor *in) {
  uint64_t count = 0;
  for (uint64_t w = 0; w < layout_ways(in); w++) {
    TiledWay way = {.from = layout_at(in, w)};
    count += results_of(limits, in, places(in, &way.from), nullptr, &way);
  }
  return count;
}

static void write_laid(ScopeWriter *writer, const Tensor *tensor, const Layout *layout) {
  Text *text = writer->text;
  scope_write_shape(text, "f32", tensor, layout->minor_to_major);
  if (layout->tiling == 0) return;
  assert(text->length > 0 && text->bytes[text->length - 1] == '}');
  text->bytes[--text->length] = 0;
  text_string(text, tilings[layout->tiling].text);
  text_string(text, "}");
}

void write_bitcast_tiled(const ScopeLimits *limits, const Tensor *in, uint64_t number, Tensor *out, ScopeWriter *writer) {
  TiledWay way = {};
  for (uint64_t w = 0, ways;; w++) {
    way.from = layout_at(in, w);
    int64_t memory = places(in, &way.from);
    ways = results_of(limits, in, memory, &number, &way);
    if (way.out != nullptr) break;
    number -= ways;
  }
  *out = *way.out;
  if (writer == nullptr) return;
  text_string(writer->text, "  laid = ");
  write_laid(writer, in, &way.from);
  text_string(writer->text, " parameter(1)\n  ROOT v0 = ");
  write_laid(writer, out, &way.to);
  text_string(writer->text, " bitcast(laid)\n");
}
