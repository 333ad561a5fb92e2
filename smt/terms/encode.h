/* Maps as sums: floordiv by a constant c is a quotient atom, ceildiv(x, c) = -floordiv(-x, c), x
 * mod c = x - c*(x floordiv c). All maps of one obligation share one Sums, so equal (x, c) share
 * their quotient across the maps.
 * Rejects (ERROR_INPUT) a divisor that is not a constant > 0. Integers are unbounded: nothing
 * wraps. */
#ifndef SMT_TERMS_ENCODE_H
#define SMT_TERMS_ENCODE_H

#include "core/map/map.h"
#include "smt/terms/sums.h"

/* A missing bound: -no_bound as lo, no_bound as hi. */
static constexpr Wide no_bound = (Wide)1 << 99;

/* lo <= sum <= hi. */
typedef struct Within {
  Sum sum;
  Wide lo, hi;
} Within;

/* The sum of each variable of a map. */
typedef struct MapVariables {
  const Sum *dims, *ranges, *runtimes;
} MapVariables;

typedef struct EncodedMap {
  uint32_t within_count; /* the domain: bounds of dimensions, ranges and runtime variables in that
                            order, then the constraints */
  Within *within;
  uint32_t result_count;
  Sum *results;
} EncodedMap;

/* New free sums, named d0.. s0.. rt0.. */
[[nodiscard]] MapVariables encode_fresh_variables(Sums *sums, const Map *map);
/* A known-empty map is encoded as the constraint 0 in [1, 1], without results. Callers must handle
 * undefined maps. */
[[nodiscard]] bool encode_map(Sums *sums, const MapContext *context, const Map *map,
    const MapVariables *variables, EncodedMap *encoded, Error *error);

#endif
