/* The indexer's inside: what is remembered, and how a raw map becomes one of a set. */
#ifndef CORE_INDEX_INDEXER_H
#define CORE_INDEX_INDEXER_H

#include "core/index/dispatch.h"

/* What is remembered of a called computation: the sets between its leaf `leaf` (of the root for
 * o2i, of all parameters for i2o) and each leaf of the other side, in order. */
typedef struct RememberedSets {
  const Computation *computation;
  Direction direction;
  uint32_t leaf;
  MapSet *sets;
} RememberedSets;

struct Indexer {
  MapContext *context;
  Simplifier *simplifier; /* nullptr: raw maps */
  Arena *memory;          /* of the table alone; maps live in the context */
  Arena *scratch;         /* of one step: maps on their way past a rewind of the context's arena */
  uint64_t rewinds; /* of the context when the first of the table was remembered; no more of them,
                       or the table is forgotten */
  uint32_t depth;   /* of nested calls being computed */
  const Instruction *sized; /* the last one that was seen to have no unknown size */
  uint32_t count, capacity;
  RememberedSets *items; /* open addressing; computation nullptr: free */
};

/* Simplified, without unused variables; nullptr where no point is left. Errors carry the
 * instruction's name. */
[[nodiscard]] bool settle(Indexer *indexer, const Instruction *instruction, const Map *raw,
    const Map **canonical, Error *error);
/* Adds a canonical map unless one is there that is identical up to variables of a single value.
 * Past a limit of maps, and in a set that is a hull, the set is the one map that covers all of
 * them. */
void set_add(
    Indexer *indexer, IndexResult *set, const Map *map, const Shape *from, const Shape *to);
/* The set becomes its hull, and stays one; the caller claims so. */
void set_widen(Indexer *indexer, IndexResult *set, const Shape *from, const Shape *to);
/* A hull of everything between the two shapes. */
void set_add_everything(Indexer *indexer, IndexResult *set, const Shape *from, const Shape *to);

/* Where a size is not known there is no domain, and so no map: false, and the set is undefined. */
/* instruction_unbounded, once for all questions about one instruction: a tuple has as many operands
 * as a program has results. */
[[nodiscard]] const Instruction *index_unbounded(Indexer *indexer, const Instruction *instruction);
[[nodiscard]] bool index_is_bounded(Indexer *indexer, const Instruction *unbounded, MapSet *maps);

/* Nothing remembered outlives a rewind of the context, in which its maps live. */
void remember_check(Indexer *indexer);
[[nodiscard]] MapSet *remember_find(
    const Indexer *indexer, const Computation *computation, Direction direction, uint32_t leaf);
void remember_add(Indexer *indexer, const Computation *computation, Direction direction,
    uint32_t leaf, MapSet *sets);

#endif
