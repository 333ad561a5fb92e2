/* Maps as integer relations of isl: the traditional polyhedral form as text (domain, schedule and
 * reads of one statement a map), and isl as one more judge, for relations and for maps point by
 * point. isl computes in integers of any size, so nothing overflows here. isl is optional: without
 * it relation_available is false and the judges are ERROR_ENVIRONMENT; the text needs no isl.
 * Rejected with ERROR_UNSUPPORTED: a product of two expressions that are not constant, and the map
 * UNDEFINED. */
#ifndef CORE_ISL_RELATION_H
#define CORE_ISL_RELATION_H

#include "core/base/text.h"
#include "core/base/verdict.h"
#include "core/map/map.h"

[[nodiscard]] bool relation_available(void);
/* As isl says it; "" without it. */
[[nodiscard]] const char *relation_version(void);

/* One statement S<k> a map, over its dimensions, range variables and runtime variables:
 *   domain := { S0[d0, s0] : 0 <= d0 <= 9 and ...; S1[..] : ... };
 *   schedule := { S0[d0, s0] -> [0, d0, s0]; ... };
 *   reads := { S0[d0, s0] -> name[e0, e1]; ... };
 * Names become letters, digits and _; nullptr is map<k>. Past 65,536 nodes written out:
 * ERROR_LIMIT. */
[[nodiscard]] bool relation_emit(const MapContext *context, uint32_t count,
    const char *const *names, const Map *const *maps, Text *text, Error *error);

/* Of both questions below: PROVED the same, REFUTED different, UNKNOWN out of operations. */
typedef struct RelationReport {
  VerdictStatus answer;
  bool has_point;     /* of VERDICT_REFUTED, where it fits int64 */
  bool only_in_first; /* which relation holds the point */
  uint32_t in_count, out_count;
  const int64_t *in, *out; /* in the context's arena: d (and s, rt when maps are compared), and e */
} RelationReport;

/* The same pairs (d, e), over all range and runtime variables? `operations`: isl's own budget, 0
 * without limit. A known-empty map is the empty relation of any rank; other ranks that differ are
 * ERROR_INPUT. */
[[nodiscard]] bool relation_same(MapContext *context, const Map *a, const Map *b,
    uint64_t operations, RelationReport *report, Error *error);
/* The same results at the same points (d, s, rt)? Numbers of variables that differ are
 * ERROR_INPUT. */
[[nodiscard]] bool relation_same_map(MapContext *context, const Map *a, const Map *b,
    uint64_t operations, RelationReport *report, Error *error);

/* Does text that relation_emit wrote say these maps: reads, restricted to the domain, are the maps'
 * pairs, and the schedule orders all of the domain without two points at one time? The maps are
 * built through isl's functions, not from text. */
[[nodiscard]] bool relation_text_same(MapContext *context, uint32_t count, const char *const *names,
    const Map *const *maps, const char *text, uint64_t operations, VerdictStatus *answer,
    Error *error);

#endif
