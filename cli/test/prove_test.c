/* affirm prove as a user sees it: output lines, exit status, files. */
#include <signal.h>
#include <sys/resource.h>

#include "cli/test/test_command.h"
#include "core/base/clock.h"
#include "core/base/text.h"

static char *write_rules(const char *text) { return write_text("t.rules", text); }

static void each_verdict_has_its_line_and_status(void **state) {
  (void)state;
  char *rules = write_rules("rule good (c*x + y) floordiv c => x + y floordiv c when c > 0\n");
  Ran ran = RUN(prove, WORD("--no-store"), rules);
  assert_int_equal(ran.status, 0);
  assert_string_equal(ran.printed, "good PROVED (all values)\n");
  rules = write_rules(
      "rule bad x mod c => x when 0 <= lo(x), hi(x) <= c, c > 0\nrule open (c*x) floordiv c => x when c >= 0\n");
  ran = RUN(prove, WORD("--no-store"), rules);
  assert_int_equal(ran.status, 1);
  assert_string_equal(
      ran.printed, arena_printf(arena,
                       "bad REFUTED at x=1, lo(x)=0, hi(x)=1, c=1: left 0, right 1\n"
                       "  %s:1: x mod c => x when 0 <= lo(x), hi(x) <= c, c > 0\n"
                       "  with the values: 1 mod 1 => 1\n"
                       "  true if also hi(x) < c\n"
                       "open REFUTED at x=0, c=0: divisor c = 0; missing guard: c > 0\n"
                       "  %s:2: c*x floordiv c => x when c >= 0\n"
                       "  with the values: 0*0 floordiv 0 => 0\n"
                       "  true if also c > 0\n",
                       rules, rules));
  rules = write_rules("rule low x mod c => x - c*(lo(x) floordiv c) + hi(x) when c > 0\n");
  ran = RUN(prove, WORD("--no-store"), rules);
  assert_contains(ran.printed, "low REFUTED at x=0, lo(x)=0, hi(x)=1, c=1: left 0, right 1\n");
  assert_contains(ran.printed, "  with the values: 0 mod 1 => 0 - 1*(0 floordiv 1) + 1\n");
  rules = write_rules("rule scoped x*c => c*x scope: c in [1, 4]\n");
  assert_string_equal(RUN(prove, WORD("--no-store"), rules).printed,
      "scoped PROVED (all values)\n  note: such a rule cannot run: the left side cannot be matched: a rule on sums needs an operator\n");
}

static void small_budgets_give_unknown(void **state) {
  (void)state;
  char *rules =
      write_rules("rule r c*x in [a, b] => x in [a ceildiv c, b floordiv c] when c > 0\n");
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--rlimit"), WORD("10"), rules);
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "r UNKNOWN (");
}

/* A product of sums has too many terms: the rule is unknown, and the others are judged. */
static void large_polynomials_give_unknown(void **state) {
  (void)state;
  static const char sum[] = "(a + b + c + k + m + n + x + y + z)";
  Text power = text_create(arena);
  for (uint32_t i = 0; i < 13; i++) text_printf(&power, "%s*", sum);
  char *
      rules = write_rules(arena_printf(arena,
         "rule first x mod 1 => 0\nrule large (%s%s) mod 7 => (%s(%s + 7)) mod 7\nrule last x mod 1 => 0\n",
         power.bytes, sum, power.bytes, sum)),
     *rows = path_of("rows.xml");
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--junit"), rows, rules);
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "first PROVED (all values)\n");
  assert_contains(ran.printed,
      "large UNKNOWN (left = right: polynomials of more than 8,000,000 terms in all)\n");
  assert_contains(ran.printed, "last PROVED (all values)\n");
  assert_contains(read_text(rows), "tests=\"3\" failures=\"0\" errors=\"1\"");
}

