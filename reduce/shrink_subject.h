/* What a file gives to be reduced: its cases one after another, or the one thing that it is. */
#ifndef FUZZ_SHRINK_SUBJECT_H
#define FUZZ_SHRINK_SUBJECT_H

#include "reduce/shrink.h"

typedef struct Subject {
  ShrinkForm form;
  const char *kind; /* what was seen of it, or empty */
  const char *name; /* of the case, or the file's */
  Source text;
} Subject;

typedef struct Subjects {
  uint32_t count, capacity;
  Subject *items;
  const char *seed; /* of the campaign that wrote the report, or nullptr */
} Subjects;

/* A .case file, a report of a fuzz target (# fuzz_found_KIND), .rules, .text (any bytes for the
 * parsers), a map, else a module. At least one subject. */
[[nodiscard]] bool subjects_read(
    Arena *arena, const char *path, const Source *file, Subjects *subjects, Error *error);
/* From what a fuzz target printed; false when there is no report in it. */
[[nodiscard]] bool subject_of_report(Arena *arena, const char *log, Subject *subject);

#endif
