/* Turns an `order:` line into obligations. For each part of the order up to the named one, the
 * difference of both sides is a term over the measures of the letters. A part before the last must
 * not increase if all earlier parts are equal; the last part must decrease. Assumptions that hold
 * for every instance of the matcher: the guards; an operator's argument is not constant; the
 * letters of a sum share no summand; a letter bound to the multiples of a coefficient is not 0.
 * Rejects sides that are not linear sums, different operators where signs are compared, and a word
 * that the matcher does not check on such a left side. */
#include "proof/order/order.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proof/order/measure.h"
#include "core/rules/order_line.h"

static constexpr uint32_t max_facts = 120;

typedef struct Writer {
  Arena *arena;
  const Rule *rule;
  OrderProof *proof;
  Error *error;
  MeasuredSum left, right;
  uint32_t fact_count, equal_count;
  const char *facts[max_facts], *equal[order_max_obligations];
  bool is_bound[rule_max_letters];
  uint32_t next_letter;
} Writer;

static const char *symbol(const Writer *writer, Symbol of, uint32_t letter) {
  return symbol_text(writer->arena, of, letter);
}

[[gnu::format(printf, 2, 3)]] static void add_fact(Writer *writer, const char *format, ...) {
  if (writer->fact_count == max_facts) return; /* with fewer assumptions less is proved */
  char bytes[1 << 12];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(bytes, sizeof bytes, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof bytes) return;
  writer->facts[writer->fact_count++] = arena_printf(writer->arena, "%s", bytes);
}

/* ---- assumptions ---- */

static void assume_guards(Writer *writer) {
  const Rule *rule = writer->rule;
  for (uint32_t i = 0; i < rule->guard_count; i++)
    add_fact(writer, "%s %s %s", constant_text(writer->arena, rule, rule->guards[i].left),
        relation_text(rule->guards[i].relation),
        constant_text(writer->arena, rule, rule->guards[i].right));
  for (uint32_t i = 0; i < rule->expr_count; i++)
    add_fact(writer, "%s <= %s", symbol(writer, SYMBOL_LO, i), symbol(writer, SYMBOL_HI, i));
}

/* A letter without weight is constant and has no other measure; any other letter has variables and
 * coefficients. */
static void assume_letter(Writer *writer, uint32_t i) {
  const char *weight = symbol(writer, SYMBOL_WEIGHT, i);
  static const Symbol absent[] = {SYMBOL_NESTING, SYMBOL_INNER, SYMBOL_DIVISORS};
  static const Symbol present[] = {SYMBOL_VARIABLES, SYMBOL_OWN};
  add_fact(writer, "%s >= %u", weight, letter_is_unit(writer->rule, i));
  for (uint32_t j = 0; j < 3; j++) {
    const char *measure = symbol(writer, absent[j], i);
    add_fact(writer, "%s >= 0", measure);
    add_fact(writer, "min(1, %s) <= min(1, %s)", measure, weight);
  }
  for (uint32_t j = 0; j < 2; j++) {
    const char *measure = symbol(writer, present[j], i);
    add_fact(writer, "%s >= 0", measure);
    add_fact(writer, "min(1, %s) == min(1, %s)", measure, weight);
  }
  if (letter_is_unit(writer->rule, i)) add_fact(writer, "%s == 1", symbol(writer, SYMBOL_OWN, i));
}

static const char *weight_of(const Writer *writer, const MeasuredSum *sum) {
  Text text = text_create(writer->arena);
  weight_print(&text, sum);
  return text.bytes;
}

static bool is_one(const char *coefficient) { return strcmp(coefficient, "1") == 0; }

static uint32_t constant_uses(const RuleTerm *term, uint32_t constant) {
  if (term->kind == TERM_OPERATOR || term->kind == TERM_GCD)
    return constant_uses(term->left, constant) + constant_uses(term->right, constant);
  return term->kind == TERM_CONSTANT_LETTER && term->letter == constant;
}

