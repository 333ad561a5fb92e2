/* Containment of relations whose runtime variables are said to be elements of instructions: equal
 * elements have equal values, others may differ. */
#ifndef ORACLE_SAME_ELEMENTS_H
#define ORACLE_SAME_ELEMENTS_H

#include "oracle/compare/same.h"

typedef struct ElementsMap {
  const char *name;
  const Map *map;
  bool is_empty; /* whatever the map says */
} ElementsMap;

/* One of the two has runtime variables, and of each the instruction and a map to its element are
 * known. */
[[nodiscard]] bool elements_are_stated(const Map *before, const Map *after);

/* At every index of `dims`, whatever the values of elements, every result of `some` is one of
 * `all`'s. Otherwise false with the answer: VERDICT_REFUTED, or VERDICT_UNKNOWN past `limit`
 * points. The maps have as many dimensions and results as each other, at most oracle_max_rank
 * results. */
[[nodiscard]] bool elements_contained(Oracle *oracle, const Box *dims, ElementsMap some,
    ElementsMap all, int64_t limit, Verdict *verdict);

#endif
