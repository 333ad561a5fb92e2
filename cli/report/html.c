/* Control bytes except line breaks are replaced by the replacement character. A byte that is not
 * UTF-8 appears as \u00XX, as in every other output, so that a page is valid UTF-8. */
#include "cli/report/html.h"

#include "core/base/foreign.h"
#include "core/map/bounds.h"

static const char *html_name(unsigned char byte) {
  const bool is_space = byte == '\n' || byte == '\t';
  return byte == '<'              ? "&lt;"
         : byte == '>'            ? "&gt;"
         : byte == '&'            ? "&amp;"
         : byte == '"'            ? "&quot;"
         : byte == '\r'           ? "&#13;"
         : byte < 32 && !is_space ? "&#xfffd;"
                                  : nullptr;
}

void html_escape(Text *text, const char *value) {
  while (*value != 0) {
    unsigned char byte = (unsigned char)*value;
    const char *name = html_name(byte);
    size_t length = utf8_length(value);
    if (name != nullptr) text_string(text, name);
    else if (length == 0) text_printf(text, "\\u%04x", byte);
    else text_append(text, value, length);
    value += length == 0 ? 1 : length;
  }
}

void html_between(Text *text, const char *before, const char *value, const char *after) {
  text_string(text, before);
  html_escape(text, value);
  text_string(text, after);
}

void html_attribute(Text *text, const char *name, const char *value) {
  text_printf(text, " data-%s=\"", name);
  html_escape(text, value);
  text_string(text, "\"");
}

void html_sizes(Text *text, const char *name, const Shape *shape) {
  text_printf(text, " data-%s=\"", name);
  text_integers(text, ",", shape->rank, shape->sizes);
  text_string(text, "\"");
}

void html_row_begin(Text *text, Status status, uint32_t number, const char *verdict,
    const char *operation, const char *direction, const char *file) {
  text_printf(text, "<details class=\"row %s\" id=\"r%u\"", html_class(status), number);
  html_attribute(text, "verdict", verdict);
  html_attribute(text, "opcode", operation);
  html_attribute(text, "direction", direction);
  html_attribute(text, "file", file);
}

void html_replay(Text *text, const char *command) {
  html_between(text, "<p class=\"replay\">replay: <code>", command, "</code></p>\n");
}

void html_rule(Text *text, const Rule *rule) {
  Text statement = text_create(text->arena);
  rule_print(&statement, rule);
  html_between(text, "<p class=\"dim\">",
      arena_printf(text->arena, "%s:%u", rule->file, rule->line), "</p>");
  html_between(text, "<pre>", statement.bytes, "</pre>");
}

void html_rule_link(Text *text, const Rule *rule) {
  html_between(text, "<a href=\"#rule-", rule->name, "\">");
  html_between(text, "", rule->name, "</a>");
}

void html_map(Text *text, const MapContext *context, const Map *map) {
  html_between(text, "<p><code class=\"map\">", map_text(text->arena, context, map, MAP_STYLE_LINE),
      "</code></p>\n");
}

const char *html_class(Status status) {
  return status == STATUS_PROVED ? "proved" : status == STATUS_REFUTED ? "refuted" : "open";
}

static bool print_sizes(Text *text, const char *name, uint32_t count, const Interval *bounds) {
  text_printf(text, " data-%s=\"", name);
  for (uint32_t i = 0; i < count; i++) {
    if (bounds[i].lo < 0 || bounds[i].hi == INT64_MAX) return false;
    text_printf(text, "%s%lld", i == 0 ? "" : ",", (long long)bounds[i].hi + 1);
  }
  text_string(text, "\"");
  return true;
}

const char *html_grids(Arena *arena, const MapContext *context, const Map *map) {
  Text grids = text_create(arena);
  if (map->state != MAP_PLAIN) return "";
  Interval *from = ARENA_NEW(arena, Interval, map->dim_count);
  Interval *to = ARENA_NEW(arena, Interval, map->result_count);
  for (uint32_t i = 0; i < map->dim_count; i++) from[i] = map->dims[i].bounds;
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!expr_bounds(context, map, map->results[i], &to[i])) return "";
  bool has_sizes = print_sizes(&grids, "from", map->dim_count, from) &&
                   print_sizes(&grids, "to", map->result_count, to);
  return has_sizes ? grids.bytes : "";
}
