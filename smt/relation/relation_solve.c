/* Eliminates hidden integers, one step at a time on one branch; a case split continues with both
 * branches.
 * Keeps: the disjunction of the finished and the open branches is equivalent to the piece. A branch
 * with a constant and false constraint is dropped. Depth: at most `most_cases` splits. */
#include "smt/relation/relation_solve.h"

#include <assert.h>

#include "core/base/budget.h"

static constexpr uint32_t most_cases = 64, most_values = 128;
static constexpr uint32_t most_steps = 400;

typedef struct RelationSolveWork {
  Sums *sums;
  Solutions *solutions;
  uint32_t cases;
  bool by_values; /* a hidden atom that no equation solves is enumerated */
} RelationSolveWork;

typedef struct RelationSolveBranch {
  Piece piece;
  bool *hidden;  /* [known]: the atom is hidden in this branch */
  bool *depends; /* [known]: the atom contains a hidden atom */
  uint32_t known;
} RelationSolveBranch;

typedef enum SolveStep : uint8_t { SOLVE_NONE, SOLVE_DONE, SOLVE_SPLIT } SolveStep;

static const SumNode *node_of(const RelationSolveWork *work, Sum sum) {
  assert(sums_has(work->sums, sum));
  return &work->sums->sums[sum.at];
}

/* Recomputes the dependence on hidden atoms, for all atoms created so far. */
static void refresh(RelationSolveWork *work, RelationSolveBranch *branch) {
  Sums *sums = work->sums;
  branch->known = sums->atom_count;
  branch->hidden = ARENA_NEW(sums->arena, bool, branch->known);
  branch->depends = ARENA_NEW(sums->arena, bool, branch->known);
  for (uint32_t i = 0; i < branch->piece.hidden.count; i++)
    branch->hidden[branch->piece.hidden.items[i]] = branch->depends[branch->piece.hidden.items[i]] =
        true;
  sums_mark_dependent(sums, branch->depends);
}

static void forget_hidden(RelationSolveBranch *branch, uint32_t atom) {
  Atoms *hidden = &branch->piece.hidden;
  for (uint32_t i = 0; i < hidden->count; i++) {
    if (hidden->items[i] != atom) continue;
    hidden->items[i] = hidden->items[--hidden->count];
    return;
  }
}

/* Replaces the atom in all constraints, and drops those that become constant and true. */
static void relation_solve_replace(
    RelationSolveWork *work, RelationSolveBranch *branch, uint32_t atom, Sum by) {
  Withins replaced = withins_replaced(work->sums, &branch->piece.withins, atom, by), kept = {};
  for (uint32_t i = 0; i < replaced.count; i++) {
    const Within *within = &replaced.items[i];
    Wide value;
    if (!sum_is_constant(work->sums, within->sum, &value) || !within_has(within, value))
      *ARENA_PUSH(work->sums->arena, &kept) = *within;
  }
  branch->piece.withins = kept;
  forget_hidden(branch, atom);
}

/* The bounds of an atom by the branch's constraints on this atom only. */
static bool atom_interval(const RelationSolveWork *work, const RelationSolveBranch *branch,
    uint32_t atom, Wide *lo, Wide *hi) {
  assert(sums_has_atom(work->sums, atom));
  bool has_lo = work->sums->atoms[atom].bounded, has_hi = has_lo;
  *lo = work->sums->atoms[atom].lo;
  *hi = work->sums->atoms[atom].hi;
  for (uint32_t i = 0; i < branch->piece.withins.count; i++) {
    const Within *within = &branch->piece.withins.items[i];
    const SumNode *node = node_of(work, within->sum);
    if (node->term_count != 1 || node->terms[0].atom != atom) continue;
    Wide c = node->terms[0].coefficient, low = within->lo - node->constant,
         high = within->hi - node->constant;
    bool from_lo = within->lo > -no_bound, from_hi = within->hi < no_bound;
    if (c > 0 ? from_lo : from_hi) {
      Wide least = c > 0 ? -wide_floordiv(-low, c) : -wide_floordiv(high, -c);
      if (!has_lo || least > *lo) *lo = least;
      has_lo = true;
    }
    if (c > 0 ? from_hi : from_lo) {
      Wide most = c > 0 ? wide_floordiv(high, c) : wide_floordiv(-low, -c);
      if (!has_hi || most < *hi) *hi = most;
      has_hi = true;
    }
  }
  return has_lo && has_hi;
}