/* With a small budget the last search and the search for conditions take no seconds. */
static void small_budgets_end_early(void **state) {
  (void)state;
  static const char open[] = "rule s 2*y*(y ceildiv k) => 2*y*((y + k - 1) floordiv k)";
  const double start = clock_processor();
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--rlimit"), WORD("100"),
      write_rules(arena_printf(arena, "%s when k > 0\n", open)));
  assert_contains(ran.printed, "s UNKNOWN (left = right: ");
  ran = RUN(prove, WORD("--no-store"), WORD("--rlimit"), WORD("100"),
      write_rules(arena_printf(arena, "%s\n", open)));
  assert_contains(ran.printed, "s REFUTED at y=0, k=0: divisor k = 0; missing guard: k > 0\n");
  assert_true(clock_processor() - start < 5);
}

static void bad_input_is_status_3(void **state) {
  (void)state;
  Ran ran = RUN(prove, WORD("--no-store"), write_rules("rule r\n  x mod c => d\n"));
  assert_int_equal(ran.status, 3);
  assert_contains(ran.complained, ":2:14: error: 'd' is no letter");
  assert_contains(ran.complained, "             ^");
  ran = RUN(prove, WORD("--no-store"), write_rules("rule r\n  x => x\n  when 1 > 2\n"));
  assert_int_equal(ran.status, 3);
  assert_contains(ran.complained, ":1:1: error: the guard of 'r' can never hold");
  assert_int_equal(RUN(prove, WORD("--no-store"), path_of("missing")).status, 3);
  assert_int_equal(RUN(prove, WORD("--no-store"), write_rules("# nothing\n")).status, 3);
  assert_int_equal(RUN(prove, WORD("--nonsense")).status, 3);
}

/* A rule that does not parse is reported and counted; the others are judged. */
static void statements_are_judged_and_noted(void **state) {
  (void)state;
  Ran ran = RUN(prove, WORD("--no-store"),
      write_rules("rule r\n  x mod c => y\nrule s x = x\nrule t x => x + k - k\n"));
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "r REFUTED");
  assert_contains(ran.printed, "such a rule cannot run: the left side does not bind 'y'");
  assert_contains(ran.printed, "t PROVED");
  assert_contains(ran.complained, ":3:10: error: expected '=>'");
  assert_contains(ran.complained, "3 rules: 1 proved, 1 refuted, 0 unknown, 1 not judged");
}

/* A letter of a near-miss alone is bad input: the note would be false, and hide the example. */
static void a_letter_of_a_near_miss_alone_is_rejected(void **state) {
  (void)state;
  Ran ran = RUN(prove, WORD("--no-store"),
      write_rules("rule r x mod c => x when c > 0, 0 <= lo(x), hi(x) < c\n"
                  "  near-miss: c > 0, 0 <= lo(x), hi(x) <= c, k < 5\n"
                  "  example: (d0) -> (d0 mod 8), domain: d0 in [0, 9]\n"));
  assert_int_equal(ran.status, 3);
  assert_contains(ran.complained, ":2:45: error: the left side does not bind 'k'");
}

/* As simplify --rules rejects them, with its reason. */
static void rules_that_cannot_run_are_noted(void **state) {
  (void)state;
  char *rules = write_rules(
      "rule a x*y => y*x\nrule b (x*y) floordiv 3 => (y*x) floordiv 3\nrule c x + 0 => x*y - y*x\n");
  Ran ran = RUN(prove, WORD("--no-store"), rules);
  assert_contains(ran.printed,
      "a PROVED (all values)\n  note: such a rule cannot run: the left side cannot be matched: it is no linear sum\n");
  assert_contains(ran.printed,
      "b PROVED (all values)\n  note: such a rule cannot run: the left side cannot be matched: the argument is no linear sum\n");
  ran = RUN(prove, WORD("--no-store"), WORD("--json"), rules);
  assert_contains(
      ran.printed, "\"cannot_run\":\"the left side cannot be matched: it is no linear sum\"");
}

