/* Options of affirm map beyond plain maps: threads in place of output elements, or devices added to
 * both sides. */
#ifndef CLI_MAP_H
#define CLI_MAP_H

#include "cli/map/use.h"

typedef struct MapQuery {
  bool has_threads, has_order, has_devices;
  ThreadGrid grid;
  UseOrder order; /* of the output's dimensions, minor first; without it the output's layout is
                     used */
  IndexMesh world;
} MapQuery;

/* Parses `128` or `128,4`: threads of a block and elements of a thread. */
[[nodiscard]] bool map_threads_parse(const char *text, ThreadGrid *grid);
/* Parses `8` or `4,2`: replicas and partitions. */
[[nodiscard]] bool map_devices_parse(const char *text, IndexMesh *world);

/* Computes (th_x, bl_x) -> element of an output leaf, simplified unless the judge's maps are raw.
 * No map if the leaf has no elements. */
[[nodiscard]] bool map_query_grid(
    Judge *judge, const MapQuery *query, const Shape *output, MapSet *maps, Error *error);
/* The engine's maps, composed with the thread map, or with devices. */
[[nodiscard]] bool map_query(
    Judge *judge, const MapQuery *query, const Question *question, MapSet *maps, Error *error);

#endif
