/* Claims about operations at every size: with sizes, offsets, strides and padding as unknowns, the
 * map that an operation should have denotes the operation's read relation, and its results are
 * inside the tensor. One claim an operation, a rank (up to 4), a pattern of dimensions, a
 * direction. */
#ifndef SMT_ALL_SIZES_H
#define SMT_ALL_SIZES_H

#include "smt/relation/relation.h"

/* A claim while it is being stated. `index` are the output's, `element` the operand's visible
 * indices. */
typedef struct SizesClaim {
  Sums *sums;
  RelationWork *work;
  uint32_t rank, pattern; /* which of the operation's patterns: a subset, a permutation, a number */
  bool turned;            /* the map goes from the operand to the output */
  bool fault; /* a twin that must not be proved: the first result is one too large, or, without
                 results, the first index of the domain begins at 1 */
  uint32_t index_rank, element_rank;
  Sum index[8], element[8], index_size[8], element_size[8];
  Relation said, read;
  bool is_complement; /* `said` is to be all of the output that is not in `read`, instead of the
                         same as `read` */
} SizesClaim;

typedef struct SizesOperation {
  const char *name;
  uint32_t (*patterns)(uint32_t rank);
  void (*state)(SizesClaim *claim);
  bool one_direction;
} SizesOperation;

/* The families. */
extern const SizesOperation sizes_operations[];
extern const uint32_t sizes_operation_count;

/* An unknown that is at least `least`. */
[[nodiscard]] Sum sizes_unknown(SizesClaim *claim, const char *name, Wide least);
/* 0 <= x < size. */
void sizes_below(SizesClaim *claim, Piece *piece, Sum x, Sum size);
/* a <= b. */
void sizes_ordered(SizesClaim *claim, Piece *piece, Sum a, Sum b);
/* The indices of both tensors, with the given sizes; both relations' pieces hold them inside. */
void sizes_index(SizesClaim *claim, uint32_t rank, const Sum *sizes);
void sizes_element(SizesClaim *claim, uint32_t rank, const Sum *sizes);
[[nodiscard]] Piece sizes_read_piece(const SizesClaim *claim);
/* The domain of the map: the box that it goes from. */
[[nodiscard]] Piece sizes_said_piece(const SizesClaim *claim);
/* Result `at` of the map is `value`. */
void sizes_result(SizesClaim *claim, Piece *said, uint32_t at, Sum value);
void sizes_add(SizesClaim *claim, const Piece *read, const Piece *said);

#endif
