/* Matches the tuples of two folds: expresses the folded variables of each fold by the other's.
 * Equations (between the indices of matched parameters) are solved one by one:
 *   a quotient x floordiv c of an unknown is q with x = c*q + m, 0 <= m < c;
 *   c*s = t implies s = t floordiv c;
 *   c*s + rest = t with rest in an interval narrower than |c| implies
 *   s = (t - lo(rest)) floordiv c;
 *   s + rest = t implies s = t - rest.
 * Variables that no equation mentions are matched by their row-major position. The result is a
 * guess until it is proved that both mappings stay inside the sizes and the constraints, and are
 * inverse to each other. The multisets are then equal if each tuple equals its partner. */
#include "smt/values/values.h"

#include <assert.h>

static constexpr uint32_t most_rounds = 60;

typedef struct EquationUnknown {
  uint32_t atom;
  bool is_solved;
  Sum value;
} EquationUnknown;

typedef struct EquationSolving {
  ValuesProof *proof;
  Equations equations;
  struct {
    EquationUnknown *items;
    uint32_t count, capacity;
  } unknowns;
  bool *depends; /* [known]: depends on an unsolved unknown */
  uint32_t known;
} EquationSolving;

static void solving_refresh(EquationSolving *work) {
  Sums *sums = work->proof->sums;
  work->known = sums->atom_count;
  work->depends = ARENA_NEW(work->proof->arena, bool, work->known);
  for (uint32_t i = 0; i < work->unknowns.count; i++)
    if (!work->unknowns.items[i].is_solved) work->depends[work->unknowns.items[i].atom] = true;
  sums_mark_dependent(sums, work->depends);
}

static void replace_everywhere(EquationSolving *work, uint32_t atom, Sum by) {
  Sums *sums = work->proof->sums;
  sums_replace_atom(sums, atom, by, work->equations.count, work->equations.items);
  for (uint32_t i = 0; i < work->unknowns.count; i++)
    if (work->unknowns.items[i].is_solved)
      sums_replace_atom(sums, atom, by, 1, &work->unknowns.items[i].value);
}

static EquationUnknown *find_unknown(EquationSolving *work, uint32_t atom) {
  for (uint32_t i = 0; i < work->unknowns.count; i++)
    if (work->unknowns.items[i].atom == atom && !work->unknowns.items[i].is_solved)
      return &work->unknowns.items[i];
  return nullptr;
}

static void solve_unknown(EquationSolving *work, uint32_t atom, Sum value) {
  EquationUnknown *unknown = find_unknown(work, atom);
  unknown->is_solved = true;
  unknown->value = value;
  replace_everywhere(work, atom, value);
}

/* The unknown terms of an equation; `known` is the negated sum of the others. */
typedef struct EquationTerms {
  SumTerm *items;
  uint32_t count;
  Sum known;
  uint32_t quotient; /* an atom that contains an unknown, or UINT32_MAX */
  bool is_opaque;
} EquationTerms;

static EquationTerms terms_of(EquationSolving *work, Sum equation) {
  Sums *sums = work->proof->sums;
  const SumNode node = sums->sums[equation.at];
  EquationTerms terms = {.items = ARENA_NEW(work->proof->arena, SumTerm, node.term_count),
      .quotient = UINT32_MAX,
      .known = sum_of_constant(sums, -node.constant)};
  for (uint32_t i = 0; i < node.term_count; i++) {
    SumTerm term = node.terms[i];
    if (find_unknown(work, term.atom) != nullptr) terms.items[terms.count++] = term;
    else if (term.atom < work->known && work->depends[term.atom]) {
      if (sums->atoms[term.atom].kind == ATOM_QUOTIENT) terms.quotient = term.atom;
      else terms.is_opaque = true;
    } else
      terms.known = sum_subtract(
          sums, terms.known, sum_scale(sums, sum_of_atom(sums, term.atom), term.coefficient));
  }
  return terms;
}

static void unknown_add(EquationSolving *work, Sum sum) {
  EquationUnknown unknown = {};
  if (sum_is_atom(work->proof->sums, sum, &unknown.atom))
    *ARENA_PUSH(work->proof->arena, &work->unknowns) = unknown;
}

/* Replaces the quotient by q and m. */
static void name_quotient(EquationSolving *work, uint32_t at) {
  Sums *sums = work->proof->sums;
  const SumAtom atom = sums->atoms[at];
  Sum quotient = atom.bounded ? sum_free_within(sums, "q", atom.lo, atom.hi) : sum_free(sums, "q"),
      rest = sum_free_within(sums, "m", 0, atom.divisor - 1);
  Sum equation = sum_subtract(sums, atom.a, sum_scale(sums, quotient, atom.divisor));
  replace_everywhere(work, at, quotient);
  unknown_add(work, quotient);
  unknown_add(work, rest);
  *ARENA_PUSH(work->proof->arena, &work->equations) = sum_subtract(sums, equation, rest);
}

