/* Cuts: Gomory cuts, and roundings of two facts. Congruences: bounds that together are equations,
 * some of them because the other bounds exclude the opposite side (congruence.h). */
#include "proof/write/tree_cuts.h"

#include "proof/write/congruence.h"

static Wide wide_lcm(Wide a, Wide b) { return a / wide_gcd(a, b) * b; }

/* A Gomory cut: for a basic variable with a noninteger value and the others at their bounds, the
 * fractional parts of its row are multipliers of a sum that rounds. */
static bool gomory_cut_find(TreeSearch *search, uint32_t variable, Tree *round) {
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
    const TreeRow *why = &search->rows.items[is_lower ? lower->why : upper->why];
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

/* The sign of a polynomial at the current values; 1 if the numbers are too large. */
static int poly_present_sign(TreeSearch *search, Poly poly) {
  Wide common = 1, sum = 0;
  for (uint32_t i = 0; i < poly.count; i++) {
    if (poly.terms[i].monomial == 0) continue;
    common = wide_lcm(
        common, search->simplex->values[search->monomial_variable[poly.terms[i].monomial]].d);
    if (common > 1'000'000) return 1;
  }
  for (uint32_t i = 0; i < poly.count; i++) {
    uint32_t monomial = poly.terms[i].monomial;
    Ratio value = monomial == 0 ? (Ratio){1, 1}
                                : search->simplex->values[search->monomial_variable[monomial]];
    Wide term;
    if (!wide_multiply(value.n * (common / value.d), poly.terms[i].coefficient, &term) ||
        !wide_add(sum, term, &sum))
      return 1;
  }
  return sum < 0 ? -1 : sum > 0;
}

/* The fact behind this bound of a variable, as poly >= 0. Returns false if there is no bound. */
static bool bound_fact(
    TreeSearch *search, uint32_t variable, bool is_upper, TreeTerm *term, Poly *poly) {
  const Bound *bound =
      is_upper ? &search->simplex->upper[variable] : &search->simplex->lower[variable];
  if (!bound->is_set) return false;
  const TreeRow *row = &search->rows.items[bound->why];
  int direction = is_upper ? -row->sign : row->sign;
  *term = (TreeTerm){.factor = direction, .premise = row->premise, .fact = row->fact};
  *poly = poly_scale(search->ring, row->poly, direction);
  return true;
}

/* Finds two facts whose rounded sum the current values violate. */
static bool pair_cut_find(TreeSearch *search, Tree *round) {
  PolyRing *ring = search->ring;
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

Tree *cut_find(TreeSearch *search) {
  const Simplex *simplex = search->simplex;
  Tree *round = tree_new(search, TREE_ROUND);
  if (pair_cut_find(search, round)) return round;
  for (uint32_t v = 0; v < simplex->count; v++) {
    if (simplex->row[v] < 0 || simplex->values[v].d == 1) continue;
    round = tree_new(search, TREE_ROUND);
    if (gomory_cut_find(search, v, round)) return round;
  }
  return nullptr;
}

/* A bound that holds with equality at the current values: poly >= 0, divided by its content. */
typedef struct Tight {
  Poly poly;
  TreeTerm terms[2]; /* the fact scale*poly >= 0; for an equation also -scale*poly >= 0 */
  Wide scales[2];
  bool is_implied; /* an equation without a second fact yet: the bounds exclude poly >= 1 */
} Tight;

typedef struct TightList {
  uint32_t count, capacity;
  Tight *items;
} TightList;

/* The fact of this bound divided by its content. Returns false if there is no bound or it is
 * rounded. */
static bool exact_fact(
    TreeSearch *search, uint32_t variable, bool is_upper, Tight *tight, int side) {
  Poly poly;
  if (!bound_fact(search, variable, is_upper, &tight->terms[side], &poly)) return false;
  Wide content = poly_content(poly, true);
  if (content < 1 || poly_constant_term(poly) % content != 0) return false;
  if (side == 0) tight->poly = poly_divide_exactly(search->ring, poly, content);
  tight->scales[side] = content;
  return true;
}

/* True if the variable cannot leave this bound. */
static bool is_stuck(TreeSearch *search, uint32_t variable, bool is_upper) {
  Simplex *simplex = search->simplex;
  const Bound bound = is_upper ? simplex->upper[variable] : simplex->lower[variable];
  uint32_t mark = simplex->changes.count;
  bool is_possible =
      simplex_bound(simplex, variable, !is_upper, bound.value + (is_upper ? -1 : 1), bound.why) &&
      simplex_check(simplex);
  simplex_undo(simplex, mark);
  return !is_possible;
}

/* Collects equations: variables with equal bounds, and variables that cannot leave their bound; and
 * inequalities: variables that can. */
static void tight_gather(TreeSearch *search, TightList *equations, TightList *inequalities) {
  Simplex *simplex = search->simplex;
  Ratio *values = ARENA_NEW(search->arena, Ratio, simplex->count);
  for (uint32_t v = 0; v < simplex->count; v++) values[v] = simplex->values[v];
  for (uint32_t v = 0; v < simplex->count && !simplex->overflow; v++) {
    const Bound *lower = &simplex->lower[v], *upper = &simplex->upper[v];
    bool is_lower = lower->is_set && values[v].n == lower->value,
         is_upper = upper->is_set && values[v].n == upper->value;
    Tight tight = {.scales = {1, 1}};
    if (values[v].d != 1 || (!is_lower && !is_upper) ||
        !exact_fact(search, v, !is_lower, &tight, 0))
      continue;
    bool is_fixed = is_lower && is_upper && exact_fact(search, v, true, &tight, 1);
    tight.is_implied = !is_fixed && is_stuck(search, v, !is_lower);
    *ARENA_PUSH(search->arena, is_fixed || tight.is_implied ? equations : inequalities) = tight;
  }
}

/* The rounded sum of the facts behind factors * polys, or of its negation. */
static Tree *congruence_round(
    TreeSearch *search, const TightList *list, const Wide *factors, int sign, Poly sum) {
  Tree *round = tree_new(search, TREE_ROUND);
  for (uint32_t i = 0; i < list->count; i++) {
    Wide factor = sign * factors[i];
    int side = factor < 0;
    if (factor == 0) continue;
    TreeTerm term = list->items[i].terms[side];
    term.factor *= (side == 1 ? -factor : factor) / list->items[i].scales[side];
    *ARENA_PUSH(search->arena, round) = term;
  }
  Poly poly = poly_scale(search->ring, sum, sign);
  Wide constant = poly_constant_term(poly);
  round->divisor = poly_content(poly, true);
  Wide rounded = wide_floor(constant, round->divisor) * round->divisor;
  round->poly = poly_divide_exactly(
      search->ring, poly_shift(search->ring, poly, rounded - constant), round->divisor);
  return round;
}

/* Two roundings whose sum is -1. */
static Tree *congruence_refutation(
    TreeSearch *search, const TightList *list, const Wide *factors, Poly sum) {
  Tree *above = congruence_round(search, list, factors, 1, sum),
       *below = congruence_round(search, list, factors, -1, sum), *end = tree_new(search, TREE_SUM);
  above->children = ARENA_NEW(search->arena, Tree *, 1);
  below->children = ARENA_NEW(search->arena, Tree *, 1);
  above->children[0] = below;
  below->children[0] = end;
  for (Tree *round = above; round != end; round = round->children[0]) {
    round->rounded = search->rounded++;
    *ARENA_PUSH(search->arena, end) =
        (TreeTerm){.factor = 1, .premise = UINT32_MAX, .fact = round->rounded};
  }
  return above;
}

Tree *congruence_find_tree(TreeSearch *search, Poly *implied) {
  Simplex *simplex = search->simplex;
  TightList list = {}, inequalities = {};
  tight_gather(search, &list, &inequalities);
  if (simplex->overflow || !simplex_check(simplex)) return nullptr;
  uint32_t equations = list.count;
  for (uint32_t i = 0; i < inequalities.count; i++)
    *ARENA_PUSH(search->arena, &list) = inequalities.items[i];
  Poly *polys = ARENA_NEW(search->arena, Poly, list.count + 1), sum;
  Wide *factors = ARENA_NEW(search->arena, Wide, list.count + 1);
  for (uint32_t i = 0; i < list.count; i++)
    polys[i] = poly_scale(search->ring, list.items[i].poly,
        wide_lcm(list.items[i].scales[0], list.items[i].scales[1]));
  if (!congruence_find(search->ring, polys, list.count, equations, factors, &sum)) return nullptr;
  bool has_inequality = false;
  for (uint32_t i = 0; i < list.count; i++) {
    factors[i] *= wide_lcm(list.items[i].scales[0], list.items[i].scales[1]);
    has_inequality |= i >= equations && factors[i] != 0;
    if (factors[i] == 0 || !list.items[i].is_implied) continue;
    *implied = list.items[i].poly;
    return nullptr;
  }
  return has_inequality ? congruence_round(search, &list, factors, 1, sum)
                        : congruence_refutation(search, &list, factors, sum);
}
