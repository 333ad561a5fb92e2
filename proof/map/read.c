/* Parses rules, the states of a map, and the bindings of a step. Expressions have one grammar; a
 * name is a letter in a rule and a variable in a state. */
#include "proof/map/map.h"

#include <string.h>

enum { RULES = 2000, WORDS = 4000 };
static constexpr uint32_t most_height = 8000; /* expressions are walked by recursion */
static constexpr uint32_t most_depth = 2 * most_height + 2; /* -(..) is one operator */
uint32_t rule_count;
CertRule rules[RULES];

static const char *at;
static uint32_t depth, name_count;
static CertRule *letters_of;     /* nullptr: names are variables */
static bool may_add;             /* new names become variables or letters */
static const char *names[WORDS]; /* variables of the states of one certificate */

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(void) {
  for (;; at++) {
    if (letters_of != nullptr && *at == '#') at += strcspn(at, "\n");
    if (*at == 0 || strchr(letters_of != nullptr ? " \t\r\n" : " \t", *at) == nullptr) return;
  }
}

static size_t word_length(void) {
  size_t length = 0;
  while (is_letter(at[length]) || (length > 0 && (is_digit(at[length]) || at[length] == '.')))
    length++;
  return length;
}

/* Skips the text if it comes next. A word must also end there. */
static bool skip_text(const char *text) {
  skip_blanks();
  size_t length = strlen(text);
  if (strncmp(at, text, length) != 0) return false;
  if (is_letter(text[length - 1]) && (is_letter(at[length]) || is_digit(at[length]))) return false;
  at += length;
  return true;
}

static void take(const char *text) {
  if (!skip_text(text)) fail(text);
}

static const char *word_copy(size_t length) {
  char *copy = new_bytes(length + 1);
  memcpy(copy, at, length);
  at += length;
  return copy;
}

static uint32_t word_find(const char *const *list, uint32_t count, const char *word) {
  uint32_t i = 0;
  while (i < count && strcmp(list[i], word) != 0) i++;
  return i;
}

static mpz_ptr integer_read(void) {
  bool is_negative = skip_text("-");
  skip_blanks();
  size_t length = strspn(at, "0123456789");
  if (length == 0) fail("expected an integer");
  mpz_ptr value = number_new(0);
  mpz_set_str(value, word_copy(length), 10);
  if (is_negative) mpz_neg(value, value);
  return value;
}

/* ---- expressions ---- */

static CertNode *node_new(Op op, CertNode *left, CertNode *right) {
  CertNode *node = new_bytes(sizeof *node);
  *node = (CertNode){.op = op, .left = left, .right = right};
  if (left != nullptr) node->height = 1 + left->height;
  if (right != nullptr && right->height >= node->height) node->height = 1 + right->height;
  if (node->height > most_height) fail("an expression of too many operators");
  return node;
}

static CertNode *node_integer(long value) {
  CertNode *node = node_new(INTEGER, nullptr, nullptr);
  node->value = number_new(value);
  return node;
}

static CertNode *sum_read(void);

static CertNode *name_read(Op op) {
  skip_blanks();
  size_t length = word_length();
  if (length == 0) fail("expected an expression");
  const char *word = word_copy(length);
  CertNode *node = node_new(op, nullptr, nullptr);
  if (letters_of == nullptr) {
    node->op = VARIABLE;
    node->index = word_find(names, name_count, word);
    if (node->index == name_count) fail("a name that is no variable");
    return node;
  }
  node->index = word_find(letters_of->letters, letters_of->letter_count, word);
  if (node->index == LETTERS) fail("too many letters");
  if (node->index == letters_of->letter_count) {
    if (!may_add) fail("a letter that the rule does not have");
    letters_of->letters[letters_of->letter_count++] = word;
  }
  return node;
}

static CertNode *factor_read(void) {
  static const struct {
    const char *word;
    Op op;
  } calls[] = {{"min", MIN}, {"max", MAX}, {"gcd", GCD}};
  if (++depth > most_depth) fail("nested too deep");
  CertNode *node = nullptr;
  skip_blanks();
  if (skip_text("-")) {
    CertNode *inner = factor_read();
    if (inner->op == INTEGER) mpz_neg(inner->value, inner->value);
    node = inner->op == INTEGER ? inner : node_new(MULTIPLY, node_integer(-1), inner);
  } else if (is_digit(*at)) {
    node = node_integer(0);
    node->value = integer_read();
  } else if (skip_text("(")) {
    node = sum_read();
    take(")");
  } else if (letters_of != nullptr && (skip_text("lo") || skip_text("hi"))) {
    Op op = at[-1] == 'o' ? LO : HI;
    take("(");
    node = name_read(op);
    take(")");
  }
  for (size_t i = 0; node == nullptr && i < sizeof calls / sizeof *calls; i++) {
    const char *word = at;
    if (!skip_text(calls[i].word)) continue;
    if (!skip_text("(")) {
      at = word; /* a variable of this name */
      break;
    }
    node = sum_read();
    take(",");
    node = node_new(calls[i].op, node, sum_read());
    while (calls[i].op != GCD && skip_text(",")) node = node_new(calls[i].op, node, sum_read());
    take(")");
  }
  depth--;
  return node == nullptr ? name_read(LETTER) : node;
}

