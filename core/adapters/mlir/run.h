/* Maps evaluated over whole domains by machine code: a kernel in the simplified polyhedral form,
 * compiled through MLIR's own pipeline (25 ms), then about a billion points a second. A judge of
 * its own: the arithmetic is MLIR's and LLVM's, the widths are this directory's (magnitude.h).
 * LLVM may prove what it need not visit: two maps that it sees to be equal are compared in no time,
 * and `points` counts them all the same. All go over the box of the variables' bounds and test the
 * domain at each point. They reject with ERROR_OVERFLOW what could leave int64 when regrouped, with
 * ERROR_LIMIT boxes of more than 2^63 points, with ERROR_UNSUPPORTED the map UNDEFINED, with
 * ERROR_ENVIRONMENT what MLIR rejects. Each call has an MLIR context of its own: nothing grows from
 * call to call. */
#ifndef CORE_MLIR_RUN_H
#define CORE_MLIR_RUN_H

#include "core/map/map.h"

/* Asked after every slab of about 2^26 points; false ends the run, and the report says `stopped`.
 * Null: never. */
typedef struct RunControl {
  bool (*go_on)(void *user, uint64_t points_done, uint64_t points);
  void *user;
} RunControl;

typedef struct RunReport {
  uint64_t points; /* visited */
  uint64_t inside; /* of them inside the (first) map's domain */
  bool stopped;    /* by the control: the rest was not visited, and nothing is claimed about it */
  uint32_t width;  /* bits of an index in the machine code; 0 when there was no point to visit */
  double compile_seconds, run_seconds;
} RunReport;

/* Do two maps agree at every point of the hull of their boxes: both outside, or both inside with
 * the same results? Same numbers of variables and results (a known-empty map may have none), else
 * ERROR_INPUT. */
typedef struct SameMapRun {
  RunReport run;
  bool differs;
  int64_t *first; /* [dims, ranges, runtimes] of the first point that differs, row-major; in the
                     context's arena */
} SameMapRun;
[[nodiscard]] bool mlir_same_map(MapContext *context, const Map *before, const Map *after,
    const RunControl *control, SameMapRun *report, Error *error);

/* Points inside, and the sum over them of (k + 1) * result k, modulo 2^32. */
typedef struct CountRun {
  RunReport run;
  uint32_t checksum;
} CountRun;
[[nodiscard]] bool mlir_count(
    MapContext *context, const Map *map, const RunControl *control, CountRun *report, Error *error);

/* Marks bit r = row-major place of the results in `sizes` for every point inside. `words`: (product
 * of sizes + 63) / 64 words, the caller's; bits that are set stay set. A map is one-to-one when
 * repeated = 0, and onto when inside - outside - repeated equals the product of the sizes, from
 * cleared words. The product must be at most 2^40. */
typedef struct ImageRun {
  RunReport run;
  uint64_t outside;  /* points whose results leave the sizes */
  uint64_t repeated; /* points whose bit was set already */
} ImageRun;
[[nodiscard]] bool mlir_image(MapContext *context, const Map *map, const int64_t *sizes,
    uint64_t *words, const RunControl *control, ImageRun *report, Error *error);

/* Runs what affine_emit prints, with a pair function that stores: every point inside and its
 * results, in the order of the loops. At most `limit` points in the box, else ERROR_LIMIT. */
typedef struct PairsRun {
  uint64_t count;
  uint32_t width;        /* variables + results */
  const int64_t *values; /* [count][width], in the context's arena */
} PairsRun;
[[nodiscard]] bool mlir_pairs(
    MapContext *context, const Map *map, uint64_t limit, PairsRun *report, Error *error);

#endif