static void examples_and_orders_are_checked(void **state) {
  (void)state;
  static const char text[] = "rule r x mod c => x\nwhen c > 0, 0 <= lo(x), hi(x) < c\n%s\n";
#define OF(line) write_rules(arena_printf(arena, text, line))
  Ran ran = RUN(prove, WORD("--no-store"),
      OF("order: weight\nexample: (d0) -> (d0 mod 8), domain: d0 in [0, 7]"));
  assert_int_equal(ran.status, 0);
  assert_string_equal(ran.printed, "r PROVED (all values)\n");
  ran = RUN(prove, WORD("--no-store"), OF("example: (d0) -> (d0 mod 8), domain: d0 in [0, 8]"));
  assert_int_equal(ran.status, 1);
  assert_string_equal(ran.printed,
      "r PROVED (all values)\n  example of r: REFUTED, the rule does not fire on this map\n");
  ran = RUN(
      prove, WORD("--no-store"), WORD("--json"), OF("example: (d0) -> (d0), domain: d0 in [0, 8]"));
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "{\"version\":1,\"rule\":\"r\",\"example\":\"REFUTED\"}\n");
  ran = RUN(prove, WORD("--no-store"), OF("example: this is no map"));
  assert_int_equal(ran.status, 3);
  assert_string_equal(ran.printed, "");
  assert_contains(ran.complained,
      ":3:10: error: the example is no map: expected a map: '(' before its dimensions");
  ran = RUN(prove, WORD("--no-store"), OF("example: (d0) -> (d1), domain: d0 in [0, 8]"));
  assert_contains(ran.complained, ":3:19: error: the example is no map: unknown name 'd1'");
  static const char *const orders[] = {
      "rubbish", "weight, then rubbish", "rubbish, then weight", "weight,then late"};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    ran = RUN(prove, WORD("--no-store"), OF(arena_printf(arena, "order: %s", orders[i])));
    assert_int_equal(ran.status, 3);
    assert_contains(ran.complained, ":3:8: error: not an order: expected parts joined by");
  }
#undef OF
}

/* The example needs an engine's rule before this one: alone the rule finds nothing. */
static void examples_run_with_the_engines_rules(void **state) {
  (void)state;
  char *rules = write_rules(
      "rule r (x mod 6) mod 4 => max(x mod 6 - 4, (x mod 6) mod 4)\nexample: (d0) -> (min(d0 mod 6, 7) mod 4), domain: d0 in [0, 90]\n");
  Ran ran = RUN(prove, WORD("--no-store"), rules);
  assert_string_equal(ran.printed, "r PROVED (all values)\n");
  assert_int_equal(ran.status, 0);
}

static void coverage_names_witnesses_and_refutations(void **state) {
  (void)state;
  Ran ran = RUN(prove, WORD("--coverage"));
  assert_int_equal(ran.status, 0);
  assert_contains(ran.printed, "rule floordiv-known: holds at ");
  assert_contains(ran.printed, "; its negative example is refuted at ");
  assert_contains(ran.printed, "opcode reverse: ");
  assert_contains(ran.printed, "fewer: opcode sort: no claim at every size\n");
  assert_null(strstr(ran.printed, "fewer: rule"));
  assert_contains(
      ran.printed, "\nattribute SLICE: 0:2 and 1:3 have other values by oracle and smt\n");
  assert_contains(
      ran.printed, "fewer: attribute LOWER: true and false have other values by nobody\n");
  assert_contains(ran.printed, "fewer: attribute LITERAL: 1 and 2 have other values by nobody\n");
  assert_contains(
      ran.printed, "fewer: attribute K: another number gives outputs of another shape\n");
  assert_contains(ran.printed, "\noperator ceildiv: ");
  assert_contains(ran.printed, "\noperator gcd: 1 rule with an instance and ");
  assert_contains(ran.printed, "\nclaim broadcast rank 1, pattern 0, o2i: holds at ");
  assert_contains(ran.printed, "\nclaim dynamic-update-slice rank 4, ");
  assert_null(strstr(ran.printed, "fewer: claim"));
  assert_null(strstr(ran.printed, "no pair of modules"));
}