static CertNode *product_read(void) {
  CertNode *node = factor_read();
  for (;;) {
    Op op = skip_text("*")                                                     ? MULTIPLY
            : skip_text("floordiv") || skip_text("floorDiv") || skip_text("/") ? FLOORDIV
            : skip_text("ceildiv") || skip_text("ceilDiv")                     ? CEILDIV
            : skip_text("mod")                                                 ? MOD
                                                                               : INTEGER;
    if (op == INTEGER) return node;
    CertNode *right = factor_read();
    bool is_division = op != MULTIPLY && letters_of == nullptr;
    if (is_division && (right->op != INTEGER || mpz_sgn(right->value) <= 0))
      fail("a divisor must be an integer above 0");
    node = node_new(op, node, right);
  }
}

static CertNode *sum_read(void) {
  CertNode *node = product_read();
  for (;;) {
    if (skip_text("+")) node = node_new(ADD, node, product_read());
    else if (skip_text("-"))
      node = node_new(ADD, node, node_new(MULTIPLY, node_integer(-1), product_read()));
    else return node;
  }
}

/* ---- rules ---- */

static CertSide side_read(void) {
  CertSide side = {.expr = sum_read()};
  if (!skip_text("in")) return side;
  take("[");
  side.lo = sum_read();
  take(",");
  side.hi = sum_read();
  take("]");
  return side;
}

static void guards_read(CertRule *rule) {
  static const char relations[][sizeof rule->guards[0].relation] = {
      "==", "!=", "<=", ">=", "<", ">"};
  do {
    if (rule->guard_count == GUARDS) fail("too many guards");
    typeof(rule->guards[0]) *guard = &rule->guards[rule->guard_count++];
    guard->left = sum_read();
    size_t i = 0;
    while (i < 6 && !skip_text(relations[i])) i++;
    if (i == 6) fail("expected a comparison");
    memcpy(guard->relation, relations[i], sizeof guard->relation);
    guard->right = sum_read();
  } while (skip_text(","));
}

/* `c in [1, 64], ...` become guards. */
static void scope_read(CertRule *rule) {
  do {
    if (rule->guard_count + 2 > GUARDS) fail("too many guards");
    CertNode *letter = name_read(LETTER);
    take("in"), take("[");
    for (int end = 0; end < 2; end++) {
      if (end == 1) take(",");
      CertNode *bound = node_integer(0);
      bound->value = integer_read();
      typeof(rule->guards[0]) *guard = &rule->guards[rule->guard_count++];
      guard->left = letter;
      memcpy(guard->relation, end == 0 ? ">=" : "<=", sizeof guard->relation);
      guard->right = bound;
    }
    take("]");
  } while (skip_text(","));
}

/* Parses a negative example and discards it. */
static void negative_read(const CertRule *rule) {
  CertRule scratch = *rule;
  letters_of = &scratch;
  const char *from = at;
  CertNode *first = sum_read();
  (void)first;
  if (skip_text("in")) {
    at = from;
    (void)side_read();
    return;
  }
  skip_blanks();
  if (strchr("=!<>", *at) == nullptr || *at == 0) return;
  at = from;
  scratch.guard_count = 0;
  guards_read(&scratch);
}

void rules_read(const char *text) {
  at = text;
  for (;;) {
    if (rule_count == RULES) fail("too many rules");
    CertRule *rule = letters_of = &rules[rule_count];
    skip_blanks();
    if (*at == 0) break;
    take("rule");
    skip_blanks();
    rule->name = word_copy(strcspn(at, " \t\r\n#"));
    may_add = true;
    rule->left = side_read();
    take("=>");
    rule->right = side_read();
    if ((rule->left.lo == nullptr) != (rule->right.lo == nullptr)) fail("sides of two kinds");
    if (skip_text("when")) guards_read(rule);
    for (;;) {
      letters_of = rule;
      if (skip_text("order:") || skip_text("example:")) at += strcspn(at, "\n");
      else if (skip_text("scope:")) scope_read(rule);
      else if (skip_text("near-miss:")) negative_read(rule);
      else break;
    }
    letters_of = rule;
    rule_count++;
  }
  letters_of = nullptr;
}

