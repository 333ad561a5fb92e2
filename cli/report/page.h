/* The HTML page of a run: one file that needs nothing else. Rows are <details> with their maps and
 * reasons as text, so the page reads without script; the script in it adds filters, the matrix of
 * operations and pictures. Every text of a module is escaped. */
#ifndef CLI_REPORT_PAGE_H
#define CLI_REPORT_PAGE_H

#include "cli/report/derivation.h"

/* `counts` has verdict_reason_count entries. */
void page_begin(Text *text, uint64_t modules, const uint64_t *counts, bool interrupted);
/* `number` is the row's own in the page: its link is #rNUMBER. */
void page_print_row(Text *text, Derivations *derivations, const Source *source,
    const Judgement *judgement, uint32_t number);
void page_end(Text *text);

#endif
