/* The maps that bench_simplify measures. */
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
  double xla_nanoseconds; /* time of XLA's engine, on a comparable machine */
} BenchMap;

extern const BenchMap reference_maps[];
extern const uint32_t reference_map_count;

/* Appends raw maps of the modules in `directory` to `list`, in both directions: between the root
 * and the parameters of each computation of at most 120 instructions, and for fusions also of each
 * instruction. Each text occurs once; at most `limit` maps. */
void fusion_maps(MapContext *context, const char *directory, uint32_t limit, MapList *list);

/* Kinds of sums of about `nodes` summands. */
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
