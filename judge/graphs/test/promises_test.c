/* Promises about indices. Pairs of modules: the values are the same if the second graph makes no
 * promise that the first does not make and its indices are not shown to keep. Constant indices: all
 * small tuples, against definitions of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_open.h"
#include "judge/graphs/promise_kept.h"
#include "judge/graphs/promises.h"

static const Module *promises_module(Arena *arena, const char *text) {
  Source *source = ARENA_NEW(arena, Source, 1);
  const Module *module;
  Error error = {};
  *source = (Source){.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s in\n%s", error.message, text);
  return module;
}

#define BODIES_AND(bodies, lines) \
  "HloModule m\nadd {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n" \
  " ROOT c = s32[] add(a, b)\n}\n" bodies "ENTRY e {\n x = s32[8] parameter(0)\n" \
  " i = s32[3,1] parameter(1)\n k = s32[3,1] parameter(2)\n u = s32[3] parameter(3)\n" lines \
  "\n}\n"
#define ONLY(lines) BODIES_AND("", lines)
#define GATHER(indices) \
  "s32[3] gather(x, " indices "), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, " \
  "index_vector_dim=1, slice_sizes={1}"
#define SCATTER(indices) \
  "s32[8] scatter(x, " indices ", u), update_window_dims={}, inserted_window_dims={0}, " \
  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"
#define SORTED ", indices_are_sorted=true"
#define UNIQUE ", unique_indices=true"
#define TWO(first, second) " g = " first "\n h = " second "\n ROOT r = s32[3] subtract(g, h)"

typedef struct PromisesRow {
  const char *name, *before, *after;
  VerdictReason answer;
} PromisesRow;

#define STATE "(s32[], s32[8], s32[3,1], s32[3])"
#define BODY(gather) NAMED_BODY("body", gather)
#define NAMED_BODY(name, gather) BODY_WHILE("3", "i", name, gather)
/* The indices of the next iteration are `next`. */
#define BODY_WHILE(trips, next, name, gather) \
  name " {\n t = " STATE " parameter(0)\n n = s32[] get-tuple-element(t), index=0\n" \
       " x = s32[8] get-tuple-element(t), index=1\n i = s32[3,1] get-tuple-element(t), index=2\n" \
       " one = s32[] constant(1)\n m = s32[] add(n, one)\n g = " gather "\n" \
       " j = s32[3,1] multiply(i, i)\n ROOT r = " STATE " tuple(m, x, " next ", g)\n}\n" name \
       "_condition {\n t = " STATE " parameter(0)\n n = s32[] get-tuple-element(t), index=0\n" \
       " three = s32[] constant(" trips ")\n ROOT r = pred[] compare(n, three), direction=LT\n}\n"
#define WHILE(name, indices, result) \
  name "_s = " STATE " tuple(z, x, " indices ", u)\n " name "_w = " STATE " while(" name \
       "_s), condition=" name "_condition, body=" name "\n " result \
       " = s32[3] get-tuple-element(" name "_w), index=3\n "
#define LOOP_BESIDE(promise, root) \
  "z = s32[] constant(0)\n " WHILE("body", "i", "v") "h = " GATHER("k") promise "\n " root
#define LOOP(root) LOOP_BESIDE("", root)
#define TWO_LOOPS(first, second) \
  BODIES_AND(NAMED_BODY("one", first) NAMED_BODY("two", second), \
      "z = s32[] constant(0)\n " WHILE("one", "i", "v") \
          WHILE("two", "k", "h") "ROOT r = s32[3] subtract(v, h)")
/* One loop of `trips` iterations, and then one of three. */
#define LOOPS_OF(trips, next, first, second) \
  BODIES_AND(BODY_WHILE(trips, next, "one", first) NAMED_BODY("two", second), \
      "z = s32[] constant(0)\n " WHILE("one", "i", "v") \
          WHILE("two", "i", "h") "ROOT r = s32[3] subtract(v, h)")
/* A loop in a branch. */
#define BRANCHES(first, second) \
  BODIES_AND(NAMED_BODY("one", first) NAMED_BODY("two", second) BRANCH("one") BRANCH("two"), \
      "z = s32[] constant(0)\n s = " STATE \
      " tuple(z, x, i, u)\n p = pred[] parameter(4)\n ROOT r = s32[3] conditional(p, s, s), true_computation=one_branch, " \
      "false_computation=two_branch")
