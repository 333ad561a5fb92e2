/* Tests of certificates with affirm-check. Each engine rule has a certificate that is accepted.
 * Mutated certificates are rejected, with one exception: the multiplier of a sum of one fact,
 * because every positive multiple of a negative number is negative. If a mutated rule is accepted,
 * it must be true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/edges.h"
#include "proof/write/certificate.h"
#include "smt/rules/prove.h"
#include "smt/rules/rule_sample.h"

extern char **environ;

typedef struct Proved {
  const char *name, *rule, *certificate;
} Proved;

typedef struct Fixture {
  Arena *arena;
  uint32_t count, capacity;
  Proved *items;
  char directory[64];
  Dice dice;
} Fixture;

static void file_put(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

/* The exit status of affirm-check. Its output goes to a file in the directory. */
static int check_run(const Fixture *fixture, const char *rule, const char *certificate) {
  char rules[128], certificates[128], output[128];
  snprintf(rules, sizeof rules, "%s/rules", fixture->directory);
  snprintf(certificates, sizeof certificates, "%s/cert", fixture->directory);
  snprintf(output, sizeof output, "%s/out", fixture->directory);
  file_put(rules, rule);
  file_put(certificates, certificate);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output, 1 | 0x40 | 0x200, 0600);
  char *arguments[] = {AFFIRM_CHECK, rules, certificates, nullptr};
  pid_t child;
  assert_int_equal(posix_spawn(&child, AFFIRM_CHECK, &actions, nullptr, arguments, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/* Without a text: its `why` says the reason. */
static Certificate certificate_of(Fixture *fixture, const Rule *rule) {
  ProveOptions options = {.want_refutation = true};
  RuleVerdict verdict;
  Error error = {};
  assert_true(prove_rule(fixture->arena, rule, &options, &verdict, &error));
  assert_int_equal(verdict.answer, VERDICT_PROVED);
  assert_non_null(verdict.refutation);
  return certificate_write(fixture->arena, refutations_create(fixture->arena, verdict.refutation));
}

static void rule_keep(Fixture *fixture, const Rule *rule) {
  Certificate certificate = certificate_of(fixture, rule);
  if (certificate.text == nullptr) fail_msg("%s: %s", rule->name, certificate.why);
  Text text = text_create(fixture->arena);
  rule_print(&text, rule);
  *ARENA_PUSH(fixture->arena, fixture) =
      (Proved){.name = rule->name, .rule = text.bytes, .certificate = certificate.text};
}

/* With a sanitizer, every third rule: the rules are many of a kind. */
static uint32_t rule_step(void) { return getenv("AFFIRM_FEW") != nullptr ? 3 : 1; }

static int certificate_prepare(void **state) {
  Fixture *fixture = calloc(1, sizeof *fixture);
  fixture->arena = arena_create();
  fixture->dice = (Dice){7};
  snprintf(fixture->directory, sizeof fixture->directory, "%s/affirm-certificate-XXXXXX", P_tmpdir);
  assert_non_null(mkdtemp(fixture->directory));
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_engine(fixture->arena, &rules, &error));
  for (uint32_t i = 0; i < rules.count; i += rule_step()) rule_keep(fixture, &rules.items[i]);
  if (rule_step() > 1) print_message("skipped: two of three rules\n");
  *state = fixture;
  return 0;
}

static int clean_up(void **state) {
  Fixture *fixture = *state;
  static const char *const names[] = {"rules", "cert", "out"};
  char path[128];
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", fixture->directory, names[i]);
    unlink(path);
  }
  rmdir(fixture->directory);
  arena_destroy(fixture->arena);
  free(fixture);
  return 0;
}

static void every_engine_rule_has_an_accepted_certificate(void **state) {
  const Fixture *fixture = *state;
  assert_true(fixture->count > 50 / rule_step());
  for (uint32_t i = 0; i < fixture->count; i++)
    if (check_run(fixture, fixture->items[i].rule, fixture->items[i].certificate) != 0)
      fail_msg("%s is rejected:\n%s", fixture->items[i].name, fixture->items[i].certificate);
}

