/* Maps that passed the checks of their form in an earlier case. These checks read the map and
 * nothing else of its case, and most maps of a scope repeat. A known map is the same map, word by
 * word, of which a copy is kept; a hash alone never decides. */
#ifndef EXHAUST_KNOWN_MAPS_H
#define EXHAUST_KNOWN_MAPS_H

#include "core/map/map.h"

typedef struct KnownMap {
  uint32_t length;
  const uint64_t *words;
  bool is_settled; /* it is idempotent and canonical */
  bool reads_back; /* its printed line reads back */
} KnownMap;

typedef struct KnownMaps KnownMaps;
/* GIVE: the caller destroys it. */
[[nodiscard]] KnownMaps *known_maps_create(void);
void known_maps_destroy(KnownMaps *known);
/* The entry of the map, added without a passed check if the map is new. nullptr for a map that is
 * never known: it is not plain, has names or a source without an instruction, is large, or the
 * memory is used up. */
[[nodiscard]] KnownMap *known_map(KnownMaps *known, const ExprPool *pool, const Map *map);

#endif
