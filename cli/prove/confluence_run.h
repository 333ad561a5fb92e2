/* What a run of --confluence shares: the engine, each rule by itself, and the list of what is
 * known. */
#ifndef CLI_PROVE_CONFLUENCE_RUN_H
#define CLI_PROVE_CONFLUENCE_RUN_H

#include "cli/prove/prove_confluence.h"
#include "core/map/map.h"
#include "core/simplify/simplify.h"

/* A map and what two orders of rewriting make of it. */
typedef struct Peak {
  const char *map, *left, *right;
} Peak;

/* A line of the list: RULE RULE WHERE INSTANCE KIND REASON. */
typedef struct KnownPeak {
  const char *first, *second;
  const char *where;    /* the overlap, or "sampled" */
  const char *instance; /* its number, or "none": no instance of the overlap is known; of a sampled
                           one nullptr */
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
  Simplifier *whole, **alone; /* the engine; each rule by itself */
  KnownPeaks known;
  Status status;
} ConfluenceRun;

static inline void confluence_note(ConfluenceRun *run, Status status) {
  run->status = status_worse(run->status, status);
}

/* The line about this pair at this place, in either order of the rules where the place has none. */
[[nodiscard]] KnownPeak *known_find(
    ConfluenceRun *run, const char *first, const char *second, const char *where);
/* The text of a map on one line, in the arena. */
[[nodiscard]] const char *confluence_text(ConfluenceRun *run, Arena *arena, const Map *map);
/* What the engine makes of it; nullptr on overflow or a limit. */
[[nodiscard]] const Map *confluence_simplified(ConfluenceRun *run, const Map *map);

/* prove_overlaps.c, prove_sampled.c: both print what is not joined, and count. False when standard
 * output is gone. */
[[nodiscard]] bool prove_overlaps(ConfluenceRun *run);
[[nodiscard]] bool prove_sampled(ConfluenceRun *run);

#endif
