/* What every subcommand shares: where it prints, how it ends, and whether the user pressed
 * Ctrl-C. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "core/base/error.h"
#include "core/base/text.h"
#include "judge/maps/judge.h"

/* Largest file that is read. */
static constexpr size_t file_limit = (size_t)1 << 30;

/* After this Ctrl-C and SIGTERM ask the work to end; a second one ends it at once. */
void session_catch_signals(void);
[[nodiscard]] bool session_is_interrupted(void);
/* The work ends as if interrupted after so many seconds by the clock on the wall; 0: it has no
 * limit. */
void session_limit(uint64_t seconds);
[[nodiscard]] bool session_is_out_of_time(void);

/* To standard output, what others wrote in it made harmless (core/base/foreign.h). False once it
 * cannot be written (a full disk, a closed pipe): then the work should stop. */
[[nodiscard]] bool session_print(const char *text);
/* Before standard error is written: both streams stand in order where they go to one place. */
void session_flush(void);
/* As it is, for lines that are commands to a runner of workflows; flushes. */
[[nodiscard]] bool session_print_command(const char *line);
/* A line on standard error: "affirm: ...". */
[[gnu::format(printf, 1, 2)]] void session_warn(const char *format, ...);
/* How many lines there are to go through. */
[[nodiscard]] uint64_t session_lines(const Source *source);
/* Prints the error to standard error; gives STATUS_BAD. */
[[nodiscard]] Status session_fail(const Error *error);
[[gnu::format(printf, 1, 2), nodiscard]] Status session_usage(const char *format, ...);
/* Flushes standard output; an output that was not written makes any status STATUS_BAD. */
[[nodiscard]] int session_end(Status status);

#endif
