/* The facts tighten the bounds of all atoms (tighten.h). If they contradict each other, the inner
 * piece is empty. Otherwise an outer piece holds if its constraints are facts themselves or follow
 * from the interval of their sum. If none does, the facts' equations are solved for one atom each,
 * and all facts and constraints are tried again without these atoms. A point is constructed by
 * setting one atom after the other to its low end and tightening again. Keeps: the bounds are
 * restored before each return, since they hold only under these facts. */
#include "smt/relation/relation_plain.h"

#include "smt/terms/sums_parts.h"
#include "smt/terms/tighten.h"

/* Larger questions go to the solver: each round of tightening visits every atom. */
static constexpr uint32_t most_atoms = 256, most_facts = 256;

typedef struct PlainBounds {
  bool bounded;
  Wide lo, hi;
} PlainBounds;

static PlainBounds *bounds_of_atoms(const Sums *sums) {
  PlainBounds *kept = ARENA_NEW(sums->arena, PlainBounds, sums->atom_count);
  for (uint32_t i = 0; i < sums->atom_count; i++) {
    const SumAtom *atom = &sums->atoms[i];
    kept[i] = (PlainBounds){.bounded = atom->bounded, .lo = atom->lo, .hi = atom->hi};
  }
  return kept;
}

/* Atoms that were created meanwhile have bounds that hold only under these facts, too. */
static void put_back(Sums *sums, uint32_t count, const PlainBounds *kept) {
  for (uint32_t i = 0; i < count; i++) {
    sums->atoms[i].bounded = kept[i].bounded;
    sums->atoms[i].lo = kept[i].lo;
    sums->atoms[i].hi = kept[i].hi;
  }
  sums_bound_again(sums, count);
}

/* Equal indices have equal values, which a point constructed atom by atom may violate. Also, a
 * later model of the solver respects only values that were stated to it before. */
static bool has_only_integers(const Sums *sums) {
  for (uint32_t i = 0; i < sums->atom_count; i++)
    if (sums->atoms[i].kind == ATOM_VALUE || sums->atoms[i].kind == ATOM_RATIO) return false;
  return true;
}

static bool is_plain_question(const Sums *sums, const Withins *given, const Piece *piece) {
  return !sums->overflow && sums->atom_count <= most_atoms && given->count <= most_facts &&
         piece->withins.count <= most_facts && has_only_integers(sums);
}

static Withins facts_of(const Sums *sums, const Withins *given, const Piece *piece) {
  uint32_t count = given->count + piece->withins.count;
  Withins facts = {.items = ARENA_NEW(sums->arena, Within, count), .count = count};
  for (uint32_t i = 0; i < given->count; i++) facts.items[i] = given->items[i];
  for (uint32_t i = 0; i < piece->withins.count; i++)
    facts.items[given->count + i] = piece->withins.items[i];
  return facts;
}

/* Equations `sum = 0` of facts. Each has coefficient 1 or -1 for its atom, and none of the atoms of
 * the equations before it. */
static constexpr uint32_t most_equations = 32;

typedef struct PlainEquations {
  uint32_t count;
  Sum sums[most_equations];
  uint32_t atoms[most_equations];
} PlainEquations;

/* Removes the atoms of all equations. Wherever the facts hold, the value stays the same, because
 * only multiples of 0 are added. An equation whose multiple would be too large is left out. */
static Sum without_atoms(Sums *sums, const PlainEquations *equations, Sum sum) {
  for (uint32_t i = 0; i < equations->count; i++) {
    Sum equation = equations->sums[i];
    Wide factor = -sum_coefficient(sums, sum, equations->atoms[i]) *
                  sum_coefficient(sums, equation, equations->atoms[i]);
    if (factor != 0 && sum_scale_fits(sums, sum, 2) && sum_scale_fits(sums, equation, 2 * factor))
      sum = sum_combine(sums, sum, equation, factor);
  }
  return sum;
}

/* The last free atom, or else the last atom, with coefficient 1 or -1. */
static bool atom_to_solve(const Sums *sums, Sum sum, uint32_t *atom) {
  const SumNode *node = sum_node(sums, sum);
  bool is_found = false, is_free = false;
  for (uint32_t i = 0; i < node->term_count; i++) {
    const SumTerm *term = &node->terms[i];
    bool is_unit = term->coefficient == 1 || term->coefficient == -1;
    if (!is_unit || (is_free && sums->atoms[term->atom].kind != ATOM_FREE)) continue;
    *atom = term->atom;
    is_found = true;
    is_free = sums->atoms[term->atom].kind == ATOM_FREE;
  }
  return is_found;
}

static void equations_of(Sums *sums, const Withins *facts, PlainEquations *equations) {
  equations->count = 0;
  for (uint32_t i = 0; i < facts->count && equations->count < most_equations; i++) {
    const Within *fact = &facts->items[i];
    if (fact->lo != fact->hi || !sum_scale_fits(sums, fact->sum, 2)) continue;
    Sum sum = without_atoms(
        sums, equations, sum_subtract(sums, fact->sum, sum_of_constant(sums, fact->lo)));
    if (!atom_to_solve(sums, sum, &equations->atoms[equations->count])) continue;
    equations->sums[equations->count++] = sum;
  }
}

