/* What instructions are computed from, leaf by leaf, also in and around the computations that are
 * called. An element of a tuple needs nothing of the other elements, and an element of a call, a
 * fusion, a conditional or a loop needs what that element of the called computation needs. All
 * other operations need all of their operands. A computation that is called at several places needs
 * what any of them needs. */
#ifndef JUDGE_GRAPHS_LEAF_NEEDS_H
#define JUDGE_GRAPHS_LEAF_NEEDS_H

#include "core/base/arena.h"
#include "core/base/table.h"
#include "core/hlo/graph.h"

typedef enum LeafOrder : uint8_t {
  LEAVES_OF_VALUES,  /* what a value is computed from */
  LEAVES_WITH_WAITS, /* optimization barriers and dependencies also wait for what they do not return
                      */
  LEAVES_WITH_CONTROL, /* and an instruction for its control predecessors */
} LeafOrder;

typedef struct LeafCallers {
  uint32_t *items;
  uint32_t count, capacity;
} LeafCallers;

/* A computation. */
typedef struct LeafPart {
  uint32_t *first;     /* [instruction_count]: where the leaves of an instruction begin */
  uint32_t leaf_count; /* of all instructions */
  bool *leaves;        /* [leaf_count]: needed */
  bool *marks;         /* [instruction_count]: a leaf is needed, or it runs */
  uint32_t ended;      /* all instructions before this one have ended */
  bool is_reached;     /* by what calls it */
  bool is_whole;       /* it has ended */
  bool is_open;        /* there may be more to mark */
  LeafCallers callers; /* parts that take over what its parameters need */
} LeafPart;

typedef struct LeafNeeds {
  Arena *arena;
  const Module *module;
  LeafOrder order;
  bool unknown_is_any; /* of control predecessors (effects.h) */
  LeafPart *parts;     /* [computation_count] */
  Table by_computation;
} LeafNeeds;

[[nodiscard]] LeafNeeds leaf_needs_create(
    Arena *arena, const Module *module, LeafOrder order, bool unknown_is_any);
/* Nothing is marked any more. */
void leaf_needs_reset(LeafNeeds *needs);
/* The place of the computation in the module. */
[[nodiscard]] uint32_t leaf_needs_place(const LeafNeeds *needs, const Computation *computation);

/* Marks all leaves of an instruction; or only that it runs, which needs what the computations that
 * it calls need. */
void leaf_needs_mark_all(LeafNeeds *needs, const Instruction *instruction);
void leaf_needs_mark_run(LeafNeeds *needs, const Instruction *instruction);
/* Marks what the marked instructions need. */
void leaf_needs_close(LeafNeeds *needs);
[[nodiscard]] bool leaf_needs_has(const LeafNeeds *needs, const Instruction *instruction);

#endif
