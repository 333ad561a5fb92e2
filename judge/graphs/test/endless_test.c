/* Loops over two integers: each body with each condition. A loop is named exactly if its condition
 * is not the constant false and has the same value in each iteration from every start, where the
 * body keeps what the condition reads. Every named loop is run from many starts: it never ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "judge/graphs/endless.h"
#include "judge/graphs/equiv_open.h"

typedef struct LoopState {
  int64_t i, a;
} LoopState;

static LoopState body_keeps(LoopState state) { return state; }
static LoopState body_counts(LoopState state) { return (LoopState){state.i + 1, state.a}; }
static LoopState body_negates(LoopState state) { return (LoopState){state.i, -state.a}; }
static LoopState body_negates_i(LoopState state) { return (LoopState){-state.i, state.a}; }
static LoopState body_exchanges(LoopState state) { return (LoopState){state.a, state.i}; }

typedef struct LoopBody {
  const char *text;
  LoopState (*run)(LoopState state);
  bool keeps_i, keeps_a;
} LoopBody;

static const LoopBody bodies[] = {
    {"ROOT r = (s32[], s32[]) tuple(i, a)", body_keeps, true, true},
    {"ROOT r = (s32[], s32[]) copy(t)", body_keeps, true, true},
    {"k = s32[] copy(a)\n ROOT r = (s32[], s32[]) tuple(i, k)", body_keeps, true, true},
    {"n = s32[] add(i, one)\n ROOT r = (s32[], s32[]) tuple(n, a)", body_counts, false, true},
    {"n = s32[] negate(a)\n ROOT r = (s32[], s32[]) tuple(i, n)", body_negates, true, false},
    {"ROOT r = (s32[], s32[]) tuple(a, i)", body_exchanges, false, false},
    {"z = s32[] constant(0)\n n = s32[] add(z, i)\n m = s32[] subtract(n, z)\n"
     " b = s32[] maximum(a, a)\n c = s32[] multiply(one, b)\n d = s32[] multiply(c, one)\n"
     " ROOT r = (s32[], s32[]) tuple(m, d)",
        body_keeps, true, true},
    {"z = s32[] constant(0)\n n = s32[] subtract(z, i)\n ROOT r = (s32[], s32[]) tuple(n, a)",
        body_negates_i, false, true},
    {"n = s32[] fusion(i), kind=kLoop, calls=sum\n ROOT r = (s32[], s32[]) tuple(n, a)", body_keeps,
        true, true},
    {"n = s32[] fusion(i), kind=kLoop, calls=next\n ROOT r = (s32[], s32[]) tuple(n, a)",
        body_counts, false, true},
    {"ROOT r = (s32[], s32[]) call(t), to_apply=same", body_keeps, true, true},
    {"q = (s32[], s32[]) opt-barrier(t)\n n = s32[] get-tuple-element(q), index=0\n"
     " p = (s32[], s32[]) tuple(i, n)\n m = s32[] get-tuple-element(p), index=1\n"
     " ROOT r = (s32[], s32[]) tuple(m, a)",
        body_keeps, true, true},
    {"n = s32[1] reshape(i)\n m = s32[] bitcast(n)\n b = s32[] negate(a)\n"
     " c = s32[] negate(b)\n ROOT r = (s32[], s32[]) tuple(m, c)",
        body_keeps, true, true},
    {"w = s64[] convert(i)\n n = s32[] convert(w)\n y = pred[] constant(true)\n"
     " m = s32[] select(y, n, one)\n z = s32[] constant(0)\n k = s32[] copy(z)\n"
     " l = s32[] add(m, k)\n b = s32[] xor(a, z)\n c = s32[] or(z, b)\n"
     " d = s32[] shift-left(c, z)\n g = s32[] divide(d, one)\n"
     " ROOT r = (s32[], s32[]) tuple(l, g)",
        body_keeps, true, true},
};

static bool holds_always(LoopState) { return true; }
static bool holds_never(LoopState) { return false; }
static bool holds_for_i(LoopState state) { return state.i < 3; }
static bool holds_for_a(LoopState state) { return state.a < 3; }
static bool holds_for_both(LoopState state) { return state.i < state.a; }

typedef struct LoopCondition {
  const char *text;
  bool (*holds)(LoopState state);
  bool reads_i, reads_a;
} LoopCondition;

static const LoopCondition conditions[] = {
    {"ROOT r = pred[] constant(true)", holds_always, false, false},
    {"ROOT r = pred[] constant(false)", holds_never, false, false},
    {"ROOT r = pred[] compare(i, three), direction=LT", holds_for_i, true, false},
    {"ROOT r = pred[] compare(a, three), direction=LT", holds_for_a, false, true},
    {"ROOT r = pred[] compare(i, a), direction=LT", holds_for_both, true, true},
    /* What the root does not depend on does not count. */
    {"u = pred[] compare(i, three), direction=LT\n ROOT r = pred[] compare(a, three), direction=LT",
        holds_for_a, false, true},
    {"ROOT r = pred[] compare(i, i), direction=EQ", holds_always, false, false},
    {"k = s32[] copy(i)\n ROOT r = pred[] compare(k, i), direction=LE", holds_always, false, false},
    {"u = pred[] compare(i, i), direction=GE\n v = pred[] compare(a, three), direction=LT\n"
     " ROOT r = pred[] and(u, v)",
        holds_for_a, false, true},
    {"ROOT r = pred[] compare(i, i), direction=NE", holds_never, false, false},
    {"ROOT r = pred[] compare(i, i), direction=LT", holds_never, false, false},
    {"ROOT r = pred[] compare(a, a), direction=GT", holds_never, false, false},
    {"ROOT r = pred[] compare(three, one), direction=LT", holds_never, false, false},
    {"ROOT r = pred[] fusion(t), kind=kLoop, calls=less", holds_for_both, true, true},
};

