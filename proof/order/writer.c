/* The facts that an order's proof assumes about a left side, and its obligations as rules. A fact
 * is a relation between measures; an obligation takes those facts that share a letter with it.
 * Assumed is what holds for every instance of the matcher: the guards; an operator's argument is
 * not constant; the letters of a sum share no summand, take its constant and have no coefficient 0,
 * if none was bound before; a letter bound to the multiples of a coefficient is not 0. Facts beyond
 * a limit are left out, so that less is proved. */
#include "proof/order/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *writer_symbol(const Writer *writer, Symbol of, uint32_t letter) {
  return symbol_text(writer->arena, of, letter);
}

void writer_fact(Writer *writer, const char *format, ...) {
  if (writer->fact_count == writer_max_facts) return; /* with fewer assumptions less is proved */
  char bytes[1 << 12];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(bytes, sizeof bytes, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof bytes) return;
  writer->facts[writer->fact_count++] = arena_printf(writer->arena, "%s", bytes);
}

/* ---- assumptions ---- */

void assume_guards(Writer *writer) {
  const Rule *rule = writer->rule;
  for (uint32_t i = 0; i < rule->guard_count; i++)
    writer_fact(writer, "%s %s %s", constant_text(writer->arena, rule, rule->guards[i].left),
        relation_text(rule->guards[i].relation),
        constant_text(writer->arena, rule, rule->guards[i].right));
  for (uint32_t i = 0; i < rule->expr_count; i++)
    writer_fact(writer, "%s <= %s", writer_symbol(writer, SYMBOL_LO, i),
        writer_symbol(writer, SYMBOL_HI, i));
}

/* A letter without weight is constant and has no other measure; any other letter has variables and
 * coefficients. */
void assume_letter(Writer *writer, uint32_t i) {
  const char *weight = writer_symbol(writer, SYMBOL_WEIGHT, i);
  static const Symbol absent[] = {SYMBOL_NESTING, SYMBOL_INNER, SYMBOL_DIVISORS};
  static const Symbol present[] = {SYMBOL_VARIABLES, SYMBOL_OWN};
  writer_fact(writer, "%s >= %u", weight, letter_is_unit(writer->rule, i));
  for (uint32_t j = 0; j < 3; j++) {
    const char *measure = writer_symbol(writer, absent[j], i);
    writer_fact(writer, "%s >= 0", measure);
    writer_fact(writer, "min(1, %s) <= min(1, %s)", measure, weight);
  }
  for (uint32_t j = 0; j < 2; j++) {
    const char *measure = writer_symbol(writer, present[j], i);
    writer_fact(writer, "%s >= 0", measure);
    writer_fact(writer, "min(1, %s) == min(1, %s)", measure, weight);
  }
  if (letter_is_unit(writer->rule, i))
    writer_fact(writer, "%s == 1", writer_symbol(writer, SYMBOL_OWN, i));
}

const char *writer_weight(const Writer *writer, const MeasuredSum *sum) {
  Text text = text_create(writer->arena);
  weight_print(&text, sum);
  return text.bytes;
}

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
    *(coefficient_is_one(item->coefficient) ? &rest : &multiple) = item;
  }
  if (multiple == nullptr || rest == nullptr || sum->lone_constant != nullptr) return;
  const char *weight = writer_symbol(writer, SYMBOL_WEIGHT, multiple->letter),
             *own = writer_symbol(writer, SYMBOL_CONSTANT, multiple->letter),
             *other = writer_symbol(writer, SYMBOL_CONSTANT, rest->letter);
  writer_fact(writer, "min(1, %s) + min(1, max(%s, -%s)) >= 1", weight, own, own);
  writer_fact(writer, "min(1, max(%s, -%s)) + min(1, max(%s, -%s)) <= 1", own, own, other, other);
}

/* True if the coefficient of an item of the left side is not 0: a number, or that of a letter or an
 * operator that was matched with it. */
static bool is_nonzero(const Writer *writer, const char *coefficient) {
  char *end;
  long number = strtol(coefficient, &end, 10);
  if (number != 0 && *end == 0) return true;
  for (uint32_t i = 0; i < writer->nonzero_count; i++)
    if (strcmp(writer->nonzero[i], coefficient) == 0) return true;
  return false;
}

static void add_nonzero(Writer *writer, const char *coefficient) {
  if (writer->nonzero_count < measured_max_items)
    writer->nonzero[writer->nonzero_count++] = coefficient;
}

/* Replaces the letters of a sum from which a letter is subtracted that was bound before by one
 * letter. What they add up to weighs at least each letter's weight minus the weights of the others.
 * A letter that was bound before may have the coefficient 0, and then need not be there. */