static bool solve_digit(EquationSolving *work, const EquationTerms *terms) {
  Sums *sums = work->proof->sums;
  uint32_t largest = 0;
  Wide lo = 0, hi = 0;
  for (uint32_t i = 1; i < terms->count; i++)
    if (wide_absolute(terms->items[i].coefficient) >
        wide_absolute(terms->items[largest].coefficient))
      largest = i;
  Wide c = terms->items[largest].coefficient;
  for (uint32_t i = 0; i < terms->count; i++) {
    const SumAtom *atom = &sums->atoms[terms->items[i].atom];
    Wide factor = terms->items[i].coefficient * (c > 0 ? 1 : -1);
    if (i == largest) continue;
    if (!atom->bounded || wide_absolute(factor) > (Wide)1 << 60) return false;
    lo += factor > 0 ? factor * atom->lo : factor * atom->hi;
    hi += factor > 0 ? factor * atom->hi : factor * atom->lo;
  }
  if (hi - lo >= wide_absolute(c)) return false;
  solve_unknown(work, terms->items[largest].atom, sum_divided_off(sums, terms->known, c, lo));
  return true;
}

static bool solve_unit(EquationSolving *work, const EquationTerms *terms) {
  Sums *sums = work->proof->sums;
  for (uint32_t i = 0; i < terms->count; i++) {
    Wide c = terms->items[i].coefficient;
    if (wide_absolute(c) != 1) continue;
    Sum value = terms->known;
    for (uint32_t k = 0; k < terms->count; k++)
      if (k != i)
        value = sum_subtract(sums, value,
            sum_scale(sums, sum_of_atom(sums, terms->items[k].atom), terms->items[k].coefficient));
    solve_unknown(work, terms->items[i].atom, sum_scale(sums, value, c));
    return true;
  }
  return false;
}

typedef enum Way : uint8_t { WAY_SINGLE, WAY_DIGIT, WAY_QUOTIENT, WAY_UNIT } Way;

static bool solve_by(EquationSolving *work, Way way, Sum equation) {
  EquationTerms terms = terms_of(work, equation);
  if (terms.is_opaque) return false;
  if (way == WAY_QUOTIENT) {
    if (terms.quotient == UINT32_MAX) return false;
    name_quotient(work, terms.quotient);
    return true;
  }
  if (terms.quotient != UINT32_MAX || terms.count == 0) return false;
  if (way == WAY_SINGLE && terms.count == 1) return solve_digit(work, &terms);
  if (way == WAY_DIGIT) return solve_digit(work, &terms);
  return way == WAY_UNIT && solve_unit(work, &terms);
}

static bool solve_one(EquationSolving *work) {
  solving_refresh(work);
  for (Way way = WAY_SINGLE; way <= WAY_UNIT; way++)
    for (uint32_t i = 0; i < work->equations.count; i++)
      if (solve_by(work, way, work->equations.items[i])) return true;
  return false;
}

static void append_sums(ValuesProof *proof, Equations *list, const Equations *from) {
  for (uint32_t i = 0; i < from->count; i++) *ARENA_PUSH(proof->arena, list) = from->items[i];
}

/* The values of b's variables over a's; `is_solved` if there is one. */
static void solve_fold(
    ValuesProof *proof, const Fold *b, const Equations *equations, Sum *values, bool *is_solved) {
  assert(fold_is_well_formed(proof->sums, b));
  EquationSolving work = {.proof = proof};
  append_sums(proof, &work.equations, equations);
  for (uint32_t i = 0; i < b->count; i++) unknown_add(&work, b->variables[i]);
  for (uint32_t i = 0; i < most_rounds && !proof_is_over(proof) && solve_one(&work); i++) continue;
  solving_refresh(&work);
  assert(work.unknowns.count >= b->count);
  for (uint32_t i = 0; i < b->count; i++) {
    const EquationUnknown *unknown = &work.unknowns.items[i];
    is_solved[i] = unknown->is_solved && !sum_depends(proof->sums, work.depends, unknown->value);
    values[i] = unknown->value;
  }
}

/* ---- variables that no equation mentions ---- */

static bool variable_occurs(ValuesProof *proof, Sum variable, uint32_t count, const Sum *sums) {
  assert(sums_has(proof->sums, variable));
  uint32_t atom = 0;
  bool *depends = ARENA_NEW(proof->arena, bool, proof->sums->atom_count);
  if (!sum_is_atom(proof->sums, variable, &atom)) return false;
  depends[atom] = true;
  sums_mark_dependent(proof->sums, depends);
  for (uint32_t i = 0; i < count; i++)
    if (sum_depends(proof->sums, depends, sums[i])) return true;
  return false;
}

