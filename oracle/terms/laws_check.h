/* Checks that a law holds at its grade, by evaluating both sides on many values. */
#ifndef ORACLE_TERMS_LAWS_CHECK_H
#define ORACLE_TERMS_LAWS_CHECK_H

#include "core/base/error.h"
#include "core/base/arena.h"

struct Laws; /* defined in oracle/terms/laws.h, which depends on the oracle's own terms */

/* Reads the project's own laws (`source` nullptr), or those of a text. Returns nullptr with the
 * error. */
[[nodiscard]] const struct Laws *law_check_read(
    Arena *arena, const Source *source, uint32_t *count, Error *error);

typedef struct LawCheck {
  const char *name, *text; /* of the law: the whole line */
  uint32_t line;
  bool holds;
  bool is_open;   /* it does not hold because an operation has no arithmetic here, not by values */
  uint64_t tried; /* assignments of the law's variables */
  char why[240];  /* if it does not hold: the values, and both sides */
} LawCheck;

/* Tries all pairs of integers and of floats of at most eight bits, all bf16 and f16 if one variable
 * is free, edges of all wider types, and a million random f32 and f64. The values of f8e8m0fnu are
 * powers of two, so only laws without zeros and signs are tried in it. A law of grade fast changes
 * the rounding: it is tried on small integers, where no order rounds. `is_brief`: tries a part,
 * without law_check_left_out. */
void law_check(Arena *arena, const struct Laws *laws, uint32_t at, bool is_brief, LawCheck *check);
/* The values that are tried only without `is_brief`, as text. */
[[nodiscard]] const char *law_check_left_out(void);

#endif
