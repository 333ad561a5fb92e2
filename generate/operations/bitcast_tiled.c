/* bitcast between tiled layouts. The operand is f32, the result has one of the types below; both
 * sides take every order of dimensions and each tiling below, if they have as many bits and occupy
 * the same memory. The operand is a separate parameter with the layout; the current value is not
 * used. A tile of n sizes covers the n most minor sizes, with leading 1s if there are fewer, and
 * rounds each up to a multiple. A second tile divides the sizes that the first one produces. */
#include "generate/operations/compose.h"

#include <assert.h>

typedef struct TileShape {
  uint32_t rank;
  int64_t sizes[2];
} TileShape;

static const struct {
  const char *text;
  uint32_t count;
  TileShape tiles[2];
} tilings[] = {
    {"", 0, {}},
    {"T(2)", 1, {{1, {2}}}},
    {"T(4)", 1, {{1, {4}}}},
    {"T(2,2)", 1, {{2, {2, 2}}}},
    {"T(2,4)", 1, {{2, {2, 4}}}},
    {"T(3,2)", 1, {{2, {3, 2}}}},
    {"T(4,2)(2,1)", 2, {{2, {4, 2}}, {2, {2, 1}}}},
    {"T(4)(3)", 2, {{1, {4}}, {1, {3}}}},
};
static constexpr uint32_t tiling_count = sizeof tilings / sizeof *tilings;

static const ElementType result_types[] = {TYPE_f32, TYPE_f16, TYPE_f64};
static constexpr uint32_t result_type_count = sizeof result_types / sizeof *result_types;

typedef struct TiledLayout {
  uint32_t minor_to_major[tensor_max_rank], tiling;
} TiledLayout;

/* Chooses a layout. A scalar has none. */
static TiledLayout choose_tiled(Choices *choices, uint32_t rank) {
  TiledLayout layout = {};
  if (rank == 0) return layout;
  layout.tiling = (uint32_t)choose(choices, tiling_count);
  choose_arrangement(choices, rank, rank, layout.minor_to_major);
  return layout;
}

static int64_t product_of(const int64_t *sizes, uint32_t count) {
  int64_t all = 1;
  for (uint32_t i = 0; i < count; i++) all *= sizes[i];
  return all;
}

/* Replaces the minor sizes by their numbers of tiles and appends the tile's sizes. */
static uint32_t put_tile(const TileShape *tile, int64_t *sizes, uint32_t count) {
  uint32_t lacking = tile->rank > count ? tile->rank - count : 0;
  assert(tile->rank <= sizeof tile->sizes / sizeof *tile->sizes);
  for (uint32_t i = count + lacking; i-- > 0;) sizes[i] = i < lacking ? 1 : sizes[i - lacking];
  count += lacking;
  for (uint32_t i = 0; i < tile->rank; i++) {
    int64_t *size = &sizes[count - tile->rank + i];
    *size = (*size + tile->sizes[i] - 1) / tile->sizes[i];
    sizes[count + i] = tile->sizes[i];
  }
  return count + tile->rank;
}

/* Positions in memory, including padding. */
static int64_t positions(const Tensor *tensor, const TiledLayout *layout) {
  int64_t sizes[tensor_max_rank + 8];
  uint32_t count = tensor->rank;
  for (uint32_t i = 0; i < count; i++)
    sizes[i] = tensor->sizes[layout->minor_to_major[count - 1 - i]];
  for (uint32_t i = 0; i < tilings[layout->tiling].count; i++)
    count = put_tile(&tilings[layout->tiling].tiles[i], sizes, count);
  return product_of(sizes, count);
}

static const Shape *laid_shape(
    Builder *builder, ElementType type, const Tensor *tensor, const TiledLayout *layout) {
  const Shape *plain =
      hlo_build_laid_shape(builder, type, tensor->rank, tensor->sizes, layout->minor_to_major);
  if (plain == nullptr || layout->tiling == 0) return plain;
  Shape *tiled = ARENA_NEW(builder->module->arena, Shape, 1);
  *tiled = *plain;
  tiled->layout_rest = tilings[layout->tiling].text;
  return tiled;
}

/* The possible results depend on the operand's memory and on whether its layout is plain. */
static void join_results(
    const OperationCase *at_hand, int64_t elements, int64_t memory, bool is_plain, uint64_t type) {
  ChoiceKey key = {};
  choice_key_add(&key, GENERATED_bitcast_tiled);
  choice_key_add(&key, (uint64_t)elements);
  choice_key_add(&key, (uint64_t)memory);
  choice_key_add(&key, is_plain);
  choice_key_add(&key, type);
  choices_join(at_hand->choices, &key);
}

/* If both sides are plain and of one type, the operation is `bitcast`, which is not generated
 * here. */
bool generate_bitcast_tiled(OperationCase *at_hand) {
  const Tensor *in = &at_hand->in;
  uint64_t type = choose(at_hand->choices, result_type_count);
  int64_t bits = element_type_bits(result_types[type]), elements = tensor_elements(in) * 32 / bits;
  if (elements * bits != tensor_elements(in) * 32 || elements > at_hand->limits->most_elements)
    return false;
  TiledLayout from = choose_tiled(at_hand->choices, in->rank);
  int64_t memory = positions(in, &from) * 32;
  bool is_plain = from.tiling == 0 && bits == 32;
  join_results(at_hand, elements, memory, is_plain, type);
  at_hand->out = choose_shape(at_hand->choices, at_hand->limits, elements);
  TiledLayout to = choose_tiled(at_hand->choices, at_hand->out.rank);
  if (positions(&at_hand->out, &to) * bits != memory || (to.tiling == 0 && is_plain)) return false;
  if (at_hand->builder == nullptr) return true;
  Builder *builder = at_hand->builder;
  Instruction *laid =
      at_hand->source->parameter(at_hand->source, laid_shape(builder, TYPE_f32, in, &from));
  at_hand->result =
      BUILD_AS(builder, laid_shape(builder, result_types[type], &at_hand->out, &to), BITCAST, laid);
  return true;
}
