/* Shapes: overflow in construction, leaves of nested tuples, the three relations of equality,
 * names, opcode tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/hlo/read/from_text.h"

static const Shape *shape_of(Arena *arena, const char *text) {
  Error error = {};
  const Module *module =
      module_of(arena, arena_printf(arena, "ENTRY e { p = %s parameter(0) }", text), &error);
  if (module == nullptr) error_print(&error, stderr);
  assert_non_null(module);
  return module->entry->root->shape;
}

static void an_element_count_past_int64_is_rejected(void **state) {
  (void)state;
  static const struct {
    int64_t sizes[3];
    ErrorKind kind;
  } rows[] = {
      {{2, 3, 4}, ERROR_NONE},
      {{0, INT64_MAX, 1}, ERROR_NONE},
      {{INT64_MAX, 2, 0}, ERROR_OVERFLOW},
      {{1 << 21, 1 << 21, 1 << 20}, ERROR_NONE},
      {{1 << 21, 1 << 21, 1 << 21}, ERROR_OVERFLOW},
      {{2, -1, 2}, ERROR_INPUT},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    Error error = {};
    const Shape *shape;
    assert_int_equal(
        shape_array(arena, TYPE_f32, 3, rows[i].sizes, &shape, &error), rows[i].kind == ERROR_NONE);
    assert_int_equal(error.kind, rows[i].kind);
    arena_destroy(arena);
  }
}

static void leaves_are_counted_in_depth_first_order(void **state) {
  (void)state;
  Arena *arena = arena_create();
  const Shape *shape = shape_of(arena, "(f32[1], ((), (f32[2], f32[3])), token[], f32[4])");
  static const int64_t sizes[] = {1, 2, 3, 0, 4};
  assert_int_equal(shape_leaf_count(shape), 5);
  for (uint32_t i = 0; i < 5; i++) {
    const Shape *leaf = shape_leaf(shape, i);
    if (i == 3) assert_int_equal(leaf->type, TYPE_token);
    else assert_int_equal(leaf->sizes[0], sizes[i]);
  }
  static const uint32_t offsets[] = {0, 1, 3, 4, 5};
  for (uint32_t i = 0; i < 5; i++) assert_int_equal(shape_leaf_offset(shape, i), offsets[i]);
  assert_int_equal(shape_leaf_count(shape_of(arena, "()")), 0);
  /* As many leaves as elements, but not one leaf in each element. */
  assert_int_equal(shape_leaf_offset(shape_of(arena, "((f32[1], f32[2]), ())"), 1), 2);
  const Shape *flat = shape_of(arena, "(f32[1], token[], f32[2])");
  for (uint32_t i = 0; i <= 3; i++) assert_int_equal(shape_leaf_offset(flat, i), i);
  arena_destroy(arena);
}

static void shapes_are_the_same_in_four_ways(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    int same_sizes, compatible, equal, same_bounds;
  } rows[] = {
      {"f32[2,3]", "f32[2,3]", 1, 1, 1, 1},
      {"f32[2,3]{1,0}", "f32[2,3]{0,1}", 1, 1, 0, 1},
      {"f32[2,3]{1,0}", "f32[2,3]", 1, 1, 0, 1},
      {"f32[2]{0:T(8)}", "f32[2]{0:T(4)}", 1, 1, 0, 1},
      {"f32[<=2]", "f32[2]", 1, 1, 0, 0},
      {"f32[<=2,3]", "f32[2,<=3]", 1, 1, 0, 0},
      {"s32[<=3]{0}", "f32[<=2]", 0, 0, 0, 1},
      {"(f32[2], (f32[<=2]))", "(f32[2], (f32[2]))", 1, 1, 0, 0},
      {"f32[2,3]", "s32[2,3]", 1, 0, 0, 1},
      {"f32[2,3]", "f32[3,2]", 0, 0, 0, 1},
      {"f32[2]", "f32[2,1]", 0, 0, 0, 0},
      {"f32[2]", "b(f32[2])", 1, 0, 0, 1},
      {"f32[?,2]", "f32[?,2]", 1, 1, 1, 1},
      {"f32[?]", "f32[1]", 0, 0, 0, 1},
      {"f32[?]", "f32[0]", 0, 0, 0, 1},
      {"(f32[?])", "(f32[<=2])", 0, 0, 0, 0},
      {"f32[2]", "(f32[2])", 0, 0, 0, 0},
      {"(f32[2], ())", "(f32[2], ())", 1, 1, 1, 1},
      {"(f32[2], f32[2])", "(f32[2])", 0, 0, 0, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const Shape *a = shape_of(arena, rows[i].a), *b = shape_of(arena, rows[i].b);
    assert_int_equal(shape_same_sizes(a, b), rows[i].same_sizes);
    assert_int_equal(shape_compatible(a, b), rows[i].compatible);
    assert_int_equal(shape_equal(a, b), rows[i].equal);
    assert_int_equal(shape_same_bounds(a, b), rows[i].same_bounds);
    arena_destroy(arena);
  }
}

