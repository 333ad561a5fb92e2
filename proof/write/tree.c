/* The search for a refutation. Facts are bounds of linear forms (simplex.h); each product of
 * unknowns is one variable. First it follows clauses with at most one possible option. Then it
 * splits the violated clause with the fewest options. If all clauses are satisfied and a value is
 * not an integer, it adds a congruence, a Gomory cut, or a split at the value. Unused splits are
 * removed. */
#include "proof/write/tree.h"

#include <assert.h>

#include "proof/write/tree_cuts.h"

static constexpr uint32_t node_limit = 30'000;
static constexpr uint32_t depth_limit = 150;
static constexpr uint32_t cut_limit = 40; /* on one path */

static bool terms_use(const Tree *tree, uint32_t premise) {
  for (uint32_t i = 0; i < tree->count; i++)
    if (tree->items[i].premise == premise) return true;
  return false;
}

static uint32_t children_of(const Tree *tree, const Premises *premises) {
  return tree->kind == TREE_CASES ? premises->items[tree->premise].clause.count
                                  : tree->kind == TREE_ROUND;
}

uint32_t tree_depth(const Tree *tree, const Premises *premises) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < children_of(tree, premises); i++) {
    uint32_t depth = tree_depth(tree->children[i], premises);
    if (depth > most) most = depth;
  }
  return 1 + most;
}

static bool uses_rounded(const Tree *tree, const Premises *premises, uint32_t rounded) {
  for (uint32_t i = 0; i < tree->count; i++)
    if (tree->items[i].premise == UINT32_MAX && tree->items[i].fact == rounded) return true;
  for (uint32_t i = 0; i < children_of(tree, premises); i++)
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

/* A case split of a premise. If a child does not use its option, that child is returned instead. */
static Tree *cases_tree(TreeSearch *search, uint32_t premise, Tree **children) {
  uint32_t count = search->premises->items[premise].clause.count;
  for (uint32_t i = 0; i < count; i++)
    if (!tree_uses(children[i], search->premises, premise)) return children[i];
  Tree *tree = tree_new(search, TREE_CASES);
  tree->premise = premise;
  tree->children = children;
  return tree;
}

/* Refutes the option. The refutation may use other options' refutations. */
static bool option_refute(
    TreeSearch *search, uint32_t premise, uint32_t option, uint32_t depth, Tree **child) {
  uint32_t mark = search->simplex->changes.count;
  *child = tree_option_assume(search, premise, option);
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

/* Finds refutations of the options that the bounds exclude; returns the number of other options. */
static uint32_t probe(TreeSearch *search, uint32_t premise, Tree **children) {
  uint32_t alive = 0;
  for (uint32_t i = 0; i < search->premises->items[premise].clause.count; i++) {
    uint32_t mark = search->simplex->changes.count;
    children[i] = tree_option_assume(search, premise, i);
    simplex_undo(search->simplex, mark);
    alive += children[i] == nullptr;
  }
  return alive;
}

static bool row_holds(const TreeSearch *search, const TreeRow *row) {
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

/* Refutes the assumptions with one more rounded fact. */
static Tree *cut_follow(TreeSearch *search, Tree *round, uint32_t depth) {
  Simplex *simplex = search->simplex;
  round->rounded = search->rounded++;
  round->children = ARENA_NEW(search->arena, Tree *, 1);
  uint32_t mark = simplex->changes.count;
  search->cuts++;
  Tree *child =
      tree_row_assume(search, tree_row_add(search, UINT32_MAX, round->rounded, round->poly, false));
  if (child == nullptr && !simplex_check(simplex)) child = tree_conflict(search);
  if (child == nullptr) child = tree_refute(search, depth + 1);
  search->cuts--;
  simplex_undo(simplex, mark);
  if (child == nullptr) return nullptr;
  round->children[0] = child;
  return uses_rounded(child, search->premises, round->rounded) ? round : child;
}

static Tree *tree_cut(TreeSearch *search, uint32_t depth) {
  if (search->cuts >= cut_limit || search->simplex->count + 1 >= tree_variable_limit)
    return nullptr;
  Tree *round = cut_find(search);
  return round == nullptr ? nullptr : cut_follow(search, round, depth);
}

static bool has_fraction(const Simplex *simplex) {
  for (uint32_t v = 0; v < simplex->count; v++)
    if (simplex->values[v].d != 1) return true;
  return false;
}

/* Refutes by congruences of the bounds; nullptr if that fails. */
static Tree *tree_congruence(TreeSearch *search, uint32_t depth) {
  bool has_capacity = search->cuts < cut_limit &&
                      search->simplex->count + 1 < tree_variable_limit &&
                      search->premises->count < tree_premise_limit;
  if (!has_capacity || !has_fraction(search->simplex)) return nullptr;
  Poly implied = {};
  Tree *found = congruence_find_tree(search, &implied);
  if (implied.count > 0) {
    uint32_t premise = tree_integer_add(search, poly_shift(search->ring, implied, -1));
    return tree_split(search, premise, ARENA_NEW(search->arena, Tree *, 2), depth);
  }
  return found == nullptr || found->children != nullptr ? found : cut_follow(search, found, depth);
}

/* Splits at the value of a monomial that is not an integer. */
static Tree *split_value(TreeSearch *search, uint32_t depth) {
  for (uint32_t v = 0; v < search->variable_count; v++) {
    Ratio value = search->simplex->values[v];
    if (value.d == 1 || search->premises->count >= tree_premise_limit) continue;
    Poly poly = poly_shift(search->ring, poly_monomial(search->ring, search->variable_monomial[v]),
        -wide_floor(value.n, value.d) - 1);
    uint32_t premise = tree_integer_add(search, poly);
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
  if (!simplex_check(search->simplex)) return tree_conflict(search);
  uint32_t broken = UINT32_MAX, any = UINT32_MAX;
  for (uint32_t p = 0; p < count; p++) {
    if (children[p] == nullptr) continue;
    if (any == UINT32_MAX || alive[p] < alive[any]) any = p;
    bool is_broken = !is_satisfied(search, p);
    if (is_broken && (broken == UINT32_MAX || alive[p] < alive[broken])) broken = p;
  }
  if (broken != UINT32_MAX) return tree_split(search, broken, children[broken], depth);
  Tree *found = tree_congruence(search, depth);
  if (found == nullptr) found = tree_cut(search, depth);
  if (found == nullptr) found = split_value(search, depth);
  return found == nullptr && any != UINT32_MAX ? tree_split(search, any, children[any], depth)
                                               : found;
}

Tree *tree_search(RuleProof *proof, Premises *premises) {
  TreeSearch *search = tree_open(proof, premises);
  Tree *found = nullptr;
  for (uint32_t p = 0; p < premises->count && found == nullptr && !search->simplex->overflow; p++)
    if (premises->items[p].clause.count == 1) found = tree_option_assume(search, p, 0);
  if (found == nullptr) found = tree_refute(search, 0);
  return search->simplex->overflow ? nullptr : found;
}
