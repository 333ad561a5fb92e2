/* The measures of a rule's sides, as texts of the rule language. A letter of the rule stands for an
 * unknown sum, so each of its measures is a constant letter of its own. */
#ifndef PROOF_ORDER_MEASURE_H
#define PROOF_ORDER_MEASURE_H

#include "core/rules/rule.h"

/* A measure of a letter x. Its text is the symbol's letter followed by x's number. */
typedef enum Symbol : uint8_t {
  SYMBOL_WEIGHT,
  SYMBOL_VARIABLES, /* number of variable occurrences */
  SYMBOL_NESTING,   /* sum of their depths, counted from x */
  SYMBOL_OWN,       /* sum of the magnitudes of x's own coefficients */
  SYMBOL_INNER,     /* the same for the coefficients inside its operators */
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
  const MeasuredAtom *atom; /* of an operator; else nullptr */
} MeasuredItem;

static constexpr uint32_t measured_max_items = 12;

typedef struct MeasuredSum {
  uint32_t count;
  MeasuredItem items[measured_max_items];
  const char *constant;
  const RuleTerm *lone_constant; /* a constant letter that is itself a summand, or nullptr */
} MeasuredSum;

struct MeasuredAtom {
  ExprOp op;
  MeasuredSum left, right; /* right: only of min and max */
  const char *divisor;     /* only of divisions */
};

/* The text of a measure of a letter. Numbers from rule->expr_count on denote auxiliary sums. */
[[nodiscard]] const char *symbol_text(Arena *arena, Symbol symbol, uint32_t letter);
/* What a symbol's text means in words, such as "weight of x"; nullptr: it is no symbol. */
[[nodiscard]] const char *symbol_words(Arena *arena, const Rule *rule, const char *text);
/* Prints arithmetic over constants, lo and hi in symbols. */
[[nodiscard]] const char *constant_text(Arena *arena, const Rule *rule, const RuleTerm *term);
/* Returns false if the term is no sum of letters and operators with constant coefficients. */
[[nodiscard]] bool sum_read(Arena *arena, const Rule *rule, const RuleTerm *term, MeasuredSum *sum);
[[nodiscard]] bool coefficient_is_one(const char *coefficient);
[[nodiscard]] bool sum_has_atom(const MeasuredSum *sum);
/* The only division among the summands, or nullptr. */
[[nodiscard]] const MeasuredItem *sum_division(const MeasuredSum *sum);
/* True if no summand but one division has an operator. The parts of a level see no other one. */
[[nodiscard]] bool sum_is_one_level(const MeasuredSum *sum);

/* Each appends a text: the measure of a sum in terms of its letters' measures. */
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
