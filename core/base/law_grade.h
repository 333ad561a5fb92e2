/* What a law of arithmetic may change. */
#ifndef CORE_BASE_LAW_GRADE_H
#define CORE_BASE_LAW_GRADE_H

#include <stdint.h>

typedef enum LawGrade : uint8_t {
  LAW_NONE,
  LAW_EXACT, /* nothing: the same bits */
  LAW_IEEE,  /* the payload of a NaN and the sign of a zero */
  LAW_FAST,  /* the order of operations, and so the rounding */
} LawGrade;

/* "none", "exact", "ieee" or "fast". */
[[nodiscard]] bool law_grade_named(const char *name, LawGrade *grade);

#endif
