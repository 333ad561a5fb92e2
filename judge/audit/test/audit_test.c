/* Maps that another engine printed, and pairs of maps: one row for each answer and for each reason
 * that something is not judged. */
#include "judge/audit/audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "judge/audit/audit_pair.h"
#include "judge/audit/audit_unused.h"

static Arena *arena;
static Judge *judge;

typedef struct AuditRow {
  const char *module, *maps;
  VerdictReason answer;
  const char *text; /* part of it */
} AuditRow;

#define TRANSPOSE "p = f32[4,6] parameter(0)\nROOT t = f32[6,4] transpose(p), dimensions={1,0}\n"
#define LONG "p = f32[10000] parameter(0)\nROOT r = f32[10000] reverse(p), dimensions={0}\n"
#define DYNAMIC \
  "p = f32[9] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n" \
  "ROOT d = f32[4] dynamic-slice(p, i), dynamic_slice_sizes={4}\n"
#define SORTED \
  "p = f32[4] parameter(0)\nq = f32[4] parameter(1)\n" \
  "ROOT s = (f32[4], (f32[4], f32[4])) custom-call(p, q), custom_call_target=\"t\"\n"
#define PAIR "t = (f32[4], f32[4]) parameter(0)\nROOT g = f32[4] get-tuple-element(t), index=1\n"
#define BOX ", domain: d0 in [0, 5], d1 in [0, 3]\n"
#define RT0 \
  "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 5]\nruntime variables:\nrt0: "
#define OUT "Output 0 operand 0:\n"

/* From input to output: which output elements read an element of p, at a size that is enumerated
 * and at one that is not. */
#define SLICED(size, index) \
  "p = f32[" size "] parameter(0)\ni = s32[] parameter(1)\nk = s8[] parameter(2)\n" \
  "c = s32[] copy(i)\nROOT d = f32[4] dynamic-slice(p, " index "), dynamic_slice_sizes={4}\n"
#define INTO(last, low, high, source) \
  "Operand 0 output 0:\n(d0){rt0} -> (d0 - rt0), domain: d0 in [0, " last "], rt0 in [" low \
  ", " high "], d0 - rt0 in [0, 3]\nruntime variables:\nrt0: " source
#define OF(source, last, low, high) \
  source "; (d0){rt0} -> (), domain: d0 in [0, " last "], rt0 in [" low ", " high "]\n"