static bool sum_interval(
    const RelationSolveWork *work, const RelationSolveBranch *branch, Sum sum, Wide *lo, Wide *hi) {
  assert(sums_has(work->sums, sum));
  const SumNode *node = node_of(work, sum);
  *lo = *hi = node->constant;
  for (uint32_t i = 0; i < node->term_count; i++) {
    Wide low, high, c = node->terms[i].coefficient;
    if (!atom_interval(work, branch, node->terms[i].atom, &low, &high)) return false;
    if (low > high || low < -((Wide)1 << 90) || high > (Wide)1 << 90 || c > (Wide)1 << 30 ||
        c < -((Wide)1 << 30))
      return false;
    *lo += c > 0 ? c * low : c * high;
    *hi += c > 0 ? c * high : c * low;
  }
  return true;
}

/* The first atom of the kind that occurs in the constraints (or inside an atom of theirs) and
 * contains a hidden atom. */
static bool find_dependent(const RelationSolveWork *work, const RelationSolveBranch *branch,
    bool quotient, uint32_t *found) {
  const Sums *sums = work->sums;
  bool *used = ARENA_NEW(sums->arena, bool, branch->known);
  uint32_t top = 0;
  for (uint32_t i = 0; i < branch->piece.withins.count; i++) {
    const SumNode *node = node_of(work, branch->piece.withins.items[i].sum);
    for (uint32_t k = 0; k < node->term_count; k++) used[node->terms[k].atom] = true;
    if (node->term_count > 0 && node->terms[node->term_count - 1].atom >= top)
      top = node->terms[node->term_count - 1].atom + 1;
  }
  bool any = false;
  for (uint32_t at = top; at-- > 0;) {
    const SumAtom *atom = &sums->atoms[at];
    if (!used[at] || !branch->depends[at] || atom->kind == ATOM_FREE) continue;
    const SumNode *parts[] = {node_of(work, atom->a), node_of(work, atom->b)};
    for (uint32_t p = 0; p < 2; p++)
      for (uint32_t k = 0; k < parts[p]->term_count; k++) used[parts[p]->terms[k].atom] = true;
    for (uint32_t x = 0; x < atom->index_count; x++) {
      const SumNode *index = node_of(work, atom->index[x]);
      for (uint32_t k = 0; k < index->term_count; k++) used[index->terms[k].atom] = true;
    }
    if (quotient ? atom->kind != ATOM_QUOTIENT : atom->kind != ATOM_MIN && atom->kind != ATOM_MAX)
      continue;
    *found = at;
    any = true;
  }
  return any;
}

static SolveStep name_quotient(RelationSolveWork *work, RelationSolveBranch *branch) {
  uint32_t at;
  if (!find_dependent(work, branch, true, &at)) return SOLVE_NONE;
  Sums *sums = work->sums;
  SumAtom atom = sums->atoms[at];
  Wide lo, hi;
  bool bounded = sum_interval(work, branch, atom.a, &lo, &hi);
  Sum quotient = sum_free(sums, "q");
  uint32_t fresh = 0;
  if (!sum_is_atom(sums, quotient, &fresh)) return SOLVE_NONE;
  relation_solve_replace(work, branch, at, quotient);
  *ARENA_PUSH(sums->arena, &branch->piece.hidden) = fresh;
  piece_within(sums, &branch->piece,
      sum_subtract(sums, atom.a, sum_scale(sums, quotient, atom.divisor)), 0, atom.divisor - 1);
  if (bounded)
    piece_within(sums, &branch->piece, quotient, wide_floordiv(lo, atom.divisor),
        wide_floordiv(hi, atom.divisor));
  return SOLVE_DONE;
}

