/* Opaque operations on the arguments of called computations: a custom call inside a map, a fold, a
 * scatter, a comparison or a loop depends on what it is given there. The first graph of a row gives
 * it x, the second one y, of the same type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_open.h"

#define UNARY \
  "f {\np = f32[] parameter(0)\nROOT c = f32[] custom-call(p), custom_call_target=\"t\"\n}\n"
#define BINARY \
  "f {\np = f32[] parameter(0)\nq = f32[] parameter(1)\n" \
  "ROOT c = f32[] custom-call(p, q), custom_call_target=\"t\"\n}\n"
#define COPIED \
  "f {\np = f32[] parameter(0)\nk = f32[] copy(p)\n" \
  "ROOT c = f32[] custom-call(k), custom_call_target=\"t\"\n}\n"
#define ORDER \
  "f {\np = f32[] parameter(0)\nq = f32[] parameter(1)\nr = f32[] parameter(2)\ns = f32[] parameter(3)\n" \
  "a = f32[] custom-call(p), custom_call_target=\"t\"\nb = f32[] custom-call(q), custom_call_target=\"t\"\n" \
  "ROOT c = pred[] compare(a, b), direction=LT\n}\n"

#define THROUGH_OPAQUE \
  "f {\np = f32[] parameter(0)\no = opaque[] custom-call(p), custom_call_target=\"make\"\n" \
  "ROOT c = f32[] custom-call(o), custom_call_target=\"t\"\n}\n"
/* A loop of one iteration, which is unrolled. */
#define IN_A_LOOP \
  "body {\ns = (s32[], f32[]) parameter(0)\ni = s32[] get-tuple-element(s), index=0\n" \
  "v = f32[] get-tuple-element(s), index=1\nk = s32[] constant(1)\nj = s32[] add(i, k)\n" \
  "w = f32[] reshape(v)\nc = f32[] custom-call(w), custom_call_target=\"t\"\n" \
  "ROOT n = (s32[], f32[]) tuple(j, c)\n}\n" \
  "more {\ns = (s32[], f32[]) parameter(0)\ni = s32[] get-tuple-element(s), index=0\n" \
  "k = s32[] constant(1)\nROOT l = pred[] compare(i, k), direction=LT\n}\n" \
  "f {\np = f32[] parameter(0)\nz = s32[] constant(0)\ns = (s32[], f32[]) tuple(z, p)\n" \
  "u = (s32[], f32[]) while(s), condition=more, body=body\n" \
  "ROOT r = f32[] get-tuple-element(u), index=1\n}\n"

typedef struct OpaqueRow {
  const char *computations;
  const char *lines; /* of the entry; "%s" stands for the operand */
} OpaqueRow;

static const OpaqueRow opaque_rows[] = {
    {UNARY, "ROOT r = f32[4] map(%s), dimensions={0}, to_apply=f"},
    {COPIED, "ROOT r = f32[4] map(%s), dimensions={0}, to_apply=f"},
    {THROUGH_OPAQUE, "ROOT r = f32[4] map(%s), dimensions={0}, to_apply=f"},
    {IN_A_LOOP, "ROOT r = f32[4] map(%s), dimensions={0}, to_apply=f"},
    {BINARY, "ROOT r = f32[4] map(%s, z), dimensions={0}, to_apply=f"},
    {BINARY,
        "w = f32[4,1] reshape(%s)\nROOT r = f32[4] reduce(w, zero), dimensions={1}, to_apply=f"},
    {BINARY, "i = s32[1] constant({2})\nu = f32[1] slice(%s), slice={[1:2]}\n"
             "ROOT r = f32[4] scatter(z, i, u), update_window_dims={}, inserted_window_dims={0}, "
             "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f"},
    {ORDER, "o = (f32[4], f32[4]) sort(%s, z), dimensions={0}, is_stable=true, to_apply=f\n"
            "ROOT r = f32[4] get-tuple-element(o), index=1"},
};

