/* What instructions are computed from, leaf by leaf, also in and around the computations that are
 * called. An element of a tuple needs nothing of the other elements, and an element of a call, a
 * fusion, a conditional or a loop needs what that element of the called computation needs. All
 * other operations need all of their operands. A computation is followed at each place that calls
 * it on its own, so no place needs what only another one needs. Operations that need all of their
 * operands, as a reduction, share one part for the computation that they call. What a value needs
 * for certain is less: sure_needs.h states it for these other operations. A constant predicate of a
 * conditional chooses one branch, and nothing chooses between branches of one text and one operand.
 * The limits of sure_needs.h hold here too, and a loop counts as one that runs: what its body
 * computes, and the initial state, are needed even if no iteration or the first one decides. */
#ifndef JUDGE_GRAPHS_LEAF_NEEDS_H
#define JUDGE_GRAPHS_LEAF_NEEDS_H

#include "core/base/arena.h"
#include "core/base/table.h"
#include "core/hlo/graph.h"
#include "judge/graphs/sure_needs.h"

typedef enum LeafOrder : uint8_t {
  LEAVES_FOR_CERTAIN, /* what a value is certainly computed from, see below */
  LEAVES_OF_VALUES,   /* what a value may be computed from */
  LEAVES_WITH_WAITS, /* optimization barriers and dependencies also wait for what they do not return
                      */
  LEAVES_WITH_CONTROL, /* and an instruction for its control predecessors */
} LeafOrder;

/* A computation at a place where it runs. */
typedef struct LeafPart {
  const Computation *computation;
  const Instruction *caller; /* which follows its leaves; nullptr: none */
  uint32_t place;            /* the number of the computation among those that the caller calls */
  struct LeafPart *outer;    /* the part of the caller; nullptr: none */
  struct LeafPart *next;     /* of the same computation; nullptr: the last one */
  uint32_t *first;           /* [instruction_count]: where the leaves of an instruction begin */
  uint32_t leaf_count;       /* of all instructions */
  LeafLevel *leaves;         /* [leaf_count]: always whole, except for certain */
  bool *marks;               /* [instruction_count]: a leaf is needed, or it runs */
  uint32_t ended;            /* all instructions before this one have ended */
  bool is_reached;           /* by what calls it */
  bool is_whole;             /* it has ended */
  bool is_open;              /* there may be more to mark */
} LeafPart;

/* In the order in which they are reached first: a caller's part comes before those that it calls.
 */
typedef struct LeafParts {
  LeafPart **items;
  uint32_t count, capacity;
} LeafParts;

typedef struct LeafNeeds {
  Arena *arena;
  const Module *module;
  LeafOrder order;
  bool unknown_is_any; /* of control predecessors (effects.h) */
  LeafParts parts;
  LeafPart **of; /* [computation_count]: the first part of a computation; nullptr: none */
  Table by_computation, by_call;
  uint64_t leaf_count; /* of all parts */
  bool is_cut;         /* too many places: the marks are not complete */
} LeafNeeds;

[[nodiscard]] LeafNeeds leaf_needs_create(
    Arena *arena, const Module *module, LeafOrder order, bool unknown_is_any);
/* Nothing is marked any more. */
void leaf_needs_reset(LeafNeeds *needs);
/* The place of the computation in the module. */
[[nodiscard]] uint32_t leaf_needs_place(const LeafNeeds *needs, const Computation *computation);

/* Whether the operation follows the leaves of the computations that it calls. */
[[nodiscard]] bool leaf_needs_follows(Opcode opcode);
/* The part of a computation without a caller that follows its leaves, as of the entry. */
[[nodiscard]] LeafPart *leaf_needs_part(LeafNeeds *needs, const Computation *computation);
/* The part of the computation that the caller in the part `outer` calls at this place. */
[[nodiscard]] LeafPart *leaf_needs_called(
    LeafNeeds *needs, LeafPart *outer, const Instruction *caller, uint32_t place);

/* Marks all leaves of an instruction of the part; or only that it runs, which needs what the
 * computations that it calls need. */
void leaf_needs_mark_all(LeafPart *part, const Instruction *instruction);
void leaf_needs_mark_run(LeafPart *part, const Instruction *instruction);
/* Marks what the marked instructions need. */
void leaf_needs_close(LeafNeeds *needs);
/* Whether the instruction is marked at some place. */
[[nodiscard]] bool leaf_needs_has(const LeafNeeds *needs, const Instruction *instruction);

#endif
