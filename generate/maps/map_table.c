/* The table of generators of maps. */
#include "generate/maps/map_form.h"

static const struct {
  const MapForm *form; /* nullptr: of the functions */
  MadeMaps (*generate)(Choices *choices, const MapLimits *limits, MapContext *context);
  void (*words)(Text *text);
  const char *limits[2];
} generators[map_generator_count] = {
#define MAP_GENERATOR(id, first, second) \
  {nullptr, generate_maps_##id, words_maps_##id, {first, second}},
#define MAP_FORM(id, first, second) {&form_##id, nullptr, nullptr, {first, second}},
#include "generate/maps/map_generators.def"
};

const char *map_generator_limit(MapGeneratorId id, uint32_t limit) {
  return generators[id].limits[limit];
}

MadeMaps map_generate(
    MapGeneratorId id, Choices *choices, const MapLimits *limits, MapContext *context) {
  return generators[id].form != nullptr
             ? form_generate(generators[id].form, choices, limits, context)
             : generators[id].generate(choices, limits, context);
}

void map_generator_words(MapGeneratorId id, Text *text) {
  if (generators[id].form != nullptr) form_words(generators[id].form, text);
  else generators[id].words(text);
}