#define BRANCH(name) \
  name "_branch {\n t = " STATE " parameter(0)\n w = " STATE " while(t), condition=" name \
       "_condition, body=" name "\n ROOT r = s32[3] get-tuple-element(w), index=3\n}\n"

#define FUSED_OF(lines, gather) \
  "fused {\n x = s32[8] parameter(0)\n i = s32[3,1] parameter(1)\n " lines "ROOT r = " gather \
  "\n}\n"
#define FUSED(gather) FUSED_OF("", gather)
#define FUSION_BESIDE(indices) \
  "g = s32[3] fusion(x, i), kind=kLoop, calls=fused\n h = " GATHER( \
      indices) "\n ROOT r = s32[3] subtract(g, h)"
#define FUSION FUSION_BESIDE("k")
#define CALL_BESIDE(more) \
  more "g = s32[3] call(x, i), to_apply=fused\n h = " GATHER( \
      "k") "\n ROOT r = s32[3] subtract(g, h)"
#define ELEMENT_OF(pair, at) \
  "t = (s32[3], s32[3]) " pair "\n ROOT r = s32[3] get-tuple-element(t), index=" at
#define ELEMENT(first, second, at) "g = " first "\n h = " second "\n " ELEMENT_OF("tuple(g, h)", at)
#define AWAITED \
  "g = " GATHER("i") SORTED "\n h = " GATHER( \
      "i") "\n s = (s32[3], s32[3]) tuple(g, h)\n " ELEMENT_OF("opt-barrier(s)", "1")
#define FUSED_ELEMENT(at) \
  BODIES_AND("fused {\n x = s32[8] parameter(0)\n i = s32[3,1] parameter(1)\n g = " GATHER("i") \
                 SORTED "\n h = " GATHER("i") "\n ROOT r = (s32[3], s32[3]) tuple(g, h)\n}\n", \
      ELEMENT_OF("fusion(x, i), kind=kLoop, calls=fused", at))
/* A loop whose state has two gathers, one of which is the result. */
#define STATE_OF_TWO "(s32[], s32[8], s32[3,1], s32[3], s32[3])"
#define LOOP_OF_TWO(first, second, at) \
  BODIES_AND( \
      "b {\n t = " STATE_OF_TWO " parameter(0)\n n = s32[] get-tuple-element(t), index=0\n" \
      " x = s32[8] get-tuple-element(t), index=1\n i = s32[3,1] get-tuple-element(t), index=2\n" \
      " one = s32[] constant(1)\n m = s32[] add(n, one)\n g = " first "\n h = " second "\n" \
      " ROOT r = " STATE_OF_TWO " tuple(m, x, i, g, h)\n}\nc {\n t = " STATE_OF_TWO \
      " parameter(0)\n n = s32[] get-tuple-element(t), index=0\n three = s32[] constant(3)\n" \
      " ROOT r = pred[] compare(n, three), direction=LT\n}\n", \
      "z = s32[] constant(0)\n s = " STATE_OF_TWO " tuple(z, x, i, u, u)\n w = " STATE_OF_TWO \
      " while(s), condition=c, body=b\n ROOT r = s32[3] get-tuple-element(w), index=" at)
/* A branch of two gathers, one of which is the result, and a predicate that a gather computes. */
#define BRANCH_OF_TWO(first, second, predicate) \
  BODIES_AND( \
      "b {\n t = (s32[8], s32[3,1]) parameter(0)\n x = s32[8] get-tuple-element(t), index=0\n" \
      " i = s32[3,1] get-tuple-element(t), index=1\n g = " first "\n h = " second "\n" \
      " ROOT r = (s32[3], s32[3]) tuple(g, h)\n}\n", \
      "p = " predicate "\n q = s32[1] slice(p), slice={[0:1]}\n a = s32[] reshape(q)\n" \
      " s = (s32[8], s32[3,1]) tuple(x, i)\n " ELEMENT_OF( \
          "conditional(a, s, s), branch_computations={b, b}", "1"))
/* A computation that returns a gather and x, called twice: `first` of the call with indices i and
 * `second` of the call with indices k, beside a gather with indices i. */
