/* The HTML page of a run, in one self-contained file. Rows are <details> elements with their maps
 * and reasons as text, so the page is readable without its script, which adds filters and pictures.
 * Text from modules is escaped, and the page's content policy lets the browser load nothing. */
#ifndef CLI_REPORT_PAGE_H
#define CLI_REPORT_PAGE_H

#include "cli/report/derivation.h"

/* A verdict, its status, and the number of rows that have it. */
typedef struct PageCount {
  const char *verdict;
  Status status;
  uint64_t count;
} PageCount;
typedef struct PageCounts {
  uint32_t count, capacity;
  PageCount *items;
} PageCounts;
void page_count(Arena *arena, PageCounts *counts, const char *verdict, Status status);

/* `what`: a sentence about what was judged; `command`: the command line, or ""; `refuted`: HTML
 * with the refuted rules of the rows' steps, or ""; `matrix`: HTML, the table of operations and
 * verdicts. */
void page_begin(Text *text, const char *what, const char *command, const PageCounts *counts,
    const char *refuted, const char *matrix);
/* `number` identifies the row on the page: its link is #rNUMBER. */
void page_print_row(Text *text, Derivations *derivations, const Source *source,
    const Judgement *judgement, uint32_t number);
/* Prints the `number`th of `count` rows, with the beginning or the end of its group. */
void page_print_in_group(Text *text, const char *row, uint32_t number, uint32_t count);
void page_end(Text *text);

#endif
