/* Taking sums apart: what each kind of step does to one view. All are false when the step fails. */
#ifndef CORE_SIMPLIFY_PARTS_H
#define CORE_SIMPLIFY_PARTS_H

#include "core/simplify/match/match.h"

void parts_bind(Match *match, uint8_t letter, const SumView *view);
/* A view that lacks nothing. */
[[nodiscard]] SumView parts_whole(Match *match, SumView view);
void parts_drop_picked(Match *match, uint8_t sum);
/* view -= coefficient * part */
[[nodiscard]] bool parts_subtract(
    Match *match, SumView *view, int64_t coefficient, const SumView *part);
/* Splits off what the divisor divides, divided by it. At least one summand, or the constant,
 * goes. */
[[nodiscard]] bool parts_divisible(Match *match, SumView *view, int64_t divisor, SumView *quotient);
[[nodiscard]] bool parts_all_divisible(
    Match *match, const SumView *view, int64_t divisor, SumView *quotient);
/* What two sums share: for each atom with coefficients of one sign the smaller one, and the smaller
 * constant of one sign. */
[[nodiscard]] bool parts_common(Match *match, const SumView *a, const SumView *b, SumView *common);
/* Whether coefficient * part is a part of the sum: each summand with the very same coefficient,
 * none of them picked. */
[[nodiscard]] bool parts_contained(
    const Match *match, const SumView *sum, int64_t coefficient, const SumView *part);
/* The greatest common divisors > 1 of the j farthest-reaching summands (and `start` unless 0), for
 * j = 1, 2, ...: each once, the largest first. Returns how many. */
static constexpr uint32_t parts_max_divisors = 64;
[[nodiscard]] uint32_t parts_divisors(
    Match *match, const SumView *view, int64_t start, int64_t divisors[parts_max_divisors]);

#endif