static void coverage_of_files_derives_negative_examples(void **state) {
  (void)state;
  Ran ran = RUN(prove, WORD("--coverage"),
      write_rules("rule r\n  x mod c => x when c > 0, 0 <= lo(x), hi(x) < c\n"
                  "rule idle\n  x => x + 1 when c > 0, c*c < 0\n"));
  assert_int_equal(ran.status, 0);
  assert_contains(ran.printed, "rule r: holds at ");
  assert_contains(ran.printed, "; without 0 <= lo(x) it is refuted at ");
  assert_contains(ran.printed, "fewer: rule idle: no values satisfy the guard\n");
  ran = RUN(prove, WORD("--coverage"), write_rules("rule bad x floordiv c => x when c > 0\n"));
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "refuted: rule bad at ");
  ran = RUN(prove, WORD("--coverage"),
      write_rules("rule r\n  x floordiv c => 0\n  when c > 0, 0 <= lo(x), hi(x) < 5\n"
                  "  scope: c in [5, 9]\n"));
  assert_int_equal(ran.status, 0);
  assert_contains(ran.printed, "rule r: holds at ");
  assert_int_equal(RUN(prove, WORD("--coverage"), WORD("no-such-file")).status, 3);
  ran = RUN(prove, WORD("--coverage"),
      write_rules("rule a x + 0 => x\n  order: sideways\nrule b x * 1 => x\n  example: no map\n"));
  assert_int_equal(ran.status, 3);
  assert_contains(ran.complained, "2:10: error: not an order");
  assert_contains(ran.complained, "4:12: error: the example is no map");
  assert_int_equal(RUN(prove, WORD("--coverage"), write_rules("rule r x x\n")).status, 3);
}

/* A file without rules is no pass, and files with other names are counted, also with --order. */
static void coverage_and_order_say_what_they_do_not_read(void **state) {
  (void)state;
  Ran ran = RUN(prove, WORD("--coverage"), write_rules("# nothing\n"));
  assert_int_equal(ran.status, 3);
  assert_contains(ran.complained, "t.rules: no rules");
  (void)write_rules("rule r x + 0 => x order: weight\n");
  (void)write_text("t.txt", "");
  ran = RUN(prove, WORD("--coverage"), directory);
  assert_int_equal(ran.status, 0);
  assert_contains(ran.complained, "1 rule; passed over ");
  ran = RUN(prove, WORD("--order"), directory);
  assert_contains(ran.complained, "; passed over ");
}

static void json_is_a_line_a_rule(void **state) {
  (void)state;
  char *rules = write_rules("rule bad x floordiv c => x when c > 0\nrule good x floordiv 1 => x\n");
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--json"), rules);
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "\"rule\":\"bad\"");
  assert_contains(ran.printed, "\"verdict\":\"REFUTED\"");
  assert_contains(ran.printed, "}\n{\"version\":1,\"rule\":\"good\"");
}

static void a_guard_that_never_holds_has_an_object(void **) {
  char *rules =
      write_rules("rule never x => x + 1 when c > 0, c < 0\nrule good x floordiv 1 => x\n");
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--json"), rules);
  assert_int_equal(ran.status, 3);
  assert_contains(ran.printed, "\"line\":1,\"answer\":\"bad input\"");
  assert_contains(ran.printed, "\"bad input\":1");
}

static void obligations_are_written(void **state) {
  (void)state;
  char *rules = write_rules("rule a/b (c*x + y) floordiv c => x + y floordiv c when c > 0\n");
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--smt2"), path_of("smt"), rules);
  assert_int_equal(ran.status, 0);
  const char *text = read_text(path_of("smt/a_b.001.smt2"));
  assert_non_null(strstr(text, "(set-logic QF_LIA)"));
  assert_non_null(strstr(text, "(check-sat)"));
}

