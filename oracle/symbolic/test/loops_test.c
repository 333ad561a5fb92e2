/* Loops that are too long to be written out, or whose number of iterations is a parameter: their
 * leaves are equal by induction, or not. */
#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

/* A loop over (i, x, y), whose body gives the next (j, u, v), until i reaches `count`. */
#define THREE "(s32[], s32[2], s32[2])"
#define STEPS(count, starts, next, result) \
  M("body {\np = " THREE " parameter(0)\ni = s32[] get-tuple-element(p), index=0\n" \
    "x = s32[2] get-tuple-element(p), index=1\ny = s32[2] get-tuple-element(p), index=2\n" \
    "one = s32[] constant(1)\nj = s32[] add(i, one)\n" next "\nROOT t = " THREE \
    " tuple(j, u, v)\n}\n" \
    "more {\np = " THREE " parameter(0)\ni = s32[] get-tuple-element(p), index=0\n" \
    "n = s32[] constant(" count ")\nROOT c = pred[] compare(i, n), direction=LT\n}\n", \
      "a = s32[2] parameter(0)\nb = s32[2] parameter(1)\nz = s32[] constant(0)\n" starts "\n" \
      "s = " THREE " tuple(z, k, l)\nw = " THREE " while(s), condition=more, body=body\n" \
      "ROOT r = s32[2] get-tuple-element(w), index=" result)
#define AS_GIVEN "k = s32[2] copy(a)\nl = s32[2] copy(b)"
#define EXCHANGED "k = s32[2] copy(b)\nl = s32[2] copy(a)"
#define BOTH_A "k = s32[2] copy(a)\nl = s32[2] copy(a)"
#define ADDS "u = s32[2] add(x, y)\nv = s32[2] copy(y)"
#define ADDS_ONCE "u = s32[2] add(x, y)\nv = s32[2] get-tuple-element(p), index=2"
#define ADDS_TURNED "u = s32[2] add(y, x)\nv = s32[2] copy(y)"
#define ADDS_LAST "u = s32[2] copy(x)\nv = s32[2] add(y, x)"
#define TAKES "u = s32[2] subtract(x, y)\nv = s32[2] copy(y)"
#define FIBONACCI "u = s32[2] copy(y)\nv = s32[2] add(x, y)"
#define FIBONACCI_BACK "u = s32[2] add(x, y)\nv = s32[2] copy(x)"
#define SWAPS "u = s32[2] copy(y)\nv = s32[2] copy(x)"
#define STAYS "u = s32[2] copy(x)\nv = s32[2] copy(y)"
#define BOTH_NEGATED "u = s32[2] negate(x)\nv = s32[2] negate(y)"
#define ONE_NEGATED "u = s32[2] negate(x)\nv = s32[2] not(y)"
#define LONG "1000"

/* A loop over (i, x, y) that adds a row of y to all columns of a large array. */
#define WIDE "(s32[], s32[2,100000000], s32[2])"
#define WIDENS(row) \
  M("body {\np = " WIDE " parameter(0)\ni = s32[] get-tuple-element(p), index=0\n" \
    "x = s32[2,100000000] get-tuple-element(p), index=1\ny = s32[2] get-tuple-element(p), index=2\n" \
    "one = s32[] constant(1)\nj = s32[] add(i, one)\n" row \
    "b = s32[2,100000000] broadcast(r), dimensions={0}\nu = s32[2,100000000] add(x, b)\n" \
    "ROOT t = " WIDE " tuple(j, u, y)\n}\n" \
    "more {\np = " WIDE " parameter(0)\ni = s32[] get-tuple-element(p), index=0\n" \
    "n = s32[] constant(1000)\nROOT c = pred[] compare(i, n), direction=LT\n}\n", \
      "a = s32[2,100000000] parameter(0)\nb = s32[2] parameter(1)\nz = s32[] constant(0)\n" \
      "s = " WIDE " tuple(z, a, b)\nw = " WIDE " while(s), condition=more, body=body\n" \
      "g = s32[2,100000000] get-tuple-element(w), index=1\n" \
      "ROOT r = s32[2,1] slice(g), slice={[0:2], [5:6]}")
#define TURNED_TWICE \
  "v = s32[2] reverse(y), dimensions={0}\nr = s32[2] reverse(v), dimensions={0}\n"

