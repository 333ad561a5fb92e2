/* A bitcast keeps the bits in place: an element of the output reads the elements at the same bits
 * of the operand's memory.
 * A layout is an order of the dimensions, major to minor, and tiles. A tile of sizes t1..tk cuts
 * the last k dimensions into blocks: each dimension becomes the number of its block, and the
 * positions inside the blocks are appended after all dimensions. The last block of a dimension is
 * padded. Each further tile cuts the result of the previous one. Elements are then in row-major
 * order, each with the layout's E(bits), otherwise with whole bytes.
 * An element reads the element that contains it, or each of those that it consists of; padding is
 * no element. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "smt/semantics/hlo_reading.h"

static constexpr uint32_t most_tiles = 8, most_parts = 8;
static constexpr Wide most_positions = (Wide)1 << 62;

typedef struct HloBitcastTile {
  uint32_t rank;
  Wide sizes[most_parts];
} HloBitcastTile;

/* The sizes before a tile, with as many leading sizes 1 as the tile needs. */
typedef struct Stage {
  uint32_t rank;
  Wide *sizes;
} Stage;

typedef struct HloBitcastLayout {
  const Shape *shape;
  uint32_t *order; /* minor first */
  uint32_t tile_count;
  HloBitcastTile tiles[most_tiles];
  Stage stages[most_tiles + 1];
  Wide positions;
  Wide bits; /* of an element */
} HloBitcastLayout;

static bool read_tile(const char **at, HloBitcastTile *tile) {
  *tile = (HloBitcastTile){};
  do {
    char *end;
    long long size = strtoll(++*at, &end, 10);
    if (end == *at || size < 1 || tile->rank == most_parts) return false;
    tile->sizes[tile->rank++] = size;
    *at = end + strspn(end, " ");
  } while (**at == ',');
  return *(*at)++ == ')';
}

static bool read_bits(const char **at, Wide *bits) {
  char *end;
  long long written = strtoll(++*at, &end, 10);
  if (*bits != 0 || end == *at || written < 1 || *end != ')') return false;
  *bits = written;
  *at = end + 1;
  return true;
}

/* Parses tiles and bits. Memory spaces and paddings after everything move no element; any other
 * property is unsupported. */
static bool read_layout(HloBitcastLayout *layout) {
  for (const char *at = layout->shape->layout_rest; at != nullptr && *at != 0;) {
    size_t length = strcspn(at, "(");
    bool is_tiles = length == 1 && *at == 'T', is_bits = length == 1 && *at == 'E';
    if (!is_tiles && !is_bits && !(length == 1 && strchr("SLM", *at) != nullptr)) return false;
    for (at += length; *at == '(';) {
      if (is_bits && !read_bits(&at, &layout->bits)) return false;
      else if (is_bits) continue;
      else if (!is_tiles) at += strcspn(at, ")") + 1;
      else if (layout->tile_count == most_tiles) return false;
      else if (!read_tile(&at, &layout->tiles[layout->tile_count])) return false;
      else layout->tile_count++;
    }
  }
  return true;
}

static Wide blocks(Wide size, Wide of) { return (size + of - 1) / of; }

/* Computes the sizes before and after the tile. */
static void cut_sizes(Sums *sums, const HloBitcastTile *tile, Stage *before, Stage *after) {
  uint32_t missing = before->rank < tile->rank ? tile->rank - before->rank : 0,
           rank = before->rank + missing;
  Wide *sizes = ARENA_NEW(sums->arena, Wide, rank);
  for (uint32_t i = 0; i < rank; i++) sizes[i] = i < missing ? 1 : before->sizes[i - missing];
  *before = (Stage){.rank = rank, .sizes = sizes};
  *after =
      (Stage){.rank = rank + tile->rank, .sizes = ARENA_NEW(sums->arena, Wide, rank + tile->rank)};
  uint32_t first = rank - tile->rank;
  for (uint32_t i = 0; i < rank; i++)
    after->sizes[i] = i < first ? sizes[i] : blocks(sizes[i], tile->sizes[i - first]);
  for (uint32_t i = 0; i < tile->rank; i++) after->sizes[rank + i] = tile->sizes[i];
}

static bool follow_layout(Sums *sums, const Shape *shape, HloBitcastLayout *layout) {
  *layout = (HloBitcastLayout){
      .shape = shape, .order = ARENA_NEW(sums->arena, uint32_t, shape->rank), .positions = 1};
  shape_minor_to_major(shape, layout->order);
  if (!read_layout(layout)) return false;
  Wide own = element_type_bits(shape->type);
  if (layout->bits == 0) layout->bits = own + (8 - own % 8) % 8;
  Stage *stage = &layout->stages[0];
  *stage = (Stage){.rank = shape->rank, .sizes = ARENA_NEW(sums->arena, Wide, shape->rank)};
  for (uint32_t i = 0; i < shape->rank; i++)
    stage->sizes[i] = shape->sizes[layout->order[shape->rank - 1 - i]];
  for (uint32_t i = 0; i < layout->tile_count; i++)
    cut_sizes(sums, &layout->tiles[i], &layout->stages[i], &layout->stages[i + 1]);
  stage = &layout->stages[layout->tile_count];
  for (uint32_t i = 0; i < stage->rank; i++) {
    if (stage->sizes[i] > most_positions / layout->positions) return false;
    layout->positions *= stage->sizes[i];
  }
  return true;
}

