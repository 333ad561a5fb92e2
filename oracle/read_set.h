/* Read sets: for each element of one output leaf of an instruction, the elements of one leaf of one operand that the semantics of the
 * operations read for it; through fusions and calls, element by element.
 * Where nothing depends on values that are only known at run time, the sets of all elements are computed once, from the operands up, as bit sets.
 * Where something does, an element's set is found for one assignment of the values, by following its reads down.
 * Conventions, where "read" is a matter of definition:
 *   a choice by data (select, clamp, sort, topk, select-and-scatter, conditional) reads all of its candidates, and what chooses;
 *   offsets and indices are read by every output element that they place: dynamic-slice, dynamic-update-slice and scatter all of them,
 *   gather its own row; padding is not read, neither in windows nor the kernel elements that would multiply it;
 *   reducers, combiners and the bodies of scans use all of their parameters; the body of a map only those that its root depends on;
 *   while reads its whole state; collectives relate elements, whichever device of a group they are on;
 *   unspecified parts of an output (the other triangle of a cholesky factor) read nothing; tiles of a layout do not matter. */
#ifndef ORACLE_READ_SET_H
#define ORACLE_READ_SET_H

#include "oracle/reading.h"
#include "oracle/sets.h"

typedef struct ReadSet {
  Arena *arena;
  Flow *flow;
  Refusal *refusal;
  Reading reading;
  Sets sets;
  Node *target;        /* the input that is asked about */
  uint32_t target_leaf;
  uint32_t output_leaf;
  const Leaf *output;
  const Leaf *operand;
  bool is_unread;      /* no operation leads from the output to the target: every set is empty, whatever the sizes */
  bool is_dynamic;     /* the sets depend on chosen values */
  NodeList dynamic;    /* the nodes whose reads have to be followed under an assignment, by number */
  uint32_t stamp;
  int64_t element_limit, read_limit; /* largest tensor; reads followed in all */
  int64_t read_count;
} ReadSet;

/* Refuses what is past the limits (unless it is not read at all) and what has no semantics. `values` gives elements of index operands. */
[[nodiscard]] bool read_set_create(ReadSet *set, Flow *flow, Values *values, const OracleLimits *limits, uint32_t output_leaf,
                                   uint32_t operand, uint32_t operand_leaf);
/* Refuses an output or operand that is too large to be gone through. */
[[nodiscard]] bool read_set_fits(const ReadSet *set);
/* The set of one output element, under the current assignment if it is dynamic: added to `bits`, which has set->sets.words words. */
[[nodiscard]] bool read_set_of(ReadSet *set, int64_t element, const int64_t *at, uint64_t *bits);

#endif
