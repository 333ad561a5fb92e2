/* Replacing the variables of a map, and numbering them otherwise. */
#ifndef CORE_SIMPLIFY_RENEW_H
#define CORE_SIMPLIFY_RENEW_H

#include "core/map/map.h"

/* Writes results, constraints, runtime variables and their sources of `map`, rewritten by the
 * substitution, into `renewed`, which has room for as many and whose dims and ranges are set. Names
 * stay with runtime variables. False past expr_max_depth. */
[[nodiscard]] bool map_renew(
    MapContext *context, const Map *map, const Substitution *by, Map *renewed, Error *error);

/* The index map of a runtime variable, over the variables that `owner` has now. nullptr, known
 * empty and undefined stay. False past expr_max_depth. */
[[nodiscard]] bool map_renew_index(MapContext *context, const Map *owner, const Substitution *by,
    const Map *index, const Map **renewed, Error *error);

/* The same of a substitution of variables for variables: expressions keep their shape, so that
 * nothing can become too deep. */
void exprs_renumber(
    MapContext *context, const Substitution *by, uint32_t count, const Expr *from, Expr *into);
[[nodiscard]] const Map *index_renumber(
    MapContext *context, const Map *owner, const Substitution *by, const Map *index);

/* Variable i of a kind becomes to[kind][i]: a permutation each. */
typedef struct Numbering {
  uint32_t *to[3];
} Numbering;

/* The same map with its variables numbered otherwise; names and sources follow. A map without
 * variables to number stays as it is. */
[[nodiscard]] const Map *map_renumber(
    MapContext *context, const Map *map, const Numbering *numbering);

#endif
