/* A refutation of a list of premises: cases of a clause, rounded sums, and sums of facts that come
 * out as a number below 0. */
#ifndef PROOF_WRITE_TREE_H
#define PROOF_WRITE_TREE_H

#include "proof/write/premises.h"

/* A fact by its premise and its number in the option that is assumed; or a rounded one. */
typedef struct TreeTerm {
  Wide factor;
  uint32_t premise; /* UINT32_MAX: rounded */
  uint32_t fact;    /* of a premise; else the rounded fact's number */
} TreeTerm;

typedef enum TreeKind : uint8_t { TREE_SUM, TREE_ROUND, TREE_CASES } TreeKind;

typedef struct Tree {
  TreeKind kind;
  uint32_t count, capacity;
  TreeTerm *items; /* of a sum and of what is rounded */
  Wide divisor;
  uint32_t rounded;       /* number of the rounded fact */
  Poly poly;              /* rounded: poly >= 0 */
  uint32_t premise;       /* whose cases */
  struct Tree **children; /* one an option; one of a rounding */
} Tree;

/* Nullptr where none is found. Cuts between integers that were needed are added to the premises. */
[[nodiscard]] Tree *tree_search(RuleProof *proof, Premises *premises);
[[nodiscard]] bool tree_uses(const Tree *tree, const Premises *premises, uint32_t premise);

#endif
