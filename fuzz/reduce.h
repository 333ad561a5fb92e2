/* Makes an HLO module small while a finding stays: edits of its text, kept when the module still reads and the finding is still there.
 * Deterministic; ends when no edit helps or the budget of trials is used up. */
#ifndef FUZZ_REDUCE_H
#define FUZZ_REDUCE_H

#include "core/base/arena.h"

typedef struct Reduction {
  /* Whether this text still shows the finding. Must refuse texts that do not read. */
  bool (*still_shows)(void *state, const char *text, size_t length);
  void *state;
  uint32_t most_trials;
  uint32_t trials;   /* set: how many were used */
  uint32_t accepted; /* set */
} Reduction;

/* `text` shows the finding (asserted by the first trial: false when it does not). The result lives in the arena. One instruction a line is
 * expected, as hlo_print writes it. */
[[nodiscard]] bool reduce_hlo(Arena *arena, Reduction *reduction, const char *text, const char **smallest);

#endif