#define CALLED_TWICE(first, second, promise) \
  BODIES_AND("f {\n x = s32[8] parameter(0)\n i = s32[3,1] parameter(1)\n g = " GATHER("i") SORTED \
      "\n h = s32[3] slice(x), slice={[0:3]}\n ROOT r = (s32[3], s32[3]) " \
      "tuple(g, h)\n}\n", \
      "p = (s32[3], s32[3]) call(x, i), to_apply=f\n q = (s32[3], s32[3]) call(x, k), to_apply=f\n" \
      " v = s32[3] get-tuple-element(p), index=" first \
      "\n w = s32[3] get-tuple-element(q), index=" second "\n g = " GATHER("i") promise \
      "\n h = s32[3] subtract(v, w)\n" \
      " ROOT r = s32[3] subtract(g, h)")
/* A gather, and another one with a promise, from which `lines` compute w. */
#define BESIDE_USE(promise, lines) \
  BODIES_AND("two {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n c = s32[] parameter(2)\n" \
             " d = s32[] parameter(3)\n e = s32[] add(a, c)\n f = s32[] add(b, d)\n" \
             " ROOT r = (s32[], s32[]) tuple(e, f)\n}\n", \
      "g = " GATHER("i") promise "\n h = " GATHER("i") SORTED "\n " lines \
                                                              "\n ROOT r = s32[3] subtract(g, w)")
#define REDUCED(result) \
  "z = s32[] constant(0)\n q = (s32[], s32[]) reduce(u, h, z, z), dimensions={0}, to_apply=two\n" \
  " v = s32[] get-tuple-element(q), index=" result "\n w = s32[3] broadcast(v), dimensions={}"
#define SCHEDULED(lines) \
  "HloModule m, is_scheduled=true\nENTRY e {\n x = s32[8] parameter(0)\n" \
  " i = s32[3,1] parameter(1)\n " lines "\n}\n"
#define NEXT \
  "one = s32[] constant(1)\n b = s32[3,1] broadcast(one), dimensions={}\n j = s32[3,1] add(i, b)\n "
#define ONE_DRAWN \
  "l = s32[] constant(0)\n e = s32[] constant(7)\n " \
  "c = s32[3,1] rng(l, e), distribution=rng_uniform\n "
#define DRAWN ONE_DRAWN "d = s32[3,1] rng(l, e), distribution=rng_uniform\n "
#define LIST(tuples) "c = s32[3,1] constant({" tuples "})\n "
#define IOTA(dimension) "c = s32[3,1] iota(), iota_dimension=" dimension "\n "

