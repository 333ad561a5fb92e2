/* Parses a side as a sum of letters and operators, and prints its measures as terms. Equal letters
 * of a sum are one item. The weight of a sum is the sum of its items' weights. That is exact if the
 * letters share no atom, as on a left side; else it is an upper bound. */
#include "proof/order/measure.h"

#include <stdlib.h>
#include <string.h>

static const char *const prefixes[SYMBOLS] = {"k9", "n9", "m9", "a9", "a8", "c9", "b9", "m8", "n8"};
static const char *const words[SYMBOLS] = {"weight of", "variables in", "nesting of",
    "coefficients of", "coefficients inside", "divisors in", "constant of", "lo of", "hi of"};

const char *symbol_text(Arena *arena, Symbol symbol, uint32_t letter) {
  return arena_printf(arena, "%s%u", prefixes[symbol], letter);
}

const char *symbol_words(Arena *arena, const Rule *rule, const char *text) {
  for (Symbol symbol = 0; symbol < SYMBOLS; symbol++) {
    if (strncmp(text, prefixes[symbol], 2) != 0 || text[2] == 0) continue;
    uint32_t letter = (uint32_t)strtoul(text + 2, nullptr, 10);
    const char *name =
        letter < rule->expr_count ? rule->exprs[letter] : "the sum with a letter twice";
    return arena_printf(arena, "%s %s", words[symbol], name);
  }
  static const char *const others[][2] = {{"k80", "depth"}, {"k81", "coefficient before it"},
      {"k70", "taken away"}, {"m70", "added"}, {"n70", "what stays"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(text, others[i][0]) == 0) return others[i][1];
  return nullptr;
}

bool letter_is_unit(const Rule *rule, uint32_t letter) {
  return letter < rule->expr_count && rule->exprs[letter][0] <= 'w';
}

bool is_division(ExprOp op) { return op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD; }

/* ---- reading ---- */

static bool is_constant(const RuleTerm *term) {
  if (term->kind == TERM_EXPR) return false;
  if (term->kind != TERM_OPERATOR && term->kind != TERM_GCD) return true;
  return is_constant(term->left) && is_constant(term->right);
}

const char *constant_text(Arena *arena, const Rule *rule, const RuleTerm *term) {
  const char *left = nullptr, *right = nullptr;
  if (term->kind == TERM_OPERATOR || term->kind == TERM_GCD) {
    left = constant_text(arena, rule, term->left);
    right = constant_text(arena, rule, term->right);
  }
  switch (term->kind) {
    case TERM_INTEGER: return arena_printf(arena, "%lld", (long long)term->value);
    case TERM_CONSTANT_LETTER: return rule->constants[term->letter];
    case TERM_EXPR: return rule->exprs[term->letter];
    case TERM_LO: return symbol_text(arena, SYMBOL_LO, term->letter);
    case TERM_HI: return symbol_text(arena, SYMBOL_HI, term->letter);
    case TERM_GCD: return arena_printf(arena, "gcd(%s, %s)", left, right);
    case TERM_OPERATOR: break;
  }
  if (term->op == EXPR_MIN || term->op == EXPR_MAX)
    return arena_printf(arena, "%s(%s, %s)", expr_op_text(term->op), left, right);
  return arena_printf(arena, "(%s %s %s)", left, expr_op_text(term->op), right);
}

static const char *measure_product(Arena *arena, const char *a, const char *b) {
  if (strcmp(a, "1") == 0) return b;
  return strcmp(b, "1") == 0 ? a : arena_printf(arena, "(%s)*(%s)", a, b);
}

typedef struct SumReader {
  Arena *arena;
  const Rule *rule;
  MeasuredSum *sum;
} SumReader;

static MeasuredItem *add_item(MeasuredSum *sum) {
  return sum->count == measured_max_items ? nullptr : &sum->items[sum->count++];
}

static bool read_letter(const SumReader *reader, uint32_t letter, const char *coefficient) {
  MeasuredSum *sum = reader->sum;
  for (uint32_t i = 0; i < sum->count; i++) {
    MeasuredItem *item = &sum->items[i];
    if (item->atom != nullptr || item->letter != letter) continue;
    item->coefficient = arena_printf(reader->arena, "%s + %s", item->coefficient, coefficient);
    return true;
  }
  MeasuredItem *item = add_item(sum);
  if (item == nullptr) return false;
  *item = (MeasuredItem){.coefficient = coefficient, .letter = letter};
  return true;
}

static bool read_atom(const SumReader *reader, const RuleTerm *term, const char *coefficient) {
  MeasuredAtom *atom = ARENA_NEW(reader->arena, MeasuredAtom, 1);
  MeasuredItem *item = add_item(reader->sum);
  if (item == nullptr) return false;
  *atom = (MeasuredAtom){.op = term->op};
  *item = (MeasuredItem){.coefficient = coefficient, .atom = atom};
  if (!sum_read(reader->arena, reader->rule, term->left, &atom->left)) return false;
  if (!is_division(term->op))
    return sum_read(reader->arena, reader->rule, term->right, &atom->right);
  atom->divisor = constant_text(reader->arena, reader->rule, term->right);
  return is_constant(term->right);
}

static bool read_term(const SumReader *reader, const RuleTerm *term, const char *coefficient) {
  MeasuredSum *sum = reader->sum;
  if (is_constant(term)) {
    if (term->kind == TERM_CONSTANT_LETTER && strcmp(coefficient, "1") == 0)
      sum->lone_constant = term;
    const char *value = measure_product(
        reader->arena, coefficient, constant_text(reader->arena, reader->rule, term));
    sum->constant = arena_printf(reader->arena, "%s + %s", sum->constant, value);
    return true;
  }
  if (term->kind == TERM_EXPR) return read_letter(reader, term->letter, coefficient);
  if (term->op == EXPR_ADD)
    return read_term(reader, term->left, coefficient) &&
           read_term(reader, term->right, coefficient);
  if (term->op != EXPR_MUL) return read_atom(reader, term, coefficient);
  const RuleTerm *factor = is_constant(term->left) ? term->left : term->right,
                 *rest = factor == term->left ? term->right : term->left;
  const char *value = constant_text(reader->arena, reader->rule, factor);
  return is_constant(factor) &&
         read_term(reader, rest, measure_product(reader->arena, coefficient, value));
}

bool sum_read(Arena *arena, const Rule *rule, const RuleTerm *term, MeasuredSum *sum) {
  *sum = (MeasuredSum){.constant = "0"};
  return read_term(&(SumReader){arena, rule, sum}, term, "1");
}

bool coefficient_is_one(const char *coefficient) { return strcmp(coefficient, "1") == 0; }

bool sum_has_atom(const MeasuredSum *sum) {
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].atom != nullptr) return true;
  return false;
}

