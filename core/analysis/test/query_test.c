/* Queries as text: every short text over the letters of an order or of a tile is compared with a
 * second parser in this file. Also the element type of a given width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/query.h"

/* The next part up to a separator; false if it is no number. */
static bool take_number(const char **at, const char *separators, int64_t *value) {
  size_t length = strcspn(*at, separators);
  *value = strtoll(*at, nullptr, 10);
  bool is_number = length > 0 && strspn(*at, "0123456789") == length;
  *at += length;
  return is_number;
}

static bool order_defined(const char *text, uint32_t *count, int64_t values[16]) {
  for (*count = 0;; text++) {
    if (!take_number(&text, ",", &values[(*count)++])) return false;
    if (*text == 0) break;
  }
  bool seen[16] = {};
  for (uint32_t i = 0; i < *count; i++) {
    if (values[i] >= *count || seen[values[i]]) return false;
    seen[values[i]] = true;
  }
  return true;
}

static bool tile_defined(const char *text, uint32_t *count, TileDim dims[16]) {
  for (*count = 0;; text++) {
    TileDim *dim = &dims[(*count)++];
    dim->stride = 1;
    if (!take_number(&text, ":,", &dim->offset) || *text++ != ':' ||
        !take_number(&text, ":,", &dim->size))
      return false;
    if (*text == ':') {
      text++;
      if (!take_number(&text, ",", &dim->stride)) return false;
    }
    if (dim->size < 1 || dim->stride < 1) return false;
    if (*text == 0) return true;
  }
}

static void check_text(Arena *arena, const char *text) {
  uint32_t count;
  int64_t values[16];
  TileDim dims[16];
  UseOrder order = {};
  UseTile tile = {};
  bool is_order = order_defined(text, &count, values);
  if (use_order_parse(arena, text, &order) != is_order) fail_msg("order '%s'", text);
  if (is_order) assert_int_equal(order.count, count);
  for (uint32_t i = 0; is_order && i < count; i++) assert_int_equal(order.items[i], values[i]);
  bool is_tile = tile_defined(text, &count, dims);
  if (use_tile_parse(arena, text, &tile) != is_tile) fail_msg("tile '%s'", text);
  if (is_tile) assert_int_equal(tile.count, count);
  for (uint32_t i = 0; is_tile && i < count; i++)
    assert_memory_equal(&tile.items[i], &dims[i], sizeof *dims);
}

static void short_texts_are_read_as_defined(void **) {
  static constexpr char letters[] = "012:,-";
  Arena *arena = arena_create();
  for (uint32_t length = 0, all = 1; length <= 7; length++, all *= 6)
    for (uint32_t number = 0; number < all; number++) {
      char text[8] = {};
      for (uint32_t i = 0, left = number; i < length; i++, left /= 6) text[i] = letters[left % 6];
      ArenaMark mark = arena_mark(arena);
      check_text(arena, text);
      arena_rewind(arena, mark);
    }
  arena_destroy(arena);
}

static void ends_of_tiles_fit_int64(void **) {
  static const struct {
    const char *text;
    bool fits;
  } rows[] = {{"9223372036854775807:1", true}, {"9223372036854775807:2", false},
      {"9223372036854775806:2", true}, {"0:9223372036854775807:1", true},
      {"0:4611686018427387904:2", true}, {"2:4611686018427387904:2", false},
      {"0:4611686018427387905:2", false}, {"0:2:9223372036854775807", true},
      {"1:2:9223372036854775807", false}, {"9223372036854775808:1", false},
      {"0:9223372036854775808", false}, {"0:1:9223372036854775808", false}, {"0:3,1:2:3", true},
      {"0:3,1:0", false}, {"0:3;1:1", false}, {"0:3:1:1", false}};
  Arena *arena = arena_create();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    UseTile tile = {};
    if (use_tile_parse(arena, rows[i].text, &tile) != rows[i].fits) fail_msg("%s", rows[i].text);
  }
  arena_destroy(arena);
}

static void orders_have_at_most_256_dimensions(void **) {
  for (uint32_t count = 255; count <= 257; count++) {
    Arena *arena = arena_create();
    Text order_text = text_create(arena), tile_text = text_create(arena);
    UseOrder order = {};
    UseTile tile = {};
    for (uint32_t i = 0; i < count; i++) {
      text_printf(&order_text, "%s%u", i > 0 ? "," : "", count - 1 - i);
      text_printf(&tile_text, "%s0:1", i > 0 ? "," : "");
    }
    assert_int_equal(use_order_parse(arena, order_text.bytes, &order), count <= 256);
    assert_int_equal(use_tile_parse(arena, tile_text.bytes, &tile), count <= 256);
    arena_destroy(arena);
  }
}

static void an_order_replaces_the_layout(void **) {
  uint32_t items[] = {1, 2, 0}, written[] = {0, 1, 2};
  UseOrder order = {.count = 3, .items = items};
  const Shape array = {.type = TYPE_f32,
      .rank = 3,
      .sizes = (int64_t[]){2, 3, 4},
      .has_layout = true,
      .minor_to_major = written,
      .layout_rest = "T(8)"};
  Shape ordered;
  Error error = {};
  assert_true(use_order_apply(nullptr, &array, &ordered, &error));
  assert_memory_equal(&ordered, &array, sizeof array);
  assert_true(use_order_apply(&order, &array, &ordered, &error));
  uint32_t found[3];
  shape_minor_to_major(&ordered, found);
  assert_memory_equal(found, items, sizeof items);
  assert_null(ordered.layout_rest);
  order.count = 2;
  assert_false(use_order_apply(&order, &array, &ordered, &error));
  assert_int_equal(error.kind, ERROR_INPUT);
}

static void a_width_is_that_of_a_type(void **) {
  for (int64_t bits = -1; bits <= 130; bits++) {
    bool is_known = false;
    for (uint32_t i = 0; i < TYPE_TUPLE; i++)
      is_known = is_known || (bits > 0 && element_type_bits((ElementType)i) == bits);
    ElementType type = TYPE_token;
    assert_int_equal(use_width_type(bits, &type), is_known);
    if (is_known) assert_int_equal(element_type_bits(type), bits);
    else assert_int_equal(type, TYPE_token);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_texts_are_read_as_defined),
      cmocka_unit_test(ends_of_tiles_fit_int64),
      cmocka_unit_test(orders_have_at_most_256_dimensions),
      cmocka_unit_test(an_order_replaces_the_layout),
      cmocka_unit_test(a_width_is_that_of_a_type),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