/* An array of the sizes 2 and 3, or of one of them, by the parts of its text. */
typedef struct ShapeParts {
  const char *type, *sizes, *bounds; /* bounds: of each size, whether it is one */
  const char *order, *rest;          /* of the layout; order: "" if none is written */
  bool is_buffer;
} ShapeParts;

static const char *text_of_parts(Arena *arena, const ShapeParts *parts) {
  Text text = text_create(arena);
  text_printf(&text, "%s%s[", parts->is_buffer ? "b(" : "", parts->type);
  for (size_t i = 0; parts->sizes[i] != '\0'; i++)
    text_printf(
        &text, "%s%s%c", i > 0 ? "," : "", parts->bounds[i] == '1' ? "<=" : "", parts->sizes[i]);
  text_string(&text, "]");
  if (parts->order[0] != '\0') {
    text_printf(&text, "{%c", parts->order[0]);
    for (size_t i = 1; parts->order[i] != '\0'; i++) text_printf(&text, ",%c", parts->order[i]);
    text_printf(&text, "%s%s}", parts->rest[0] == '\0' ? "" : ":", parts->rest);
  }
  if (parts->is_buffer) text_string(&text, ")");
  return text.bytes;
}

/* A layout that is not written is the one from the last dimension to the first. */
static const char *order_of_parts(const ShapeParts *parts) {
  static const char *const usual[] = {"", "0", "10"};
  return parts->order[0] != '\0' ? parts->order : usual[strlen(parts->sizes)];
}

static bool is_same(const char *a, const char *b) { return strcmp(a, b) == 0; }

static void check_relations(
    const Shape *const shapes[2], const ShapeParts *a, const ShapeParts *b, bool also) {
  bool sizes = also && is_same(a->sizes, b->sizes), bounds = also && is_same(a->bounds, b->bounds),
       compatible = sizes && is_same(a->type, b->type) && a->is_buffer == b->is_buffer,
       layouts = also && is_same(order_of_parts(a), order_of_parts(b)) && is_same(a->rest, b->rest);
  assert_int_equal(shape_same_sizes(shapes[0], shapes[1]), sizes);
  assert_int_equal(shape_same_bounds(shapes[0], shapes[1]), bounds);
  assert_int_equal(shape_compatible(shapes[0], shapes[1]), compatible);
  assert_int_equal(shape_same_arrays(shapes[0], shapes[1]), compatible && bounds);
  assert_int_equal(shape_equal(shapes[0], shapes[1]),
      compatible && bounds && is_same(a->order, b->order) && is_same(a->rest, b->rest));
  if (strlen(a->sizes) == strlen(b->sizes))
    assert_int_equal(shape_same_layouts(shapes[0], shapes[1]), layouts);
}

