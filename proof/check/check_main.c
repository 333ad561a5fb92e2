/* affirm-check RULES CERTIFICATES: checks that each certificate proves the rule that it names, for
 * the text of the rule in RULES (docs/certificates.md). A file that starts with a certificate of a
 * map goes to affirm-check-map. Prints the name of each proved rule. Exit status 0: at least one
 * certificate, and all are accepted; 1: rejected, with the line; 3: a file cannot be read. */
#define _GNU_SOURCE /* vasprintf */
#include <gmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proof/check/poly.h"

enum { MANY = 2000, FACTS = 6, NESTED = 400 };

/* In every case at least one option holds, with all its facts. */
typedef struct CheckClause {
  const char *name;           /* its label, or its reason: tokens, each followed by a blank */
  int count, options, chosen; /* chosen: the assumed option; -1: none yet */
  struct Fact {
    CheckPoly poly;
    bool is_equation; /* poly = 0, else poly >= 0 */
    int option;
  } facts[FACTS];
} CheckClause;

static struct List {
  uint32_t count;
  CheckClause items[MANY];
} hypotheses, labels;

/* Clauses that hold for all integers A, B, ..; of definitions, about their atoms; guards. */
static const struct Form {
  const char *word;
  int operands, atoms; /* A, B and C are operands; the atoms start at C */
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

/* The tokens of a text end with an empty one. */
typedef struct CheckToken {
  const char *text, *file;
  char kind; /* 'i' integer, 'w' word, 'n' the name after the word rule, 't' tag, 'm' mark, 0 end */
  uint32_t line;
} CheckToken;

static struct Reader {
  const CheckToken *at;
  const CheckPoly *operands; /* the values of A to G, if set */
  bool is_rule;              /* defined words are rejected; divisors are recorded */
} reader = {.at = &(const CheckToken){"the start", "affirm-check", 0, 0}};

/* A quotient, max or gcd is the atom of the definition with its kind and operands. */
static struct Meaning {
  uint32_t definition_count, atom_count, divisor_count;
  struct Definition {
    const char *kind;
    CheckPoly operands[7]; /* A and B, then the atoms: C; for a gcd, C to G */
  } definitions[MANY];
  const char *atoms[MANY];
  CheckPoly divisors[MANY]; /* of the rule, inner ones first */
} meaning;

static struct Statement {
  CheckPoly sides[2][3]; /* left, right: the expression and the ends of its interval */
  bool is_constraint;
  uint32_t guards, divisors; /* divisors: of both sides */
} rule;

void check_fail(const char *why) {
  printf("%s:%u: rejected at %.60s: %s\n", reader.at->file, reader.at->line, reader.at->text, why);
  _Exit(fflush(stdout) == 0 ? 1 : 3);
}

[[gnu::format(printf, 1, 2)]] static char *text_of(const char *format, ...) {
  va_list values;
  char *text;
  va_start(values, format);
  if (vasprintf(&text, format, values) < 0) check_fail("out of memory");
  va_end(values);
  return text;
}

static const char blanks[] = " \t\r\n#", digits[] = "0123456789";

/* The length of the longest token at this position. */
static size_t token_length(const char *at, char *kind) {
  static const char *const fixed[] = {
      "order:", "scope:", "near-miss:", "example:", "=>", "==", "!=", "<=", ">="};
  for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
    *kind = i < 4 ? 't' : 'm';
    if (strncmp(at, fixed[i], strlen(fixed[i])) == 0) return strlen(fixed[i]);
  }
  size_t length = strspn(at, digits);
  if (length > 1 && *at == '0') check_fail("an integer begins with 0");
  *kind = length > 0 ? 'i' : 'w';
  if (length > 0) return length;
  length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  if (length > 0) return length;
  if (strchr("()[],;.:|=+-*/<>", *at) == nullptr) check_fail("unknown byte");
  *kind = *at == 0 ? 0 : 'm';
  return *at != 0;
}