static const PromisesRow rows_of_promises[] = {
    {"a_scatter_becomes_unique", ONLY("ROOT r = " SCATTER("i")),
        ONLY("ROOT r = " SCATTER("i") UNIQUE), REASON_OPEN},
    {"a_scatter_becomes_sorted", ONLY("ROOT r = " SCATTER("i")),
        ONLY("ROOT r = " SCATTER("i") SORTED), REASON_OPEN},
    {"a_gather_becomes_sorted", ONLY("ROOT r = " GATHER("i")), ONLY("ROOT r = " GATHER("i") SORTED),
        REASON_OPEN},
    {"a_sorted_scatter_becomes_unique", ONLY("ROOT r = " SCATTER("i") SORTED),
        ONLY("ROOT r = " SCATTER("i") SORTED UNIQUE), REASON_OPEN},
    {"a_promise_is_dropped", ONLY("ROOT r = " SCATTER("i") SORTED UNIQUE),
        ONLY("ROOT r = " SCATTER("i")), REASON_EXACT},
    {"a_promise_is_kept", ONLY("ROOT r = " SCATTER("i") SORTED UNIQUE),
        ONLY("n = s32[8] negate(x)\n ROOT r = " SCATTER("i") SORTED UNIQUE), REASON_EXACT},
    {"a_promise_that_says_no", ONLY("ROOT r = " GATHER("i")),
        ONLY("ROOT r = " GATHER("i") ", indices_are_sorted=false"), REASON_EXACT},
    {"constants_that_ascend", ONLY(LIST("{1},{4},{6}") "ROOT r = " SCATTER("c")),
        ONLY(LIST("{1},{4},{6}") "ROOT r = " SCATTER("c") SORTED UNIQUE), REASON_EXACT},
    {"constants_with_a_repeated_one", ONLY(LIST("{1},{4},{4}") "ROOT r = " SCATTER("c")),
        ONLY(LIST("{1},{4},{4}") "ROOT r = " SCATTER("c") UNIQUE), REASON_OPEN},
    {"constants_out_of_order", ONLY(LIST("{1},{6},{4}") "ROOT r = " GATHER("c")),
        ONLY(LIST("{1},{6},{4}") "ROOT r = " GATHER("c") SORTED), REASON_OPEN},
    {"an_iota", ONLY(IOTA("0") "ROOT r = " SCATTER("c")),
        ONLY(IOTA("0") "ROOT r = " SCATTER("c") SORTED UNIQUE), REASON_EXACT},
    {"an_iota_along_the_tuple", ONLY(IOTA("1") "ROOT r = " SCATTER("c")),
        ONLY(IOTA("1") "ROOT r = " SCATTER("c") UNIQUE), REASON_OPEN},
    {"one_promise_of_two", ONLY(TWO(GATHER("i") SORTED, GATHER("k"))),
        ONLY("n = s32[8] negate(x)\n " TWO(GATHER("i") SORTED, GATHER("k"))), REASON_EXACT},
    {"the_promise_of_the_other", ONLY(TWO(GATHER("i") SORTED, GATHER("k"))),
        ONLY(TWO(GATHER("i"), GATHER("k") SORTED)), REASON_OPEN},
    {"a_second_promise", ONLY(TWO(GATHER("i") SORTED, GATHER("k"))),
        ONLY(TWO(GATHER("i") SORTED, GATHER("k") SORTED)), REASON_OPEN},
    {"equal_indices_of_other_terms", ONLY(TWO(GATHER("i") SORTED, GATHER("k"))),
        ONLY(
            "z = s32[] constant(0)\n o = s32[3,1] broadcast(z), dimensions={}\n j = s32[3,1] add(o, i)\n " TWO(
                GATHER("j") SORTED, GATHER("k"))),
        REASON_EXACT},
    {"reshaped_indices", ONLY(TWO(GATHER("i") SORTED, GATHER("k"))),
        ONLY("j = s32[3] reshape(i)\n l = s32[3,1] reshape(j)\n " TWO(
            GATHER("l") SORTED, GATHER("k"))),
        REASON_EXACT},
    {"reversed_indices", ONLY("ROOT r = " GATHER("i") SORTED),
        ONLY("j = s32[3,1] reverse(i), dimensions={0}\n g = " GATHER("j") SORTED
            "\n ROOT r = s32[3] reverse(g), dimensions={0}"),
        REASON_OPEN},
    {"a_promise_that_nothing_needs", ONLY("d = " GATHER("i") SORTED "\n ROOT r = " GATHER("i")),
        ONLY("ROOT r = " GATHER("i") SORTED), REASON_OPEN},
    {"a_new_promise_that_nothing_needs", ONLY("ROOT r = " GATHER("i")),
        ONLY("d = " GATHER("i") SORTED "\n ROOT r = " GATHER("i")), REASON_EXACT},
    {"a_promise_that_only_the_schedule_runs",
        SCHEDULED("d = " GATHER("i") SORTED "\n ROOT r = " GATHER("i")),
        SCHEDULED("ROOT r = " GATHER("i") SORTED), REASON_OPEN},
    {"a_promise_of_a_control_predecessor",
        ONLY("d = " GATHER("i") SORTED "\n ROOT r = " GATHER("i") ", control-predecessors={d}"),
        ONLY("ROOT r = " GATHER("i") SORTED), REASON_OPEN},
    {"a_promise_of_another_element", ONLY(ELEMENT(GATHER("i") SORTED, GATHER("i"), "1")),
        ONLY("ROOT r = " GATHER("i") SORTED), REASON_OPEN},
    {"a_promise_of_the_element", ONLY(ELEMENT(GATHER("i") SORTED, GATHER("i"), "0")),
        ONLY("ROOT r = " GATHER("i") SORTED), REASON_EXACT},
    {"a_promise_before_a_barrier", ONLY(AWAITED), ONLY("ROOT r = " GATHER("i") SORTED),
        REASON_OPEN},
    {"a_promise_of_another_element_of_a_fusion", FUSED_ELEMENT("1"),
        ONLY("ROOT r = " GATHER("i") SORTED), REASON_OPEN},
    {"a_promise_of_the_element_of_a_fusion", FUSED_ELEMENT("0"),
        ONLY("ROOT r = " GATHER("i") SORTED), REASON_EXACT},
    {"a_promise_of_another_element_of_a_loop", LOOP_OF_TWO(GATHER("i") SORTED, GATHER("i"), "4"),
        LOOP_OF_TWO(GATHER("i"), GATHER("i") SORTED, "4"), REASON_OPEN},
    {"a_promise_of_the_element_of_a_loop", LOOP_OF_TWO(GATHER("i"), GATHER("i") SORTED, "4"),
        LOOP_OF_TWO(GATHER("i") SORTED, GATHER("i") SORTED, "4"), REASON_EXACT},
    {"a_promise_of_another_element_of_a_branch",
        BRANCH_OF_TWO(GATHER("i") SORTED, GATHER("i"), GATHER("k")),
        BRANCH_OF_TWO(GATHER("i"), GATHER("i") SORTED, GATHER("k")), REASON_OPEN},
    {"a_promise_of_a_predicate", BRANCH_OF_TWO(GATHER("i"), GATHER("i"), GATHER("k")),
        BRANCH_OF_TWO(GATHER("i"), GATHER("i"), GATHER("k") SORTED), REASON_OPEN},
    {"a_promise_of_a_call_that_nothing_needs",
        BODIES_AND(
            FUSED(GATHER("i") SORTED), CALL_BESIDE("dead = s32[3] call(x, k), to_apply=fused\n ")),
        ONLY(TWO(GATHER("i") SORTED, GATHER("k") SORTED)), REASON_OPEN},
    {"a_promise_of_a_call",
        BODIES_AND(
            FUSED(GATHER("i") SORTED), CALL_BESIDE("dead = s32[3] call(x, k), to_apply=fused\n ")),
        ONLY(TWO(GATHER("i") SORTED, GATHER("k"))), REASON_EXACT},
    {"a_promise_beside_the_result_of_a_reduction", BESIDE_USE("", REDUCED("0")),
        BESIDE_USE(SORTED, REDUCED("0")), REASON_OPEN},
    {"a_promise_in_the_result_of_a_reduction", BESIDE_USE("", REDUCED("1")),
        BESIDE_USE(SORTED, REDUCED("1")), REASON_EXACT},
    {"a_promise_that_another_call_needs", CALLED_TWICE("1", "0", ""),
        CALLED_TWICE("1", "0", SORTED), REASON_OPEN},
    {"a_promise_that_the_call_needs", CALLED_TWICE("0", "1", ""), CALLED_TWICE("0", "1", SORTED),
        REASON_EXACT},
    {"a_fusion_with_its_promise", ONLY(TWO(GATHER("i") SORTED, GATHER("k"))),
        BODIES_AND(FUSED(GATHER("i") SORTED), FUSION), REASON_EXACT},
    {"a_fusion_with_a_new_promise", ONLY(TWO(GATHER("i"), GATHER("k"))),
        BODIES_AND(FUSED(GATHER("i") SORTED), FUSION), REASON_OPEN},
    {"a_fusion_with_the_promise_of_the_other", ONLY(TWO(GATHER("i"), GATHER("k") SORTED)),
        BODIES_AND(FUSED(GATHER("i") SORTED), FUSION), REASON_OPEN},
    {"a_fusion_that_computes_its_indices", ONLY(NEXT TWO(GATHER("j") SORTED, GATHER("k"))),
        BODIES_AND(FUSED_OF(NEXT, GATHER("j") SORTED), FUSION), REASON_EXACT},
    {"a_fusion_that_computes_other_indices", ONLY(NEXT TWO(GATHER("j"), GATHER("i") SORTED)),
        BODIES_AND(FUSED_OF(NEXT, GATHER("j") SORTED), FUSION_BESIDE("i")), REASON_OPEN},
    {"two_loops_with_their_promise", TWO_LOOPS(GATHER("i") SORTED, GATHER("i")),
        TWO_LOOPS(GATHER("i") SORTED ", metadata={op_name=\"a\"}", GATHER("i")), REASON_EXACT},
    {"two_loops_with_exchanged_promises", TWO_LOOPS(GATHER("i") SORTED, GATHER("i")),
        TWO_LOOPS(GATHER("i"), GATHER("i") SORTED), REASON_OPEN},
    {"a_loop_with_its_promise",
        BODIES_AND(BODY(GATHER("i") SORTED), LOOP("ROOT r = s32[3] add(v, h)")),
        BODIES_AND(BODY(GATHER("i") SORTED), LOOP("ROOT r = s32[3] add(h, v)")), REASON_EXACT},
    {"a_loop_with_a_new_promise", BODIES_AND(BODY(GATHER("i")), LOOP("ROOT r = s32[3] add(v, h)")),
        BODIES_AND(BODY(GATHER("i") SORTED), LOOP("ROOT r = s32[3] add(v, h)")), REASON_OPEN},
    {"a_loop_with_the_promise_of_the_entry",
        BODIES_AND(BODY(GATHER("i")), LOOP_BESIDE(SORTED, "ROOT r = s32[3] add(v, h)")),
        BODIES_AND(BODY(GATHER("i") SORTED), LOOP_BESIDE(SORTED, "ROOT r = s32[3] add(v, h)")),
        REASON_OPEN},
    {"the_promise_of_another_random_number", ONLY(DRAWN TWO(GATHER("c") SORTED, GATHER("d"))),
        ONLY(DRAWN TWO(GATHER("c") SORTED, GATHER("d") SORTED)), REASON_OPEN},
    {"a_loop_that_never_runs", LOOPS_OF("0", "i", GATHER("i") SORTED, GATHER("i")),
        LOOPS_OF("0", "i", GATHER("i") SORTED, GATHER("i") SORTED), REASON_OPEN},
    {"a_loop_with_other_indices", LOOPS_OF("3", "j", GATHER("i") SORTED, GATHER("i")),
        LOOPS_OF("3", "j", GATHER("i") SORTED, GATHER("i") SORTED), REASON_OPEN},
    {"a_loop_as_before", LOOPS_OF("3", "j", GATHER("i") SORTED, GATHER("i")),
        LOOPS_OF("3", "j", GATHER("i") SORTED ", metadata={op_name=\"a\"}", GATHER("i")),
        REASON_EXACT},
    {"a_loop_that_makes_its_promise", LOOPS_OF("3", "i", GATHER("i") SORTED, GATHER("i")),
        LOOPS_OF("3", "i", GATHER("i") SORTED, GATHER("i") SORTED), REASON_EXACT},
    {"a_loop_of_the_other_branch", BRANCHES(GATHER("i") SORTED, GATHER("i")),
        BRANCHES(GATHER("i"), GATHER("i") SORTED), REASON_OPEN},
    {"a_loop_of_both_branches", BRANCHES(GATHER("i") SORTED, GATHER("i")),
        BRANCHES(GATHER("i") SORTED, GATHER("i") SORTED), REASON_OPEN},
    {"a_loop_of_its_branch", BRANCHES(GATHER("i") SORTED, GATHER("i")),
        BRANCHES(GATHER("i") SORTED ", metadata={op_name=\"a\"}", GATHER("i")), REASON_EXACT},
};

