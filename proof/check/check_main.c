/* affirm-check RULES CERTIFICATES: do the certificates prove the rules that they name, as the text
 * of the rules states them? Prints the name of each that does. Exit status 0: all do, and there is
 * one at least; 1: the line at which one does not; 3: a file cannot be read. */
#include "proof/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOAL = 10'000, LOW, HIGH, LABELS };

/* One option holds, with all its facts. */
typedef struct Clause {
  uint32_t count, chosen; /* chosen: 1 + the option that is assumed at present, or 0 */
  struct Option {
    uint32_t count;
    struct Fact {
      Poly poly;
      bool is_equation; /* poly = 0, else poly >= 0 */
    } facts[4];
  } options[3];
} Clause;

/* Clauses that hold for all integers A, B, .., and what a definition says of its atoms. */
static const struct Form {
  const char *word;
  uint32_t operands, atoms;
  const char *clause;
} forms[] = {
    {"split", 3, 0, "-A >= 0 | B - C >= 0, A*B - C*A >= 0 | C - 1 - B >= 0, (C - 1)*A - A*B >= 0"},
    {"product", 2, 0, "-A - 1 >= 0 | -B - 1 >= 0 | A*B >= 0"},
    {"zero", 2, 0, "A - 1 >= 0 | -A - 1 >= 0 | A*B = 0"},
    {"integer", 1, 0, "A >= 0 | -A - 1 >= 0"},
    {"floordiv", 2, 1, "-B >= 0 | A - B*C >= 0, B - 1 - A + B*C >= 0"},
    {"positive", 1, 1, "C = 0, -A >= 0 | C - A = 0, A >= 0"},
    {"gcd", 2, 5, "C >= 0, A - C*D = 0, B - C*E = 0, F*D + G*E - 1 = 0"},
    {"poly", 1, 1, "C - A = 0"},
    {"==", 0, 0, "A - B = 0"},
    {"!=", 0, 0, "A - B - 1 >= 0 | B - A - 1 >= 0"},
    {"<", 0, 0, "B - A - 1 >= 0"},
    {"<=", 0, 0, "B - A >= 0"},
    {">", 0, 0, "A - B - 1 >= 0"},
    {">=", 0, 0, "A - B >= 0"},
};
static constexpr int lemma_forms = 4, definition_forms = 8;

static struct Statement {
  Poly expr[2], lo[2], hi[2]; /* of the left and the right side */
  bool is_constraint;
  uint32_t guard_count, divisor_count, proved; /* `proved` of the divisors are shown */
  struct Guard {
    const struct Form *form;
    Poly operands[OPERANDS];
    uint32_t divisor_count;
    Poly *divisors;
  } guards[MANY];
  Poly divisors[MANY]; /* of the sides: inner ones first, each once, no positive numbers */
} rule;
static Clause *labels[LABELS];

static const struct Form *form_find(int first, int end) {
  while (first < end && !reader_is(forms[first].word)) first++;
  if (first == end) check_fail("no such relation, definition or reason");
  reader_next();
  return &forms[first];
}

static struct Fact fact_read(void) {
  struct Fact fact = {.poly = read_sum()};
  fact.is_equation = reader_skip("=");
  if (!fact.is_equation) reader_take(">=");
  reader_take("0");
  return fact;
}

static Clause clause_read(void) {
  Clause clause = {};
  do {
    if (clause.count == 3) check_fail("too many options");
    struct Option *option = &clause.options[clause.count++];
    do {
      if (option->count == 4) check_fail("too many facts");
      option->facts[option->count++] = fact_read();
    } while (reader_skip(","));
  } while (reader_skip("|"));
  return clause;
}

/* The clause of a text in which A, B, .. stand for these polynomials. */
static Clause clause_of(const char *text, const Poly *operands) {
  const Reader kept = reader;
  reader_open(text);
  meaning.operands = operands;
  Clause clause = clause_read();
  meaning.operands = nullptr;
  reader = kept;
  return clause;
}

