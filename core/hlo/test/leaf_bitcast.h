/* Test support: bitcasts between arrays with any order of dimensions, tiles and widths. Elements
 * are moved into memory, dimension by dimension and tile by tile. */
#ifndef CORE_HLO_TEST_LEAF_BITCAST_H
#define CORE_HLO_TEST_LEAF_BITCAST_H

#include "core/hlo/test/leaf_reads.h"

static constexpr uint32_t leaf_positions = 512, leaf_dims = 8;

/* An array in memory: the element at each position, or -1 for padding. */
typedef struct LeafMemory {
  const char *text;
  int64_t bits; /* of a position */
  uint32_t rank, positions;
  int64_t sizes[leaf_dims];
  int32_t elements[leaf_positions];
} LeafMemory;

static uint32_t memory_positions(uint32_t rank, const int64_t *sizes) {
  int64_t positions = 1;
  for (uint32_t i = 0; i < rank; i++) positions *= sizes[i];
  return (uint32_t)positions;
}

static void next_position(uint32_t rank, const int64_t *sizes, int64_t *at) {
  for (uint32_t i = rank; i > 0; i--) {
    if (++at[i - 1] < sizes[i - 1]) return;
    at[i - 1] = 0;
  }
}

/* Dimensions from major to minor, row by row. */
static void lay_out(LeafShape shape, const uint32_t *major_to_minor, LeafMemory *memory) {
  int64_t at[leaf_dims] = {};
  memory->rank = shape.rank;
  for (uint32_t i = 0; i < shape.rank; i++) memory->sizes[i] = shape.sizes[major_to_minor[i]];
  memory->positions = memory_positions(memory->rank, memory->sizes);
  for (uint32_t position = 0; position < memory->positions; position++) {
    int64_t logical[leaf_rank] = {};
    for (uint32_t i = 0; i < shape.rank; i++) logical[major_to_minor[i]] = at[i];
    memory->elements[position] = (int32_t)leaf_number(shape, logical);
    next_position(memory->rank, memory->sizes, at);
  }
}

/* Cuts the last dimensions into blocks. Returns false if the result is too large. */
static bool cut_memory(LeafMemory *memory, uint32_t count, const int64_t *tile) {
  LeafMemory cut = {.rank = memory->rank + count, .text = memory->text, .bits = memory->bits};
  uint32_t first = memory->rank - count;
  if (count > memory->rank || cut.rank > leaf_dims) return false;
  for (uint32_t i = 0; i < memory->rank; i++) cut.sizes[i] = memory->sizes[i];
  for (uint32_t i = 0; i < count; i++) {
    while (cut.sizes[first + i] * tile[i] >= memory->sizes[first + i] + tile[i])
      cut.sizes[first + i]--;
    cut.sizes[memory->rank + i] = tile[i];
  }
  cut.positions = memory_positions(cut.rank, cut.sizes);
  if (cut.positions > leaf_positions) return false;
  int64_t at[leaf_dims] = {};
  for (uint32_t position = 0; position < cut.positions; position++) {
    int64_t from = 0;
    bool is_padding = false;
    for (uint32_t i = 0; i < memory->rank; i++) {
      int64_t index = i < first ? at[i] : at[i] * tile[i - first] + at[memory->rank + i - first];
      is_padding |= index >= memory->sizes[i];
      from = from * memory->sizes[i] + index;
    }
    cut.elements[position] = is_padding ? -1 : memory->elements[from];
    next_position(cut.rank, cut.sizes, at);
  }
  *memory = cut;
  return true;
}

static bool draw_memory(LeafReads *reads, LeafShape shape, LeafMemory *memory) {
  static const struct {
    const char *name;
    int64_t bits;
  } types[] = {{"s8", 8}, {"s16", 16}, {"f32", 32}, {"s4", 8}, {"s4", 4}};
  uint32_t type = leaf_below(reads, 5), order[leaf_rank], tiles = leaf_below(reads, 3);
  Text text = text_create(reads->arena);
  for (uint32_t i = 0; i < shape.rank; i++) {
    uint32_t other = leaf_below(reads, i + 1);
    order[i] = order[other];
    order[other] = i;
  }
  *memory = (LeafMemory){.bits = types[type].bits};
  lay_out(shape, order, memory);
  text_printf(&text, "%s{", leaf_text(reads->arena, types[type].name, shape));
  for (uint32_t i = shape.rank; i > 0; i--)
    text_printf(&text, "%u%s", order[i - 1], i > 1 ? "," : "");
  if (tiles > 0 || type == 4) text_string(&text, ":");
  for (uint32_t i = 0; i < tiles; i++) {
    int64_t tile[] = {1 + leaf_below(reads, 3), 1 + leaf_below(reads, 3)};
    uint32_t count = 1 + leaf_below(reads, 2);
    if (!cut_memory(memory, count, tile)) return false;
    text_printf(&text, i == 0 ? "T(%lld" : "(%lld", (long long)tile[0]);
    if (count > 1) text_printf(&text, ",%lld", (long long)tile[1]);
    text_string(&text, ")");
  }
  if (type == 4) text_string(&text, "E(4)");
  text_string(&text, "}");
  memory->text = text.bytes;
  return true;
}

/* Each element reads the elements of which it has bits. */
static void draw_bitcast(LeafReads *reads) {
  LeafShape from, to;
  LeafMemory before, after;
  bool fits = false;
  while (!fits) {
    from = draw_leaf_shape(reads, 0, 4);
    to = draw_leaf_shape(reads, 0, 4);
    fits = draw_memory(reads, from, &before) && draw_memory(reads, to, &after) &&
           before.positions * before.bits == after.positions * after.bits &&
           leaf_count(from) * before.bits == leaf_count(to) * after.bits;
  }
  reads->slot_count = 1;
  reads->slots[0].shape = from;
  text_printf(&reads->parameters, "p0 = %s parameter(0)\n", before.text);
  LeafSet *made = add_leaf_result(reads, to);
  for (int64_t bit = 0; bit < after.positions * after.bits; bit++) {
    int32_t read = before.elements[bit / before.bits], element = after.elements[bit / after.bits];
    if (read < 0 || element < 0) continue;
    made[element] = joined_sets(made[element], one_element(0, (uint32_t)read));
  }
  reads->root = arena_printf(reads->arena, "%s bitcast(p0)", after.text);
}

#endif