static VerdictReason promises_answer(
    Arena *arena, Smt *smt, const Module *before, const Module *after) {
  EquivValues values;
  EquivValuesVerdict verdict;
  Error error = {};
  if (!equiv_values_open(
          arena, before, after, &(ValuesLimits){.grade = LAW_EXACT}, smt, &values, &error))
    fail_msg("%s", error.message);
  equiv_values_judge(&values, 0, &verdict);
  equiv_values_close(&values);
  return verdict.answer;
}

static uint32_t promises_row_fails(Smt *smt, const PromisesRow *row) {
  Arena *arena = arena_create();
  const Module *before = promises_module(arena, row->before),
               *after = promises_module(arena, row->after);
  uint32_t failed = 0;
  for (uint32_t judges = 1; judges <= 2; judges++) {
    VerdictReason answer = promises_answer(arena, judges == 1 ? nullptr : smt, before, after);
    if (answer != row->answer)
      print_message("%s: %s by %u\n", row->name, equiv_values_text(answer), judges);
    failed += answer != row->answer;
  }
  arena_destroy(arena);
  return failed;
}

static void only_promises_of_the_first_graph_are_made(void **) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof rows_of_promises / sizeof *rows_of_promises; i++)
    failed += promises_row_fails(smt, &rows_of_promises[i]);
  smt_destroy(smt);
  map_context_destroy(context);
  assert_int_equal(failed, 0);
}

