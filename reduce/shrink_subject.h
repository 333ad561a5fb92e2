/* Reads the subjects of a file: its cases one after another, or the file as one subject. */
#ifndef REDUCE_SHRINK_SUBJECT_H
#define REDUCE_SHRINK_SUBJECT_H

#include "judge/cases/case.h"
#include "reduce/shrink.h"

typedef struct Subject {
  ShrinkForm form;
  const char *kind; /* the finding, or empty */
  const char *name; /* of the case or of the file */
  Source text;
  const Case *one;     /* nullptr: it is no case */
  const char *unasked; /* what the case states and the reduction does not ask; nullptr: nothing */
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
