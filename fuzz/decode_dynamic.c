/* Records whose reads depend on values: dynamic slices, gather and scatter. Offsets and indices are parameters, constants, iotas or
 * arithmetic of those. */
#include <inttypes.h>

#include "fuzz/decoder.h"

bool fuzz_write_dynamic_slice(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, choose(decoder, 1, 64)), value = operand, offsets[fuzz_max_rank];
  if (operand.rank == 0) return false;
  value.has_layout = false;
  for (uint32_t i = 0; i < operand.rank; i++) {
    value.sizes[i] = operand.sizes[i] - choose(decoder, 2 + 2 * i, (uint32_t)operand.sizes[i] + 1);
    offsets[i] = add_offset(decoder, decoder->record[3 + 2 * i]);
  }
  begin_value(decoder, &value);
  text_printf(&decoder->body, "dynamic-slice(v%u", operand.id);
  for (uint32_t i = 0; i < operand.rank; i++) text_printf(&decoder->body, ", v%u", offsets[i].id);
  text_string(&decoder->body, ")");
  print_numbers(&decoder->body, "dynamic_slice_sizes", value.rank, value.sizes);
  finish_value(decoder, &value);
  return true;
}

bool fuzz_write_dynamic_update_slice(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, choose(decoder, 1, 64)), update = operand, offsets[fuzz_max_rank];
  if (operand.rank == 0) return false;
  for (uint32_t i = 0; i < operand.rank; i++) {
    update.sizes[i] = operand.sizes[i] - choose(decoder, 2 + 2 * i, (uint32_t)operand.sizes[i] + 1);
    offsets[i] = add_offset(decoder, decoder->record[3 + 2 * i]);
  }
  update = add_parameter(decoder, update);
  FuzzValue value = operand;
  begin_value(decoder, &value);
  text_printf(&decoder->body, "dynamic-update-slice(v%u, v%u", operand.id, update.id);
  for (uint32_t i = 0; i < operand.rank; i++) text_printf(&decoder->body, ", v%u", offsets[i].id);
  text_string(&decoder->body, ")");
  finish_value(decoder, &value);
  return true;
}

static FuzzValue add_indices(Decoder *decoder, FuzzValue indices) {
  if (indices.rank == 0 || choose(decoder, 15, 3) != 2) return add_parameter(decoder, indices);
  begin_value(decoder, &indices);
  text_printf(&decoder->body, "iota(), iota_dimension=%u", choose(decoder, 14, indices.rank));
  finish_value(decoder, &indices);
  return indices;
}

/* What gather and scatter share: which dimensions of the operand the indices address, the windows, and where they stand in the result. */
typedef struct Scheme {
  FuzzValue operand, indices, windows; /* windows: gather's output, scatter's updates */
  int64_t index_vector_dim;
  int64_t window_sizes[fuzz_max_rank];
  int64_t offset_dims[fuzz_max_rank], collapsed[fuzz_max_rank], index_map[fuzz_max_rank];
  uint32_t offset_count, collapsed_count, index_count;
} Scheme;

static void choose_window_sizes(const Decoder *decoder, Scheme *scheme) {
  for (uint32_t i = 0; i < scheme->operand.rank; i++) {
    uint32_t bits = choose_bits(decoder, 12 + i);
    int64_t size = scheme->operand.sizes[i];
    bool collapse = bits == 0 && size >= 1;
    scheme->window_sizes[i] = collapse ? 1 : size - choose(decoder, 4 + i, (uint32_t)size + 1);
    if (collapse) scheme->collapsed[scheme->collapsed_count++] = i;
  }
  scheme->offset_count = scheme->operand.rank - scheme->collapsed_count;
}

static void choose_index_map(const Decoder *decoder, Scheme *scheme) {
  bool backwards = choose(decoder, 8, 2) != 0;
  for (uint32_t k = 0; k < scheme->operand.rank; k++) {
    uint32_t i = backwards ? scheme->operand.rank - 1 - k : k;
    if (choose_bits(decoder, 36 + i) != 3) scheme->index_map[scheme->index_count++] = i;
  }
  if (scheme->index_count == 0) scheme->index_map[scheme->index_count++] = 0;
}

