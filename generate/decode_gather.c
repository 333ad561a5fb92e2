/* Records of gather and scatter. Each dimension of the operand is collapsed, batching, or in the
 * window; the dimensions of the indices are batching ones (paired with the operand's), further
 * ones, and the index vector's. Indices are parameters, iotas, arithmetic of those, literals, or
 * values made before. */
#include <inttypes.h>

#include "generate/decoder.h"

/* What gather and scatter share: which dimensions of the operand the indices address, the windows,
 * and where they stand in the result. */
typedef struct Scheme {
  FuzzValue operand, indices, windows; /* windows: gather's output, scatter's updates */
  int64_t index_vector_dim;
  int64_t window_sizes[fuzz_max_rank];
  int64_t offset_dims[fuzz_max_rank], collapsed[fuzz_max_rank], index_map[fuzz_max_rank];
  int64_t batching[fuzz_max_rank], indices_batching[fuzz_max_rank]; /* pairs */
  uint32_t offset_count, collapsed_count, index_count, batching_count;
  uint32_t batch_count; /* dimensions of the indices but the index vector's */
  int64_t batch_sizes[fuzz_max_rank];
} Scheme;

static FuzzValue indices_by(Decoder *decoder, FuzzValue indices, const char *text) {
  begin_value(decoder, &indices);
  text_string(&decoder->body, text);
  finish_value(decoder, &indices);
  return indices;
}

/* An iota and a number, which an engine may fold into an expression of the index. */
static FuzzValue add_computed_indices(Decoder *decoder, FuzzValue indices) {
  static const char *const operations[] = {
      "add", "subtract", "multiply", "minimum", "maximum", "divide", "remainder"};
  Arena *arena = decoder->arena;
  uint32_t how = record_choose(decoder, 14, 64);
  FuzzValue iota = indices_by(
      decoder, indices, arena_printf(arena, "iota(), iota_dimension=%u", how % indices.rank));
  if (how % 16 == 15)
    return indices_by(decoder, indices, arena_printf(arena, "negate(v%u)", iota.id));
  FuzzValue number = add_constant(decoder, TYPE_s32, (int64_t)(how / 8) - 2);
  if (how % 16 == 14)
    return indices_by(decoder, indices,
        arena_printf(arena, "clamp(v%u, v%u, v%u)", number.id, iota.id, number.id));
  FuzzValue all =
      indices_by(decoder, indices, arena_printf(arena, "broadcast(v%u), dimensions={}", number.id));
  bool turned = how % 16 >= 7;
  return indices_by(decoder, indices,
      arena_printf(arena, "%s(v%u, v%u)", operations[how % 7], turned ? all.id : iota.id,
          turned ? iota.id : all.id));
}

static FuzzValue add_indices(Decoder *decoder, FuzzValue indices) {
  uint32_t how = record_choose(decoder, 15, 6);
  if (indices.rank > 0 && how == 2) {
    begin_value(decoder, &indices);
    text_printf(
        &decoder->body, "iota(), iota_dimension=%u", record_choose(decoder, 14, indices.rank));
    finish_value(decoder, &indices);
    return indices;
  }
  if (how == 3 && indices.rank > 0) return add_computed_indices(decoder, indices);
  if (how == 4) return add_literal(decoder, indices, record_choose(decoder, 14, 256));
  return how == 5 ? value_or_parameter(decoder, indices, record_choose(decoder, 14, 64))
                  : add_parameter(decoder, indices);
}

/* At most two dimensions are batching, and one at least is not. */
static bool may_batch(const Decoder *decoder, const Scheme *scheme) {
  return record_choose(decoder, 2, 2) != 0 && scheme->batching_count < 2 &&
         scheme->batching_count + 1 < scheme->operand.rank;
}

static void choose_window_sizes(const Decoder *decoder, Scheme *scheme) {
  for (uint32_t i = 0; i < scheme->operand.rank; i++) {
    uint32_t bits = choose_bits(decoder, 12 + i);
    int64_t size = scheme->operand.sizes[i];
    bool collapse = bits == 0 && size >= 1, batch = bits == 1 && may_batch(decoder, scheme);
    scheme->window_sizes[i] = collapse ? 1
                              : batch  ? (size > 0 ? 1 : 0)
                                       : size - record_choose(decoder, 4 + i, (uint32_t)size + 1);
    if (collapse) scheme->collapsed[scheme->collapsed_count++] = i;
    if (batch) scheme->batching[scheme->batching_count++] = i;
  }
  scheme->offset_count = scheme->operand.rank - scheme->collapsed_count - scheme->batching_count;
}

