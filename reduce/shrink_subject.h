/* Reads the subjects of a file: its cases one after another, or the file as one subject. */
#ifndef REDUCE_SHRINK_SUBJECT_H
#define REDUCE_SHRINK_SUBJECT_H

#include "reduce/shrink.h"

typedef struct Subject {
  ShrinkForm form;
  const char *kind; /* the finding, or empty */
  const char *name; /* of the case or of the file */
  Source text;
  bool is_rejected; /* a case that expects an error */
} Subject;

typedef struct Subjects {
  uint32_t count, capacity;
  Subject *items;
  const char *seed; /* of the campaign that wrote the report; nullptr: none */
} Subjects;

/* Reads a .case file, a report of a fuzz target (# fuzz_found_KIND), .rules, .text (any bytes for
 * the parsers), maps as `affirm check` reads them, else a module. Returns at least one subject. */
[[nodiscard]] bool subjects_read(
    Arena *arena, const char *path, const Source *file, Subjects *subjects, Error *error);
/* Reads the subject from the output of a fuzz target; returns false if it contains no report. */
[[nodiscard]] bool subject_of_report(Arena *arena, const char *log, Subject *subject);

#endif