static void choose_batch(const Decoder *decoder, Scheme *scheme, int64_t *sizes, uint32_t *count) {
  *count = choose(decoder, 10, 3);
  if (*count + scheme->offset_count > fuzz_max_rank) *count = fuzz_max_rank - scheme->offset_count;
  for (uint32_t i = 0; i < *count; i++) sizes[i] = 1 + choose_bits(decoder, 44 + i) % 3;
}

static void place_indices(const Decoder *decoder, Scheme *scheme, uint32_t batch, const int64_t *sizes) {
  bool implicit = scheme->index_count == 1 && choose(decoder, 11, 2) != 0;
  uint32_t at = choose(decoder, 12, batch + 1);
  scheme->index_vector_dim = implicit ? batch : at;
  for (uint32_t i = 0; i <= batch; i++) {
    if (i == at && !implicit) scheme->indices.sizes[scheme->indices.rank++] = scheme->index_count;
    if (i < batch) scheme->indices.sizes[scheme->indices.rank++] = sizes[i];
  }
}

static void place_windows(const Decoder *decoder, Scheme *scheme, uint32_t batch, const int64_t *sizes) {
  uint32_t rank = batch + scheme->offset_count, windows = 0, batches = 0, dim = 0;
  for (uint32_t i = 0; i < rank; i++) {
    bool window = batches == batch || (windows < scheme->offset_count && (decoder->record[13] >> i & 1) != 0);
    if (!window) {
      scheme->windows.sizes[i] = sizes[batches++];
      continue;
    }
    uint32_t collapsed = 0;
    while (collapsed < scheme->collapsed_count) {
      if (scheme->collapsed[collapsed] != dim) {
        collapsed++;
        continue;
      }
      dim++;
      collapsed = 0;
    }
    scheme->offset_dims[windows++] = i;
    scheme->windows.sizes[i] = scheme->window_sizes[dim++];
  }
  scheme->windows.rank = rank;
}

static bool choose_scheme(const Decoder *decoder, Scheme *scheme) {
  scheme->operand = pick_value(decoder, choose(decoder, 1, 64));
  if (scheme->operand.rank == 0) return false;
  scheme->indices.type = TYPE_s32;
  scheme->windows.type = scheme->operand.type;
  int64_t sizes[fuzz_max_rank];
  uint32_t batch;
  choose_window_sizes(decoder, scheme);
  choose_index_map(decoder, scheme);
  choose_batch(decoder, scheme, sizes, &batch);
  place_indices(decoder, scheme, batch, sizes);
  place_windows(decoder, scheme, batch, sizes);
  return fuzz_room(&scheme->windows) <= fuzz_max_elements && fuzz_room(&scheme->indices) <= fuzz_max_elements;
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
  text_printf(text, ", index_vector_dim=%" PRId64, scheme.index_vector_dim);
  print_numbers(text, "slice_sizes", scheme.operand.rank, scheme.window_sizes);
  finish_value(decoder, &value);
  return true;
}

bool fuzz_write_scatter(Decoder *decoder) {
  Scheme scheme = {};
  if (!choose_scheme(decoder, &scheme)) return false;
  if (scheme.operand.type != TYPE_f32 && scheme.operand.type != TYPE_s32) return false;
  const char *reducer = reducer_name(decoder, 1, &scheme.operand);
  scheme.indices = add_indices(decoder, scheme.indices);
  FuzzValue updates = add_parameter(decoder, scheme.windows), value = scheme.operand;
  value.has_layout = false;
  begin_value(decoder, &value);
  Text *text = &decoder->body;
  text_printf(text, "scatter(v%u, v%u, v%u)", scheme.operand.id, scheme.indices.id, updates.id);
  print_numbers(text, "update_window_dims", scheme.offset_count, scheme.offset_dims);
  print_numbers(text, "inserted_window_dims", scheme.collapsed_count, scheme.collapsed);
  print_numbers(text, "scatter_dims_to_operand_dims", scheme.index_count, scheme.index_map);
  text_printf(text, ", index_vector_dim=%" PRId64 ", to_apply=%s", scheme.index_vector_dim, reducer);
  finish_value(decoder, &value);
  return true;
}
