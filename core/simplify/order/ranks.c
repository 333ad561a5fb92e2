/* The order of variables in which a map is simplified: one that stays with the variables when they
 * are numbered otherwise. Where two rewrites exclude each other the order decides, so what is
 * chosen does not depend on the numbering either.
 * Variables of a kind are ranked by their bounds, the wide ones first; those with equal bounds by
 * what the map does when one of
 * them moves: whether the point lies in the domain, then the results, the greater ones first
 * (tell_apart.c). Only then by turn: those are tied, and orders.c takes them in every turn; without
 * turns it is their number.
 * Keeps: ranks look at bounds and at values, never at how the map is written, so that a simplified
 * map has the ranks of the map that it came from. More than max_lanes variables that share bounds
 * are not told apart. */
#include <assert.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "core/simplify/order/tell_apart.h"

/* ---- ranks ---- */

static int compare_entries(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->width != y->width) return x->width > y->width ? -1 : 1;
  if (x->bounds.lo != y->bounds.lo) return x->bounds.lo < y->bounds.lo ? -1 : 1;
  return (x->turn > y->turn) - (x->turn < y->turn);
}

static bool share_bounds(const Entry *a, const Entry *b) {
  return a->kind == b->kind && a->bounds.lo == b->bounds.lo && a->bounds.hi == b->bounds.hi;
}

static void sort(Entry *entries, uint32_t count) {
  if (count > 16) {
    qsort(entries, count, sizeof *entries, compare_entries);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    Entry one = entries[i];
    uint32_t at = i;
    for (; at > 0 && compare_entries(&entries[at - 1], &one) > 0; at--)
      entries[at] = entries[at - 1];
    entries[at] = one;
  }
}

/* Sorted by bounds; whether any two share them. */
static bool sort_by_bounds(Entry *entries, uint32_t count) {
  bool sorted = true, shared = false;
  for (uint32_t i = 1; sorted && i < count; i++)
    sorted = compare_entries(&entries[i - 1], &entries[i]) < 0;
  if (!sorted) sort(entries, count);
  for (uint32_t i = 0; i < count; i++) {
    bool same = i > 0 && share_bounds(&entries[i - 1], &entries[i]);
    entries[i].group = same ? entries[i - 1].group : i;
    shared |= same;
  }
  return shared;
}

static uint32_t list_variables(const Simplifier *simplifier, Entry *entries) {
  uint32_t count = 0;
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++, count++) {
      Interval bounds = simplifier->bounds[kind][i];
      uint32_t turn = simplifier->turns[kind] == nullptr ? i : simplifier->turns[kind][i];
      entries[count] = (Entry){.bounds = bounds,
          .width = (uint64_t)bounds.hi - (uint64_t)bounds.lo,
          .kind = (VarKind)kind,
          .index = i,
          .turn = turn,
          .group = count};
    }
  return count;
}

static bool write_ranks(Simplifier *simplifier, const Entry *entries) {
  bool changed = false;
  simplifier->is_ranked = false;
  for (uint32_t kind = 0, at = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++, at++) {
      assert(entries[at].kind == kind);
      uint32_t *rank = &simplifier->ranks[kind][entries[at].index];
      changed |= *rank != i;
      simplifier->is_ranked |= entries[at].index != i;
      *rank = i;
    }
  return changed;
}

void ranks_forget(Simplifier *simplifier) {
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++) simplifier->ranks[kind][i] = i;
  simplifier->is_ranked = false;
}

static bool are_in_order(const Simplifier *simplifier) {
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 1; i < simplifier->variable_count[kind]; i++) {
      Interval a = simplifier->bounds[kind][i - 1], b = simplifier->bounds[kind][i];
      if ((uint64_t)a.hi - (uint64_t)a.lo <= (uint64_t)b.hi - (uint64_t)b.lo) return false;
    }
  return true;
}

static uint32_t count_variables(const Simplifier *simplifier) {
  uint32_t total = 0;
  for (uint32_t kind = 0; kind < variable_kinds; kind++) total += simplifier->variable_count[kind];
  return total;
}

static uint64_t hash_bounds(const Simplifier *simplifier) {
  uint64_t hash = 0;
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++)
      hash = hash_mix(hash_mix(hash, (uint64_t)simplifier->bounds[kind][i].lo),
          (uint64_t)simplifier->bounds[kind][i].hi);
  return hash;
}

/* ---- what was told apart ---- */

/* Does not depend on turns: it is found once for all orders of a map. By variable, one kind behind
 * another. */
typedef struct Told {
  struct Told *next;
  Interval *bounds;
  uint32_t *groups;
  bool *absent;
  bool all;
} Told;

static uint32_t number_of(const Simplifier *simplifier, const Entry *entry) {
  uint32_t number = entry->index;
  for (uint32_t kind = 0; kind < entry->kind; kind++) number += simplifier->variable_count[kind];
  return number;
}

static Told *told_find(const Simplifier *simplifier, const Entry *entries, uint32_t count) {
  for (Told *told = simplifier->told; told != nullptr; told = told->next) {
    bool same = true;
    for (uint32_t i = 0; i < count && same; i++) {
      Interval bounds = told->bounds[number_of(simplifier, &entries[i])];
      same = bounds.lo == entries[i].bounds.lo && bounds.hi == entries[i].bounds.hi;
    }
    if (same) return told;
  }
  return nullptr;
}

