/* Decides questions with few values by enumeration: the last resort if coefficients are too large
 * for linear arithmetic and the variables' bounds are small. */
#ifndef SMT_RULES_CASES_H
#define SMT_RULES_CASES_H

#include "smt/terms/encode.h"

/* What must be impossible: `broken` outside of its interval, or `a` and `b` different. If both are
 * unset: that all facts hold. */
typedef struct Goal {
  const Within *broken;
  bool differ;
  Sum a, b;
} Goal;

/* Returns true if it is proved that at no point within the atoms' bounds all facts hold and the
 * goal happens. False decides nothing: there are too many values, or the facts over the goal's own
 * variables do not exclude it. Without a goal, each fact is tried alone. */
[[nodiscard]] bool cases_exclude(Sums *sums, uint32_t count, const Within *facts, const Goal *goal);

#endif