static void relation_solve_run(RelationSolveWork *work, RelationSolveBranch branch, uint32_t steps);

/* min(a, b) is a if a <= b, and b if b <= a - 1; max with the inequalities reversed. */
static SolveStep split_choice(
    RelationSolveWork *work, RelationSolveBranch *branch, uint32_t steps) {
  uint32_t at;
  if (!find_dependent(work, branch, false, &at)) return SOLVE_NONE;
  Sums *sums = work->sums;
  SumAtom atom = sums->atoms[at];
  Sum difference = atom.kind == ATOM_MIN ? sum_subtract(sums, atom.b, atom.a)
                                         : sum_subtract(sums, atom.a, atom.b);
  RelationSolveBranch other = {.piece = piece_copy(sums, &branch->piece)};
  relation_solve_replace(work, branch, at, atom.a);
  piece_within(sums, &branch->piece, difference, 0, no_bound);
  relation_solve_replace(work, &other, at, atom.b);
  piece_within(sums, &other.piece, difference, -no_bound, -1);
  work->cases++;
  relation_solve_run(work, *branch, steps);
  relation_solve_run(work, other, steps);
  return SOLVE_SPLIT;
}

/* The hidden terms of an equation; `known` contains the other terms: sum of terms = known. */
typedef struct RelationSolveEquation {
  SumTerm *terms;
  uint32_t count;
  bool opaque; /* a nonlinear atom in `known` contains a hidden atom */
  Sum known;
} RelationSolveEquation;

static RelationSolveEquation read_equation(
    const RelationSolveWork *work, const RelationSolveBranch *branch, const Within *within) {
  assert(sums_has(work->sums, within->sum));
  Sums *sums = work->sums;
  SumNode node = *node_of(work, within->sum);
  RelationSolveEquation equation = {.terms = ARENA_NEW(sums->arena, SumTerm, node.term_count)};
  equation.known = sum_of_constant(sums, within->lo - node.constant);
  for (uint32_t i = 0; i < node.term_count; i++) {
    SumTerm term = node.terms[i];
    if (branch->hidden[term.atom]) {
      equation.terms[equation.count++] = term;
      continue;
    }
    if (branch->depends[term.atom]) equation.opaque = true;
    equation.known = sum_subtract(
        sums, equation.known, sum_scale(sums, sum_of_atom(sums, term.atom), term.coefficient));
  }
  return equation;
}

static bool solve_single(
    RelationSolveWork *work, RelationSolveBranch *branch, const RelationSolveEquation *equation) {
  if (equation->count != 1 || equation->opaque) return false;
  relation_solve_replace(work, branch, equation->terms[0].atom,
      sum_divided_off(work->sums, equation->known, equation->terms[0].coefficient, 0));
  return true;
}

/* Solves c*s + rest = known, where the range of rest is narrower than |c|; c is the largest
 * coefficient. */
static bool solve_digit(
    RelationSolveWork *work, RelationSolveBranch *branch, const RelationSolveEquation *equation) {
  uint32_t largest = 0;
  Wide lo = 0, hi = 0;
  if (equation->count < 2 || equation->opaque) return false;
  for (uint32_t i = 1; i < equation->count; i++)
    if (wide_absolute(equation->terms[i].coefficient) >
        wide_absolute(equation->terms[largest].coefficient))
      largest = i;
  Wide c = equation->terms[largest].coefficient, sign = c > 0 ? 1 : -1;
  for (uint32_t i = 0; i < equation->count; i++) {
    Wide low, high, factor = equation->terms[i].coefficient * sign;
    if (i == largest) continue;
    if (!atom_interval(work, branch, equation->terms[i].atom, &low, &high) || low > high)
      return false;
    if (wide_absolute(low) > wide_absolute(c) || wide_absolute(high) > wide_absolute(c) ||
        wide_absolute(c) > (Wide)1 << 49)
      return false;
    lo += factor > 0 ? factor * low : factor * high;
    hi += factor > 0 ? factor * high : factor * low;
  }
  if (hi - lo >= wide_absolute(c)) return false;
  relation_solve_replace(work, branch, equation->terms[largest].atom,
      sum_divided_off(work->sums, equation->known, c, lo));
  return true;
}