static const CheckToken *tokens_of(const char *at, const char *file, uint32_t line) {
  CheckToken *tokens = check_alloc((strlen(at) + 2) * sizeof *tokens), *token = tokens;
  char *bytes = check_alloc(2 * strlen(at) + 2);
  for (bool is_name = false, goes_on = true; goes_on; token++) {
    for (bool comment = false; *at != 0 && (comment || strchr(blanks, *at) != nullptr); at++) {
      comment = *at == '#' || (comment && *at != '\n');
      line += *at == '\n';
    }
    *token = (CheckToken){.text = bytes, .file = file, .kind = 'n', .line = line};
    reader.at = token;
    size_t length = is_name ? strcspn(at, blanks) : token_length(at, &token->kind);
    memcpy(bytes, at, length), bytes += length + 1, at += length;
    goes_on = length > 0;
    if (!goes_on) *token = (CheckToken){"the end", file, 0, line};
    is_name = !is_name && strcmp(token->text, "rule") == 0;
    if (token->kind == 't' && strchr("oe", *token->text) != nullptr) at += strcspn(at, "\n");
  }
  return tokens;
}

static bool reader_is(const char *text) { return strcmp(reader.at->text, text) == 0; }

static bool reader_skip(const char *text) { return reader_is(text) && reader.at++ != nullptr; }

static void reader_take(const char *text) {
  if (!reader_skip(text)) check_fail("expected another word or mark");
}

static const char *reader_kind(char kind) {
  if (reader.at->kind != kind) check_fail("expected a name, a word or an integer");
  return reader.at++->text;
}

static bool is_letter(const char *name, const char *among) {
  return strchr(among, name[0]) != nullptr && name[1 + strspn(name + 1, digits)] == 0;
}

static CheckPoly atom_get(const char *name, bool is_new) {
  uint32_t at = 0;
  while (at < meaning.atom_count && strcmp(meaning.atoms[at], name) != 0) at++;
  if (at == MANY) check_fail("more than 2000 atoms");
  if (at == meaning.atom_count && !is_new) check_fail("neither a letter nor a defined word");
  if (at == meaning.atom_count) meaning.atoms[meaning.atom_count++] = name;
  return poly_atom(at);
}

static const CheckPoly *definition_find(
    const char *kind, CheckPoly a, CheckPoly b, bool is_needed) {
  for (uint32_t i = 0; i < meaning.definition_count; i++) {
    const struct Definition *of = &meaning.definitions[i];
    if (strcmp(of->kind, kind) == 0 && poly_equal(of->operands[0], a) &&
        poly_equal(of->operands[1], b))
      return &of->operands[2];
  }
  if (is_needed) check_fail("a quotient, max, min or gcd is not defined");
  return nullptr;
}

static CheckPoly quotient_of(CheckPoly a, CheckPoly b) {
  bool is_known = poly_sign(b) == 1 && (poly_sign(a) != 2 || poly_equal(b, poly_number("1")));
  CheckPoly rounded = a;
  if (a.count == 0 || (is_known && poly_round(a, b, &rounded))) return rounded;
  return *definition_find("floordiv", a, b, true);
}

/* Let a - b = n*D with the largest n: returns b + n*positive(D) or a + n*positive(-D). */
static CheckPoly max_of(CheckPoly a, CheckPoly b) {
  CheckPoly difference = poly_minus(a, b), n = poly_content(difference), part;
  if (poly_sign(difference) != 2) return poly_sign(difference) > 0 ? a : b;
  if (!poly_round(difference, n, &part)) check_fail("no content");
  const CheckPoly *of = definition_find("positive", part, (CheckPoly){}, false);
  if (of != nullptr) return poly_add(b, poly_multiply(n, *of));
  of = definition_find("positive", poly_minus((CheckPoly){}, part), (CheckPoly){}, true);
  return poly_add(a, poly_multiply(n, *of));
}

