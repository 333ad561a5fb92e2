/* One map at every point of its domain, in one of three ways: in place, point by point; in columns
 * of 256 points; compiled through MLIR to machine code, which is opened when it is first needed.
 * All three answer the same; which is fastest depends on the number of points, and the switch
 * points are measured (bench/evaluate.c prints them; docs/decisions/0006-evaluators.md). Runtime
 * variables run through their bounds like any other variable.
 * Rejects with ERROR_OVERFLOW a value that leaves int64 at a point of the domain (with its point,
 * in place), with ERROR_LIMIT what is past the limits, with ERROR_UNSUPPORTED the map UNDEFINED.
 * Where nobody has fixed the way, what the compiled way rejects is done in columns, and what
 * columns cannot hold in place. */
#ifndef ORACLE_EVALUATE_MAP_H
#define ORACLE_EVALUATE_MAP_H

#include "oracle/oracle.h"

typedef enum EvaluateWay : uint8_t {
  EVALUATE_IN_PLACE,
  EVALUATE_IN_COLUMNS,
  EVALUATE_COMPILED
} EvaluateWay;
[[nodiscard]] const char *evaluate_way_text(EvaluateWay way);

/* From so many points on the next way is the faster one. */
static constexpr int64_t evaluate_columns_from = 4;
static constexpr int64_t evaluate_compiled_from = 10'000'000;
static constexpr uint64_t evaluate_most_bits = UINT64_C(7) << 29; /* of an image: 448 MB */

typedef struct MapCount {
  uint64_t points;   /* of the box of the variables' bounds */
  uint64_t inside;   /* of them in the domain */
  uint32_t checksum; /* the sum over these of (k + 1) * result k, modulo 2^32 */
  EvaluateWay way;
} MapCount;

/* `way` nullptr: the fastest. */
[[nodiscard]] bool evaluate_count(
    MapContext *context, const Map *map, const EvaluateWay *way, MapCount *count, Error *error);

/* What a map's results are among the elements of a tensor with sizes [result_count]. */
typedef struct MapImage {
  uint64_t points, inside;
  uint64_t outside;   /* points of the domain whose results are no element */
  uint64_t repeated;  /* whose element some point before has already */
  uint64_t elements;  /* of the tensor */
  bool is_one_to_one; /* no two points have one element, and none lies outside */
  bool is_onto;       /* every element is some point's */
  EvaluateWay way;
} MapImage;

[[nodiscard]] bool evaluate_image(MapContext *context, const Map *map, const int64_t *sizes,
    const EvaluateWay *way, MapImage *image, Error *error);

/* Do two maps over the same variables agree at every point, both outside, or both inside with the
 * same results? oracle_same_map up to the switch point, compiled above; a difference that compiled
 * code finds is stated by evaluating that point in place, and where that finds none the answer is
 * an error: one of the two is broken. Maps with runtime variables are never compiled: their sources
 * are compared as well. */
[[nodiscard]] bool evaluate_same(MapContext *context, Oracle *oracle, const Map *before,
    const Map *after, uint64_t limit, const EvaluateWay *way, Verdict *verdict, Error *error);

#endif
