/* What the two comparisons of maps share. */
#ifndef ORACLE_SAME_H
#define ORACLE_SAME_H

#include "core/base/text.h"
#include "oracle/evaluate/box.h"
#include "oracle/oracle.h"

struct Oracle {
  const MapContext *context;
  OracleLimits limits;
  Arena *arena;
  bool is_terse; /* verdicts about graphs have no sentence */
};

/* "d0 = 3, s0 = 1" with the map's own names; "(3, 7)". */
void print_variables(Text *text, const Map *map, const int64_t *values);
void print_tuple(Text *text, uint32_t count, const int64_t *values);

/* Has a map a point? Visits its box in order up to the first one, and `limit` points at most: none
 * within the limit but some after it, and it is not known. A point at which it leaves int64 is
 * one. `points` counts those visited. */
typedef enum PointSearch : uint8_t { POINT_NOT_KNOWN, POINT_FOUND, POINT_NONE } PointSearch;
[[nodiscard]] PointSearch search_point(
    Oracle *oracle, const Map *map, int64_t limit, uint64_t *points);

/* Two runtime variables come from one instruction. */
[[nodiscard]] bool same_instruction(const RuntimeSource *a, const RuntimeSource *b);

/* The hull of both maps' bounds, for maps over the same variables. */
void hull_of(Box *box, Arena *arena, const Map *a, const Map *b);

#endif
