/* Bounds of atoms that facts imply, without a solver: intervals are carried through sums,
 * quotients, min, max and products in both directions until nothing changes or a bounded number of
 * rounds is over.
 * Keeps: wherever all facts hold and every atom was within its known bounds, it is within the
 * tightened ones. So everything that is built or rebuilt from the atoms afterwards is right under
 * those facts, and under them alone. */
#ifndef SMT_TIGHTEN_H
#define SMT_TIGHTEN_H

#include "smt/terms/encode.h"

/* Do the sums of all facts belong to this table? For assertions. */
[[nodiscard]] bool sums_has_facts(const Sums *sums, uint32_t count, const Within *facts);
/* False: the facts exclude each other (proved). The atoms' bounds are changed in place. */
[[nodiscard]] bool sums_tighten(Sums *sums, uint32_t count, const Within *facts);
/* The sums built again from their atoms, so that what has become constant or decided folds. */
void sums_rebuild(Sums *sums, uint32_t count, Sum *changed);

#endif