static const Module *opaque_module(Arena *arena, const OpaqueRow *row, const char *operand) {
  const Module *module = nullptr;
  Error error = {};
  Source *source = ARENA_NEW(arena, Source, 1);
  const char *gap = strstr(row->lines, "%s");
  assert_non_null(gap);
  const char *text = arena_printf(arena,
      "HloModule m\n%sENTRY e {\nx = f32[4] parameter(0)\ny = f32[4] parameter(1)\n"
      "z = f32[4] parameter(2)\nzero = f32[] parameter(3)\n%.*s%s%s\n}\n",
      row->computations, (int)(gap - row->lines), row->lines, operand, gap + 2);
  *source = (Source){.name = "m", .text = text, .length = strlen(text)};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", error.message, text);
  return module;
}

static VerdictReason opaque_answer(
    Arena *arena, Smt *smt, const OpaqueRow *row, const char *const operands[2]) {
  EquivValues values;
  EquivValuesVerdict verdict;
  Error error = {};
  ValuesLimits limits = {.elements = 8'000, .grade = LAW_EXACT, .steps = 12'000};
  assert_true(equiv_values_open(arena, opaque_module(arena, row, operands[0]),
      opaque_module(arena, row, operands[1]), &limits, smt, &values, &error));
  equiv_values_judge(&values, 0, &verdict);
  equiv_values_close(&values);
  return verdict.answer;
}

static void what_a_body_gives_to_a_call_counts(void **) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  for (size_t i = 0; i < sizeof opaque_rows / sizeof *opaque_rows; i++)
    for (uint32_t k = 0; k < 2; k++) {
      Arena *arena = arena_create();
      const char *const operands[2] = {"x", k == 0 ? "x" : "y"};
      VerdictReason answer = opaque_answer(arena, smt, &opaque_rows[i], operands);
      if ((answer == REASON_EXACT) != (k == 0))
        fail_msg("%s, of %s: %d", opaque_rows[i].lines, operands[1], answer);
      arena_destroy(arena);
    }
  smt_destroy(smt);
  map_context_destroy(context);
}

/* A loop whose body has an array of two elements stands in a loop whose body has one of four. */
#define NESTED(operand) \
  "HloModule m\n" \
  "inner_condition {\ns = (s32[], f32[2]) parameter(0)\nj = s32[] get-tuple-element(s), index=0\n" \
  "n = s32[] constant(10)\nROOT l = pred[] compare(j, n), direction=LT\n}\n" \
  "inner_body {\ns = (s32[], f32[2]) parameter(0)\nj = s32[] get-tuple-element(s), index=0\n" \
  "q = f32[2] get-tuple-element(s), index=1\nk = s32[] constant(1)\nm = s32[] add(j, k)\n" \
  "v = f32[2] add(q, q)\nROOT t = (s32[], f32[2]) tuple(m, v)\n}\n" \
  "condition {\ns = (s32[], f32[4], f32[]) parameter(0)\nj = s32[] get-tuple-element(s), index=0\n" \
  "n = s32[] constant(10)\nROOT l = pred[] compare(j, n), direction=LT\n}\n" \
  "body {\ns = (s32[], f32[4], f32[]) parameter(0)\ni = s32[] get-tuple-element(s), index=0\n" \
  "p = f32[4] get-tuple-element(s), index=1\nk = s32[] constant(1)\nm = s32[] add(i, k)\n" \
  "h = f32[2] slice(p), slice={[0:2]}\nz = f32[2] constant({1, 2})\n" \
  "w = (s32[], f32[2]) tuple(i, z)\n" \
  "l = (s32[], f32[2]) while(w), condition=inner_condition, body=inner_body\n" \
  "q = f32[2] get-tuple-element(l), index=1\n" \
  "c = f32[] custom-call(p, q, " operand "), custom_call_target=\"sum\"\nv = f32[4] add(p, p)\n" \
  "ROOT t = (s32[], f32[4], f32[]) tuple(m, v, c)\n}\n" \
  "ENTRY e {\ni = s32[] parameter(0)\np = f32[4] parameter(1)\na = f32[] parameter(2)\n" \
  "s = (s32[], f32[4], f32[]) tuple(i, p, a)\n" \
  "w = (s32[], f32[4], f32[]) while(s), condition=condition, body=body\n" \
  "ROOT r = f32[] get-tuple-element(w), index=2\n}\n"

static const Module *nested_module(Arena *arena, const char *text) {
  const Module *module = nullptr;
  Error error = {};
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text, .length = strlen(text)};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", error.message, text);
  return module;
}

