/* Decides by terms whether two computations with the same parameters compute the same values, one
 * query for each leaf of the output.
 * Unchanged arrays are found by fingerprint and become atoms. Then the terms of every element are
 * compared, then the terms under every value of the offsets. Different terms are no refutation:
 * both are evaluated on small integers, and only an element with different values refutes. */
#ifndef ORACLE_EQUIVALENCE_SAME_VALUES_H
#define ORACLE_EQUIVALENCE_SAME_VALUES_H

#include "core/base/arena.h"
#include "core/base/law_grade.h"
#include "oracle/oracle.h"

/* The verdicts about values, ordered by how much they leave open. REASON_TRIED is never a proof. */
static constexpr VerdictReason values_answers[] = {REASON_EXACT, REASON_SAME_READS,
    REASON_FEWER_READS, REASON_MORE_READS, REASON_TRIED, REASON_DIFFERENT, REASON_OPEN};
static constexpr uint32_t values_answer_count = sizeof values_answers / sizeof *values_answers;
/* The position in this order. */
[[nodiscard]] static inline uint32_t values_rank(VerdictReason answer) {
  uint32_t rank = 0;
  while (rank + 1 < values_answer_count && values_answers[rank] != answer) rank++;
  return rank;
}

typedef struct ValuesVerdict {
  VerdictReason answer; /* one of values_answers; REASON_NOT_ASKED before the query */
  const char *by; /* the deciding method: "fingerprint", "terms", "laws", "offsets", "inputs" (all
                     values of inputs of few bits), "values", or "parts" (evaluation of the
                     operations between arrays that are equal); nullptr: undecided */
  bool has_point;
  uint32_t rank;
  int64_t point[oracle_max_rank]; /* of the output leaf: the first element that differs */
  const char *laws;               /* of REASON_EXACT: the laws that were used; or nullptr */
  const char *terms;              /* both terms, cut to where they differ; or nullptr */
  const char *sides[2];           /* each of the terms alone, if there are terms */
  Bindings at;                    /* of REASON_DIFFERENT: the inputs that matter */
  const char *inputs, *values[2]; /* these inputs as a sentence, and both values */
  const char *element;            /* of REASON_FEWER_READS and REASON_MORE_READS: an element that
                                     only one side reads */
  const char *stopped;            /* of REASON_OPEN: the operation that stopped the comparison */
  char reason[400];
} ValuesVerdict;

typedef struct OracleValues OracleValues;
typedef struct ValuesLimits {
  uint64_t elements; /* computed for one query; 0: the default */
  size_t bytes;      /* memory of the terms; 0: the default */
  LawGrade grade;    /* the weakest laws that may be used */
  bool one_judge;    /* one judge's decision is enough: the cheaper judge is asked first */
  uint64_t steps;    /* of the other judge for one query, if one judge is enough; 0: its default */
} ValuesLimits;

/* KEEP: the arena and both computations, whose parameters and outputs have the same sizes. */
[[nodiscard]] OracleValues *oracle_values_create(
    Arena *arena, const Computation *before, const Computation *after, const ValuesLimits *limits);
/* Always sets a verdict: an undecided query is REASON_OPEN with its reason. */
void oracle_values_query(OracleValues *values, uint32_t leaf, ValuesVerdict *verdict);
/* Decides about one element whose terms differ according to another judge: REASON_DIFFERENT if an
 * assignment shows it, otherwise REASON_OPEN with the reason. */
void oracle_values_query_at(
    OracleValues *values, uint32_t leaf, const int64_t *point, ValuesVerdict *verdict);
/* Sets another limit; cached results are kept. 0: the limit at creation. */
void oracle_values_limit(OracleValues *values, uint64_t elements);

#endif