/* A constant letter that is a summand and occurs once takes the whole constant. */
static bool takes_constant(const Writer *writer, const RuleTerm *lone) {
  const Side *left = &writer->rule->left;
  uint32_t count = constant_uses(left->expr, lone->letter);
  if (left->is_constraint)
    count += constant_uses(left->lo, lone->letter) + constant_uses(left->hi, lone->letter);
  return count == 1;
}

/* In c*x + y, x takes at least one summand or the constant. */
static void assume_multiples(Writer *writer, const MeasuredSum *sum) {
  const MeasuredItem *multiple = nullptr, *rest = nullptr;
  for (uint32_t i = 0; i < sum->count; i++) {
    const MeasuredItem *item = &sum->items[i];
    if (item->atom != nullptr || letter_is_unit(writer->rule, item->letter)) continue;
    *(is_one(item->coefficient) ? &rest : &multiple) = item;
  }
  if (multiple == nullptr || rest == nullptr || sum->lone_constant != nullptr) return;
  const char *weight = symbol(writer, SYMBOL_WEIGHT, multiple->letter),
             *own = symbol(writer, SYMBOL_CONSTANT, multiple->letter),
             *other = symbol(writer, SYMBOL_CONSTANT, rest->letter);
  add_fact(writer, "min(1, %s) + min(1, max(%s, -%s)) >= 1", weight, own, own);
  add_fact(writer, "min(1, max(%s, -%s)) + min(1, max(%s, -%s)) <= 1", own, own, other, other);
}

/* Replaces a sum from which a letter is subtracted that was bound before by one letter for its
 * weight. That weight is at least each letter's weight minus the weights of the others. */
static void assume_overlap(Writer *writer, MeasuredSum *sum) {
  const char *whole = symbol(writer, SYMBOL_WEIGHT, writer->next_letter);
  add_fact(writer, "%s >= 0", whole);
  for (uint32_t i = 0; i < sum->count; i++) {
    MeasuredSum others = *sum;
    others.items[i] = others.items[--others.count];
    add_fact(writer, "%s >= %s - (%s)", whole, symbol(writer, SYMBOL_WEIGHT, sum->items[i].letter),
        weight_of(writer, &others));
  }
  *sum = (MeasuredSum){.count = 1,
      .items = {{.coefficient = "1", .letter = writer->next_letter++}},
      .constant = sum->constant};
}

/* Assumes that the sum is not constant: it has weight and, without an operator, a coefficient. */
static void assume_present(Writer *writer, const MeasuredSum *sum) {
  add_fact(writer, "%s >= 1", weight_of(writer, sum));
  if (sum_has_atom(sum)) return;
  Text text = text_create(writer->arena);
  for (uint32_t i = 0; i < sum->count; i++)
    text_printf(
        &text, "%s%s", i == 0 ? "" : " + ", symbol(writer, SYMBOL_OWN, sum->items[i].letter));
  if (sum->count > 0) add_fact(writer, "%s >= 1", text.bytes);
}

/* Adds assumptions in the order of matching: operators first, then letters. */
static void assume_sum(Writer *writer, MeasuredSum *sum) {
  for (uint32_t i = 0; i < sum->count; i++) {
    MeasuredAtom *atom = (MeasuredAtom *)sum->items[i].atom;
    if (atom == nullptr) continue;
    assume_sum(writer, &atom->left);
    if (is_division(atom->op)) assume_present(writer, &atom->left);
    else assume_sum(writer, &atom->right);
  }
  bool overlaps = false;
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].atom == nullptr && sum->items[i].letter < rule_max_letters)
      overlaps |= writer->is_bound[sum->items[i].letter];
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].atom == nullptr && sum->items[i].letter < rule_max_letters)
      writer->is_bound[sum->items[i].letter] = true;
  if (overlaps && sum->count > 1 && !sum_has_atom(sum)) {
    assume_overlap(writer, sum);
    return;
  }
  assume_multiples(writer, sum);
  if (sum->lone_constant == nullptr || !takes_constant(writer, sum->lone_constant)) return;
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].atom == nullptr)
      add_fact(writer, "%s == 0", symbol(writer, SYMBOL_CONSTANT, sum->items[i].letter));
}

/* ---- obligations as rules ---- */

