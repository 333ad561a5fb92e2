/* A left side as the matcher sees it: sums of constants, letters and operators, each with a
 * coefficient. Operators are numbered from 1 in the order of the text. */
#ifndef GENERATE_RULE_FORM_H
#define GENERATE_RULE_FORM_H

#include "core/rules/rule.h"
#include "core/simplify/match/pattern.h"

static constexpr uint32_t form_max_operators = 8, form_max_items = 8;

typedef struct FormItem {
  int64_t sign; /* 1 or -1, before the factors */
  uint32_t factor_count;
  const RuleTerm *factors[pattern_max_factors];
  bool is_letter;
  uint32_t letter;
  uint32_t number; /* of an operator; 0: not an operator */
} FormItem;

/* An item that is neither a letter nor an operator is a constant summand. */
typedef struct FormSum {
  uint32_t count;
  FormItem items[form_max_items];
} FormSum;

typedef struct FormOperator {
  ExprOp op;
  const RuleTerm *divisor; /* only of divisions */
  uint32_t argument_count;
  FormSum arguments[2];
  uint32_t within;   /* the operator whose argument contains it; 0: the whole */
  uint32_t argument; /* number of that argument */
} FormOperator;

typedef enum FormRoot : uint8_t { FORM_ATOM, FORM_LETTER, FORM_SUM, FORM_CONSTRAINT } FormRoot;

typedef struct RuleForm {
  const Rule *rule;
  FormRoot root;
  /* 0; or, for a rule that fires only if the rest of the sum cancels: 1: with the operators of the
   * right side, 2: with its letters */
  uint32_t variant;
  FormSum whole;
  uint32_t operator_count;
  FormOperator operators[form_max_operators + 1]; /* [1..operator_count] */
} RuleForm;

static constexpr uint32_t form_max_variants = 2;
/* Writes the forms of a rule and returns their number; 0 if its left side has none. */
[[nodiscard]] uint32_t rule_forms(const Rule *rule, RuleForm forms[form_max_variants]);

/* The sum that contains the operator as a summand. */
[[nodiscard]] const FormSum *form_around(const RuleForm *form, uint32_t number);
[[nodiscard]] bool form_has_letter(const FormSum *sum);

#endif
