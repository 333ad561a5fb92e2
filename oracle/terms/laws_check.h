/* Whether a law holds at its grade, by evaluation of both sides on many values. */
#ifndef ORACLE_LAWS_CHECK_H
#define ORACLE_LAWS_CHECK_H

#include "core/base/error.h"
#include "core/base/arena.h"

struct Laws; /* of oracle/terms/laws.h, whose terms are nobody else's */

/* The project's own laws (source null), or those of a text. Null: the error. */
[[nodiscard]] const struct Laws *law_check_read(
    Arena *arena, const Source *source, uint32_t *count, Error *error);

typedef struct LawCheck {
  const char *name, *text; /* of the law: the whole line */
  uint32_t line;
  bool holds;
  uint64_t tried; /* assignments of the law's variables */
  char why[240];  /* where it does not hold: the values, and both sides */
} LawCheck;

/* All pairs of integers and of floats of at most eight bits (of f8e8m0fnu, whose values are powers
 * of two, what no zero and no sign takes part in), all bf16 and f16 where one variable is free,
 * edges of all wider types, a million random f32 and f64. A law of grade fast is another rounding:
 * it is tried on small integers, where no order rounds. `is_brief`: a part, law_check_left_out. */
void law_check(Arena *arena, const struct Laws *laws, uint32_t at, bool is_brief, LawCheck *check);
/* What is tried only without `is_brief`. */
[[nodiscard]] const char *law_check_left_out(void);

#endif
