/* Maps from choices, which scopes of maps enumerate. A generator has two limits; its row of
 * map_generators.def names what they count.
 * Keeps: every choice sequence is a map that passes map_check, and different sequences are
 * different maps. */
#ifndef GENERATE_MAPS_MAP_GENERATOR_H
#define GENERATE_MAPS_MAP_GENERATOR_H

#include "core/base/text.h"
#include "core/map/map.h"
#include "core/base/choices.h"

typedef struct MapLimits {
  uint32_t first;
  int64_t second;
} MapLimits;

/* One map, or two; the second is nullptr if there is one. */
typedef struct MadeMaps {
  const Map *maps[2];
} MadeMaps;

typedef enum MapGeneratorId : uint8_t {
#define MAP_GENERATOR(id, first, second) MAPS_##id,
#include "generate/maps/map_generators.def"
} MapGeneratorId;
static constexpr uint32_t map_generator_count = 0
#define MAP_GENERATOR(id, first, second) +1
#include "generate/maps/map_generators.def"
    ;

/* What the generator's limits count; "": unused. */
[[nodiscard]] const char *map_generator_limit(MapGeneratorId id, uint32_t limit);
/* Makes the maps in the context. context == nullptr: only the choices. */
[[nodiscard]] MadeMaps map_generate(
    MapGeneratorId id, Choices *choices, const MapLimits *limits, MapContext *context);
/* Describes for people what is enumerated, from the same lists as the choices. */
void map_generator_words(MapGeneratorId id, Text *text);

/* Writes `what: item | item`. */
void words_list(Text *text, const char *what, uint32_t count, const char *const *items);

#endif
