/* Effects of one target, in graphs with the same values, that differ in something else: attributes,
 * shapes, layouts, called computations. Each row changes one thing in a text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_open.h"

static const char call_of_effect[] =
    "HloModule m\n"
    "f {\na = s32[] parameter(0)\nROOT b = s32[] negate(a)\n}\n"
    "g {\na = s32[] parameter(0)\nz = s32[] constant(0)\nROOT b = s32[] subtract(z, a)\n}\n"
    "h {\na = s32[] parameter(0)\nROOT b = s32[] abs(a)\n}\n"
    "ENTRY e {\np = s32[4,2]{1,0} parameter(0)\nq = s32[4,2]{1,0} copy(p)\n"
    "c = (s32[3]{0}, s32[]) custom-call(q), custom_call_target=\"t\", called_computations={f},"
    " custom_call_has_side_effect=true, backend_config=\"x\", api_version=API_VERSION_ORIGINAL,"
    " schedule=SCHEDULE_LATEST, metadata={op_name=\"n\"}\n"
    "ROOT r = s32[4,2]{1,0} negate(p)\n}\n";
static const char call_with_layouts[] =
    "HloModule m\n"
    "ENTRY e {\np = s32[4,2]{1,0} parameter(0)\nq = s32[4,2]{1,0} copy(p)\n"
    "c = s32[3]{0} custom-call(q), custom_call_target=\"t\", custom_call_has_side_effect=true,"
    " operand_layout_constraints={s32[4,2]{1,0}}\n"
    "ROOT r = s32[4,2]{1,0} negate(p)\n}\n";
static const char call_with_literal[] =
    "HloModule m\n"
    "ENTRY e {\np = s32[2] parameter(0)\n"
    "c.1 = s32[] custom-call(p), custom_call_target=\"t\", custom_call_has_side_effect=true,"
    " literal=f32[100] {...}\n"
    "ROOT r = s32[2] negate(p)\n}\n";
static const char feeds[] =
    "HloModule m\n"
    "ENTRY e {\np = s32[4,2] parameter(0)\nq = s32[4,2]{1,0} copy(p)\nt = token[] after-all()\n"
    "i = (s32[5]{0}, token[]) infeed(t), backend_config=\"x\"\n"
    "j = token[] get-tuple-element(i), index=1\n"
    "o = token[] outfeed(q, j), outfeed_shape=s32[4,2]{1,0}, metadata={op_name=\"n\"}\n"
    "ROOT r = s32[4,2] negate(p)\n}\n";

typedef struct EffectFormRow {
  const char *text, *find, *replace;
  const char *differs; /* what the reason names; null: the graphs are the same */
} EffectFormRow;

static const char transfers[] =
    "HloModule m\n"
    "ENTRY e {\np = s32[4,2] parameter(0)\nq = s32[4,2] add(p, p)\nt = token[] after-all()\n"
    "s = (s32[4,2], u32[], token[]) send(q, t), channel_id=1\n"
    "d = token[] send-done(s), channel_id=1\n"
    "v = (s32[3], u32[], token[]) recv(t), channel_id=2\n"
    "w = (s32[3], token[]) recv-done(v), channel_id=2\n"
    "ROOT r = s32[4,2] negate(p)\n}\n";

