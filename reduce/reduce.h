/* Makes a text small while a finding stays: edits of a module, of maps, or of any text, kept when
 * the finding is still there. Deterministic; ends when no edit helps or the budget of trials is
 * used up. */
#ifndef FUZZ_REDUCE_H
#define FUZZ_REDUCE_H

#include "core/map/map.h"

typedef struct Reduction {
  /* Whether this text still shows the finding. Must reject texts that do not read. */
  bool (*still_shows)(void *state, const char *text, size_t length);
  /* Whether the time is over; may be null. Asked between edits, many of which are no trial. */
  bool (*is_over)(const void *state);
  void *state;
  uint32_t most_trials;
  uint32_t trials;   /* set: how many were used */
  uint32_t accepted; /* set */
} Reduction;

/* `text` shows the finding (asserted by the first trial: false when it does not). The result lives
 * in the arena. A text that does not read as a module is reduced as bytes. */
[[nodiscard]] bool reduce_hlo(
    Arena *arena, Reduction *reduction, const char *text, const char **smallest);

/* What two maps `MAP ; MAP` have to do with each other: edits that belong together are made
 * together. */
typedef enum MapPair : uint8_t {
  PAIR_NONE,  /* one map */
  PAIR_ALIKE, /* the same variables, results and constraints by their numbers: before and after */
  PAIR_CHAIN, /* the results of the first are the dimensions of the second */
} MapPair;
/* The text parses (asked before): results, constraints, variables go, bounds and constants shrink,
 * subexpressions stand for expressions. */
[[nodiscard]] bool reduce_maps(Arena *arena, MapContext *context, Reduction *reduction,
    MapPair pair, const char *text, const char **smallest);

/* Any bytes: pieces go, first lines, then words, then bytes; then numbers. `smallest` has a NUL
 * after its `*length` bytes. */
[[nodiscard]] bool reduce_text(
    Arena *arena, Reduction *reduction, const char *text, size_t *length, const char **smallest);

#endif