static void assume_overlap(Writer *writer, MeasuredSum *sum, const bool was_bound[]) {
  const char *whole = writer_symbol(writer, SYMBOL_WEIGHT, writer->next_letter);
  MeasuredSum letters = {.constant = "0"}, replaced = {.constant = sum->constant};
  bool may_lack[measured_max_items];
  for (uint32_t i = 0; i < sum->count; i++) {
    const MeasuredItem *item = &sum->items[i];
    if (item->atom != nullptr) {
      replaced.items[replaced.count++] = *item;
      continue;
    }
    may_lack[letters.count] = was_bound[i] && !is_nonzero(writer, item->coefficient);
    letters.items[letters.count++] = *item;
  }
  writer_fact(writer, "%s >= 0", whole);
  for (uint32_t i = 0; i < letters.count; i++) {
    if (may_lack[i]) continue;
    MeasuredSum others = letters;
    others.items[i] = others.items[--others.count];
    writer_fact(writer, "%s >= %s - (%s)", whole,
        writer_symbol(writer, SYMBOL_WEIGHT, letters.items[i].letter),
        writer_weight(writer, &others));
  }
  replaced.items[replaced.count++] =
      (MeasuredItem){.coefficient = "1", .letter = writer->next_letter++};
  *sum = replaced;
}

/* A letter that was bound before is the only letter of its sum: the sum has its measures, unless
 * its coefficient is 0. */
static bool oblige_factor(Writer *writer, const MeasuredSum *sum) {
  const MeasuredItem *item = sum->items;
  while (item->atom != nullptr) item++;
  const char *factor = item->coefficient;
  if (is_nonzero(writer, factor)) return true;
  return writer_oblige(writer,
      arena_printf(writer->arena, "factor-of-%s", writer->rule->exprs[item->letter]),
      arena_printf(writer->arena, "max(%s, -(%s)) - 1", factor, factor), 0);
}

/* Assumes that the sum is not constant: it has weight and, without an operator, a coefficient. */
void assume_present(Writer *writer, const MeasuredSum *sum) {
  writer_fact(writer, "%s >= 1", writer_weight(writer, sum));
  if (sum_has_atom(sum)) return;
  Text text = text_create(writer->arena);
  for (uint32_t i = 0; i < sum->count; i++)
    text_printf(&text, "%s%s", i == 0 ? "" : " + ",
        writer_symbol(writer, SYMBOL_OWN, sum->items[i].letter));
  if (sum->count > 0) writer_fact(writer, "%s >= 1", text.bytes);
}

/* ---- the arguments of a minimum or maximum ---- */

/* The letter's item in a sum, or nullptr. */
static const MeasuredItem *item_of(const MeasuredSum *sum, uint32_t letter) {
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].atom == nullptr && sum->items[i].letter == letter) return &sum->items[i];
  return nullptr;
}

/* True if the letter has no coefficient, or occurs more than once. */
static bool may_be_plain(const MeasuredItem *item) {
  return item != nullptr &&
         (coefficient_is_one(item->coefficient) || strstr(item->coefficient, " + ") != nullptr);
}

static bool has_two(const MeasuredSum *sum) {
  return sum->count + (strcmp(sum->constant, "0") != 0) >= 2;
}

static MeasuredItem take_item(MeasuredSum *sum, uint32_t at) {
  MeasuredItem item = sum->items[at];
  memmove(&sum->items[at], &sum->items[at + 1], (--sum->count - at) * sizeof *sum->items);
  return item;
}

static void put_item(MeasuredSum *sum, uint32_t at, MeasuredItem item) {
  memmove(&sum->items[at + 1], &sum->items[at], (sum->count++ - at) * sizeof *sum->items);
  sum->items[at] = item;
}

/* In min(x + y, x + z), x is the greatest common part of both sums, and not 0. What is common is in
 * at most one of y and z, so the sums together weigh at least as much as x, y and z. If a sum has
 * an operator, x may contain it; if another letter is in both, it may be in x as well. Then each of
 * these letters counts as bound before. */
static bool assume_pair(Writer *writer, MeasuredAtom *atom) {
  MeasuredSum *left = &atom->left, *right = &atom->right;
  uint32_t shared = 0, at = 0;
  for (uint32_t i = 0; i < left->count; i++) {
    const MeasuredItem *item = &left->items[i];
    if (item->atom != nullptr || item_of(right, item->letter) == nullptr) continue;
    shared++;
    at = i;
  }
  const MeasuredItem *one = &left->items[at],
                     *other = shared == 0 ? nullptr : item_of(right, one->letter);
  bool is_common = shared == 1 && coefficient_is_one(one->coefficient) &&
                   coefficient_is_one(other->coefficient) && has_two(left) && has_two(right) &&
                   !sum_has_atom(left) && !sum_has_atom(right);
  if (!is_common) {
    for (uint32_t i = 0; i < left->count; i++)
      if (left->items[i].atom == nullptr && may_be_plain(&left->items[i]) &&
          may_be_plain(item_of(right, left->items[i].letter)))
        writer->is_bound[left->items[i].letter] = true;
    return assume_sum(writer, left) && assume_sum(writer, right);
  }
  take_item(right, (uint32_t)(other - right->items));
  MeasuredItem common = take_item(left, at);
  if (!assume_sum(writer, left)) return false;
  put_item(left, at, common);
  writer->is_bound[common.letter] = true;
  writer_fact(writer, "%s >= 1", writer_symbol(writer, SYMBOL_WEIGHT, common.letter));
  return assume_sum(writer, right);
}

