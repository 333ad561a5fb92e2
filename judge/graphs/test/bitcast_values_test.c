/* Values through bitcasts whose operand has padding, or stores its elements in other widths: such
 * bits are no element of the operand, so nothing is proved of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv.h"
#include "judge/graphs/equiv_open.h"

typedef struct BitcastRow {
  const char *before, *after; /* the lines of an entry */
  VerdictReason answer;
} BitcastRow;

/* Position 6 of the memory of x is padding, and element (1, 2) of r. */
#define PADDED "x = f32[6]{0:T(4)} parameter(0)\nROOT r = f32[2,3]{1,0:T(2,4)} bitcast(x)"
#define PADDED_BUT(value) \
  "x = f32[6]{0:T(4)} parameter(0)\nb = f32[2,3]{1,0:T(2,4)} bitcast(x)\n" \
  "c = f32[1,1] constant({{" value "}})\n" \
  "i = s32[] constant(1)\nk = s32[] constant(2)\n" \
  "ROOT r = f32[2,3]{1,0:T(2,4)} dynamic-update-slice(b, c, i, k)"
#define AS_INTEGERS(value) \
  "x = f32[6]{0:T(4)} parameter(0)\nb = s32[2,3]{1,0:T(2,4)} bitcast(x)\n" \
  "c = s32[1,1] constant({{" value "}})\n" \
  "i = s32[] constant(1)\nk = s32[] constant(2)\n" \
  "ROOT r = s32[2,3]{1,0:T(2,4)} dynamic-update-slice(b, c, i, k)"
#define AS_INTEGERS_ALONE \
  "x = f32[6]{0:T(4)} parameter(0)\nROOT r = s32[2,3]{1,0:T(2,4)} bitcast(x)"

static const BitcastRow bitcast_rows[] = {
    {PADDED, PADDED_BUT("5"), REASON_OPEN},
    {PADDED, PADDED, REASON_EXACT},
    {PADDED_BUT("5"), PADDED_BUT("5"), REASON_EXACT},
    {AS_INTEGERS_ALONE, AS_INTEGERS("5"), REASON_OPEN},
    {AS_INTEGERS_ALONE, AS_INTEGERS_ALONE, REASON_EXACT},
    /* Every element of a tile is one of x. */
    {"x = f32[8]{0:T(4)} parameter(0)\nROOT r = f32[2,4]{1,0:T(2,4)} bitcast(x)",
        "x = f32[8]{0:T(4)} parameter(0)\nROOT r = f32[2,4]{1,0:T(2,4)} reshape(x)", REASON_EXACT},
    /* A stored element of 8 bits is two of 4 bits. */
    {"x = s4[2]{0:E(8)} parameter(0)\nROOT r = s4[4]{0:E(4)} bitcast(x)",
        "x = s4[2]{0:E(8)} parameter(0)\nb = s4[2,2]{1,0:E(4)} broadcast(x), dimensions={0}\n"
        "ROOT r = s4[4]{0:E(4)} reshape(b)",
        REASON_OPEN},
    {"x = s4[2]{0:E(8)} parameter(0)\nROOT r = u4[4]{0:E(4)} bitcast(x)",
        "x = s4[2]{0:E(8)} parameter(0)\nb = s4[2,2]{1,0:E(4)} broadcast(x), dimensions={0}\n"
        "c = s4[4]{0:E(4)} reshape(b)\nROOT r = u4[4]{0:E(4)} bitcast-convert(c)",
        REASON_OPEN},
    {"x = s4[2]{0:E(8)} parameter(0)\nROOT r = s4[2]{0:E(8)} bitcast(x)",
        "ROOT x = s4[2]{0:E(8)} parameter(0)", REASON_EXACT},
};

static const Module *module_of_text(Arena *arena, const char *text) {
  const Module *module = nullptr;
  Error error = {};
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text, .length = strlen(text)};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", error.message, text);
  return module;
}

static const Module *bitcast_module(Arena *arena, const char *lines) {
  return module_of_text(arena, arena_printf(arena, "HloModule m\nENTRY e {\n%s\n}\n", lines));
}