static const AuditRow rows[] = {
    {SLICED("9", "c"), INTO("8", "0", "5", OF("c", "8", "0", "5")), REASON_EXACT, ""},
    {SLICED("9", "c"), INTO("8", "0", "5", OF("i", "8", "0", "5")), REASON_EXACT, ""},
    {SLICED("9", "c"), INTO("8", "-1", "5", OF("i clamped to [0, 5]", "8", "-1", "5")),
        REASON_COVERS, "-1"},
    {SLICED("9", "c"), INTO("8", "0", "5", OF("nowhere", "8", "0", "5")), REASON_OPEN,
        "no instruction"},
    {SLICED("9", "k"), INTO("8", "0", "5", OF("k", "8", "0", "5")), REASON_EXACT, ""},
    {SLICED("90000", "c"), INTO("89999", "0", "89996", OF("c", "89999", "0", "89996")),
        REASON_EXACT, ""},
    {SLICED("90000", "c"), INTO("89999", "0", "89996", OF("i", "89999", "0", "89996")),
        REASON_EXACT, ""},
    {SLICED("90000", "c"),
        INTO("89999", "-1", "89996", OF("i clamped to [0, 89996]", "89999", "-1", "89996")),
        REASON_COVERS, "-1"},
    {SLICED("90000", "c"), INTO("89999", "0", "89996", OF("nowhere", "89999", "0", "89996")),
        REASON_OPEN, "no instruction"},
    {SLICED("90000", "k"),
        INTO("89999", "0", "127", OF("k clamped to [0, 89996]", "89999", "0", "127")), REASON_EXACT,
        ""},

    {TRANSPOSE, OUT "(d0, d1) -> (d1, d0)" BOX, REASON_EXACT, ""},
    {TRANSPOSE, "Operand 0 output 0:\n(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 5]\n",
        REASON_EXACT, ""},
    {TRANSPOSE,
        OUT "(d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 3]\n"
            "(d0, d1) -> (d1, d0), domain: d0 in [3, 5], d1 in [0, 3]\n",
        REASON_EXACT, ""},
    {TRANSPOSE, OUT "(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 3]\n", REASON_WRONG,
        "(5, 0)"},
    {TRANSPOSE, OUT "(d0, d1) -> (d1, d0 + 1)" BOX, REASON_WRONG, "outside of"},
    {TRANSPOSE, OUT "(none)\n", REASON_WRONG, "(0, 0)"},
    {TRANSPOSE, OUT "(d0, d1)[s0] -> (s0, d0), domain: d0 in [0, 5], d1 in [0, 3], s0 in [0, 3]\n",
        REASON_COVERS, "72 pairs too many"},
    {TRANSPOSE, OUT "UNDEFINED\n", REASON_UNDEFINED, "UNDEFINED"},
    {TRANSPOSE, OUT "(d0, d1) -> (d1, d0)" BOX "UNDEFINED\n", REASON_UNDEFINED, "UNDEFINED"},
    {TRANSPOSE, OUT "KNOWN EMPTY\n", REASON_WRONG, "(0, 0)"},
    {TRANSPOSE, OUT "(d0) -> (d0, d0), domain: d0 in [0, 3]\n", REASON_MALFORMED,
        "1 dimension, the tensor has rank 2"},
    {TRANSPOSE, OUT "(d0, d1) -> (d0)" BOX, REASON_MALFORMED, "1 result, the tensor has rank 2"},
    {TRANSPOSE, OUT "(d0, d1) -> (d1, d0), domain: d0 in [0, 6], d1 in [0, 3]\n", REASON_WRONG,
        "at d0 = 6, d1 = 0: the point is in the map's domain, outside of 't'"},
    {TRANSPOSE, OUT "(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [-1, 3]\n", REASON_WRONG,
        "at d0 = 0, d1 = -1: the point is in the map's domain, outside of 't'"},
    {TRANSPOSE,
        OUT
        "(d0, d1) -> (d1, d0), domain: d0 in [-2, 9], d1 in [-4, 3], d0 * 2 in [0, 11], d1 in [0, 3]\n",
        REASON_EXACT, ""},
    {LONG, OUT "(d0) -> (9999 - d0), domain: d0 in [-7, 20000], d0 * 2 in [-1, 19999]\n",
        REASON_EXACT, ""},
    {LONG, OUT "(d0) -> (min(9999 - d0, 9999)), domain: d0 in [-7, 20000], d0 * 2 in [-2, 19999]\n",
        REASON_WRONG, "(-1) -> (9999): the domain leaves the tensor"},
    {TRANSPOSE, OUT "(d0, d1) -> (d1, d2)" BOX, REASON_MALFORMED, "line 2, column 18"},
    {TRANSPOSE, OUT, REASON_MALFORMED, "neither a map nor (none)"},
    {TRANSPOSE, OUT "(none)\n(d0, d1) -> (d1, d0)" BOX, REASON_MALFORMED, "(none) and a map"},
    {TRANSPOSE, "Output 0 operand 1:\n(none)\n", REASON_MALFORMED, "1 output and 1 operand"},
    {TRANSPOSE, "Output 1 operand 0:\n(none)\n", REASON_MALFORMED, "1 output and 1 operand"},
    {TRANSPOSE, "Output 0 operand 0.1:\n(none)\n", REASON_MALFORMED, "operand 0 has 1 leaf"},
    {PAIR, "Output 0 operand 0:\n(d0) -> (d0), domain: d0 in [0, 3]\n", REASON_EXACT, ""},
    {"t = (f32[4], f32[4]) parameter(0)\nROOT c = f32[4] custom-call(t), custom_call_target=\"c\"\n",
        "Output 0 operand 0:\n(none)\n", REASON_OPEN, "does not say which"},
    {PAIR, "Output 0 operand 0.0:\n(none)\n", REASON_EXACT, ""},
    {PAIR, "Output 0 operand 0.1:\n(d0) -> (d0), domain: d0 in [0, 3]\n", REASON_EXACT, ""},
    {PAIR, "Output 0 operand 0.0:\n(d0){rt0} -> (d0), domain: d0 in [0, 3], rt0 in [0, -1]\n",
        REASON_EXACT, ""},
    {PAIR, "Output 0 operand 0.0:\n(d0) -> (d0), domain: d0 in [0, 3]\n", REASON_COVERS,
        "too many"},
    {SORTED, "Output 1 operand 0:\n(none)\n", REASON_OPEN, "elements or leaves"},
    {SORTED, "Output 1 operand 0:\nUNDEFINED\n", REASON_UNDEFINED, "UNDEFINED"},
    {SORTED, "Output 1 operand 0:\nUNDEFINED\nUNDEFINED\n", REASON_OPEN, ""},
    /* a runtime variable that nothing uses is any value, as a range variable is */
    {TRANSPOSE,
        OUT "(d0, d1){rt0} -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3], rt0 in [0, 3]\n",
        REASON_EXACT, ""},
    {TRANSPOSE,
        OUT
        "(d0, d1){rt0} -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3], rt0 in [0, 3], rt0 in [0, 2]\n",
        REASON_OPEN, "no source is given"},
    {TRANSPOSE,
        OUT "(d0, d1){rt0} -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3], rt0 in [3, 0]\n",
        REASON_WRONG, "(0, 0)"},
    {DYNAMIC, OUT RT0 "i; (d0) -> (), domain: d0 in [0, 3]\n", REASON_EXACT, ""},
    {DYNAMIC, OUT RT0 "e/i; (d0) -> (), domain: d0 in [0, 3]\n", REASON_EXACT, ""},
    {DYNAMIC, OUT RT0 "%i = s32[] parameter(1); (d0) -> (), domain: d0 in [0, 3]\n", REASON_EXACT,
        ""},
    {DYNAMIC, OUT RT0 "j; (d0) -> (), domain: d0 in [0, 3]\n", REASON_WRONG, ""},
    {DYNAMIC, OUT RT0 "other/i; (d0) -> (), domain: d0 in [0, 3]\n", REASON_OPEN, "other/i"},
    {DYNAMIC, OUT RT0 "nobody; (d0) -> (), domain: d0 in [0, 3]\n", REASON_OPEN, "nobody"},
    {DYNAMIC,
        OUT
        "(d0){rt0} -> (d0 + rt0 + 1), domain: d0 in [0, 3], rt0 in [0, 4]\nruntime variables:\nrt0: nobody; (d0) -> (), domain: d0 in [0, 3]\n",
        REASON_WRONG, ""},
};