static bool is_one_of(uint32_t dim, uint32_t count, const int64_t *list) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == dim) return true;
  return false;
}

static void choose_index_map(const Decoder *decoder, Scheme *scheme) {
  bool backwards = record_choose(decoder, 8, 2) != 0;
  int64_t first = -1;
  for (uint32_t k = 0; k < scheme->operand.rank; k++) {
    uint32_t i = backwards ? scheme->operand.rank - 1 - k : k;
    if (is_one_of(i, scheme->batching_count, scheme->batching)) continue;
    if (first < 0 || i < first) first = i;
    if (choose_bits(decoder, 36 + i) != 3) scheme->index_map[scheme->index_count++] = i;
  }
  if (scheme->index_count == 0) scheme->index_map[scheme->index_count++] = first;
}

/* The batching dimensions stand before the further ones, or behind them with bit 2, paired
 * backwards with bit 4; indices_batching counts without the index vector here. */
static void choose_batch(const Decoder *decoder, Scheme *scheme) {
  uint32_t others = record_choose(decoder, 10, 3), pairs = scheme->batching_count,
           room = fuzz_max_rank - scheme->offset_count;
  if (room > fuzz_max_rank - 1) room = fuzz_max_rank - 1; /* and the index vector's */
  if (others + pairs > room) others = room - pairs;
  uint32_t first = (record_choose(decoder, 2, 4) & 2) != 0 ? others : 0,
           other = first == 0 ? pairs : 0;
  for (uint32_t i = 0; i < pairs; i++) {
    uint32_t place = first + ((record_choose(decoder, 2, 8) & 4) != 0 ? pairs - 1 - i : i);
    scheme->indices_batching[i] = place;
    scheme->batch_sizes[place] = scheme->operand.sizes[scheme->batching[i]];
  }
  for (uint32_t i = 0; i < others; i++)
    scheme->batch_sizes[other + i] = 1 + choose_bits(decoder, 44 + i) % 3;
  scheme->batch_count = others + pairs;
}

static void place_indices(const Decoder *decoder, Scheme *scheme) {
  bool implicit = scheme->index_count == 1 && record_choose(decoder, 11, 2) != 0;
  uint32_t batch = scheme->batch_count, at = record_choose(decoder, 12, batch + 1);
  scheme->index_vector_dim = implicit ? batch : at;
  for (uint32_t i = 0; i <= batch; i++) {
    if (i == at && !implicit) scheme->indices.sizes[scheme->indices.rank++] = scheme->index_count;
    if (i < batch) scheme->indices.sizes[scheme->indices.rank++] = scheme->batch_sizes[i];
  }
  for (uint32_t i = 0; i < scheme->batching_count; i++)
    scheme->indices_batching[i] += !implicit && scheme->indices_batching[i] >= at;
}

static void place_windows(const Decoder *decoder, Scheme *scheme) {
  uint32_t rank = scheme->batch_count + scheme->offset_count, windows = 0, batches = 0, dim = 0;
  for (uint32_t i = 0; i < rank; i++) {
    bool window = batches == scheme->batch_count ||
                  (windows < scheme->offset_count && (decoder->record[13] >> i & 1) != 0);
    if (!window) {
      scheme->windows.sizes[i] = scheme->batch_sizes[batches++];
      continue;
    }
    while (is_one_of(dim, scheme->collapsed_count, scheme->collapsed) ||
           is_one_of(dim, scheme->batching_count, scheme->batching))
      dim++;
    scheme->offset_dims[windows++] = i;
    scheme->windows.sizes[i] = scheme->window_sizes[dim++];
  }
  scheme->windows.rank = rank;
}

static bool choose_scheme(Decoder *decoder, Scheme *scheme) {
  scheme->operand = pick_value(decoder, record_choose(decoder, 1, 64));
  if (scheme->operand.rank == 0) return false;
  decoder->bound = scheme->operand.rank;
  scheme->indices.type = TYPE_s32;
  scheme->windows.type = scheme->operand.type;
  choose_window_sizes(decoder, scheme);
  choose_index_map(decoder, scheme);
  choose_batch(decoder, scheme);
  place_indices(decoder, scheme);
  place_windows(decoder, scheme);
  return fuzz_room(&scheme->windows) <= fuzz_max_elements &&
         fuzz_room(&scheme->indices) <= fuzz_max_elements;
}

