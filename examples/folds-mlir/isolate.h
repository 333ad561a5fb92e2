/* Runs a job item by item in child processes, so that an item that crashes a library is one line of
 * the report and does not end the run. */
#ifndef EXAMPLES_FOLDS_MLIR_ISOLATE_H
#define EXAMPLES_FOLDS_MLIR_ISOLATE_H

#include <stdint.h>

/* Runs item `i` in the child: prints its result to standard output. */
typedef void IsolatedItem(void *job, uint32_t i);
/* Called in the parent when item `i` ended its process by this signal (SIGALRM after `seconds`,
 * else the library's own); 0: it called exit. */
typedef void IsolatedDeath(void *job, uint32_t i, int signal);

/* Runs items 0 .. count - 1 in order. Each has `seconds`; an item and those before it share 2 GB of
 * memory. Returns how many died; -1 if no process can be created. */
[[nodiscard]] int64_t isolate(
    uint32_t count, unsigned seconds, IsolatedItem *item, IsolatedDeath *death, void *job);

#endif
