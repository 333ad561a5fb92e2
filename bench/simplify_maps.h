/* The maps that are measured. */
#ifndef BENCH_SIMPLIFY_MAPS_H
#define BENCH_SIMPLIFY_MAPS_H

#include "core/map/map.h"

typedef struct MapList {
  uint32_t count, capacity;
  const Map **items;
} MapList;

typedef struct BenchMap {
  const char *name;
  const char *text;
  double xla_nanoseconds; /* XLA's engine on a machine of this size */
} BenchMap;

extern const BenchMap reference_maps[];
extern const uint32_t reference_map_count;

/* Raw maps, both directions, of fusions (through them, and of each instruction inside) and small
 * computations of the modules in `directory`: each text once, at most `limit`. */
void fusion_maps(MapContext *context, const char *directory, uint32_t limit, MapList *list);

/* Sums of `nodes` summands or so, of one kind. */
typedef enum SumKind : uint8_t {
  SUM_LINEAR,
  SUM_DIGITS,
  SUM_REMAINDERS,
  SUM_INSIDE_MOD,
  SUM_INSIDE_FLOORDIV,
  SUM_NESTED,
  SUM_KINDS
} SumKind;
extern const char *const sum_kind_names[SUM_KINDS];
[[nodiscard]] const Map *sum_map(MapContext *context, SumKind kind, uint32_t nodes);

#endif
