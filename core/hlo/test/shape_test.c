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

static void names_lead_back_to_what_they_name(void **state) {
  (void)state;
  for (uint32_t i = 0; i < opcode_count; i++) {
    Opcode opcode;
    const char *name = opcode_name((Opcode)i);
    assert_true(opcode_from_name(name, strlen(name), &opcode) && opcode == i);
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
      cmocka_unit_test(a_layout_is_an_order_also_where_it_is_not_written),
      cmocka_unit_test(names_lead_back_to_what_they_name),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
