/* Runs a job item by item in a child process, so that an item on which a library dies is a line of
 * the report and not the end of the run. */
#ifndef EXAMPLES_FOLDS_MLIR_ISOLATE_H
#define EXAMPLES_FOLDS_MLIR_ISOLATE_H

#include <stdint.h>

/* Item `i`, in the child: writes its answer to standard output. */
typedef void IsolatedItem(void *job, uint32_t i);
/* Item `i` ended its process, in the parent: by this signal (SIGALRM after `seconds`, else the
 * library's own), or by 0, leaving with exit. */
typedef void IsolatedDeath(void *job, uint32_t i, int signal);

/* Items 0 .. count - 1 in order; each has `seconds`, and 2 GB of memory together with those before
 * it. Returns how many died; -1 where no process can be made. */
[[nodiscard]] int64_t isolate(
    uint32_t count, unsigned seconds, IsolatedItem *item, IsolatedDeath *death, void *job);

#endif