/* The row-major position of the free variables. */
static Sum free_position(ValuesProof *proof, const Fold *fold, const bool *is_free, Wide *size) {
  assert(fold_is_well_formed(proof->sums, fold));
  Sum position = sum_of_constant(proof->sums, 0);
  *size = 1;
  for (uint32_t i = fold->count; i-- > 0;) {
    if (!is_free[i]) continue;
    position = sum_add(proof->sums, position, sum_scale(proof->sums, fold->variables[i], *size));
    *size *= fold->sizes[i];
    if (*size > (Wide)1 << 62) return position;
  }
  return position;
}

static void fill_free(
    ValuesProof *proof, const Fold *fold, const bool *is_free, Sum position, Sum *values) {
  assert(fold_is_well_formed(proof->sums, fold));
  assert(sums_has(proof->sums, position));
  uint32_t left = 0;
  for (uint32_t i = 0; i < fold->count; i++) left += is_free[i];
  for (uint32_t i = fold->count; i-- > 0;) {
    if (!is_free[i]) continue;
    values[i] = --left > 0 ? sum_mod(proof->sums, position, fold->sizes[i]) : position;
    position = sum_floordiv(proof->sums, position, fold->sizes[i]);
  }
}

/* Matches variables of a that b's values do not use with the variables of b without a value. */
static bool complete(
    ValuesProof *proof, const Fold *a, const Fold *b, const bool *is_solved, Sum *values) {
  assert(fold_is_well_formed(proof->sums, a));
  assert(fold_is_well_formed(proof->sums, b));
  bool *is_free = ARENA_NEW(proof->arena, bool, a->count + 1),
       *is_open = ARENA_NEW(proof->arena, bool, b->count + 1), any = false;
  Sum *solved = ARENA_NEW(proof->arena, Sum, b->count + 1);
  uint32_t count = 0;
  Wide free_size, open_size;
  for (uint32_t i = 0; i < b->count; i++) {
    is_open[i] = !is_solved[i];
    any |= is_open[i];
    if (is_solved[i]) solved[count++] = values[i];
  }
  if (!any) return true;
  for (uint32_t i = 0; i < a->count; i++)
    is_free[i] = !variable_occurs(proof, a->variables[i], count, solved);
  Sum position = free_position(proof, a, is_free, &free_size);
  (void)free_position(proof, b, is_open, &open_size);
  if (free_size != open_size) return false;
  fill_free(proof, b, is_open, position, values);
  return true;
}

/* ---- proof ---- */

/* Whether each tuple of a is mapped to a tuple of b, and back to itself. */
static bool sends_into(ValuesProof *proof, const Given *given, const Fold *a, const Fold *b,
    const Sum *to_b, const Sum *to_a) {
  assert(given_is_canonical(proof->sums, given));
  assert(fold_is_well_formed(proof->sums, a));
  assert(fold_is_well_formed(proof->sums, b));
  Given with = given_copy(proof, given);
  given_add_all(proof, &with, &a->given.withins);
  with.is_empty |= a->given.is_empty;
  AtomChange change = fold_change(proof, b, to_b);
  for (uint32_t i = 0; i < b->count; i++)
    if (given_implies(proof, &with, (Within){to_b[i], 0, (Wide)b->sizes[i] - 1}) != SAME_YES)
      return false;
  for (uint32_t i = 0; i < b->given.withins.count; i++) {
    Within within = b->given.withins.items[i];
    within.sum = sum_replace(proof->sums, &change, within.sum);
    if (given_implies(proof, &with, within) != SAME_YES) return false;
  }
  Sum *back = ARENA_NEW(proof->arena, Sum, a->count + 1);
  for (uint32_t i = 0; i < a->count; i++) back[i] = to_a[i];
  sums_replace(proof->sums, &change, a->count, back);
  return given_equal(proof, &with, a->count, back, a->variables) == SAME_YES &&
         (!b->given.is_empty || with.is_empty);
}

bool folds_meet(ValuesProof *proof, const Given *given, const Fold *a, const Fold *b,
    const Equations *equations, Meeting *meeting) {
  assert(given_is_canonical(proof->sums, given));
  assert(fold_is_well_formed(proof->sums, a));
  assert(fold_is_well_formed(proof->sums, b));
  *meeting = (Meeting){.to_b = ARENA_NEW(proof->arena, Sum, b->count + 1),
      .to_a = ARENA_NEW(proof->arena, Sum, a->count + 1)};
  bool *solved_b = ARENA_NEW(proof->arena, bool, b->count + 1),
       *solved_a = ARENA_NEW(proof->arena, bool, a->count + 1), was_quiet = proof->is_quiet;
  solve_fold(proof, b, equations, meeting->to_b, solved_b);
  solve_fold(proof, a, equations, meeting->to_a, solved_a);
  if (!complete(proof, a, b, solved_b, meeting->to_b) ||
      !complete(proof, b, a, solved_a, meeting->to_a))
    return false;
  proof->is_quiet = true;
  bool is_met = sends_into(proof, given, a, b, meeting->to_b, meeting->to_a) &&
                sends_into(proof, given, b, a, meeting->to_a, meeting->to_b);
  proof->is_quiet = was_quiet;
  return is_met;
}
