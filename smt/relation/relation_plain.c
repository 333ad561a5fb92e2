/* The facts tighten the bounds of all atoms (tighten.h). If they contradict each other, the inner
 * piece is empty. Otherwise an outer piece holds if its constraints are facts themselves or follow
 * from the interval of their sum. A point is constructed by setting one atom after the other to its
 * low end and tightening again.
 * Keeps: the bounds are restored before each return, since they hold only under these facts. */
#include "smt/relation/relation_plain.h"

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

static bool follows(Sums *sums, const Withins *facts, const Within *within) {
  Wide lo, hi;
  for (uint32_t i = 0; i < facts->count; i++) {
    const Within *fact = &facts->items[i];
    if (sum_same(fact->sum, within->sum) && within->lo <= fact->lo && fact->hi <= within->hi)
      return true;
  }
  return sum_range(sums, within->sum, &lo, &hi) && within->lo <= lo && hi <= within->hi;
}

static bool all_follow(Sums *sums, const Withins *facts, const Piece *piece) {
  for (uint32_t i = 0; i < piece->withins.count; i++)
    if (!follows(sums, facts, &piece->withins.items[i])) return false;
  return true;
}

bool relation_contained_plainly(
    Sums *sums, const Withins *given, const Piece *inner, const Relation *outer) {
  if (!is_plain_question(sums, given, inner)) return false;
  Withins facts = facts_of(sums, given, inner);
  uint32_t count = sums->atom_count;
  PlainBounds *kept = bounds_of_atoms(sums);
  bool is_shown = !sums_tighten(sums, facts.count, facts.items);
  for (uint32_t i = 0; i < outer->count && !is_shown; i++)
    is_shown = all_follow(sums, &facts, &outer->items[i]);
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

static bool facts_hold(const Sums *sums, const Withins *facts, const Wide *values) {
  for (uint32_t i = 0; i < facts->count; i++) {
    const Within *fact = &facts->items[i];
    Wide value;
    if (!sum_evaluate(sums, values, fact->sum, &value) || value < fact->lo || value > fact->hi)
      return false;
  }
  return true;
}

Wide *relation_plain_point(Sums *sums, const Withins *given, const Piece *piece) {
  if (!is_plain_question(sums, given, piece)) return nullptr;
  Withins facts = facts_of(sums, given, piece);
  uint32_t count = sums->atom_count;
  PlainBounds *kept = bounds_of_atoms(sums);
  bool is_fixed = fix_free_atoms(sums, &facts);
  Wide *values = values_of_fixed(sums);
  bool is_point = is_fixed && sums_complete(sums, values) && facts_hold(sums, &facts, values);
  put_back(sums, count, kept);
  return is_point ? values : nullptr;
}