/* A row that is open is proved by no judge. */
static void check_bitcast_row(Smt *smt, const BitcastRow *row) {
  Arena *arena = arena_create();
  EquivValues values;
  EquivValuesVerdict verdict;
  Error error = {};
  ValuesLimits limits = {.elements = 8'000, .grade = LAW_EXACT, .steps = 12'000};
  assert_true(equiv_values_open(arena, bitcast_module(arena, row->before),
      bitcast_module(arena, row->after), &limits, smt, &values, &error));
  equiv_values_judge(&values, 0, &verdict);
  if (verdict.answer != row->answer ||
      (row->answer == REASON_OPEN && verdict.proof.status == VERDICT_PROVED))
    fail_msg("%s\n=>\n%s\n%s", row->before, row->after, verdict.reason);
  equiv_values_close(&values);
  arena_destroy(arena);
}

static void bits_that_are_no_element_have_no_value(void **) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  for (size_t i = 0; i < sizeof bitcast_rows / sizeof *bitcast_rows; i++)
    check_bitcast_row(smt, &bitcast_rows[i]);
  smt_destroy(smt);
  map_context_destroy(context);
}

/* A bitcast reads memory by the layout that its own computation states, in the entry and in what
 * the entry calls. Graphs 0 and 2 read alike, and so do 1 and 3. */
static const char *const layout_graphs[] = {
    "HloModule m\nENTRY e {\nx = f32[2,3]{1,0} parameter(0)\nROOT r = f32[6]{0} bitcast(x)\n}\n",
    "HloModule m\nENTRY e {\nx = f32[2,3]{0,1} parameter(0)\nROOT r = f32[6]{0} bitcast(x)\n}\n",
    "HloModule m\nf {\np = f32[2,3]{1,0} parameter(0)\nROOT r = f32[6]{0} bitcast(p)\n}\n"
    "ENTRY e {\nx = f32[2,3]{0,1} parameter(0)\nROOT r = f32[6]{0} call(x), to_apply=f\n}\n",
    "HloModule m\nf {\np = f32[2,3]{0,1} parameter(0)\nROOT r = f32[6]{0} bitcast(p)\n}\n"
    "ENTRY e {\nx = f32[2,3]{1,0} parameter(0)\nROOT r = f32[6]{0} call(x), to_apply=f\n}\n"};

static VerdictReason layout_reads(Arena *arena, const Module *before, const Module *after) {
  Equiv equiv;
  EquivVerdict verdict;
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  assert_true(equiv_create(judge, arena, before, after, &equiv, &error));
  equiv_judge(&equiv, (EquivPair){}, &verdict);
  judge_destroy(judge);
  return verdict.answer;
}

static VerdictReason layout_values(
    Arena *arena, Smt *smt, const Module *before, const Module *after) {
  EquivValues values;
  EquivValuesVerdict verdict;
  Error error = {};
  ValuesLimits limits = {.grade = LAW_EXACT};
  assert_true(equiv_values_open(arena, before, after, &limits, smt, &values, &error));
  equiv_values_judge(&values, 0, &verdict);
  equiv_values_close(&values);
  return verdict.answer;
}

static void a_computation_states_its_layouts(void **) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  for (uint32_t i = 0; i < 16; i++) {
    Arena *arena = arena_create();
    VerdictReason expected = i / 4 % 2 == i % 2 ? REASON_EXACT : REASON_DIFFERENT;
    const Module *before = module_of_text(arena, layout_graphs[i / 4]),
                 *after = module_of_text(arena, layout_graphs[i % 4]);
    VerdictReason reads = layout_reads(arena, before, after),
                  values = layout_values(arena, smt, before, after);
    if (reads != expected || values != expected)
      fail_msg("%u and %u: reads %d, values %d", i / 4, i % 4, reads, values);
    arena_destroy(arena);
  }
  smt_destroy(smt);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bits_that_are_no_element_have_no_value),
      cmocka_unit_test(a_computation_states_its_layouts)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
