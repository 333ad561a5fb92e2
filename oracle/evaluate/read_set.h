/* Read sets: for each element of one output leaf of an instruction, the elements of one operand
 * leaf that the operation semantics read, through fusions and calls.
 * If nothing depends on runtime values, the sets of all elements are computed once, from the
 * operands up, as bit sets. Otherwise the set of an element is computed under one assignment of the
 * values. The graph is cut at operations with runtime indices, the cut nodes. Reachability
 * between cuts is computed once; under an assignment, only the cuts are evaluated again.
 * Conventions, where "read" is a matter of definition:
 * - A choice by data (select, clamp, sort, topk, select-and-scatter, conditional) reads all of its
 * candidates, and what chooses.
 * - Offsets and indices are read by every output element that they place: all of them for
 * dynamic-slice, dynamic-update-slice and scatter; its own row for gather.
 * - Padding is not read, neither in windows nor the kernel elements that would multiply it.
 * - Reducers, combiners and the bodies of scans use all of their parameters; the body of a map only
 * those that its root depends on. A while reads its whole state.
 * - Collectives relate elements, whichever device of a group they are on.
 * - Unspecified parts of an output (the other triangle of a cholesky factor) read nothing.
 * - Tiles of a layout matter to a bitcast alone. */
#ifndef ORACLE_EVALUATE_READ_SET_H
#define ORACLE_EVALUATE_READ_SET_H

#include "oracle/semantics/reading.h"
#include "oracle/evaluate/sets.h"

/* Elements of the target that depend on the same index rows of a scatter, and on no others. */
typedef struct Share {
  const uint64_t *mask; /* of the target's elements */
  const uint8_t *rows;
} Share;

typedef struct ReadSet {
  Arena *arena;
  Flow *flow;
  Rejection *rejection;
  Reading reading;
  Sets sets;    /* of elements of the target, and after them of cut nodes */
  Node *target; /* the input whose elements are judged */
  uint32_t target_leaf;
  uint32_t output_leaf;
  const Leaf *output;
  const Leaf *operand;
  uint32_t words;  /* of a set of elements of the target alone */
  bool is_unread;  /* no operation leads from the target to the output: every set is empty, whatever
                      the sizes */
  bool is_dynamic; /* the sets depend on chosen values */
  NodeList cuts;   /* the nodes whose reads are followed under each assignment, by number */
  uint64_t *work;  /* the set that is being followed, empty between calls */
  int64_t element_limit, read_limit; /* elements of the largest tensor; total number of reads
                                        followed */
  int64_t read_count;
} ReadSet;

/* Rejects what is past the limits (unless it is not read at all) and operations without semantics.
 * `values` supplies the elements of index operands. */
[[nodiscard]] bool read_set_create(ReadSet *set, Flow *flow, Values *values,
    const OracleLimits *limits, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf);
/* Rejects an output or operand that is too large to enumerate. */
[[nodiscard]] bool read_set_fits(const ReadSet *set);
/* Adds the set of one output element, under the current assignment if it is dynamic, to `bits`,
 * which has set->words words. */
[[nodiscard]] bool read_set_of(ReadSet *set, int64_t element, const int64_t *at, uint64_t *bits);
/* Requires that all drawn values are the indices of one scatter. Partitions the elements of the
 * target so that different parts depend on different index rows. Returns false if there is no
 * partition into two or more parts. */
[[nodiscard]] bool read_set_shares(ReadSet *set, uint32_t *count, const Share **shares);
/* Restricts later calls to the updates of these rows; nullptr: all rows. */
void read_set_only_rows(ReadSet *set, const uint8_t *rows);

#endif
