/* Claims about operations at every size. With sizes, offsets, strides and padding as unknowns, an
 * operation's intended map denotes its read relation, and its results are inside the tensor. There
 * is one claim for each operation, rank (up to 4), pattern of dimensions and direction. */
#ifndef SMT_SEMANTICS_ALL_SIZES_H
#define SMT_SEMANTICS_ALL_SIZES_H

#include "smt/relation/relation.h"

/* A claim in construction. `index` contains the output's, `element` the operand's visible
 * indices. */
typedef struct SizesClaim {
  Sums *sums;
  RelationWork *work;
  uint32_t rank, pattern; /* number of the operation's pattern: a subset, a permutation, or
                             counts */
  bool is_inverse;        /* the map goes from the operand to the output */
  bool fault; /* a false variant that must not be proved: the first result is one too large or,
                 without results, the first index of the domain begins at 1 */
  uint32_t index_rank, element_rank;
  Sum index[8], element[8], index_size[8], element_size[8];
  Relation stated, read;
  bool is_complement; /* `stated` must be the complement of `read` in the output, instead of equal
                         to `read` */
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

/* A new unknown that is at least `least`. */
[[nodiscard]] Sum sizes_unknown(SizesClaim *claim, const char *name, Wide least);
/* Create the indices of both tensors, with the given sizes; the pieces of both relations constrain
 * them to be inside. */
void sizes_index(SizesClaim *claim, uint32_t rank, const Sum *sizes);
void sizes_element(SizesClaim *claim, uint32_t rank, const Sum *sizes);
[[nodiscard]] Piece sizes_read_piece(const SizesClaim *claim);
/* A piece with the domain of the map: the box that it goes from. */
[[nodiscard]] Piece sizes_stated_piece(const SizesClaim *claim);
/* Constrains result `at` of the map to `value`. */
void sizes_result(SizesClaim *claim, Piece *stated, uint32_t at, Sum value);
void sizes_add(SizesClaim *claim, const Piece *read, const Piece *stated);

#endif