static void theorem_is_in(const char *file) {
  const char *text = read_text(path_of(arena_printf(arena, "names/rule_%s.v", file)));
  assert_contains(text, arena_printf(arena, "Theorem rule_%s : forall", file));
}

static void a_theorem_without_letters_has_no_quantifier(void **) {
  char *rules = write_rules("rule n 7 mod 4 => 3\n");
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--coq"), path_of("numbers"), rules);
  assert_int_equal(ran.status, 0);
  assert_contains(read_text(path_of("numbers/rule_n.v")), "Theorem rule_n :\n");
}

/* Names that differ in what no file name or theorem may contain have different files in the
 * directory, and a theorem has the name of its file. */
static void names_of_rules_become_names_of_files(void **) {
  static const char *const names[] = {"a-b", "a_b", "a/b", "../z", "a(b", "\u00e9"},
                           *const theorems[] = {"a_b", "a_b_2", "a_b_3", "___z", "a_b_4", "__"},
                           *const files[] = {"a-b", "a_b", "a_b-2", "___z", "a_b-3", "__"};
  Text text = text_create(arena);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    text_printf(&text,
        "rule %s\n  (x floordiv %zu) floordiv 2 => x floordiv %zu\n  order: weight\n", names[i],
        i + 2, 2 * i + 4);
  char *rules = write_rules(text.bytes), *to = path_of("names"), *order = path_of("orders");
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--coq"), to, WORD("--certificate"), to,
      WORD("--smt2"), to, rules);
  assert_int_equal(ran.status, 0);
  (void)RUN(prove, WORD("--order"), WORD("--certificate"), order, rules);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    theorem_is_in(theorems[i]);
    const char *certificate = read_text(path_of(arena_printf(arena, "names/%s.cert", files[i])));
    assert_contains(certificate, arena_printf(arena, "rule %s\n", names[i]));
    assert_int_equal(access(path_of(arena_printf(arena, "names/%s.001.smt2", files[i])), F_OK), 0);
  }
  static const char *const orders[] = {
      "a-b_weight", "a_b_weight", "a_b_weight-2", "___z_weight", "a_b_weight-3", "___weight"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_contains(read_text(path_of(arena_printf(arena, "orders/%s.cert", orders[i]))),
        arena_printf(arena, "rule %s/weight\n", names[i]));
}

static void the_store_answers_the_second_time(void **state) {
  (void)state;
  char *rules = write_rules("rule good (c*x + y) floordiv c => x + y floordiv c when c > 0\n"),
       *store = path_of("new/p.sqlite");
  Ran first = RUN(prove, WORD("--json"), WORD("--store"), store, rules),
      second = RUN(prove, WORD("--json"), WORD("--store"), store, rules);
  assert_non_null(strstr(first.printed, "\"from_store\":0"));
  assert_non_null(strstr(second.printed, "\"from_store\":1"));
  assert_int_equal(RUN(prove, WORD("--store"), WORD("/proc/nowhere/p.sqlite"), rules).status, 3);
}

static void explanations_state_the_query(void **state) {
  (void)state;
  char *rules =
      write_rules("rule r (x floordiv a) floordiv b => x floordiv (a*b) when a > 0, b > 0\n");
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--explain"), rules);
  assert_contains(ran.printed, "[quotient of a quotient]");
  assert_contains(ran.printed, "(check-sat)");
  assert_contains(ran.printed, "note: the right side leaves int64");
}

/* The environment selects the store; if there is none, that is reported. */
static void the_usual_store_is_printed(void **state) {
  (void)state;
  char *rules = write_rules("rule good x floordiv 1 => x\n");
  unsetenv("AFFIRM_STORE");
  setenv("XDG_CACHE_HOME", directory, 1);
  setenv("CI", "true", 1);
  Ran ran = RUN(prove, rules);
  assert_int_equal(ran.status, 0);
  assert_contains(ran.complained, "no proof store: CI is set");
  assert_int_not_equal(access(path_of("affirm"), F_OK), 0);
  unsetenv("CI");
  assert_string_equal(RUN(prove, rules).printed, "good PROVED (all values)\n");
  assert_string_equal(RUN(prove, rules).printed, "good PROVED (all values)  [from the store]\n");
  assert_int_equal(access(path_of("affirm/proofs.sqlite"), F_OK), 0);
}

