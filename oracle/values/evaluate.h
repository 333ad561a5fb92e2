/* Evaluates terms with the operations' own arithmetic, on assignments of values that every type
 * represents exactly (inputs.h). An input that is the initial value of a fold is the neutral
 * element of its function, because a compiler may fold it any number of times. */
#ifndef ORACLE_VALUES_EVALUATE_H
#define ORACLE_VALUES_EVALUATE_H

#include "core/base/bindings.h"
#include "oracle/terms/term.h"
#include "oracle/values/inputs.h"

/* A line sorted recently, kept for its other elements. */
typedef struct LastSort {
  Term line;
  uint32_t signature, stamp;
  bool is_known, is_rounded;
  uint8_t positions[32];
} LastSort;

typedef struct Evaluation {
  Arena *arena;
  const Terms *terms;
  uint32_t assignment, depth;
  uint32_t capacity;
  Element *values;  /* [capacity], by term */
  uint32_t *stamps; /* [capacity]: the assignment and the round of zeros in which the value is
                       valid */
  uint8_t *zeros;   /* [capacity]: inputs that are zero, whatever the assignment; or nullptr */
  uint32_t round;   /* of zeros: increases each time that they change */
  uint8_t *neutral; /* [capacity]: for an input that is the initial value of a fold, the fold's
                       operation + 1 */
  bool has_picks;   /* a term picks by an offset */
  InputConstants constants;
  LastSort sorted[4]; /* of both graphs, replaced in turn */
  uint32_t sorted_count;
  uint64_t steps, most_steps;
} Evaluation;

void evaluation_create(
    Evaluation *evaluation, Arena *arena, const Terms *terms, uint64_t most_steps);
/* The value of a term under the current assignment. Unknown if it depends on an opaque operation or
 * a type without arithmetic. */
[[nodiscard]] Element evaluate_term(Evaluation *evaluation, Term term);
/* The value of an input; the candidate that a pick selects. */
[[nodiscard]] Element evaluation_atom(const Evaluation *evaluation, Term term);
[[nodiscard]] bool evaluation_picked(Evaluation *evaluation, Term pick, Term *picked);

#endif
