/* Results for other tools: what was judged, one row each, collected while it is judged and written
 * at the end as JUnit XML, as SARIF 2.1.0, as annotations. Every row is in the JUnit file; SARIF
 * has what is no pass. What is open is never a pass: an error there, a warning in SARIF. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "cli/options.h"
#include "core/base/text.h"
#include "judge/maps/judge.h"

typedef struct Result {
  const char *part, *name; /* part: cases, operands, maps, rules, ... */
  const char *file;        /* nullptr: none */
  uint32_t line;           /* 0: none */
  Status status;
  const char *text; /* why it is no pass */
  double seconds;   /* 0: since the result before it */
} Result;

typedef struct Results {
  const char *junit, *sarif; /* paths; nullptr: not wanted */
  bool github;
  char token[40]; /* that ends the suspension of a runner's commands; empty: none is suspended */
  bool is_written;
  double last; /* by clock_wall, when the last result came */
  Arena *arena;
  uint32_t count, capacity;
  Result *items;
  Result first_open; /* the first that is STATUS_UNDECIDED, kept where no file is wanted as well;
                        without a name: none. Until results_write */
} Results;

#define RESULT_OPTIONS(results) \
  {"junit", OPTION_TEXT, &(results).junit, "FILE: all results as JUnit XML", nullptr}, \
      {"sarif", OPTION_TEXT, &(results).sarif, "FILE: what is no pass as SARIF", nullptr}, { \
    "github", OPTION_FLAG, &(results).github, \
        "annotations of the first 10 that are no pass, with the true totals", nullptr \
  }

static constexpr uint32_t most_annotations = 10;

/* Starts the time of the first result. Where annotations are wanted, a runner of workflows obeys
 * nothing that is printed from here to results_write, whatever names and texts hold. */
void results_begin(Results *results);
/* Copies what it is given. `results` may be nullptr. */
void results_add(Results *results, const Result *result);
/* Writes what is wanted; what cannot be written is said and makes the status STATUS_BAD. */
[[nodiscard]] Status results_write(Results *results, Status status);

void results_print_junit(Text *text, const Results *results);
void results_print_sarif(Text *text, const Results *results);
void results_print_annotations(Text *text, const Results *results);

#endif