static bool occurs_in(const RelationSolveWork *work, uint32_t atom, Sum sum) {
  assert(sums_has_atom(work->sums, atom));
  assert(sums_has(work->sums, sum));
  bool *depends = ARENA_NEW(work->sums->arena, bool, work->sums->atom_count);
  depends[atom] = true;
  sums_mark_dependent(work->sums, depends);
  return sum_depends(work->sums, depends, sum);
}

static bool solve_unit(
    RelationSolveWork *work, RelationSolveBranch *branch, const RelationSolveEquation *equation) {
  Sums *sums = work->sums;
  for (uint32_t i = 0; i < equation->count; i++) {
    Wide c = equation->terms[i].coefficient;
    uint32_t atom = equation->terms[i].atom;
    if (wide_absolute(c) != 1 || (equation->opaque && occurs_in(work, atom, equation->known)))
      continue;
    Sum value = equation->known;
    for (uint32_t k = 0; k < equation->count; k++) {
      if (k == i) continue;
      value = sum_subtract(sums, value,
          sum_scale(
              sums, sum_of_atom(sums, equation->terms[k].atom), equation->terms[k].coefficient));
    }
    relation_solve_replace(work, branch, atom, sum_scale(sums, value, c));
    return true;
  }
  return false;
}

/* s = s' - sum of m*u, where m are the nearest multiples: one step of Euclid's algorithm on the
 * coefficients. */
static bool solve_euclid(
    RelationSolveWork *work, RelationSolveBranch *branch, const RelationSolveEquation *equation) {
  Sums *sums = work->sums;
  uint32_t smallest = 0, fresh = 0;
  if (equation->count < 2 || equation->opaque) return false;
  for (uint32_t i = 1; i < equation->count; i++)
    if (wide_absolute(equation->terms[i].coefficient) <
        wide_absolute(equation->terms[smallest].coefficient))
      smallest = i;
  Wide c = equation->terms[smallest].coefficient;
  assert(wide_absolute(c) > 1);
  Sum value = sum_free(sums, "h");
  if (!sum_is_atom(sums, value, &fresh)) return false;
  for (uint32_t i = 0; i < equation->count; i++) {
    if (i == smallest) continue;
    Wide multiple =
        wide_floordiv(equation->terms[i].coefficient, wide_absolute(c)) * (c > 0 ? 1 : -1);
    value = sum_subtract(
        sums, value, sum_scale(sums, sum_of_atom(sums, equation->terms[i].atom), multiple));
  }
  relation_solve_replace(work, branch, equation->terms[smallest].atom, value);
  *ARENA_PUSH(sums->arena, &branch->piece.hidden) = fresh;
  return true;
}

static SolveStep solve_equations(RelationSolveWork *work, RelationSolveBranch *branch) {
  bool (*const ways[])(RelationSolveWork *, RelationSolveBranch *,
      const RelationSolveEquation *) = {solve_single, solve_digit, solve_unit, solve_euclid};
  for (uint32_t way = 0; way < 4; way++) {
    for (uint32_t i = 0; i < branch->piece.withins.count; i++) {
      Within within = branch->piece.withins.items[i];
      if (within.lo != within.hi || !sum_depends(work->sums, branch->depends, within.sum)) continue;
      RelationSolveEquation equation = read_equation(work, branch, &within);
      if (equation.count > 0 && ways[way](work, branch, &equation)) return SOLVE_DONE;
    }
  }
  return SOLVE_NONE;
}

/* The bounds of one hidden atom by inequalities, on one side: atom >= each of items (or <=). */
typedef struct AtomBounds {
  Sum *items;
  uint32_t count, capacity;
} AtomBounds;

typedef struct RelationSolveSides {
  AtomBounds lower, upper;
  bool lower_open, upper_open; /* a bound contains another hidden atom: no witness on that side */
  bool stuck;                  /* the atom is inside a value or a product, or in an equation */
} RelationSolveSides;

