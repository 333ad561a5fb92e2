/* Statements of aliases: random lists, written with random blanks, are read as they were made, and
 * no list with a fault is read. */
#include "judge/hazards/alias.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"

static uint64_t alias_random(uint64_t *state, uint64_t below) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*state >> 33) % below;
}

static const char *alias_blanks(uint64_t *random) {
  static const char *const blanks[] = {"", "", " ", "\n", "\t "};
  return blanks[alias_random(random, sizeof blanks / sizeof *blanks)];
}

/* Writes the path of a random part of the shape; returns its first leaf. */
static uint32_t write_path(Text *text, uint64_t *random, const Shape *shape) {
  uint32_t leaf = 0;
  text_printf(text, "{%s", alias_blanks(random));
  for (bool is_first = true; shape_is_tuple(shape) && shape->element_count > 0; is_first = false) {
    if (alias_random(random, 4) == 0) break;
    uint32_t at = (uint32_t)alias_random(random, shape->element_count);
    text_printf(text, "%s%u%s", is_first ? "" : ", ", at, alias_blanks(random));
    for (uint32_t i = 0; i < at; i++) leaf += shape_leaf_count(shape->elements[i]);
    shape = shape->elements[at];
  }
  text_string(text, "}");
  return leaf;
}

typedef struct AliasShapes {
  const Shape *array, *pair, *nested;
  Instruction numbered[3];
  const Instruction *all[3];
} AliasShapes;

static void alias_shapes(Arena *arena, AliasShapes *shapes) {
  Error error = {};
  assert_true(shape_array(arena, TYPE_f32, 1, (const int64_t[]){4}, &shapes->array, &error));
  shapes->pair = shape_tuple(arena, 2, (const Shape *const[]){shapes->array, shapes->array});
  shapes->nested =
      shape_tuple(arena, 3, (const Shape *const[]){shapes->pair, shapes->array, shapes->pair});
  const Shape *of[] = {shapes->nested, shapes->array, shapes->pair};
  for (uint32_t i = 0; i < 3; i++) {
    shapes->numbered[i] = (Instruction){.shape = of[i]};
    shapes->all[i] = &shapes->numbered[i];
  }
}

static void lists_are_read_as_they_were_made(void **) {
  static const char *const kinds[] = {"", ", may-alias", ", must-alias", ",may-alias "};
  uint64_t random = 9;
  for (uint32_t round = 0; round < 3000; round++) {
    Arena *arena = arena_create();
    AliasShapes shapes;
    AliasStatement made[4];
    AliasStatements read = {};
    Text text = text_create(arena);
    alias_shapes(arena, &shapes);
    uint32_t count = (uint32_t)alias_random(&random, 5);
    text_printf(&text, "%s", alias_blanks(&random));
    for (uint32_t i = 0; i < count; i++) {
      if (i > 0) text_printf(&text, ",%s", alias_blanks(&random));
      made[i].output = write_path(&text, &random, shapes.nested);
      made[i].number = (uint32_t)alias_random(&random, 3);
      text_printf(&text, "%s:%s(%u,%s", alias_blanks(&random), alias_blanks(&random),
          made[i].number, alias_blanks(&random));
      made[i].leaf = write_path(&text, &random, shapes.all[made[i].number]->shape);
      text_printf(&text, "%s)", kinds[alias_random(&random, 4)]);
    }
    text_printf(&text, "%s%s", alias_blanks(&random), round % 2 == 0 ? "}, more={" : "");
    assert_true(alias_read(arena, text.bytes, shapes.nested, shapes.all, 3, &read));
    assert_int_equal(read.count, count);
    for (uint32_t i = 0; i < count; i++) {
      assert_int_equal(read.items[i].output, made[i].output);
      assert_int_equal(read.items[i].number, made[i].number);
      assert_int_equal(read.items[i].leaf, made[i].leaf);
    }
    arena_destroy(arena);
  }
}

static Instruction alias_instruction(AliasShapes *shapes, Attribute *stated) {
  return (Instruction){.name = "f",
      .shape = shapes->nested,
      .operand_count = 3,
      .operands = (Instruction **)shapes->all,
      .attribute_count = 1,
      .attributes = stated};
}

static void lists_with_a_fault_are_not_read(void **) {
  static const char *const faults[] = {"{}", "{} (0, {})", "{}: 0", "{}: (", "{}: (3, {})",
      "{}: (-1, {})", "{}: (x, {})", "{}: (0)", "{}: (0, )", "{}: (0, {3})", "{}: (0, {0, 2})",
      "{}: (0, {0, 0, 0})", "{3}: (0, {})", "{1, 0}: (0, {})", "{0, 2}: (0, {})", "{x}: (0, {})",
      "{0: (0, {})", "{}: (1, {0})", "{}: (2, {2})", "{}: (0, {}", "x", "{}: (0, {}) x",
      "{}: (0, {}), {}: (4, {})", "{}: [0, {}]", ": (0, {})", "0: (0, {})"};
  Arena *arena = arena_create();
  AliasShapes shapes;
  alias_shapes(arena, &shapes);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    AliasStatements read = {};
    if (alias_read(arena, faults[i], shapes.nested, shapes.all, 3, &read))
      fail_msg("'%s' is read", faults[i]);
    Attribute stated = {
        .name = "output_to_operand_aliasing", .text = arena_printf(arena, "{%s}", faults[i])};
    Instruction instruction = alias_instruction(&shapes, &stated);
    Error error = {};
    assert_false(alias_stated(arena, &instruction, &(AliasStatements){}, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
  }
  Attribute stated = {.name = "output_to_operand_aliasing", .text = "{{0, 1}: (2, {1})}"};
  Instruction instruction = alias_instruction(&shapes, &stated);
  Error error = {};
  AliasStatements read = {};
  assert_true(alias_stated(arena, &instruction, &read, &error));
  assert_true(read.count == 1 && read.items[0].output == 1 && read.items[0].number == 2 &&
              read.items[0].leaf == 1);
  instruction.attribute_count = 0;
  read = (AliasStatements){};
  assert_true(alias_stated(arena, &instruction, &read, &error) && read.count == 0);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_are_read_as_they_were_made),
      cmocka_unit_test(lists_with_a_fault_are_not_read),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
