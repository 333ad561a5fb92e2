/* Promises about indices: `unique_indices` of a scatter, `indices_are_sorted` of a scatter or a
 * gather. The result is implementation-defined where indices break a promise. So a compiler may
 * drop a promise, and may add one only if the indices keep it. The judges compare values for
 * indices that keep all promises of both graphs. */
#ifndef JUDGE_GRAPHS_PROMISES_H
#define JUDGE_GRAPHS_PROMISES_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

/* What calls a computation, which is number `place` of those that it calls. */
typedef struct CallPlace {
  const Instruction *caller;
  uint32_t place;
} CallPlace;

/* A gather or scatter with a promise, at one place where it runs. */
typedef struct PromiseMaker {
  const Instruction *instruction;
  const Instruction *indices; /* before copies and reshapes, and before the parameters of fusions */
  /* The fusions and calls around `indices`, from the inner one to the outer one. */
  const Instruction **around;
  uint32_t around_count;
  CallPlace from; /* where the computation around those is called; nullptr: it is the entry */
} PromiseMaker;

typedef struct PromiseMakers {
  PromiseMaker *items;
  uint32_t count, capacity;
  bool is_cut; /* there are more */
} PromiseMakers;

/* A promise of the second module, and all who make it in the first: with the same opcode, and with
 * tuples of indices of the same form. */
typedef struct NewPromise {
  const char *name; /* of the attribute */
  PromiseMaker maker;
  PromiseMakers before;
} NewPromise;

typedef struct NewPromises {
  NewPromise *items;
  uint32_t count, capacity;
} NewPromises;

/* The promises of the second module that its own text does not show to be kept (promise_kept.h).
 * Each is new unless its indices are those of one who makes it before. Only gathers and scatters on
 * which a result or an effect may depend count; of the first module, those on which one certainly
 * does. If there are too many places to list, the last one listed has nobody before. */
void promises_new(Arena *arena, const Module *before, const Module *after, NewPromises *promises);

/* The computation around fusions and calls, with the indices as its root. KEEP: the arena. */
[[nodiscard]] Computation *promise_indices_alone(Arena *arena, const PromiseMaker *maker);

typedef struct CallPlaces {
  CallPlace *items;
  uint32_t count, capacity;
} CallPlaces;
[[nodiscard]] CallPlaces call_places(Arena *arena, const Module *module, const Computation *called);

#endif