static const Module *module_of(Arena *arena, const char *text) {
  Source *source = ARENA_NEW(arena, Source, 1);
  const Module *module;
  Error error = {};
  *source = (Source){.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s in\n%s", error.message, text);
  return module;
}

static const char *loop_text(
    Arena *arena, const char *body, const char *condition, const char *root) {
  static const char state[] =
      " t = (s32[], s32[]) parameter(0)\n i = s32[] get-tuple-element(t), index=0\n"
      " a = s32[] get-tuple-element(t), index=1\n one = s32[] constant(1)\n three = s32[] constant(3)\n";
  static const char called[] =
      "sum {\n p = s32[] parameter(0)\n z = s32[] constant(0)\n ROOT r = s32[] add(p, z)\n}\n"
      "next {\n p = s32[] parameter(0)\n z = s32[] constant(1)\n ROOT r = s32[] add(p, z)\n}\n"
      "same {\n ROOT p = (s32[], s32[]) parameter(0)\n}\n"
      "less {\n p = (s32[], s32[]) parameter(0)\n i = s32[] get-tuple-element(p), index=0\n"
      " a = s32[] get-tuple-element(p), index=1\n"
      " ROOT r = pred[] compare(i, a), direction=LT\n}\n";
  return arena_printf(arena,
      "HloModule m\n%sb {\n%s %s\n}\nc {\n%s %s\n}\nENTRY e {\n x = s32[] parameter(0)\n"
      " y = s32[] parameter(1)\n s = (s32[], s32[]) tuple(x, y)\n"
      " w = (s32[], s32[]) while(s), condition=c, body=b\n %s\n}\n",
      called, state, body, state, condition, root);
}

static bool loop_ends(const LoopBody *body, const LoopCondition *condition, LoopState state) {
  uint32_t steps = 0;
  while (steps < 20 && condition->holds(state)) {
    state = body->run(state);
    steps++;
  }
  return steps < 20;
}

static void require_endless(const LoopBody *body, const LoopCondition *condition) {
  for (int64_t i = -4; i < 6; i++)
    for (int64_t a = -4; a < 6; a++)
      assert_true(
          !condition->holds((LoopState){i, a}) || !loop_ends(body, condition, (LoopState){i, a}));
}

static void loops_are_named_that_never_end(void **) {
  static const char root[] = "ROOT r = s32[] get-tuple-element(w), index=1";
  Arena *arena = arena_create();
  uint32_t named = 0;
  for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++)
    for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++) {
      const LoopBody *body = &bodies[b];
      const LoopCondition *condition = &conditions[c];
      const Module *module = module_of(arena, loop_text(arena, body->text, condition->text, root));
      bool repeats = condition->holds != holds_never && (body->keeps_i || !condition->reads_i) &&
                     (body->keeps_a || !condition->reads_a);
      EndlessLoops loops;
      module_endless_loops(arena, module, &loops);
      if (loops.count != (repeats ? 1 : 0)) fail_msg("%s\n%s", body->text, condition->text);
      if (repeats) require_endless(body, condition);
      named += repeats;
    }
  assert_int_equal(named, 106);
  arena_destroy(arena);
}

