/* Decomposes sums: what each kind of step does to a view. Every function returns false if its step
 * fails. */
#ifndef CORE_SIMPLIFY_MATCH_PARTS_H
#define CORE_SIMPLIFY_MATCH_PARTS_H

#include "core/simplify/match/match.h"

void parts_bind(Match *match, uint8_t letter, const SumView *view);
/* The view without its excluded summand. */
[[nodiscard]] SumView parts_whole(Match *match, SumView view);
/* Bounds of the view from the bounds of each summand alone; false if they overflow int64. */
[[nodiscard]] bool parts_box(Match *match, const SumView *view, Interval *bounds);
void parts_drop_picked(Match *match, uint8_t sum);
/* view -= coefficient * part */
[[nodiscard]] bool parts_subtract(
    Match *match, SumView *view, int64_t coefficient, const SumView *part);
/* Splits off the part that the divisor divides, and divides it. Fails unless a summand or the
 * constant is split off. */
[[nodiscard]] bool parts_divisible(Match *match, SumView *view, int64_t divisor, SumView *quotient);
[[nodiscard]] bool parts_all_divisible(
    Match *match, const SumView *view, int64_t divisor, SumView *quotient);
/* The common part of two sums: for each atom with coefficients of one sign the smaller one, and no
 * constant. False if there is none. */
[[nodiscard]] bool parts_common(Match *match, const SumView *a, const SumView *b, SumView *common);
/* True if coefficient * letter is a part of the sum: each summand has exactly that coefficient, and
 * none is picked or in a letter that the sum was found to contain before. */
[[nodiscard]] bool parts_contained(
    Match *match, const SumView *sum, int64_t coefficient, uint8_t letter);
/* Excludes the summands that letters lack; returns these letters, one bit each. Copies are in
 * temporary memory, so a match that goes on puts back what was kept. */
[[nodiscard]] uint32_t parts_complete(Match *match, SumView kept[]);
void parts_uncomplete(Match *match, uint32_t lacking, const SumView kept[]);
/* The greatest common divisors > 1 of the j summands with the widest extent (and `start` unless 0),
 * for j = 1, 2, ...: each once, in descending order. Returns their number. */
static constexpr uint32_t parts_max_divisors = 64;
[[nodiscard]] uint32_t parts_divisors(
    Match *match, const SumView *view, int64_t start, int64_t divisors[parts_max_divisors]);

#endif
