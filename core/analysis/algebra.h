/* Properties of a map that are decided by counting its points: their number, bounds of the image,
 * injective, bijective, the inverse. */
#ifndef CORE_ANALYSIS_ALGEBRA_H
#define CORE_ANALYSIS_ALGEBRA_H

#include "core/base/verdict.h"
#include "core/simplify/variables.h"

/* ---- count.c ---- */

/* The exact number of points (d, s, rt) of the domain. Variables that no constraint connects are
 * counted separately and multiplied, the others by halving their box. ERROR_LIMIT if this takes
 * more than `budget` steps, ERROR_OVERFLOW past UINT64_MAX, ERROR_UNSUPPORTED for the map
 * UNDEFINED. */
[[nodiscard]] bool map_count_points(
    Simplifier *simplifier, const Map *map, uint64_t budget, uint64_t *count, Error *error);

/* ---- bounds of the image ---- */

/* Bounds of each result over the variables' bounds; they contain the image. False on overflow. The
 * map must be MAP_PLAIN. */
[[nodiscard]] bool map_image_bounds(MapContext *context, const Map *map, Interval *bounds);

/* ---- injective.c ---- */

/* Larger budgets are reduced to this. */
static constexpr uint64_t map_most_budget = UINT64_C(1) << 24;

/* Decides whether different points (d, s, rt) have different results. VERDICT_PROVED by an inverse
 * or by visiting all points; VERDICT_REFUTED by two points with one result or by counting; each in
 * at most `budget` steps, and 2^17 more that name two points after counting; else VERDICT_UNKNOWN.
 * `why` (or nullptr) receives the points, the counts if none are named, or what is open. It is
 * allocated, like all temporary data, in the context's arena, which the caller rewinds. */
[[nodiscard]] VerdictStatus map_is_injective(
    Simplifier *simplifier, const Map *map, uint64_t budget, const char **why);
/* Decides whether the map is injective and its results are exactly the indices of the box [0,
 * sizes[i]), i < rank. `rank` is the number of results, unless the map is known empty. */
[[nodiscard]] VerdictStatus map_is_bijective(Simplifier *simplifier, const Map *map, uint32_t rank,
    const int64_t *sizes, uint64_t budget, const char **why);

/* ---- invert.c ---- */

/* The inverse of a map whose results determine its dimensions: (e) -> (d), over exactly the e that
 * are results of a point. Checked by rewriting: inverse(map(d)) simplifies to d. ERROR_UNSUPPORTED
 * for a map with range or runtime variables, and if no inverse is found. */
[[nodiscard]] bool map_inverse(
    Simplifier *simplifier, const Map *map, const Map **inverse, Error *error);
/* True if the search of map_inverse expresses each dimension by the results, so that the map is
 * injective. The domain of the inverse may leave int64. */
[[nodiscard]] bool map_is_decoded(Simplifier *simplifier, const Map *map);

#endif