static void add_bound(RelationSolveWork *work, AtomBounds *bounds, Sum bound) {
  assert(sums_has(work->sums, bound));
  *ARENA_PUSH(work->sums->arena, bounds) = bound;
}

/* Reads the bounds of the atom from lo <= c*atom + rest <= hi. */
static void read_bound(RelationSolveWork *work, const RelationSolveBranch *branch,
    const Within *within, uint32_t atom, Wide c, RelationSolveSides *sides) {
  assert(sums_has(work->sums, within->sum));
  assert(sums_has_atom(work->sums, atom));
  Sums *sums = work->sums;
  Sum rest = sum_subtract(sums, within->sum, sum_scale(sums, sum_of_atom(sums, atom), c));
  bool open = sum_depends(sums, branch->depends, rest);
  Sum from_lo = sum_subtract(sums, sum_of_constant(sums, within->lo), rest);
  Sum from_hi = sum_subtract(sums, sum_of_constant(sums, within->hi), rest);
  Sum least = c > 0 ? sum_scale(sums, sum_floordiv(sums, sum_scale(sums, from_lo, -1), c), -1)
                    : sum_scale(sums, sum_floordiv(sums, from_hi, -c), -1);
  Sum most =
      c > 0 ? sum_floordiv(sums, from_hi, c) : sum_floordiv(sums, sum_scale(sums, from_lo, -1), -c);
  if (c > 0 ? within->lo > -no_bound : within->hi < no_bound) {
    add_bound(work, &sides->lower, least);
    sides->lower_open |= open;
  }
  if (c > 0 ? within->hi < no_bound : within->lo > -no_bound) {
    add_bound(work, &sides->upper, most);
    sides->upper_open |= open;
  }
}

static RelationSolveSides read_sides(
    RelationSolveWork *work, const RelationSolveBranch *branch, uint32_t atom) {
  assert(sums_has_atom(work->sums, atom));
  RelationSolveSides sides = {};
  const Sums *sums = work->sums;
  bool *inside = ARENA_NEW(sums->arena, bool, sums->atom_count);
  inside[atom] = true;
  sums_mark_dependent(sums, inside);
  for (uint32_t i = 0; i < branch->piece.withins.count && !sides.stuck; i++) {
    Within within = branch->piece.withins.items[i];
    SumNode node = *node_of(work, within.sum);
    Wide c = 0;
    for (uint32_t k = 0; k < node.term_count; k++) {
      if (node.terms[k].atom == atom) c = node.terms[k].coefficient;
      else if (inside[node.terms[k].atom]) sides.stuck = true;
    }
    if (c != 0 && within.lo == within.hi) sides.stuck = true;
    if (c != 0 && !sides.stuck) read_bound(work, branch, &within, atom, c, &sides);
  }
  return sides;
}

static Sum outermost(RelationSolveWork *work, const AtomBounds *bounds, bool largest) {
  Sum sum = bounds->items[0];
  for (uint32_t i = 1; i < bounds->count; i++)
    sum = largest ? sum_max(work->sums, sum, bounds->items[i])
                  : sum_min(work->sums, sum, bounds->items[i]);
  return sum;
}

/* A hidden atom that occurs only in inequalities is replaced by its largest lower or smallest upper
 * bound. If one side has no bounds, a sufficiently distant value satisfies its inequalities, and
 * they are dropped. */
static SolveStep solve_inequalities(RelationSolveWork *work, RelationSolveBranch *branch) {
  for (uint32_t i = 0; i < branch->piece.hidden.count; i++) {
    uint32_t atom = branch->piece.hidden.items[i];
    RelationSolveSides sides = read_sides(work, branch, atom);
    if (sides.stuck) continue;
    if (sides.lower.count > 0 && !sides.lower_open) {
      relation_solve_replace(work, branch, atom, outermost(work, &sides.lower, true));
      return SOLVE_DONE;
    }
    if (sides.upper.count > 0 && !sides.upper_open) {
      relation_solve_replace(work, branch, atom, outermost(work, &sides.upper, false));
      return SOLVE_DONE;
    }
  }
  return SOLVE_NONE;
}