/* The position of an element: its index is cut tile by tile, then row-major. */
static Sum hlo_bitcast_position_of(Sums *sums, const HloBitcastLayout *layout, const Sum *index) {
  uint32_t rank = layout->shape->rank;
  Sum *cut = ARENA_NEW(sums->arena, Sum, rank);
  for (uint32_t i = 0; i < rank; i++) cut[i] = index[layout->order[rank - 1 - i]];
  for (uint32_t t = 0; t < layout->tile_count; t++) {
    const HloBitcastTile *tile = &layout->tiles[t];
    uint32_t wide = layout->stages[t].rank, missing = wide - rank, first = wide - tile->rank;
    Sum *next = ARENA_NEW(sums->arena, Sum, wide + tile->rank);
    for (uint32_t i = 0; i < wide; i++) {
      Sum at = i < missing ? sum_of_constant(sums, 0) : cut[i - missing];
      next[i] = i < first ? at : sum_floordiv(sums, at, tile->sizes[i - first]);
      if (i >= first) next[wide + i - first] = sum_mod(sums, at, tile->sizes[i - first]);
    }
    cut = next;
    rank = wide + tile->rank;
  }
  Sum position = sum_of_constant(sums, 0);
  for (uint32_t i = 0; i < rank; i++)
    position = sum_add(
        sums, sum_scale(sums, position, layout->stages[layout->tile_count].sizes[i]), cut[i]);
  return position;
}

/* The element at a position: the digits of the position are recombined tile by tile. Padding is
 * outside the sizes. */
static void read_at(
    SmtReading *reading, const HloBitcastLayout *layout, Sum position, Access *access) {
  assert(sums_has(reading->sums, position));
  Sums *sums = reading->sums;
  const Stage *last = &layout->stages[layout->tile_count];
  Sum *cut = ARENA_NEW(sums->arena, Sum, last->rank);
  for (uint32_t i = last->rank; i-- > 0;) {
    cut[i] = i > 0 ? sum_mod(sums, position, last->sizes[i]) : position;
    position = sum_floordiv(sums, position, last->sizes[i]);
  }
  for (uint32_t t = layout->tile_count; t-- > 0;) {
    const HloBitcastTile *tile = &layout->tiles[t];
    const Stage *stage = &layout->stages[t];
    uint32_t first = stage->rank - tile->rank,
             own = t == 0 ? layout->shape->rank
                          : layout->stages[t - 1].rank + layout->tiles[t - 1].rank;
    for (uint32_t i = first; i < stage->rank; i++) {
      cut[i] = sum_add(
          sums, sum_scale(sums, cut[i], tile->sizes[i - first]), cut[stage->rank + i - first]);
      piece_within(sums, &access->piece, cut[i], 0, stage->sizes[i] - 1);
    }
    cut += stage->rank - own;
  }
  for (uint32_t i = 0; i < access->rank; i++)
    access->element[layout->order[access->rank - 1 - i]] = cut[i];
}

bool reads_of_bitcast(SmtReading *reading) {
  Sums *sums = reading->sums;
  uint32_t leaf = reading->leaf;
  if (leaf >= shape_leaf_count(reading->instruction->operands[0]->shape))
    return reading_lacks(reading, "a bitcast to another number of arrays");
  const Shape *from = reading->shape, *to = operand_leaf_shape(reading, 0, leaf);
  if (!shape_is_array(from) || !shape_is_array(to))
    return reading_lacks(reading, "a bitcast of what is not an array");
  HloBitcastLayout here, there;
  Access *access = reading_access(reading, 0, leaf);
  if (shape_elements(from) == 0 || shape_elements(to) == 0) return true;
  if (!follow_layout(sums, from, &here) || !follow_layout(sums, to, &there))
    return reading_lacks(reading, "a bitcast with a layout that is more than an order and tiles");
  Wide wide = here.bits, narrow = there.bits;
  if (wide < element_type_bits(from->type) || narrow < element_type_bits(to->type))
    return reading_lacks(reading, "a bitcast of elements in less room than they need");
  if (wide % narrow != 0 && narrow % wide != 0)
    return reading_lacks(reading, "a bitcast between widths of which neither divides the other");
  if (here.positions * wide != there.positions * narrow)
    return reading_lacks(reading, "a bitcast to another amount of memory");
  Sum position = hlo_bitcast_position_of(sums, &here, reading->index);
  if (wide > narrow)
    position = sum_add(sums, sum_scale(sums, position, wide / narrow),
        piece_hidden(sums, &access->piece, "part", 0, wide / narrow - 1));
  else position = sum_floordiv(sums, position, narrow / wide);
  read_at(reading, &there, position, access);
  return true;
}