/* A disk that becomes full during a run: each verdict remains valid, and the state of the store is
 * reported. SQLite needs 32 KB to open a store at all. */
static void a_full_store_is_reported(void **state) {
  (void)state;
  Text rules = text_create(arena);
  for (int i = 2; i < 14; i++)
    text_printf(&rules, "rule r%d\n  (x*%d + y) floordiv %d => x + y floordiv %d\n", i, i, i, i);
  struct rlimit before;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 32'768, .rlim_max = before.rlim_max});
  Ran ran = RUN(prove, WORD("--store"), path_of("p.sqlite"), write_rules(rules.bytes));
  setrlimit(RLIMIT_FSIZE, &before);
  assert_int_equal(ran.status, 0);
  assert_contains(ran.printed, "r13 PROVED (all values)");
  assert_contains(ran.complained, "continuing without the proof store; no verdict is lost");
}

/* The reason is printed, also with --quiet and as JSON, and the exit status is 2. */
static void a_proof_without_certificate_says_why(void **state) {
  (void)state;
  char *rules = write_rules("constant i\nrule r x + i - i => x\n"), *to = path_of("certificates");
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--certificate"), to, rules);
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "r PROVED");
  assert_contains(ran.printed, "  no certificate: declared letters are in no certificate\n");
  ran = RUN(prove, WORD("--no-store"), WORD("--quiet"), WORD("--certificate"), to, rules);
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "  no certificate: declared letters are in no certificate\n");
  ran = RUN(prove, WORD("--no-store"), WORD("--json"), WORD("--certificate"), to, rules);
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "\"no_certificate\":\"declared letters are in no certificate\"");
}

static void a_gcd_of_two_numbers_has_no_certificate(void **state) {
  (void)state;
  char *
      rules = write_rules(
         "rule r y mod c => y mod c + 0 when c > 0, gcd(4, -1) == 1\nrule s x + gcd(5, 5) => x + 5\n"),
     *to = path_of("gcds");
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--certificate"), to, rules);
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "r PROVED (all values)\n  no certificate: a gcd of two numbers\n");
  assert_contains(ran.printed, "s PROVED (all values)\n");
  assert_contains(ran.printed, "  certificate: ");
}

/* The rule's row is open, also beside another fault, and states the reason. */
static void a_missing_certificate_has_a_row(void **state) {
  (void)state;
  char *rules = write_rules("rule q x mod gcd(4, 6) => x mod 2\nrule r x mod 2 => 0\n"),
       *rows = path_of("rows.xml");
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--certificate"), path_of("to"), WORD("--junit"),
      rows, rules);
  assert_int_equal(ran.status, 1);
  const char *written = read_text(rows);
  assert_contains(written, "<testsuite name=\"rules\" tests=\"2\" failures=\"1\" errors=\"1\"");
  assert_contains(
      written, "<error type=\"open\" message=\"no certificate: a gcd of two numbers\">");
  ran = RUN(prove, WORD("--no-store"), WORD("--explain"), WORD("--junit"), rows, rules);
  assert_contains(
      read_text(rows), "<testsuite name=\"rules\" tests=\"2\" failures=\"1\" errors=\"0\"");
}

