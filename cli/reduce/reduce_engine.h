/* affirm reduce --engine: reduces a question on which a foreign engine fails. */
#ifndef CLI_REDUCE_ENGINE_H
#define CLI_REDUCE_ENGINE_H

#include "cli/engine_options.h"
#include "cli/session.h"
#include "reduce/shrink_subject.h"

typedef struct ReduceEngine {
  Arena *arena;
  const EngineSettings *settings;
  const char *output; /* file; nullptr: standard output */
  const char *wanted; /* name of a case; nullptr: the first that shows a fault */
  const char *kind;   /* KIND of a fault's name (judge/engines/engine_faults.h); nullptr: any */
  double end;         /* deadline by clock_wall */
  uint32_t trials;
  bool json;
} ReduceEngine;

/* Asks the engine about the subjects of the file in turn, and reduces the first on which it fails:
 * STATUS_REFUTED. STATUS_UNDECIDED if there is none. */
[[nodiscard]] Status reduce_for_engine(const ReduceEngine *command, const char *path);

/* What ended a reduction before its result was the smallest, as the start of a message: "out of
 * time, not the smallest: ". Empty if nothing did. */
[[nodiscard]] const char *reduce_limit_text(bool is_cut, int64_t trials, int64_t most_trials);
/* What a JSON object says of a finding. */
typedef struct Reduced {
  const char *origin, *answer, *unit;
  size_t size;
  uint32_t trials;
  uint64_t late; /* what a time limit ended */
  double seconds;
} Reduced;
/* `member` is the text of a case, or the path of an input that no case contains. */
[[nodiscard]] bool reduce_print_json(
    Arena *arena, const Reduced *reduced, const char *member, const char *value);
/* Why a case is not reduced. */
static constexpr char reduce_passes[] = "passes", reduce_late[] = "timed out",
                      reduce_no_finding[] = "no finding", reduce_no_time[] = "not tried";
/* Prints an object for the case `name`, which ended so; nothing without `is_json`. */
[[nodiscard]] bool reduce_print_end(
    Arena *arena, bool is_json, const char *file, const char *name, const char *end);
/* Prints the case as JSON, and writes it to the output; nullptr: to standard output, if the JSON
 * does not have it. STATUS_REFUTED, or STATUS_BAD if it is not written. */
[[nodiscard]] Status reduce_write(
    Arena *arena, const Reduced *reduced, bool is_json, const char *output, const char *text);
/* Reads the file and its subjects. */
[[nodiscard]] bool reduce_read(
    Arena *arena, const char *path, Source *file, Subjects *subjects, Error *error);
/* True if affirm check reads a file of this name as cases. */
[[nodiscard]] bool reduce_is_case_path(const char *path);

#endif
