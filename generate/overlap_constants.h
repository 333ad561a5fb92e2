/* Constants for an overlap: the divisors and coefficients of operators that are one are equal. */
#ifndef GENERATE_OVERLAP_CONSTANTS_H
#define GENERATE_OVERLAP_CONSTANTS_H

#include "generate/overlap.h"

typedef struct OverlapConstants {
  int64_t outer[rule_max_letters], inner[rule_max_letters];
  int64_t scale; /* of an inner rule on sums */
} OverlapConstants;

/* A choice of `number`: one of the first `count` or fewer, smaller ones for smaller numbers. */
[[nodiscard]] uint64_t overlap_choice(uint64_t number, uint64_t slot, uint64_t count);

/* False where the choice of `number` does not agree. */
[[nodiscard]] bool overlap_constants(
    Arena *arena, const Overlap *overlap, uint64_t number, OverlapConstants *constants);
/* sign times the factors of an item. */
[[nodiscard]] int64_t overlap_factor(const FormItem *item, const int64_t *constants);

#endif
