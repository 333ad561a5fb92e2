/* isl on the comparable job: a map as a piecewise multi-affine function, simplified within its
 * domain. */
#ifndef BENCH_SIMPLIFY_ISL_H
#define BENCH_SIMPLIFY_ISL_H

#include "core/map/map.h"

typedef struct IslJob IslJob;

/* Reads the map's text; nullptr where isl is not installed or cannot say the map (a product of
 * variables). */
[[nodiscard]] IslJob *isl_job_create(const MapContext *context, const Map *map);
/* The timed part: copies, gist over the domain, coalesce. */
void isl_job_run(IslJob *job);
void isl_job_destroy(IslJob *job);

#endif
