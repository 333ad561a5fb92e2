/* Rows of a page for parsed results (run.h), and the comparison of two runs: rows that changed
 * their verdict, appeared or disappeared. A row that disappeared is open: nothing shows that it
 * would pass. */
#ifndef CLI_REPORT_RUN_PAGE_H
#define CLI_REPORT_RUN_PAGE_H

#include "cli/report/page.h"
#include "cli/report/run.h"

void run_page_print(Text *text, MapContext *context, const RunRow *row, uint32_t number);

typedef struct RunChange {
  const RunRow *before, *after; /* nullptr: only in the other run */
  const char *verdict;          /* "newly failing", "still failing", "mended", "changed", "gone",
                                 * "new", "same" */
  Status status;
} RunChange;
typedef struct RunChanges {
  uint32_t count, capacity;
  RunChange *items;
} RunChanges;
/* Rows with the same key are paired in order. */
void run_compare(
    Arena *arena, const ReportRun *before, const ReportRun *after, RunChanges *changes);
void run_page_print_change(
    Text *text, MapContext *context, const RunChange *change, uint32_t number);

#endif