/* What stands behind the colon must be the same clause. */
static Clause *clause_state(Clause clause) {
  reader_take(":");
  Clause stated = clause_read();
  bool is_same = stated.count == clause.count;
  for (uint32_t i = 0; i < clause.count && is_same; i++) {
    is_same = stated.options[i].count == clause.options[i].count;
    for (uint32_t k = 0; k < clause.options[i].count && is_same; k++) {
      const struct Fact *a = &stated.options[i].facts[k], *b = &clause.options[i].facts[k];
      is_same = a->is_equation == b->is_equation && poly_equal(a->poly, b->poly);
    }
  }
  if (!is_same) check_fail("the clause is not what its reason gives");
  return memcpy(check_alloc(sizeof clause), &clause, sizeof clause);
}

static struct Guard *guard_new(void) {
  if (rule.guard_count == MANY) check_fail("too many guards");
  return &rule.guards[rule.guard_count++];
}

static void guard_read(void) {
  struct Guard *guard = guard_new();
  meaning.divisor_count = 0;
  guard->operands[0] = read_sum();
  guard->form = form_find(definition_forms, sizeof forms / sizeof forms[0]);
  guard->operands[1] = read_sum();
  guard->divisor_count = meaning.divisor_count;
  guard->divisors = check_alloc(meaning.divisor_count * sizeof(Poly));
  memcpy(guard->divisors, meaning.divisors, meaning.divisor_count * sizeof(Poly));
}

/* c in [lo, hi] of a scope is two guards more: c >= lo, hi >= c. */
static void scope_read(void) {
  const struct Form *at_least = &forms[sizeof forms / sizeof forms[0] - 1];
  Poly c = read_sum();
  reader_take("in"), reader_take("[");
  *guard_new() = (struct Guard){.form = at_least, .operands = {c, read_sum()}};
  reader_take(",");
  *guard_new() = (struct Guard){.form = at_least, .operands = {read_sum(), c}};
  reader_take("]");
}

static void side_read(int at) {
  rule.expr[at] = read_sum();
  bool is_constraint = reader_skip("in");
  if (at == 1 && is_constraint != rule.is_constraint) check_fail("sides of two kinds");
  rule.is_constraint = is_constraint;
  if (!is_constraint) return;
  reader_take("[");
  rule.lo[at] = read_sum();
  reader_take(",");
  rule.hi[at] = read_sum();
  reader_take("]");
}

static void divisors_keep(void) {
  for (uint32_t i = 0; i < meaning.divisor_count; i++) {
    bool is_known = poly_sign(meaning.divisors[i]) == 1;
    for (uint32_t k = 0; k < rule.divisor_count && !is_known; k++)
      is_known = poly_equal(rule.divisors[k], meaning.divisors[i]);
    if (!is_known) rule.divisors[rule.divisor_count++] = meaning.divisors[i];
  }
}

/* To the next rule, or past the next `scope:`, which is true. */
static bool rest_skip(void) {
  while (reader.kind != END && !reader_is("rule")) {
    if (reader_skip("scope:")) return true;
    if (reader_is("order:") || reader_is("example:")) reader.at += strcspn(reader.at, "\n");
    reader_next();
  }
  return false;
}

static void rule_read(const char *rules, const char *name) {
  const Reader kept = reader;
  const char *found = "";
  for (reader_open(rules); strcmp(found, name) != 0; found = reader_name()) {
    while (rest_skip()) continue;
    if (reader.kind == END) check_fail("no such rule");
  }
  meaning.divisor_count = 0;
  side_read(0);
  reader_take("=>");
  side_read(1);
  divisors_keep();
  for (bool goes_on = reader_skip("when"); goes_on; goes_on = reader_skip(",")) guard_read();
  if (reader.kind != END && reader.kind != TAG && !reader_is("rule")) check_fail("not a rule");
  while (rest_skip()) do
      scope_read();
    while (reader_skip(","));
  reader = kept;
}

static unsigned long read_count(unsigned long least, unsigned long most) {
  mpz_srcptr value = read_integer();
  if (mpz_cmp_ui(value, least) < 0 || mpz_cmp_ui(value, most) > 0) check_fail("out of range");
  return mpz_get_ui(value);
}

static void operands_read(const struct Form *form, Poly *operands) {
  for (uint32_t i = 0; i < form->operands; i++) {
    if (i < 2) reader_take("(");
    operands[i] = read_sum();
    if (i < 2) reader_take(")");
  }
}

