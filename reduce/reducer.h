/* What the passes of the reducer share: the smallest text so far, and edits of numbers. */
#ifndef FUZZ_REDUCER_H
#define FUZZ_REDUCER_H

#include "core/base/text.h"
#include "reduce/reduce.h"

typedef struct Reducer {
  Arena *arena;
  Reduction *reduction;
  const char *text;    /* the smallest so far */
  MapContext *context; /* of maps alone */
  MapPair pair;
} Reducer;

/* Tries edits of its kind once through and tells whether one was accepted. */
typedef bool Pass(Reducer *reducer);
/* No trial is left, or no time. */
[[nodiscard]] bool reduction_is_over(const Reduction *reduction);
/* All passes in turn until none helps or the trials are used up. */
void reducer_run(Reducer *reducer, Pass *const *passes, size_t count);
/* Accepts the text when it is another one and still shows the finding. */
bool text_try(Reducer *reducer, const char *candidate);

[[nodiscard]] bool pass_number_everywhere(Reducer *reducer);
[[nodiscard]] bool pass_number_in_place(Reducer *reducer); /* of a line too */
[[nodiscard]] bool pass_number_pairs(Reducer *reducer);

#endif
