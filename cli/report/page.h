/* The HTML page of a run: one file that needs nothing else. Rows are <details> with their maps and
 * reasons as text, so the page reads without script; the script in it adds filters and pictures.
 * Every text of a module is escaped, and the page's policy lets the browser load nothing. */
#ifndef CLI_REPORT_PAGE_H
#define CLI_REPORT_PAGE_H

#include "cli/report/derivation.h"

/* How many rows have a word, and what the word means. */
typedef struct PageCount {
  const char *word;
  Status status;
  uint64_t count;
} PageCount;
typedef struct PageCounts {
  uint32_t count, capacity;
  PageCount *items;
} PageCounts;
void page_count(Arena *arena, PageCounts *counts, const char *word, Status status);

/* `what`: what was judged, a sentence; `command`: what ran, or ""; `refuted`: HTML with the false
 * rules of the rows' steps, or ""; `matrix`: HTML, of operations and verdicts. */
void page_begin(Text *text, const char *what, const char *command, const PageCounts *counts,
    const char *refuted, const char *matrix);
/* `number` is the row's own in the page: its link is #rNUMBER. */
void page_print_row(Text *text, Derivations *derivations, const Source *source,
    const Judgement *judgement, uint32_t number);
/* The `number`th of `count` rows, as it was printed, with the beginning or the end of its group. */
void page_print_in_group(Text *text, const char *row, uint32_t number, uint32_t count);
void page_end(Text *text);

#endif