/* Drops hidden atoms that no constraint mentions: they exist whatever their value. */
static void drop_unused(RelationSolveWork *work, RelationSolveBranch *branch) {
  Atoms kept = {};
  for (uint32_t i = 0; i < branch->piece.hidden.count; i++) {
    uint32_t atom = branch->piece.hidden.items[i];
    bool used = false;
    for (uint32_t k = 0; k < branch->piece.withins.count && !used; k++)
      used = occurs_in(work, atom, branch->piece.withins.items[k].sum);
    if (used) *ARENA_PUSH(work->sums->arena, &kept) = atom;
  }
  branch->piece.hidden = kept;
}

/* Splits on the hidden atom with the fewest values, one branch for each value. */
static SolveStep split_values(
    RelationSolveWork *work, RelationSolveBranch *branch, uint32_t steps) {
  uint32_t found = 0;
  Wide from = 0, to = no_bound;
  for (uint32_t i = 0; i < branch->piece.hidden.count; i++) {
    Wide lo, hi;
    if (!atom_interval(work, branch, branch->piece.hidden.items[i], &lo, &hi) ||
        hi - lo >= to - from)
      continue;
    found = branch->piece.hidden.items[i];
    from = lo;
    to = hi;
  }
  if (to == no_bound || to - from >= most_values - (Wide)work->cases) return SOLVE_NONE;
  work->cases += to >= from ? (uint32_t)(to - from) : 0;
  for (Wide value = from; value <= to && !budget_is_spent(); value++) {
    RelationSolveBranch one = {.piece = piece_copy(work->sums, &branch->piece)};
    relation_solve_replace(work, &one, found, sum_of_constant(work->sums, value));
    relation_solve_run(work, one, steps);
  }
  return SOLVE_SPLIT;
}

static SolveStep one_step(RelationSolveWork *work, RelationSolveBranch *branch, uint32_t steps) {
  refresh(work, branch);
  SolveStep step = solve_equations(work, branch);
  if (step == SOLVE_NONE && work->by_values) step = split_values(work, branch, steps);
  if (step == SOLVE_NONE) step = name_quotient(work, branch);
  if (step == SOLVE_NONE && work->cases < most_cases) step = split_choice(work, branch, steps);
  if (step == SOLVE_NONE) step = solve_inequalities(work, branch);
  return step;
}

static void relation_solve_run(
    RelationSolveWork *work, RelationSolveBranch branch, uint32_t steps) {
  SolveStep step = SOLVE_DONE;
  for (; steps > 0 && step == SOLVE_DONE && branch.piece.hidden.count > 0 &&
         !withins_are_false(work->sums, &branch.piece.withins);
      steps--) {
    step = one_step(work, &branch, steps - 1);
    if (work->sums->overflow || budget_is_spent()) return;
  }
  if (step == SOLVE_SPLIT || withins_are_false(work->sums, &branch.piece.withins)) return;
  drop_unused(work, &branch);
  *ARENA_PUSH(work->sums->arena, work->solutions) = branch.piece;
}

Solutions relation_solve(Sums *sums, const Piece *piece) {
  assert(piece_is_well_formed(sums, piece));
  Solutions solutions = {};
  RelationSolveWork work = {.sums = sums, .solutions = &solutions};
  relation_solve_run(&work, (RelationSolveBranch){.piece = piece_copy(sums, piece)}, most_steps);
  return solutions;
}

bool relation_solve_by_values(Sums *sums, const Piece *piece, Solutions *solutions) {
  assert(piece_is_well_formed(sums, piece));
  *solutions = (Solutions){};
  RelationSolveWork work = {.sums = sums, .solutions = solutions, .by_values = true};
  relation_solve_run(&work, (RelationSolveBranch){.piece = piece_copy(sums, piece)}, most_steps);
  for (uint32_t i = 0; i < solutions->count; i++)
    if (solutions->items[i].hidden.count > 0) return false;
  return true;
}