/* Applies the operator that starts with this letter. */
static CheckPoly operator_apply(char op, CheckPoly a, CheckPoly b) {
  if (op == '+') return poly_add(a, b);
  if (op == '-') return poly_minus(a, b);
  if (op == '*') return poly_multiply(a, b);
  if (meaning.divisor_count == MANY) check_fail("more than 2000 divisors");
  if (reader.is_rule) meaning.divisors[meaning.divisor_count++] = b;
  if (op == 'c') return poly_minus((CheckPoly){}, quotient_of(poly_minus((CheckPoly){}, a), b));
  CheckPoly quotient = quotient_of(a, b);
  return op == 'm' ? poly_minus(a, poly_multiply(b, quotient)) : quotient;
}

static CheckPoly read_expr(int level);

/* Reads min, max or gcd, distinguished by the second letter. */
static CheckPoly read_call(char op) {
  CheckPoly a = read_expr(0), b = (reader_take(","), read_expr(0));
  if (op == 'i') return poly_minus(a, poly_minus(max_of(a, b), b));
  if (op == 'a') return max_of(a, b);
  if (poly_equal(a, b)) return max_of(a, poly_minus((CheckPoly){}, a));
  const CheckPoly *of = definition_find("gcd", a, b, false);
  return of != nullptr ? *of : *definition_find("gcd", b, a, true);
}

/* lo(x) and hi(x) are atoms with these names. */
static CheckPoly read_bound(const char *end) {
  const char *x = reader_kind('w');
  if (!is_letter(x, "uvwxyz")) check_fail("bounds are of expression letters");
  return atom_get(text_of("%s(%s)", end, x), true);
}

static CheckPoly read_named(void) {
  bool is_call = reader_is("min") || reader_is("max") || reader_is("gcd");
  const char *name = reader_kind('w');
  if (is_call || strcmp(name, "lo") == 0 || strcmp(name, "hi") == 0) {
    reader_take("(");
    CheckPoly value = is_call ? read_call(name[1]) : read_bound(name);
    reader_take(")");
    return value;
  }
  if (reader.operands != nullptr && *name >= 'A' && *name <= 'G')
    return reader.operands[*name - 'A'];
  bool is_free = is_letter(name, "abckmnuvwxyz");
  if (reader.is_rule && !is_free) check_fail("no letter");
  return atom_get(name, is_free);
}

static CheckPoly read_factor(void) {
  static uint32_t depth;
  CheckPoly poly;
  if (++depth > NESTED + 1) check_fail("nested too deep");
  if (reader.at->kind == 'i') poly = poly_number(reader_kind('i'));
  else if (reader_skip("-")) poly = poly_minus((CheckPoly){}, read_factor());
  else if (!reader_skip("(")) poly = read_named();
  else poly = read_expr(0), reader_take(")");
  depth--;
  return poly;
}

/* Level 0 reads a sum, level 1 a product. */
static CheckPoly read_expr(int level) {
  static const char *const words[2][8] = {
      {"+", "-"}, {"*", "mod", "/", "floordiv", "floorDiv", "ceildiv", "ceilDiv"}};
  if (level == 2) return read_factor();
  CheckPoly poly = read_expr(level + 1);
  for (int i = 0; words[level][i] != nullptr;)
    if (!reader_skip(words[level][i])) i++;
    else poly = operator_apply(*words[level][i], poly, read_expr(level + 1)), i = 0;
  return poly;
}

static const struct Form *form_find(int first, int end) {
  while (first < end && !reader_skip(forms[first].word)) first++;
  return first == end ? nullptr : &forms[first];
}

static CheckClause clause_read(void) {
  CheckClause clause = {};
  for (bool goes_on = true; goes_on;) {
    if (clause.count == FACTS) check_fail("too many facts");
    struct Fact *fact = &clause.facts[clause.count++];
    fact->option = clause.options;
    fact->poly = read_expr(0);
    fact->is_equation = reader_skip("=");
    if (!fact->is_equation) reader_take(">=");
    reader_take("0");
    if (reader_skip(",")) continue;
    clause.options++;
    goes_on = reader_skip("|");
  }
  clause.chosen = clause.options > 1 ? -1 : 0;
  return clause;
}

