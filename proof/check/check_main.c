/* affirm-check RULES CERTIFICATES: do the certificates prove the rules that they name, as the text
 * of the rules states them (docs/certificates.md)? Prints the name of each that does. Exit status
 * 0: all do, and there is one at least; 1: the line at which one does not; 3: a file cannot be
 * read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proof/check/poly.h"

enum { MANY = 2000, FACTS = 6, NESTED = 400 };

/* One option holds, with all its facts. */
typedef struct Clause {
  int count, options, chosen; /* chosen: the option that is assumed; -1: none yet */
  struct Fact {
    Poly poly;
    bool is_equation; /* poly = 0, else poly >= 0 */
    int option;
  } facts[FACTS];
} Clause;

/* Clauses that hold for all integers A, B, .., and what a definition says of its atoms. */
static const struct Form {
  const char *word;
  int operands, atoms; /* A, B and C are operands; the atoms begin at C */
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
enum { DEFINITION_FORMS = 4, RELATION_FORMS = 8, ALL_FORMS = 14 };

static struct Reader {
  const char *at, *text; /* the next token begins at or after `at`; the present one is `text` */
  size_t length;         /* 0: the end */
  uint32_t line, depth;
  const Poly *operands; /* A to G stand for these, where they are set */
  bool is_rule;         /* no defined words; divisors are kept */
} reader;

/* A quotient, max or gcd is the atom of the definition of its kind and operands. */
static struct Meaning {
  uint32_t definition_count, atom_count, divisor_count;
  struct Definition {
    const char *kind;
    Poly operands[7]; /* A and B, then the atoms: C, of a gcd C to G */
  } definitions[MANY];
  const char *atoms[MANY];
  Poly divisors[MANY]; /* of a rule, inner ones first */
} meaning;

/* Hypotheses by their reasons, such as `guard 2 divisor 1 `; clauses and facts by their labels. */
static struct List {
  uint32_t count;
  struct Named {
    const char *name;
    Clause clause;
  } items[MANY];
} hypotheses, labels;

static struct Statement {
  Poly sides[2][3]; /* left, right: the expression and the ends of its interval */
  bool is_constraint;
  uint32_t guards, divisors; /* divisors: of both sides */
} rule;

void check_fail(const char *why) {
  printf("rejected at line %u: %s\n", reader.line, why);
  fflush(stdout);
  _Exit(1);
}

static const char blanks[] = " \t\r\n#", digits[] = "0123456789";

static void blanks_skip(void) {
  for (; *reader.at != 0 && strchr(blanks, *reader.at) != nullptr; reader.at++) {
    if (*reader.at == '#') reader.at += strcspn(reader.at, "\n") - 1;
    reader.line += *reader.at == '\n';
  }
}

static size_t token_length(const char *at) {
  static const char *const fixed[] = {
      "order:", "scope:", "near-miss:", "example:", "=>", "==", "!=", "<=", ">="};
  for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
    if (strncmp(at, fixed[i], strlen(fixed[i])) == 0) return strlen(fixed[i]);
  size_t length = strspn(at, digits);
  if (length > 1 && *at == '0') check_fail("an integer begins with 0");
  if (length == 0)
    length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  if (length > 0) return length;
  if (strchr("()[],.:|=+-*/<>", *at) == nullptr) check_fail("unknown byte");
  return *at != 0;
}

static void reader_next(void) {
  blanks_skip();
  reader.text = reader.at;
  reader.length = token_length(reader.at);
  reader.at += reader.length;
}

static void reader_open(const char *text) {
  reader.at = text;
  reader.line = 1;
  reader_next();
}

static bool reader_is(const char *text) {
  return reader.length == strlen(text) && strncmp(reader.text, text, reader.length) == 0;
}

static bool reader_skip(const char *text) {
  bool is_there = reader_is(text);
  if (is_there) reader_next();
  return is_there;
}

static void reader_take(const char *text) {
  if (!reader_skip(text)) check_fail("another word or sign must stand here");
}

static const char *token_read(bool fits) {
  if (!fits) check_fail("a name, a word or an integer must stand here");
  const char *copy = memcpy(check_alloc(reader.length + 1), reader.text, reader.length);
  reader_next();
  return copy;
}

static bool reader_is_integer(void) { return reader.length > 0 && strchr(digits, *reader.text); }
static bool reader_is_tag(void) { return reader.length > 1 && reader.at[-1] == ':'; }
static const char *read_integer(void) { return token_read(reader_is_integer()); }

static const char *read_word(void) {
  return token_read(reader.length > 0 && !reader_is_integer() && !reader_is_tag() &&
                    strchr("()[],.:|=+-*/<>!", *reader.text) == nullptr);
}

/* What is behind the present token, up to a blank or #. */
static const char *read_name(void) {
  blanks_skip();
  reader.text = reader.at;
  reader.length = strcspn(reader.at, blanks);
  reader.at += reader.length;
  return token_read(reader.length > 0);
}

static bool is_letter(const char *name, const char *among) {
  return strchr(among, name[0]) != nullptr && name[1 + strspn(name + 1, digits)] == 0;
}

static Poly atom_get(const char *name, bool is_new) {
  uint32_t at = 0;
  while (at < meaning.atom_count && strcmp(meaning.atoms[at], name) != 0) at++;
  if (at == MANY || (at == meaning.atom_count && !is_new)) check_fail("no letter and not defined");
  if (at == meaning.atom_count) meaning.atoms[meaning.atom_count++] = name;
  return poly_atom(at);
}

/* A defined word ends with a digit: so no word of the grammar is one. */
static Poly atom_define(const char *name) {
  uint32_t count = meaning.atom_count;
  Poly atom = atom_get(name, true);
  bool is_fit = strchr(digits, name[strlen(name) - 1]) && !is_letter(name, "abckmnuvwxyz");
  if (!is_fit || count == meaning.atom_count) check_fail("no new word that ends with a digit");
  return atom;
}

static const Poly *definition_find(const char *kind, Poly a, Poly b, bool is_needed) {
  for (uint32_t i = 0; i < meaning.definition_count; i++) {
    const struct Definition *of = &meaning.definitions[i];
    if (strcmp(of->kind, kind) == 0 && poly_equal(of->operands[0], a) &&
        poly_equal(of->operands[1], b))
      return &of->operands[2];
  }
  if (is_needed) check_fail("a quotient, max, min or gcd is not defined");
  return nullptr;
}

static Poly quotient_of(Poly a, Poly b) {
  bool is_known = poly_sign(b) == 1 && (poly_sign(a) != 2 || poly_equal(b, poly_number("1")));
  Poly rounded;
  if (a.count == 0) return a;
  if (is_known && poly_round(a, b, &rounded)) return rounded;
  return *definition_find("floordiv", a, b, true);
}

/* With a - b = n*D for the largest n: b + n*positive(D), or a + n*positive(-D). */
static Poly max_of(Poly a, Poly b) {
  Poly difference = poly_minus(a, b), n = poly_content(difference), part;
  if (poly_sign(difference) != 2) return poly_sign(difference) > 0 ? a : b;
  if (!poly_round(difference, n, &part)) check_fail("no content");
  const Poly *of = definition_find("positive", part, (Poly){}, false);
  if (of != nullptr) return poly_add(b, poly_multiply(n, *of));
  of = definition_find("positive", poly_minus((Poly){}, part), (Poly){}, true);
  return poly_add(a, poly_multiply(n, *of));
}

/* Of the operator that begins with this letter. */
static Poly multiply(char op, Poly a, Poly b) {
  if (op == '*') return poly_multiply(a, b);
  if (meaning.divisor_count == MANY) check_fail("too many divisors");
  if (reader.is_rule) meaning.divisors[meaning.divisor_count++] = b;
  if (op == 'c') return poly_minus((Poly){}, quotient_of(poly_minus((Poly){}, a), b));
  Poly quotient = quotient_of(a, b);
  return op == 'm' ? poly_minus(a, poly_multiply(b, quotient)) : quotient;
}

static Poly read_sum(void);

static Poly read_call(char op) {
  Poly a = read_sum();
  reader_take(",");
  Poly b = read_sum();
  if (op == 'i') return poly_minus(a, poly_minus(max_of(a, b), b));
  if (op == 'a') return max_of(a, b);
  if (poly_equal(a, b)) return max_of(a, poly_minus((Poly){}, a));
  const Poly *of = definition_find("gcd", a, b, false);
  return of != nullptr ? *of : *definition_find("gcd", b, a, true);
}

/* lo(x) is an atom of this name. */
static Poly read_bound(const char *end) {
  const char *x = read_word();
  if (!is_letter(x, "uvwxyz")) check_fail("bounds are of expression letters");
  char *name = check_alloc(strlen(x) + 5);
  sprintf(name, "%s(%s)", end, x);
  return atom_get(name, true);
}

static Poly read_named(void) {
  bool is_call = reader_is("min") || reader_is("max") || reader_is("gcd");
  const char *name = read_word();
  if (is_call || strcmp(name, "lo") == 0 || strcmp(name, "hi") == 0) {
    reader_take("(");
    Poly value = is_call ? read_call(name[1]) : read_bound(name);
    reader_take(")");
    return value;
  }
  if (reader.operands != nullptr && *name >= 'A' && *name <= 'G')
    return reader.operands[*name - 'A'];
  bool is_free = is_letter(name, "abckmnuvwxyz");
  if (reader.is_rule && !is_free) check_fail("no letter");
  return atom_get(name, is_free);
}

static Poly read_factor(void) {
  Poly poly;
  if (++reader.depth > NESTED + 1) check_fail("nested too deep");
  if (reader_is_integer()) poly = poly_number(read_integer());
  else if (reader_skip("-")) poly = poly_minus((Poly){}, read_factor());
  else if (!reader_skip("(")) poly = read_named();
  else poly = read_sum(), reader_take(")");
  reader.depth--;
  return poly;
}

static Poly read_product(void) {
  static const char *const words[] = {
      "*", "mod", "/", "floordiv", "floorDiv", "ceildiv", "ceilDiv"};
  Poly poly = read_factor();
  for (size_t i = 0; i < sizeof words / sizeof words[0];)
    if (!reader_skip(words[i])) i++;
    else poly = multiply(*words[i], poly, read_factor()), i = 0;
  return poly;
}

static Poly read_sum(void) {
  Poly poly = read_product();
  while (reader_is("+") || reader_is("-"))
    poly = reader_skip("+") ? poly_add(poly, read_product())
                            : (reader_next(), poly_minus(poly, read_product()));
  return poly;
}

static const struct Form *form_take(int first, int end) {
  while (first < end && !reader_skip(forms[first].word)) first++;
  if (first == end) check_fail("no such relation, definition or reason");
  return &forms[first];
}

static Clause clause_read(void) {
  Clause clause = {};
  for (bool goes_on = true; goes_on;) {
    if (clause.count == FACTS) check_fail("too many facts");
    struct Fact *fact = &clause.facts[clause.count++];
    fact->poly = read_sum();
    fact->is_equation = reader_skip("=");
    if (!fact->is_equation) reader_take(">=");
    reader_take("0");
    fact->option = clause.options;
    if (reader_skip(",")) continue;
    clause.options++;
    goes_on = reader_skip("|");
  }
  clause.chosen = clause.options > 1 ? -1 : 0;
  return clause;
}

/* The clause of a text in which A, B, .. stand for these polynomials. */
static Clause clause_of(const char *text, const Poly *operands) {
  const struct Reader kept = reader;
  reader.operands = operands;
  reader.is_rule = false;
  reader_open(text);
  Clause clause = clause_read();
  reader = kept;
  return clause;
}

static Clause *list_find(struct List *list, const char *name) {
  for (uint32_t i = 0; i < list->count; i++)
    if (strcmp(list->items[i].name, name) == 0) return &list->items[i].clause;
  return nullptr;
}

static void list_put(struct List *list, const char *name, Clause clause) {
  if (list->count == MANY || list_find(list, name) != nullptr) check_fail("a label in use");
  list->items[list->count++] = (struct Named){name, clause};
}

/* A hypothesis, by the tokens of its reason, each with a blank behind it. */
static void hypothesis_put(
    const char *format, uint32_t number, uint32_t part, const char *clause, const Poly *operands) {
  char *reason = check_alloc(64);
  snprintf(reason, 64, format, number, part);
  list_put(&hypotheses, reason, clause_of(clause, operands));
}

/* The text after the colon must be the same clause. It is in force under this label. */
static void clause_state(const char *label, Clause clause) {
  reader_take(":");
  const Clause stated = clause_read();
  bool is_same = stated.count == clause.count;
  for (int i = 0; i < clause.count && is_same; i++) {
    const struct Fact *a = &stated.facts[i], *b = &clause.facts[i];
    is_same = a->is_equation == b->is_equation && a->option == b->option;
    is_same = is_same && poly_equal(a->poly, b->poly);
  }
  if (!is_same) check_fail("the clause is not what its reason gives");
  list_put(&labels, label, clause);
}

/* A relation; and that the divisors in it are at least 1. */
static void guard_read(void) {
  uint32_t first = meaning.divisor_count;
  Poly operands[2] = {read_sum()};
  const struct Form *form = form_take(RELATION_FORMS, ALL_FORMS);
  operands[1] = read_sum();
  hypothesis_put("guard %u ", ++rule.guards, 0, form->clause, operands);
  for (uint32_t i = first; i < meaning.divisor_count; i++)
    hypothesis_put(
        "guard %u divisor %u ", rule.guards, i - first + 1, "A - 1 >= 0", &meaning.divisors[i]);
}

/* c in [lo, hi] of a scope is two guards more: c >= lo, hi >= c. */
static void scope_read(void) {
  Poly operands[2] = {read_sum()};
  reader_take("in"), reader_take("["), operands[1] = read_sum();
  hypothesis_put("guard %u ", ++rule.guards, 0, "A - B >= 0", operands);
  reader_take(","), operands[1] = read_sum(), reader_take("]");
  hypothesis_put("guard %u ", ++rule.guards, 0, "B - A >= 0", operands);
}

static bool side_read(Poly side[3]) {
  side[0] = read_sum();
  if (!reader_skip("in")) return false;
  reader_take("["), side[1] = read_sum();
  reader_take(","), side[2] = read_sum(), reader_take("]");
  return true;
}

/* To the next rule: of the tags, only a scope is part of the statement. */
static void tags_read(void) {
  for (bool is_strict = reader.is_rule; reader.length > 0 && !reader_is("rule");) {
    if (is_strict && !reader_is_tag()) check_fail("a tag or a rule must stand here");
    is_strict = reader.is_rule && reader_is("scope:");
    if (reader_is("order:") || reader_is("example:")) reader.at += strcspn(reader.at, "\n");
    for (reader_next(); is_strict;) {
      scope_read();
      if (!reader_skip(",")) break;
    }
  }
}

static void rule_read(void) {
  rule.is_constraint = side_read(rule.sides[0]);
  reader_take("=>");
  if (side_read(rule.sides[1]) != rule.is_constraint) check_fail("sides of two kinds");
  rule.divisors = meaning.divisor_count;
  for (bool goes_on = reader_skip("when"); goes_on; goes_on = reader_skip(",")) guard_read();
  tags_read();
}

/* Reads the rule of this name, of which there is one. */
static void rule_find(const char *rules, const char *name) {
  const struct Reader kept = reader;
  struct Reader found = {};
  for (reader_open(rules); reader.length > 0; tags_read()) {
    if (!reader_is("rule")) check_fail("the rules do not begin with a rule");
    if (strcmp(read_name(), name) != 0) continue;
    if (found.at != nullptr) check_fail("two rules of this name");
    found = reader;
  }
  if (found.at == nullptr) check_fail("no rule of this name");
  reader = found;
  reader.is_rule = true;
  rule_read();
  reader = kept;
}

static void operands_read(const struct Form *form, Poly *operands) {
  for (int i = 0; i < form->operands; i++) {
    if (i < 2) reader_take("(");
    operands[i] = read_sum();
    if (i < 2) reader_take(")");
  }
}

/* define NAME.. = WORD (A) (B): the names are new, and not known to the operands. */
static void definition_read(void) {
  if (meaning.definition_count == MANY) check_fail("too many definitions");
  struct Definition *of = &meaning.definitions[meaning.definition_count];
  const char *names[5];
  int count = 0;
  for (; !reader_skip("="); count++)
    if (count < 5) names[count] = read_word();
    else check_fail("too many names");
  const struct Form *form = form_take(DEFINITION_FORMS, RELATION_FORMS);
  if (form->atoms != count) check_fail("another number of names");
  *of = (struct Definition){.kind = form->word};
  operands_read(form, of->operands);
  for (int i = 0; i < count; i++) of->operands[2 + i] = atom_define(names[i]);
  meaning.definition_count++;
  char *reason = check_alloc(strlen(names[0]) + 9);
  sprintf(reason, "define %s ", names[0]);
  list_put(&hypotheses, reason, clause_of(form->clause, of->operands));
}

static Clause bound_clause(const char *format) {
  const char *x = read_word();
  char *text = check_alloc(2 * strlen(x) + 20);
  sprintf(text, format, x, x);
  return clause_of(text, nullptr);
}

/* Of a lemma and its operands, or of a hypothesis: its reason goes up to the colon. */
static Clause reason_clause(void) {
  if (reader_skip("lower")) return bound_clause("%s - lo(%s) >= 0");
  if (reader_skip("upper")) return bound_clause("hi(%s) - %s >= 0");
  for (int i = 0; i < DEFINITION_FORMS; i++)
    if (reader_skip(forms[i].word)) {
      Poly operands[3];
      operands_read(&forms[i], operands);
      return clause_of(forms[i].clause, operands);
    }
  char *reason = check_alloc(0);
  for (; reader.length > 0 && !reader_is(":"); reader_next()) {
    reason = strcpy(check_alloc(strlen(reason) + reader.length + 2), reason);
    strcat(strncat(reason, reader.text, reader.length), " ");
  }
  const Clause *clause = list_find(&hypotheses, reason);
  if (clause == nullptr) check_fail("no such reason");
  return *clause;
}

/* FACTOR * LABEL [. NUMBER]: the fact times the factor. */
static Poly product_read(void) {
  bool is_negative = reader_skip("-");
  Poly factor = poly_number(read_integer());
  if (is_negative) factor = poly_minus((Poly){}, factor);
  reader_take("*");
  const Clause *clause = list_find(&labels, reader_is_integer() ? read_integer() : read_word());
  unsigned long number = reader_skip(".") ? strtoul(read_integer(), nullptr, 10) : 1;
  for (int i = 0; clause != nullptr && i < clause->count; i++) {
    const struct Fact *fact = &clause->facts[i];
    if (fact->option != clause->chosen || --number > 0) continue;
    if (is_negative && !fact->is_equation) check_fail("an inequality times a negative number");
    return poly_multiply(factor, fact->poly);
  }
  check_fail("no such fact");
}

static Poly combination_read(void) {
  Poly sum = product_read();
  while (reader_skip("+")) sum = poly_add(sum, product_read());
  return sum;
}

/* Shows that what is assumed cannot be: a sum, a rounded sum and a refutation, or cases. */
static void refutation_read(int level) {
  if (level > NESTED) check_fail("nested too deep");
  if (reader_is_integer()) {
    const char *label = read_integer();
    reader_take("round");
    Poly divisor = poly_number(read_integer()), rounded;
    if (poly_sign(divisor) != 1 || !poly_round(combination_read(), divisor, &rounded))
      check_fail("the sum is not divided so");
    clause_state(label, clause_of("A >= 0", &rounded));
    refutation_read(level + 1);
    labels.count--;
  } else if (reader_skip("cases")) {
    Clause *clause = list_find(&labels, read_integer());
    if (clause == nullptr || clause->chosen >= 0) check_fail("no cases of this clause");
    for (clause->chosen = 0; clause->chosen < clause->options; clause->chosen++)
      refutation_read(level + 1);
    clause->chosen = -1;
  } else {
    reader_take("sum");
    if (poly_sign(combination_read()) != -1) check_fail("the sum is not a number below 0");
  }
}

/* Clauses, refute WHAT WHICH, what is assumed, and the refutation. */
static void obligation_read(
    const char *what, const char *which, const char *goal, const Poly *of, const Poly *side) {
  while (reader_is_integer()) {
    const char *label = read_integer();
    clause_state(label, reason_clause());
  }
  const uint32_t count = labels.count;
  reader_take("refute"), reader_take(what), reader_take(which);
  if (side != nullptr) {
    reader_take("low"), clause_state("low", clause_of("A - B >= 0", side));
    reader_take("high"), clause_state("high", clause_of("C - A >= 0", side));
  }
  reader_take("goal"), clause_state("goal", clause_of(goal, of));
  refutation_read(1);
  labels.count = count;
}

/* Each divisor of the sides that is no number above 0 and was not there before. */
static void divisors_read(void) {
  uint32_t shown = 0;
  for (const Poly *at = meaning.divisors; at < meaning.divisors + rule.divisors; at++) {
    bool is_known = poly_sign(*at) == 1;
    for (const Poly *to = meaning.divisors; to < at && !is_known; to++)
      is_known = poly_equal(*to, *at);
    if (is_known) continue;
    char number[16];
    snprintf(number, sizeof number, "%u", ++shown);
    obligation_read("divisor", number, "-A >= 0", at, nullptr);
    hypothesis_put("divisor %u ", shown, 0, "A - 1 >= 0", at);
  }
}

/* certificate 1 rule NAME, definitions, obligations, end. */
static void certificate_read(const char *rules) {
  meaning.definition_count = meaning.atom_count = meaning.divisor_count = 0;
  hypotheses.count = labels.count = rule.guards = 0;
  reader_take("certificate"), reader_take("1");
  if (!reader_is("rule")) check_fail("'rule' must stand here");
  const char *name = read_name();
  while (reader_skip("define")) definition_read();
  rule_find(rules, name);
  divisors_read();
  const Poly both[] = {rule.sides[0][0], rule.sides[1][0]};
  if (!rule.is_constraint) obligation_read("left", "above", "A - B - 1 >= 0", both, nullptr);
  if (!rule.is_constraint) obligation_read("left", "below", "B - A - 1 >= 0", both, nullptr);
  for (int to = 1; to >= 0 && rule.is_constraint; to--) {
    const char *side = to == 1 ? "right" : "left";
    obligation_read(side, "low", "B - A - 1 >= 0", rule.sides[to], rule.sides[1 - to]);
    obligation_read(side, "high", "A - C - 1 >= 0", rule.sides[to], rule.sides[1 - to]);
  }
  reader_take("end");
  printf("%s\n", name);
}

static char *file_read(const char *path) {
  const size_t most = 1 << 26;
  char *text = check_alloc(most);
  FILE *file = fopen(path, "rb");
  size_t length = file == nullptr ? most : fread(text, 1, most, file);
  if (length < most && strlen(text) == length) return text;
  fprintf(stderr, "affirm-check: %s cannot be read, is too long or has a byte 0\n", path);
  exit(3);
}

int main(int argc, char **argv) {
  if (argc != 3) return fputs("affirm-check RULES CERTIFICATES\n", stderr), 3;
  const char *rules = file_read(argv[1]);
  reader_open(file_read(argv[2]));
  do certificate_read(rules);
  while (reader.length > 0);
  fflush(stdout);
  _Exit(0);
}