/* The sums of a proof with such constants leave the range of the certificate's arithmetic. Then
 * there is no certificate, with a reason. */
static void constants_at_the_edges_have_a_right_certificate_or_none(void **state) {
  static const char *const forms[] = {"(x + %lld) mod %lld => x mod %lld",
      "(x + %lld) floordiv %lld => x floordiv %lld + 1",
      "(x - %lld) ceildiv %lld => x ceildiv %lld - 1", "gcd(a*%lld, %lld) => %lld",
      "(%lld*x + y) floordiv %lld => x + y floordiv %lld"};
  Fixture *fixture = *state;
  uint32_t written = 0, refused = 0;
  for (uint32_t i = 0; i < edge_count * (sizeof forms / sizeof *forms); i++) {
    long long edge = edge_integer(i % edge_count);
    if (edge < 2) continue;
    char text[256];
    size_t length = (size_t)snprintf(text, sizeof text, "rule at_the_edge\n  ");
    length += (size_t)snprintf(
        text + length, sizeof text - length, forms[i / edge_count], edge, edge, edge);
    snprintf(text + length, sizeof text - length, "\n");
    Source source = {.name = "edges", .text = text, .length = strlen(text), .first_line = 1};
    RuleSet rules = {};
    Error error = {};
    assert_true(rules_parse(fixture->arena, &source, &rules, &error));
    Certificate certificate = certificate_of(fixture, &rules.items[0]);
    if (certificate.text == nullptr) assert_true(certificate.why[0] != 0);
    else if (check_run(fixture, text, certificate.text) != 0)
      fail_msg("%s is rejected:\n%s", text, certificate.text);
    written += certificate.text != nullptr;
    refused += certificate.text == nullptr;
  }
  print_message("%u certificates, and %u proofs without one\n", written, refused);
  assert_true(written > 20 && refused > 10);
}

/* The prover knows that a gcd with a number is a divisor of the number; the certificate shows it.
 */
static void gcds_with_a_number_have_a_certificate(void **state) {
  static const char *const rules[] = {"gcd(a, 1) => 1", "x*gcd(1, a*c) => x", "gcd(a, -1) => 1",
      "gcd(a, 2)*x => x when a == 2*k + 1", "gcd(a, 4) mod 5 => gcd(a, 4)",
      "gcd(a, 0 - 3) mod 4 => gcd(a, 0 - 3)", "x floordiv gcd(a, 6) => x when a == 6*k + 1",
      "(gcd(a, 6) - 4)*(gcd(a, 6) - 4) in [1, 9] => 0 in [0, 0]",
      "gcd(a, 4)*(4 floordiv gcd(a, 4)) => 4", "gcd(a, 2)*x in [0, 0] => x in [0, 0]"};
  Fixture *fixture = *state;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    const char *text = arena_printf(fixture->arena, "rule gcd\n  %s\n", rules[i]);
    Source source = {.name = "gcd", .text = text, .length = strlen(text), .first_line = 1};
    RuleSet set = {};
    RuleFaults faults = {};
    rules_parse_statements(fixture->arena, &source, &set, &faults);
    assert_int_equal(faults.count, 0);
    Certificate certificate = certificate_of(fixture, &set.items[0]);
    if (certificate.text == nullptr) fail_msg("%s: %s", rules[i], certificate.why);
    assert_int_equal(check_run(fixture, text, certificate.text), 0);
  }
}

static void half_a_certificate_is_rejected(void **state) {
  const Fixture *fixture = *state;
  for (uint32_t i = 0; i < fixture->count; i++) {
    const Proved *proved = &fixture->items[i];
    size_t length = strlen(proved->certificate);
    for (size_t part = 0; part < 8; part++) {
      char *cut = arena_text(fixture->arena, proved->certificate, length * part / 8);
      assert_int_equal(check_run(fixture, proved->rule, cut), 1);
    }
    const Proved *other = &fixture->items[(i + 1) % fixture->count];
    assert_int_equal(check_run(fixture, other->rule, proved->certificate), 1);
  }
}

