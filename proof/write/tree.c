/* The search for a refutation. Facts are bounds of linear forms (simplex.h), each product of
 * unknowns being one variable. Clauses of which one option is left are followed first; then the
 * clause is split that the present values break and that has the fewest options; then, with all
 * clauses satisfied and a value that is no integer, a cut after Gomory or a split at the value. A
 * split that a refutation does not use is left out. */
#include "proof/write/tree.h"

#include <assert.h>

#include "proof/write/simplex.h"

static constexpr uint32_t node_limit = 30'000;
static constexpr uint32_t depth_limit = 150;
static constexpr uint32_t variable_limit = 1200;
static constexpr uint32_t cut_limit = 40; /* on one path */

/* content*sign*variable + constant, >= 0 or = 0 */
typedef struct Row {
  uint32_t premise, fact;
  Poly poly;
  bool is_equation;
  uint32_t variable;
  int sign;
  Wide content, constant;
} Row;

typedef struct TreeForm {
  Poly poly; /* no constant, content 1, first coefficient > 0 */
  uint32_t variable;
} TreeForm;

typedef struct TreeSearch {
  Proof *proof;
  Arena *arena;
  Ring *ring;
  Premises *premises;
  Simplex *simplex;
  struct {
    uint32_t count, capacity;
    Row *items;
  } rows;
  struct {
    uint32_t count, capacity;
    TreeForm *items;
  } forms;
  struct {
    uint32_t count, capacity;
    uint32_t *items; /* row of the first fact of each option of each premise */
  } first_row;
  struct {
    uint32_t count, capacity;
    uint32_t *items; /* of each premise: where its options begin in first_row */
  } options;
  uint32_t variable_count; /* of monomials */
  uint32_t *monomial_variable, monomial_capacity, *variable_monomial;
  bool is_assumed[4000]; /* of a premise */
  uint32_t nodes, rounded, cuts;
} TreeSearch;

static uint32_t monomial_variable(TreeSearch *search, uint32_t monomial) {
  return search->monomial_variable[monomial];
}

/* The variable of a form; forms of one monomial are that monomial's. */
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

static uint32_t row_add(
    TreeSearch *search, uint32_t premise, uint32_t fact, Poly poly, bool is_equation) {
  Row row = {.premise = premise,
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
      (void)row_add(search, number, f, clause->branches[b].items[f].poly,
          clause->branches[b].items[f].is_equation);
  }
}

static Tree *tree_new(TreeSearch *search, TreeKind kind) {
  Tree *tree = ARENA_NEW(search->arena, Tree, 1);
  *tree = (Tree){.kind = kind};
  return tree;
}

static Wide wide_lcm(Wide a, Wide b) { return a / wide_gcd(a, b) * b; }

