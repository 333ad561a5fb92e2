/* Shared state of --confluence: the engine, a simplifier for each single rule, and the list of
 * known pairs. */
#ifndef CLI_PROVE_CONFLUENCE_RUN_H
#define CLI_PROVE_CONFLUENCE_RUN_H

#include "cli/session_guard.h"
#include "cli/prove/prove_confluence.h"
#include "core/map/map.h"
#include "core/simplify/simplify.h"

/* A map, and the results of rewriting it in two orders. */
typedef struct Peak {
  const char *map, *left, *right;
} Peak;

/* A line of the list: RULE RULE WHERE INSTANCE KIND REASON. */
typedef struct KnownPeak {
  const char *first, *second;
  const char *where;    /* the overlap, or "sampled" */
  const char *instance; /* its number, or "none": no instance of the overlap is known; nullptr for
                           sampled pairs */
  const char *kind, *why;
  bool is_met;
} KnownPeak;

typedef struct KnownPeaks {
  uint32_t count, capacity;
  KnownPeak *items;
} KnownPeaks;

typedef struct ConfluenceRun {
  const ConfluenceOptions *options;
  Arena *arena, *scratch;
  MapContext *context;
  RuleSet rules;
  Simplifier *whole, **alone; /* the engine; each rule alone */
  KnownPeaks known;
  Status status;
} ConfluenceRun;

static inline void confluence_note(ConfluenceRun *run, Status status) {
  session_worsen(&run->status, status);
}

/* Finds the line about this pair and overlap. If the line has no overlap, the order of the rules
 * does not matter. */
[[nodiscard]] KnownPeak *known_find(
    ConfluenceRun *run, const char *first, const char *second, const char *where);
/* Reads the list. Reports the lines that nothing needed. */
[[nodiscard]] bool known_read(ConfluenceRun *run, Error *error);
void known_report_rest(ConfluenceRun *run);
/* The map's text on one line, in the arena. */
[[nodiscard]] const char *confluence_text(ConfluenceRun *run, Arena *arena, const Map *map);
/* The engine's simplified map; nullptr on overflow or a limit. */
[[nodiscard]] const Map *confluence_simplified(ConfluenceRun *run, const Map *map);

/* prove_overlaps.c, prove_sampled.c: print pairs that are not joined, and count all. False if
 * standard output is closed. */
[[nodiscard]] bool prove_overlaps(ConfluenceRun *run);
[[nodiscard]] bool prove_sampled(ConfluenceRun *run);

#endif
