/* A refutation of a list of premises: cases of a clause, rounded sums, and sums of facts that equal
 * a negative number. */
#ifndef PROOF_WRITE_TREE_H
#define PROOF_WRITE_TREE_H

#include "proof/write/premises.h"

/* A fact of a premise, numbered within the assumed option; or a rounded fact. */
typedef struct TreeTerm {
  Wide factor;
  uint32_t premise; /* UINT32_MAX: rounded */
  uint32_t fact;    /* number of the fact in the premise, or of the rounded fact */
} TreeTerm;

typedef enum TreeKind : uint8_t { TREE_SUM, TREE_ROUND, TREE_CASES } TreeKind;

typedef struct Tree {
  TreeKind kind;
  uint32_t count, capacity;
  TreeTerm *items; /* the summands of a sum or a rounding */
  Wide divisor;
  uint32_t rounded;       /* number of the rounded fact */
  Poly poly;              /* of a rounding: poly >= 0 */
  uint32_t premise;       /* the premise whose cases are split */
  struct Tree **children; /* one per option; one for a rounding */
} Tree;

/* nullptr if no refutation is found. Integer splits that were needed are added to the premises. */
[[nodiscard]] Tree *tree_search(RuleProof *proof, Premises *premises);
/* As docs/certificates.md counts: 1, and one more for each refutation around. */
[[nodiscard]] uint32_t tree_depth(const Tree *tree, const Premises *premises);
[[nodiscard]] bool tree_uses(const Tree *tree, const Premises *premises, uint32_t premise);

#endif
