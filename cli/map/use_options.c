/* Parses the options of affirm use that are not numbers: the order of dimensions, the tile, the
 * width of elements. Text in any other format is rejected. */
#include <errno.h>
#include <stdlib.h>

#include "cli/map/use.h"
#include "core/base/checked.h"

static constexpr uint32_t use_max_rank = 256;

static bool use_options_read_number(const char **at, int64_t *value) {
  char *end;
  if (**at < '0' || **at > '9') return false;
  errno = 0;
  *value = strtoll(*at, &end, 10);
  *at = end;
  return errno == 0;
}

static bool use_options_accept(const char **at, char c) {
  if (**at != c) return false;
  (*at)++;
  return true;
}

static bool is_permutation(const UseOrder *order) {
  for (uint32_t i = 0; i < order->count; i++) {
    if (order->items[i] >= order->count) return false;
    for (uint32_t k = 0; k < i; k++)
      if (order->items[k] == order->items[i]) return false;
  }
  return true;
}

bool use_order_parse(Arena *arena, const char *text, UseOrder *order) {
  do {
    int64_t dimension;
    if (!use_options_read_number(&text, &dimension) || dimension >= use_max_rank ||
        order->count == use_max_rank)
      return false;
    *ARENA_PUSH(arena, order) = (uint32_t)dimension;
  } while (use_options_accept(&text, ','));
  return *text == 0 && is_permutation(order);
}

bool use_order_apply(const UseOrder *order, const Shape *array, Shape *ordered, Error *error) {
  *ordered = *array;
  if (order == nullptr) return true;
  if (order->count != array->rank)
    return error_set(error, ERROR_INPUT, "the order has %s, the output %u",
        counted(order->count, "dimension"), array->rank);
  ordered->has_layout = true;
  ordered->minor_to_major = order->items;
  ordered->layout_rest = nullptr;
  return true;
}

static bool read_dim(const char **at, TileDim *dim) {
  *dim = (TileDim){.stride = 1};
  if (!use_options_read_number(at, &dim->offset) || !use_options_accept(at, ':') ||
      !use_options_read_number(at, &dim->size))
    return false;
  if (use_options_accept(at, ':') && !use_options_read_number(at, &dim->stride)) return false;
  int64_t last;
  if (dim->size < 1 || dim->stride < 1) return false;
  return mul64(dim->size - 1, dim->stride, &last) && add64(last, dim->offset, &last);
}

bool use_tile_parse(Arena *arena, const char *text, UseTile *tile) {
  do {
    TileDim dim;
    if (tile->count == use_max_rank || !read_dim(&text, &dim)) return false;
    *ARENA_PUSH(arena, tile) = dim;
  } while (use_options_accept(&text, ','));
  return *text == 0;
}

bool use_width_type(int64_t bits, ElementType *type) {
  for (uint32_t i = 0; i < TYPE_TUPLE; i++) {
    Shape array = {.type = (ElementType)i};
    if (!shape_is_array(&array) || element_type_bits(array.type) != bits) continue;
    *type = array.type;
    return true;
  }
  return false;
}
