/* The state of the search for a refutation (tree.h). Facts are bounds of linear forms, and
 * assumptions can be undone. */
#ifndef PROOF_WRITE_TREE_STATE_H
#define PROOF_WRITE_TREE_STATE_H

#include "proof/write/simplex.h"
#include "proof/write/tree.h"

static constexpr uint32_t tree_variable_limit = 1200;
static constexpr uint32_t tree_premise_limit = 3990;

/* content*sign*variable + constant, >= 0 or = 0 */
typedef struct TreeRow {
  uint32_t premise, fact;
  Poly poly;
  bool is_equation;
  uint32_t variable;
  int sign;
  Wide content, constant;
} TreeRow;

typedef struct TreeForm {
  Poly poly; /* no constant, content 1, first coefficient > 0 */
  uint32_t variable;
} TreeForm;

typedef struct TreeSearch {
  RuleProof *proof;
  Arena *arena;
  PolyRing *ring;
  Premises *premises;
  Simplex *simplex;
  struct {
    uint32_t count, capacity;
    TreeRow *items;
  } rows;
  struct {
    uint32_t count, capacity;
    TreeForm *items;
  } forms;
  struct {
    uint32_t count, capacity;
    uint32_t *items; /* the row of the first fact of each option of each premise */
  } first_row;
  struct {
    uint32_t count, capacity;
    uint32_t *items; /* of each premise: the index of its first option in first_row */
  } options;
  uint32_t variable_count; /* of monomials */
  uint32_t *monomial_variable, monomial_capacity, *variable_monomial;
  bool is_assumed[tree_premise_limit + 10]; /* of a premise */
  uint32_t nodes, rounded, cuts;
} TreeSearch;

[[nodiscard]] TreeSearch *tree_open(RuleProof *proof, Premises *premises);
[[nodiscard]] Tree *tree_new(TreeSearch *search, TreeKind kind);
/* Adds a row for a fact that may be assumed; returns its number. */
[[nodiscard]] uint32_t tree_row_add(
    TreeSearch *search, uint32_t premise, uint32_t fact, Poly poly, bool is_equation);
/* Adds the premise p >= 0 | p <= -1, which holds for all integers; returns its number. */
[[nodiscard]] uint32_t tree_integer_add(TreeSearch *search, Poly poly);
/* Assume a row, or an option of a premise. Return the refutation if it is excluded, else
 * nullptr. */
[[nodiscard]] Tree *tree_row_assume(TreeSearch *search, uint32_t at);
[[nodiscard]] Tree *tree_option_assume(TreeSearch *search, uint32_t premise, uint32_t option);
/* The refutation from the simplex's last conflict. */
[[nodiscard]] Tree *tree_conflict(TreeSearch *search);

#endif
