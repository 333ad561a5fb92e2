/* Plain evaluation of a rule by recursion over each term, at most term_max_depth deep. The meaning
 * of each operator is implemented separately here, from its definition. */
#include "smt/rules/rule_value.h"

#include <assert.h>

typedef struct RuleValueReader {
  const RuleValues *values;
  bool only_int64; /* a value outside int64 fails */
  const RuleTerm *bad;
  Wide bad_value;
} RuleValueReader;

static bool rule_value_fits(const RuleValueReader *reader, Wide value) {
  return !reader->only_int64 || (value >= INT64_MIN && value <= INT64_MAX);
}

static bool rule_term_value(RuleValueReader *reader, const RuleTerm *term, Wide *value);

static bool read_division(
    RuleValueReader *reader, const RuleTerm *term, Wide x, Wide c, Wide *value) {
  if (c <= 0) {
    reader->bad = term->right;
    reader->bad_value = c;
    return false;
  }
  Wide quotient = wide_floor(x, c);
  if (term->op == EXPR_FLOORDIV) *value = quotient;
  else if (term->op == EXPR_MOD) *value = x - c * quotient;
  else *value = -wide_floor(-x, c);
  return true;
}

static bool read_operator(RuleValueReader *reader, const RuleTerm *term, Wide *value) {
  Wide left, right;
  if (!rule_term_value(reader, term->left, &left) || !rule_term_value(reader, term->right, &right))
    return false;
  switch (term->op) {
    case EXPR_ADD: return wide_add(left, right, value);
    case EXPR_MUL: return wide_multiply(left, right, value);
    case EXPR_FLOORDIV:
    case EXPR_CEILDIV:
    case EXPR_MOD: return read_division(reader, term, left, right, value);
    case EXPR_MIN: *value = left < right ? left : right; return true;
    case EXPR_MAX: *value = left > right ? left : right; return true;
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false);
  return false;
}

static bool rule_term_value(RuleValueReader *reader, const RuleTerm *term, Wide *value) {
  const RuleValues *values = reader->values;
  switch (term->kind) {
    case TERM_INTEGER: *value = term->value; return true;
    case TERM_CONSTANT_LETTER: *value = values->constants[term->letter]; return true;
    case TERM_EXPR: *value = values->exprs[term->letter]; return true;
    case TERM_LO: *value = values->lo[term->letter]; return true;
    case TERM_HI: *value = values->hi[term->letter]; return true;
    case TERM_OPERATOR:
      return read_operator(reader, term, value) && rule_value_fits(reader, *value);
    case TERM_GCD: {
      Wide left, right;
      if (!rule_term_value(reader, term->left, &left) ||
          !rule_term_value(reader, term->right, &right))
        return false;
      *value = wide_gcd(left, right);
      return rule_value_fits(reader, *value);
    }
  }
  assert(false);
  return false;
}

bool term_value(const RuleTerm *term, const RuleValues *values, Wide *value, const RuleTerm **bad,
    Wide *bad_value) {
  RuleValueReader reader = {.values = values};
  bool has_value = rule_term_value(&reader, term, value);
  *bad = reader.bad;
  *bad_value = reader.bad_value;
  return has_value;
}

static bool fits_int64(const RuleTerm *term, const RuleValues *values) {
  RuleValueReader reader = {.values = values, .only_int64 = true};
  Wide value;
  return rule_term_value(&reader, term, &value);
}

bool side_fits_int64(const Side *side, const RuleValues *values) {
  if (!fits_int64(side->expr, values)) return false;
  return !side->is_constraint || (fits_int64(side->lo, values) && fits_int64(side->hi, values));
}

static bool relation_holds(Comparison relation, Wide left, Wide right) {
  switch (relation) {
    case REL_EQ: return left == right;
    case REL_NE: return left != right;
    case REL_LT: return left < right;
    case REL_LE: return left <= right;
    case REL_GT: return left > right;
    case REL_GE: return left >= right;
  }
  assert(false);
  return false;
}

/* Also false if a divisor of the guard is <= 0 or a value is too large. */
static bool guard_holds(const Guard *guard, const RuleValues *values) {
  RuleValueReader reader = {.values = values};
  Wide left, right;
  return rule_term_value(&reader, guard->left, &left) &&
         rule_term_value(&reader, guard->right, &right) &&
         relation_holds(guard->relation, left, right);
}

static bool term_names_bounds(const RuleTerm *term, uint32_t letter) {
  switch (term->kind) {
    case TERM_INTEGER:
    case TERM_CONSTANT_LETTER:
    case TERM_EXPR: return false;
    case TERM_LO:
    case TERM_HI: return term->letter == letter;
    case TERM_OPERATOR:
    case TERM_GCD:
      return term_names_bounds(term->left, letter) || term_names_bounds(term->right, letter);
  }
  assert(false);
  return false;
}

