/* A simplifier that removes variables and names the kept ones: the relation equals the request's if
 * the removed variables do not matter, and differs if they do. Engines are shell commands. */
#include "judge/engines/kept.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "core/map/text.h"
#include "judge/engines/engine.h"
#include "judge/maps/tested.h"
#include "judge/engines/test/engine_scripts.h"

static const char queried_text[] =
    "(d0, d1, d2)[s0]{rt0, rt1} -> (d1 + s0, rt1), domain: d0 in [0, 3], d1 in [0, 7], d2 in [2, 5], s0 in [0, 1], rt0 in [0, 4], rt1 in [1, 2], d1 + s0 in [0, 6]";

static const Map *kept_parse(MapContext *context, const char *text) {
  const Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

/* Only one at a time: the command's buffer is static. */
static Engine *kept_engine(const char *answer) {
  static char command[4000];
  Error error = {};
  snprintf(command, sizeof command, GREETING "read -r l; printf '2\\tanswer\\t%s\\n'; read -r l",
      answer);
  EngineLimits limits = {
      .milliseconds = enough, .memory = UINT64_C(1) << 32, .output = UINT64_C(1) << 20};
  Engine *engine = engine_create(&(EngineOptions){.command = command, .limits = limits}, &error);
  if (engine == nullptr) fail_msg("%s", error.message);
  return engine;
}

typedef struct KeptRow {
  const char *answer;
  VerdictReason reason;
  const char *why; /* of a reply that is no map */
} KeptRow;

#define KEPT_MAP(bounds) \
  "(d0)[s0]{rt0} -> (d0 + s0, rt0), domain: d0 in [0, " bounds \
  "], s0 in [0, 1], rt0 in [1, 2], d0 + s0 in [0, 6]"

static const KeptRow kept_rows[] = {
    {"kept: d1, rt1\\\\n" KEPT_MAP("7"), REASON_EXACT, ""},
    {"kept: d1 rt1\\\\n" KEPT_MAP("7"), REASON_EXACT, ""},
    {"kept: d1, rt1\\\\n" KEPT_MAP("5"), REASON_DIFFERENT, ""},
    {"kept: d0, rt1\\\\n" KEPT_MAP("7"), REASON_DIFFERENT, ""},
    {"kept: d1, rt0\\\\n" KEPT_MAP("7"), REASON_DIFFERENT, ""},
    {"kept: d1\\\\n" KEPT_MAP("7"), REASON_DIFFERENT, "results, expected"},
    {"kept: d0, d1, rt1\\\\n" KEPT_MAP("7"), REASON_DIFFERENT, "results, expected"},
    {"kept: rt1, d1, d0\\\\n" KEPT_MAP("7"), REASON_DIFFERENT, "in their order"},
    {"kept: d1, d1, rt1\\\\n" KEPT_MAP("7"), REASON_DIFFERENT, "in their order"},
    {"kept: d3, rt1\\\\n" KEPT_MAP("7"), REASON_DIFFERENT, "in their order"},
    {"kept: s0, d1, rt1\\\\n" KEPT_MAP("7"), REASON_DIFFERENT, "in their order"},
    {KEPT_MAP("7"), REASON_DIFFERENT, "results, expected"},
};

static void what_was_kept_decides_the_relation(void **) {
  for (size_t i = 0; i < sizeof kept_rows / sizeof *kept_rows; i++) {
    const KeptRow *row = &kept_rows[i];
    Engine *engine = kept_engine(row->answer);
    Error error = {};
    Judge *judge = judge_create(&(JudgeOptions){.engine = engine, .without_smt = true}, &error);
    assert_non_null(judge);
    const Map *map = kept_parse(judge->context, queried_text), *simplified;
    SameJudgement same;
    assert_true(tested_keeps(judge, map, nullptr, &simplified, &same, &error));
    if (same.reason != row->reason || strstr(same.text, row->why) == nullptr)
      fail_msg("%s: %s: %s", row->answer, same_reason_text(same.reason), same.text);
    judge_destroy(judge);
    engine_destroy(engine);
  }
}

/* Each pair of names of 13 variables: those that exist and stand in their order are read. */
static void names_are_read_with_all_their_digits(void **) {
  MapContext *context = map_context_create();
  Arena *arena = arena_create();
  static constexpr uint32_t count = 13;
  const Map *queried = map_create(context, count, 0, count, 0, 0);
  for (uint32_t code = 0; code < 4 * (count + 2) * (count + 2); code++) {
    uint32_t first = code / 4 % (count + 2), second = code / 4 / (count + 2);
    bool are_runtimes[] = {(code & 1) != 0, (code & 2) != 0};
    const char *line = arena_printf(arena, "kept: %s%u, %s%u\nmap", are_runtimes[0] ? "rt" : "d",
        first, are_runtimes[1] ? "rt" : "d", second);
    VariablesKept kept;
    const char *map, *why;
    bool is_valid =
        first < count && second < count && (are_runtimes[0] != are_runtimes[1] || first < second);
    if (kept_read(arena, queried, line, &kept, &map, &why) != is_valid) fail_msg("%s", line);
    if (!is_valid) continue;
    assert_string_equal(map, "map");
    const VarKind kinds[] = {
        are_runtimes[0] ? VAR_RUNTIME : VAR_DIM, are_runtimes[1] ? VAR_RUNTIME : VAR_DIM};
    assert_int_equal(kept.at[kinds[0]][0], first);
    assert_int_equal(kept.at[kinds[1]][kept.counts[kinds[1]] - 1], second);
    assert_int_equal(kept.counts[VAR_DIM] + kept.counts[VAR_RUNTIME], 2);
  }
  arena_destroy(arena);
  map_context_destroy(context);
}

/* A variable with an empty interval stays, even if it is unused. */
static void a_removed_variable_without_a_value_leaves_no_points(void **) {
  MapContext *context = map_context_create();
  Arena *arena = arena_create();
  const Map *queried = kept_parse(context, "(d0, d1) -> (d1), domain: d0 in [1, 0], d1 in [0, 3]");
  VariablesKept kept;
  const char *text, *why;
  Error error = {};
  assert_true(kept_read(
      arena, queried, "kept: d1\n(d0) -> (d0), domain: d0 in [0, 3]", &kept, &text, &why));
  const Map *restored;
  assert_true(kept_restore(context, queried, &kept, kept_parse(context, text), &restored, &error));
  assert_true(map_identical(context, queried, restored));
  arena_destroy(arena);
  map_context_destroy(context);
}

int main(void) {
  signal(SIGPIPE, SIG_DFL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_kept_decides_the_relation),
      cmocka_unit_test(names_are_read_with_all_their_digits),
      cmocka_unit_test(a_removed_variable_without_a_value_leaves_no_points),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
