/* Compares terms under every value of the offsets that they pick by. */
#ifndef ORACLE_VALUES_CASES_H
#define ORACLE_VALUES_CASES_H

#include "oracle/terms/term.h"

typedef enum CasesResult : uint8_t {
  CASES_SAME,    /* equal under all values of all offsets */
  CASES_DIFFER,  /* different terms under some values */
  CASES_UNKNOWN, /* too many values, or an offset whose computation is not bounded */
} CasesResult;

[[nodiscard]] CasesResult cases_compare(Arena *arena, Terms *terms, uint32_t count,
    const Term *before, const Term *after, uint64_t most_work);

#endif
