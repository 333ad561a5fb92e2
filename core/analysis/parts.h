/* A map split into independent parts: the results, constraints and variables of one part share
 * nothing with those of another. The points of the map are the product of the points of its parts,
 * and so are its results. Dimensions, range and runtime variables are treated alike. */
#ifndef CORE_ANALYSIS_PARTS_H
#define CORE_ANALYSIS_PARTS_H

#include "core/map/map.h"

typedef struct PartVariable {
  VarKind kind;
  uint32_t index;
  Interval bounds;
} PartVariable;

typedef struct Part {
  uint32_t variable_count, result_count, constraint_count;
  PartVariable *variables; /* [variable_count] */
  uint32_t *results;       /* [result_count] positions in the map */
  uint32_t *constraints;   /* [constraint_count] positions in the map */
} Part;

typedef struct Parts {
  uint32_t count;
  Part *items; /* [count], ordered by first result; parts without results come last */
} Parts;

[[nodiscard]] Parts parts_of(const MapContext *context, const Map *map);

/* The distinct result tuples of a part, as rows of result_count numbers in ascending order. */
typedef struct PartImage {
  uint64_t count;
  int64_t *rows;
} PartImage;
/* The values of a part with one result, if they are known without enumeration: every stride-th
 * value from first to last. */
typedef struct PartProgression {
  int64_t first, last, stride, count;
} PartProgression;
/* False if they are not known: because of a constraint, an empty variable, an expression other than
 * a sum of variables, gaps, or a value past int64. */
[[nodiscard]] bool part_progression(
    MapContext *context, const Map *map, const Part *part, PartProgression *progression);
/* The part as a map with only dimensions, and with the part's results and constraints. */
[[nodiscard]] const Map *part_map(MapContext *context, const Map *map, const Part *part);

/* Enumerates the part's points. ERROR_LIMIT for more than `limit` points, ERROR_OVERFLOW if a value
 * leaves int64. */
[[nodiscard]] bool part_image(const MapContext *context, const Map *map, const Part *part,
    uint64_t limit, PartImage *image, Error *error);
/* Sets whether the part has a point; a part without results is enumerated too. False only on an
 * error, as for part_image. */
[[nodiscard]] bool part_has_point(const MapContext *context, const Map *map, const Part *part,
    uint64_t limit, bool *has_point, Error *error);

#endif