static Source source_of(const char *text) {
  return (Source){.name = "audit", .text = text, .length = strlen(text), .first_line = 1};
}

static void each_block_has_its_answer(void **) {
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const AuditRow *row = &rows[i];
    Source hlo = source_of(arena_printf(arena, "HloModule m\nENTRY e {\n%s}\n", row->module)),
           text = source_of(row->maps);
    const Module *module;
    Printed printed;
    Error error = {};
    if (!hlo_read(arena, &hlo, &module, &error) || !printed_parse(arena, &text, &printed, &error))
      fail_msg("%s: %s", row->maps, error.message);
    Audit *audit = audit_create(arena);
    audit_block(judge, arena, module->entry->root, &printed.items[0], audit);
    bool holds = audit->answer == row->answer && strstr(audit->text, row->text) != nullptr;
    if (!holds)
      print_message("%s%s, %s\n", row->maps, judge_answer_text(audit->answer), audit->text);
    failed += !holds;
  }
  assert_int_equal(failed, 0);
}

typedef struct PairRow {
  const char *before, *after;
  VerdictReason answer;
  const char *text;
} PairRow;

#define D0 ", domain: d0 in [0, 9]"
static const PairRow pairs[] = {
    {"(d0) -> (d0 mod 20)" D0, "(d0) -> (d0)" D0, REASON_EXACT, "same map"},
    {"(d0) -> (d0 mod 5)" D0, "(d0) -> (d0)" D0, REASON_DIFFERENT,
        "different at d0 = 5: before (0), after (5)"},
    {"(d0)[s0] -> (s0)" D0 ", s0 in [0, 3]", "(d0)[s0] -> (3 - s0)" D0 ", s0 in [0, 3]",
        REASON_SAME_RELATION, "same relation"},
    {"(d0)[s0, s1] -> (s0)" D0 ", s0 in [0, 3], s1 in [0, 1]",
        "(d0)[s0] -> (s0)" D0 ", s0 in [0, 3]", REASON_SAME_RELATION, "same relation"},
    {"(d0)[s0] -> (s0)" D0 ", s0 in [0, 3]", "(d0)[s0] -> (s0)" D0 ", s0 in [0, 4]",
        REASON_DIFFERENT, "different at"},
    {"(d0) -> (d0)" D0, "(d0) -> (d0, 0)" D0, REASON_DIFFERENT,
        "different: 1 dimension and 1 result before, 1 and 2 after"},
    {"(d0) -> (d0)" D0, "(d0, d1) -> (d0)" D0 ", d1 in [0, 1]", REASON_DIFFERENT,
        "different: 1 dimension and 1 result before, 2 and 1 after"},
    {"(d0) -> (d0)" D0 ", d0 mod 2 in [3, 3]", "(d0, d1) -> (d0)" D0 ", d1 in [1, 0]",
        REASON_SAME_RELATION, "same relation"},
    {"(d0) -> (d0)" D0 ", d0 mod 2 in [3, 3]", "(d0) -> (d0, 0)" D0, REASON_DIFFERENT,
        "different: 1 dimension and 1 result before, 1 and 2 after"},
    {"UNDEFINED", "(d0) -> (d0)" D0, REASON_OPEN, "unknown (UNDEFINED is no map)"},
    {"(d0) -> (d0)" D0, "UNDEFINED", REASON_OPEN, "unknown (UNDEFINED is no map)"},
    {"(d0) -> (d0)" D0 ", d0 mod 2 in [3, 3]", "KNOWN EMPTY", REASON_EXACT, "same map"},
    {"(d0) -> (d0)" D0, "KNOWN EMPTY", REASON_DIFFERENT, "different at d0 = 0"},
    {"(d0){rt0, rt1} -> (d0 + rt1)" D0 ", rt0 in [0, 3], rt1 in [0, 5]",
        "(d0){rt0} -> (d0 + rt0)" D0 ", rt0 in [0, 5]", REASON_SAME_RELATION, "same relation"},
    {"(d0){rt0, rt1} -> (d0 + rt1)" D0 ", rt0 in [0, 3], rt1 in [0, 5]",
        "(d0){rt0} -> (d0 + rt0)" D0 ", rt0 in [0, 3]", REASON_DIFFERENT, "different"},
    {"(d0){rt0, rt1} -> (d0 + rt1)" D0 ", rt0 in [3, 0], rt1 in [0, 5]",
        "(d0){rt0} -> (d0 + rt0)" D0 ", rt0 in [0, 5]", REASON_DIFFERENT, "different"},
    {"(d0){rt0} -> (d0)" D0 ", rt0 in [0, 3], d0 + rt0 in [0, 9]", "(d0) -> (d0)" D0,
        REASON_DIFFERENT, "different"},
    {"(d0) -> (d0 floordiv 3)"
     ", domain: d0 in [0, 8999999999]",
        "(d0) -> ((d0 + d0) floordiv 6)"
        ", domain: d0 in [0, 8999999999]",
        REASON_EXACT, "same map"},
    {"(x)[s0] -> (s0 * 2), domain: x in [0, 3], s0 in [0, 999999999]",
        "(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 1999999999]", REASON_DIFFERENT,
        "different at x = "},
    {"(x)[s0] -> (s0), domain: x in [0, 3], s0 in [0, 1999999999]",
        "(d0)[s0] -> (s0 * 2), domain: d0 in [0, 3], s0 in [0, 999999999]", REASON_DIFFERENT,
        "different at x = "},
    {"(d0) -> (", "(d0) -> (d0)" D0, REASON_MALFORMED, "error: "},
    {"(d0) -> (d0)" D0, "(d0) -> (", REASON_MALFORMED, "error: "},
};