/* define NAME.. = WORD (A) (B): the names are new, and not known to the operands. */
static void definition_read(void) {
  if (meaning.definition_count == MANY) check_fail("too many definitions");
  struct Definition *of = &meaning.definitions[meaning.definition_count++];
  const char *names[OPERANDS] = {};
  uint32_t count = 0;
  while (count < OPERANDS && reader.kind == WORD) {
    names[count] = memcpy(check_alloc(reader.length + 1), reader.text, reader.length);
    count++;
    reader_next();
  }
  reader_take("=");
  const struct Form *form = form_find(lemma_forms, definition_forms);
  if (form->atoms != count) check_fail("another number of names");
  of->kind = form->word;
  Poly operands[OPERANDS] = {};
  operands_read(form, operands);
  for (uint32_t i = 0; i < count; i++) operands[2 + i] = atom_define(names[i]);
  memcpy(of->operands, operands, sizeof operands);
}

static Clause definition_clause(void) {
  Poly atom = read_sum();
  for (uint32_t i = 0; i < meaning.definition_count; i++)
    for (int f = lemma_forms; f < definition_forms; f++) {
      const struct Definition *of = &meaning.definitions[i];
      if (poly_equal(of->operands[2], atom) && strcmp(of->kind, forms[f].word) == 0)
        return clause_of(forms[f].clause, of->operands);
    }
  check_fail("no such definition");
}

static Clause guard_clause(void) {
  const struct Guard *guard = &rule.guards[read_count(1, rule.guard_count) - 1];
  if (!reader_skip("divisor")) return clause_of(guard->form->clause, guard->operands);
  return clause_of("A - 1 >= 0", &guard->divisors[read_count(1, guard->divisor_count) - 1]);
}

static Clause reason_clause(void) {
  Poly operands[OPERANDS] = {};
  if (reader_skip("guard")) return guard_clause();
  if (reader_skip("define")) return definition_clause();
  if (reader_skip("divisor"))
    return clause_of("A - 1 >= 0", &rule.divisors[read_count(1, rule.proved) - 1]);
  bool is_lower = reader_is("lower");
  if (is_lower || reader_is("upper")) {
    reader_next();
    operands[0] = read_sum();
    operands[1] = bound_of(operands[0], is_lower ? "lo" : "hi");
    return clause_of(is_lower ? "A - B >= 0" : "B - A >= 0", operands);
  }
  const struct Form *form = form_find(0, lemma_forms);
  operands_read(form, operands);
  return clause_of(form->clause, operands);
}

/* LABEL REASON : CLAUSE, any number of them */
static void clauses_read(void) {
  while (reader.kind == INTEGER) {
    unsigned long label = read_count(0, GOAL - 1);
    if (labels[label] != nullptr) check_fail("the label is in use");
    labels[label] = clause_state(reason_clause());
  }
}

/* Sums of MULTIPLIER * LABEL [. NUMBER]. */
static Poly combination_read(void) {
  static const char *const names[] = {"goal", "low", "high"};
  Poly sum = {};
  do {
    mpz_srcptr factor = read_integer();
    reader_take("*");
    unsigned long label = LABELS, number = 1;
    for (int i = 0; i < 3 && label == LABELS; i++)
      if (reader_skip(names[i])) label = GOAL + i;
    if (label == LABELS) label = read_count(0, GOAL - 1);
    if (reader_skip(".")) number = read_count(1, 4);
    const Clause *clause = labels[label];
    if (clause == nullptr || (clause->count > 1 && clause->chosen == 0)) check_fail("no such fact");
    const struct Option *option = &clause->options[clause->count > 1 ? clause->chosen - 1 : 0];
    if (number > option->count) check_fail("no such fact of the clause");
    if (!option->facts[number - 1].is_equation && mpz_sgn(factor) < 0)
      check_fail("an inequality times a negative number");
    sum = poly_add(sum, factor, option->facts[number - 1].poly);
  } while (reader_skip("+"));
  return sum;
}