/* Parses a clause in which A, B, .. have the values of the operands. */
static CheckClause clause_of(const char *text, const CheckPoly *operands) {
  const struct Reader kept = reader;
  reader =
      (struct Reader){.at = tokens_of(text, kept.at->file, kept.at->line), .operands = operands};
  CheckClause clause = clause_read();
  reader = kept;
  return clause;
}

static CheckClause *list_find(struct List *list, const char *name) {
  for (uint32_t i = 0; i < list->count; i++)
    if (strcmp(list->items[i].name, name) == 0) return &list->items[i];
  return nullptr;
}

static void list_put(struct List *list, const char *name, CheckClause clause) {
  if (list->count == MANY) check_fail("more than 2000 labels or hypotheses");
  if (list_find(list, name) != nullptr) check_fail("a label in use");
  clause.name = name;
  list->items[list->count++] = clause;
}

static void hypothesis_put(const char *name, const char *clause, const CheckPoly *operands) {
  list_put(&hypotheses, name, clause_of(clause, operands));
}

/* Checks that the text after the colon states this clause, and adds it under the label. */
static void clause_state(const char *label, CheckClause clause) {
  reader_take(":");
  const CheckClause stated = clause_read();
  for (int i = 0; i < clause.count || i < stated.count; i++) {
    const struct Fact *a = &stated.facts[i], *b = &clause.facts[i];
    if (stated.count != clause.count || a->is_equation != b->is_equation ||
        a->option != b->option || !poly_equal(a->poly, b->poly))
      check_fail("the clause differs from the one that its reason defines");
  }
  list_put(&labels, label, clause);
}

/* Reads a relation. Each divisor in it may be assumed to be at least 1. */
static void guard_read(void) {
  const uint32_t first = meaning.divisor_count;
  CheckPoly operands[2] = {read_expr(0)};
  const struct Form *form = form_find(RELATION_FORMS, ALL_FORMS);
  if (form == nullptr) check_fail("expected a relation");
  operands[1] = read_expr(0);
  hypothesis_put(text_of("guard %u ", ++rule.guards), form->clause, operands);
  for (uint32_t i = first; i < meaning.divisor_count; i++)
    hypothesis_put(text_of("guard %u divisor %u ", rule.guards, i - first + 1), "A - 1 >= 0",
        &meaning.divisors[i]);
}

/* Reads an expression; returns false if it has no interval. */
static bool side_read(CheckPoly side[3]) {
  side[0] = read_expr(0);
  if (!reader_skip("in")) return false;
  reader_take("["), side[1] = read_expr(0);
  reader_take(","), side[2] = read_expr(0), reader_take("]");
  return true;
}

/* Reads ranges c in [lo, hi]: two more guards each. */
static void scope_read(void) {
  CheckPoly range[3];
  if (!side_read(range)) check_fail("expected a range");
  hypothesis_put(text_of("guard %u ", ++rule.guards), "A - B >= 0", range);
  hypothesis_put(text_of("guard %u ", ++rule.guards), "C - A >= 0", range);
}

/* A rule, or a declaration of letters, which are those of rules without certificates. */
static bool statement_is(void) {
  return reader_is("rule") || reader_is("constant") || reader_is("expression");
}

