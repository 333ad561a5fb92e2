/* Names of instructions: the instruction that each name denotes, and ambiguous names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/hlo/find.h"
#include "core/hlo/read/read.h"

static const char several[] =
    "HloModule m\n"
    "f { a = f32[4] parameter(0) only = f32[4] negate(a) ROOT n = f32[4] negate(only) }\n"
    "ff { a = f32[4] parameter(0) ROOT n = f32[4] reverse(a), dimensions={0} }\n"
    "ENTRY e { p = f32[4] parameter(0) x = f32[4] fusion(p), kind=kLoop, calls=f\n"
    "a = f32[4] fusion(x), kind=kLoop, calls=ff ROOT e.1 = f32[4] abs(a) }\n";

static Arena *arena;
static const Module *module;

static int find_begin(void **) {
  static const Source source = {
      .name = "m.hlo", .text = several, .length = sizeof several - 1, .first_line = 1};
  Error error = {};
  arena = arena_create();
  return hlo_read(arena, &source, &module, &error) ? 0 : -1;
}
static int find_end(void **) {
  arena_destroy(arena);
  return 0;
}

static const char *opcode_found(const char *name) {
  const Instruction *found;
  Error error = {};
  if (!instruction_find(module, name, &found, &error)) fail_msg("%s: %s", name, error.message);
  return found == nullptr ? nullptr : opcode_name(found->opcode);
}

static void names_of_the_entry_come_first(void **) {
  assert_string_equal(opcode_found("a"), "fusion");
  assert_string_equal(opcode_found("%a"), "fusion");
  assert_string_equal(opcode_found("e.1"), "abs");
  assert_string_equal(opcode_found("only"), "negate");
  assert_null(opcode_found("nobody"));
  assert_null(opcode_found(""));
}

static void a_computation_chooses(void **) {
  assert_string_equal(opcode_found("f/n"), "negate");
  assert_string_equal(opcode_found("ff/n"), "reverse");
  assert_string_equal(opcode_found("%ff/%n"), "reverse");
  assert_string_equal(opcode_found("ff/a"), "parameter");
  assert_string_equal(opcode_found("e/a"), "fusion");
  assert_null(opcode_found("f/x"));
  assert_null(opcode_found("g/n"));
  assert_null(opcode_found("/n"));
  assert_null(opcode_found("f/"));
}

static void a_name_that_several_have_is_an_error(void **) {
  const Instruction *found = module->entry->root;
  Error error = {};
  assert_false(instruction_find(module, "n", &found, &error));
  assert_null(found);
  assert_int_equal(error.kind, ERROR_INPUT);
  assert_non_null(strstr(error.message, "'n': say f/n or ff/n"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_the_entry_come_first),
      cmocka_unit_test(a_computation_chooses),
      cmocka_unit_test(a_name_that_several_have_is_an_error),
  };
  return cmocka_run_group_tests(tests, find_begin, find_end);
}
