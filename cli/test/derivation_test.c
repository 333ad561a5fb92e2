/* A refuted row names the step that changes its map, or states that no step does. */
#include "cli/report/derivation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "cli/report/rule_page.h"
#include "core/hlo/read/read.h"

typedef struct DerivationTest {
  Arena *arena;
  Judge *judge;
  Simplifier *own; /* the judge's simplifier, destroyed with it */
  Derivations derivations;
  Question question;
} DerivationTest;

static Source source_of(const char *text) {
  return (Source){.name = "test", .text = text, .length = strlen(text), .first_line = 1};
}

/* Begins derivations with `rules` instead of the engine's own. */
static void derivation_begin(DerivationTest *test, const char *rules) {
  *test = (DerivationTest){.arena = arena_create()};
  Source source = source_of(rules),
         module = source_of(
             "ENTRY e {\n  p = f32[3,4] parameter(0)\n  ROOT r = f32[12] reshape(p)\n}\n");
  RuleSet *set = ARENA_NEW(test->arena, RuleSet, 1);
  const Module *read;
  Error error = {};
  *set = (RuleSet){};
  assert_true(rules_parse(test->arena, &source, set, &error));
  assert_true(hlo_read(test->arena, &module, &read, &error));
  test->judge = judge_create(&(JudgeOptions){.without_smt = true}, &error);
  assert_non_null(test->judge);
  test->own = test->judge->simplifier;
  test->judge->simplifier = simplifier_create(test->judge->context, set, &error);
  assert_non_null(test->judge->simplifier);
  assert_true(derivations_begin(&test->derivations, test->judge, test->arena, &error));
  test->question = (Question){.instruction = read->entry->root, .direction = OUTPUT_TO_INPUT};
}

static void derivation_end(DerivationTest *test) {
  derivations_end(&test->derivations);
  simplifier_destroy(test->judge->simplifier);
  test->judge->simplifier = test->own;
  judge_destroy(test->judge);
  arena_destroy(test->arena);
}

/* The HTML of a refuted row with this map; nullptr: of a row that is not refuted. */
static const char *derived(DerivationTest *test, const char *map) {
  MapSet wrong = {.count = 1, .maps = ARENA_NEW(test->arena, const Map *, 1)};
  Error error = {};
  Text text = text_create(test->arena);
  if (map != nullptr) {
    Source source = source_of(map);
    assert_true(map_parse(test->judge->context, &source, &wrong.maps[0], &error));
  }
  test->derivations.wrong = map == nullptr ? nullptr : &wrong;
  derivation_print(&text, &test->derivations, &test->question);
  return text.bytes;
}

static void require_html(const char *html, const char *words) {
  if (strstr(html, words) == nullptr) fail_msg("not said: %s\n%s", words, html);
}

static void a_step_that_changes_the_map_is_named(void **) {
  DerivationTest test;
  derivation_begin(
      &test, "rule wrong\n  x floordiv c => 0\n  when c > 0, 0 <= lo(x)\n  order: size\n");
  const char *html = derived(&test, "(d0) -> (0, d0 mod 4), domain: d0 in [0, 11]");
  require_html(
      html, "<b>✗ simplifying changes the map</b></span>: <a href=\"#rule-wrong\">wrong</a></p>");
  require_html(html, "<b>✗ changes the map</b></span>: d0 = 4: before (1, 0), after (0, 0)");
  assert_null(strstr(derived(&test, nullptr), "changes the map"));
  derivation_end(&test);
}

/* If the row's map is not the result of the steps, nothing is blamed. */
static void where_each_step_keeps_the_map_the_operation_is_named(void **) {
  DerivationTest test;
  derivation_begin(&test, "rule right\n  x floordiv 1 => x\n  order: size\n");
  const char *html = derived(&test, "(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 11]");
  require_html(html, "<b>✗ reshape");
  assert_null(strstr(derived(&test, "(d0) -> (0, d0 mod 4), domain: d0 in [0, 11]"), "✗"));
  assert_null(strstr(derived(&test, nullptr), "✗"));
  derivation_end(&test);
}

/* A name of a rule may have each character that HTML escapes. */
static void the_name_of_a_rule_is_no_html(void **) {
  DerivationTest test;
  derivation_begin(
      &test, "rule <b>\"&  x floordiv c => 0\n  when c > 0, 0 <= lo(x)\n  order: size\n");
  Text page = text_create(test.arena);
  text_string(&page, derived(&test, "(d0) -> (0, d0 mod 4), domain: d0 in [0, 11]"));
  derivation_print_rules(&page, &test.derivations);
  assert_int_equal(rule_page_section(&page, test.derivations.items[0].rule, 1), STATUS_REFUTED);
  require_html(page.bytes, "<a href=\"#rule-&lt;b&gt;&quot;&amp;\">&lt;b&gt;&quot;&amp;</a></p>");
  require_html(page.bytes, " id=\"rule-&lt;b&gt;&quot;&amp;\"");
  require_html(page.bytes, "<h3>&lt;b&gt;&quot;&amp;</h3>");
  assert_null(strstr(page.bytes, "<b>\"&"));
  derivation_end(&test);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_that_changes_the_map_is_named),
      cmocka_unit_test(where_each_step_keeps_the_map_the_operation_is_named),
      cmocka_unit_test(the_name_of_a_rule_is_no_html),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