/* Skips to the next rule or declaration. Of the tags, only scope belongs to the statement. */
static void tags_read(void) {
  for (bool is_strict = reader.is_rule; reader.at->kind != 0 && !statement_is();) {
    if (is_strict && reader.at->kind != 't') check_fail("expected a tag or a rule");
    is_strict = reader.is_rule && reader_is("scope:");
    reader.at++;
    for (bool goes_on = is_strict; goes_on; goes_on = reader_skip(",")) scope_read();
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

/* Finds the rule with this name, which must be unique, and reads it. */
static void rule_find(const CheckToken *rules, const char *name) {
  const struct Reader kept = reader;
  const CheckToken *found = nullptr;
  for (reader.at = rules; reader.at->kind != 0; tags_read()) {
    if (reader_skip("constant") || reader_skip("expression")) continue;
    reader_take("rule");
    if (strcmp(reader_kind('n'), name) != 0) continue;
    if (found != nullptr) check_fail("two rules of this name");
    found = reader.at;
  }
  if (found == nullptr) check_fail("no rule of this name");
  reader = (struct Reader){.at = found, .is_rule = true};
  rule_read();
  reader = kept;
}

static void operands_read(const struct Form *form, CheckPoly *operands) {
  for (int i = 0; i < form->operands; i++) {
    if (i < 2) reader_take("(");
    operands[i] = read_expr(0);
    if (i < 2) reader_take(")");
  }
}

/* define NAME.. = WORD (A) (B): the names are new and end with a digit, as no word of the grammar
 * does. The operands cannot use them. */
static void definition_read(void) {
  if (meaning.definition_count == MANY) check_fail("more than 2000 definitions");
  struct Definition *of = &meaning.definitions[meaning.definition_count];
  const CheckToken *names = reader.at;
  while (reader.at->kind == 'w') reader.at++;
  const int count = (int)(reader.at - names);
  reader_take("=");
  const struct Form *form = form_find(DEFINITION_FORMS, RELATION_FORMS);
  if (form == nullptr || form->atoms != count) check_fail("no such definition");
  *of = (struct Definition){.kind = form->word};
  operands_read(form, of->operands);
  for (int i = 0; i < count; i++) {
    const char *name = names[i].text;
    const uint32_t known = meaning.atom_count;
    of->operands[2 + i] = atom_get(name, true);
    if (known == meaning.atom_count || strchr(digits, name[strlen(name) - 1]) == nullptr ||
        is_letter(name, "abckmnuvwxyz"))
      check_fail("no new word that ends with a digit");
  }
  meaning.definition_count++;
  hypothesis_put(text_of("define %s ", names[0].text), form->clause, of->operands);
}

/* The clause of a lemma, of lower or upper, or of a hypothesis: its reason goes up to the colon. */
static CheckClause reason_clause(void) {
  const struct Form *form = form_find(0, DEFINITION_FORMS);
  CheckPoly operands[3];
  if (form != nullptr) return operands_read(form, operands), clause_of(form->clause, operands);
  const bool is_lower = reader_is("lower");
  if (reader_skip("lower") || reader_skip("upper")) {
    const char *x = reader_kind('w');
    return clause_of(text_of(is_lower ? "%s - lo(%s) >= 0" : "hi(%s) - %s >= 0", x, x), nullptr);
  }
  const char *reason = "";
  for (; reader.at->kind != 0 && !reader_is(":"); reader.at++)
    reason = text_of("%s%s ", reason, reader.at->text);
  const CheckClause *clause = list_find(&hypotheses, reason);
  if (clause == nullptr) check_fail("no such reason");
  return *clause;
}

/* FACTOR * LABEL [. NUMBER]: returns the fact multiplied by the factor. */
static CheckPoly product_read(void) {
  const bool is_negative = reader_skip("-");
  CheckPoly factor = poly_number(reader_kind('i'));
  reader_take("*");
  const CheckClause *clause = list_find(&labels, reader_kind(reader.at->kind == 'i' ? 'i' : 'w'));
  unsigned long number = reader_skip(".") ? strtoul(reader_kind('i'), nullptr, 10) : 1;
  for (int i = 0; clause != nullptr && i < clause->count; i++) {
    const struct Fact *fact = &clause->facts[i];
    if (fact->option != clause->chosen || --number > 0) continue;
    if (is_negative && !fact->is_equation) check_fail("an inequality times a negative number");
    if (is_negative) factor = poly_minus((CheckPoly){}, factor);
    return poly_multiply(factor, fact->poly);
  }
  check_fail("no such fact");
}

static CheckPoly combination_read(void) {
  CheckPoly sum = product_read();
  while (reader_skip("+")) sum = poly_add(sum, product_read());
  return sum;
}

/* Checks that the assumptions are contradictory: a sum, a rounding and a refutation, or cases. */
static void refutation_read(int level) {
  if (level > NESTED) check_fail("nested too deep");
  if (reader.at->kind == 'i') {
    const char *label = reader_kind('i');
    reader_take("round");
    CheckPoly divisor = poly_number(reader_kind('i')), rounded;
    if (poly_sign(divisor) != 1 || !poly_round(combination_read(), divisor, &rounded))
      check_fail("the sum is not divided so");
    clause_state(label, clause_of("A >= 0", &rounded));
    refutation_read(level + 1);
    labels.count--;
  } else if (reader_skip("cases")) {
    CheckClause *clause = list_find(&labels, reader_kind('i'));
    if (clause == nullptr || clause->chosen >= 0) check_fail("no cases of this clause");
    for (clause->chosen = 0; clause->chosen < clause->options; clause->chosen++)
      refutation_read(level + 1);
    clause->chosen = -1;
  } else {
    reader_take("sum");
    if (poly_sign(combination_read()) != -1) check_fail("the sum is not a number below 0");
  }
}

/* Reads clauses, refute WHAT WHICH, the assumed facts, and the refutation. */
static void obligation_read(const char *what, const char *which, const char *goal,
    const CheckPoly *of, const CheckPoly *side) {
  while (reader.at->kind == 'i') {
    const char *label = reader_kind('i');
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

/* Reads an obligation for each divisor of the sides, except positive numbers and repeated ones. */
static void divisors_read(void) {
  uint32_t shown = 0;
  for (const CheckPoly *at = meaning.divisors; at < meaning.divisors + rule.divisors; at++) {
    bool is_known = poly_sign(*at) == 1;
    for (const CheckPoly *to = meaning.divisors; to < at && !is_known; to++)
      is_known = poly_equal(*to, *at);
    if (is_known) continue;
    obligation_read("divisor", text_of("%u", ++shown), "-A >= 0", at, nullptr);
    hypothesis_put(text_of("divisor %u ", shown), "A - 1 >= 0", at);
  }
}

/* certificate 1 rule NAME, definitions, obligations, end. */
static void certificate_read(const CheckToken *rules) {
  meaning.definition_count = meaning.atom_count = meaning.divisor_count = 0;
  hypotheses.count = labels.count = rule.guards = 0;
  reader_take("certificate"), reader_take("1"), reader_take("rule");
  const char *name = reader_kind('n');
  while (reader_skip("define")) definition_read();
  rule_find(rules, name);
  divisors_read();
  const CheckPoly both[] = {rule.sides[0][0], rule.sides[1][0]};
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
  if (length < most && !ferror(file) && strlen(text) == length) return fclose(file), text;
  if (file == nullptr) fprintf(stderr, "affirm-check: %s: %m\n", path);
  else fprintf(stderr, "affirm-check: %s is a directory, too long or has a byte 0\n", path);
  exit(3);
}

/* Starts affirm-check-map, the checker of certificates of maps, which is in the same directory. */
static int maps_check(char **argv) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 5);
  if (length > 0) memcpy(path + length, "-map", 5), execv(path, argv);
  return fputs("affirm-check: affirm-check-map does not start\n", stderr), 3;
}

/* Numbers are polynomials' memory too, so that too large ones are rejected. */
static void *number_grow(void *old, size_t size, size_t more) {
  return memcpy(check_alloc(more), old, size < more ? size : more);
}

int main(int argc, char **argv) {
  int code = argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 3;
  if (argc != 3) return fputs("affirm-check RULES CERTIFICATES\n", code ? stderr : stdout), code;
  const char *rules = file_read(argv[1]), *certificates = file_read(argv[2]);
  if (strncmp(certificates, "map ", 4) == 0) return maps_check(argv);
  mp_set_memory_functions(check_alloc, number_grow, nullptr);
  const CheckToken *tokens = tokens_of(rules, argv[1], 1);
  reader.at = tokens_of(certificates, argv[2], 1);
  do certificate_read(tokens);
  while (reader.at->kind != 0);
  _Exit(fflush(stdout) == 0 ? 0 : 3);
}
