/* Containment of relations whose runtime variables are elements of instructions: the same element
 * has the same value, different elements may differ. */
#ifndef ORACLE_COMPARE_SAME_ELEMENTS_H
#define ORACLE_COMPARE_SAME_ELEMENTS_H

#include "oracle/compare/same.h"

typedef struct ElementsMap {
  const char *name;
  const Map *map;
  bool is_empty; /* no points, whatever the map states */
} ElementsMap;

/* Whether one of the maps has runtime variables, and the instruction and index map of every runtime
 * variable are known. */
[[nodiscard]] bool elements_are_stated(const Map *before, const Map *after);

/* Whether, at every index of `dims` and for all element values, every result of `some` is a result
 * of `all`. On false, the verdict is set: VERDICT_REFUTED, or VERDICT_UNKNOWN past `limit` points.
 * Both maps have the same number of dimensions, and the same number of results, at most
 * oracle_max_rank. */
[[nodiscard]] bool elements_contained(Oracle *oracle, const Box *dims, ElementsMap some,
    ElementsMap all, int64_t limit, Verdict *verdict);

#endif
