/* A question about few values, decided by going through all of them: the last resort where
 * coefficients are too large for linear arithmetic and the variables' bounds are small. */
#ifndef SMT_CASES_H
#define SMT_CASES_H

#include "smt/terms/encode.h"

/* What must not happen: `broken` outside its interval, or `a` and `b` different. Without any of
 * them: that all facts hold. */
typedef struct Goal {
  const Within *broken;
  bool differ;
  Sum a, b;
} Goal;

/* True: at no point within the atoms' bounds do all facts hold and the goal happen (proved). False
 * says nothing: too many values, or a point where those facts hold that are over the goal's own
 * variables. Without a goal each fact is tried alone. */
[[nodiscard]] bool cases_exclude(Sums *sums, uint32_t count, const Within *facts, const Goal *goal);

#endif
