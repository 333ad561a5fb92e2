/* Terms evaluated with the operations' own arithmetic, on assignments of values that every type
 * holds exactly (inputs.h). An input that is the initial value of a fold is the neutral element of
 * its function: a compiler may fold it any number of times. */
#ifndef ORACLE_EVALUATE_TERMS_H
#define ORACLE_EVALUATE_TERMS_H

#include "core/base/bindings.h"
#include "oracle/terms/term.h"
#include "oracle/values/inputs.h"

/* A line that was sorted last, for its other elements. */
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
  Element *values;  /* [room], by term */
  uint32_t *stamps; /* [room]: of the assignment, and the round of zeros, of the value */
  uint8_t *zeros;   /* [room]: inputs that are zero, whatever the assignment says; or nullptr */
  uint32_t round;   /* of zeros: one more each time that they change */
  uint8_t *neutral; /* [room]: of an initial value of a fold that is an input, the fold's operation
                       + 1 */
  InputConstants constants;
  LastSort sorted[4]; /* of both graphs, in turn */
  uint32_t sorted_count;
  uint64_t steps, most_steps;
} Evaluation;

void evaluation_create(
    Evaluation *evaluation, Arena *arena, const Terms *terms, uint64_t most_steps);
/* The value of a term under the current assignment; not known where an opaque operation or a type
 * without arithmetic takes part. */
[[nodiscard]] Element evaluate_term(Evaluation *evaluation, Term term);
/* The value of an input, and the candidate that a pick takes. */
[[nodiscard]] Element evaluation_atom(const Evaluation *evaluation, Term term);
[[nodiscard]] bool evaluation_picked(Evaluation *evaluation, Term pick, Term *picked);

#endif
