/* Evaluates maps over whole domains by machine code: a kernel in the simplified polyhedral form,
 * compiled through MLIR's own pipeline (25 ms), then about a billion points a second. This is an
 * independent judge: the arithmetic is MLIR's and LLVM's, the widths are this directory's
 * (magnitude.h). LLVM may skip points that it proves unnecessary: two maps that it recognises as
 * equal are compared in no time, but `points` still counts all points. Every run visits the box of
 * the variables' bounds and tests the domain at each point. ERROR_OVERFLOW if a regrouped
 * expression could leave int64, ERROR_LIMIT for boxes of more than 2^63 points, ERROR_UNSUPPORTED
 * for the map UNDEFINED, ERROR_ENVIRONMENT if MLIR rejects the text. Each call has its own MLIR
 * context, so memory does not grow from call to call. */
#ifndef CORE_ADAPTERS_MLIR_RUN_H
#define CORE_ADAPTERS_MLIR_RUN_H

#include "core/map/map.h"

/* Called after every slab of about 2^26 points; false ends the run, and the report is `stopped`. A
 * null control never stops. */
typedef struct RunControl {
  bool (*go_on)(void *user, uint64_t points_done, uint64_t points);
  void *user;
} RunControl;

typedef struct RunReport {
  uint64_t points; /* visited */
  uint64_t inside; /* of those, points inside the (first) map's domain */
  bool stopped;    /* ended by the control: the rest was not visited, and nothing is claimed about
                    * it */
  uint32_t width;  /* bits of an index in the machine code; 0 if there was no point to visit */
  double compile_seconds, run_seconds;
} RunReport;

/* Decides whether two maps agree at every point of the hull of their boxes: both outside, or both
 * inside with the same results. The numbers of variables and results must be equal (a known-empty
 * map may have none), else ERROR_INPUT. */
typedef struct SameMapRun {
  RunReport run;
  bool differs;
  int64_t *first; /* [dims, ranges, runtimes] of the first differing point, row-major; in the
                   * context's arena */
} SameMapRun;
[[nodiscard]] bool mlir_same_map(MapContext *context, const Map *before, const Map *after,
    const RunControl *control, SameMapRun *report, Error *error);

/* Counts the points inside, and sums (k + 1) * result k over them, modulo 2^32. */
typedef struct CountRun {
  RunReport run;
  uint32_t checksum;
} CountRun;
[[nodiscard]] bool mlir_count(
    MapContext *context, const Map *map, const RunControl *control, CountRun *report, Error *error);

/* For every point inside, marks bit r = the row-major position of the results in `sizes`. `words`:
 * the caller's, (product of sizes + 63) / 64 words; set bits remain set. Starting from cleared
 * words, a map is one-to-one if repeated = 0, and onto if inside - outside - repeated equals the
 * product of the sizes. The product must be at most 2^40, else ERROR_LIMIT. */
typedef struct ImageRun {
  RunReport run;
  uint64_t outside;  /* points whose results leave the sizes */
  uint64_t repeated; /* points whose bit was already set */
} ImageRun;
[[nodiscard]] bool mlir_image(MapContext *context, const Map *map, const int64_t *sizes,
    uint64_t *words, const RunControl *control, ImageRun *report, Error *error);

/* Runs the text of affine_emit with a pair function that stores every point inside and its results,
 * in the order of the loops. The box may have at most `limit` points, else ERROR_LIMIT. */
typedef struct PairsRun {
  uint64_t count;
  uint32_t width;        /* variables + results */
  const int64_t *values; /* [count][width], in the context's arena */
} PairsRun;
[[nodiscard]] bool mlir_pairs(
    MapContext *context, const Map *map, uint64_t limit, PairsRun *report, Error *error);

#endif
