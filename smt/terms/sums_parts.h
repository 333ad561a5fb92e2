/* What the files that build sums share. */
#ifndef SMT_SUMS_PARTS_H
#define SMT_SUMS_PARTS_H

#include <assert.h>

#include "smt/terms/polynomial.h"
#include "smt/terms/sums.h"

[[nodiscard]] static inline bool wide_fits(Wide value) {
  static constexpr Wide limit = (Wide)1 << 100;
  return -limit < value && value < limit;
}

[[nodiscard]] static inline const SumNode *sum_node(const Sums *sums, Sum sum) {
  assert(sum.at < sums->sum_count);
  return &sums->sums[sum.at];
}
/* `node` lives in the arena already. */
[[nodiscard]] Sum sums_intern(Sums *sums, SumNode node);
/* Is there an atom like this one? */
[[nodiscard]] bool sums_find_atom(const Sums *sums, const SumAtom *atom, uint32_t *at);
[[nodiscard]] Sum sums_intern_atom(Sums *sums, SumAtom atom);
/* a + factor * b. */
[[nodiscard]] Sum sum_combine(Sums *sums, Sum a, Sum b, Wide factor);
/* No coefficient of factor * sum is past 2^100. */
[[nodiscard]] bool sum_scale_fits(const Sums *sums, Sum sum, Wide factor);

#endif
