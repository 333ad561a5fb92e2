/* Telling variables apart by what a map does when one of them moves. */
#ifndef CORE_SIMPLIFY_TELL_APART_H
#define CORE_SIMPLIFY_TELL_APART_H

#include "core/simplify/engine.h"

typedef struct Entry {
  Interval bounds;
  uint64_t width;
  VarKind kind;
  uint32_t index, turn;
  uint32_t group; /* equal for those that nothing tells apart: the place of the first of them */
  uint32_t lane;
  bool is_absent; /* from all results and constraints, as far as is known */
} Entry;

/* Sorts each group by what the map does, and splits it. False where some are not told apart. */
[[nodiscard]] bool tell_apart(
    Simplifier *simplifier, const Map *map, Entry *entries, uint32_t count);

#endif
