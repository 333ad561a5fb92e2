/* Converts a smallest text into the case that is written. */
#include "reduce/shrink_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static Arena *arena;

/* A text of several lines is a case only if each further line is continued. */
static void texts_become_cases_if_they_fit(void **) {
  static const struct {
    const char *kind, *text, *body;
  } rows[] = {
      {"map_text", "(d0", "parse (d0\nexact\n"},
      {"map_text", "(d0\n -> x", "parse (d0\n -> x\nexact\n"},
      {"map_text", "(d0\n-> x", nullptr},
      {"map_text", " (d0", nullptr},
      {"map_text", "(d0\r", nullptr},
      {"map_text", "(d0\n", nullptr},
      {"map_text", "", nullptr},
      {"rule_text", "rule r\nx", "read-rules\nrules\nrule r\nx\nend\nexact\n"},
      {"rule_text", "rule r\nend", nullptr},
      {"hlo_text", "HloModule", "read hlo\nHloModule\nend\nexact\n"},
      {"hlo_text", "ENTRY\nend", nullptr},
      {"placeless", "(d0", nullptr},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Shrink shrinking = {.arena = arena, .smallest = rows[i].text, .length = strlen(rows[i].text)};
    signature_set(&shrinking.signature, rows[i].kind);
    describe_text(&(Hunt){.shrink = &shrinking});
    assert_int_equal(shrinking.size, strlen(rows[i].text));
    assert_string_equal(shrinking.name, rows[i].kind);
    if (rows[i].body == nullptr) assert_null(shrinking.body);
    else assert_string_equal(shrinking.body, rows[i].body);
  }
}

/* What ends the process becomes a case that would end it again, without the engine being asked. */
static void a_crash_becomes_a_case(void **) {
  static const char map[] = "(d0) -> (d0 mod 3 + d0), domain: d0 in [0, 9]";
  static const char pair[] = "() -> (0) ; () -> (1)";
  static const char module[] =
      "HloModule m\nENTRY e {\n p = f32[4] parameter(0)\n ROOT r = f32[4] negate(p)\n}\n";
  static const struct {
    ShrinkForm form;
    const char *text, *name, *body;
    uint32_t size;
  } crashes[] = {
      {FORM_MAP, map, "crash_mod", "keeps (d0) -> (d0 mod 3 + d0), domain: d0 in [0, 9]\nproved\n",
          5},
      {FORM_COMPOSE, pair, "crash", nullptr, 2},
      {FORM_SAME, pair, "crash", "same () -> (0) ; () -> (1)\nrefuted\n", 2},
      {FORM_RELATION, pair, "crash", "same-relation () -> (0) ; () -> (1)\nrefuted\n", 2},
      {FORM_CONTAINED, pair, "crash", "contained () -> (0) ; () -> (1)\nrefuted\n", 2},
      {FORM_MODULE, module, "module_crash",
          "check hlo\nHloModule m\nENTRY e {\n p = f32[4] parameter(0)\n ROOT r = f32[4] negate(p)\n}\nend\nexact\n",
          1},
  };
  Error error = {};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
    Shrink shrinking = {.arena = arena,
        .form = crashes[i].form,
        .smallest = crashes[i].text,
        .length = strlen(crashes[i].text)};
    signature_set(&shrinking.signature, "crash signal 11");
    Hunt hunt = {.shrink = &shrinking,
        .judge = judge_create(nullptr, &error),
        .scratch = arena_create(),
        .reads = true};
    if (crashes[i].form == FORM_MODULE) describe_module(&hunt);
    else describe_maps(&hunt);
    assert_string_equal(shrinking.name, crashes[i].name);
    if (crashes[i].body == nullptr) assert_null(shrinking.body);
    else assert_string_equal(shrinking.body, crashes[i].body);
    assert_int_equal(shrinking.size, crashes[i].size);
    judge_destroy(hunt.judge);
    arena_destroy(hunt.scratch);
  }
}

static int set_up(void **) { return (arena = arena_create()) == nullptr; }
static int tear_down(void **) { return arena_destroy(arena), 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_become_cases_if_they_fit),
      cmocka_unit_test(a_crash_becomes_a_case),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