static bool side_names_bounds(const Side *side, uint32_t letter) {
  return term_names_bounds(side->expr, letter) ||
         (side->is_constraint &&
             (term_names_bounds(side->lo, letter) || term_names_bounds(side->hi, letter)));
}

bool rule_names_bounds(const Rule *rule, uint32_t letter) {
  if (side_names_bounds(&rule->left, letter) || side_names_bounds(&rule->right, letter))
    return true;
  for (uint32_t i = 0; i < rule->guard_count; i++)
    if (term_names_bounds(rule->guards[i].left, letter) ||
        term_names_bounds(rule->guards[i].right, letter))
      return true;
  return false;
}

bool rule_guard_holds(const Rule *rule, const RuleValues *values) {
  for (uint32_t i = 0; i < rule->expr_count; i++)
    if (values->exprs[i] < values->lo[i] || values->exprs[i] > values->hi[i]) return false;
  for (uint32_t i = 0; i < rule->guard_count; i++)
    if (!guard_holds(&rule->guards[i], values)) return false;
  return true;
}

static RuleReading without_value(const RuleValueReader *reader) {
  return (RuleReading){.outcome = reader->bad != nullptr ? RULE_DIVISOR : RULE_TOO_LARGE,
      .divisor = reader->bad,
      .divisor_value = reader->bad_value};
}

static bool read_side(RuleValueReader *reader, const Side *side, Wide *value, Wide *lo, Wide *hi) {
  if (!rule_term_value(reader, side->expr, value)) return false;
  return !side->is_constraint ||
         (rule_term_value(reader, side->lo, lo) && rule_term_value(reader, side->hi, hi));
}

RuleReading rule_read(const Rule *rule, const RuleValues *values) {
  if (!rule_guard_holds(rule, values)) return (RuleReading){.outcome = RULE_NOT_MET};
  RuleValueReader reader = {.values = values};
  RuleReading reading = {};
  if (!read_side(&reader, &rule->left, &reading.left, &reading.left_lo, &reading.left_hi))
    return without_value(&reader);
  if (!read_side(&reader, &rule->right, &reading.right, &reading.right_lo, &reading.right_hi))
    return without_value(&reader);
  bool agrees = reading.left == reading.right;
  if (rule->left.is_constraint) {
    reading.left_holds = reading.left_lo <= reading.left && reading.left <= reading.left_hi;
    reading.right_holds = reading.right_lo <= reading.right && reading.right <= reading.right_hi;
    agrees = reading.left_holds == reading.right_holds;
  }
  reading.outcome = agrees ? RULE_AGREES : RULE_DIFFERS;
  return reading;
}

Bindings rule_bindings(Arena *arena, const Rule *rule, const RuleValues *values) {
  Bindings at = {};
  for (uint32_t i = 0; i < rule->expr_count; i++) {
    bindings_integer(arena, &at, rule->exprs[i], values->exprs[i]);
    if (!rule_names_bounds(rule, i)) continue;
    bindings_integer(arena, &at, arena_printf(arena, "lo(%s)", rule->exprs[i]), values->lo[i]);
    bindings_integer(arena, &at, arena_printf(arena, "hi(%s)", rule->exprs[i]), values->hi[i]);
  }
  for (uint32_t i = 0; i < rule->constant_count; i++)
    bindings_integer(arena, &at, rule->constants[i], values->constants[i]);
  return at;
}

void rule_values_print(Text *text, const Rule *rule, const RuleValues *values) {
  Bindings at = rule_bindings(text->arena, rule, values);
  for (uint32_t i = 0; i < at.count; i++)
    text_printf(text, "%s%s=%s", i == 0 ? "" : ", ", at.items[i].name, at.items[i].value);
}

static void print_membership(
    Text *text, const char *side, Wide value, Wide lo, Wide hi, bool holds) {
  text_printf(text, "%s holds%s: ", side, holds ? "" : " not");
  wide_print(text, value);
  text_string(text, " in [");
  wide_print(text, lo);
  text_string(text, ", ");
  wide_print(text, hi);
  text_string(text, "]");
}

void rule_reading_print(Text *text, const Rule *rule, const RuleReading *reading) {
  if (reading->outcome == RULE_DIVISOR) {
    text_string(text, "divisor ");
    term_print(text, rule, reading->divisor);
    text_string(text, " = ");
    wide_print(text, reading->divisor_value);
  } else if (rule->left.is_constraint) {
    print_membership(
        text, "left", reading->left, reading->left_lo, reading->left_hi, reading->left_holds);
    text_string(text, ", ");
    print_membership(
        text, "right", reading->right, reading->right_lo, reading->right_hi, reading->right_holds);
  } else {
    text_string(text, "left ");
    wide_print(text, reading->left);
    text_string(text, ", right ");
    wide_print(text, reading->right);
  }
}