/* Three windows of `size` rows and columns at the places of `starts`, a digit each. */
static const Instruction *scatter_of_windows(Arena *arena, const uint32_t *starts, int size) {
  const char *text = arena_printf(arena,
      "HloModule m\nadd {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
      " ROOT c = s32[] add(a, b)\n}\nENTRY e {\n x = s32[8,8] parameter(0)\n"
      " u = s32[3,%d,%d] parameter(1)\n c = s32[3,2] constant({{%u,%u},{%u,%u},{%u,%u}})\n"
      " ROOT r = s32[8,8] scatter(x, c, u), update_window_dims={1,2}, inserted_window_dims={}, "
      "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=add\n}\n",
      size, size, starts[0], starts[1], starts[2], starts[3], starts[4], starts[5]);
  return promises_module(arena, text)->entry->root;
}

/* How many windows have the element, at most. */
static uint32_t most_windows(const uint32_t *starts, uint32_t size) {
  uint32_t most = 0;
  for (uint32_t row = 0; row < 8; row++)
    for (uint32_t column = 0; column < 8; column++) {
      uint32_t count = 0;
      for (uint32_t i = 0; i < 3; i++)
        count += row - starts[2 * i] < size && column - starts[2 * i + 1] < size;
      if (count > most) most = count;
    }
  return most;
}

