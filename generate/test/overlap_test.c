/* Tests which overlaps of left sides exist, and that their instances contain both left sides. */
#include "generate/overlap_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/text.h"

static Arena *arena;
static RuleSet rules;
static RuleForm *forms;

static const RuleForm *form_named(const char *name) {
  for (uint32_t i = 0; i < rules.count; i++)
    if (strcmp(rules.items[i].name, name) == 0) return &forms[form_max_variants * i];
  fail_msg("no rule %s", name);
  return nullptr;
}

/* The overlaps, each in brackets. */
static const char *overlaps(const char *outer, const char *inner, bool with_roots) {
  OverlapList list = {};
  overlaps_add(arena, form_named(outer), form_named(inner), with_roots, &list);
  Text text = text_create(arena);
  text_string(&text, "");
  for (uint32_t i = 0; i < list.count; i++)
    text_printf(&text, "[%s]", overlap_text(arena, &list.items[i]));
  return text.bytes;
}

static void every_rule_has_a_form(void **) {
  RuleForm made[form_max_variants];
  assert_true(rules.count > 50);
  for (uint32_t i = 0; i < rules.count; i++) {
    bool cancels = strcmp(rules.items[i].order, "cancels") == 0;
    assert_int_equal(rule_forms(&rules.items[i], made), cancels ? 2 : 1);
  }
}

static void positions_are_operators_and_never_letters(void **) {
  assert_string_equal(overlaps("mod-of-mod", "mod-known", true), "[1=1][2=1]");
  assert_string_equal(overlaps("mod-known", "mod-of-mod", true), "[1=1]");
  assert_string_equal(overlaps("mod-known", "mod-of-mod", false), "");
  assert_string_equal(overlaps("mod-of-mod", "single-value", true), "[1=1][2=1]");
  assert_string_equal(overlaps("mod-known", "floordiv-known", true), "");
  assert_string_equal(overlaps("floordiv-of-mod", "mod-of-mod", true), "[2=1]");
}

static void a_rule_overlaps_with_itself(void **) {
  assert_string_equal(overlaps("mod-of-mod", "mod-of-mod", true), "[1=1][1=1,2=2][2=1]");
  assert_string_equal(overlaps("mod-known", "mod-known", true), "[1=1]");
  assert_string_equal(overlaps("min-by-bounds", "min-by-bounds", true),
      "[1=1,a=a,b=b][1=1,a=b,b=a][1=1,a=a][1=1,a=b][1=1,b=a][1=1,b=b]");
}

static void part_of_a_sum_is_a_position(void **) {
  assert_non_null(strstr(overlaps("digits-join", "digits-join", true), "[1=3]"));
  assert_non_null(strstr(overlaps("mod-of-mod", "digits-join", true), "[2=1]"));
  assert_non_null(strstr(overlaps("constraint-floordiv", "text-floordiv-sign", true), "[1=1]"));
  assert_string_equal(overlaps("constraint-floordiv", "constraint-mod-unit", true), "");
  assert_string_equal(overlaps("constraint-sign", "constraint-floordiv", true), "[in]");
}

static void an_instance_is_always_the_same(void **) {
  MapContext *context = map_context_create();
  OverlapList list = {};
  overlaps_add(arena, form_named("mod-of-mod"), form_named("floordiv-cancels"), true, &list);
  assert_true(list.count > 0);
  uint32_t made = 0;
  for (uint64_t i = 0; i < 200; i++) {
    OverlapMap one, other;
    bool fits = overlap_map(context, &list.items[0], i, &one);
    assert_int_equal(fits, overlap_map(context, &list.items[0], i, &other));
    if (!fits) continue;
    made++;
    assert_true(map_identical(context, one.map, other.map));
    assert_true(expr_same(one.inner, other.inner));
    assert_int_equal(expr_node(context->pool, one.outer)->op, EXPR_MOD);
  }
  assert_true(made > 50);
  map_context_destroy(context);
}

static int overlap_begin(void **) {
  Error error = {};
  arena = arena_create();
  if (!rules_engine(arena, &rules, &error)) return -1;
  forms = ARENA_NEW(arena, RuleForm, form_max_variants * rules.count);
  for (uint32_t i = 0; i < rules.count; i++)
    if (rule_forms(&rules.items[i], &forms[form_max_variants * i]) == 0) return -1;
  return 0;
}

static int overlap_end(void **) {
  arena_destroy(arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_rule_has_a_form),
      cmocka_unit_test(positions_are_operators_and_never_letters),
      cmocka_unit_test(a_rule_overlaps_with_itself), cmocka_unit_test(part_of_a_sum_is_a_position),
      cmocka_unit_test(an_instance_is_always_the_same)};
  return cmocka_run_group_tests(tests, overlap_begin, overlap_end);
}