static const EffectFormRow effect_rows[] = {
    {call_of_effect, "config=\"x\"", "config=\"y\"", "backend_config"},
    {call_of_effect, ", backend_config=\"x\"", "", "backend_config"},
    {call_of_effect, "VERSION_ORIGINAL", "VERSION_TYPED_FFI", "api_version"},
    {call_of_effect, "metadata={op_name=\"n\"}", "strange=1", "strange"},
    {call_of_effect, "c = (s32[3]", "c = (s32[5]", "the shape"},
    {call_of_effect, "c = (s32[3]", "c = (f32[3]", "the shape"},
    {call_of_effect, "called_computations={f}", "called_computations={h}", "a called computation"},
    {call_of_effect, "called_computations={f}", "called_computations={f, h}",
        "a called computation"},
    {call_of_effect, "q = s32[4,2]{1,0}", "q = s32[4,2]{0,1}", "a layout"},
    {call_of_effect, "effect=true", "effect=1", "custom_call_has_side_effect"},
    {call_of_effect, "effect=true", "effect=false", "one graph alone"},
    {call_of_effect, "schedule=SCHEDULE_LATEST", "select=1", "select"},
    {call_with_literal, "c.1 =", "c.2 =", "an elided literal"},
    {call_with_literal, "ROOT r", "ROOT s", nullptr},
    {call_of_effect, "called_computations={f}", "called_computations={g}", nullptr},
    {call_of_effect, "LATEST", "EARLIEST", nullptr},
    {call_of_effect, "op_name=\"n\"", "op_name=\"m\"", nullptr},
    {call_of_effect, "q = s32[4,2]{1,0}", "q = s32[4,2]", nullptr},
    {call_with_layouts, "s32[4,2]{1,0}}", "s32[4,2]{0,1}}", "operand_layout_constraints"},
    {call_with_layouts, "c = s32[3]{0}", "c = s32[3]{0:T(128)}", "a layout"},
    {call_with_layouts, "q = s32[4,2]{1,0}", "q = s32[4,2]{0,1}", nullptr},
    {feeds, "(s32[5]{0}", "(s32[6]{0}", "the shape"},
    {feeds, "shape=s32[4,2]{1,0}", "shape=s32[4,2]{0,1}", "outfeed_shape"},
    {feeds, "copy(p)", "negate(p)", "sends"},
    {feeds, "config=\"x\"", "config=\"y\"", nullptr},
    {feeds, "op_name=\"n\"", "op_name=\"m\"", nullptr},
    {feeds, "q = s32[4,2]{1,0}", "q = s32[4,2]{0,1}", nullptr},
    {transfers, "d = token[] send-done(s), channel_id=1\n", "", "one graph alone"},
    {transfers, "w = (s32[3], token[]) recv-done(v), channel_id=2\n", "", "one graph alone"},
    {transfers, "add(p, p)", "multiply(p, p)", "sends"},
    {transfers, "ROOT r = s32[4,2] negate(p)",
        "z = s32[4,2] negate(p)\ny = s32[4,2] negate(z)\nROOT r = s32[4,2] negate(y)", nullptr},
};

/* Two calls with an effect, which nothing but the row's text orders. */
static const char order_of_two[] =
    "HloModule m\n"
    "ENTRY e {\np = s32[2] parameter(0)\nk = s32[2] copy(p)\n"
    "a = s32[] custom-call(p), custom_call_target=\"t\", custom_call_has_side_effect=true\n"
    "b = s32[] custom-call(p), custom_call_target=\"u\", custom_call_has_side_effect=true\n"
    "ROOT r = s32[2] negate(p)\n}\n";
/* An effect that is ordered after the one named a, and another one of either name. */
#define ORDER_CONTROL(copy, first, list) \
  "HloModule m\n" \
  "ENTRY e {\np = s32[2] parameter(0)\n" copy " = s32[2] copy(p)\n" first \
  " = s32[] custom-call(p), custom_call_target=\"t\", custom_call_has_side_effect=true\n" \
  "b = s32[] custom-call(p), custom_call_target=\"u\", custom_call_has_side_effect=true," \
  " control-predecessors={" list "}\n" \
  "ROOT r = s32[2] negate(p)\n}\n"

static const char order_by_control[] = ORDER_CONTROL("k", "a", "a");
static const char order_of_renamed[] = ORDER_CONTROL("a", "k", "a");

typedef struct EffectOrderRow {
  const char *texts[2];
  bool is_scheduled[2];
  bool is_lost; /* the second graph states less order than the first */
} EffectOrderRow;

