/* Results for other tools: one row for each judgement, collected during the run and written at the
 * end as JUnit XML, SARIF 2.1.0 and annotations. JUnit has every row, SARIF only rows that did not
 * pass. Open rows never pass: they are an error in JUnit and a warning in SARIF. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "cli/options.h"
#include "core/base/text.h"
#include "core/rules/rule.h"
#include "judge/maps/judge.h"

typedef struct Result {
  const char *part, *name; /* part: cases, operands, maps, rules, ... */
  const char *file;        /* nullptr: none */
  uint32_t line;           /* 0: none */
  Status status;
  bool is_scratch;  /* the file's directory has another name in each run */
  bool is_left_out; /* it was not run, and nobody asked for it, or the user accepts its fault:
                       skipped in JUnit, in no other file */
  const char *text; /* why it did not pass, or was left out */
  double seconds;   /* 0: since the previous result */
} Result;

typedef struct Results {
  const char *junit, *sarif; /* paths; nullptr: not wanted */
  bool github;
  char token[40]; /* resumes a runner's commands; empty: they are not suspended */
  bool is_written;
  double last; /* time of the last result, by clock_wall */
  Arena *arena;
  uint32_t count, capacity;
  Result *items;
  Result first_open, first_bad; /* the first results of STATUS_UNDECIDED and STATUS_BAD, kept even
                                   without result files; no name: none. Valid until results_write */
} Results;

#define RESULT_OPTIONS(results) \
  {"junit", OPTION_OUTPUT, &(results).junit, "FILE: write all results to this file as JUnit XML", \
      nullptr}, \
      {"sarif", OPTION_OUTPUT, &(results).sarif, \
          "FILE: write the results that did not pass to this file as SARIF", nullptr}, \
  { \
    "github", OPTION_FLAG, &(results).github, \
        "print annotations of a GitHub workflow for the first 10 results that did not pass, and the totals", \
        nullptr \
  }

static constexpr uint32_t most_annotations = 10;

/* Starts the time of the first result. If annotations are wanted, suspends a workflow runner's
 * commands until results_write, so that printed names and texts cannot be commands. */
void results_begin(Results *results);
/* Copies the result. `results` may be nullptr. */
void results_add(Results *results, const Result *result);
/* Adds a result about a rule, at its place. */
void results_add_rule(Results *results, const char *part, const Rule *rule, Status status,
    const char *text, double seconds);
/* Adds the result of an input, or a part of one, that could not be read; `line` 0: none. */
void results_add_unread(Results *results, const char *part, const char *name, const char *file,
    uint32_t line, const char *why);
/* Why a run without an open row is undecided: what it left out. */
void results_set_incomplete(const char *why);
/* Says which links of a directory are not followed, because they lead out of it (cli/paths.h), and
 * adds a row for each that is left out. */
void results_add_outside(
    Results *results, const char *directory, uint32_t count, const char *const *links);
/* Writes the wanted files. A file that cannot be written is reported and makes the status
 * STATUS_BAD. */
[[nodiscard]] Status results_write(Results *results, Status status);
/* At the end of the program: if the exit status is not 0 and no written row says so, as after an
 * interrupt or a lost output, adds a row of this status and writes the files again. */
void results_end(Status status, int exit_status);

void results_print_junit(Text *text, const Results *results);
void results_print_sarif(Text *text, const Results *results);
void results_print_annotations(Text *text, const Results *results);

#endif