static bool is_letter_start(const char *at, const char *from) {
  bool inside = at > from && ((at[-1] >= 'a' && at[-1] <= 'z') || (at[-1] >= '0' && at[-1] <= '9'));
  return !inside && strchr("abckmn", *at) != nullptr && !(at[1] >= 'a' && at[1] <= 'z');
}

static size_t letter_length(const char *at) {
  size_t length = 1;
  while (at[length] >= '0' && at[length] <= '9') length++;
  return length;
}

static bool has_letter(const char *text, const char *letter, size_t length) {
  for (const char *at = text; *at != 0; at++)
    if (is_letter_start(at, text) && letter_length(at) == length && memcmp(at, letter, length) == 0)
      return true;
  return false;
}

static bool shares_letter(const char *a, const char *b) {
  for (const char *at = a; *at != 0; at++)
    if (is_letter_start(at, a) && has_letter(b, at, letter_length(at))) return true;
  return false;
}

/* Prints `left` extended so that it binds all letters of the conditions: + 0*(...) for the missing
 * ones. */
static void print_bound(Text *text, const char *left, const char *conditions) {
  text_string(text, left);
  Text extra = text_create(text->arena);
  for (const char *at = conditions; *at != 0; at++) {
    size_t length = 1;
    if (!is_letter_start(at, conditions)) continue;
    length = letter_length(at);
    if (has_letter(left, at, length) || has_letter(extra.bytes, at, length)) continue;
    text_string(&extra, extra.length == 0 ? "" : " + ");
    text_append(&extra, at, length);
  }
  if (extra.length > 0) text_printf(text, " + 0*(%s)", extra.bytes);
}

static const char *assumptions_for(const Writer *writer, const char *term) {
  Text about = text_create(writer->arena), text = text_create(writer->arena);
  text_string(&about, term);
  for (uint32_t i = 0; i < writer->equal_count; i++) text_printf(&about, " %s", writer->equal[i]);
  for (uint32_t i = 0; i < writer->equal_count; i++)
    text_printf(&text, "%s%s", text.length == 0 ? "" : ", ", writer->equal[i]);
  for (uint32_t i = 0; i < writer->fact_count; i++)
    if (shares_letter(writer->facts[i], about.bytes))
      text_printf(&text, "%s%s", text.length == 0 ? "" : ", ", writer->facts[i]);
  return text.bytes;
}

/* A rule that claims term >= least, or term == 0 if `least` is negative. */
static const char *rule_text(Arena *arena, const char *name, const char *part, const char *term,
    int32_t least, const char *assumptions) {
  Text text = text_create(arena);
  text_printf(&text, "rule %s/%s\n  ", name, part);
  const char *left = least < 0 ? term : arena_printf(arena, "min(%s, %d)", term, least);
  print_bound(&text, left, assumptions);
  text_printf(&text, "  =>  %d\n", least < 0 ? 0 : least);
  if (*assumptions != 0) text_printf(&text, "  when %s\n", assumptions);
  return text.bytes;
}

static bool reject(Writer *writer, const char *why) {
  return error_set(writer->error, ERROR_UNSUPPORTED, "rule %s: order: %s", writer->rule->name, why);
}

static bool oblige(Writer *writer, const char *part, const char *term, int32_t least) {
  OrderProof *proof = writer->proof;
  if (proof->count == order_max_obligations) return reject(writer, "too many obligations");
  const char *assumptions = assumptions_for(writer, term);
  proof->items[proof->count++] = (OrderObligation){
      part, rule_text(writer->arena, writer->rule->name, part, term, least, assumptions)};
  if (least == 1) {
    proof->decrease = term;
    proof->assumptions = assumptions;
  }
  return true;
}

/* ---- parts ---- */

typedef const char *SideMeasure(const Writer *writer, const MeasuredSum *sum, const Side *side);

static const char *measure_weight(const Writer *writer, const MeasuredSum *sum, const Side *side) {
  (void)side;
  return weight_of(writer, sum);
}

static const char *measure_nesting(const Writer *writer, const MeasuredSum *sum, const Side *side) {
  Text text = text_create(writer->arena);
  nesting_print(&text, sum, 0);
  if (side->is_constraint) return text.bytes;
  text_string(&text, " + k80*(");
  variables_print(&text, sum);
  text_string(&text, ")");
  return text.bytes;
}

