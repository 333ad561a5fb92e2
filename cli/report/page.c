/* The style and the scripts are embedded from cli/report/page. */
#include "cli/report/page.h"

#include <string.h>

static const char style[] = {
#embed "page/style.css" suffix(, 0)
};
static const char script_maps[] = {
#embed "page/map.js" suffix(, 0)
};
static const char script_picture[] = {
#embed "page/picture.js" suffix(, 0)
};
static const char script_overview[] = {
#embed "page/overview.js" suffix(, 0)
};
static const char script_relation[] = {
#embed "page/relation.js" suffix(, 0)
};
static const char script_sides[] = {
#embed "page/sides.js" suffix(, 0)
};
static const char script_row[] = {
#embed "page/row.js" suffix(, 0)
};
static const char script_page[] = {
#embed "page/page.js" suffix(, 0)
};

void page_count(Arena *arena, PageCounts *counts, const char *verdict, Status status) {
  for (uint32_t i = 0; i < counts->count; i++)
    if (counts->items[i].status == status && strcmp(counts->items[i].verdict, verdict) == 0) {
      counts->items[i].count++;
      return;
    }
  *ARENA_PUSH(arena, counts) = (PageCount){.verdict = verdict, .status = status, .count = 1};
}

static void print_bar(Text *text, const PageCounts *counts) {
  text_string(text, "<div class=\"bar\" aria-hidden=\"true\">");
  for (uint32_t i = 0; i < counts->count; i++)
    text_printf(text, "<span class=\"%s\" style=\"flex:%llu\"></span>",
        html_class(counts->items[i].status), (unsigned long long)counts->items[i].count);
  text_string(text, "</div>\n<ul class=\"legend\">");
  for (uint32_t i = 0; i < counts->count; i++) {
    text_printf(text, "<li class=\"%s\"><b>%llu</b> ", html_class(counts->items[i].status),
        (unsigned long long)counts->items[i].count);
    html_escape(text, counts->items[i].verdict);
    text_string(text, "</li>");
  }
  text_string(text, "</ul>\n");
}

void page_begin(Text *text, const char *what, const char *command, const PageCounts *counts,
    const char *refuted, const char *matrix) {
  text_printf(text,
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'\"><title>affirm report</title>\n"
      "<style>\n%s</style></head>\n<body><main>\n<h1>affirm report</h1>\n<p>",
      style);
  html_escape(text, what);
  html_between(
      text, ", affirm " AFFIRM_VERSION "</p>\n<p class=\"dim\"><code>", command, "</code></p>\n");
  print_bar(text, counts);
  if (refuted[0] != 0)
    text_printf(text,
        "<p class=\"refuted\"><b>✗ refuted</b> rules in the steps of the rows: %s</p>\n", refuted);
  text_string(text, "<details open><summary>Operations</summary>"
                    "<div id=\"matrix\" class=\"scroll\" tabindex=\"0\">");
  text_string(text, matrix);
  text_string(text,
      "</div></details>\n<h2>Rows</h2>\n"
      "<form class=\"filters\" hidden>"
      "<label>verdict<select name=\"verdict\"><option value=\"\">all</option></select></label>"
      "<label>operation<select name=\"opcode\"><option value=\"\">all</option></select></label>"
      "<label>direction<select name=\"direction\"><option value=\"\">all</option></select></label>"
      "<label>file<select name=\"file\"><option value=\"\">all</option></select></label>"
      "<label>rule<select name=\"rule\"><option value=\"\">all</option></select></label>"
      "<label>search<input type=\"search\" name=\"text\"></label>"
      "<label>order<select name=\"sort\"><option value=\"\">worst first</option>"
      "<option value=\"opcode\">operation</option><option>file</option>"
      "<option>name</option></select></label>"
      "<button type=\"button\" id=\"unfold\">unfold 20</button>"
      "<button type=\"button\" id=\"fold\">fold all</button>"
      "<output id=\"shown\"></output></form>\n<div id=\"rows\">\n");
}

void page_print_in_group(Text *text, const char *row, uint32_t number, uint32_t count) {
  static constexpr uint32_t most = 64;
  uint32_t left = count - number;
  if (number % most == 0)
    text_printf(text, "<div class=\"group\" style=\"--rows:%u\">\n", left < most ? left : most);
  text_string(text, row);
  if (number % most == most - 1 || left == 1) text_string(text, "</div>\n");
}

void page_end(Text *text) {
  text_printf(text, "</main>\n<script>\n%s\n%s\n%s\n%s\n%s\n%s\n%s</script></body></html>\n",
      script_maps, script_picture, script_overview, script_relation, script_sides, script_row,
      script_page);
}
