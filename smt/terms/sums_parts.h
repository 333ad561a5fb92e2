/* Shared by the files that build sums. */
#ifndef SMT_TERMS_SUMS_PARTS_H
#define SMT_TERMS_SUMS_PARTS_H

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
/* `node` is already in the arena. */
[[nodiscard]] Sum sums_intern(Sums *sums, SumNode node);
/* Finds an existing equal atom. */
[[nodiscard]] bool sums_find_atom(const Sums *sums, const SumAtom *atom, uint32_t *at);
[[nodiscard]] Sum sums_intern_atom(Sums *sums, SumAtom atom);
/* a + factor * b. */
[[nodiscard]] Sum sum_combine(Sums *sums, Sum a, Sum b, Wide factor);
/* Whether no coefficient of factor * sum is past 2^100. */
[[nodiscard]] bool sum_scale_fits(const Sums *sums, Sum sum, Wide factor);

#endif
