/* Rounded facts, and refutations, that bounds and the values at hand give where no clause is
 * broken.
 */
#ifndef PROOF_WRITE_TREE_CUTS_H
#define PROOF_WRITE_TREE_CUTS_H

#include "proof/write/tree_state.h"

/* A node that rounds facts to one that the present values break; nullptr where none is found. */
[[nodiscard]] Tree *cut_find(TreeSearch *search);
/* What the bounds say modulo a number: a refutation, or a node that rounds facts to one that the
 * present values break and has no children yet; nullptr where there is none, or where that needs
 * -implied >= 0, which holds because the bounds exclude implied >= 1. */
[[nodiscard]] Tree *congruence_find_tree(TreeSearch *search, Poly *implied);

#endif