static void each_pair_has_its_answer(void **) {
  Error error = {};
  Judge *own = pair_judge_create(&error);
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    Source before = source_of(pairs[i].before), after = source_of(pairs[i].after);
    Text answer = text_create(arena);
    Bindings at;
    VerdictReason reason = pair_judge_texts(own, &before, &after, nullptr, &answer, &at);
    bool holds = reason == pairs[i].answer &&
                 strncmp(answer.bytes, pairs[i].text, strlen(pairs[i].text)) == 0;
    if (!holds) print_message("%s ; %s: %s\n", pairs[i].before, pairs[i].after, answer.bytes);
    failed += !holds;
  }
  judge_destroy(own);
  assert_int_equal(failed, 0);
}

/* Consumer, producer, and the composition that is claimed. */
static void claimed_compositions_are_judged(void **) {
  Error error = {};
  Judge *own = pair_judge_create(&error);
  Source consumer = source_of("(d0) -> (d0 * 2), domain: d0 in [0, 4]"),
         producer = source_of("(d0) -> (d0 + 1), domain: d0 in [0, 9]"),
         right = source_of("(d0) -> (d0 * 2 + 1), domain: d0 in [0, 4]"),
         wrong = source_of("(d0) -> (d0 * 2 + 2), domain: d0 in [0, 4]");
  Text answer = text_create(arena);
  Bindings at;
  assert_int_equal(pair_judge_texts(own, &consumer, &producer, &right, &answer, &at), REASON_EXACT);
  assert_int_equal(
      pair_judge_texts(own, &consumer, &producer, &wrong, &answer, &at), REASON_DIFFERENT);
  judge_destroy(own);
}