/* The bound that a row gives, as a term; a rounding on the way becomes a node around `tree`. */
static TreeTerm bound_term(
    TreeSearch *search, const Row *row, bool is_upper, Tree **outer, Tree ***inner, Wide *divisor) {
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

/* The multipliers of a conflict as integers, equal facts joined. */
static Tree *conflict_tree(TreeSearch *search) {
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

/* A fact without unknowns that is false. */
static Tree *constant_tree(TreeSearch *search, const Row *row) {
  Tree *sum = tree_new(search, TREE_SUM);
  *ARENA_PUSH(search->arena, sum) =
      (TreeTerm){.factor = row->constant > 0 ? -1 : 1, .premise = row->premise, .fact = row->fact};
  return sum;
}

/* Assumes a row; the refutation where it is excluded at once. */
static Tree *row_assume(TreeSearch *search, uint32_t at) {
  const Row *row = &search->rows.items[at];
  if (row->variable == UINT32_MAX)
    return row->constant < 0 || (row->is_equation && row->constant != 0)
               ? constant_tree(search, row)
               : nullptr;
  bool goes_up = row->sign > 0;
  Wide lowest = -wide_floor(row->constant, row->content),
       highest = wide_floor(-row->constant, row->content);
  /* sign*variable >= lowest, and <= highest for an equation */
  if (!simplex_bound(search->simplex, row->variable, !goes_up, goes_up ? lowest : -lowest, at))
    return conflict_tree(search);
  if (row->is_equation &&
      !simplex_bound(search->simplex, row->variable, goes_up, goes_up ? highest : -highest, at))
    return conflict_tree(search);
  return nullptr;
}

/* Assumes an option of a premise; the refutation where it is excluded. */
static Tree *option_assume(TreeSearch *search, uint32_t premise, uint32_t option) {
  uint32_t first = search->first_row.items[search->options.items[premise] + option];
  const Branch *branch = &search->premises->items[premise].clause.branches[option];
  for (uint32_t f = 0; f < branch->count; f++) {
    Tree *found = row_assume(search, first + f);
    if (found != nullptr) return found;
  }
  return simplex_check(search->simplex) ? nullptr : conflict_tree(search);
}

static bool terms_use(const Tree *tree, uint32_t premise) {
  for (uint32_t i = 0; i < tree->count; i++)
    if (tree->items[i].premise == premise) return true;
  return false;
}

static bool uses_rounded(const Tree *tree, const Premises *premises, uint32_t rounded) {
  for (uint32_t i = 0; i < tree->count; i++)
    if (tree->items[i].premise == UINT32_MAX && tree->items[i].fact == rounded) return true;
  uint32_t children = tree->kind == TREE_CASES ? premises->items[tree->premise].clause.count
                                               : tree->kind == TREE_ROUND;
  for (uint32_t i = 0; i < children; i++)
    if (uses_rounded(tree->children[i], premises, rounded)) return true;
  return false;
}

bool tree_uses(const Tree *tree, const Premises *premises, uint32_t premise) {
  switch (tree->kind) {
    case TREE_SUM: return terms_use(tree, premise);
    case TREE_ROUND:
      return terms_use(tree, premise) || tree_uses(tree->children[0], premises, premise);
    case TREE_CASES:
      if (tree->premise == premise) return true;
      for (uint32_t i = 0; i < premises->items[tree->premise].clause.count; i++)
        if (tree_uses(tree->children[i], premises, premise)) return true;
      return false;
  }
  assert(false);
  return false;
}

static Tree *tree_refute(TreeSearch *search, uint32_t depth);

/* Cases of a premise; a child that does not use its option stands for the whole. */
static Tree *cases_tree(TreeSearch *search, uint32_t premise, Tree **children) {
  uint32_t count = search->premises->items[premise].clause.count;
  for (uint32_t i = 0; i < count; i++)
    if (!tree_uses(children[i], search->premises, premise)) return children[i];
  Tree *tree = tree_new(search, TREE_CASES);
  tree->premise = premise;
  tree->children = children;
  return tree;
}

/* Refutes option `option`, with refutations of some others at hand. */
static bool option_refute(
    TreeSearch *search, uint32_t premise, uint32_t option, uint32_t depth, Tree **child) {
  uint32_t mark = search->simplex->changes.count;
  *child = option_assume(search, premise, option);
  if (*child == nullptr) *child = tree_refute(search, depth + 1);
  simplex_undo(search->simplex, mark);
  return *child != nullptr;
}

static Tree *tree_split(TreeSearch *search, uint32_t premise, Tree **children, uint32_t depth) {
  search->is_assumed[premise] = true;
  uint32_t count = search->premises->items[premise].clause.count;
  bool is_refuted = true;
  Tree *whole = nullptr;
  for (uint32_t i = 0; i < count && is_refuted && whole == nullptr; i++) {
    if (children[i] != nullptr) continue;
    is_refuted = option_refute(search, premise, i, depth, &children[i]);
    if (is_refuted && !tree_uses(children[i], search->premises, premise)) whole = children[i];
  }
  search->is_assumed[premise] = false;
  if (!is_refuted) return nullptr;
  return whole != nullptr ? whole : cases_tree(search, premise, children);
}

/* Refutations of the options that the bounds exclude; the number of the others. */
static uint32_t probe(TreeSearch *search, uint32_t premise, Tree **children) {
  uint32_t alive = 0;
  for (uint32_t i = 0; i < search->premises->items[premise].clause.count; i++) {
    uint32_t mark = search->simplex->changes.count;
    children[i] = option_assume(search, premise, i);
    simplex_undo(search->simplex, mark);
    alive += children[i] == nullptr;
  }
  return alive;
}

static bool row_holds(const TreeSearch *search, const Row *row) {
  if (row->variable == UINT32_MAX)
    return row->is_equation ? row->constant == 0 : row->constant >= 0;
  Ratio value = search->simplex->values[row->variable];
  Wide sum = row->content * row->sign * value.n + row->constant * value.d;
  return row->is_equation ? sum == 0 : sum >= 0;
}

static bool is_satisfied(const TreeSearch *search, uint32_t premise) {
  const Clause *clause = &search->premises->items[premise].clause;
  for (uint32_t b = 0; b < clause->count; b++) {
    uint32_t first = search->first_row.items[search->options.items[premise] + b];
    bool holds = true;
    for (uint32_t f = 0; f < clause->branches[b].count && holds; f++)
      holds = row_holds(search, &search->rows.items[first + f]);
    if (holds) return true;
  }
  return false;
}

/* After Gomory: of a basic variable whose value is no integer, with the others at their bounds, the
 * fractional parts of its row are multipliers of a sum that rounds. */
static bool cut_find(TreeSearch *search, uint32_t variable, Tree *round) {
  Simplex *simplex = search->simplex;
  const Ratio *row = simplex->rows[simplex->row[variable]];
  Wide common = 1;
  for (uint32_t c = 0; c < simplex->column_count; c++)
    if (row[c].n != 0) common = wide_lcm(common, row[c].d);
  if (common == 1 || common > 1000) return false;
  Poly sum = {};
  for (uint32_t c = 0; c < simplex->column_count; c++) {
    uint32_t other = simplex->variable_of_column[c];
    Wide scaled = row[c].n * (common / row[c].d);
    if (scaled % common == 0) continue;
    const Bound *upper = &simplex->upper[other], *lower = &simplex->lower[other];
    Ratio value = simplex->values[other];
    bool is_upper = upper->is_set && value.d == 1 && value.n == upper->value;
    bool is_lower = lower->is_set && value.d == 1 && value.n == lower->value;
    if (!is_upper && !is_lower) return false;
    /* variable = .. + scaled/common * other; other = lower + t or upper - t */
    Wide factor = is_lower ? -scaled : scaled;
    factor -= wide_floor(factor, common) * common;
    const Row *why = &search->rows.items[is_lower ? lower->why : upper->why];
    if (wide_floor(why->constant, why->content) * why->content != why->constant ||
        factor % why->content != 0)
      return false;
    Wide direction = is_lower ? why->sign : -why->sign;
    TreeTerm term = {
        .factor = direction * factor / why->content, .premise = why->premise, .fact = why->fact};
    *ARENA_PUSH(search->arena, round) = term;
    sum = poly_add(search->ring, sum, poly_scale(search->ring, why->poly, term.factor));
  }
  Wide constant = poly_constant_term(sum), content = poly_content(sum, true);
  if (sum.count == 0 || content % common != 0 || wide_floor(constant, common) * common == constant)
    return false;
  round->divisor = common;
  round->poly = poly_divide_exactly(search->ring,
      poly_shift(search->ring, sum, wide_floor(constant, common) * common - constant), common);
  return true;
}

/* The sign of a polynomial at the present values; 1 where that is too large to say. */
static int poly_present_sign(TreeSearch *search, Poly poly) {
  Wide common = 1, sum = 0;
  for (uint32_t i = 0; i < poly.count; i++) {
    if (poly.terms[i].monomial == 0) continue;
    common = wide_lcm(
        common, search->simplex->values[monomial_variable(search, poly.terms[i].monomial)].d);
    if (common > 1'000'000) return 1;
  }
  for (uint32_t i = 0; i < poly.count; i++) {
    uint32_t monomial = poly.terms[i].monomial;
    Ratio value = monomial == 0 ? (Ratio){1, 1}
                                : search->simplex->values[monomial_variable(search, monomial)];
    Wide term;
    if (!wide_multiply(value.n * (common / value.d), poly.terms[i].coefficient, &term) ||
        !wide_add(sum, term, &sum))
      return 1;
  }
  return sum < 0 ? -1 : sum > 0;
}

/* The fact that gives this bound of a variable, as poly >= 0; false where there is none. */
static bool bound_fact(
    TreeSearch *search, uint32_t variable, bool is_upper, TreeTerm *term, Poly *poly) {
  const Bound *bound =
      is_upper ? &search->simplex->upper[variable] : &search->simplex->lower[variable];
  if (!bound->is_set) return false;
  const Row *row = &search->rows.items[bound->why];
  int direction = is_upper ? -row->sign : row->sign;
  *term = (TreeTerm){.factor = direction, .premise = row->premise, .fact = row->fact};
  *poly = poly_scale(search->ring, row->poly, direction);
  return true;
}

/* Two facts whose sum is rounded to one that the present values break. */
static bool pair_cut_find(TreeSearch *search, Tree *round) {
  Ring *ring = search->ring;
  uint32_t count = 2 * search->simplex->count;
  for (uint32_t i = 0; i < count; i++) {
    TreeTerm first, second;
    Poly left, right;
    if (!bound_fact(search, i / 2, i % 2 == 1, &first, &left)) continue;
    for (uint32_t k = 0; k < i; k++) {
      if (!bound_fact(search, k / 2, k % 2 == 1, &second, &right)) continue;
      Poly sum = poly_add(ring, left, right);
      Wide constant = poly_constant_term(sum), content = poly_content(sum, true);
      if (content <= 1) continue;
      Wide rounded = wide_floor(constant, content) * content;
      if (rounded == constant) continue;
      Poly cut = poly_divide_exactly(ring, poly_shift(ring, sum, rounded - constant), content);
      if (poly_degree(ring, cut) == 0 || poly_present_sign(search, cut) >= 0) continue;
      *ARENA_PUSH(search->arena, round) = first;
      *ARENA_PUSH(search->arena, round) = second;
      round->divisor = content;
      round->poly = cut;
      return true;
    }
  }
  return false;
}

/* Refutes what is assumed with one more rounded fact. */
static Tree *cut_follow(TreeSearch *search, Tree *round, uint32_t depth) {
  Simplex *simplex = search->simplex;
  round->rounded = search->rounded++;
  round->children = ARENA_NEW(search->arena, Tree *, 1);
  uint32_t mark = simplex->changes.count;
  search->cuts++;
  Tree *child = row_assume(search, row_add(search, UINT32_MAX, round->rounded, round->poly, false));
  if (child == nullptr && !simplex_check(simplex)) child = conflict_tree(search);
  if (child == nullptr) child = tree_refute(search, depth + 1);
  search->cuts--;
  simplex_undo(simplex, mark);
  if (child == nullptr) return nullptr;
  round->children[0] = child;
  return uses_rounded(child, search->premises, round->rounded) ? round : child;
}

static Tree *tree_cut(TreeSearch *search, uint32_t depth) {
  Simplex *simplex = search->simplex;
  if (search->cuts >= cut_limit || simplex->count + 1 >= variable_limit) return nullptr;
  Tree *round = tree_new(search, TREE_ROUND);
  if (pair_cut_find(search, round)) return cut_follow(search, round, depth);
  for (uint32_t v = 0; v < simplex->count; v++) {
    if (simplex->row[v] < 0 || simplex->values[v].d == 1) continue;
    round = tree_new(search, TREE_ROUND);
    if (cut_find(search, v, round)) return cut_follow(search, round, depth);
  }
  return nullptr;
}

/* Below and above the value of a monomial that is no integer. */
static Tree *split_value(TreeSearch *search, uint32_t depth) {
  for (uint32_t v = 0; v < search->variable_count; v++) {
    Ratio value = search->simplex->values[v];
    if (value.d == 1 || search->premises->count >= 3990) continue;
    Poly poly = poly_shift(search->ring, poly_monomial(search->ring, search->variable_monomial[v]),
        -wide_floor(value.n, value.d) - 1);
    uint32_t premise = search->premises->count;
    *ARENA_PUSH(search->arena, search->premises) =
        (Premise){.reason = REASON_INTEGER, .clause = clause_of_integer(search->proof, poly)};
    premise_add(search, premise);
    Tree **children = ARENA_NEW(search->arena, Tree *, 2);
    return tree_split(search, premise, children, depth);
  }
  return nullptr;
}

static Tree *tree_refute(TreeSearch *search, uint32_t depth) {
  uint32_t count = search->premises->count;
  if (++search->nodes > node_limit || depth > depth_limit || search->simplex->overflow)
    return nullptr;
  uint32_t *alive = ARENA_NEW(search->arena, uint32_t, count);
  Tree ***children = ARENA_NEW(search->arena, Tree **, count);
  for (uint32_t p = 0; p < count; p++) {
    uint32_t options = search->premises->items[p].clause.count;
    if (options < 2 || search->is_assumed[p]) continue;
    children[p] = ARENA_NEW(search->arena, Tree *, options);
    alive[p] = probe(search, p, children[p]);
    if (alive[p] == 0) return cases_tree(search, p, children[p]);
    if (alive[p] == 1) return tree_split(search, p, children[p], depth);
    if (search->premises->items[p].reason == REASON_INTEGER) alive[p] += 100;
  }
  if (!simplex_check(search->simplex)) return conflict_tree(search);
  uint32_t broken = UINT32_MAX, any = UINT32_MAX;
  for (uint32_t p = 0; p < count; p++) {
    if (children[p] == nullptr) continue;
    if (any == UINT32_MAX || alive[p] < alive[any]) any = p;
    bool is_broken = !is_satisfied(search, p);
    if (is_broken && (broken == UINT32_MAX || alive[p] < alive[broken])) broken = p;
  }
  if (broken != UINT32_MAX) return tree_split(search, broken, children[broken], depth);
  Tree *found = tree_cut(search, depth);
  if (found == nullptr) found = split_value(search, depth);
  return found == nullptr && any != UINT32_MAX ? tree_split(search, any, children[any], depth)
                                               : found;
}

static TreeSearch *search_open(Proof *proof, Premises *premises) {
  TreeSearch *search = ARENA_NEW(proof->arena, TreeSearch, 1);
  *search = (TreeSearch){.proof = proof,
      .arena = proof->arena,
      .ring = proof->ring,
      .premises = premises,
      .simplex = simplex_create(proof->arena, variable_limit)};
  search->monomial_variable = ARENA_NEW(proof->arena, uint32_t, proof->ring->count);
  search->variable_monomial = ARENA_NEW(proof->arena, uint32_t, variable_limit);
  for (uint32_t i = 0; i < proof->ring->count; i++) search->monomial_variable[i] = UINT32_MAX;
  for (uint32_t p = 0; p < premises->count; p++)
    for (uint32_t b = 0; b < premises->items[p].clause.count; b++)
      for (uint32_t f = 0; f < premises->items[p].clause.branches[b].count; f++)
        monomials_gather(search, premises->items[p].clause.branches[b].items[f].poly);
  for (uint32_t p = 0; p < premises->count; p++) premise_add(search, p);
  return search;
}

Tree *tree_search(Proof *proof, Premises *premises) {
  TreeSearch *search = search_open(proof, premises);
  Tree *found = nullptr;
  for (uint32_t p = 0; p < premises->count && found == nullptr && !search->simplex->overflow; p++)
    if (premises->items[p].clause.count == 1) found = option_assume(search, p, 0);
  if (found == nullptr) found = tree_refute(search, 0);
  return search->simplex->overflow ? nullptr : found;
}
