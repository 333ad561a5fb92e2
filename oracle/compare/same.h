/* Shared by the two comparisons of maps. */
#ifndef ORACLE_COMPARE_SAME_H
#define ORACLE_COMPARE_SAME_H

#include "core/base/text.h"
#include "oracle/evaluate/box.h"
#include "oracle/oracle.h"

struct Oracle {
  const MapContext *context;
  OracleLimits limits;
  Arena *arena;
  bool is_terse; /* verdicts about graphs have no sentence */
};

/* "d0 = 3, s0 = 1" with the map's own names. */
void print_variables(Text *text, const Map *map, const int64_t *values);

/* Decides whether a map has a point. Visits the map's box in order up to the first point, at most
 * `limit` points of the box. If those contain none and the box has more, the result is
 * POINT_NOT_KNOWN. A point at which the map leaves int64 counts. `points` counts the visited
 * points. */
typedef enum PointSearch : uint8_t { POINT_NOT_KNOWN, POINT_FOUND, POINT_NONE } PointSearch;
[[nodiscard]] PointSearch search_point(
    Oracle *oracle, const Map *map, int64_t limit, uint64_t *points);

/* Whether two runtime variables have the same source instruction. */
[[nodiscard]] bool same_instruction(const RuntimeSource *a, const RuntimeSource *b);

/* The index map over the box of its map, which has the same variables, and without constraints: its
 * value is needed at the points of the map. */
[[nodiscard]] const Map *index_everywhere(Arena *arena, const Map *index, const Interval *box);

/* The hull of both maps' bounds, for maps over the same variables. */
void hull_of(Box *box, Arena *arena, const Map *a, const Map *b);

#endif
