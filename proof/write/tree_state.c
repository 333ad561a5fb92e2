/* Rows, forms and premises of the search for a refutation; each product of unknowns is one variable
 * of the simplex. Converts conflicts of the simplex into sums and roundings. */
#include "proof/write/tree_state.h"

#include <assert.h>

static uint32_t monomial_variable(TreeSearch *search, uint32_t monomial) {
  return search->monomial_variable[monomial];
}

/* The variable of a form. A form of one monomial is that monomial's variable. */
static uint32_t form_variable(TreeSearch *search, Poly form) {
  if (form.count == 1) return monomial_variable(search, form.terms[0].monomial);
  for (uint32_t i = 0; i < search->forms.count; i++)
    if (poly_equal(search->forms.items[i].poly, form)) return search->forms.items[i].variable;
  uint32_t *variables = ARENA_NEW(search->arena, uint32_t, form.count);
  Wide *factors = ARENA_NEW(search->arena, Wide, form.count);
  for (uint32_t i = 0; i < form.count; i++) {
    variables[i] = monomial_variable(search, form.terms[i].monomial);
    factors[i] = form.terms[i].coefficient;
  }
  uint32_t variable = simplex_sum(search->simplex, form.count, variables, factors);
  *ARENA_PUSH(search->arena, &search->forms) = (TreeForm){.poly = form, .variable = variable};
  return variable;
}

uint32_t tree_row_add(
    TreeSearch *search, uint32_t premise, uint32_t fact, Poly poly, bool is_equation) {
  TreeRow row = {.premise = premise,
      .fact = fact,
      .poly = poly,
      .is_equation = is_equation,
      .sign = 1,
      .constant = poly_constant_term(poly),
      .variable = UINT32_MAX};
  Poly form = poly_shift(search->ring, poly, -row.constant);
  if (form.count > 0) {
    row.content = poly_content(form, false);
    form = poly_divide_exactly(search->ring, form, row.content);
    if (form.terms[0].coefficient < 0) row.sign = -1, form = poly_scale(search->ring, form, -1);
    row.variable = form_variable(search, form);
  }
  *ARENA_PUSH(search->arena, &search->rows) = row;
  return search->rows.count - 1;
}

static void monomials_gather(TreeSearch *search, Poly poly) {
  for (uint32_t i = 0; i < poly.count; i++) {
    uint32_t monomial = poly.terms[i].monomial;
    if (monomial == 0 || search->monomial_variable[monomial] != UINT32_MAX) continue;
    uint32_t variable = simplex_free(search->simplex);
    search->monomial_variable[monomial] = variable;
    search->variable_monomial[variable] = monomial;
    search->variable_count++;
  }
}

static void premise_add(TreeSearch *search, uint32_t number) {
  const Clause *clause = &search->premises->items[number].clause;
  *ARENA_PUSH(search->arena, &search->options) = search->first_row.count;
  for (uint32_t b = 0; b < clause->count; b++) {
    *ARENA_PUSH(search->arena, &search->first_row) = search->rows.count;
    for (uint32_t f = 0; f < clause->branches[b].count; f++)
      (void)tree_row_add(search, number, f, clause->branches[b].items[f].poly,
          clause->branches[b].items[f].is_equation);
  }
}

Tree *tree_new(TreeSearch *search, TreeKind kind) {
  Tree *tree = ARENA_NEW(search->arena, Tree, 1);
  *tree = (Tree){.kind = kind};
  return tree;
}

static Wide wide_lcm(Wide a, Wide b) { return a / wide_gcd(a, b) * b; }

/* Converts the bound of a row into a term. A necessary rounding becomes a node around the tree. */
static TreeTerm bound_term(TreeSearch *search, const TreeRow *row, bool is_upper, Tree **outer,
    Tree ***inner, Wide *divisor) {
  int direction = is_upper ? -row->sign : row->sign; /* of the row, as an inequality */
  bool is_exact = wide_floor(row->constant, row->content) * row->content == row->constant;
  *divisor = row->content;
  assert(row->is_equation || direction > 0);
  if (is_exact) return (TreeTerm){.factor = direction, .premise = row->premise, .fact = row->fact};
  Tree *round = tree_new(search, TREE_ROUND);
  *ARENA_PUSH(search->arena, round) =
      (TreeTerm){.factor = direction, .premise = row->premise, .fact = row->fact};
  round->divisor = row->content;
  round->rounded = search->rounded++;
  Poly scaled = poly_scale(search->ring, row->poly, direction);
  Wide constant = poly_constant_term(scaled), floor = wide_floor(constant, row->content);
  round->poly = poly_divide_exactly(search->ring,
      poly_shift(search->ring, scaled, floor * row->content - constant), row->content);
  round->children = ARENA_NEW(search->arena, Tree *, 1);
  **inner = round;
  *inner = &round->children[0];
  (void)outer;
  *divisor = 1;
  return (TreeTerm){.factor = 1, .premise = UINT32_MAX, .fact = round->rounded};
}

