/* The measures of a rule's sides, as texts of the rule language. A letter of the rule stands for a
 * sum of which nothing is known, so each of its measures is a constant letter of its own. */
#ifndef PROOF_ORDER_MEASURE_H
#define PROOF_ORDER_MEASURE_H

#include "core/rules/rule.h"

/* What is measured of a letter x; its text is the symbol's with x's number after it. */
typedef enum Symbol : uint8_t {
  SYMBOL_WEIGHT,
  SYMBOL_VARIABLES, /* occurrences of variables */
  SYMBOL_NESTING,   /* their depths, added up, where x itself is at depth 0 */
  SYMBOL_OWN,       /* magnitudes of x's own coefficients, added up */
  SYMBOL_INNER,     /* of the coefficients inside its operators */
  SYMBOL_DIVISORS,
  SYMBOL_CONSTANT, /* x's constant summand */
  SYMBOL_LO,
  SYMBOL_HI,
  SYMBOLS
} Symbol;

typedef struct MeasuredAtom MeasuredAtom;

typedef struct MeasuredItem {
  const char *coefficient;
  uint32_t letter;          /* of an expression letter */
  const MeasuredAtom *atom; /* of an operator, else nullptr */
} MeasuredItem;

static constexpr uint32_t measured_max_items = 12;

typedef struct MeasuredSum {
  uint32_t count;
  MeasuredItem items[measured_max_items];
  const char *constant;
  const RuleTerm *lone_constant; /* a constant letter that is a summand by itself, or nullptr */
} MeasuredSum;

struct MeasuredAtom {
  ExprOp op;
  MeasuredSum left, right; /* right: of min and max */
  const char *divisor;     /* of divisions */
};

/* The text of a measure of a letter. Numbers from rule->expr_count on are sums of their own. */
[[nodiscard]] const char *symbol_text(Arena *arena, Symbol symbol, uint32_t letter);
/* What a symbol's text stands for, in words: "weight of x"; nullptr: it is none. */
[[nodiscard]] const char *symbol_words(Arena *arena, const Rule *rule, const char *text);
/* Arithmetic over constants, lo and hi, in symbols. */
[[nodiscard]] const char *constant_text(Arena *arena, const Rule *rule, const RuleTerm *term);
/* False where the term is no sum of letters and operators with constant coefficients. */
[[nodiscard]] bool sum_read(Arena *arena, const Rule *rule, const RuleTerm *term, MeasuredSum *sum);

/* Each appends a text: the measure of a sum whose letters take part. */
void weight_print(Text *text, const MeasuredSum *sum);
void variables_print(Text *text, const MeasuredSum *sum);
void nesting_print(Text *text, const MeasuredSum *sum, uint32_t depth);
void divisors_print(Text *text, const MeasuredSum *sum);
void own_print(Text *text, const MeasuredSum *sum);
void inner_print(Text *text, const MeasuredSum *sum);
[[nodiscard]] const char *constant_of(Arena *arena, const Rule *rule, const MeasuredSum *sum);
[[nodiscard]] bool letter_is_unit(const Rule *rule, uint32_t letter);
[[nodiscard]] bool is_division(ExprOp op);

#endif
