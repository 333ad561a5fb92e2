/* Rounded facts and refutations that follow from the bounds and current values if no clause is
 * violated. */
#ifndef PROOF_WRITE_TREE_CUTS_H
#define PROOF_WRITE_TREE_CUTS_H

#include "proof/write/tree_state.h"

/* A node that rounds facts to one that the current values violate; nullptr if none is found. */
[[nodiscard]] Tree *cut_find(TreeSearch *search);
/* Uses congruences of the bounds. Returns a refutation, or a rounding node, still without children,
 * that the current values violate. Returns nullptr if there is none, or if it needs -implied >= 0
 * first; that holds because the bounds exclude implied >= 1. */
[[nodiscard]] Tree *congruence_find_tree(TreeSearch *search, Poly *implied);

#endif
