/* Maps as text (the grammar is in docs/formats.md). What is printed parses back to the same map. */
#ifndef CORE_MAP_TEXT_H
#define CORE_MAP_TEXT_H

#include "core/base/text.h"
#include "core/map/map.h"

typedef enum MapStyle : uint8_t {
  MAP_STYLE_LINE,   /* one line */
  MAP_STYLE_PRETTY, /* a line a bound */
  MAP_STYLE_XLA,    /* one line, '/' for floordiv */
  MAP_STYLE_STATED, /* as LINE, constraints in the order in which they stand */
} MapStyle;

/* Reads one map that must fill the whole source, `runtime variables:` lines included. Sources of
 * runtime variables get name and index; `instruction` stays null. */
[[nodiscard]] bool map_parse(
    MapContext *context, const Source *source, const Map **map, Error *error);
/* A single expression over named variables d0.., s0.., rt0... */
[[nodiscard]] bool expr_parse(MapContext *context, const Source *source, Expr *expr, Error *error);

void map_print(Text *text, const MapContext *context, const Map *map, MapStyle style);
/* `map` gives the names; nullptr prints d0, s0, rt0. */
void expr_print(Text *text, const MapContext *context, const Map *map, Expr expr, MapStyle style);
/* For people: of more than 200 operators and operands the inner ones stand as `...`. It does not
 * read back. */
void expr_print_short(
    Text *text, const MapContext *context, const Map *map, Expr expr, MapStyle style);

/* `A ; B`: two maps in one line, as cases, scopes and findings have them. False where there is no
 * ` ; `. KEEP: the text. */
[[nodiscard]] bool map_cut_pair(Arena *arena, const Source *source, Source pair[2]);

#endif
