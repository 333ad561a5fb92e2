/* Replacing the variables of a map, and numbering them otherwise. */
#ifndef CORE_SIMPLIFY_RENEW_H
#define CORE_SIMPLIFY_RENEW_H

#include "core/map/map.h"

/* Writes results, constraints, runtime variables and their sources of `map`, rewritten by the substitution, into `renewed`, which has room
 * for as many and whose dims and ranges are set. Names stay with runtime variables. False past expr_max_depth. */
[[nodiscard]] bool map_renew(MapContext *context, const Map *map, const Substitution *by, Map *renewed, Error *error);

/* Variable i of a kind becomes to[kind][i]: a permutation each. */
typedef struct Numbering {
  uint32_t *to[3];
} Numbering;

/* The same map with its variables numbered otherwise; names and sources follow. A map without variables to number stays as it is. */
[[nodiscard]] const Map *map_renumber(MapContext *context, const Map *map, const Numbering *numbering);

#endif