static void arguments_of_two_bodies_are_two(void **) {
  static const char *const texts[2] = {NESTED("h"), NESTED("p")};
  for (uint32_t k = 0; k < 2; k++) {
    Arena *arena = arena_create();
    EquivValues values;
    ValuesVerdict verdict;
    Error error = {};
    assert_true(equiv_values_create(arena, nested_module(arena, texts[0]),
        nested_module(arena, texts[k]), nullptr, &values, &error));
    equiv_values_query(&values, 0, &verdict);
    assert_int_equal(verdict.answer == REASON_EXACT, k == 0);
    arena_destroy(arena);
  }
}

/* A fold of many arrays, of which the first is x / 10 or x * 0.1, the second a large sum. */
static const char *tried_text(Arena *arena, bool is_product) {
  static constexpr uint32_t others = 15;
  Text text = text_create(arena);
  text_string(&text, "HloModule m\nsum {\na = s32[] parameter(0)\nb = s32[] parameter(1)\n"
                     "ROOT c = s32[] add(a, b)\n}\nfold {\n");
  for (uint32_t i = 0; i < 2 * (others + 2); i++)
    text_printf(&text, "p%u = %s[] parameter(%u)\n", i, i % (others + 2) == 1 ? "s32" : "f32", i);
  for (uint32_t i = 0; i < others + 2; i++)
    text_printf(&text, "a%u = %s[] add(p%u, p%u)\n", i, i == 1 ? "s32" : "f32", i, i + others + 2);
  Text types = text_create(arena), results = text_create(arena);
  for (uint32_t i = 0; i < others + 2; i++) {
    text_printf(&types, "%s%s[]", i == 0 ? "" : ", ", i == 1 ? "s32" : "f32");
    text_printf(&results, "%sa%u", i == 0 ? "" : ", ", i);
  }
  text_printf(&text, "ROOT t = (%s) tuple(%s)\n}\nENTRY e {\n", types.bytes, results.bytes);
  text_printf(&text,
      "x = f32[4] parameter(0)\nu = s32[4,600] parameter(1)\nv = s32[4,600] parameter(2)\n"
      "zero = f32[] constant(0)\nizero = s32[] constant(0)\nk = f32[] constant(%s)\n"
      "kb = f32[4] broadcast(k), dimensions={}\nA = f32[4] %s(x, kb)\nuv = s32[4,600] add(%s)\n"
      "C = s32[4] reduce(uv, izero), dimensions={1}, to_apply=sum\nr = (%s) reduce(A, C",
      is_product ? "0.1" : "10", is_product ? "multiply" : "divide", is_product ? "v, u" : "u, v",
      types.bytes);
  for (uint32_t i = 0; i < others; i++) text_string(&text, ", x");
  text_string(&text, ", zero, izero");
  for (uint32_t i = 0; i < others; i++) text_string(&text, ", zero");
  text_string(&text, "), dimensions={0}, to_apply=fold\n"
                     "ROOT g = f32[] get-tuple-element(r), index=0\n}\n");
  return text.bytes;
}