static const char *measure_divisors(
    const Writer *writer, const MeasuredSum *sum, const Side *side) {
  (void)side;
  Text text = text_create(writer->arena);
  divisors_print(&text, sum);
  return text.bytes;
}

/* A coefficient (k81) may multiply the instance and thus its own coefficients. */
static const char *measure_coefficients(
    const Writer *writer, const MeasuredSum *sum, const Side *side) {
  Text text = text_create(writer->arena);
  text_string(&text, side->is_constraint ? "1*(" : "k81*(");
  own_print(&text, sum);
  text_string(&text, ") + ");
  inner_print(&text, sum);
  return text.bytes;
}

static const char *interval_width(const Writer *writer, const Side *side) {
  return arena_printf(writer->arena, "%s - %s",
      constant_text(writer->arena, writer->rule, side->hi),
      constant_text(writer->arena, writer->rule, side->lo));
}

/* The number of values in the interval of a constraint. */
static const char *measure_ends(const Writer *writer, const MeasuredSum *sum, const Side *side) {
  (void)sum;
  if (!side->is_constraint) return "0";
  return arena_printf(writer->arena, "max(0, %s + 1)", interval_width(writer, side));
}

static const char *order_magnitude(const Writer *writer, const char *value) {
  return arena_printf(writer->arena, "max(%s, -(%s))", value, value);
}

/* 1 if the constant of the division's argument is not next to zero, else 0. */
static const char *measure_untidy(const Writer *writer, const MeasuredSum *sum, const Side *side) {
  (void)side;
  const MeasuredItem *item = sum_division(sum);
  if (item == nullptr) return "0";
  const char *c = item->atom->divisor,
             *quotient = arena_printf(writer->arena, "((%s + %s floordiv 2) floordiv %s)",
                 constant_of(writer->arena, writer->rule, &item->atom->left), c, c);
  return arena_printf(writer->arena, "min(1, %s)", order_magnitude(writer, quotient));
}

/* The remainder that the constraint equals up to a constant, or nullptr. */
static const MeasuredItem *only_remainder(const MeasuredSum *sum, const Side *side) {
  if (!side->is_constraint || sum->count != 1 || sum->items[0].atom == nullptr) return nullptr;
  const MeasuredItem *item = &sum->items[0];
  return item->atom->op == EXPR_MOD && is_one(item->coefficient) ? item : nullptr;
}

/* 1 if the remainder's interval wraps around and does not begin at 0, else 0. */
static const char *measure_late(const Writer *writer, const MeasuredSum *sum, const Side *side) {
  const MeasuredItem *item = only_remainder(sum, side);
  if (item == nullptr) return "0";
  Arena *arena = writer->arena;
  const char *lo = arena_printf(
                 arena, "(%s - (%s))", constant_text(arena, writer->rule, side->lo), sum->constant),
             *width = interval_width(writer, side), *c = item->atom->divisor,
             *inside = constant_of(arena, writer->rule, &item->atom->left);
  return arena_printf(arena, "min(1, max(0, %s))*min(1, max(0, (%s - (%s)) mod %s + %s - %s + 1))",
      lo, lo, inside, c, width, c);
}

/* The magnitudes of the constraint's constant and of the constant in its remainder. */
static const char *measure_constants(
    const Writer *writer, const MeasuredSum *sum, const Side *side) {
  if (!side->is_constraint) return "0";
  const MeasuredItem *item = only_remainder(sum, side);
  const char *root = order_magnitude(writer, constant_of(writer->arena, writer->rule, sum));
  if (item == nullptr) return root;
  return arena_printf(writer->arena, "%s + %s", root,
      order_magnitude(writer, constant_of(writer->arena, writer->rule, &item->atom->left)));
}

static const char *difference(const Writer *writer, SideMeasure *measure) {
  const char *left = measure(writer, &writer->left, &writer->rule->left),
             *right = measure(writer, &writer->right, &writer->rule->right);
  if (strcmp(left, right) == 0) return nullptr;
  return arena_printf(writer->arena, "%s - (%s)", left, right);
}

