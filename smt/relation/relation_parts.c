/* Both functions mark atoms until nothing changes, in at most as many rounds as there are
 * constraints. Each round tests the time budget. */
#include "smt/relation/relation_parts.h"

#include <assert.h>

#include "core/base/budget.h"

/* Marks every atom that the sum depends on, including atoms inside atoms. */
static bool *atoms_inside(const Sums *sums, Sum sum) {
  bool *inside = ARENA_NEW(sums->arena, bool, sums->atom_count);
  sum_mark_atoms(sums, sum, inside);
  sums_mark_arguments(sums, inside);
  return inside;
}

static bool shares(const bool *a, const bool *b, uint32_t count, const uint32_t *atoms) {
  for (uint32_t i = 0; i < count; i++)
    if (a[atoms[i]] && b[atoms[i]]) return true;
  return false;
}

static void relation_parts_join(bool *into, const bool *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) into[i] |= from[i];
}

/* Takes every constraint that shares one of `atoms` with `linked`, and adds its atoms to
 * `linked`. */
static Piece take_linked(Sums *sums, const Piece *piece, bool *const *inside, bool *taken,
    bool *linked, uint32_t count, const uint32_t *atoms) {
  assert(piece_is_well_formed(sums, piece));
  Piece part = {.hidden = piece->hidden};
  for (bool any = true; any && !budget_is_spent();) {
    any = false;
    for (uint32_t i = 0; i < piece->withins.count; i++) {
      if (taken[i] || !shares(inside[i], linked, count, atoms)) continue;
      relation_parts_join(linked, inside[i], sums->atom_count);
      any = taken[i] = true;
    }
  }
  for (uint32_t i = 0; i < piece->withins.count; i++)
    if (taken[i]) *ARENA_PUSH(sums->arena, &part.withins) = piece->withins.items[i];
  return part;
}

static bool **all_inside(const Sums *sums, const Piece *piece) {
  assert(piece_is_well_formed(sums, piece));
  bool **inside = ARENA_NEW(sums->arena, bool *, piece->withins.count);
  for (uint32_t i = 0; i < piece->withins.count; i++)
    inside[i] = atoms_inside(sums, piece->withins.items[i].sum);
  return inside;
}

Relation piece_parts(Sums *sums, const Piece *piece) {
  assert(piece_is_well_formed(sums, piece));
  Relation parts = {};
  bool **inside = all_inside(sums, piece);
  bool *done = ARENA_NEW(sums->arena, bool, piece->withins.count);
  for (uint32_t i = 0; i < piece->withins.count && !budget_is_spent(); i++) {
    if (done[i]) continue;
    bool *taken = ARENA_NEW(sums->arena, bool, piece->withins.count),
         *linked = ARENA_NEW(sums->arena, bool, sums->atom_count);
    taken[i] = true;
    relation_parts_join(linked, inside[i], sums->atom_count);
    relation_add(sums, &parts,
        take_linked(sums, piece, inside, taken, linked, piece->hidden.count, piece->hidden.items));
    relation_parts_join(done, taken, piece->withins.count);
  }
  return parts;
}

Piece piece_slice(Sums *sums, const Piece *piece, const Piece *part) {
  assert(piece_is_well_formed(sums, piece));
  assert(piece_is_well_formed(sums, part));
  uint32_t *all = ARENA_NEW(sums->arena, uint32_t, sums->atom_count);
  bool *taken = ARENA_NEW(sums->arena, bool, piece->withins.count),
       *linked = ARENA_NEW(sums->arena, bool, sums->atom_count);
  for (uint32_t i = 0; i < sums->atom_count; i++) all[i] = i;
  for (uint32_t i = 0; i < part->withins.count; i++)
    relation_parts_join(linked, atoms_inside(sums, part->withins.items[i].sum), sums->atom_count);
  return take_linked(sums, piece, all_inside(sums, piece), taken, linked, sums->atom_count, all);
}
