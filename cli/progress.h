/* A progress line on a terminal: count, rate, remaining time. It overwrites itself and fits the
 * terminal. If standard error is not a terminal, nothing is written. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdint.h>

typedef struct Progress {
  const char *unit; /* what is counted, as "rules"; nullptr: nothing is shown */
  uint64_t all;     /* 0: unknown */
  double start, last;
} Progress;

/* Shows nothing if `is_wanted` is false or there is no terminal. */
[[nodiscard]] Progress progress_begin(const char *unit, uint64_t all, bool is_wanted);
/* Updates the line at most four times a second, and not in the first half second. `what` is the
 * current item. */
void progress_at(Progress *progress, uint64_t done, const char *what);
/* Shows a line of the caller instead, cut to the terminal, as often. */
void progress_line(const char *line);
/* The current item when nothing is counted. Shown with the elapsed seconds after two seconds
 * without a count. */
void progress_label(const char *what);
/* The same with its number, from 0, and the number of all: shown with count, rate and remaining
 * time. */
void progress_item(uint64_t done, uint64_t all, const char *unit, const char *what);
/* --quiet: shows nothing from now on. */
void progress_silence(void);
/* Erases the line; session_print and session_warn do this themselves. */
void progress_clear(void);

#endif
