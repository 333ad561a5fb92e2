/* Tightens bounds of atoms by facts, without a solver. Intervals are propagated through sums,
 * quotients, min, max and products in both directions, until nothing changes or a bounded number of
 * rounds is over.
 * Keeps: wherever all facts hold and every atom was within its known bounds, it is within the
 * tightened ones. So terms built or rebuilt from the atoms afterwards are valid under those facts
 * only. */
#ifndef SMT_TERMS_TIGHTEN_H
#define SMT_TERMS_TIGHTEN_H

#include "smt/terms/encode.h"

/* For assertions: whether the sums of all facts belong to this table. */
[[nodiscard]] bool sums_has_facts(const Sums *sums, uint32_t count, const Within *facts);
/* Changes the atoms' bounds in place. Returns false if the facts contradict each other (proved). */
[[nodiscard]] bool sums_tighten(Sums *sums, uint32_t count, const Within *facts);
/* Rebuilds the sums from their atoms, so that atoms that have become constant or decided are
 * folded. */
void sums_rebuild(Sums *sums, uint32_t count, Sum *changed);

#endif