/* A loop on which the output does not depend is passed over, as it may be removed. A barrier and an
 * effect wait for all that they are given. */
static void a_loop_that_nothing_uses_is_passed_over(void **) {
#define PAIR_OF_LOOP \
  "v = s32[] get-tuple-element(w), index=1\n p = (s32[], (s32[], s32[])) tuple(x, w)\n "
#define ELEMENTS_OF(of) \
  " g = s32[] get-tuple-element(" of "), index=0\n h = (s32[], s32[]) get-tuple-element(" of \
  "), index=1\n "
  static const struct {
    const char *root;
    uint32_t count;
  } rows[] = {{"ROOT r = s32[] negate(x)", 0},
      {PAIR_OF_LOOP ELEMENTS_OF("p") "ROOT r = s32[] copy(g)", 0},
      {PAIR_OF_LOOP ELEMENTS_OF("p") "ROOT r = s32[] get-tuple-element(h), index=0", 1},
      {PAIR_OF_LOOP
          "q = (s32[], (s32[], s32[])) opt-barrier(p)\n" ELEMENTS_OF("q") "ROOT r = s32[] copy(g)",
          1},
      {PAIR_OF_LOOP "k = token[] after-all()\n o = token[] outfeed(p, k), "
                    "outfeed_shape=(s32[], (s32[], s32[]))\n ROOT r = s32[] copy(x)",
          1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const char *text = loop_text(arena, bodies[0].text, conditions[0].text, rows[i].root);
    EndlessLoops loops;
    module_endless_loops(arena, module_of(arena, text), &loops);
    if (loops.count != rows[i].count) fail_msg("%s", rows[i].root);
    arena_destroy(arena);
  }
}

/* A computation with such a loop, whose result the root does not need: a call of it is passed over
 * unless it has an effect, and an operation that is called with it needs all. */
static void loops_in_computations_are_found(void **) {
  static const struct {
    const char *inner, *entry;
    uint32_t count;
  } rows[] = {{"", "v = s32[] call(x), to_apply=f\n ROOT r = s32[] negate(x)", 0},
      {"", "ROOT v = s32[] call(x), to_apply=f", 1},
      {"n = token[] after-all()\n o = token[] outfeed(q, n), outfeed_shape=s32[]\n",
          "v = s32[] call(x), to_apply=f\n ROOT r = s32[] negate(x)", 0},
      {"n = token[] after-all()\n o = token[] outfeed(l, n), outfeed_shape=s32[]\n",
          "v = s32[] call(x), to_apply=f\n ROOT r = s32[] negate(x)", 1},
      {"", "ROOT v = s32[] custom-call(x), custom_call_target=\"t\", called_computations={f}", 1},
      {"",
          "v = s32[] custom-call(x), custom_call_target=\"t\", called_computations={f}\n"
          " ROOT r = s32[] negate(x)",
          0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const char *text = arena_printf(arena,
        "HloModule m\nb {\n ROOT t = s32[] parameter(0)\n}\n"
        "c {\n t = s32[] parameter(0)\n z = s32[] constant(3)\n"
        " ROOT l = pred[] compare(t, z), direction=LT\n}\n"
        "f {\n q = s32[] parameter(0)\n l = s32[] while(q), condition=c, body=b\n %s"
        " ROOT m = s32[] negate(l)\n}\nENTRY e {\n x = s32[] parameter(0)\n %s\n}\n",
        rows[i].inner, rows[i].entry);
    EndlessLoops loops;
    module_endless_loops(arena, module_of(arena, text), &loops);
    if (loops.count != rows[i].count) fail_msg("%u in\n%s", loops.count, text);
    arena_destroy(arena);
  }
}

/* Two calls of a computation that returns both of what it is given. Only the first is given a loop
 * that never ends, which is needed if the element that returns it is. */
static const char *called_loop_text(Arena *arena, uint32_t first, uint32_t second) {
  return arena_printf(arena,
      "HloModule m\nb {\n ROOT t = s32[] parameter(0)\n}\n"
      "c {\n t = s32[] parameter(0)\n z = s32[] constant(3)\n"
      " ROOT l = pred[] compare(t, z), direction=LT\n}\n"
      "f {\n q = s32[] parameter(0)\n s = s32[] parameter(1)\n"
      " ROOT m = (s32[], s32[]) tuple(q, s)\n}\nENTRY e {\n x = s32[] parameter(0)\n"
      " w = s32[] while(x), condition=c, body=b\n"
      " u = (s32[], s32[]) call(x, w), to_apply=f\n v = (s32[], s32[]) call(x, x), to_apply=f\n"
      " i = s32[] get-tuple-element(u), index=%u\n j = s32[] get-tuple-element(v), index=%u\n"
      " ROOT r = s32[] add(i, j)\n}\n",
      first, second);
}

static void a_loop_is_needed_where_its_element_is(void **) {
  Arena *arena = arena_create();
  for (uint32_t first = 0; first < 2; first++)
    for (uint32_t second = 0; second < 2; second++) {
      EndlessLoops loops;
      const char *text = called_loop_text(arena, first, second);
      module_endless_loops(arena, module_of(arena, text), &loops);
      assert_int_equal(loops.count, first);
    }
  arena_destroy(arena);
}

/* Calls that lead to each other 2^levels times, beside a loop that never ends and that nothing
 * needs. */
static const char *loop_tower_text(Arena *arena, uint32_t levels) {
  const char *text = "HloModule m\nb {\n ROOT t = s32[] parameter(0)\n}\n"
                     "c {\n t = s32[] parameter(0)\n z = s32[] constant(3)\n"
                     " ROOT l = pred[] compare(t, z), direction=LT\n}\n"
                     "f0 {\n q = s32[] parameter(0)\n ROOT n = s32[] negate(q)\n}\n";
  for (uint32_t i = 0; i < levels; i++)
    text = arena_printf(arena,
        "%sf%u {\n q = s32[] parameter(0)\n v = s32[] call(q), to_apply=f%u\n"
        " ROOT w = s32[] call(v), to_apply=f%u\n}\n",
        text, i + 1, i, i);
  return arena_printf(arena,
      "%sENTRY e {\n x = s32[] parameter(0)\n w = s32[] while(x), condition=c, body=b\n"
      " ROOT r = s32[] call(x), to_apply=f%u\n}\n",
      text, levels);
}

/* If not all calls are followed, it is not known which loops are needed. */
static void loops_beside_too_many_calls_may_be_needed(void **) {
  Arena *arena = arena_create();
  for (uint32_t levels = 2; levels <= 20; levels += 9) {
    EndlessLoops loops;
    module_endless_loops(arena, module_of(arena, loop_tower_text(arena, levels)), &loops);
    assert_int_equal(loops.is_cut, levels == 20);
    assert_int_equal(loops.count, levels == 20);
  }
  arena_destroy(arena);
}

/* The body builds the inner tuple again, with `next` in it; the condition may read a random number,
 * which is another in each iteration. */
static void nested_states_and_random_conditions(void **) {
  static const struct {
    const char *next, *read;
    uint32_t count;
  } rows[] = {{"i", "i", 1}, {"k", "i", 0}, {"k", "j", 1}, {"i", "d", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    static const char state[] =
        " p = ((s32[], s32[]), s32[]) parameter(0)\n"
        " q = (s32[], s32[]) get-tuple-element(p), index=0\n"
        " i = s32[] get-tuple-element(q), index=0\n j = s32[] get-tuple-element(q), index=1\n"
        " x = s32[] get-tuple-element(p), index=1\n one = s32[] constant(1)\n"
        " k = s32[] add(i, one)\n d = s32[] rng(one, x), distribution=rng_uniform\n";
    const char *text = arena_printf(arena,
        "HloModule m\nb {\n%s u = (s32[], s32[]) tuple(%s, j)\n"
        " ROOT r = ((s32[], s32[]), s32[]) tuple(u, x)\n}\n"
        "c {\n%s ROOT l = pred[] compare(%s, one), direction=LT\n}\n"
        "ENTRY e {\n s = ((s32[], s32[]), s32[]) parameter(0)\n"
        " ROOT w = ((s32[], s32[]), s32[]) while(s), condition=c, body=b\n}\n",
        state, rows[i].next, state, rows[i].read);
    EndlessLoops loops;
    module_endless_loops(arena, module_of(arena, text), &loops);
    if (loops.count != rows[i].count) fail_msg("%u in\n%s", loops.count, text);
    arena_destroy(arena);
  }
}

static VerdictReason same_values(Arena *arena, const char *before, const char *after) {
  EquivValues values;
  ValuesVerdict verdict;
  Error error = {};
  assert_true(equiv_values_create(
      arena, module_of(arena, before), module_of(arena, after), nullptr, &values, &error));
  equiv_values_query(&values, 0, &verdict);
  return verdict.answer;
}

static void values_are_unknown_if_one_loop_alone_never_ends(void **) {
  static const char root[] = "ROOT r = s32[] get-tuple-element(w), index=1",
                    outside[] = "HloModule m\nENTRY e {\n x = s32[] parameter(0)\n"
                                " ROOT y = s32[] parameter(1)\n}\n";
  Arena *arena = arena_create();
  const char *counts = loop_text(arena, bodies[3].text, conditions[2].text, root),
             *stands = loop_text(arena, bodies[0].text, conditions[2].text, root);
  assert_int_equal(same_values(arena, counts, outside), REASON_EXACT);
  assert_int_equal(same_values(arena, counts, stands), REASON_OPEN);
  assert_int_equal(same_values(arena, stands, outside), REASON_OPEN);
  assert_int_equal(same_values(arena, stands, stands), REASON_EXACT);
  /* As many loops that never end are not the same loops. */
  const char *other = loop_text(arena, bodies[0].text, conditions[4].text, root);
  assert_int_equal(same_values(arena, stands, other), REASON_OPEN);
  /* Only one graph needs the loop. */
  const char *needed = called_loop_text(arena, 1, 0), *unneeded = called_loop_text(arena, 0, 1);
  assert_int_equal(same_values(arena, unneeded, needed), REASON_OPEN);
  assert_int_equal(same_values(arena, needed, unneeded), REASON_OPEN);
  assert_int_equal(same_values(arena, needed, needed), REASON_EXACT);
  arena_destroy(arena);
}

/* An effect waits for a loop that it reads, that it follows by a control predecessor, or that
 * stands above it in a schedule. The result does not depend on the loop. */
static void an_effect_waits_for_its_loop(void **) {
  static const struct {
    const char *header, *sent, *more;
    bool waits;
  } rows[] = {{"", "v", "", true}, {"", "y", "", false},
      {"", "y", ", control-predecessors={v}", true},
      {"", "y", ", control-predecessors={unwritten}", true},
      {", is_scheduled=true", "y", "", true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const char *root = arena_printf(arena,
        "v = s32[] get-tuple-element(w), index=1\n k = token[] after-all()\n"
        " o = token[] outfeed(%s, k), outfeed_shape=s32[]%s\n ROOT r = s32[] negate(x)",
        rows[i].sent, rows[i].more);
    const char *texts[2];
    for (uint32_t side = 0; side < 2; side++)
      texts[side] = arena_printf(arena, "HloModule m%s\n%s", rows[i].header,
          loop_text(arena, bodies[side == 0 ? 3 : 0].text, conditions[2].text, root) +
              strlen("HloModule m\n"));
    assert_int_equal(
        same_values(arena, texts[0], texts[1]), rows[i].waits ? REASON_OPEN : REASON_EXACT);
    assert_int_equal(same_values(arena, texts[0], texts[0]), REASON_EXACT);
    arena_destroy(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops_are_named_that_never_end),
      cmocka_unit_test(a_loop_that_nothing_uses_is_passed_over),
      cmocka_unit_test(loops_in_computations_are_found),
      cmocka_unit_test(a_loop_is_needed_where_its_element_is),
      cmocka_unit_test(loops_beside_too_many_calls_may_be_needed),
      cmocka_unit_test(nested_states_and_random_conditions),
      cmocka_unit_test(an_effect_waits_for_its_loop),
      cmocka_unit_test(values_are_unknown_if_one_loop_alone_never_ends)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