static const ValuesCase proved[] = {
    {"large arrays, operand by operand", WIDENS("r = s32[2] copy(y)\n"), WIDENS(TURNED_TWICE),
        "same values"},
    {"the same loop", STEPS(LONG, AS_GIVEN, ADDS, "1"), STEPS(LONG, AS_GIVEN, ADDS, "1"),
        "same values"},
    {"operands exchanged", STEPS(LONG, AS_GIVEN, ADDS, "1"),
        STEPS(LONG, AS_GIVEN, ADDS_TURNED, "1"), "same values"},
    {"leaves exchanged", STEPS(LONG, AS_GIVEN, ADDS, "1"), STEPS(LONG, EXCHANGED, ADDS_LAST, "2"),
        "same values"},
    {"both leaves change", STEPS(LONG, AS_GIVEN, FIBONACCI, "1"),
        STEPS(LONG, EXCHANGED, FIBONACCI_BACK, "2"), "same values"},
    {"both leaves change, the other result", STEPS(LONG, AS_GIVEN, FIBONACCI, "2"),
        STEPS(LONG, EXCHANGED, FIBONACCI_BACK, "1"), "same values"},
    {"equal leaves change alike", STEPS(LONG, BOTH_A, BOTH_NEGATED, "1"),
        STEPS(LONG, BOTH_A, BOTH_NEGATED, "2"), "same values"},
    {"a leaf that stays", STEPS(LONG, AS_GIVEN, ADDS_ONCE, "2"),
        E("a = s32[2] parameter(0)\nROOT b = s32[2] parameter(1)"), "same values"},
    {"starts that are equal by a law",
        STEPS(LONG, "k = s32[2] add(a, b)\nl = s32[2] copy(b)", ADDS, "1"),
        STEPS(LONG, "k = s32[2] add(b, a)\nl = s32[2] copy(b)", ADDS, "1"), "same values"},
    {"starts that are equal by another operation",
        STEPS(LONG, "k = s32[2] reverse(a), dimensions={0}\nl = s32[2] copy(b)", ADDS, "1"),
        STEPS(LONG,
            "m = s32[2] reverse(a), dimensions={0}\nq = s32[2] reverse(m), dimensions={0}\n"
            "k = s32[2] reverse(q), dimensions={0}\nl = s32[2] copy(b)",
            ADDS, "1"),
        "same values"},
};

/* None of these is proved. Loops that are not written out are not evaluated either. */
static const ValuesCase open[] = {
    {"another operation", STEPS(LONG, AS_GIVEN, ADDS, "1"), STEPS(LONG, AS_GIVEN, TAKES, "1"), ""},
    {"another number of iterations", STEPS(LONG, AS_GIVEN, ADDS, "1"),
        STEPS("1001", AS_GIVEN, ADDS, "1"), ""},
    {"starts exchanged", STEPS(LONG, AS_GIVEN, ADDS, "1"), STEPS(LONG, EXCHANGED, ADDS, "1"), ""},
    {"the other leaf", STEPS(LONG, AS_GIVEN, FIBONACCI, "1"), STEPS(LONG, AS_GIVEN, FIBONACCI, "2"),
        ""},
    {"leaves that swap", STEPS(LONG, AS_GIVEN, SWAPS, "1"), STEPS(LONG, AS_GIVEN, STAYS, "1"), ""},
    {"equal leaves change differently", STEPS(LONG, BOTH_A, ONE_NEGATED, "1"),
        STEPS(LONG, BOTH_A, ONE_NEGATED, "2"), ""},
    {"a leaf that does not stay", STEPS(LONG, AS_GIVEN, ADDS, "1"),
        E("ROOT a = s32[2] parameter(0)\nb = s32[2] parameter(1)"), ""},
};

static void long_loops_are_equal_by_induction(void **state) {
  (void)state;
  const ValuesLimits limits = {.grade = LAW_EXACT};
  assert_int_equal(values_cases_faults(sizeof proved / sizeof *proved, proved, &limits), 0);
}

static void long_loops_that_differ_are_not_proved(void **state) {
  (void)state;
  const ValuesLimits limits = {.grade = LAW_EXACT};
  for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
    OracleFixture bench = bench_create();
    ValuesVerdict verdict;
    OracleValues *values =
        oracle_values_create(bench.arena, values_case_entry(&bench, open[i].before),
            values_case_entry(&bench, open[i].after), &limits);
    oracle_values_query(values, 0, &verdict);
    if (verdict.answer == REASON_EXACT || verdict.answer == REASON_TRIED)
      fail_msg("%s", open[i].name);
    bench_destroy(&bench);
  }
}

/* A loop of 1,001 iterations whose body is given from its parameter `p` on. The state is an index
 * and two arrays, of which the loop begins with `a` and `b`. */
