/* Control bytes become the replacement character; a line break stays. */
#include "cli/report/html.h"

void html_escape(Text *text, const char *value) {
  for (; *value != 0; value++) {
    unsigned char byte = (unsigned char)*value;
    const char *name = byte == '<'                 ? "&lt;"
                       : byte == '>'               ? "&gt;"
                       : byte == '&'               ? "&amp;"
                       : byte == '"'               ? "&quot;"
                       : byte < 32 && byte != '\n' ? "&#xfffd;"
                                                   : nullptr;
    if (name != nullptr) text_string(text, name);
    else text_append(text, value, 1);
  }
}

void html_attribute(Text *text, const char *name, const char *value) {
  text_printf(text, " data-%s=\"", name);
  html_escape(text, value);
  text_string(text, "\"");
}

void html_map(Text *text, const MapContext *context, const Map *map) {
  Text line = text_create(text->arena);
  map_print(&line, context, map, MAP_STYLE_LINE);
  text_string(text, "<p><code class=\"map\">");
  html_escape(text, line.bytes);
  text_string(text, "</code></p>\n");
}

const char *html_class(Status status) {
  switch (status) {
    case STATUS_PROVED: return "proved";
    case STATUS_REFUTED: return "refuted";
    case STATUS_UNDECIDED:
    case STATUS_BAD: return "open";
  }
  return "open";
}
