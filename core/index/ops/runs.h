/* How often a computation runs while another one runs once. The name of an instruction says which
 * value is meant only where it runs once. */
#ifndef CORE_INDEX_RUNS_H
#define CORE_INDEX_RUNS_H

#include "core/hlo/graph.h"

/* More than once: through several calls, or in a loop or branch beside them. `scratch` is left as
 * it was. */
[[nodiscard]] bool runs_several_times(
    Arena *scratch, const Computation *inside, const Computation *wanted);

#endif
