/* One line on a terminal that says how far a command is: count, rate, time left. It is written over
 * itself and fits the terminal. Where standard error is no terminal nothing is written. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdint.h>

typedef struct Progress {
  const char *unit; /* what is counted: "rules"; nullptr: nothing is shown */
  uint64_t all;     /* 0: not known */
  double start, last;
} Progress;

/* `is_wanted` false, or no terminal: nothing is shown. */
[[nodiscard]] Progress progress_begin(const char *unit, uint64_t all, bool is_wanted);
/* At most four times a second, and not in the first half second. `what` is at hand now. */
void progress_at(Progress *progress, uint64_t done, const char *what);
/* A line of the caller's own in its place, cut to the terminal, as often. */
void progress_line(const char *line);
/* What is at hand where nothing is counted: shown with the seconds since the start, once two have
 * gone without a count. */
void progress_place(const char *what);
/* The same with its number among all, from 0: with count, rate and time left. */
void progress_item(uint64_t done, uint64_t all, const char *unit, const char *what);
/* --quiet: nothing is shown from here on. */
void progress_silence(void);
/* Takes the line away that a progress has left; session_print and session_warn do so themselves. */
void progress_clear(void);

#endif
