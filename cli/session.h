/* Shared by all subcommands: output, exit, and whether the user pressed Ctrl-C. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "core/base/error.h"
#include "core/base/text.h"
#include "judge/maps/judge.h"

/* Largest file that is read, in bytes. */
static constexpr size_t file_limit = (size_t)1 << 30;

/* From now on Ctrl-C, SIGTERM and SIGHUP request the end of the work; a second one, a second later
 * or more, ends it at once. */
void session_catch_signals(void);
[[nodiscard]] bool session_is_interrupted(void);
/* Requests the end of the work. Safe in a signal handler. */
void session_interrupt(void);
/* The work ends as if interrupted after this many seconds of wall time; 0: no limit. */
void session_limit(uint64_t seconds);
[[nodiscard]] bool session_is_out_of_time(void);

/* Prints to standard output; foreign control sequences are made harmless (core/base/foreign.h).
 * False once the output cannot be written (a full disk, a closed pipe): then the work should
 * stop. */
[[nodiscard]] bool session_print(const char *text);
/* Called before writing to standard error, so that both streams keep their order in one terminal or
 * file. */
void session_flush(void);
/* Flushes. False if the output could not be written, which is reported once, unless its reader
 * closed the pipe. */
[[nodiscard]] bool session_output_is_whole(void);
/* Prints the line unchanged, for commands to a workflow runner; flushes. */
[[nodiscard]] bool session_print_command(const char *line);
/* Prints a line to standard error: "affirm: ...". */
[[gnu::format(printf, 1, 2)]] void session_warn(const char *format, ...);
/* session_warn, and false: the end of a function that rejects what it was given. */
#define session_reject(...) (session_warn(__VA_ARGS__), false)
/* The number of lines of the text. */
[[nodiscard]] uint64_t session_lines(const Source *source);
/* The sum of counts by the reason of a verdict. */
[[nodiscard]] static inline uint64_t verdict_counts_sum(
    const uint64_t counts[verdict_reason_count]) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < verdict_reason_count; i++) sum += counts[i];
  return sum;
}
/* Prints the error to standard error; returns STATUS_BAD. */
[[nodiscard]] Status session_fail(const Error *error);
/* Writes a file (core/base/file.h). An error is printed. */
[[nodiscard]] bool session_write(const char *path, const char *bytes, size_t length);
[[gnu::format(printf, 1, 2), nodiscard]] Status session_usage(const char *format, ...);
/* Flushes standard output; an output that could not be written turns any status into STATUS_BAD. */
[[nodiscard]] int session_end(Status status);
/* The same for a run that also has the exit status of a program: the larger one counts. */
[[nodiscard]] int session_end_with(Status status, int program);

#endif