/* A call runs an effect twice, around another one; the order of all is that of the text. */
static const char order_around[] =
    "HloModule m\n"
    "f {\na = s32[2] parameter(0)\n"
    "ROOT b = s32[] custom-call(a), custom_call_target=\"t\", custom_call_has_side_effect=true\n}\n"
    "ENTRY e {\np = s32[2] parameter(0)\nk = s32[] call(p), to_apply=f\n"
    "b = s32[] custom-call(p), custom_call_target=\"u\", custom_call_has_side_effect=true\n"
    "l = s32[] call(p), to_apply=f\nROOT r = s32[2] negate(p)\n}\n";
/* An infeed in a called computation, after an outfeed or after nothing. */
#define ORDER_INSIDE(token) \
  "HloModule m\n" \
  "g {\na = token[] parameter(0)\nn = token[] after-all()\n" \
  "i = (s32[], token[]) infeed(" token ")\nROOT t = token[] get-tuple-element(i), index=1\n}\n" \
  "ENTRY e {\np = s32[2] parameter(0)\nt = token[] after-all()\no = token[] outfeed(p, t)\n" \
  "c = token[] call(o), to_apply=g\nROOT r = s32[2] negate(p)\n}\n"
/* An effect that begins before another, and ends before or after it. */
#define ORDER_STARTED(first, second) \
  "HloModule m\n" \
  "f {\na = s32[2] parameter(0)\n" \
  "ROOT b = s32[] custom-call(), custom_call_target=\"t\", custom_call_has_side_effect=true\n}\n" \
  "ENTRY e {\np = s32[2] parameter(0)\n" \
  "s = ((s32[2]), s32[], u32[]) async-start(p), calls=f\n" first second \
  "ROOT r = s32[2] negate(p)\n}\n"
#define STARTED_ENDS "d = s32[] async-done(s)\n"
#define STARTED_OTHER \
  "b = s32[] custom-call(p), custom_call_target=\"u\", custom_call_has_side_effect=true\n"
/* Two outfeeds. The second one takes an element that waits for the first one, or another. */
#define ORDER_OF_ELEMENT(bodies, lines, token) ORDER_BETWEEN(bodies, lines, token, "")
#define ORDER_BEFORE(lines, token, more) ORDER_BETWEEN("", lines, token, more)
#define ORDER_BETWEEN(bodies, lines, token, more) \
  "HloModule m\n" bodies "ENTRY e {\np = s32[2] parameter(0)\nn = token[] after-all()\n" \
  "z = s32[] constant(0)\no = token[] outfeed(p, n), outfeed_config=\"one\"\n" lines \
  "v = token[] outfeed(p, " token "), outfeed_config=\"two\"" more \
  "\nROOT r = s32[2] negate(p)\n}\n"
#define ELEMENTS_OF(pair, at) \
  "t = (token[], token[]) " pair "\nk = token[] get-tuple-element(t), index=" at "\n"
#define ORDER_OF_TUPLE(at) ORDER_OF_ELEMENT("", ELEMENTS_OF("tuple(o, n)", at), "k")
/* The second outfeed takes nothing of the first one, and has a control predecessor. */
#define ORDER_AFTER(lines, predecessor) \
  ORDER_BEFORE(lines, "n", ", control-predecessors={" predecessor "}")
#define ORDER_OF_CONTROL(predecessors) \
  ORDER_BEFORE(ELEMENTS_OF("tuple(o, n)", "1"), "k", predecessors)
/* The same, and the first effect is the first instruction. */
#define ORDER_OF_FIRST(more) \
  "HloModule m\nENTRY e {\no = token[] custom-call(), custom_call_target=\"t\", " \
  "custom_call_has_side_effect=true\nn = token[] after-all()\n" ELEMENTS_OF("tuple(o, n)", \
      "1") "p = s32[2] parameter(0)\nv = token[] outfeed(p, k), outfeed_config=\"two\"" more \
           "\nROOT r = s32[2] negate(p)\n}\n"