/* Scales the multipliers of the conflict to integers. */
Tree *tree_conflict(TreeSearch *search) {
  Tree *outer = nullptr, **inner = &outer, *sum = tree_new(search, TREE_SUM);
  const Simplex *simplex = search->simplex;
  Wide common = 1;
  Wide *divisors = ARENA_NEW(search->arena, Wide, simplex->conflict.count + 1);
  for (uint32_t i = 0; i < simplex->conflict.count; i++) {
    const BoundUse *use = &simplex->conflict.items[i];
    TreeTerm term = bound_term(
        search, &search->rows.items[use->why], use->is_upper, &outer, &inner, &divisors[i]);
    *ARENA_PUSH(search->arena, sum) = term;
    common = wide_lcm(common, use->factor.d * divisors[i] / wide_gcd(use->factor.n, divisors[i]));
  }
  for (uint32_t i = 0; i < sum->count; i++) {
    Ratio factor = simplex->conflict.items[i].factor;
    sum->items[i].factor *= common * factor.n / (factor.d * divisors[i]);
  }
  *inner = sum;
  return outer;
}

/* The refutation by a false fact without unknowns. */
static Tree *constant_tree(TreeSearch *search, const TreeRow *row) {
  Tree *sum = tree_new(search, TREE_SUM);
  *ARENA_PUSH(search->arena, sum) =
      (TreeTerm){.factor = row->constant > 0 ? -1 : 1, .premise = row->premise, .fact = row->fact};
  return sum;
}

/* Assumes a row. Returns a refutation if it contradicts a bound. */
Tree *tree_row_assume(TreeSearch *search, uint32_t at) {
  const TreeRow *row = &search->rows.items[at];
  if (row->variable == UINT32_MAX)
    return row->constant < 0 || (row->is_equation && row->constant != 0)
               ? constant_tree(search, row)
               : nullptr;
  bool goes_up = row->sign > 0;
  Wide lowest = -wide_floor(row->constant, row->content),
       highest = wide_floor(-row->constant, row->content);
  /* sign*variable >= lowest, and <= highest for an equation */
  if (!simplex_bound(search->simplex, row->variable, !goes_up, goes_up ? lowest : -lowest, at))
    return tree_conflict(search);
  if (row->is_equation &&
      !simplex_bound(search->simplex, row->variable, goes_up, goes_up ? highest : -highest, at))
    return tree_conflict(search);
  return nullptr;
}

/* Assumes an option of a premise. Returns a refutation if it is excluded. */
Tree *tree_option_assume(TreeSearch *search, uint32_t premise, uint32_t option) {
  uint32_t first = search->first_row.items[search->options.items[premise] + option];
  const Branch *branch = &search->premises->items[premise].clause.branches[option];
  for (uint32_t f = 0; f < branch->count; f++) {
    Tree *found = tree_row_assume(search, first + f);
    if (found != nullptr) return found;
  }
  return simplex_check(search->simplex) ? nullptr : tree_conflict(search);
}
TreeSearch *tree_open(RuleProof *proof, Premises *premises) {
  TreeSearch *search = ARENA_NEW(proof->arena, TreeSearch, 1);
  *search = (TreeSearch){.proof = proof,
      .arena = proof->arena,
      .ring = proof->ring,
      .premises = premises,
      .simplex = simplex_create(proof->arena, tree_variable_limit)};
  search->monomial_variable = ARENA_NEW(proof->arena, uint32_t, proof->ring->count);
  search->variable_monomial = ARENA_NEW(proof->arena, uint32_t, tree_variable_limit);
  for (uint32_t i = 0; i < proof->ring->count; i++) search->monomial_variable[i] = UINT32_MAX;
  for (uint32_t p = 0; p < premises->count; p++)
    for (uint32_t b = 0; b < premises->items[p].clause.count; b++)
      for (uint32_t f = 0; f < premises->items[p].clause.branches[b].count; f++)
        monomials_gather(search, premises->items[p].clause.branches[b].items[f].poly);
  for (uint32_t p = 0; p < premises->count; p++) premise_add(search, p);
  return search;
}

uint32_t tree_integer_add(TreeSearch *search, Poly poly) {
  uint32_t premise = search->premises->count;
  *ARENA_PUSH(search->arena, search->premises) =
      (Premise){.reason = REASON_INTEGER, .clause = clause_of_integer(search->proof, poly)};
  premise_add(search, premise);
  return premise;
}