/* Shows that what is assumed cannot be: a sum, a rounded sum and a refutation, or cases. */
static void refutation_read(uint32_t level) {
  if (level > 400) check_fail("nested too deep");
  if (reader.kind == INTEGER) {
    unsigned long label = read_count(0, GOAL - 1);
    reader_take("round");
    mpz_srcptr divisor = read_integer();
    Poly rounded = {};
    if (labels[label] != nullptr) check_fail("the label is in use");
    if (mpz_sgn(divisor) <= 0 || !poly_round(combination_read(), divisor, &rounded))
      check_fail("the sum is not divided so");
    labels[label] = clause_state(clause_of("A >= 0", &rounded));
    refutation_read(level + 1);
    labels[label] = nullptr;
  } else if (reader_skip("cases")) {
    Clause *clause = labels[read_count(0, GOAL - 1)];
    if (clause == nullptr || clause->chosen != 0) check_fail("no cases of this clause");
    for (clause->chosen = 1; clause->chosen <= clause->count; clause->chosen++)
      refutation_read(level + 1);
    clause->chosen = 0;
  } else {
    reader_take("sum");
    if (poly_sign(combination_read()) != -1) check_fail("the sum is not a number below 0");
  }
}

/* Clauses, refute WHAT WHICH, what is assumed, and the refutation. */
static void obligation_read(const char *what, const char *which, const char *goal, Poly a, Poly b) {
  const Poly operands[OPERANDS] = {a, b};
  clauses_read();
  reader_take("refute"), reader_take(what), reader_take(which);
  for (int from = 0; from < 2; from++)
    if (strcmp(what, from == 0 ? "right" : "left") == 0 && rule.is_constraint) {
      const Poly side[OPERANDS] = {rule.expr[from], rule.lo[from], rule.hi[from]};
      reader_take("low");
      labels[LOW] = clause_state(clause_of("A - B >= 0", side));
      reader_take("high");
      labels[HIGH] = clause_state(clause_of("C - A >= 0", side));
    }
  reader_take("goal");
  labels[GOAL] = clause_state(clause_of(goal, operands));
  refutation_read(0);
  labels[GOAL] = labels[LOW] = labels[HIGH] = nullptr;
}

/* certificate 1 rule NAME, definitions, obligations, end. */
static void certificate_read(const char *rules) {
  memset(&meaning, 0, sizeof meaning);
  memset(&rule, 0, sizeof rule);
  memset(labels, 0, sizeof labels);
  reader_take("certificate"), reader_take("1");
  if (!reader_is("rule")) check_fail("'rule' must stand here");
  const char *name = reader_name();
  while (reader_skip("define")) definition_read();
  rule_read(rules, name);
  for (; rule.proved < rule.divisor_count; rule.proved++) {
    char number[16];
    snprintf(number, sizeof number, "%u", rule.proved + 1);
    obligation_read("divisor", number, "-A >= 0", rule.divisors[rule.proved], (Poly){});
  }
  if (!rule.is_constraint) {
    obligation_read("left", "above", "A - B - 1 >= 0", rule.expr[0], rule.expr[1]);
    obligation_read("left", "below", "B - A - 1 >= 0", rule.expr[0], rule.expr[1]);
  }
  for (int to = 1; to >= 0 && rule.is_constraint; to--) {
    const char *side = to == 1 ? "right" : "left";
    obligation_read(side, "low", "B - A - 1 >= 0", rule.expr[to], rule.lo[to]);
    obligation_read(side, "high", "A - B - 1 >= 0", rule.expr[to], rule.hi[to]);
  }
  reader_take("end");
  printf("%s\n", name);
}

static char *file_read(const char *path) {
  FILE *file = fopen(path, "rb");
  size_t room = 1 << 26;
  char *text = check_alloc(room);
  size_t length = file == nullptr ? room : fread(text, 1, room, file);
  if (length < room) return text;
  fprintf(stderr, "affirm-check: cannot read %s\n", path);
  exit(3);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fputs("affirm-check RULES CERTIFICATES\n", stderr);
    return 3;
  }
  const char *rules = file_read(argv[1]);
  reader_open(file_read(argv[2]));
  do certificate_read(rules);
  while (reader.kind != END);
  return 0;
}
