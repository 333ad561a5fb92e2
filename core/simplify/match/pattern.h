/* Terms of a rule as linear sums: each summand is a product of constant factors and at most one
 * item that is not constant (a letter or an operator). Used for both sides of a rule. */
#ifndef CORE_SIMPLIFY_MATCH_PATTERN_H
#define CORE_SIMPLIFY_MATCH_PATTERN_H

#include "core/simplify/match/plan.h"

static constexpr uint32_t pattern_max_items = 12;
static constexpr uint32_t pattern_max_factors = 6;

typedef struct PatternItem {
  uint32_t factor_count;
  const RuleTerm *factors[pattern_max_factors];
  const RuleTerm *item; /* nullptr for a constant summand */
} PatternItem;

typedef struct Pattern {
  uint32_t count;
  PatternItem items[pattern_max_items];
} Pattern;

[[nodiscard]] bool term_is_constant(const RuleTerm *term);
/* False if the term is no sum of such summands, or has too many. */
[[nodiscard]] bool pattern_flatten(const RuleTerm *term, Pattern *pattern);
/* True if a letter stands in two summands. They are matched apart, so the second would replace the
 * letter's value. */
[[nodiscard]] bool pattern_repeats(const Pattern *pattern);
/* Terms whose code would need a higher stack are not compiled (plan_compile checks this). */
static constexpr uint32_t formula_max_stack = 64;
[[nodiscard]] bool formula_fits(const Formula *formula);
/* Postfix code for the product of the factors; an empty product is 1. */
[[nodiscard]] Formula formula_product(Arena *arena, uint32_t count, const RuleTerm *const *factors);
[[nodiscard]] Formula formula_of(Arena *arena, const RuleTerm *term);
/* The sum of the pattern's constant products; an empty sum is 0. */
[[nodiscard]] Formula formula_constants(Arena *arena, const Pattern *pattern);

#endif
