/* A custom call on another thread may be another function. Pairs of graphs: the values are the same
 * only if no target is called on two threads, or the graphs are literally equal. Several calls
 * without operands may return several values: each is the one of its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "judge/graphs/equiv_open.h"
#include "judge/test/read_module.h"

#define CALL(target) "ROOT r = f32[4] custom-call(x), custom_call_target=\"" target "\"\n}\n"
/* A start of f, which calls `inner`, and a call of g. */
#define STARTED(inner, thread, more) \
  "HloModule m\ng {\nx = f32[4] parameter(0)\n" inner "h {\nx = f32[4] parameter(0)\n" \
  "ROOT r = f32[4] negate(x)\n}\n" \
  "f {\nx = f32[4] parameter(0)\nROOT r = f32[4] call(x), to_apply=g\n}\nENTRY e {\n" \
  "x = f32[4] parameter(0)\ns = ((f32[4]), f32[4], u32[]) async-start(x), calls=f" thread \
  "\nd = f32[4] async-done(s)\n" more "\n}\n"
#define ON(thread) ", async_execution_thread=\"" thread "\""
#define ALONE "ROOT r = f32[4] copy(d)"
#define WITH(call) "c = f32[4] " call "\nROOT r = f32[4] subtract(c, d)"
#define OTHERWISE "n = f32[4] copy(d)\nROOT r = f32[4] copy(n)"
#define THE_CALL "custom-call(x), custom_call_target=\"t\""

typedef struct ThreadsRow {
  const char *name, *before, *after;
  bool is_same;
} ThreadsRow;

static const ThreadsRow rows[] = {
    {"on_no_thread", STARTED(CALL("t"), ON("host"), ALONE), STARTED(CALL("t"), "", ALONE), false},
    {"on_another_thread", STARTED(CALL("t"), ON("host"), ALONE),
        STARTED(CALL("t"), ON("device"), ALONE), false},
    {"on_the_main_thread", STARTED(CALL("t"), ON("main"), ALONE), STARTED(CALL("t"), "", ALONE),
        true},
    {"on_the_same_thread", STARTED(CALL("t"), ON("host"), ALONE),
        STARTED(CALL("t"), ON("host"), OTHERWISE), true},
    {"no_call_on_another_thread", STARTED("ROOT r = f32[4] negate(x)\n}\n", ON("host"), ALONE),
        STARTED("ROOT r = f32[4] negate(x)\n}\n", "", ALONE), true},
    {"on_two_threads", STARTED(CALL("t"), ON("host"), WITH(THE_CALL)),
        STARTED(CALL("t"), ON("host"), "k = f32[4] copy(x)\n" WITH(THE_CALL)), false},
    {"on_two_threads_by_one_computation",
        STARTED(CALL("t"), ON("host"), WITH("call(x), to_apply=g")),
        STARTED(CALL("t"), ON("host"), "k = f32[4] copy(d)\n" WITH("call(x), to_apply=g")), false},
    {"on_two_threads_and_itself", STARTED(CALL("t"), ON("host"), WITH(THE_CALL)),
        STARTED(CALL("t"), ON("host"), WITH(THE_CALL)), true},
    {"another_target_on_main", STARTED(CALL("u"), ON("host"), WITH(THE_CALL)),
        STARTED(CALL("u"), ON("host"), "k = f32[4] copy(x)\n" WITH(THE_CALL)), true},
};

#define NOTHING(name, more) name " = f32[4] custom-call(), custom_call_target=\"t\"" more "\n"
#define SAFE ", frontend_attributes={_xla_cse_safe_zero_operand=\"true\"}"
#define ENTRY(lines) "HloModule m\nENTRY e {\nx = f32[4] parameter(0)\n" lines "\n}\n"
#define FROM(a, b) "ROOT r = f32[4] subtract(" a ", " b ")"
#define BOTH NOTHING("c", "") NOTHING("d", "")
#define LONG(name) name " = f32[5] custom-call(), custom_call_target=\"t\"\n"
#define CUT(name, of) name " = f32[4] slice(" of "), slice={[0:4]}\n"
/* A function that calls t, and one that calls this function. */
#define IN_CALLS(lines) \
  "HloModule m\nf {\nROOT c = f32[4] custom-call(), custom_call_target=\"t\"\n}\n" \
  "g {\nROOT c = f32[4] call(), to_apply=f\n}\nENTRY e {\nx = f32[4] parameter(0)\n" lines "\n}\n"
#define CALL_OF(name, function) name " = f32[4] call(), to_apply=" function "\n"

