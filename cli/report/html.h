/* Prints HTML with foreign texts: every byte of them is escaped. */
#ifndef CLI_REPORT_HTML_H
#define CLI_REPORT_HTML_H

#include "core/base/text.h"
#include "core/map/text.h"
#include "judge/maps/judge.h"

void html_escape(Text *text, const char *value);
/* Prints ` data-NAME="VALUE"`. */
void html_attribute(Text *text, const char *name, const char *value);
/* Prints `<p><code class="map">MAP</code></p>`. */
void html_map(Text *text, const MapContext *context, const Map *map);
/* ` data-from="8" data-to="3,4"`: the grids on both sides of a map, from 0 to the upper bound of
 * each dimension and result; "" if a bound is negative. */
[[nodiscard]] const char *html_grids(Arena *arena, const MapContext *context, const Map *map);
/* "proved", "refuted" or "open": the CSS class of a row with the status. */
[[nodiscard]] const char *html_class(Status status);

#endif
