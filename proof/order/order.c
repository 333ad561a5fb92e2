/* Turns an `order:` line into obligations. For each part of the order up to the named one, the
 * difference of both sides is a term over the measures of the letters. A part before the last must
 * not increase if all earlier parts are equal; the last part must decrease.
 * Rejects sides that are not linear sums, different operators where signs are compared, and a word
 * that the matcher does not check on such a left side. */
#include "proof/order/order.h"

#include <string.h>

#include "proof/order/writer.h"
#include "core/rules/order_line.h"

/* ---- parts ---- */

typedef const char *SideMeasure(const Writer *writer, const MeasuredSum *sum, const Side *side);

static const char *measure_weight(const Writer *writer, const MeasuredSum *sum, const Side *side) {
  (void)side;
  return writer_weight(writer, sum);
}

/* A rule on a minimum matches two of its arguments. If others stay, the right side becomes one of
 * the arguments; only a minimum is made one with the others. So with a maximum. */
static uint32_t depth_of(const Writer *writer, const Side *side) {
  const RuleTerm *left = writer->rule->left.expr, *right = writer->rule->right.expr;
  bool takes_two = left->kind == TERM_OPERATOR && (left->op == EXPR_MIN || left->op == EXPR_MAX),
       is_joined = right->kind == TERM_OPERATOR && right->op == left->op;
  return side == &writer->rule->right && takes_two && !is_joined;
}