static void constants_keep_what_their_windows_keep(void **) {
  uint32_t apart = 0, sorted = 0;
  for (uint32_t code = 0; code < 729; code++)
    for (uint32_t size = 1; size <= 2; size++) {
      Arena *arena = arena_create();
      uint32_t starts[6], rest = code, keys[3];
      for (uint32_t i = 0; i < 6; i++, rest /= 3) starts[i] = rest % 3;
      for (uint32_t i = 0; i < 3; i++) keys[i] = 3 * starts[2 * i] + starts[2 * i + 1];
      const Instruction *scatter = scatter_of_windows(arena, starts, (int)size);
      bool is_apart = most_windows(starts, size) == 1,
           is_sorted = keys[0] <= keys[1] && keys[1] <= keys[2];
      assert_int_equal(indices_are_apart(scatter), is_apart);
      assert_int_equal(indices_ascend(scatter), is_sorted);
      apart += is_apart;
      sorted += is_sorted;
      arena_destroy(arena);
    }
  assert_int_equal(apart, 504 + 48);
  assert_int_equal(sorted, 2 * 165);
}

static void smaller_windows_are_apart_too(void **) {
  static const uint32_t starts[6] = {};
  Arena *arena = arena_create();
  for (int first = 1; first <= 3; first++)
    for (int second = 1; second <= 3; second++)
      assert_int_equal(windows_are_as_small(scatter_of_windows(arena, starts, first),
                           scatter_of_windows(arena, starts, second)),
          second <= first);
  arena_destroy(arena);
}

/* A sorted gather in `levels` computations, each of which calls the one before it twice. */
static const Module *gather_called_often(Arena *arena, uint32_t levels) {
  const char *text = arena_printf(arena,
      "HloModule m\nc0 {\n x = s32[8] parameter(0)\n i = s32[3,1] parameter(1)\n"
      " ROOT r = %s\n}\n",
      GATHER("i") SORTED);
  for (uint32_t i = 0; i <= levels; i++)
    text = arena_printf(arena,
        "%s%s%u {\n x = s32[8] parameter(0)\n i = s32[3,1] parameter(1)\n"
        " a = s32[3] call(x, i), to_apply=c%u\n b = s32[3] call(x, i), to_apply=c%u\n"
        " ROOT r = s32[3] add(a, b)\n}\n",
        text, i < levels ? "c" : "ENTRY e", i + 1, i, i);
  return promises_module(arena, text);
}

/* Past a limit the list is cut, and then a promise is left that nobody makes before. */
static void promises_at_too_many_places_are_new(void **) {
  Arena *arena = arena_create();
  for (uint32_t levels = 7; levels <= 10; levels++) {
    const Module *module = gather_called_often(arena, levels);
    NewPromises promises = {};
    promises_new(arena, module, module, &promises);
    bool is_cut = levels >= 9; /* 1,024 places and more */
    assert_int_equal(promises.count, is_cut ? 1'001 : UINT32_C(2) << levels);
    assert_int_equal(promises.items[promises.count - 1].before.count == 0, is_cut);
  }
  /* More places than are followed: 2^21. */
  const Module *module = gather_called_often(arena, 20);
  NewPromises promises = {};
  promises_new(arena, module, module, &promises);
  assert_int_equal(promises.count, 1);
  assert_int_equal(promises.items[0].before.count, 0);
  assert_non_null(promises.items[0].maker.instruction);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(promises_at_too_many_places_are_new),
      cmocka_unit_test(only_promises_of_the_first_graph_are_made),
      cmocka_unit_test(constants_keep_what_their_windows_keep),
      cmocka_unit_test(smaller_windows_are_apart_too)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
