/* Every value class in classes.def occurs for its attribute within 100,000 random strings. With
 * AFFIRM_TABLE set, all strings are decoded and the table is printed. */
#include "generate/test/classes/value_class.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/choices.h"
#include "generate/decoded_module.h"

static const struct {
  Opcode opcode;
  const char *attribute, *classes;
} wanted[] = {
#define CLASSES(id, attribute, classes) {HLO_##id, attribute, classes},
#include "generate/test/classes/classes.def"
#undef CLASSES
};
static constexpr uint32_t wanted_count = sizeof wanted / sizeof *wanted, most_draws = 100'000;

static ClassTable table;

static void draw_modules(uint32_t first, uint32_t count) {
  for (uint32_t seed = first; seed < first + count; seed++) {
    uint8_t bytes[fuzz_header_bytes + fuzz_max_operations * fuzz_record_bytes];
    RandomChoices random = choices_of_seed(seed);
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)choose(&random.choices, 256);
    Arena *arena = arena_create();
    class_table_add(&table, decoded_module(arena, bytes, sizeof bytes));
    arena_destroy(arena);
  }
}

/* The first expected class that did not occur. */
static const char *missing_class(uint32_t i) {
  const ClassRow *row = class_table_find(&table, wanted[i].opcode, wanted[i].attribute);
  for (const char *letter = wanted[i].classes; *letter != 0; letter++)
    if (row == nullptr ||
        row->seen[strchr(value_class_letters, *letter) - value_class_letters] == 0)
      return letter;
  return nullptr;
}

static bool is_complete(void) {
  bool complete = true;
  for (uint32_t i = 0; i < wanted_count; i++) complete &= missing_class(i) == nullptr;
  return complete;
}

static void every_class_of_values_is_generated(void **) {
  static constexpr uint32_t step = 2000;
  bool all = getenv("AFFIRM_TABLE") != nullptr;
  for (uint32_t first = 0; first < most_draws && (all || !is_complete()); first += step)
    draw_modules(first, step);
  for (uint32_t i = 0; i < wanted_count; i++) {
    const char *letter = missing_class(i);
    if (letter != nullptr)
      fail_msg("%s: no '%s' of class %c in %u draws", opcode_name(wanted[i].opcode),
          wanted[i].attribute, *letter, most_draws);
  }
}

static void the_table_is_printed(void **) {
  if (getenv("AFFIRM_TABLE") == nullptr) return;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  class_table_write(&table, &text);
  fputs(text.bytes, stdout);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_class_of_values_is_generated),
      cmocka_unit_test(the_table_is_printed),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
