/* An answer of a simplifier that removed variables says which ones it kept, in its first line:
 *     kept: d0, d2, rt1
 *     (d0, d1){rt0} -> (d1 + rt0), domain: ...
 * The names are those of the request, in their order; range variables are not among them. The map
 * after it has the kept ones alone, numbered from 0.
 * Keeps: the map that is judged has all variables of the request again. A removed one stands in no
 * result and no constraint, and has the bounds that it had: where it mattered, the relation is
 * another, and the judges see it. */
#ifndef JUDGE_KEPT_H
#define JUDGE_KEPT_H

#include "core/base/text.h"
#include "core/map/map.h"

typedef struct VariablesKept {
  bool is_stated;
  uint32_t counts[3]; /* by VarKind; of range variables nothing is said */
  uint32_t *at[3];    /* [counts]: the number in the request of the i-th one that was kept */
} VariablesKept;

/* Reads the line, where there is one, and gives where the map begins. Without one all are kept.
 * False with the reason: a name that is none of the request's, or out of order. */
[[nodiscard]] bool kept_read(Arena *arena, const Map *asked, const char *answer,
    VariablesKept *kept, const char **map, const char **why);
/* The map with the variables of the request. For a plain map with the kept ones: asserted. */
[[nodiscard]] bool kept_restore(MapContext *context, const Map *asked, const VariablesKept *kept,
    const Map *map, const Map **restored, Error *error);

#endif