typedef enum CertificateMutation : uint8_t {
  MUTATE_MULTIPLIER, /* of a fact in a sum */
  MUTATE_SIGN,       /* of a coefficient, a number or a multiplier */
  MUTATE_BOUND,      /* an integer in a stated fact or an instance */
  MUTATE_CLAUSE,     /* a label or a relation */
  MUTATE_DEFINITION, /* a letter or a name in a definition */
  MUTATE_RULE,       /* the rule's text */
  MUTATE_OMISSION,   /* a removed line */
  MUTATIONS
} CertificateMutation;

static const char *const mutation_names[] = {
    "multiplier", "sign", "bound", "clause", "definition", "rule", "omission"};

static size_t dice_below(Fixture *fixture, size_t count) {
  return (size_t)dice_range(&fixture->dice, 0, (int64_t)count - 1);
}

/* A random position at which `fits` holds; strlen if there is none. */
static size_t position_pick(
    Fixture *fixture, const char *text, bool (*fits)(const char *text, size_t at)) {
  size_t length = strlen(text), found = length, count = 0;
  for (size_t at = 0; at < length; at++)
    if (fits(text, at) && dice_below(fixture, ++count) == 0) found = at;
  return found;
}

static bool starts_integer(const char *text, size_t at) {
  return isdigit(text[at]) && (at == 0 || (!isalnum(text[at - 1]) && text[at - 1] != '.'));
}

static const char *line_of(const char *text, size_t at) {
  while (at > 0 && text[at - 1] != '\n') at--;
  return text + at;
}

static bool is_in_clause(const char *text, size_t at) {
  const char *line = line_of(text, at), *colon = strchr(line, ':');
  return isdigit(line[0]) && colon != nullptr && colon < text + at;
}

static bool is_multiplier(const char *text, size_t at) {
  if (!starts_integer(text, at) || is_in_clause(text, at)) return false;
  while (isdigit(text[at])) at++;
  return text[at] == '*' &&
         (isdigit(text[at + 1]) || strncmp(text + at + 1, "goal", 4) == 0 ||
             strncmp(text + at + 1, "low", 3) == 0 || strncmp(text + at + 1, "high", 4) == 0);
}

static bool is_label(const char *text, size_t at) {
  return starts_integer(text, at) && at > 5 && !is_in_clause(text, at) &&
         (text[at - 1] == '*' || strncmp(text + at - 6, "cases ", 6) == 0);
}

static bool is_bound(const char *text, size_t at) {
  return starts_integer(text, at) && isdigit(line_of(text, at)[0]) &&
         line_of(text, at) != text + at && strncmp(text + at - 6, "guard ", 6) != 0 &&
         strncmp(text + at - 8, "divisor ", 8) != 0;
}

static bool is_sign(const char *text, size_t at) {
  return (text[at] == '-' || text[at] == '+') && strncmp(line_of(text, at), "rule", 4) != 0;
}

static bool is_relation(const char *text, size_t at) { return strncmp(text + at, " >= 0", 5) == 0; }

static bool is_letter_of_definition(const char *text, size_t at) {
  return strncmp(line_of(text, at), "define", 6) == 0 &&
         strchr("abckmnuvwxyzq", text[at]) != nullptr && text[at] != 0 && !isalnum(text[at - 1]) &&
         !isalpha(text[at + 1]) && strchr(line_of(text, at), '(') < text + at;
}

static bool is_rule_position(const char *text, size_t at) {
  if (strncmp(line_of(text, at), "rule", 4) == 0) return false;
  const char *order = strstr(text, "\n  order:"), *negative = strstr(text, "\n  near-miss:");
  if ((order != nullptr && text + at > order) || (negative != nullptr && text + at > negative))
    return false;
  bool is_letter =
      isalpha(text[at]) && (at == 0 || !isalnum(text[at - 1])) && !isalpha(text[at + 1]);
  return is_letter || starts_integer(text, at) || strncmp(text + at, " < ", 3) == 0 ||
         strncmp(text + at, " <= ", 4) == 0 || text[at] == '+' ||
         (text[at] == '-' && text[at + 1] == ' ');
}

static bool is_line(const char *text, size_t at) { return text[at] == '\n' && text[at + 1] != 0; }