#define BODY(before, state, lines, start, result) \
  M(before "body {\np = " state " parameter(0)\ni = s32[] get-tuple-element(p), index=0\n" \
           "one = s32[] constant(1)\nj = s32[] add(i, one)\n" lines "\n}\n" \
           "more {\np = " state " parameter(0)\ni = s32[] get-tuple-element(p), index=0\n" \
           "n = s32[] constant(1001)\nROOT c = pred[] compare(i, n), direction=LT\n}\n", \
      "a = s32[2] parameter(0)\nb = s32[2] parameter(1)\nz = s32[] constant(0)\n" start \
      "w = " state " while(s), condition=more, body=body\n" result)
#define FLAT(before, lines, index) \
  BODY(before, THREE, \
      "x = s32[2] get-tuple-element(p), index=1\n" \
      "y = s32[2] get-tuple-element(p), index=2\n" lines, \
      "s = " THREE " tuple(z, a, b)\n", "ROOT r = s32[2] get-tuple-element(w), index=" index)
#define INNER "(s32[2], s32[2])"
#define NESTED(lines, path) \
  BODY("", "(s32[], " INNER ", s32[2])", \
      "q = " INNER " get-tuple-element(p), index=1\nv = s32[2] get-tuple-element(p), index=2\n" \
      "x = s32[2] get-tuple-element(q), index=0\ny = s32[2] get-tuple-element(q), index=1\n" lines, \
      "t = " INNER " tuple(a, b)\ns = (s32[], " INNER ", s32[2]) tuple(z, t, b)\n", path)
#define OF_PAIR(index) \
  "o = " INNER " get-tuple-element(w), index=1\nROOT r = s32[2] get-tuple-element(o), index=" index
#define OF_LAST "ROOT r = s32[2] get-tuple-element(w), index=2"
#define RETURNS(to) \
  "other {\ni = s32[] parameter(0)\nx = s32[2] parameter(1)\ny = s32[2] parameter(2)\n" \
  "ROOT t = " THREE " tuple(" to ")\n}\n"
#define JUST_A E("ROOT a = s32[2] parameter(0)\nb = s32[2] parameter(1)")
#define JUST_B E("a = s32[2] parameter(0)\nROOT b = s32[2] parameter(1)")

/* Whether a leaf stays as it was is read off the body's root. "open": it does not stay, or the root
 * does not show that it does. */
static const ValuesCase stays[] = {
    {"each leaf at its own place", FLAT("", "ROOT t = " THREE " tuple(j, x, y)", "1"), JUST_A,
        "same values"},
    {"each leaf at its own place, the last", FLAT("", "ROOT t = " THREE " tuple(j, x, y)", "2"),
        JUST_B, "same values"},
    {"beside a leaf that changes",
        FLAT("", "u = s32[2] add(x, y)\nROOT t = " THREE " tuple(j, u, y)", "2"), JUST_B,
        "same values"},
    {"leaves exchanged", FLAT("", "ROOT t = " THREE " tuple(j, y, x)", "1"), JUST_A, "open"},
    {"a leaf twice", FLAT("", "ROOT t = " THREE " tuple(j, y, y)", "1"), JUST_A, "open"},
    {"a leaf twice, its own place", FLAT("", "ROOT t = " THREE " tuple(j, y, y)", "2"), JUST_B,
        "same values"},
    {"elements of another tuple",
        FLAT("",
            "q = " THREE " tuple(j, y, x)\nu = s32[2] get-tuple-element(q), index=1\n"
            "v = s32[2] get-tuple-element(q), index=2\nROOT t = " THREE " tuple(j, u, v)",
            "1"),
        JUST_A, "open"},
    {"a call that exchanges",
        FLAT(RETURNS("i, y, x"), "ROOT t = " THREE " call(j, x, y), to_apply=other", "1"), JUST_A,
        "open"},
    {"a call that changes",
        FLAT("other {\ni = s32[] parameter(0)\nx = s32[2] parameter(1)\ny = s32[2] parameter(2)\n"
             "u = s32[2] add(x, y)\nROOT t = " THREE " tuple(i, u, y)\n}\n",
            "ROOT t = " THREE " call(j, x, y), to_apply=other", "1"),
        JUST_A, "open"},
    {"another operation of tuples",
        FLAT("", "ROOT t = " THREE " custom-call(j, x, y), custom_call_target=\"f\"", "1"), JUST_A,
        "open"},
    {"a pair that stays",
        NESTED("u = s32[2] add(v, x)\nROOT t = (s32[], " INNER ", s32[2]) tuple(j, q, u)",
            OF_PAIR("0")),
        JUST_A, "same values"},
    {"a pair that stays, its last leaf",
        NESTED("u = s32[2] add(v, x)\nROOT t = (s32[], " INNER ", s32[2]) tuple(j, q, u)",
            OF_PAIR("1")),
        JUST_B, "same values"},
    {"beside a pair that stays",
        NESTED("u = s32[2] add(v, x)\nROOT t = (s32[], " INNER ", s32[2]) tuple(j, q, u)", OF_LAST),
        JUST_B, "open"},
    {"beside a pair that is exchanged",
        NESTED("m = " INNER " tuple(y, x)\nROOT t = (s32[], " INNER ", s32[2]) tuple(j, m, v)",
            OF_LAST),
        JUST_B, "same values"},
    {"a pair that is exchanged",
        NESTED("m = " INNER " tuple(y, x)\nROOT t = (s32[], " INNER ", s32[2]) tuple(j, m, v)",
            OF_PAIR("0")),
        JUST_A, "open"},
};