static void what_was_tried_is_not_proved_later(void **) {
  Arena *arena = arena_create();
  EquivValues values;
  Error error = {};
  ValuesLimits limits = {.elements = 8'000, .grade = LAW_EXACT, .one_judge = true};
  assert_true(equiv_values_create(arena, nested_module(arena, tried_text(arena, false)),
      nested_module(arena, tried_text(arena, true)), &limits, &values, &error));
  for (uint32_t times = 0; times < 3; times++) {
    ValuesVerdict verdict;
    oracle_values_limit(values.oracle, times == 0 ? 2'000 : 0);
    equiv_values_query(&values, 0, &verdict);
    if (verdict.answer == REASON_EXACT) fail_msg("query %u: %s", times, verdict.by);
  }
  arena_destroy(arena);
}

#define DRAWS(draw, other) \
  "HloModule m\n" \
  "f {\na = f32[] parameter(0)\none = f32[] constant(1)\n" \
  "ROOT r = f32[] rng(a, one), distribution=rng_uniform\n}\n" \
  "g {\na = f32[] parameter(0)\nb = f32[] parameter(1)\nd = f32[] rng(a, b), distribution=rng_uniform\n" \
  "ROOT r = f32[] add(a, d)\n}\n" \
  "ENTRY e {\np = f32[] parameter(0)\none = f32[] constant(1)\n" \
  "c = f32[4] broadcast(p), dimensions={}\n" draw "\n" other \
  "\nROOT r = f32[4] subtract(m, n)\n}\n"
#define STATES(first, second) \
  "HloModule m\n" \
  "ENTRY e {\nx = f32[8] parameter(0)\n" \
  "i1 = u64[2] rng-get-and-update-state(), delta=1\ni2 = u64[2] rng-get-and-update-state(), delta=1\n" \
  "g1 = f32[2] gather(x, i1), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, " \
  "index_vector_dim=1, slice_sizes={1}, indices_are_sorted=" first "\n" \
  "g2 = f32[2] gather(x, i2), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, " \
  "index_vector_dim=1, slice_sizes={1}, indices_are_sorted=" second "\n" \
  "ROOT r = f32[2] add(g1, g2)\n}\n"

#define GATHERED(promise) \
  "HloModule m\n" \
  "ENTRY e {\nx = f32[8] parameter(0)\ni = s32[4,1] constant({{1}, {3}, {3}, {2}})\n" \
  "ROOT g = f32[4] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, " \
  "index_vector_dim=1, slice_sizes={1}" promise "\n}\n"
#define GIVEN(operand, target) \
  "HloModule m\nENTRY e {\nx = f32[4] parameter(0)\ny = f32[4] parameter(1)\n" \
  "o = opaque[] custom-call(" operand "), custom_call_target=\"" target "\"\n" \
  "ROOT r = f32[4] custom-call(o), custom_call_target=\"use\"\n}\n"
#define RETURNED(operand) \
  "HloModule m\nENTRY e {\nx = f32[4] parameter(0)\ny = f32[4] parameter(1)\n" \
  "ROOT o = opaque[] custom-call(" operand "), custom_call_target=\"make\"\n}\n"
#define FED(header) \
  "HloModule m" header "\n" \
  "ENTRY e {\nx = f32[8] parameter(0)\nt = token[] after-all()\no = token[] outfeed(x, t)\n" \
  "ROOT r = f32[8] negate(x)\n}\n"

/* Draws for each element of a map or a reduction are not one draw, and the state of one update of
 * random numbers is not that of the next. Values of type opaque are values. A new promise of a
 * gather, and the effects of more devices, are differences. */
static void these_are_not_the_same(void **) {
  static const char *const pairs[][2] = {
      {DRAWS("m = f32[4] map(c), dimensions={0}, to_apply=f",
           "n = f32[4] reverse(m), dimensions={0}"),
          DRAWS("m = f32[4] map(c), dimensions={0}, to_apply=f", "n = f32[4] copy(m)")},
      {DRAWS("d = f32[4,2] broadcast(c), dimensions={0}\n"
             "m = f32[4] reduce(d, one), dimensions={1}, to_apply=g",
           "n = f32[4] reverse(m), dimensions={0}"),
          DRAWS("d = f32[4,2] broadcast(c), dimensions={0}\n"
                "m = f32[4] reduce(d, one), dimensions={1}, to_apply=g",
              "n = f32[4] copy(m)")},
      {STATES("true", "false"), STATES("false", "true")},
      {GATHERED(""), GATHERED(", unique_indices=true")},
      {FED(", replica_count=2"), FED("")},
      {GIVEN("x", "make"), GIVEN("y", "make")},
      {GIVEN("x", "make"), GIVEN("x", "other")},
      {RETURNED("x"), RETURNED("y")},
  };
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    Arena *arena = arena_create();
    EquivValues values;
    EquivValuesVerdict verdict;
    Error error = {};
    ValuesLimits limits = {.elements = 8'000, .grade = LAW_EXACT, .steps = 12'000};
    assert_true(equiv_values_open(arena, nested_module(arena, pairs[i][0]),
        nested_module(arena, pairs[i][1]), &limits, smt, &values, &error));
    equiv_values_judge(&values, 0, &verdict);
    if (verdict.answer == REASON_EXACT) fail_msg("pair %zu", i);
    equiv_values_close(&values);
    arena_destroy(arena);
  }
  smt_destroy(smt);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_body_gives_to_a_call_counts),
      cmocka_unit_test(arguments_of_two_bodies_are_two),
      cmocka_unit_test(what_was_tried_is_not_proved_later),
      cmocka_unit_test(these_are_not_the_same)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
