/* Two small modules that show what a wrong step shows: `affirm equiv` says `different` of them too.
 */
#ifndef WATCH_SMALLER_H
#define WATCH_SMALLER_H

#include "judge/graphs/equiv_values.h"

typedef struct Smaller {
  const char *texts[2];          /* before, after */
  uint32_t trials, instructions; /* of both entries, parameters aside */
} Smaller;

/* `output` is the leaf that differs. False where the two modules themselves are not different. */
[[nodiscard]] bool smaller_find(Arena *arena, const Module *before, const Module *after,
    uint32_t output, const ValuesLimits *limits, double seconds, Smaller *smaller);

#endif