static void a_leaf_stays_where_the_root_returns_it(void **) {
  const ValuesLimits limits = {.grade = LAW_EXACT};
  uint32_t faults = 0;
  for (size_t i = 0; i < sizeof stays / sizeof *stays; i++) {
    OracleFixture bench = bench_create();
    ValuesVerdict verdict;
    OracleValues *values =
        oracle_values_create(bench.arena, values_case_entry(&bench, stays[i].before),
            values_case_entry(&bench, stays[i].after), &limits);
    oracle_values_query(values, 0, &verdict);
    bool is_same = verdict.answer == REASON_EXACT;
    if (is_same != (strcmp(stays[i].answer, "same values") == 0) ||
        verdict.answer == REASON_TRIED) {
      print_error("%s: %s\n", stays[i].name, values_case_answer(verdict.answer));
      faults++;
    }
    bench_destroy(&bench);
  }
  assert_int_equal(faults, 0);
}

/* Short loops are written out, up to any limit of elements: what is equal is proved or left open,
 * and what differs is never proved. */
/* The answer under a limit that is set after the comparison was made. */
static VerdictReason answer_when_lowered(
    OracleFixture *bench, const ValuesCase *row, uint64_t limit) {
  const ValuesLimits limits = {.elements = 1 << 20, .grade = LAW_EXACT};
  OracleValues *values = oracle_values_create(bench->arena, values_case_entry(bench, row->before),
      values_case_entry(bench, row->after), &limits);
  ValuesVerdict lowered, raised;
  oracle_values_limit(values, limit);
  oracle_values_query(values, 0, &lowered);
  oracle_values_limit(values, 0);
  oracle_values_query(values, 0, &raised);
  if (lowered.answer != REASON_OPEN) assert_int_equal(raised.answer, lowered.answer);
  return lowered.answer;
}

static void limits_leave_loops_open(void **) {
  static const ValuesCase cases[] = {{"the same", STEPS("5", AS_GIVEN, FIBONACCI, "1"),
                                         STEPS("5", EXCHANGED, FIBONACCI_BACK, "2"), "same values"},
      {"another body", STEPS("5", AS_GIVEN, ADDS, "1"), STEPS("5", AS_GIVEN, TAKES, "1"),
          "different"},
      {"one step more", STEPS("5", AS_GIVEN, FIBONACCI, "1"), STEPS("6", AS_GIVEN, FIBONACCI, "1"),
          "different"},
      {"a long one", STEPS(LONG, AS_GIVEN, FIBONACCI, "1"), STEPS(LONG, AS_GIVEN, FIBONACCI, "2"),
          "different"}};
  uint32_t found = 0, left = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (uint64_t limit = 1; limit < 20000; limit += 1 + limit / 8) {
      OracleFixture bench = bench_create();
      const ValuesLimits limits = {.elements = limit, .grade = LAW_EXACT};
      ValuesVerdict verdict;
      OracleValues *values =
          oracle_values_create(bench.arena, values_case_entry(&bench, cases[i].before),
              values_case_entry(&bench, cases[i].after), &limits);
      oracle_values_query(values, 0, &verdict);
      bool is_same = strcmp(cases[i].answer, "same values") == 0;
      if (verdict.answer == (is_same ? REASON_DIFFERENT : REASON_EXACT))
        fail_msg("%s, limit %llu: %s", cases[i].name, (unsigned long long)limit,
            values_case_answer(verdict.answer));
      found += verdict.answer == REASON_EXACT;
      left += verdict.answer == REASON_OPEN;
      if (limit % 2 == 0)
        assert_int_equal(answer_when_lowered(&bench, &cases[i], limit), verdict.answer);
      bench_destroy(&bench);
    }
  assert_true(found > 5 && left > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_leaf_stays_where_the_root_returns_it),
      cmocka_unit_test(long_loops_are_equal_by_induction),
      cmocka_unit_test(long_loops_that_differ_are_not_proved),
      cmocka_unit_test(limits_leave_loops_open),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
