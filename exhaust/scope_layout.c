/* Ways to apply bitcast between tiled layouts: the operand f32, the result of each of the types
 * below, both sides in every order of dimensions and
 * each of the tilings below, wherever they have as many bits and take the same memory. The operand
 * is a parameter of its own, which has the layout; p0 stays unread. A tile of n sizes covers the n
 * most minor sizes of what is there when it comes, with 1 in front where there are fewer, and
 * rounds each up to a multiple; a second tile so divides the sizes that the first one leaves. */
#include <assert.h>

#include "exhaust/scope_operation.h"

typedef struct Tile {
  uint32_t rank;
  int64_t sizes[2];
} Tile;

static const struct {
  const char *text;
  uint32_t count;
  Tile tiles[2];
} tilings[] = {
    {"", 0, {}},
    {":T(2)", 1, {{1, {2}}}},
    {":T(4)", 1, {{1, {4}}}},
    {":T(2,2)", 1, {{2, {2, 2}}}},
    {":T(2,4)", 1, {{2, {2, 4}}}},
    {":T(3,2)", 1, {{2, {3, 2}}}},
    {":T(4,2)(2,1)", 2, {{2, {4, 2}}, {2, {2, 1}}}},
    {":T(4)(3)", 2, {{1, {4}}, {1, {3}}}},
};
static constexpr uint32_t tiling_count = sizeof tilings / sizeof *tilings;

static const struct {
  const char *name;
  int64_t bits;
} result_types[] = {{"f32", 32}, {"f16", 16}, {"f64", 64}};
static constexpr uint32_t result_type_count = sizeof result_types / sizeof *result_types;

typedef struct Layout {
  uint32_t minor_to_major[tensor_max_rank], tiling;
} Layout;

/* A scalar has no layout. */
static uint64_t layout_ways(const Tensor *tensor) {
  return tensor->rank == 0 ? 1 : arrangements(tensor->rank, tensor->rank) * tiling_count;
}

static Layout layout_at(const Tensor *tensor, uint64_t way) {
  Layout layout = {.tiling = (uint32_t)digit_take(&way, tiling_count)};
  arrangement_at(tensor->rank, tensor->rank, way, layout.minor_to_major);
  return layout;
}

static int64_t product(const int64_t *sizes, uint32_t count) {
  int64_t all = 1;
  for (uint32_t i = 0; i < count; i++) all *= sizes[i];
  return all;
}

/* Replaces the minor sizes by how many tiles they take, and puts the tile's own behind. */
static uint32_t put_tile(const Tile *tile, int64_t *sizes, uint32_t count) {
  uint32_t lacking = tile->rank > count ? tile->rank - count : 0;
  for (uint32_t i = count + lacking; i-- > 0;) sizes[i] = i < lacking ? 1 : sizes[i - lacking];
  count += lacking;
  for (uint32_t i = 0; i < tile->rank; i++) {
    int64_t *size = &sizes[count - tile->rank + i];
    *size = (*size + tile->sizes[i] - 1) / tile->sizes[i];
    sizes[count + i] = tile->sizes[i];
  }
  return count + tile->rank;
}

/* Elements of memory, padding included. */
static int64_t places(const Tensor *tensor, const Layout *layout) {
  int64_t sizes[tensor_max_rank + 8];
  uint32_t count = tensor->rank;
  for (uint32_t i = 0; i < count; i++)
    sizes[i] = tensor->sizes[layout->minor_to_major[count - 1 - i]];
  for (uint32_t i = 0; i < tilings[layout->tiling].count; i++)
    count = put_tile(&tilings[layout->tiling].tiles[i], sizes, count);
  return product(sizes, count);
}

typedef struct TiledWay {
  Layout from, to;
  uint32_t type;
  const Tensor *out;
} TiledWay;

/* The results of one operand layout and one type: the one with that number, or with number ==
 * nullptr none. Gives how many there are up to it. Both plain and of one type is `bitcast`. */
static uint64_t results_of(
    const ScopeLimits *limits, const Tensor *in, const uint64_t *number, TiledWay *way) {
  uint64_t count = 0;
  int64_t bits = result_types[way->type].bits, elements = tensor_elements(in) * 32 / bits,
          memory = places(in, &way->from) * 32;
  if (elements * bits != tensor_elements(in) * 32 || elements > limits->elements) return 0;
  for (uint32_t i = limits->tensors->first[elements]; i < limits->tensors->first[elements + 1];
      i++) {
    const Tensor *out = &limits->tensors->items[i];
    for (uint64_t w = 0; w < layout_ways(out); w++) {
      Layout layout = layout_at(out, w);
      if (places(out, &layout) * bits != memory ||
          (layout.tiling == 0 && way->from.tiling == 0 && bits == 32))
        continue;
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

static TiledWay way_at(const Tensor *in, uint64_t way) {
  uint32_t type = (uint32_t)digit_take(&way, result_type_count);
  return (TiledWay){.from = layout_at(in, way), .type = type};
}

uint64_t count_bitcast_tiled(const ScopeLimits *limits, const Tensor *in) {
  uint64_t count = 0;
  for (uint64_t w = 0; w < layout_ways(in) * result_type_count; w++) {
    TiledWay way = way_at(in, w);
    count += results_of(limits, in, nullptr, &way);
  }
  return count;
}

static void write_laid(
    ScopeWriter *writer, const char *type, const Tensor *tensor, const Layout *layout) {
  Text *text = writer->text;
  scope_write_shape(text, type, tensor, layout->minor_to_major);
  if (layout->tiling == 0) return;
  assert(text->length > 0 && text->bytes[text->length - 1] == '}');
  text->bytes[--text->length] = 0;
  text_string(text, tilings[layout->tiling].text);
  text_string(text, "}");
}

void write_bitcast_tiled(const ScopeLimits *limits, const Tensor *in, uint64_t number, Tensor *out,
    ScopeWriter *writer) {
  TiledWay way = {};
  for (uint64_t w = 0;; w++) {
    way = way_at(in, w);
    uint64_t ways = results_of(limits, in, &number, &way);
    if (way.out != nullptr) break;
    number -= ways;
  }
  *out = *way.out;
  if (writer == nullptr) return;
  text_string(writer->text, "  laid = ");
  write_laid(writer, "f32", in, &way.from);
  text_string(writer->text, " parameter(1)\n  ROOT v0 = ");
  write_laid(writer, result_types[way.type].name, out, &way.to);
  text_string(writer->text, " bitcast(laid)\n");
}