static void unused_runtime_variables_are_dropped(void **) {
  static const struct {
    const char *before, *after;
  } dropped[] = {
      {"(d0){rt0, rt1} -> (d0 + rt1)" D0 ", rt0 in [0, 3], rt1 in [0, 5]",
          "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 5]"},
      {"(d0)[s0]{rt0, rt1} -> (d0 + s0)" D0
       ", s0 in [0, 1], rt0 in [0, 3], rt1 in [0, 5], rt1 mod 2 in [0, 0]",
          "(d0)[s0]{rt0} -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 1], rt0 in [0, 5], rt0 mod 2 in [0, 0]"},
      {"(d0){rt0} -> (d0)" D0 ", rt0 in [3, 0]",
          "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [3, 0]"},
      {"(d0){rt0} -> (d0)" D0 ", rt0 in [3, 3]", "(d0) -> (d0), domain: d0 in [0, 9]"},
      {"KNOWN EMPTY", "KNOWN EMPTY"},
  };
  for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) {
    Source source = source_of(dropped[i].before);
    const Map *map, *made;
    Error error = {};
    Text text = text_create(arena);
    assert_true(map_parse(judge->context, &source, &map, &error));
    assert_true(map_drop_unused_runtimes(judge->context, map, &made, &error));
    map_print(&text, judge->context, made, MAP_STYLE_LINE);
    assert_string_equal(text.bytes, dropped[i].after);
  }
}

static int set_up(void **) {
  Error error = {};
  arena = arena_create();
  return (judge = judge_create(&(JudgeOptions){}, &error)) == nullptr;
}
static int tear_down(void **) { return judge_destroy(judge), arena_destroy(arena), 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_block_has_its_answer),
      cmocka_unit_test(each_pair_has_its_answer),
      cmocka_unit_test(claimed_compositions_are_judged),
      cmocka_unit_test(unused_runtime_variables_are_dropped),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
