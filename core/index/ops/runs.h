/* How often a computation runs while another one runs once. The name of an instruction identifies a
 * value only if its computation runs once. */
#ifndef CORE_INDEX_OPS_RUNS_H
#define CORE_INDEX_OPS_RUNS_H

#include "core/hlo/graph.h"

/* True if it runs more than once: through several calls, or through a loop or branch. Rewinds
 * `scratch`. */
[[nodiscard]] bool runs_several_times(
    Arena *scratch, const Computation *inside, const Computation *wanted);

#endif
