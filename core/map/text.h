/* Maps as text (the grammar is in docs/formats.md). A printed map parses back to the same map. */
#ifndef CORE_MAP_TEXT_H
#define CORE_MAP_TEXT_H

#include "core/base/text.h"
#include "core/map/map.h"

typedef enum MapStyle : uint8_t {
  MAP_STYLE_LINE,   /* one line */
  MAP_STYLE_PRETTY, /* one bound a line */
  MAP_STYLE_XLA,    /* one line, '/' for floordiv */
  MAP_STYLE_STATED, /* as LINE, with the constraints in their stated order */
} MapStyle;

/* Parses one map that fills the whole source, `runtime variables:` lines included. Sources of
 * runtime variables get a name and an index; `instruction` stays null. */
[[nodiscard]] bool map_parse(
    MapContext *context, const Source *source, const Map **map, Error *error);
/* Parses a single expression over variables named d0.., s0.., rt0... */
[[nodiscard]] bool expr_parse(MapContext *context, const Source *source, Expr *expr, Error *error);

void map_print(Text *text, const MapContext *context, const Map *map, MapStyle style);
[[nodiscard]] const char *map_text(
    Arena *arena, const MapContext *context, const Map *map, MapStyle style);
/* Names come from `map`; nullptr prints d0, s0, rt0. */
void expr_print(Text *text, const MapContext *context, const Map *map, Expr expr, MapStyle style);
/* For people: prints at most 200 operators and operands, the inner ones beyond that as `...`. The
 * text cannot be parsed. */
void expr_print_short(
    Text *text, const MapContext *context, const Map *map, Expr expr, MapStyle style);

/* Cuts `A ; B`, two maps in one line, as in cases, scopes and findings. False if there is no ` ; `.
 * KEEP: the second part points into the text of `source`. */
[[nodiscard]] bool map_cut_pair(Arena *arena, const Source *source, Source pair[2]);

#endif
