/* The frame of a row, its paragraphs, and errors. */
#include "cli/explore/answer.h"
#include "cli/report/page.h"

void explore_row_begin(ExploreAnswer *answer, Status status, const char *verdict,
    const char *heading, const char *attributes) {
  Text *text = answer->text;
  answer->status = status_worse(answer->status, status);
  text_printf(text, "<details class=\"row %s\" id=\"r%u\"", html_class(status), answer->rows++);
  html_attribute(text, "verdict", verdict);
  text_string(text, attributes);
  html_between(text, "><summary><b>", verdict, "</b> ");
  html_between(text, "", heading, "</summary>\n");
}

void explore_row_print(ExploreAnswer *answer, const Judgement *judgement) {
  answer->status = status_worse(answer->status, judge_answer_status(judgement->answer));
  page_print_row(answer->text, &answer->derivations, answer->source, judgement, answer->rows++);
}

void explore_row_end(ExploreAnswer *answer) { text_string(answer->text, "</details>\n"); }

void explore_paragraph(ExploreAnswer *answer, const char *words) {
  if (words[0] == 0) return;
  html_between(answer->text, "<p>", words, "</p>\n");
}

void explore_error(ExploreAnswer *answer, const Error *error) {
  Text *text = answer->text;
  answer->status = status_worse(answer->status, STATUS_BAD);
  text_printf(
      text, "<p class=\"error\" data-line=\"%u\" data-column=\"%u\">", error->line, error->column);
  if (error->line != 0)
    html_escape(
        text, arena_printf(text->arena, "line %u, column %u: ", error->line, error->column));
  html_escape(text, error->message);
  text_string(text, "</p>\n");
}
