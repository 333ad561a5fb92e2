/* A left side as what the matcher sees: sums of constants, letters and operators, each with its
 * coefficient; operators are numbered from 1 in the order of the text. */
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
  uint32_t number; /* of an operator; 0: none */
} FormItem;

/* Neither a letter nor an operator: a constant summand. */
typedef struct FormSum {
  uint32_t count;
  FormItem items[form_max_items];
} FormSum;

typedef struct FormOperator {
  ExprOp op;
  const RuleTerm *divisor; /* of divisions */
  uint32_t argument_count;
  FormSum arguments[2];
  uint32_t within;   /* the operator that it is in an argument of; 0: the whole */
  uint32_t argument; /* which argument */
} FormOperator;

typedef enum FormRoot : uint8_t { FORM_ATOM, FORM_LETTER, FORM_SUM, FORM_CONSTRAINT } FormRoot;

typedef struct RuleForm {
  const Rule *rule;
  FormRoot root;
  /* 0, or of a rule that fires where the rest of the sum cancels: with 1 the operators of the right
   * side beside, with 2 its letters */
  uint32_t variant;
  FormSum whole;
  uint32_t operator_count;
  FormOperator operators[form_max_operators + 1]; /* [1..operator_count] */
} RuleForm;

static constexpr uint32_t form_max_variants = 2;
/* The forms of a rule; 0 where its left side is none. */
[[nodiscard]] uint32_t rule_forms(const Rule *rule, RuleForm forms[form_max_variants]);

/* The sum that an operator is a summand of. */
[[nodiscard]] const FormSum *form_around(const RuleForm *form, uint32_t number);
[[nodiscard]] bool form_has_letter(const FormSum *sum);

#endif
