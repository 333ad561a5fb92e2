/* Operations whose value is no function of their operands: random numbers, what is received, calls
 * with a side effect. Two of them have other values, however equal their operands are, and so have
 * two runs of one. */
#ifndef CORE_HLO_STATEFUL_H
#define CORE_HLO_STATEFUL_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

/* How often a stateful operation may run each time that the entry runs. */
typedef enum StatefulRuns : uint8_t {
  STATEFUL_NONE,    /* there is none */
  STATEFUL_ONCE,    /* at most once */
  STATEFUL_IN_LOOP, /* any number of times, at one place */
  STATEFUL_OFTEN,   /* at several places: what it stands in is called by two operations */
} StatefulRuns;

/* Itself; what it calls does not count. */
[[nodiscard]] bool instruction_is_stateful(const Instruction *instruction);
/* Does the attribute of a transfer, or of a call with a side effect, say whom it is exchanged with?
 */
[[nodiscard]] bool attribute_names_end(const Instruction *instruction, const char *name);
/* The instruction itself, or the first stateful one of what it calls; nullptr: there is none. */
[[nodiscard]] const Instruction *instruction_stateful(const Instruction *instruction);
/* The worst of all stateful operations that the entry reaches; `worst` is one of those. */
[[nodiscard]] StatefulRuns stateful_runs(
    Arena *arena, const Computation *entry, const Instruction **worst);

#endif
