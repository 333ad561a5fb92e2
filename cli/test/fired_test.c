/* corpus/fired.txt has the counts of the current engine and corpus. With AFFIRM_FIRED=FILE the test
 * writes the counts instead: AFFIRM_FIRED=corpus/fired.txt build/cli_tests fired_test */
#include "cli/report/fired.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/modules.h"
#include "cli/paths.h"
#include "cli/report/derivation.h"
#include "core/base/file.h"
#include "judge/cases/case.h"

typedef struct FiredCount {
  Arena *arena;
  Judge *judge;
  Derivations derivations;
  uint32_t modules, maps;
} FiredCount;

static bool count_module(void *state, Arena *arena, const Module *module, ModulePosition) {
  FiredCount *count = state;
  Selection selection = {};
  InstructionSelection list = {};
  const QuestionFilter filter = question_filter_all;
  MapMark mark = map_context_mark(count->judge->context);
  count->modules++;
  module_select(arena, module, &selection, &list);
  for (uint32_t i = 0; i < list.count; i++) {
    QuestionWalk walk = question_walk(list.items[i], &filter);
    for (Question question; question_next(&walk, &question);) {
      Text text = text_create(arena);
      derivation_print(&text, &count->derivations, &question);
    }
  }
  indexer_reset(count->derivations.raw);
  map_context_rewind(count->judge->context, mark);
  return true;
}

static void count_map(FiredCount *count, Arena *arena, const Source *source) {
  MapMark mark = map_context_mark(count->judge->context);
  const Map *map, *simplified;
  Error error = {};
  Text text = text_create(arena);
  if (map_parse(count->judge->context, source, &map, &error) &&
      derivation_print_map(&text, &count->derivations, map, &simplified, &error))
    count->maps++;
  map_context_rewind(count->judge->context, mark);
}

/* Counts cases that use only the engine's own rules. */
static void count_cases(FiredCount *count, Arena *arena, const Source *source) {
  CaseFile cases;
  Error error = {};
  assert_true(cases_parse(arena, source, &cases, &error));
  for (uint32_t i = 0; i < cases.count; i++) {
    const Case *one = &cases.items[i];
    bool is_map = one->verb == VERB_SIMPLIFY || one->verb == VERB_KEEPS;
    if (is_map && one->block.text == nullptr) count_map(count, arena, &one->input);
  }
}

static void count_files(FiredCount *count) {
  static const char *const tails[] = {".hlo", ".case"};
  PathSearch search = {.directory = AFFIRM_SOURCE_DIR "/corpus", .tail_count = 2, .tails = tails};
  PathList paths = {};
  Error error = {};
  assert_true(paths_find(count->arena, &search, &paths, &error));
  for (uint32_t i = 0; i < paths.count; i++) {
    Arena *arena = arena_create();
    Source source;
    assert_true(file_read(arena, paths.items[i], (size_t)1 << 26, &source, &error));
    if (strstr(paths.items[i], ".case") != nullptr) count_cases(count, arena, &source);
    else (void)modules_walk(arena, &source, count_module, nullptr, count);
    arena_destroy(arena);
  }
}

static uint32_t count_of(const FiredCount *count, const char *name) {
  for (uint32_t i = 0; i < count->derivations.count; i++)
    if (strcmp(count->derivations.items[i].rule->name, name) == 0)
      return count->derivations.items[i].count;
  return 0;
}

static const char *counts_text(FiredCount *count) {
  RuleSet rules = {};
  Error error = {};
  Text text = text_create(count->arena);
  assert_true(rules_engine(count->arena, &rules, &error));
  text_printf(&text,
      "# How often each rule of core/rules fires when the maps of the corpus are simplified: of the roots of %u modules, both directions, and %u maps of cases.\n"
      "# AFFIRM_FIRED=corpus/fired.txt build/cli_tests fired_test\n",
      count->modules, count->maps);
  for (uint32_t i = 0; i < rules.count; i++)
    text_printf(&text, "%s %u\n", rules.items[i].name, count_of(count, rules.items[i].name));
  return text.bytes;
}

/* Fails with the first line that differs from the record. */
static void require_record(const char *text) {
  const char *record = fired_text();
  size_t line = 0, i = 0;
  for (; record[i] == text[i] && text[i] != '\0'; i++)
    if (text[i] == '\n') line = i + 1;
  if (record[i] == text[i]) return;
  fail_msg("corpus/fired.txt has \"%.*s\", today it is \"%.*s\"; record it with "
           "AFFIRM_FIRED=corpus/fired.txt build/cli_tests fired_test",
      (int)strcspn(record + line, "\n"), record + line, (int)strcspn(text + line, "\n"),
      text + line);
}

static void the_record_is_that_of_today(void **) {
  FiredCount count = {.arena = arena_create()};
  Error error = {};
  count.judge = judge_create(&(JudgeOptions){.without_smt = true}, &error);
  assert_non_null(count.judge);
  assert_true(derivations_begin(&count.derivations, count.judge, count.arena, &error));
  count_files(&count);
  const char *text = counts_text(&count), *path = getenv("AFFIRM_FIRED");
  if (path != nullptr) assert_true(file_write(path, text, strlen(text), &error));
  else require_record(text);
  derivations_end(&count.derivations);
  judge_destroy(count.judge);
  arena_destroy(count.arena);
}

static void only_rules_of_the_engine_are_recorded(void **) {
  const Rule own = {.name = "mod-known", .file = "core/rules/mod.rules"},
             far = {.name = "mod-known", .file = "/somewhere/core/rules/mod.rules"},
             other = {.name = "mod-known", .file = "my.rules"},
             none = {.name = "mod-know", .file = "core/rules/mod.rules"};
  assert_true(fired_on_corpus(&own) > 0);
  assert_int_equal(fired_on_corpus(&own), fired_on_corpus(&far));
  assert_int_equal(fired_on_corpus(&other), -1);
  assert_int_equal(fired_on_corpus(&none), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_record_is_that_of_today),
      cmocka_unit_test(only_rules_of_the_engine_are_recorded),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