const CertRule *rule_find(const char *name, size_t length) {
  const CertRule *found = nullptr;
  for (uint32_t i = 0; i < rule_count; i++) {
    if (strlen(rules[i].name) != length || memcmp(rules[i].name, name, length) != 0) continue;
    if (found != nullptr) fail("two rules of this name");
    found = &rules[i];
  }
  return found;
}

/* ---- states ---- */

/* The first state that is not KNOWN EMPTY declares the variables of each kind and the number of
 * results; all others must have the same. */
static bool is_declared;
static uint32_t declared[3]; /* up to the last dimension, up to the last range, results */

static void count_check(uint32_t *before, uint32_t count, bool is_first) {
  if (is_first) *before = count;
  if (*before != count) fail("states have other variables or another number of results");
}

static void variables_read(const char *end, uint32_t *count, bool is_first) {
  for (bool is_next = false; !skip_text(end); is_next = true) {
    if (is_next) take(",");
    skip_blanks();
    size_t length = word_length();
    if (length == 0 || *count == most) fail("expected a variable");
    const char *word = word_copy(length);
    if (is_first) names[name_count++] = word;
    if (*count >= name_count || strcmp(names[*count], word) != 0)
      fail("states have other variables");
    ++*count;
  }
}

static CertInterval interval_read(void) {
  take("[");
  mpz_ptr lo = integer_read();
  take(",");
  mpz_ptr hi = integer_read();
  take("]");
  return (CertInterval){lo, hi};
}

static void demand_read(State *state) {
  CertDemand *demand = &state->demands[state->demand_count];
  demand->expr = sum_read();
  take("in");
  demand->in = interval_read();
  if (demand->expr->op == VARIABLE && state->bounds[demand->expr->index].lo == nullptr) {
    state->bounds[demand->expr->index] = demand->in;
    return;
  }
  demand->poly = poly_of(demand->expr, nullptr);
  state->demand_count++;
}

/* Allocates a state. No list has more items than the line has commas, plus one. */
static State *state_new(const char *line) {
  size_t capacity = 2;
  for (const char *c = line; *c != 0; c++) capacity += *c == ',';
  State *state = new_bytes(sizeof *state);
  state->bounds = new_bytes(capacity * sizeof *state->bounds);
  state->results = new_bytes(capacity * sizeof *state->results);
  state->demands = new_bytes(capacity * sizeof *state->demands);
  return state;
}

static void line_end(void) {
  skip_blanks();
  if (*at != 0) fail("more than a map on the line");
}

State *state_read(const char *line) {
  State *state = state_new(line);
  at = line;
  letters_of = nullptr;
  state->is_empty = skip_text("KNOWN EMPTY");
  if (state->is_empty) {
    line_end();
    return state;
  }
  bool is_first = !is_declared;
  is_declared = true;
  take("(");
  variables_read(")", &state->variable_count, is_first);
  count_check(&declared[0], state->variable_count, is_first);
  if (skip_text("[")) variables_read("]", &state->variable_count, is_first);
  count_check(&declared[1], state->variable_count, is_first);
  if (skip_text("{")) variables_read("}", &state->variable_count, is_first);
  if (state->variable_count != name_count) fail("states have other variables");
  take("->"), take("(");
  while (!skip_text(")")) {
    if (state->result_count > 0) take(",");
    state->results[state->result_count++] = poly_of(sum_read(), nullptr);
  }
  count_check(&declared[2], state->result_count, is_first);
  if (skip_text(",")) {
    take("domain:");
    do demand_read(state);
    while (skip_text(","));
  }
  for (uint32_t i = 0; i < state->variable_count; i++)
    if (state->bounds[i].lo == nullptr) fail("a variable without bounds");
  line_end();
  return state;
}

void bindings_read(const char *line, const CertRule *rule, CertBinding *bindings) {
  at = line;
  while (!skip_text(";")) {
    if (skip_text("all")) { /* a multiple of a true instance is true */
      take("times");
      (void)integer_read();
      continue;
    }
    skip_blanks();
    const char *word = word_copy(word_length());
    uint32_t i = word_find(rule->letters, rule->letter_count, word);
    if (i == rule->letter_count) fail("a letter that the rule does not have");
    take("=");
    bindings[i].value = sum_read();
    (void)skip_text(",");
  }
  for (;;) {
    bool is_lo = skip_text("lo"), is_bound = is_lo || skip_text("hi");
    if (!is_bound) break;
    take("(");
    const char *word = word_copy(word_length());
    uint32_t i = word_find(rule->letters, rule->letter_count, word);
    if (i == rule->letter_count) fail("a letter that the rule does not have");
    take(")"), take("=");
    *(is_lo ? &bindings[i].lo : &bindings[i].hi) = integer_read();
    (void)skip_text(",");
  }
  skip_blanks();
  if (*at != 0) fail("more than bindings on the line");
}

void names_forget(void) {
  depth = 0;
  name_count = 0;
  is_declared = false;
}
