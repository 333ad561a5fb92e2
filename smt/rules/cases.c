/* The cone of a set of sums: all atoms inside, in ascending order, so that one pass computes their
 * values. The free atoms of the cone are enumerated like the digits of a number. Facts with a
 * larger cone are left out, which only makes the proof harder. */
#include "smt/rules/cases.h"

#include <assert.h>

static constexpr uint64_t max_cases = UINT64_C(1) << 16;

typedef struct Cone {
  Sums *sums;
  bool *inside;     /* [atom_count] */
  bool is_computed; /* contains only quotients, min, max and products over free atoms */
} Cone;

static Cone cone_of(Sums *sums, uint32_t count, const Sum *of) {
  Cone cone = {
      .sums = sums, .inside = ARENA_NEW(sums->arena, bool, sums->atom_count), .is_computed = true};
  for (uint32_t i = 0; i < count; i++) sum_mark_atoms(sums, of[i], cone.inside);
  sums_mark_arguments(sums, cone.inside);
  for (uint32_t i = 0; i < sums->atom_count; i++)
    if (cone.inside[i] && (sums->atoms[i].kind == ATOM_VALUE || sums->atoms[i].kind == ATOM_RATIO))
      cone.is_computed = false;
  return cone;
}

static bool is_few(const Cone *cone) {
  uint64_t cases = 1;
  if (!cone->is_computed) return false;
  for (uint32_t i = 0; i < cone->sums->atom_count; i++) {
    const SumAtom *atom = &cone->sums->atoms[i];
    if (!cone->inside[i] || atom->kind != ATOM_FREE) continue;
    if (!atom->bounded || atom->lo > atom->hi || atom->hi - atom->lo >= (Wide)max_cases)
      return false;
    cases *= (uint64_t)(atom->hi - atom->lo + 1);
    if (cases > max_cases) return false;
  }
  return true;
}

/* Whether every free atom of the other cone is in this cone, and the other cone is computed. */
static bool cases_contains(const Cone *cone, const Cone *other) {
  for (uint32_t i = 0; i < cone->sums->atom_count; i++)
    if (other->inside[i] && !cone->inside[i] && cone->sums->atoms[i].kind == ATOM_FREE)
      return false;
  return other->is_computed;
}

typedef struct CasesCounting {
  Sums *sums;
  uint32_t count, free_count;
  uint32_t *atoms; /* [count]: of the cone, ascending */
  uint32_t *free;
  Wide *values; /* [atom_count] */
} CasesCounting;

static CasesCounting start_counting(const Cone *cone) {
  Sums *sums = cone->sums;
  CasesCounting counting = {.sums = sums,
      .atoms = ARENA_NEW(sums->arena, uint32_t, sums->atom_count),
      .free = ARENA_NEW(sums->arena, uint32_t, sums->atom_count),
      .values = ARENA_NEW(sums->arena, Wide, sums->atom_count)};
  for (uint32_t i = 0; i < sums->atom_count; i++) {
    if (!cone->inside[i]) continue;
    counting.atoms[counting.count++] = i;
    if (sums->atoms[i].kind != ATOM_FREE) continue;
    counting.free[counting.free_count++] = i;
    counting.values[i] = sums->atoms[i].lo;
  }
  return counting;
}

static bool next_case(CasesCounting *counting) {
  for (uint32_t i = 0; i < counting->free_count; i++) {
    uint32_t at = counting->free[i];
    if (counting->values[at]++ < counting->sums->atoms[at].hi) return true;
    counting->values[at] = counting->sums->atoms[at].lo;
  }
  return false;
}

static bool cases_compute(const CasesCounting *counting) {
  for (uint32_t i = 0; i < counting->count; i++)
    if (!sums_complete_atom(counting->sums, counting->values, counting->atoms[i])) return false;
  return true;
}

static bool cases_holds(const CasesCounting *counting, const Within *fact, bool *known) {
  Wide value = 0;
  *known &= sum_evaluate(counting->sums, counting->values, fact->sum, &value);
  return fact->lo <= value && value <= fact->hi;
}

/* Whether this case is excluded: the goal does not hold, or a fact does not. */
static bool is_excluded(
    const CasesCounting *counting, uint32_t count, const Within *const *facts, const Goal *goal) {
  bool known = cases_compute(counting), happens = known;
  Wide a = 0, b = 0;
  if (goal->broken != nullptr && happens) happens = !cases_holds(counting, goal->broken, &known);
  if (goal->differ && happens) {
    known &= sum_evaluate(counting->sums, counting->values, goal->a, &a) &&
             sum_evaluate(counting->sums, counting->values, goal->b, &b);
    happens = a != b;
  }
  for (uint32_t i = 0; i < count && happens && known; i++)
    happens = cases_holds(counting, facts[i], &known);
  return known && !happens;
}

static bool count_through(
    const Cone *cone, uint32_t count, const Within *const *facts, const Goal *goal) {
  ArenaMark mark = arena_mark(cone->sums->arena);
  CasesCounting counting = start_counting(cone);
  bool excluded = true;
  do excluded = is_excluded(&counting, count, facts, goal);
  while (excluded && next_case(&counting));
  arena_rewind(cone->sums->arena, mark);
  return excluded;
}

/* Enumerates with the facts over variables of the cone only. */
static bool exclude_in(const Cone *cone, uint32_t count, const Within *facts, const Goal *goal) {
  const Within **used = ARENA_NEW(cone->sums->arena, const Within *, count);
  uint32_t used_count = 0;
  if (!is_few(cone)) return false;
  Cone whole = *cone;
  whole.inside = ARENA_NEW(cone->sums->arena, bool, cone->sums->atom_count);
  for (uint32_t i = 0; i < cone->sums->atom_count; i++) whole.inside[i] = cone->inside[i];
  for (uint32_t i = 0; i < count; i++) {
    Cone own = cone_of(cone->sums, 1, &facts[i].sum);
    if (!cases_contains(cone, &own)) continue;
    used[used_count++] = &facts[i];
    for (uint32_t k = 0; k < cone->sums->atom_count; k++) whole.inside[k] |= own.inside[k];
  }
  return count_through(&whole, used_count, used, goal);
}

bool cases_exclude(Sums *sums, uint32_t count, const Within *facts, const Goal *goal) {
  assert(sums_has_facts(sums, count, facts));
  Sum of[3];
  uint32_t of_count = 0;
  if (goal->broken != nullptr) of[of_count++] = goal->broken->sum;
  if (goal->differ) of[of_count++] = goal->a;
  if (goal->differ) of[of_count++] = goal->b;
  if (of_count > 0) {
    Cone cone = cone_of(sums, of_count, of);
    return exclude_in(&cone, count, facts, goal);
  }
  for (uint32_t i = 0; i < count; i++) {
    Cone cone = cone_of(sums, 1, &facts[i].sum);
    if (exclude_in(&cone, count, facts, goal)) return true;
  }
  return false;
}
