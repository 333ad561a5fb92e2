/* Constants for an overlap: identical operators must have equal divisors and coefficients. */
#ifndef GENERATE_OVERLAP_CONSTANTS_H
#define GENERATE_OVERLAP_CONSTANTS_H

#include "generate/overlap.h"

typedef struct OverlapConstants {
  int64_t outer[rule_max_letters], inner[rule_max_letters];
  int64_t scale; /* factor of an inner rule on sums */
} OverlapConstants;

/* A number below `count`, determined by `number` and `slot`; smaller numbers have smaller
 * choices. */
[[nodiscard]] uint64_t overlap_choice(uint64_t number, uint64_t slot, uint64_t count);

/* Returns false if the constants chosen by `number` are contradictory. */
[[nodiscard]] bool overlap_constants(
    Arena *arena, const Overlap *overlap, uint64_t number, OverlapConstants *constants);
/* The sign times the factors of an item. */
[[nodiscard]] int64_t overlap_factor(const FormItem *item, const int64_t *constants);

#endif
