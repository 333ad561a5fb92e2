/* Maps as integer relations of isl: the traditional polyhedral form as text (domain, schedule and
 * reads, with one statement for each map), and isl as one more judge, of relations and of maps
 * point by point. isl computes with integers of any size, so nothing overflows. isl is optional:
 * without it relation_available is false and the judges return ERROR_ENVIRONMENT; the text needs no
 * isl. ERROR_UNSUPPORTED for a product of two expressions that are not constant, for the map
 * UNDEFINED, and for the judges a map of more than 64 quotients. */
#ifndef CORE_ADAPTERS_ISL_RELATION_H
#define CORE_ADAPTERS_ISL_RELATION_H

#include "core/base/text.h"
#include "core/base/verdict.h"
#include "core/map/map.h"

[[nodiscard]] bool relation_available(void);
/* The version that isl reports; "" without isl. */
[[nodiscard]] const char *relation_version(void);

/* A text that continues others: its first statement, and what follows the names of its three
 * unions, as in `domain_2`. */
typedef struct RelationPart {
  uint32_t first;
  const char *suffix;
} RelationPart;

/* One statement S<k> for each map, over its dimensions, range variables and runtime variables:
 *   domain := { S0[d0, s0] : 0 <= d0 <= 9 and ...; S1[..] : ... };
 *   schedule := { S0[d0, s0] -> [0, d0, s0]; ... };
 *   reads := { S0[d0, s0] -> name[e0, e1]; ... };
 * Other characters of names become _; a nullptr name becomes map<k>. Part nullptr: S0 and no
 * suffix. ERROR_LIMIT for more than 65,536 written nodes. */
[[nodiscard]] bool relation_emit(const MapContext *context, const RelationPart *part,
    uint32_t count, const char *const *names, const Map *const *maps, Text *text, Error *error);

/* For both comparisons below: PROVED the same, REFUTED different, UNKNOWN out of operations. */
typedef struct RelationReport {
  VerdictStatus answer;
  bool has_point;     /* with VERDICT_REFUTED, if the point fits int64 */
  bool only_in_first; /* the relation that contains the point */
  uint32_t in_count, out_count;
  const int64_t *in, *out; /* in the context's arena: d (and s, rt for a comparison of maps), and
                            * e */
} RelationReport;

/* Compares the pairs (d, e) over all range and runtime variables. `operations`: isl's own budget, 0
 * without limit. A known-empty map is the empty relation of any rank; different ranks are
 * ERROR_INPUT. */
[[nodiscard]] bool relation_same(MapContext *context, const Map *a, const Map *b,
    uint64_t operations, RelationReport *report, Error *error);
/* Compares the results at all points (d, s, rt). Different numbers of variables are ERROR_INPUT. */
[[nodiscard]] bool relation_same_map(MapContext *context, const Map *a, const Map *b,
    uint64_t operations, RelationReport *report, Error *error);

/* Checks text that relation_emit wrote: reads, restricted to the domain, must be the maps' pairs,
 * and the schedule must order all of the domain without two points at the same time. The maps are
 * built through isl's functions, not from text. */
[[nodiscard]] bool relation_text_same(MapContext *context, const RelationPart *part, uint32_t count,
    const char *const *names, const Map *const *maps, const char *text, uint64_t operations,
    VerdictStatus *answer, Error *error);

#endif
