/* A simplifier that removed variables names the kept ones in the first line of its answer:
 *     kept: d0, d2, rt1
 *     (d0, d1){rt0} -> (d1 + rt0), domain: ...
 * The names are those of the request, in order, without range variables. The following map has only
 * the kept variables, numbered from 0.
 * Keeps: the judged map has all variables of the request. A removed variable is in no result and no
 * constraint, and keeps its bounds. If it mattered, the relation changes, and the judges detect
 * it. */
#ifndef JUDGE_ENGINES_KEPT_H
#define JUDGE_ENGINES_KEPT_H

#include "core/base/text.h"
#include "core/map/map.h"

typedef struct VariablesKept {
  bool is_stated;
  uint32_t counts[3]; /* by VarKind; unused for range variables */
  uint32_t *at[3];    /* [counts]: the number in the request of the i-th kept variable */
} VariablesKept;

/* Parses the line, if there is one, and returns the start of the map. Without a line all variables
 * are kept. Returns false with the reason if a name is not in the request or out of order. */
[[nodiscard]] bool kept_read(Arena *arena, const Map *queried, const char *answer,
    VariablesKept *kept, const char **map, const char **why);
/* Restores the variables of the request. The map must be plain and have the kept variables:
 * asserted. */
[[nodiscard]] bool kept_restore(MapContext *context, const Map *queried, const VariablesKept *kept,
    const Map *map, const Map **restored, Error *error);

#endif
