/* Shared by the passes of the reducer: the smallest text so far, and edits of numbers. */
#ifndef REDUCE_REDUCER_H
#define REDUCE_REDUCER_H

#include "core/base/text.h"
#include "reduce/reduce.h"

typedef struct Reducer Reducer;
struct Reducer {
  Arena *arena;
  Reduction *reduction;
  const char *text;    /* the smallest so far */
  MapContext *context; /* only for maps */
  MapPair pair;
  /* True if a change of numbers would undo what another pass does; may be nullptr. */
  bool (*is_worse)(Reducer *reducer, const char *candidate);
};

/* Tries all edits of its kind once; returns true if one was accepted. */
typedef bool Pass(Reducer *reducer);
/* True if no trials or no time is left. */
[[nodiscard]] bool reduction_is_over(const Reduction *reduction);
/* Runs all passes in turn until none helps or the trials are used up. */
void reducer_run(Reducer *reducer, Pass *const *passes, size_t count);
/* Accepts the text if it differs and still shows the finding. */
bool text_try(Reducer *reducer, const char *candidate);

[[nodiscard]] bool pass_number_everywhere(Reducer *reducer);
[[nodiscard]] bool pass_number_in_place(Reducer *reducer); /* in a line too */
[[nodiscard]] bool pass_number_pairs(Reducer *reducer);

#endif
