/* Reduces a text while it still shows a finding: edits of a module, of maps, or of any text are
 * kept if the finding remains. Deterministic. Ends when no edit helps or the budget of trials is
 * used up. */
#ifndef REDUCE_REDUCE_H
#define REDUCE_REDUCE_H

#include "core/map/map.h"

typedef struct Reduction {
  /* True if this text still shows the finding. Must reject texts that do not parse. */
  bool (*still_shows)(void *state, const char *text, size_t length);
  /* True if the time is over; may be nullptr. Called between edits, many of which are not
   * trials. */
  bool (*is_over)(const void *state);
  void *state;
  /* Of a module: an instruction that shows the finding, tried alone first. nullptr: not known. */
  const char *instruction;
  uint32_t most_trials;
  uint32_t trials;   /* set: trials used */
  uint32_t accepted; /* set */
  bool is_cut;       /* set: no trials or no time was left, so a smaller text may exist */
} Reduction;

/* `text` must show the finding; returns false if the first trial denies it. That trial is left out
 * if the instruction alone shows the finding, because a large module takes long. The result is in
 * the arena. A text that does not parse as a module is reduced as bytes. */
[[nodiscard]] bool reduce_hlo(
    Arena *arena, Reduction *reduction, const char *text, const char **smallest);

/* How the maps of `MAP ; MAP` are related: edits that belong together are made together. */
typedef enum MapPair : uint8_t {
  PAIR_NONE,  /* one map */
  PAIR_ALIKE, /* before and after: variables, results and constraints correspond by number */
  PAIR_CHAIN, /* the results of the first are the dimensions of the second */
} MapPair;
/* The text must parse. Removes results, constraints and variables, shrinks bounds and constants,
 * and replaces expressions by their subexpressions. */
[[nodiscard]] bool reduce_maps(Arena *arena, MapContext *context, Reduction *reduction,
    MapPair pair, const char *text, const char **smallest);

/* Reduces any bytes: removes pieces, first lines, then words, then bytes; then shrinks numbers.
 * `smallest` has a NUL after its `*length` bytes. */
[[nodiscard]] bool reduce_text(
    Arena *arena, Reduction *reduction, const char *text, size_t *length, const char **smallest);

#endif