/* ---- sums ---- */

static bool assume_operators(Writer *writer, MeasuredSum *sum) {
  for (uint32_t i = 0; i < sum->count; i++) {
    MeasuredAtom *atom = (MeasuredAtom *)sum->items[i].atom;
    if (atom == nullptr) continue;
    add_nonzero(writer, sum->items[i].coefficient);
    if (!is_division(atom->op)) {
      if (!assume_pair(writer, atom)) return false;
      continue;
    }
    if (!assume_sum(writer, &atom->left)) return false;
    assume_present(writer, &atom->left);
  }
  return true;
}

/* Adds assumptions in the order of matching: operators first, then letters. */
bool assume_sum(Writer *writer, MeasuredSum *sum) {
  if (!assume_operators(writer, sum)) return false;
  bool was_bound[measured_max_items] = {};
  uint32_t letters = 0, bound = 0;
  for (uint32_t i = 0; i < sum->count; i++) {
    const MeasuredItem *item = &sum->items[i];
    if (item->atom != nullptr) continue;
    was_bound[i] = writer->is_bound[item->letter];
    bound += was_bound[i];
    letters++;
  }
  for (uint32_t i = 0; i < sum->count; i++) {
    if (sum->items[i].atom != nullptr) continue;
    writer->is_bound[sum->items[i].letter] = true;
    if (!was_bound[i]) add_nonzero(writer, sum->items[i].coefficient);
  }
  if (bound > 0) {
    /* A rule on sums finds each letter in the sum, with its coefficient and beside the others. */
    if (sum == &writer->left && !writer->rule->left.is_constraint) return true;
    if (letters == 1) return oblige_factor(writer, sum);
    assume_overlap(writer, sum, was_bound);
    return true;
  }
  assume_multiples(writer, sum);
  if (sum->lone_constant == nullptr || !takes_constant(writer, sum->lone_constant)) return true;
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].atom == nullptr)
      writer_fact(writer, "%s == 0", writer_symbol(writer, SYMBOL_CONSTANT, sum->items[i].letter));
  return true;
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

static const char *assume(const Writer *writer, const char *term, bool with_equal) {
  Text about = text_create(writer->arena), text = text_create(writer->arena);
  text_string(&about, term);
  for (uint32_t i = 0; i < writer->equal_count; i++) {
    text_printf(&about, " %s", writer->equal[i]);
    if (with_equal) text_printf(&text, "%s%s", text.length == 0 ? "" : ", ", writer->equal[i]);
  }
  for (uint32_t i = 0; i < writer->fact_count; i++)
    if (shares_letter(writer->facts[i], about.bytes))
      text_printf(&text, "%s%s", text.length == 0 ? "" : ", ", writer->facts[i]);
  return text.bytes;
}

const char *writer_assumptions(const Writer *writer, const char *term) {
  return assume(writer, term, true);
}

const char *writer_alone(const Writer *writer, const char *term) {
  return writer->equal_count == 0 ? nullptr : assume(writer, term, false);
}

/* A rule that claims term >= least, or term == 0 if `least` is negative. */
const char *obligation_text(Arena *arena, const char *name, const char *part, const char *term,
    int32_t least, const char *assumptions) {
  Text text = text_create(arena);
  text_printf(&text, "rule %s/%s\n  ", name, part);
  const char *left = least < 0 ? term : arena_printf(arena, "min(%s, %d)", term, least);
  print_bound(&text, left, assumptions);
  text_printf(&text, "  =>  %d\n", least < 0 ? 0 : least);
  if (*assumptions != 0) text_printf(&text, "  when %s\n", assumptions);
  return text.bytes;
}

bool writer_reject(Writer *writer, const char *why) {
  return error_set(writer->error, ERROR_UNSUPPORTED, "rule %s: order: %s", writer->rule->name, why);
}

static bool has_part(const OrderProof *proof, const char *part) {
  for (uint32_t i = 0; i < proof->count; i++)
    if (strcmp(proof->items[i].part, part) == 0) return true;
  return false;
}

bool writer_oblige(Writer *writer, const char *given, const char *term, int32_t least) {
  OrderProof *proof = writer->proof;
  if (proof->count == order_max_obligations) return writer_reject(writer, "too many obligations");
  const char *part = given, *assumptions = writer_assumptions(writer, term),
             *alone = writer_alone(writer, term), *name = writer->rule->name;
  for (uint32_t i = 2; has_part(proof, part); i++)
    part = arena_printf(writer->arena, "%s-%u", given, i);
  OrderObligation *item = &proof->items[proof->count++];
  *item = (OrderObligation){
      .part = part, .text = obligation_text(writer->arena, name, part, term, least, assumptions)};
  if (alone != nullptr)
    item->alone = obligation_text(writer->arena, name, part, term, least, alone);
  if (least == 1) {
    proof->decrease = term;
    proof->assumptions = assumptions;
    proof->alone = alone;
  }
  return true;
}