/* Adds the obligation that a part does not increase or, if last, decreases. Later obligations
 * assume that it is equal. */
static bool oblige_part(Writer *writer, const char *part, SideMeasure *measure, bool is_last) {
  const char *term = difference(writer, measure);
  if (term == nullptr) return !is_last || reject(writer, "the part is the same on both sides");
  if (!oblige(writer, part, term, is_last)) return false;
  if (writer->equal_count < order_max_obligations)
    writer->equal[writer->equal_count++] = arena_printf(writer->arena, "%s == 0", term);
  return true;
}

/* ---- signs ---- */

static bool same_atoms(const MeasuredSum *a, const MeasuredSum *b);

static bool same_sum(const MeasuredSum *a, const MeasuredSum *b) {
  if (a->count != b->count || strcmp(a->constant, b->constant) != 0) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->items[i].letter != b->items[i].letter ||
        strcmp(a->items[i].coefficient, b->items[i].coefficient) != 0)
      return false;
  return same_atoms(a, b);
}

/* True if both sums have the same divisions in the same order, with the same coefficients. */
static bool same_atoms(const MeasuredSum *a, const MeasuredSum *b) {
  uint32_t j = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    const MeasuredAtom *left = a->items[i].atom;
    if (left == nullptr) continue;
    while (j < b->count && b->items[j].atom == nullptr) j++;
    if (j == b->count || left->op != b->items[j].atom->op || !is_division(left->op) ||
        strcmp(a->items[i].coefficient, b->items[j].coefficient) != 0 ||
        strcmp(left->divisor, b->items[j].atom->divisor) != 0 ||
        !same_sum(&left->left, &b->items[j].atom->left))
      return false;
    j++;
  }
  while (j < b->count && b->items[j].atom == nullptr) j++;
  return j == b->count;
}

static const char *coefficient_in(const MeasuredSum *sum, uint32_t letter) {
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].atom == nullptr && sum->items[i].letter == letter)
      return sum->items[i].coefficient;
  return "0";
}

/* Obliges every nonconstant letter to have the same coefficient in both sums, or the opposite one
 * if `is_negated`. The first summands then have the same sign, or opposite ones. */
static bool oblige_signs(
    Writer *writer, const MeasuredSum *left, const MeasuredSum *right, bool is_negated) {
  for (uint32_t i = 0; i < writer->rule->expr_count; i++) {
    const char *before = coefficient_in(left, i), *after = coefficient_in(right, i);
    if (strcmp(before, after) == 0 && !is_negated) continue;
    const char *term = arena_printf(writer->arena, "(%s %c (%s))*%s", before,
        is_negated ? '+' : '-', after, symbol(writer, SYMBOL_WEIGHT, i));
    if (!oblige(
            writer, arena_printf(writer->arena, "sign-of-%s", writer->rule->exprs[i]), term, -1))
      return false;
  }
  return true;
}

/* The line `sign` alone is a condition: the matcher checks it in the argument of a division that is
 * the left side, and in a constraint. */
static bool check_sign_word(Writer *writer) {
  const Side *side = &writer->rule->left;
  if (strcmp(writer->rule->order, order_part_name(PART_SIGN)) != 0)
    return reject(writer, "\"sign\" is a condition only if no other part is named");
  bool is_divided = side->expr->kind == TERM_OPERATOR && is_division(side->expr->op);
  return side->is_constraint || (is_divided && sum_has_atom(&writer->left)) ||
         reject(writer, "\"sign\" is about a division or a constraint");
}

static bool oblige_turned(Writer *writer, const MeasuredItem *left, const MeasuredItem *right) {
  bool is_constraint = writer->rule->left.is_constraint;
  const MeasuredSum *before = is_constraint ? &writer->left : &left->atom->left,
                    *after = is_constraint ? &writer->right : &right->atom->left;
  if (sum_has_atom(before) || sum_has_atom(after))
    return reject(writer, "an operator in a sum whose signs turn");
  return oblige_signs(writer, before, after, true);
}

/* Compares the signs of sums where they count: in the argument of a division and in a
 * constraint. */