/* All pairs of arrays whose parts are among these, and of tuples of an array and one of them. */
static void relations_of_arrays_are_those_of_their_parts(void **) {
  static const char *const types[] = {"f32", "s32"}, *const sizes[] = {"23", "32", "33", "2", "3"},
                           *const bounds[] = {"00", "01", "10", "11", "0", "1"},
                           *const orders[] = {"", "10", "01", "0"},
                           *const rests[] = {"", "T(2)", "T(3)"};
  static constexpr uint32_t most = 600;
  Arena *arena = arena_create();
  ShapeParts *parts = ARENA_NEW(arena, ShapeParts, most);
  const Shape **shapes = ARENA_NEW(arena, const Shape *, most),
              **tuples = ARENA_NEW(arena, const Shape *, most);
  uint32_t count = 0;
  for (uint32_t i = 0; i < 2 * 5 * 6 * 4 * 3 * 2; i++) {
    ShapeParts one = {types[i % 2], sizes[i / 2 % 5], bounds[i / 10 % 6], orders[i / 60 % 4],
        rests[i / 240 % 3], i / 720 == 1};
    size_t rank = strlen(one.sizes);
    if (strlen(one.bounds) != rank || (one.order[0] != '\0' && strlen(one.order) != rank) ||
        (one.order[0] == '\0' && one.rest[0] != '\0') || (one.is_buffer && i % 7 > 0))
      continue;
    assert_true(count < most);
    parts[count] = one;
    const char *text = text_of_parts(arena, &one);
    shapes[count] = shape_of(arena, text);
    tuples[count++] = shape_of(arena, arena_printf(arena, "(f32[2]{0}, %s)", text));
  }
  const Shape *alone = shape_of(arena, "(f32[2]{0})");
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++) {
      check_relations((const Shape *[]){shapes[i], shapes[k]}, &parts[i], &parts[k], true);
      if (i % 8 > 0) continue;
      check_relations((const Shape *[]){tuples[i], tuples[k]}, &parts[i], &parts[k], true);
      check_relations((const Shape *[]){tuples[i], alone}, &parts[i], &parts[i], false);
    }
  assert_true(count > 200);
  arena_destroy(arena);
}

static void a_layout_is_an_order_also_where_it_is_not_written(void **state) {
  (void)state;
  Arena *arena = arena_create();
  uint32_t order[3];
  shape_minor_to_major(shape_of(arena, "f32[2,3,4]"), order);
  assert_true(order[0] == 2 && order[1] == 1 && order[2] == 0);
  shape_minor_to_major(shape_of(arena, "f32[2,3,4]{1,0,2}"), order);
  assert_true(order[0] == 1 && order[1] == 0 && order[2] == 2);
  arena_destroy(arena);
}

/* The limits of the table; -1 is none. */
static const int32_t operand_limits[][2] = {
#define OPCODE(id, text, least, most, group, effect) {least, most},
#include "core/hlo/opcodes.def"
#undef OPCODE
};

static void names_lead_back_to_what_they_name(void **state) {
  (void)state;
  for (uint32_t i = 0; i < opcode_count; i++) {
    Opcode opcode;
    const char *name = opcode_name((Opcode)i);
    assert_true(opcode_from_name(name, strlen(name), &opcode) && opcode == i);
    assert_int_equal(opcode_least_operands(opcode), operand_limits[i][0]);
    assert_true(opcode_most_operands(opcode) == (uint32_t)operand_limits[i][1]);
    assert_true(opcode_least_operands(opcode) <= opcode_most_operands(opcode));
    assert_false(opcode_from_name(name, strlen(name) - 1, &opcode) && opcode == i);
  }
  for (uint32_t i = 0; i < TYPE_TUPLE; i++) {
    ElementType type;
    const char *name = element_type_name((ElementType)i);
    assert_true(element_type_from_name(name, strlen(name), &type) && type == i);
    assert_int_equal(element_type_is_signed(type), name[0] == 's');
    assert_int_equal(element_type_is_integral(type),
        name[0] == 's' || name[0] == 'u' || strcmp(name, "pred") == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_element_count_past_int64_is_rejected),
      cmocka_unit_test(leaves_are_counted_in_depth_first_order),
      cmocka_unit_test(shapes_are_the_same_in_four_ways),
      cmocka_unit_test(relations_of_arrays_are_those_of_their_parts),
      cmocka_unit_test(a_layout_is_an_order_also_where_it_is_not_written),
      cmocka_unit_test(names_lead_back_to_what_they_name),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
