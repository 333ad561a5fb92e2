/* Decides about elements whose terms differ. */
#ifndef ORACLE_EQUIVALENCE_DIFFERING_H
#define ORACLE_EQUIVALENCE_DIFFERING_H

#include "oracle/evaluate/flow.h"
#include "oracle/equivalence/lookups.h"
#include "oracle/equivalence/promised.h"
#include "oracle/equivalence/same_values.h"
#include "oracle/terms/term.h"
#include "oracle/values/cases.h"

static constexpr uint32_t differing_most = 1 << 13;

typedef struct Differing {
  Arena *arena;
  Terms *terms;
  uint64_t most_steps; /* of evaluation */
  uint32_t count, capacity;
  bool is_cut;   /* there are more */
  bool is_exact; /* an overflow on one side only is a difference */
  int64_t *elements;
  Term *before, *after;
  Promised *promised;         /* promises about indices in both graphs, or nullptr: none */
  const TermLookups *lookups; /* recorded while the terms were built, or nullptr */
  CasesDifference offsets;    /* offsets under which two of the terms differ, if known */
} Differing;

void differing_add(Differing *differing, int64_t element, Term before, Term after);
/* Evaluates the elements, then compares their reads. `leaf` is the output's. */
void differing_decide(Differing *differing, const Leaf *leaf, ValuesVerdict *verdict);
/* Compares the reads of elements whose values are equal: the answer is SAME_READS, MORE_READS,
 * FEWER_READS, or OPEN if each side reads what the other does not. */
void differing_decide_reads(const Differing *differing, const Leaf *leaf, ValuesVerdict *verdict);

#endif
