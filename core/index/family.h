/* What the families of operations share: the question, the answer, and one function a family.
 * A family answers output-to-input for one pair of array leaves, neither of them empty (the caller
 * has settled tokens and arrays without elements). Input-to-output is the converse of its maps
 * (converse.h) unless the family brings a function of its own. */
#ifndef CORE_INDEX_FAMILY_H
#define CORE_INDEX_FAMILY_H

#include "core/index/ops/build.h"
#include "core/index/index.h"

typedef struct Ask {
  MapContext *context;
  const Instruction *instruction;
  uint32_t output_leaf, operand, operand_leaf;
  const Shape *output, *input; /* the shapes of the two leaves */
} Ask;

typedef struct MapList {
  uint32_t count, capacity;
  const Map **items;
} MapList;

/* Starts as {}: exact, nothing is read. */
typedef struct Answer {
  IndexClaim claim;
  const char *reason;
  uint32_t count, capacity;
  const Map **items;
  MapList keys; /* of sets (set_add): what tells the items apart */
  bool is_hull; /* of sets: one map that covers what was added */
} Answer;

/* Appends the map unless it has no points. */
[[nodiscard]] bool answer_finish(const Ask *ask, Answer *answer, Build *build, Error *error);
/* The worse of the two claims stays, with its reason. */
void answer_claim(Answer *answer, IndexClaim claim, const char *reason);
/* The whole operand for each output element. */
[[nodiscard]] bool answer_everything(const Ask *ask, Answer *answer, Error *error);
/* d -> d; the two leaves have the same sizes. */
[[nodiscard]] bool answer_identity(const Ask *ask, Answer *answer, Error *error);
/* d -> () of a scalar operand, d -> (0, .., 0) of one with a single element. */
[[nodiscard]] bool answer_scalar(const Ask *ask, Answer *answer, Error *error);

typedef bool Reads(const Ask *ask, Answer *answer, Error *error);

Reads reads_elementwise, reads_broadcast, reads_transpose, reads_reverse, reads_source;
Reads reads_reshape, reached_reshape, reads_bitcast, reached_bitcast, reads_bitcast_convert;
Reads reads_slice, reads_concatenate, reads_pad;
Reads reads_reduce, reads_scan, reads_reduce_window, reads_select_and_scatter, reads_convolution;
Reads reads_dot, reads_ragged_dot, reads_scaled_dot;
Reads reads_dynamic_slice, reads_dynamic_update_slice, reads_gather, reads_scatter;
Reads reads_order, reads_fft, reads_cholesky, reads_triangular_solve, reads_batch_norm;
Reads reads_structure, reads_boundary, reads_collective, reads_nothing_known;

[[nodiscard]] bool ints_has(const Ints *ints, int64_t value);
/* Position of `value`, or UINT32_MAX. */
[[nodiscard]] uint32_t ints_find(const Ints *ints, int64_t value);

#endif