const MeasuredItem *sum_division(const MeasuredSum *sum) {
  const MeasuredItem *found = nullptr;
  for (uint32_t i = 0; i < sum->count; i++) {
    if (sum->items[i].atom == nullptr || !is_division(sum->items[i].atom->op)) continue;
    if (found != nullptr) return nullptr;
    found = &sum->items[i];
  }
  return found;
}

bool sum_is_one_level(const MeasuredSum *sum) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < sum->count; i++) count += sum->items[i].atom != nullptr;
  return count == (sum_division(sum) != nullptr);
}

/* ---- measures ---- */

typedef void MeasurePrint(Text *text, const MeasuredSum *sum);

static void symbol_print(Text *text, Symbol symbol, uint32_t letter) {
  text_string(text, symbol_text(text->arena, symbol, letter));
}

/* Prints the measure of the operator's arguments. */
static void arguments_print(Text *text, const MeasuredAtom *atom, MeasurePrint *print) {
  print(text, &atom->left);
  if (is_division(atom->op)) return;
  text_string(text, " + ");
  print(text, &atom->right);
}

static void atom_weight_print(Text *text, const MeasuredAtom *atom) {
  bool is_quotient = atom->op == EXPR_FLOORDIV || atom->op == EXPR_CEILDIV;
  text_string(text, is_quotient ? "2*(" : "(");
  arguments_print(text, atom, weight_print);
  text_string(text, atom->op == EXPR_FLOORDIV ? ")" : ") + 1");
}

