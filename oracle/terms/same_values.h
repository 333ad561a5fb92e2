/* Do two computations with the same parameters compute the same values? By terms: one question for
 * each leaf of the output.
 * First unchanged arrays are found by fingerprint and stand for themselves; then the terms of every
 * element are compared; then the terms under every value of the offsets. Terms that differ are no
 * refutation: both are evaluated on small integers, and only an element that comes out different
 * is. */
#ifndef ORACLE_SAME_VALUES_H
#define ORACLE_SAME_VALUES_H

#include "core/base/arena.h"
#include "core/base/law_grade.h"
#include "oracle/oracle.h"

/* What can be said of values, in the order of what it leaves open. TRIED is never a proof. */
static constexpr VerdictReason values_answers[] = {REASON_EXACT, REASON_SAME_READS,
    REASON_FEWER_READS, REASON_MORE_READS, REASON_TRIED, REASON_DIFFERENT, REASON_OPEN};
static constexpr uint32_t values_answer_count = sizeof values_answers / sizeof *values_answers;
/* The place in this order. */
[[nodiscard]] static inline uint32_t values_rank(VerdictReason answer) {
  uint32_t rank = 0;
  while (rank + 1 < values_answer_count && values_answers[rank] != answer) rank++;
  return rank;
}

typedef struct ValuesVerdict {
  VerdictReason answer; /* one of values_answers; NOT_ASKED before it is asked */
  const char
      *by; /* what decided: "fingerprint", "terms", "laws", "offsets", "values", or "parts": arrays
              by evaluation of what lies between arrays that are equal; nullptr: nobody */
  bool has_point;
  uint32_t rank;
  int64_t point[oracle_max_rank]; /* of the output leaf: the first element that differs */
  const char *laws;               /* SAME: the laws that were used; or nullptr */
  const char *terms;              /* both terms, cut to where they part; or nullptr */
  const char *sides[2];           /* where there are terms: each of them alone */
  Bindings at;                    /* DIFFERENT: the inputs that matter */
  const char *inputs, *values[2]; /* they as a sentence, and both values */
  const char *element;            /* FEWER, MORE: an element that one side alone reads */
  const char *stopped;            /* UNKNOWN: the operation that stopped it */
  char reason[400];
} ValuesVerdict;

typedef struct OracleValues OracleValues;
typedef struct ValuesLimits {
  uint64_t elements; /* that are computed for one question; 0: the default */
  size_t bytes;      /* of memory that its terms may take; 0: the default */
  LawGrade grade;    /* the weakest laws that may be used */
  bool one_judge;    /* is enough where it decides: the cheaper one is asked first */
  uint64_t steps;    /* of the other judge for one question, where one is enough; 0: its default */
} ValuesLimits;

/* KEEP: the arena and both computations, which have parameters and outputs of the same sizes. */
[[nodiscard]] OracleValues *oracle_values_create(
    Arena *arena, const Computation *before, const Computation *after, const ValuesLimits *limits);
/* Never fails: what is not decided is UNKNOWN with its reason. */
void oracle_values_ask(OracleValues *values, uint32_t leaf, ValuesVerdict *verdict);
/* One element, which somebody else has found to differ as a term: DIFFERENT where an assignment
 * shows it, else UNKNOWN with the reason. Never says more. */
void oracle_values_ask_at(
    OracleValues *values, uint32_t leaf, const int64_t *point, ValuesVerdict *verdict);
/* From here on another limit; what was computed stays. 0: the one that it was created with. */
void oracle_values_limit(OracleValues *values, uint64_t elements);

#endif
