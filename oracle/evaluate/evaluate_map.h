/* Evaluates one map at every point of its domain, in one of three ways: in place, point by point;
 * in columns of 256 points; or compiled through MLIR to machine code. The MLIR library is opened
 * when first needed. All three return the same results. The fastest way depends on the number of
 * points; the switch points are measured (bench/evaluate.c prints them;
 * docs/decisions/0006-evaluators.md). Runtime variables take all values in their bounds, like any
 * other variable.
 * Errors: ERROR_OVERFLOW for a value that leaves int64 at a point of the domain (in place, with the
 * point); ERROR_LIMIT past a limit; ERROR_UNSUPPORTED for the map UNDEFINED. If the caller has not
 * fixed the way, a map that the compiled way rejects is evaluated in columns. A map whose values do
 * not fit columns is then evaluated in place. */
#ifndef ORACLE_EVALUATE_EVALUATE_MAP_H
#define ORACLE_EVALUATE_EVALUATE_MAP_H

#include "oracle/oracle.h"

typedef enum EvaluateWay : uint8_t {
  EVALUATE_IN_PLACE,
  EVALUATE_IN_COLUMNS,
  EVALUATE_COMPILED
} EvaluateWay;
[[nodiscard]] const char *evaluate_way_text(EvaluateWay way);

/* The number of points from which the next way is faster. */
static constexpr int64_t evaluate_columns_from = 4;
static constexpr int64_t evaluate_compiled_from = 10'000'000;
static constexpr uint64_t evaluate_most_bits = UINT64_C(7) << 29; /* of an image: 448 MB */

typedef struct MapCount {
  uint64_t points;   /* of the box of the variables' bounds */
  uint64_t inside;   /* points of the box that are in the domain */
  uint32_t checksum; /* the sum over the points inside of (k + 1) * result k, modulo 2^32 */
  EvaluateWay way;
} MapCount;

/* `way` nullptr: the fastest. */
[[nodiscard]] bool evaluate_count(
    MapContext *context, const Map *map, const EvaluateWay *way, MapCount *count, Error *error);

/* The image of a map: its results among the elements of a tensor with sizes [result_count]. */
typedef struct MapImage {
  uint64_t points, inside;
  uint64_t outside;   /* points of the domain whose results are no element */
  uint64_t repeated;  /* points whose element is also that of an earlier point */
  uint64_t elements;  /* of the tensor */
  bool is_one_to_one; /* no two points have the same element, and none lies outside */
  bool is_onto;       /* every element is the result of some point */
  EvaluateWay way;
} MapImage;

[[nodiscard]] bool evaluate_image(MapContext *context, const Map *map, const int64_t *sizes,
    const EvaluateWay *way, MapImage *image, Error *error);

/* Compares two maps over the same variables: they must agree at every point, both outside, or both
 * inside with the same results. Uses oracle_same_map below the switch point and compiled code above
 * it. A difference found by compiled code is confirmed by evaluating that point in place; a
 * difference that is not confirmed is an error, because one of the two evaluators is broken. Maps
 * with runtime variables are never compiled, because their sources are compared as well. */
[[nodiscard]] bool evaluate_same(MapContext *context, Oracle *oracle, const Map *before,
    const Map *after, uint64_t limit, const EvaluateWay *way, Verdict *verdict, Error *error);

#endif