#define BARRIER "s = (token[], token[]) tuple(o, n)\n"
#define ORDER_OF_BARRIER(at) ORDER_OF_ELEMENT("", BARRIER ELEMENTS_OF("opt-barrier(s)", at), "k")
/* An effect in a call, which takes or returns one of two tokens. */
#define TWO_TOKENS \
  "f {\na = token[] parameter(0)\nb = token[] parameter(1)\ni = (s32[], token[]) infeed(a)\n" \
  "j = token[] get-tuple-element(i), index=1\nROOT t = (token[], token[]) tuple(j, b)\n}\n"
#define ORDER_OF_ARGUMENTS(arguments) \
  ORDER_OF_ELEMENT(TWO_TOKENS, ELEMENTS_OF("call(" arguments "), to_apply=f", "0"), "o")
#define ORDER_OF_RESULT(at) \
  ORDER_OF_ELEMENT(TWO_TOKENS, ELEMENTS_OF("call(n, n), to_apply=f", at), "k")
#define ORDER_OF_END(at) \
  ORDER_OF_ELEMENT(TWO_TOKENS, \
      "s = ((token[], token[]), (token[], token[]), u32[]) async-start(n, n), calls=f\n" ELEMENTS_OF( \
          "async-done(s)", at), \
      "k")
/* The second outfeed takes an element of one of two calls. Each returns its two tokens. */
#define TOKENS_IN_A_CALL \
  "f {\na = token[] parameter(0)\nb = token[] parameter(1)\nROOT t = (token[], token[]) tuple(a, b)\n" \
  "}\n"
#define ORDER_OF_TWO_CALLS(first, second) \
  ORDER_OF_ELEMENT(TOKENS_IN_A_CALL, \
      "c = (token[], token[]) call(n, o), to_apply=f\nd = (token[], token[]) call(n, n), to_apply=f\n" \
      "i = token[] get-tuple-element(c), index=" first \
      "\nj = token[] get-tuple-element(d), index=" second "\nk = token[] after-all(i, j)\n", \
      "k")
#define TOKENS_STATE "(s32[], token[], token[])"
#define TOKENS_LOOP(first, second) \
  "c {\ns = " TOKENS_STATE " parameter(0)\ni = s32[] get-tuple-element(s), index=0\n" \
  "d = s32[] constant(3)\nROOT l = pred[] compare(i, d), direction=LT\n}\n" \
  "b {\ns = " TOKENS_STATE " parameter(0)\ni = s32[] get-tuple-element(s), index=0\n" \
  "a = token[] get-tuple-element(s), index=1\nb = token[] get-tuple-element(s), index=2\n" \
  "d = s32[] constant(1)\nj = s32[] add(i, d)\nROOT t = " TOKENS_STATE " tuple(j, " first \
  ", " second ")\n}\n"
#define ORDER_OF_LOOP(first, second, at) \
  ORDER_OF_ELEMENT(TOKENS_LOOP(first, second), \
      "s = " TOKENS_STATE " tuple(z, o, n)\nw = " TOKENS_STATE \
      " while(s), condition=c, body=b\nk = token[] get-tuple-element(w), index=" at "\n", \
      "k")