/* The row is that of the negative example, beside the rule's own. */
static void a_negative_example_without_values_is_bad_input(void **state) {
  (void)state;
  char *rules = write_rules(
           "rule r x mod c => x when 0 <= lo(x), hi(x) < c\n near-miss: c > 0, c < 0\n"),
       *rows = path_of("rows.xml");
  static const char why[] = "the guard of the negative example of 'r' can never hold";
  Ran ran = RUN(prove, WORD("--no-store"), WORD("--junit"), rows, rules);
  assert_int_equal(ran.status, 3);
  assert_string_equal(ran.printed, "r PROVED (all values)\n");
  assert_contains(ran.complained, why);
  const char *written = read_text(rows);
  assert_contains(written, "<testsuite name=\"rules\" tests=\"1\" failures=\"0\" errors=\"0\"");
  assert_contains(
      written, "<testsuite name=\"negative examples\" tests=\"1\" failures=\"0\" errors=\"1\"");
  assert_contains(written, why);
  ran =
      RUN(prove, WORD("--no-store"), write_rules("rule r x => x when 1 > 2\n near-miss: x + 1\n"));
  assert_int_equal(ran.status, 3);
  assert_contains(ran.complained, "the guard of 'r' can never hold");
  assert_null(strstr(ran.complained, "negative example"));
}

/* Also where the rule is proved without its scope, and from the store. */
static void overflow_is_noted_within_the_scope(void **state) {
  (void)state;
  static const char rule[] =
      "rule r 6 floordiv c in [a, b] => 6 in [c*a, b*c + (c - 1)] when c > 0 scope: c in [2, 8], a in [0,",
                    rest[] = "], b in [0, 3]\n";
  char *near = write_rules(arena_printf(arena, "%s 3%s", rule, rest)),
       *store = path_of("scopes.sqlite");
  for (uint32_t i = 0; i < 2; i++) {
    Ran ran = RUN(prove, WORD("--store"), store, near);
    assert_contains(ran.printed, "r PROVED (all values)");
    assert_null(strstr(ran.printed, "leaves int64"));
  }
  Ran ran = RUN(prove, WORD("--no-store"),
      write_rules(arena_printf(arena, "%s 9223372036854775807%s", rule, rest)));
  assert_contains(ran.printed, "the right side leaves int64");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(
          each_verdict_has_its_line_and_status, command_begin, command_end),
      cmocka_unit_test_setup_teardown(small_budgets_give_unknown, command_begin, command_end),
      cmocka_unit_test_setup_teardown(large_polynomials_give_unknown, command_begin, command_end),
      cmocka_unit_test_setup_teardown(small_budgets_end_early, command_begin, command_end),
      cmocka_unit_test_setup_teardown(bad_input_is_status_3, command_begin, command_end),
      cmocka_unit_test_setup_teardown(statements_are_judged_and_noted, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          coverage_names_witnesses_and_refutations, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          coverage_of_files_derives_negative_examples, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          coverage_and_order_say_what_they_do_not_read, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          a_letter_of_a_near_miss_alone_is_rejected, command_begin, command_end),
      cmocka_unit_test_setup_teardown(rules_that_cannot_run_are_noted, command_begin, command_end),
      cmocka_unit_test_setup_teardown(examples_and_orders_are_checked, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          examples_run_with_the_engines_rules, command_begin, command_end),
      cmocka_unit_test_setup_teardown(json_is_a_line_a_rule, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          a_guard_that_never_holds_has_an_object, command_begin, command_end),
      cmocka_unit_test_setup_teardown(obligations_are_written, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          a_theorem_without_letters_has_no_quantifier, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          names_of_rules_become_names_of_files, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          the_store_answers_the_second_time, command_begin, command_end),
      cmocka_unit_test_setup_teardown(explanations_state_the_query, command_begin, command_end),
      cmocka_unit_test_setup_teardown(the_usual_store_is_printed, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          a_proof_without_certificate_says_why, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          a_gcd_of_two_numbers_has_no_certificate, command_begin, command_end),
      cmocka_unit_test_setup_teardown(a_missing_certificate_has_a_row, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          a_negative_example_without_values_is_bad_input, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          overflow_is_noted_within_the_scope, command_begin, command_end),
      cmocka_unit_test_setup_teardown(a_full_store_is_reported, command_begin, command_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
