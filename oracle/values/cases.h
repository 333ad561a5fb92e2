/* Compares terms under every value of the offsets that they pick by. */
#ifndef ORACLE_VALUES_CASES_H
#define ORACLE_VALUES_CASES_H

#include "oracle/terms/term.h"

typedef enum CasesResult : uint8_t {
  CASES_SAME,    /* equal under all values of all offsets */
  CASES_DIFFER,  /* different terms under some values */
  CASES_UNKNOWN, /* too many values, or an offset whose computation is not bounded */
} CasesResult;

static constexpr uint32_t cases_most_variables = 8;

/* The first values of the offsets under which two terms are different. */
typedef struct CasesDifference {
  uint32_t count; /* 0: none was found */
  uint32_t pair;  /* the number of the two terms */
  Term variables[cases_most_variables];
  int64_t values[cases_most_variables];
} CasesDifference;

/* `difference` is set for CASES_DIFFER. */
[[nodiscard]] CasesResult cases_compare(Arena *arena, Terms *terms, uint32_t count,
    const Term *before, const Term *after, uint64_t most_work, CasesDifference *difference);

#endif