static void print_batching(
    Text *text, const Scheme *scheme, const char *of_operand, const char *of_indices) {
  if (scheme->batching_count == 0) return;
  print_numbers(text, of_operand, scheme->batching_count, scheme->batching);
  print_numbers(text, of_indices, scheme->batching_count, scheme->indices_batching);
}

bool fuzz_write_gather(Decoder *decoder) {
  Scheme scheme = {};
  if (!choose_scheme(decoder, &scheme)) return false;
  scheme.indices = add_indices(decoder, scheme.indices);
  FuzzValue value = scheme.windows;
  begin_value(decoder, &value);
  Text *text = &decoder->body;
  text_printf(text, "gather(v%u, v%u)", scheme.operand.id, scheme.indices.id);
  print_numbers(text, "offset_dims", scheme.offset_count, scheme.offset_dims);
  print_numbers(text, "collapsed_slice_dims", scheme.collapsed_count, scheme.collapsed);
  print_numbers(text, "start_index_map", scheme.index_count, scheme.index_map);
  print_batching(text, &scheme, "operand_batching_dims", "start_indices_batching_dims");
  text_printf(text, ", index_vector_dim=%" PRId64, scheme.index_vector_dim);
  print_numbers(text, "slice_sizes", scheme.operand.rank, scheme.window_sizes);
  finish_value(decoder, &value);
  return true;
}

static void print_scatter(Decoder *decoder, const Scheme *scheme, const char *reducer) {
  Text *text = &decoder->body;
  print_numbers(text, "update_window_dims", scheme->offset_count, scheme->offset_dims);
  print_numbers(text, "inserted_window_dims", scheme->collapsed_count, scheme->collapsed);
  print_numbers(text, "scatter_dims_to_operand_dims", scheme->index_count, scheme->index_map);
  print_batching(text, scheme, "input_batching_dims", "scatter_indices_batching_dims");
  text_printf(
      text, ", index_vector_dim=%" PRId64 ", to_apply=%s", scheme->index_vector_dim, reducer);
}

/* Two arrays, two updates, one tuple that is taken apart at once. */
static void write_double_scatter(Decoder *decoder, const Scheme *scheme, FuzzValue updates) {
  FuzzValue both[2] = {
      scheme->operand, pick_alike(decoder, scheme->operand, record_choose(decoder, 14, 64))};
  FuzzValue second = add_parameter(decoder, scheme->windows);
  both[0].has_layout = both[1].has_layout = false;
  const char *reducer = reducer_name(decoder, 2, both);
  uint32_t tuple = begin_tuple(decoder, 2, both, "");
  text_printf(&decoder->body, "scatter(v%u, v%u, v%u, v%u, v%u)", both[0].id, both[1].id,
      scheme->indices.id, updates.id, second.id);
  print_scatter(decoder, scheme, reducer);
  text_string(&decoder->body, "\n");
  take_element(decoder, tuple, 1, both[1]);
  take_element(decoder, tuple, 0, both[0]);
}

bool fuzz_write_scatter(Decoder *decoder) {
  Scheme scheme = {};
  if (!choose_scheme(decoder, &scheme)) return false;
  if (scheme.operand.type != TYPE_f32 && scheme.operand.type != TYPE_s32) return false;
  scheme.indices = add_indices(decoder, scheme.indices);
  FuzzValue updates = add_parameter(decoder, scheme.windows), value = scheme.operand;
  if ((record_choose(decoder, 2, 16) & 8) != 0) {
    write_double_scatter(decoder, &scheme, updates);
    return true;
  }
  const char *reducer = reducer_name(decoder, 1, &scheme.operand);
  value.has_layout = false;
  begin_value(decoder, &value);
  text_printf(
      &decoder->body, "scatter(v%u, v%u, v%u)", scheme.operand.id, scheme.indices.id, updates.id);
  print_scatter(decoder, &scheme, reducer);
  finish_value(decoder, &value);
  return true;
}