static const char *measure_nesting(const Writer *writer, const MeasuredSum *sum, const Side *side) {
  Text text = text_create(writer->arena);
  nesting_print(&text, sum, depth_of(writer, side));
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
  return item->atom->op == EXPR_MOD && coefficient_is_one(item->coefficient) ? item : nullptr;
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
  if (term == nullptr)
    return !is_last || writer_reject(writer, "the part is the same on both sides");
  if (!writer_oblige(writer, part, term, is_last)) return false;
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
        is_negated ? '+' : '-', after, writer_symbol(writer, SYMBOL_WEIGHT, i));
    if (!writer_oblige(
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
    return writer_reject(writer, "\"sign\" is a condition only if no other part is named");
  bool is_divided = side->expr->kind == TERM_OPERATOR && is_division(side->expr->op);
  return side->is_constraint || (is_divided && sum_has_atom(&writer->left)) ||
         writer_reject(writer, "\"sign\" is about a division or a constraint");
}

static bool oblige_turned(Writer *writer, const MeasuredItem *left, const MeasuredItem *right) {
  bool is_constraint = writer->rule->left.is_constraint;
  const MeasuredSum *before = is_constraint ? &writer->left : &left->atom->left,
                    *after = is_constraint ? &writer->right : &right->atom->left;
  if (sum_has_atom(before) || sum_has_atom(after))
    return writer_reject(writer, "an operator in a sum whose signs turn");
  return oblige_signs(writer, before, after, true);
}

/* Compares the signs of sums where they count: in the argument of a division and in a
 * constraint. */
static bool oblige_sign(Writer *writer, bool is_turned) {
  const MeasuredItem *left = sum_division(&writer->left), *right = sum_division(&writer->right);
  if (is_turned && !check_sign_word(writer)) return false;
  if (!sum_is_one_level(&writer->left) || !sum_is_one_level(&writer->right))
    return writer_reject(writer, "a side has more operators than one division");
  if ((left == nullptr) != (right == nullptr))
    return writer_reject(writer, "one side has a division and the other has none");
  if (is_turned) return oblige_turned(writer, left, right);
  if (left != nullptr && (!same_atoms(&left->atom->left, &right->atom->left) ||
                             !oblige_signs(writer, &left->atom->left, &right->atom->left, false)))
    return writer_reject(writer, "arguments differ in an operator");
  if (!writer->rule->left.is_constraint) return true;
  if (left != nullptr && strcmp(left->coefficient, right->coefficient) != 0)
    return writer_reject(writer, "a constraint's operator has another coefficient");
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
  const char *low = coefficient_is_one(s)
                        ? arena_printf(arena, "%s - (%s)", a, writer->left.constant)
                        : arena_printf(arena, "(%s) - %s", writer->left.constant, b),
             *high = coefficient_is_one(s)
                         ? arena_printf(arena, "%s - (%s)", b, writer->left.constant)
                         : arena_printf(arena, "(%s) - %s", writer->left.constant, a);
  if (writer->right.count != 1 || !coefficient_is_one(t))
    return writer_reject(writer, "another coefficient");
  return writer_oblige(writer, "interval-low",
             arena_printf(arena, "%s - (%s - (%s))", low, c, writer->right.constant), -1) &&
         writer_oblige(writer, "interval-high",
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
  return writer_oblige(writer, "late",
      arena_printf(writer->arena, "(%s - (%s)) mod %s", before, after, left->atom->divisor), -1);
}

static bool oblige_levels(Writer *writer, OrderPart last) {
  if (!oblige_sign(writer, last == PART_SIGN)) return false;
  if (last == PART_SIGN) {
    writer->proof->decrease = arena_printf(writer->arena, "%s - (%s)",
        writer_weight(writer, &writer->left), writer_weight(writer, &writer->right));
    writer->proof->assumptions = writer_assumptions(writer, writer->proof->decrease);
    writer->proof->alone = writer_alone(writer, writer->proof->decrease);
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
    return writer_reject(writer, "no part of the order has this name");
  if (!sum_read(writer->arena, writer->rule, writer->rule->left.expr, &writer->left) ||
      !sum_read(writer->arena, writer->rule, writer->rule->right.expr, &writer->right))
    return writer_reject(writer, "a side is no linear sum");
  writer->next_letter = writer->rule->expr_count;
  for (uint32_t i = 0; i < writer->rule->expr_count; i++) assume_letter(writer, i);
  assume_guards(writer);
  writer_fact(writer, "k80 >= 0");
  writer_fact(writer, "k81 >= 1");
  if (!assume_sum(writer, &writer->left)) return false;
  assume_present(writer, &writer->left);
  for (OrderPart part = 0; part <= PART_ENDS && part <= last; part++)
    if (!oblige_part(writer, order_part_name(part), measures[part], part == last)) return false;
  return last <= PART_ENDS || oblige_levels(writer, last);
}

/* Obliges a decrease under a condition. The negative example omits the condition. */
static bool oblige_condition(
    Writer *writer, const char *part, const char *term, const char *condition) {
  writer_fact(writer, "n70 >= 0");
  writer_fact(writer, "k70 >= 0");
  writer_fact(writer, "m70 >= 0");
  const char *without = writer_assumptions(writer, term);
  writer_fact(writer, "%s", condition);
  if (!writer_oblige(writer, part, term, 1)) return false;
  writer->proof->assumptions = without;
  return true;
}

/* The right side is rewritten before the condition is tested, by this rule too. So that this ends,
 * each part of it in which the rule could be tried must weigh less than the left side: for a rule
 * on one operator each operator, and for a rule on sums each argument of an operator. */
static bool oblige_inside(Writer *writer, const MeasuredSum *part) {
  const char *term = arena_printf(writer->arena, "%s - (%s)", writer_weight(writer, &writer->left),
      writer_weight(writer, part));
  return writer_oblige(
      writer, arena_printf(writer->arena, "inside-%u", writer->proof->count + 1), term, 1);
}

static bool oblige_search(Writer *writer, bool is_on_sums) {
  const MeasuredSum *right = &writer->right;
  for (uint32_t i = 0; i < right->count; i++) {
    const MeasuredAtom *atom = right->items[i].atom;
    if (atom == nullptr) continue;
    const MeasuredSum alone = {.count = 1, .items = {right->items[i]}, .constant = "0"};
    if (!oblige_inside(writer, is_on_sums ? &atom->left : &alone) ||
        (is_on_sums && !is_division(atom->op) && !oblige_inside(writer, &atom->right)))
      return false;
  }
  return true;
}

/* True if the rule is tried on operators as they are made, and not on sums. */
static bool is_on_operators(const RuleTerm *left, bool cancels) {
  bool is_sum = left->kind == TERM_OPERATOR && (left->op == EXPR_ADD || left->op == EXPR_MUL);
  return !cancels && !is_sum;
}

/* Reads both sides of a rule with a word. A rule on constraints is tried nowhere inside. */
static bool oblige_word_search(Writer *writer, bool cancels) {
  const Side *left = &writer->rule->left;
  if (!sum_read(writer->arena, writer->rule, left->expr, &writer->left) ||
      !sum_read(writer->arena, writer->rule, writer->rule->right.expr, &writer->right))
    return writer_reject(writer, "a side is no linear sum");
  if (cancels && (left->is_constraint || !sum_has_atom(&writer->left)))
    return writer_reject(writer, "\"cancels\" is about one operator");
  writer->next_letter = writer->rule->expr_count;
  for (uint32_t i = 0; i < writer->rule->expr_count; i++) assume_letter(writer, i);
  if (left->is_constraint) return true;
  return assume_sum(writer, &writer->left) &&
         oblige_search(writer, !is_on_operators(left->expr, cancels));
}

/* Handles a word that is a condition of matching: the condition itself implies the decrease.
 * Letters: what the rest of the sum cancels (k70), what is added (m70), what stays (n70). */
static bool oblige_word(Writer *writer) {
  const char *line = writer->rule->order;
  bool cancels = strcmp(line, "cancels") == 0, is_lighter = strcmp(line, "lighter") == 0;
  if (!oblige_word_search(writer, cancels)) return false;
  if (!cancels)
    return oblige_condition(
        writer, is_lighter ? "weight" : "text", "n70 + k70 - (n70 + m70)", "m70 < k70");
  const char *picked = writer_weight(writer, &writer->left);
  return oblige_condition(writer, "weight",
      arena_printf(writer->arena, "n70 + %s + k70 - (n70 + m70)", picked),
      arena_printf(writer->arena, "m70 < %s + k70", picked));
}

bool order_obligations(Arena *arena, const Rule *rule, OrderProof *proof, Error *error) {
  *proof = (OrderProof){};
  Writer *writer = ARENA_NEW(arena, Writer, 1);
  *writer = (Writer){.arena = arena, .rule = rule, .proof = proof, .error = error};
  if (rule->order == nullptr) return writer_reject(writer, "the rule states none");
  for (uint32_t i = 0; i < rule->constant_count; i++)
    if (symbol_words(arena, rule, rule->constants[i]) != nullptr)
      return writer_reject(
          writer, arena_printf(arena, "the name %s is that of a measure", rule->constants[i]));
  return (order_line_is_word(rule->order) ? oblige_word(writer) : oblige_parts(writer)) &&
         (proof->count > 0 || writer_reject(writer, "nothing to prove"));
}

OrderObligation order_twin(
    Arena *arena, const Rule *rule, const OrderProof *proof, uint32_t least) {
  int32_t more = (int32_t)least + 1;
  OrderObligation twin = {.part = "twin"};
  twin.text =
      obligation_text(arena, rule->name, twin.part, proof->decrease, more, proof->assumptions);
  if (proof->alone != nullptr)
    twin.alone = obligation_text(arena, rule->name, twin.part, proof->decrease, more, proof->alone);
  return twin;
}
