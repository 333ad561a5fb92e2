/* Style and scripts are embedded from cli/report/page. */
#include "cli/report/page.h"

static const char style[] = {
#embed "page/style.css" suffix(, 0)
};
static const char script_maps[] = {
#embed "page/map.js" suffix(, 0)
};
static const char script_picture[] = {
#embed "page/picture.js" suffix(, 0)
};
static const char script_row[] = {
#embed "page/row.js" suffix(, 0)
};
static const char script_page[] = {
#embed "page/page.js" suffix(, 0)
};

static void print_bar(Text *text, const uint64_t *counts) {
  text_string(text, "<div class=\"bar\" aria-hidden=\"true\">");
  for (uint32_t i = 0; i < judge_answer_count; i++)
    if (counts[judge_answers[i]] > 0)
      text_printf(text, "<span class=\"%s\" style=\"flex:%llu\"></span>",
          html_class(judge_answer_status(judge_answers[i])),
          (unsigned long long)counts[judge_answers[i]]);
  text_string(text, "</div>\n<ul class=\"legend\">");
  for (uint32_t i = 0; i < judge_answer_count; i++)
    if (counts[judge_answers[i]] > 0)
      text_printf(text, "<li class=\"%s\"><b>%llu</b> %s</li>",
          html_class(judge_answer_status(judge_answers[i])),
          (unsigned long long)counts[judge_answers[i]], judge_answer_text(judge_answers[i]));
  text_string(text, "</ul>\n");
}

void page_begin(Text *text, uint64_t modules, const uint64_t *counts, bool interrupted) {
  text_printf(text,
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>affirm report</title>\n"
      "<style>\n%s</style></head>\n<body><main>\n<h1>affirm " AFFIRM_VERSION "</h1>\n",
      style);
  uint64_t total = 0;
  for (uint32_t i = 0; i < verdict_reason_count; i++) total += counts[i];
  text_printf(text, "<p>%llu module%s, %llu queries%s.</p>\n", (unsigned long long)modules,
      modules == 1 ? "" : "s", (unsigned long long)total,
      interrupted ? "; interrupted, so the rest is missing" : "");
  print_bar(text, counts);
  text_string(text,
      "<details open><summary>Operations</summary>"
      "<div id=\"matrix\" class=\"scroll\" tabindex=\"0\"></div></details>\n<h2>Rows</h2>\n"
      "<form class=\"filters\" hidden>"
      "<label>verdict<select name=\"verdict\"><option value=\"\">all</option></select></label>"
      "<label>operation<select name=\"opcode\"><option value=\"\">all</option></select></label>"
      "<label>direction<select name=\"direction\"><option value=\"\">all</option></select></label>"
      "<label>file<select name=\"file\"><option value=\"\">all</option></select></label>"
      "<label>search<input type=\"search\" name=\"text\"></label>"
      "<output id=\"shown\"></output></form>\n");
}

void page_end(Text *text) {
  text_printf(text, "</main>\n<script>\n%s\n%s\n%s\n%s</script></body></html>\n", script_maps,
      script_picture, script_row, script_page);
}
