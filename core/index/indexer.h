/* The indexer's internals: its cache, and how a raw map becomes an element of a set. */
#ifndef CORE_INDEX_INDEXER_H
#define CORE_INDEX_INDEXER_H

#include "core/index/dispatch.h"

/* Cached for a called computation: the sets between leaf `leaf` (of the root for o2i, counted
 * through all parameters for i2o) and each leaf of the other side, in order. */
typedef struct RememberedSets {
  const Computation *computation;
  Direction direction;
  uint32_t leaf;
  MapSet *sets;
} RememberedSets;

struct Indexer {
  MapContext *context;
  Simplifier *simplifier; /* nullptr: raw maps */
  Arena *memory;          /* of the table only; maps live in the context */
  Arena *scratch;         /* of one step: maps that must survive a rewind of the context's arena */
  uint64_t rewinds; /* of the context, when the table was started; if the context has more now, the
                     * table is invalid */
  uint32_t depth;   /* depth of nested calls that are being computed */
  const Instruction *sized; /* the last instruction that was found to have no unknown size */
  uint32_t count, capacity;
  RememberedSets *items; /* open addressing; computation nullptr: free */
};

/* The map, simplified and without unused variables; nullptr if its domain is empty. Errors contain
 * the instruction's name. */
[[nodiscard]] bool settle(Indexer *indexer, const Instruction *instruction, const Map *raw,
    const Map **canonical, Error *error);
/* Adds a canonical map, unless the set has one that is identical up to variables of a single value.
 * Beyond 256 maps, or if the set is a hull, the set becomes the one map that contains all of
 * them. */
void set_add(
    Indexer *indexer, IndexResult *set, const Map *map, const Shape *from, const Shape *to);
/* set_add of item `at` of another set. The item's key is computed once for both sets. */
void set_add_item(Indexer *indexer, IndexResult *set, IndexResult *other, uint32_t at,
    const Shape *from, const Shape *to);
/* Adds all of another set to an empty one; neither is a hull. The sets share their lists until one
 * grows. */
void set_start_as(IndexResult *set, const IndexResult *other);
/* Replaces the set by its hull, which it stays; the caller worsens the claim. */
void set_widen(Indexer *indexer, IndexResult *set, const Shape *from, const Shape *to);
/* Makes the set the hull of everything between the two shapes. */
void set_add_everything(Indexer *indexer, IndexResult *set, const Shape *from, const Shape *to);

/* If `unbounded` is an instruction with an unknown size, there is no domain and so no map: makes
 * the set undefined and returns false. */
[[nodiscard]] bool index_is_bounded(Indexer *indexer, const Instruction *unbounded, MapSet *maps);

/* Clears the cache if the context, in which its maps live, has been rewound. */
void remember_check(Indexer *indexer);
[[nodiscard]] MapSet *remember_find(
    const Indexer *indexer, const Computation *computation, Direction direction, uint32_t leaf);
void remember_add(Indexer *indexer, const Computation *computation, Direction direction,
    uint32_t leaf, MapSet *sets);

#endif