static const EffectOrderRow effect_orders[] = {
    {{order_around, order_around}, {true, false}, true},
    {{order_around, order_around}, {false, true}, false},
    {{order_around, order_around}, {true, true}, false},
    {{ORDER_INSIDE("a"), ORDER_INSIDE("n")}, {false, false}, true},
    {{ORDER_INSIDE("n"), ORDER_INSIDE("a")}, {false, false}, true},
    {{ORDER_INSIDE("a"), ORDER_INSIDE("a")}, {false, false}, false},
    {{ORDER_STARTED(STARTED_ENDS, STARTED_OTHER), ORDER_STARTED(STARTED_OTHER, STARTED_ENDS)},
        {true, true}, true},
    {{ORDER_STARTED(STARTED_OTHER, STARTED_ENDS), ORDER_STARTED(STARTED_ENDS, STARTED_OTHER)},
        {true, true}, false},

    {{order_of_two, order_of_two}, {true, false}, true},
    {{order_of_two, order_of_two}, {false, true}, false},
    {{order_of_two, order_of_two}, {true, true}, false},
    {{order_by_control, order_by_control}, {false, false}, false},
    {{order_by_control, order_of_renamed}, {false, false}, true},
    {{ORDER_CONTROL("k", "a", "/*k*/a"), ORDER_CONTROL("k", "a", "/*k*/a")}, {false, false}, false},
    {{ORDER_CONTROL("k", "a", "/*k*/a"), ORDER_CONTROL("a", "k", "/*k*/a")}, {false, false}, true},
    {{ORDER_CONTROL("k", "a", "\r\na\r\n"), ORDER_CONTROL("a", "k", "\r\na\r\n")}, {false, false},
        true},
    /* No instruction has the name. */
    {{ORDER_CONTROL("k", "a", "n"), ORDER_CONTROL("k", "a", "n")}, {false, false}, false},
    {{ORDER_CONTROL("k", "a", "n"), ORDER_CONTROL("a", "k", "n")}, {false, false}, true},
    {{order_of_renamed, order_by_control}, {false, false}, false},
    {{order_by_control, order_of_renamed}, {false, true}, false},
    {{order_by_control, order_of_two}, {false, false}, true},
    {{order_of_two, order_by_control}, {false, false}, false},
    {{order_by_control, order_by_control}, {true, false}, false},

    {{ORDER_OF_TUPLE("0"), ORDER_OF_TUPLE("1")}, {false, false}, true},
    {{ORDER_OF_TUPLE("1"), ORDER_OF_TUPLE("0")}, {false, false}, true},
    {{ORDER_OF_TUPLE("0"), ORDER_OF_TUPLE("0")}, {false, false}, false},
    {{ORDER_OF_TUPLE("0"), ORDER_OF_TUPLE("1")}, {true, true}, true},
    {{ORDER_OF_BARRIER("0"), ORDER_OF_BARRIER("1")}, {false, false}, false},
    {{ORDER_OF_BARRIER("1"), ORDER_OF_TUPLE("1")}, {false, false}, true},
    {{ORDER_OF_BARRIER("1"), ORDER_OF_TUPLE("0")}, {false, false}, false},
    /* The element stands after the first outfeed, and yet needs nothing of it. */
    {{ORDER_AFTER(ELEMENTS_OF("tuple(o, n)", "1"), "k"),
         ORDER_AFTER(ELEMENTS_OF("tuple(o, n)", "1"), "z")},
        {false, false}, true},
    {{ORDER_OF_CONTROL(", control-predecessors={o}"), ORDER_OF_CONTROL("")}, {false, false}, true},
    {{ORDER_OF_CONTROL(""), ORDER_OF_CONTROL(", control-predecessors={o}")}, {false, false}, false},
    {{ORDER_OF_CONTROL(", control-predecessors={nowhere}"), ORDER_OF_CONTROL("")}, {false, false},
        true},
    {{ORDER_OF_FIRST(", control-predecessors={o}"), ORDER_OF_FIRST("")}, {false, false}, true},
    {{ORDER_OF_FIRST(""), ORDER_OF_FIRST("")}, {false, false}, false},
    {{ORDER_OF_ARGUMENTS("o, n"), ORDER_OF_ARGUMENTS("n, o")}, {false, false}, true},
    {{ORDER_OF_ARGUMENTS("o, n"), ORDER_OF_ARGUMENTS("o, o")}, {false, false}, false},
    {{ORDER_OF_RESULT("0"), ORDER_OF_RESULT("1")}, {false, false}, true},
    {{ORDER_OF_END("0"), ORDER_OF_END("1")}, {false, false}, true},
    {{ORDER_OF_END("0"), ORDER_OF_END("0")}, {false, false}, false},
    {{ORDER_OF_TWO_CALLS("1", "0"), ORDER_OF_TWO_CALLS("0", "1")}, {false, false}, true},
    {{ORDER_OF_TWO_CALLS("0", "1"), ORDER_OF_TWO_CALLS("1", "0")}, {false, false}, true},
    {{ORDER_OF_TWO_CALLS("1", "0"), ORDER_OF_TWO_CALLS("1", "1")}, {false, false}, false},
    {{ORDER_OF_LOOP("a", "b", "1"), ORDER_OF_LOOP("a", "b", "2")}, {false, false}, true},
    {{ORDER_OF_LOOP("a", "b", "1"), ORDER_OF_LOOP("a", "a", "2")}, {false, false}, false},
};