static bool oblige_sign(Writer *writer, bool is_turned) {
  const MeasuredItem *left = sum_division(&writer->left), *right = sum_division(&writer->right);
  if (is_turned && !check_sign_word(writer)) return false;
  if (!sum_is_one_level(&writer->left) || !sum_is_one_level(&writer->right))
    return reject(writer, "a side has more operators than one division");
  if ((left == nullptr) != (right == nullptr))
    return reject(writer, "one side has a division and the other has none");
  if (is_turned) return oblige_turned(writer, left, right);
  if (left != nullptr && (!same_atoms(&left->atom->left, &right->atom->left) ||
                             !oblige_signs(writer, &left->atom->left, &right->atom->left, false)))
    return reject(writer, "arguments differ in an operator");
  if (!writer->rule->left.is_constraint) return true;
  if (left != nullptr && strcmp(left->coefficient, right->coefficient) != 0)
    return reject(writer, "a constraint's operator has another coefficient");
  return oblige_signs(writer, &writer->left, &writer->right, false);
}

/* For a constraint on a letter: the letter may stand for a remainder, so its interval must stay the
 * same up to sign and constant. */
static bool oblige_interval(Writer *writer) {
  const Rule *rule = writer->rule;
  if (!rule->left.is_constraint || writer->left.count != 1 || writer->left.items[0].atom != nullptr)
    return true;
  Arena *arena = writer->arena;
  const char *s = writer->left.items[0].coefficient, *t = writer->right.items[0].coefficient,
             *a = constant_text(arena, rule, rule->left.lo),
             *b = constant_text(arena, rule, rule->left.hi),
             *c = constant_text(arena, rule, rule->right.lo),
             *d = constant_text(arena, rule, rule->right.hi);
  const char *low = is_one(s) ? arena_printf(arena, "%s - (%s)", a, writer->left.constant)
                              : arena_printf(arena, "(%s) - %s", writer->left.constant, b),
             *high = is_one(s) ? arena_printf(arena, "%s - (%s)", b, writer->left.constant)
                               : arena_printf(arena, "(%s) - %s", writer->left.constant, a);
  if (writer->right.count != 1 || !is_one(t)) return reject(writer, "another coefficient");
  return oblige(writer, "interval-low",
             arena_printf(arena, "%s - (%s - (%s))", low, c, writer->right.constant), -1) &&
         oblige(writer, "interval-high",
             arena_printf(arena, "%s - (%s - (%s))", high, d, writer->right.constant), -1);
}

/* ---- the `order:` line ---- */

/* A remainder may be the expression of a constraint. Whether its interval wraps around stays the
 * same if the constant moves by a multiple of the divisor. */
static bool oblige_wrapping(Writer *writer) {
  const MeasuredItem *left = sum_division(&writer->left), *right = sum_division(&writer->right);
  if (writer->rule->left.is_constraint || left == nullptr || left->atom->op != EXPR_MOD)
    return true;
  const char *before = constant_of(writer->arena, writer->rule, &left->atom->left),
             *after = constant_of(writer->arena, writer->rule, &right->atom->left);
  return oblige(writer, "late",
      arena_printf(writer->arena, "(%s - (%s)) mod %s", before, after, left->atom->divisor), -1);
}

static bool oblige_levels(Writer *writer, OrderPart last) {
  if (!oblige_sign(writer, last == PART_SIGN)) return false;
  if (last == PART_SIGN) {
    writer->proof->decrease = arena_printf(writer->arena, "%s - (%s)",
        weight_of(writer, &writer->left), weight_of(writer, &writer->right));
    writer->proof->assumptions = assumptions_for(writer, writer->proof->decrease);
    return oblige_interval(writer);
  }
  if (!oblige_interval(writer) || !oblige_wrapping(writer) ||
      !oblige_part(writer, "late", measure_late, last == PART_LATE))
    return false;
  if (last == PART_LATE) return true;
  bool is_constraint = writer->rule->left.is_constraint;
  return oblige_part(writer, "untidy", measure_untidy, !is_constraint) &&
         (!is_constraint || oblige_part(writer, "constants", measure_constants, true));
}

