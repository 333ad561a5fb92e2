/* Prints HTML with foreign texts: every byte of them is escaped. */
#ifndef CLI_REPORT_HTML_H
#define CLI_REPORT_HTML_H

#include "core/base/text.h"
#include "core/map/text.h"
#include "judge/maps/judge.h"

void html_escape(Text *text, const char *value);
/* Prints the value between two parts of the page, which are HTML. */
void html_between(Text *text, const char *before, const char *value, const char *after);
/* Prints ` data-NAME="VALUE"`. */
void html_attribute(Text *text, const char *name, const char *value);
/* Prints ` data-NAME="3,4"`: the sizes of an array. */
void html_sizes(Text *text, const char *name, const Shape *shape);
/* Begins a row up to the attributes that only some rows have. */
void html_row_begin(Text *text, Status status, uint32_t number, const char *verdict,
    const char *operation, const char *direction, const char *file);
void html_replay(Text *text, const char *command);
/* Prints the place and the text of a rule. */
void html_rule(Text *text, const Rule *rule);
/* Prints the name of a rule as a link to its section. A name may have any printable character. */
void html_rule_link(Text *text, const Rule *rule);
/* Prints `<p><code class="map">MAP</code></p>`. */
void html_map(Text *text, const MapContext *context, const Map *map);
/* ` data-from="8" data-to="3,4"`: the grids on both sides of a map, from 0 to the upper bound of
 * each dimension and result; "" if a bound is negative. */
[[nodiscard]] const char *html_grids(Arena *arena, const MapContext *context, const Map *map);
/* "proved", "refuted" or "open": the CSS class of a row with the status. */
[[nodiscard]] const char *html_class(Status status);

#endif