/* Replaces `length` bytes at a position by `with`. */
static const char *text_replace(
    Fixture *fixture, const char *text, size_t at, size_t length, const char *with) {
  return arena_printf(fixture->arena, "%.*s%s%s", (int)at, text, with, text + at + length);
}

static const char *integer_change(Fixture *fixture, const char *text, size_t at) {
  size_t length = strspn(text + at, "0123456789");
  long value = strtol(text + at, nullptr, 10), by = (long)dice_range(&fixture->dice, 1, 2);
  if (dice_below(fixture, 2) == 0 && value >= by) by = -by;
  return text_replace(fixture, text, at, length, arena_printf(fixture->arena, "%ld", value + by));
}

static const char *sign_change(Fixture *fixture, const char *text, size_t at) {
  return text_replace(fixture, text, at, 1, text[at] == '-' ? "+" : "-");
}

static const char *letter_change(Fixture *fixture, const char *text, size_t at) {
  static const char *const letters[] = {"a", "b", "c", "x", "y"};
  return text_replace(fixture, text, at, 1, letters[dice_below(fixture, 5)]);
}

static const char *rule_change(Fixture *fixture, const char *text, size_t at) {
  if (isdigit(text[at])) return integer_change(fixture, text, at);
  if (text[at] == '+' || text[at] == '-') return sign_change(fixture, text, at);
  if (strncmp(text + at, " < ", 3) == 0) return text_replace(fixture, text, at, 3, " <= ");
  if (strncmp(text + at, " <= ", 4) == 0) return text_replace(fixture, text, at, 4, " < ");
  return letter_change(fixture, text, at);
}

/* nullptr if the text has no position for this mutation. */
static const char *certificate_mutate(
    Fixture *fixture, CertificateMutation mutation, const char *text) {
  static bool (*const positions[])(const char *, size_t) = {[MUTATE_MULTIPLIER] = is_multiplier,
      [MUTATE_SIGN] = is_sign,
      [MUTATE_BOUND] = is_bound,
      [MUTATE_CLAUSE] = is_label,
      [MUTATE_DEFINITION] = is_letter_of_definition,
      [MUTATE_RULE] = is_rule_position,
      [MUTATE_OMISSION] = is_line};
  bool is_relation_change = mutation == MUTATE_CLAUSE && dice_below(fixture, 4) == 0;
  size_t at = position_pick(fixture, text, is_relation_change ? is_relation : positions[mutation]);
  if (text[at] == 0) return nullptr;
  switch (mutation) {
    case MUTATE_MULTIPLIER:
    case MUTATE_BOUND: return integer_change(fixture, text, at);
    case MUTATE_CLAUSE:
      return is_relation_change ? text_replace(fixture, text, at, 5, " = 0")
                                : integer_change(fixture, text, at);
    case MUTATE_SIGN: return sign_change(fixture, text, at);
    case MUTATE_DEFINITION: return letter_change(fixture, text, at);
    case MUTATE_RULE: return rule_change(fixture, text, at);
    case MUTATE_OMISSION:
      return text_replace(fixture, text, at + 1, strcspn(text + at + 1, "\n") + 1, "");
    case MUTATIONS: break;
  }
  return nullptr;
}

/* True if the text does not parse, cannot be judged, or is a rule that the prover proves. */
static bool is_true_rule(Fixture *fixture, const char *text) {
  Source source = {.name = "mutant", .text = text, .length = strlen(text)};
  RuleSet rules = {};
  Error error = {};
  if (!rules_parse(fixture->arena, &source, &rules, &error)) return true;
  RuleVerdict verdict;
  ProveOptions options = {};
  if (!prove_rule(fixture->arena, &rules.items[0], &options, &verdict, &error)) return true;
  return verdict.answer == VERDICT_PROVED;
}

/* True if a sum of one fact has a multiplier above 1. */
static bool has_scaled_number(const char *text) {
  for (const char *sum = strstr(text, "sum "); sum != nullptr; sum = strstr(sum + 1, "sum ")) {
    size_t digits = strspn(sum + 4, "0123456789"), rest = strcspn(sum + 4, " \n");
    bool is_last = strncmp(sum + 4 + rest, " +", 2) != 0;
    if (is_last && sum[4 + digits] == '*' && strtol(sum + 4, nullptr, 10) > 1) return true;
  }
  return false;
}