static bool oblige_parts(Writer *writer) {
  static SideMeasure *const measures[] = {
      measure_weight, measure_nesting, measure_divisors, measure_coefficients, measure_ends};
  OrderPart last;
  if (!order_last_part(writer->rule->order, &last))
    return reject(writer, "no part of the order has this name");
  if (!sum_read(writer->arena, writer->rule, writer->rule->left.expr, &writer->left) ||
      !sum_read(writer->arena, writer->rule, writer->rule->right.expr, &writer->right))
    return reject(writer, "a side is no linear sum");
  writer->next_letter = writer->rule->expr_count;
  for (uint32_t i = 0; i < writer->rule->expr_count; i++) assume_letter(writer, i);
  assume_guards(writer);
  add_fact(writer, "k80 >= 0");
  add_fact(writer, "k81 >= 1");
  assume_sum(writer, &writer->left);
  assume_present(writer, &writer->left);
  for (OrderPart part = 0; part <= PART_ENDS && part <= last; part++)
    if (!oblige_part(writer, order_part_name(part), measures[part], part == last)) return false;
  return last <= PART_ENDS || oblige_levels(writer, last);
}

/* Obliges a decrease under a condition. The negative example omits the condition. */
static bool oblige_condition(
    Writer *writer, const char *part, const char *term, const char *condition) {
  add_fact(writer, "n70 >= 0");
  add_fact(writer, "k70 >= 0");
  add_fact(writer, "m70 >= 0");
  const char *without = assumptions_for(writer, term);
  add_fact(writer, "%s", condition);
  if (!oblige(writer, part, term, 1)) return false;
  writer->proof->assumptions = without;
  return true;
}

/* Handles a word that is a condition of matching: the condition itself implies the decrease.
 * Letters: what the rest of the sum cancels (k70), what is added (m70), what stays (n70). */
static bool oblige_word(Writer *writer, bool *is_word) {
  const char *line = writer->rule->order;
  *is_word = true;
  if (strcmp(line, "cancels") == 0) {
    if (!sum_read(writer->arena, writer->rule, writer->rule->left.expr, &writer->left))
      return reject(writer, "a side is no linear sum");
    if (writer->rule->left.is_constraint || !sum_has_atom(&writer->left))
      return reject(writer, "\"cancels\" is about one operator");
    for (uint32_t i = 0; i < writer->rule->expr_count; i++) assume_letter(writer, i);
    assume_sum(writer, &writer->left);
    const char *picked = weight_of(writer, &writer->left);
    return oblige_condition(writer, "weight",
        arena_printf(writer->arena, "n70 + %s + k70 - (n70 + m70)", picked),
        arena_printf(writer->arena, "m70 < %s + k70", picked));
  }
  bool is_text = strcmp(line, "text") == 0 || strcmp(line, "text, turned") == 0;
  *is_word = is_text || strcmp(line, "lighter") == 0;
  if (!*is_word) return true;
  return oblige_condition(
      writer, is_text ? "text" : "weight", "n70 + k70 - (n70 + m70)", "m70 < k70");
}

bool order_obligations(Arena *arena, const Rule *rule, OrderProof *proof, Error *error) {
  *proof = (OrderProof){};
  Writer *writer = ARENA_NEW(arena, Writer, 1);
  *writer = (Writer){.arena = arena, .rule = rule, .proof = proof, .error = error};
  if (rule->order == nullptr) return reject(writer, "the rule states none");
  for (uint32_t i = 0; i < rule->constant_count; i++)
    if (symbol_words(arena, rule, rule->constants[i]) != nullptr)
      return reject(
          writer, arena_printf(arena, "the name %s is that of a measure", rule->constants[i]));
  bool is_word;
  return oblige_word(writer, &is_word) && (is_word || oblige_parts(writer)) &&
         (proof->count > 0 || reject(writer, "nothing to prove"));
}

const char *order_twin(Arena *arena, const Rule *rule, const OrderProof *proof, uint32_t least) {
  return rule_text(
      arena, rule->name, "twin", proof->decrease, (int32_t)least + 1, proof->assumptions);
}