static const ThreadsRow rows_of_nothing[] = {
    {"two_for_one", ENTRY(BOTH FROM("c", "d")), ENTRY(NOTHING("c", "") FROM("c", "c")), false},
    {"two_themselves", ENTRY(BOTH FROM("c", "d")),
        ENTRY(BOTH "k = f32[4] copy(c)\n" FROM("k", "d")), true},
    {"two_exchanged", ENTRY(BOTH FROM("c", "d")), ENTRY(BOTH FROM("d", "c")), false},
    {"two_of_other_names", ENTRY(BOTH FROM("c", "d")),
        ENTRY(NOTHING("d", "") NOTHING("c", "") "k = f32[4] copy(c)\n" FROM("k", "d")), true},
    {"two_of_two_targets",
        ENTRY(
            NOTHING("c", "") "d = f32[4] custom-call(), custom_call_target=\"u\"\n" FROM("c", "d")),
        ENTRY(
            "u = f32[4] custom-call(), custom_call_target=\"u\"\n" NOTHING("v", "") FROM("v", "u")),
        true},
    {"one_of_another_name", ENTRY(NOTHING("c", "") FROM("c", "x")),
        ENTRY(NOTHING("k", "") FROM("k", "x")), true},
    {"two_that_may_be_one", ENTRY(NOTHING("c", SAFE) NOTHING("d", SAFE) FROM("c", "d")),
        ENTRY(NOTHING("k", SAFE) FROM("k", "k")), true},
    {"one_and_itself", ENTRY(BOTH FROM("c", "c")),
        ENTRY("z = f32[4] custom-call(x), custom_call_target=\"v\"\n" BOTH FROM("d", "d")), false},
    {"two_runs_for_one", IN_CALLS(CALL_OF("a", "f") CALL_OF("b", "f") FROM("a", "b")),
        IN_CALLS(CALL_OF("a", "f") FROM("a", "a")), false},
    {"two_runs_by_two_functions", IN_CALLS(CALL_OF("a", "f") CALL_OF("b", "g") FROM("a", "b")),
        IN_CALLS(CALL_OF("a", "f") FROM("a", "a")), false},
    {"two_runs_and_themselves", IN_CALLS(CALL_OF("a", "f") CALL_OF("b", "f") FROM("a", "b")),
        IN_CALLS(CALL_OF("a", "f") CALL_OF("b", "f") FROM("a", "b")), true},
    {"two_runs_for_a_call", IN_CALLS(CALL_OF("a", "f") CALL_OF("b", "f") FROM("a", "b")),
        ENTRY(NOTHING("c", "") FROM("c", "c")), false},
    {"one_run", IN_CALLS(CALL_OF("a", "g") FROM("a", "x")), ENTRY(NOTHING("k", "") FROM("k", "x")),
        true},
    {"two_of_two_shapes", ENTRY(NOTHING("c", "") LONG("d") CUT("s", "d") FROM("c", "s")),
        ENTRY(NOTHING("u", "") LONG("v") CUT("s", "v") FROM("u", "s")), true},
    {"a_call_of_another_shape", ENTRY(NOTHING("c", "") LONG("d") CUT("s", "d") FROM("c", "s")),
        ENTRY(LONG("v") CUT("s", "v") FROM("s", "s")), false},
    {"two_of_two_configurations",
        ENTRY(NOTHING("c", "") NOTHING("d", ", backend_config=\"1\"") FROM("c", "d")),
        ENTRY(NOTHING("u", "") NOTHING("v", ", backend_config=\"1\"") FROM("u", "v")), true},
    {"a_call_of_another_configuration",
        ENTRY(NOTHING("c", "") NOTHING("d", ", backend_config=\"1\"") FROM("c", "d")),
        ENTRY(NOTHING("u", "") FROM("u", "u")), false},
    {"three_of_two_shapes",
        ENTRY(NOTHING("c", "") LONG("d") NOTHING("k", "") CUT("s", "d") FROM("c", "k")),
        ENTRY(NOTHING("c", "") LONG("v") FROM("c", "c")), false},
};

static bool has_same_values(Smt *smt, const char *before, const char *after) {
  Arena *arena = arena_create();
  EquivValues values;
  EquivValuesVerdict verdict;
  Error error = {};
  assert_true(equiv_values_open(arena, module_of(arena, before), module_of(arena, after),
      &(ValuesLimits){.grade = LAW_EXACT}, smt, &values, &error));
  equiv_values_judge(&values, 0, &verdict);
  equiv_values_close(&values);
  arena_destroy(arena);
  return verdict.answer == REASON_EXACT;
}

static void rows_agree(size_t count, const ThreadsRow *all) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  uint32_t failed = 0;
  for (size_t i = 0; i < count; i++)
    for (int turn = 0; turn < 2; turn++) {
      const ThreadsRow *row = &all[i];
      bool is_same = has_same_values(
          smt, turn == 0 ? row->before : row->after, turn == 0 ? row->after : row->before);
      if (is_same != row->is_same) print_message("%s: %d\n", row->name, is_same);
      failed += is_same != row->is_same;
    }
  smt_destroy(smt);
  map_context_destroy(context);
  assert_int_equal(failed, 0);
}

static void a_call_on_another_thread_may_differ(void **) {
  rows_agree(sizeof rows / sizeof *rows, rows);
}

static void calls_without_operands_may_differ(void **) {
  rows_agree(sizeof rows_of_nothing / sizeof *rows_of_nothing, rows_of_nothing);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_call_on_another_thread_may_differ),
      cmocka_unit_test(calls_without_operands_may_differ)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
