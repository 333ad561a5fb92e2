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
  const Source *file;  /* the subject's text is in it; nullptr: it is in none */
  Error error;         /* set if the case asks nothing, as about an unknown operation */
} Subject;

typedef struct Subjects {
  uint32_t count, capacity;
  Subject *items;
  const char *seed; /* of the campaign that wrote the report; nullptr: none */
} Subjects;

/* An error about the subject's text, with its column in the file: the text of a case begins after a
 * verb. */
[[nodiscard]] Error subject_error(const Subject *subject, const Error *error);

/* Reads a .case file, a report of a fuzz target (# fuzz_found_KIND), .rules, .text (any bytes for
 * the parsers), maps as `affirm check` reads them, else a module. Returns at least one subject;
 * `file` must outlive them. */
[[nodiscard]] bool subjects_read(
    Arena *arena, const char *path, const Source *file, Subjects *subjects, Error *error);
/* Reads the subject from the output of a fuzz target; returns false if it contains no report. */
[[nodiscard]] bool subject_of_report(Arena *arena, const char *log, Subject *subject);

#endif
