/* The comparable job for isl: a map as a piecewise multi-affine function, simplified within its
 * domain. */
#ifndef BENCH_SIMPLIFY_ISL_H
#define BENCH_SIMPLIFY_ISL_H

#include "core/map/map.h"

typedef struct IslJob IslJob;

/* Reads the map's text. Returns nullptr if isl is not installed or rejects the map, or if the map
 * has a product of variables or a divisor that is not constant. The caller destroys the job. */
[[nodiscard]] IslJob *isl_job_create(const MapContext *context, const Map *map);
/* The timed part: copies the function, takes its gist over the domain, and coalesces it. */
void isl_job_run(IslJob *job);
void isl_job_destroy(IslJob *job);

#endif
