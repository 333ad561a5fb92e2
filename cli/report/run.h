/* Parses the JSON results of a command: `--json` of check, audit, gate, exhaust, prove, equiv,
 * watch, hazard, score and fuzz, one object a line, and SARIF of any command. Keeps: a word that no
 * table of answers has is open, never a pass; an object of unknown kind is an error with its
 * line. A run without totals, with those of an interrupt, or with a status that no row explains,
 * lacks results. */
#ifndef CLI_REPORT_RUN_H
#define CLI_REPORT_RUN_H

#include "core/base/error.h"
#include "judge/maps/judge.h"

typedef struct RunRow {
  const char *kind;    /* "operand", "map", "rule", "graphs", ... */
  const char *key;     /* equal for the same statement in another run */
  const char *heading; /* shown to the reader */
  const char *verdict;
  Status status;
  const char *file, *direction; /* "" if there is none */
  const char *replay;           /* the command that judges it again; nullptr if unknown */
  const char *from_name, *to_name;
  const char *sizes[2];             /* of the tensors; nullptr: taken from the first map's domain */
  const char *witness;              /* data-witness of the row, or "" */
  const char *values[2], *terms[2]; /* of two graphs, before and after; nullptr if unknown */
  uint32_t note_count, map_count;
  const char **notes, **maps;
} RunRow;

typedef struct ReportRun {
  const char *name;
  bool only_faults;  /* from SARIF, which omits passed results */
  bool is_open;      /* rows follow the last line of totals */
  Status worst;      /* of the rows since then */
  const char *cut;   /* why results are missing; nullptr: none are */
  Status cut_status; /* at least, of what is missing */
  uint32_t count, capacity;
  RunRow *items;
  uint32_t ended; /* rows up to the last line of totals */
} ReportRun;

/* Whether the text is such a run rather than a module. */
[[nodiscard]] bool run_is(const Source *source);
/* The open row of a run that lacks results. */
[[nodiscard]] RunRow run_cut_row(const ReportRun *run);
[[nodiscard]] bool run_read(Arena *arena, const Source *source, ReportRun *run, Error *error);

#endif
