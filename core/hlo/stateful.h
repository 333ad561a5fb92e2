/* Operations whose value is no function of their operands: random numbers, received data, calls
 * with a side effect. Two of them differ in value even if their operands are equal, and so do two
 * runs of one. */
#ifndef CORE_HLO_STATEFUL_H
#define CORE_HLO_STATEFUL_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

/* How often a stateful operation may run in one run of the entry. */
typedef enum StatefulRuns : uint8_t {
  STATEFUL_NONE,    /* there is no such operation */
  STATEFUL_ONCE,    /* at most once */
  STATEFUL_IN_LOOP, /* any number of times, at one call site */
  STATEFUL_OFTEN,   /* at several call sites: two operations call its computation, or one calls it
                       for each element, as a map */
} StatefulRuns;

/* The instruction itself, without what it calls. */
[[nodiscard]] bool instruction_is_stateful(const Instruction *instruction);
/* True if the attribute of a transfer, or of a call with a side effect, names its peer, or may tell
 * a transfer or a custom call which device has which part, as the sharding of `Sharding` does. Also
 * true for attributes of a permute that state in which iterations devices exchange data. */
[[nodiscard]] bool attribute_names_end(const Instruction *instruction, const char *name);
/* The instruction itself, or the first stateful one in what it calls; nullptr if there is none. */
[[nodiscard]] const Instruction *instruction_stateful(const Instruction *instruction);
/* The maximum over all stateful operations that the entry reaches; `worst` is one that attains
 * it. */
[[nodiscard]] StatefulRuns stateful_runs(
    Arena *arena, const Computation *entry, const Instruction **worst);

/* The operations of a graph that give another value each time they run: the state of random
 * numbers, received data, calls with a side effect. Two plain random numbers have no order. */
typedef struct StatefulOrder {
  const Instruction **items;
  uint32_t count, capacity;
} StatefulOrder;
/* In the order of the text, where a called computation stands at its first call. */
[[nodiscard]] StatefulOrder stateful_order(Arena *arena, const Computation *entry);
/* How many operations of the same kind run before: of the same opcode, channel and call target.
 * UINT32_MAX for an operation that the order does not contain. */
[[nodiscard]] uint32_t stateful_number(const StatefulOrder *order, const Instruction *instruction);
/* True if each operation that the entry reaches has one partner at most in another graph: it runs
 * once at most, and it has an order, is a recv-done (its receive has one) or the only random
 * number. */
[[nodiscard]] bool stateful_have_partners(Arena *arena, const Computation *entry);

#endif
