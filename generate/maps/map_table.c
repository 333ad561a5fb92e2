/* The table of generators of maps. */
#include "generate/maps/map_generator.h"

const MapGenerator map_generators[map_generator_count] = {
#define MAP_GENERATOR(id, first, second) {generate_maps_##id, words_maps_##id, first, second},
#include "generate/maps/map_generators.def"
#undef MAP_GENERATOR
};