/* The single fact of a clause, without its constant: "c" of "1 guard 1: c - 2 >= 0"; nullptr if the
 * clause has several facts. */
static const char *fact_without_number(Fixture *fixture, const char *text, long label) {
  const char *line = strstr(text, arena_printf(fixture->arena, "\n%ld ", label));
  const char *colon = line == nullptr ? nullptr : strchr(line, ':');
  if (colon == nullptr) return nullptr;
  size_t length = strcspn(colon, "|,=>\n"), end = length - 1;
  if (colon[length] != '>' || strcspn(colon, "|,\n") != strcspn(colon, "\n")) return nullptr;
  while (end > 0 && isdigit(colon[end - 1])) end--;
  return arena_text(fixture->arena, colon, end > 3 && end < length - 1 ? end - 3 : length - 1);
}

/* True if a changed label refers to a fact that differs from the previous one only in its constant.
 * The sum is then still a number. */
static bool has_like_fact(Fixture *fixture, const char *before, const char *after) {
  size_t at = 0;
  while (before[at] == after[at]) at++;
  while (at > 0 && isdigit(before[at - 1])) at--;
  const char *old_fact = fact_without_number(fixture, before, strtol(before + at, nullptr, 10)),
             *new_fact = fact_without_number(fixture, before, strtol(after + at, nullptr, 10));
  return old_fact != nullptr && new_fact != nullptr && strcmp(old_fact, new_fact) == 0;
}

static void mutants_are_rejected(void **state) {
  Fixture *fixture = *state;
  uint32_t tried[MUTATIONS] = {}, accepted[MUTATIONS] = {}, wanted = 700;
  const char *queried = getenv("AFFIRM_MUTANTS");
  if (queried != nullptr) wanted = (uint32_t)atoi(queried);
  else if (getenv("AFFIRM_NIGHTLY") != nullptr) wanted = 10'000;
  else if (getenv("AFFIRM_FEW") != nullptr) wanted = 70;
  for (uint32_t i = 0; i < wanted; i++) {
    ArenaMark mark = arena_mark(fixture->arena);
    CertificateMutation mutation = (CertificateMutation)(i % MUTATIONS);
    const Proved *proved = &fixture->items[dice_below(fixture, fixture->count)];
    bool is_rule = mutation == MUTATE_RULE;
    const char *before = is_rule ? proved->rule : proved->certificate,
               *after = certificate_mutate(fixture, mutation, before);
    if (after == nullptr || strcmp(before, after) == 0) continue;
    tried[mutation]++;
    int status =
        check_run(fixture, is_rule ? after : proved->rule, is_rule ? proved->certificate : after);
    assert_true(status == 0 || status == 1);
    accepted[mutation] += status == 0;
    if (status == 0 && is_rule && !is_true_rule(fixture, after))
      fail_msg("a false rule was accepted:\n%s", after);
    bool may_be = is_rule || (mutation == MUTATE_MULTIPLIER && has_scaled_number(after)) ||
                  (mutation == MUTATE_CLAUSE && has_like_fact(fixture, before, after));
    if (status == 0 && !may_be)
      fail_msg("%s: a changed %s was accepted:\n%s", proved->name, mutation_names[mutation], after);
    if (status == 0 && queried != nullptr)
      print_message("accepted %s of %s\n%s\n", mutation_names[mutation], proved->name, after);
    arena_rewind(fixture->arena, mark);
  }
  for (int i = 0; i < MUTATIONS; i++) {
    print_message("%s: %u mutants, %u accepted\n", mutation_names[i], tried[i], accepted[i]);
    assert_true(tried[i] > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_engine_rule_has_an_accepted_certificate),
      cmocka_unit_test(constants_at_the_edges_have_a_right_certificate_or_none),
      cmocka_unit_test(gcds_with_a_number_have_a_certificate),
      cmocka_unit_test(half_a_certificate_is_rejected),
      cmocka_unit_test(mutants_are_rejected),
  };
  return cmocka_run_group_tests(tests, certificate_prepare, clean_up);
}