static void told_keep(Simplifier *simplifier, const Entry *entries, uint32_t count, bool all) {
  Arena *arena = simplifier->context->arena;
  Told *told = ARENA_NEW(arena, Told, 1);
  *told = (Told){.next = simplifier->told,
      .bounds = ARENA_NEW(arena, Interval, count),
      .groups = ARENA_NEW(arena, uint32_t, count),
      .absent = ARENA_NEW(arena, bool, count),
      .all = all};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number = number_of(simplifier, &entries[i]);
    told->bounds[number] = entries[i].bounds;
    told->groups[number] = entries[i].group;
    told->absent[number] = entries[i].is_absent;
  }
  simplifier->told = told;
}

/* Entries are in the order of bounds and turns: within a group the turns stay. */
static bool told_again(
    const Simplifier *simplifier, const Told *told, Entry *entries, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    Entry one = entries[i];
    uint32_t number = number_of(simplifier, &one), at = i;
    one.group = told->groups[number];
    one.is_absent = told->absent[number];
    for (; at > 0 && entries[at - 1].group > one.group; at--) entries[at] = entries[at - 1];
    entries[at] = one;
  }
  return told->all;
}

static bool tell_apart_once(
    Simplifier *simplifier, const Map *map, Entry *entries, uint32_t count) {
  if (!simplifier->keeps_told) return tell_apart(simplifier, map, entries, count);
  const Told *told = told_find(simplifier, entries, count);
  if (told != nullptr) return told_again(simplifier, told, entries, count);
  bool all = tell_apart(simplifier, map, entries, count);
  told_keep(simplifier, entries, count, all);
  return all;
}

/* ---- ties ---- */

uint32_t ranks_tie(Simplifier *simplifier, uint32_t kind, uint32_t index) {
  uint32_t *ties = simplifier->ties[kind];
  while (ties[index] != index) index = ties[index] = ties[ties[index]];
  return index;
}

static void tie(Simplifier *simplifier, uint32_t kind, uint32_t a, uint32_t b) {
  a = ranks_tie(simplifier, kind, a);
  b = ranks_tie(simplifier, kind, b);
  if (a < b) simplifier->ties[kind][b] = a;
  else simplifier->ties[kind][a] = b;
}

static void begin_ties(Simplifier *simplifier) {
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++) simplifier->ties[kind][i] = i;
  simplifier->has_ties = true;
}

/* Those of one value are constants. What occurs nowhere is tied with nothing. */
static void remember_ties(Simplifier *simplifier, const Entry *entries, uint32_t count) {
  const Entry *last = nullptr;
  simplifier->tied = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (entries[i].width == 0 || entries[i].is_absent) continue;
    if (last != nullptr && last->group == entries[i].group) {
      if (!simplifier->has_ties) begin_ties(simplifier);
      tie(simplifier, entries[i].kind, last->index, entries[i].index);
      simplifier->tied++;
    }
    last = &entries[i];
  }
}

static bool rank(Simplifier *simplifier, const Map *map) {
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Entry *entries = BUMP_NEW(&simplifier->normal.temp, Entry, count_variables(simplifier));
  uint32_t count = list_variables(simplifier, entries);
  simplifier->is_ambiguous =
      sort_by_bounds(entries, count) && !tell_apart_once(simplifier, map, entries, count);
  bool changed = write_ranks(simplifier, entries);
  if (simplifier->is_ambiguous) remember_ties(simplifier, entries, count);
  bump_release(&simplifier->normal.temp, mark);
  return changed;
}

/* A few variables of different widths: by counting the wider ones. False where there are more, or
 * some are as wide as others. */
static bool rank_few(Simplifier *simplifier, bool *changed) {
  static constexpr uint32_t few = 6;
  uint32_t ranks[variable_kinds][few];
  for (uint32_t kind = 0; kind < variable_kinds; kind++) {
    const Interval *bounds = simplifier->bounds[kind];
    uint32_t count = simplifier->variable_count[kind];
    if (count > few) return false;
    for (uint32_t i = 0; i < count; i++) {
      uint64_t width = (uint64_t)bounds[i].hi - (uint64_t)bounds[i].lo;
      ranks[kind][i] = 0;
      for (uint32_t j = 0; j < count; j++) {
        uint64_t other = (uint64_t)bounds[j].hi - (uint64_t)bounds[j].lo;
        if (other == width && j != i) return false;
        ranks[kind][i] += other > width;
      }
    }
  }
  *changed = simplifier->is_ranked = false;
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++) {
      *changed |= simplifier->ranks[kind][i] != ranks[kind][i];
      simplifier->is_ranked |= ranks[kind][i] != i;
      simplifier->ranks[kind][i] = ranks[kind][i];
    }
  return true;
}

bool ranks_find(Simplifier *simplifier, const Map *map, bool is_first) {
  bool was_ambiguous = !is_first && simplifier->is_ambiguous,
       changed = !is_first && simplifier->is_ranked;
  if (is_first) ranks_forget(simplifier);
  if (simplifier->keeps_numbering) return false;
  simplifier->is_ambiguous = false;
  simplifier->tied = 0;
  if (are_in_order(simplifier)) ranks_forget(simplifier);
  else if (!rank_few(simplifier, &changed)) changed = rank(simplifier, map);
  if (map->constraint_count == 0) return changed;
  uint64_t before = simplifier->bounds_hash;
  simplifier->bounds_hash = hash_bounds(simplifier);
  return changed ||
         ((was_ambiguous || simplifier->is_ambiguous) && before != simplifier->bounds_hash);
}