void weight_print(Text *text, const MeasuredSum *sum) {
  text_string(text, "0");
  for (uint32_t i = 0; i < sum->count; i++) {
    text_string(text, " + ");
    if (sum->items[i].atom == nullptr) symbol_print(text, SYMBOL_WEIGHT, sum->items[i].letter);
    else atom_weight_print(text, sum->items[i].atom);
  }
}

void variables_print(Text *text, const MeasuredSum *sum) {
  text_string(text, "0");
  for (uint32_t i = 0; i < sum->count; i++) {
    text_string(text, " + ");
    if (sum->items[i].atom == nullptr) symbol_print(text, SYMBOL_VARIABLES, sum->items[i].letter);
    else arguments_print(text, sum->items[i].atom, variables_print);
  }
}

void nesting_print(Text *text, const MeasuredSum *sum, uint32_t depth) {
  text_string(text, "0");
  for (uint32_t i = 0; i < sum->count; i++) {
    const MeasuredItem *item = &sum->items[i];
    text_string(text, " + ");
    if (item->atom != nullptr) {
      nesting_print(text, &item->atom->left, depth + 1);
      text_string(text, " + ");
      nesting_print(text, &item->atom->right, depth + 1);
      continue;
    }
    symbol_print(text, SYMBOL_NESTING, item->letter);
    text_printf(text, " + %u*", depth);
    symbol_print(text, SYMBOL_VARIABLES, item->letter);
  }
}

void divisors_print(Text *text, const MeasuredSum *sum) {
  text_string(text, "0");
  for (uint32_t i = 0; i < sum->count; i++) {
    const MeasuredAtom *atom = sum->items[i].atom;
    text_string(text, " + ");
    if (atom == nullptr) symbol_print(text, SYMBOL_DIVISORS, sum->items[i].letter);
    else arguments_print(text, atom, divisors_print);
    if (atom != nullptr && is_division(atom->op)) text_printf(text, " + %s", atom->divisor);
  }
}

static void magnitude_print(Text *text, const char *value) {
  if (strcmp(value, "1") == 0) text_string(text, "1");
  else text_printf(text, "max(%s, -(%s))", value, value);
}

void own_print(Text *text, const MeasuredSum *sum) {
  text_string(text, "0");
  for (uint32_t i = 0; i < sum->count; i++) {
    text_string(text, " + ");
    magnitude_print(text, sum->items[i].coefficient);
    if (sum->items[i].atom != nullptr) continue;
    text_string(text, "*");
    symbol_print(text, SYMBOL_OWN, sum->items[i].letter);
  }
}

static void all_print(Text *text, const MeasuredSum *sum) {
  own_print(text, sum);
  text_string(text, " + ");
  inner_print(text, sum);
}

void inner_print(Text *text, const MeasuredSum *sum) {
  text_string(text, "0");
  for (uint32_t i = 0; i < sum->count; i++) {
    text_string(text, " + ");
    if (sum->items[i].atom == nullptr) symbol_print(text, SYMBOL_INNER, sum->items[i].letter);
    else arguments_print(text, sum->items[i].atom, all_print);
  }
}

const char *constant_of(Arena *arena, const Rule *rule, const MeasuredSum *sum) {
  Text text = text_create(arena);
  text_string(&text, sum->constant);
  for (uint32_t i = 0; i < sum->count; i++) {
    const MeasuredItem *item = &sum->items[i];
    if (item->atom != nullptr || letter_is_unit(rule, item->letter)) continue;
    text_printf(
        &text, " + (%s)*%s", item->coefficient, symbol_text(arena, SYMBOL_CONSTANT, item->letter));
  }
  return text.bytes;
}
