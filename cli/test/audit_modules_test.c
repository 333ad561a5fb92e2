/* affirm audit of files with several modules, and of texts with several sections: a module or an
 * instruction that the text names counts, also without a block, and a module if it cannot be read.
 */
#include "cli/test/test_command.h"

#define MODULE(name, root) \
  "HloModule " name "\nENTRY e {\n  p = f32[4,3] parameter(0)\n  ROOT r = f32[4,3] " root "\n}\n"
#define BLOCK "Output 0 operand 0:\n(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 2]\n"

static const char negate[] = MODULE("a", "negate(p)"),
                  reverse[] = MODULE("b", "reverse(p), dimensions={0}"),
                  unread[] = MODULE("c", "nosuchop(p)");

static Ran audit_two(const char *first, const char *second, const char *maps) {
  return RUN(audit, write_text("m.hlo", arena_printf(arena, "%s\n%s", first, second)),
      WORD("--maps"), write_text("maps.txt", maps), WORD("--junit"), path_of("results.xml"));
}

static void a_named_module_without_a_block_is_not_judged(void **) {
  static const char *const texts[] = {
      "# module 1: a\n" BLOCK "# module 2: b\n", "# module 2: b\n# module 1: a\n" BLOCK};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Ran ran = audit_two(negate, reverse, texts[i]);
    assert_int_equal(ran.status, 2);
    assert_contains(ran.printed, "module 2: b\n");
    assert_contains(ran.printed, "Output 0 operand 0    : the text has no block for it");
    assert_contains(ran.printed, "operands 2: 1 exact, ");
    assert_contains(ran.printed, " 1 not judged");
  }
}

/* A text may be about some of the modules: the others are named, and are no failure. */
static void a_module_that_is_not_named_is_left_out(void **) {
  static const char skipped[] = "<skipped message=\"no line `# module N: NAME` names it\"";
  Ran ran = audit_two(negate, reverse, "# module 1: a\n" BLOCK);
  assert_int_equal(ran.status, 0);
  assert_contains(ran.complained, "names module 2, which is not judged");
  const char *rows = read_text(path_of("results.xml"));
  assert_contains(rows, "name=\"module 2\"");
  assert_contains(rows, skipped);
  ran = audit_two(negate, negate, "# module 1: a\n" BLOCK "# module 2: a\n" BLOCK);
  assert_null(strstr(ran.complained, "not judged"));
  assert_null(strstr(read_text(path_of("results.xml")), skipped));
}

static void a_named_module_exists(void **) {
  Ran ran = audit_two(negate, reverse, "# module 1: a\n" BLOCK "# module 3: c\n");
  assert_int_equal(ran.status, 3);
  assert_contains(ran.complained, "maps.txt:4: the line names module 3, but ");
  ran = audit_two(negate, reverse, BLOCK "# module 1: a\n");
  assert_int_equal(ran.status, 3);
  assert_contains(ran.complained, "maps.txt:1: precedes the first line `# module N: NAME`");
}

/* The text may be about another file. The other module is judged. */
static void a_named_module_has_the_name(void **) {
  Ran ran = audit_two(negate, reverse, "# module 1: b\n" BLOCK "# module 2: b\n" BLOCK);
  assert_int_equal(ran.status, 1);
  assert_contains(ran.complained, "maps.txt:1:1: error: the line names 'b', but module 1 of ");
  assert_contains(ran.printed, "operands 1: ");
  assert_contains(ran.printed, "modules not read 1");
  assert_contains(read_text(path_of("results.xml")), "the line names 'b'");
  ran = audit_two(negate, negate, "# module 1: a\n" BLOCK "# module 2: a\n" BLOCK);
  assert_int_equal(ran.status, 0);
}

/* A counterexample outweighs bad input, and a result file has both, in any order. */
static void the_modules_after_an_unreadable_one_are_judged(void **) {
  const char *const modules[] = {unread, reverse, negate};
  static const int statuses[3][3] = {{3, 1, 3}, {1, 1, 1}, {3, 1, 0}};
  for (int first = 0; first < 3; first++)
    for (int second = 0; second < 3; second++) {
      Ran ran =
          audit_two(modules[first], modules[second], "# module 1:\n" BLOCK "# module 2:\n" BLOCK);
      const int bad = (first == 0) + (second == 0);
      if (ran.status != statuses[first][second])
        fail_msg("%d, %d: status %d\n%s", first, second, ran.status, ran.printed);
      assert_contains(ran.printed, arena_printf(arena, "operands %d: ", 2 - bad));
      const char *rows = read_text(path_of("results.xml"));
      assert_int_equal(strstr(ran.printed, "modules not read") != nullptr, bad > 0);
      if (first == 0) assert_contains(rows, "name=\"module 1\"");
      if (second == 0) assert_contains(rows, "name=\"module 2\"");
      if (bad > 0) assert_contains(rows, "nosuchop");
    }
}

static void a_single_unreadable_module_has_totals(void **) {
  Ran ran = audit_two(unread, "", BLOCK);
  assert_int_equal(ran.status, 3);
  assert_contains(ran.printed, "operands 0: ");
  assert_contains(ran.printed, "; modules not read 1\n");
  assert_contains(ran.complained, "nosuchop");
}

static Ran audit_one(const char *module, const char *maps) {
  return RUN(audit, write_text("m.hlo", module), WORD("--maps"), write_text("maps.txt", maps));
}

/* A section that names another instruction has all its blocks; they may be in two sections. */
static void a_missing_block_of_a_section_is_not_judged(void **) {
  static const char two[] =
      "HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n  q = f32[4] parameter(1)\n  s = f32[4] add(p, q)\n  ROOT r = f32[4] negate(s)\n}\n";
  static const char root[] = "# r in e\nOutput 0 operand 0:\n(d0) -> (d0), domain: d0 in [0, 3]\n";
  static const char part[] = "# s in e\nOutput 0 operand %u:\n(d0) -> (d0), domain: d0 in [0, 3]\n";
  assert_int_equal(audit_one(two, root).status, 0);
  Ran ran = audit_one(two, arena_printf(arena, "%s# s in e\n", root));
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "Output 0 operand 0    : the section of s has no block for it");
  assert_contains(ran.printed, "1 exact");
  assert_contains(ran.printed, "2 not judged");
  const char *first = arena_printf(arena, part, 0u), *second = arena_printf(arena, part, 1u);
  ran = audit_one(two, arena_printf(arena, "%s%s", root, first));
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "Output 0 operand 1    : the section of s has no block for it");
  assert_int_equal(audit_one(two, arena_printf(arena, "%s%s%s", second, root, first)).status, 0);
  ran = audit_one(
      two, arena_printf(arena, "%s%s%sOperand 1 output 0:\n(d0) -> (d0), domain: d0 in [0, 3]\n",
               root, first, second));
  assert_contains(ran.printed, "Operand 0 output 0    : the section of s has no block for it");
  assert_contains(ran.printed, "1 not judged");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(
          a_named_module_without_a_block_is_not_judged, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          a_module_that_is_not_named_is_left_out, command_begin, command_end),
      cmocka_unit_test_setup_teardown(a_named_module_exists, command_begin, command_end),
      cmocka_unit_test_setup_teardown(a_named_module_has_the_name, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          the_modules_after_an_unreadable_one_are_judged, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          a_single_unreadable_module_has_totals, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          a_missing_block_of_a_section_is_not_judged, command_begin, command_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