static const Module *effect_module(Arena *arena, const char *text) {
  const Module *module = nullptr;
  Error error = {};
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text, .length = strlen(text)};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", error.message, text);
  return module;
}

static const char *effect_changed(Arena *arena, const EffectFormRow *row) {
  const char *at = strstr(row->text, row->find);
  assert_non_null(at);
  return arena_printf(
      arena, "%.*s%s%s", (int)(at - row->text), row->text, row->replace, at + strlen(row->find));
}

static VerdictReason effect_answer(
    Arena *arena, Smt *smt, const char *const texts[2], char *reason, size_t size) {
  EquivValues values;
  EquivValuesVerdict verdict;
  Error error = {};
  ValuesLimits limits = {.elements = 8'000, .grade = LAW_EXACT, .steps = 12'000};
  assert_true(equiv_values_open(arena, effect_module(arena, texts[0]),
      effect_module(arena, texts[1]), &limits, smt, &values, &error));
  equiv_values_judge(&values, 0, &verdict);
  snprintf(reason, size, "%s", verdict.reason);
  equiv_values_close(&values);
  return verdict.answer;
}

/* Both directions. */
static void check_effect_row(Smt *smt, const EffectFormRow *row) {
  Arena *arena = arena_create();
  const char *texts[2] = {row->text, effect_changed(arena, row)};
  for (uint32_t from = 0; from < 2; from++) {
    char reason[512];
    bool is_same = effect_answer(arena, smt, (const char *const[]){texts[from], texts[1 - from]},
                       reason, sizeof reason) == REASON_EXACT;
    if (is_same != (row->differs == nullptr) ||
        (!is_same && strstr(reason, row->differs) == nullptr))
      fail_msg(
          "%s => %s: %s, %s", row->find, row->replace, is_same ? "same" : "not the same", reason);
  }
  arena_destroy(arena);
}

static void effects_are_the_same_in_everything(void **) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  for (size_t i = 0; i < sizeof effect_rows / sizeof *effect_rows; i++)
    check_effect_row(smt, &effect_rows[i]);
  smt_destroy(smt);
  map_context_destroy(context);
}

/* Literal equality compares neither headers nor the names that control predecessors state. */
static void no_order_of_effects_is_lost(void **) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  for (size_t i = 0; i < sizeof effect_orders / sizeof *effect_orders; i++) {
    const EffectOrderRow *row = &effect_orders[i];
    Arena *arena = arena_create();
    const char *texts[2];
    char reason[512];
    for (uint32_t k = 0; k < 2; k++)
      texts[k] = !row->is_scheduled[k] ? row->texts[k]
                                       : arena_printf(arena, "HloModule m, is_scheduled=true%s",
                                             row->texts[k] + strlen("HloModule m"));
    VerdictReason answer = effect_answer(arena, smt, texts, reason, sizeof reason);
    if (answer != (row->is_lost ? REASON_OPEN : REASON_EXACT)) fail_msg("row %zu: %s", i, reason);
    if (row->is_lost && strstr(reason, "the order of") == nullptr)
      fail_msg("row %zu: %s", i, reason);
    arena_destroy(arena);
  }
  smt_destroy(smt);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(effects_are_the_same_in_everything),
      cmocka_unit_test(no_order_of_effects_is_lost)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
