/* Evaluates terms with the operations' own arithmetic, on assignments of values that every type
 * represents exactly (inputs.h). An input that is the initial value of a fold is the neutral
 * element of its function, because a compiler may fold it any number of times. */
#ifndef ORACLE_VALUES_EVALUATE_H
#define ORACLE_VALUES_EVALUATE_H

#include "core/base/bindings.h"
#include "oracle/oracle.h"
#include "oracle/terms/term.h"
#include "oracle/values/inputs.h"

static constexpr uint32_t longest_line = 32; /* that is sorted */

/* A line sorted recently, kept for its other elements. */
typedef struct LastSort {
  Term line;
  uint32_t signature;
  uint64_t stamp;
  bool is_known, is_rounded;
  uint8_t positions[longest_line];
} LastSort;

/* The element that an opaque term is under the current assignment, and the terms of its offsets. */
typedef struct LookedUp {
  Term element;
  uint32_t count;
  Term offsets[oracle_max_rank]; /* [count]; no_term: not read */
} LookedUp;

typedef struct Evaluation Evaluation;
/* False if the term is nothing that can be looked up, or an offset has no value. */
typedef bool TermLookUp(void *context, Evaluation *evaluation, Term term, LookedUp *found);
/* Whether the inputs of the current assignment are shown to keep all promises of both graphs. */
typedef bool KeepsPromises(void *context, Evaluation *evaluation);

struct Evaluation {
  Arena *arena;
  const Terms *terms;
  uint32_t assignment, depth;
  uint32_t capacity;
  Element *values;  /* [capacity], by term */
  uint64_t *stamps; /* [capacity]: the assignment and the round, or the application of a function,
                       in which the value is valid */
  uint64_t application, applications; /* the current one of a function, or 0; of all so far */
  uint8_t *zeros;   /* [capacity]: inputs that are zero, whatever the assignment; or nullptr */
  Element *fixed;   /* [capacity]: values of inputs, where known, in any assignment; or nullptr */
  uint32_t round;   /* increases each time that `zeros` or `fixed` changes */
  uint8_t *neutral; /* [capacity]: for an input that is the initial value of a fold, the fold's
                       operation + 1 */
  bool *is_of_two;  /* [capacity]: the initial value of folds of several operations in one graph: no
                       value is neutral for all, so what depends on it refutes nothing */
  bool has_picks;   /* a term picks by an offset */
  bool is_lenient;  /* a grade weaker than exact: an infinity that arithmetic of numbers makes may
                       be one in this order alone, and a zero may have the other sign */
  InputConstants constants;
  LastSort sorted[4]; /* of both graphs, replaced in turn */
  uint32_t sorted_count;
  uint64_t steps, most_steps;
  TermLookUp *look_up;           /* nullptr: opaque terms have no value */
  void *lookups;                 /* its context */
  KeepsPromises *keeps_promises; /* nullptr: there are none */
  void *promised;                /* its context */
  bool broke_promise; /* values differed under inputs that were not shown to keep a promise */
};

void evaluation_create(
    Evaluation *evaluation, Arena *arena, const Terms *terms, uint64_t most_steps);
/* The value of a term under the current assignment. Unknown if it depends on an opaque operation or
 * a type without arithmetic. */
[[nodiscard]] Element evaluate_term(Evaluation *evaluation, Term term);
/* To be called once for each graph, with the terms that are compared. */
void evaluation_set_graph(Evaluation *evaluation, uint32_t count, const Term *results);
/* Why the known value of a term refutes nothing, of which all parts have values that may. */
[[nodiscard]] const char *evaluation_why_coarse(Evaluation *evaluation, Term term);
/* Whether values that differ under the current assignment refute. */
[[nodiscard]] bool evaluation_refutes(Evaluation *evaluation);
/* Whether the order of the fold and the number of uses of its initial value do not matter: a sum of
 * products, or one operation from its neutral element. */
[[nodiscard]] bool evaluation_is_free_of_order(const Evaluation *evaluation, Term fold);
/* The value of an input; the candidate that a pick selects. */
[[nodiscard]] Element evaluation_atom(const Evaluation *evaluation, Term term);
[[nodiscard]] bool evaluation_picked(Evaluation *evaluation, Term pick, Term *picked);
/* Whether the term is looked up. */
[[nodiscard]] bool evaluation_looked_up(Evaluation *evaluation, Term term, LookedUp *found);

#endif
