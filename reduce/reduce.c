/* Shared by all passes: the smallest text so far, and the order of passes. */
#include "reduce/reducer.h"

#include <string.h>

bool reduction_is_over(const Reduction *reduction) {
  return reduction->trials >= reduction->most_trials ||
         (reduction->is_over != nullptr && reduction->is_over(reduction->state));
}

bool text_try(Reducer *reducer, const char *candidate) {
  Reduction *reduction = reducer->reduction;
  if (reduction->trials >= reduction->most_trials || strcmp(candidate, reducer->text) == 0)
    return false;
  reduction->trials++;
  if (!reduction->still_shows(reduction->state, candidate, strlen(candidate))) return false;
  reduction->accepted++;
  reducer->text = candidate;
  return true;
}

void reducer_run(Reducer *reducer, Pass *const *passes, size_t count) {
  const Reduction *reduction = reducer->reduction;
  for (bool helped = true; helped && !reduction_is_over(reduction);) {
    helped = false;
    for (size_t i = 0; i < count; i++)
      while (!reduction_is_over(reduction) && passes[i](reducer)) helped = true;
  }
}
