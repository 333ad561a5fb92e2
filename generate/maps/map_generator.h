/* Maps as text, built from choices, which scopes of maps enumerate. A generator has two limits; its
 * row of map_generators.def names what they count.
 * Keeps: every choice sequence is a map that parses, and different sequences are different
 * texts. */
#ifndef GENERATE_MAPS_MAP_GENERATOR_H
#define GENERATE_MAPS_MAP_GENERATOR_H

#include "core/base/text.h"
#include "generate/choices/choices.h"

typedef struct MapLimits {
  uint32_t first;
  int64_t second;
} MapLimits;

typedef enum MapGeneratorId : uint8_t {
#define MAP_GENERATOR(id, first, second) MAPS_##id,
#include "generate/maps/map_generators.def"
#undef MAP_GENERATOR
} MapGeneratorId;
static constexpr uint32_t map_generator_count = 0
#define MAP_GENERATOR(id, first, second) +1
#include "generate/maps/map_generators.def"
#undef MAP_GENERATOR
    ;

typedef struct MapGenerator {
  /* text == nullptr: only the choices. */
  void (*generate)(Choices *choices, const MapLimits *limits, Text *text);
  /* Describes for people what is enumerated, from the same lists as the choices. */
  void (*words)(Text *text);
  const char *first, *second; /* what the limits count; "": unused */
} MapGenerator;
extern const MapGenerator map_generators[map_generator_count];

#define MAP_GENERATOR(id, first, second) \
  void generate_maps_##id(Choices *choices, const MapLimits *limits, Text *text); \
  void words_maps_##id(Text *text);
#include "generate/maps/map_generators.def"
#undef MAP_GENERATOR

/* Inclusive bounds of a variable or of a constraint. */
typedef struct ListedInterval {
  int lo, hi;
} ListedInterval;

#define LIST_COUNT(list) (sizeof(list) / sizeof *(list))
/* Chooses an item of a list; writes the description of a list. */
#define choose_item(choices, list) (&(list)[choose((choices), LIST_COUNT(list))])
void words_intervals(Text *text, const char *what, uint32_t count, const ListedInterval *list);
void words_integers(Text *text, const char *what, uint32_t count, const int *list);
/* Writes `what: item | item`. */
void words_list(Text *text, const char *what, uint32_t count, const char *const *items);

/* Five boxes, two of them with negative numbers. */
extern const ListedInterval linear_bounds[5];
/* Writes `, domain: d0 in [0, 3], s0 in [-3, 2]` with two chosen boxes. */
void choose_linear_domain(Choices *choices, Text *text);

/* text_printf if text is not nullptr. */
[[gnu::format(printf, 2, 3)]] void text_where(Text *text, const char *format, ...);

#endif
