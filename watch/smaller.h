/* Two small modules that illustrate a wrong step: `affirm equiv` reports `different` for them
 * too. */
#ifndef WATCH_SMALLER_H
#define WATCH_SMALLER_H

#include "judge/graphs/equiv_values.h"

typedef struct Smaller {
  const char *texts[2];          /* before, after */
  uint32_t trials, instructions; /* `instructions`: of both entries, without parameters */
} Smaller;

/* `output` is the leaf that differs. Returns false if the two modules do not differ. */
[[nodiscard]] bool smaller_find(Arena *arena, const Module *before, const Module *after,
    uint32_t output, const ValuesLimits *limits, double seconds, Smaller *smaller);

#endif
