/* Parses a map from a text that must be valid. */
#include "core/adapters/mlir/walk.h"

#include <stdlib.h>
#include <string.h>

#include "core/map/text.h"

const Map *walk_parse(MapContext *context, const char *text) {
  Error error = {};
  const Map *map = nullptr;
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  if (map_parse(context, &source, &map, &error)) return map;
  error_print(&error, stderr);
  abort();
}