/* The facts, and those that are another sum without the atoms of the equations. */
static Withins facts_without_atoms(
    Sums *sums, const Withins *facts, const PlainEquations *equations) {
  Withins all = {.items = ARENA_NEW(sums->arena, Within, 2 * facts->count)};
  for (uint32_t i = 0; i < facts->count; i++) all.items[all.count++] = facts->items[i];
  for (uint32_t i = 0; i < facts->count; i++) {
    Within fact = facts->items[i];
    fact.sum = without_atoms(sums, equations, fact.sum);
    if (!sum_same(fact.sum, facts->items[i].sum)) all.items[all.count++] = fact;
  }
  return all;
}

static bool follows(Sums *sums, const Withins *facts, const Within *within) {
  Wide lo, hi;
  for (uint32_t i = 0; i < facts->count; i++) {
    const Within *fact = &facts->items[i];
    if (sum_same(fact->sum, within->sum) && within->lo <= fact->lo && fact->hi <= within->hi)
      return true;
  }
  return sum_range(sums, within->sum, &lo, &hi) && within->lo <= lo && hi <= within->hi;
}

static bool all_follow(
    Sums *sums, const Withins *facts, const PlainEquations *equations, const Piece *piece) {
  for (uint32_t i = 0; i < piece->withins.count; i++) {
    Within within = piece->withins.items[i];
    if (follows(sums, facts, &within)) continue;
    within.sum = without_atoms(sums, equations, within.sum);
    if (equations->count == 0 || !follows(sums, facts, &within)) return false;
  }
  return true;
}

/* True if the facts contradict each other or an outer piece holds wherever they do. Leaves the
 * atoms' bounds tightened. */
static bool facts_show(
    Sums *sums, const Withins *facts, const PlainEquations *equations, const Relation *outer) {
  bool is_shown = !sums_tighten(sums, facts->count, facts->items);
  for (uint32_t i = 0; i < outer->count && !is_shown; i++)
    is_shown = all_follow(sums, facts, equations, &outer->items[i]);
  return is_shown;
}

/* So that equations alone never exhaust what a table can have. */
static constexpr uint64_t most_terms_before = most_terms / 8;

static bool equations_show(Sums *sums, const Withins *facts, const Relation *outer) {
  PlainEquations equations;
  if (sums->overflow || sums->terms > most_terms_before) return false;
  equations_of(sums, facts, &equations);
  if (equations.count == 0) return false;
  Withins all = facts_without_atoms(sums, facts, &equations);
  return facts_show(sums, &all, &equations, outer);
}

bool relation_contained_plainly(
    Sums *sums, const Withins *given, const Piece *inner, const Relation *outer) {
  if (!is_plain_question(sums, given, inner)) return false;
  Withins facts = facts_of(sums, given, inner);
  uint32_t count = sums->atom_count;
  PlainBounds *kept = bounds_of_atoms(sums);
  bool is_shown =
      facts_show(sums, &facts, &(PlainEquations){}, outer) || equations_show(sums, &facts, outer);
  put_back(sums, count, kept);
  return is_shown && !sums->overflow;
}

static bool fix_free_atoms(Sums *sums, const Withins *facts) {
  if (!sums_tighten(sums, facts->count, facts->items)) return false;
  for (uint32_t i = 0; i < sums->atom_count; i++) {
    SumAtom *atom = &sums->atoms[i];
    if (atom->kind != ATOM_FREE || !atom->bounded || atom->lo == atom->hi) continue;
    atom->hi = atom->lo;
    if (!sums_tighten(sums, facts->count, facts->items)) return false;
  }
  return true;
}

/* Tightening may have created atoms, which have values too. */
static Wide *values_of_fixed(const Sums *sums) {
  Wide *values = ARENA_NEW(sums->arena, Wide, sums->atom_count);
  for (uint32_t i = 0; i < sums->atom_count; i++) {
    const SumAtom *atom = &sums->atoms[i];
    if (atom->kind == ATOM_FREE && atom->bounded) values[i] = atom->lo;
  }
  return values;
}

Wide *relation_plain_point(Sums *sums, const Withins *given, const Piece *piece) {
  if (!is_plain_question(sums, given, piece)) return nullptr;
  Withins facts = facts_of(sums, given, piece);
  uint32_t count = sums->atom_count;
  PlainBounds *kept = bounds_of_atoms(sums);
  bool is_fixed = fix_free_atoms(sums, &facts);
  Wide *values = values_of_fixed(sums);
  bool is_point = is_fixed && sums_complete(sums, values) && withins_hold_at(sums, &facts, values);
  put_back(sums, count, kept);
  return is_point ? values : nullptr;
}
