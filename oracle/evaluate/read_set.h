/* Read sets: for each element of one output leaf of an instruction, the elements of one leaf of one
 * operand that the semantics of the
 * operations read for it; through fusions and calls, element by element.
 * Where nothing depends on values that are only known at run time, the sets of all elements are
 * computed once, from the operands up, as bit sets. Where something does, an element's set is found
 * for one assignment of the values. Operations whose indices are drawn are cut out: sets go from
 * one of them to the next, are computed once, and hold elements of the target and of cut
 * operations; under an assignment only the latter are followed.
 * Conventions, where "read" is a matter of definition:
 *   a choice by data (select, clamp, sort, topk, select-and-scatter, conditional) reads all of its
 * candidates, and what chooses; offsets and indices are read by every output element that they
 * place: dynamic-slice, dynamic-update-slice and scatter all of them, gather its own row; padding
 * is not read, neither in windows nor the kernel elements that would multiply it; reducers,
 * combiners and the bodies of scans use all of their parameters; the body of a map only those that
 * its root depends on; while reads its whole state; collectives relate elements, whichever device
 * of a group they are on; unspecified parts of an output (the other triangle of a cholesky factor)
 * read nothing; tiles of a layout do not matter. */
#ifndef ORACLE_READ_SET_H
#define ORACLE_READ_SET_H

#include "oracle/semantics/reading.h"
#include "oracle/evaluate/sets.h"

/* Elements of the target that depend on the same rows of indices of a scatter, and on no others. */
typedef struct Share {
  const uint64_t *mask; /* of the target's elements */
  const uint8_t *rows;
} Share;

typedef struct ReadSet {
  Arena *arena;
  Flow *flow;
  Rejection *rejection;
  Reading reading;
  Sets sets;    /* of elements of the target, and after them of drawn nodes */
  Node *target; /* the input that is asked about */
  uint32_t target_leaf;
  uint32_t output_leaf;
  const Leaf *output;
  const Leaf *operand;
  uint32_t words;  /* of a set of elements of the target alone */
  bool is_unread;  /* no operation leads from the output to the target: every set is empty, whatever
                      the sizes */
  bool is_dynamic; /* the sets depend on chosen values */
  NodeList drawn;  /* the nodes whose reads have to be followed under an assignment, by number */
  uint64_t *work;  /* the set that is being followed, empty in between */
  int64_t element_limit, read_limit; /* largest tensor; reads followed in all */
  int64_t read_count;
} ReadSet;

/* Rejects what is past the limits (unless it is not read at all) and what has no semantics.
 * `values` gives elements of index operands. */
[[nodiscard]] bool read_set_create(ReadSet *set, Flow *flow, Values *values,
    const OracleLimits *limits, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf);
/* Rejects an output or operand that is too large to be gone through. */
[[nodiscard]] bool read_set_fits(const ReadSet *set);
/* The set of one output element, under the current assignment if it is dynamic: added to `bits`,
 * which has set->words words. */
[[nodiscard]] bool read_set_of(ReadSet *set, int64_t element, const int64_t *at, uint64_t *bits);
/* Where all that is drawn are the indices of one scatter: the elements of the target, divided so
 * that each part depends on rows of its own. Every element is in one part. False where there is no
 * such division into two or more. */
[[nodiscard]] bool read_set_shares(ReadSet *set, uint32_t *count, const Share **shares);
/* From now on only the updates of these rows are followed, all of them for nullptr. */
void read_set_only_rows(ReadSet *set, const uint8_t *rows);

#endif
