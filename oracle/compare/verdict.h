/* Judging maps against read sets: what the two directions share.
 * A relation is a matrix of bits, one row for each element of the tensor that the map goes from.
 * Both directions are judged row by row; counts of a row are added when the row is done with all of
 * its assignments, because an enumeration may start again. */
#ifndef ORACLE_VERDICT_H
#define ORACLE_VERDICT_H

#include "oracle/evaluate/plan.h"
#include "oracle/evaluate/read_set.h"
#include "oracle/compare/same.h"
#include "oracle/evaluate/values.h"

static constexpr uint64_t verdict_most_paths =
    UINT64_C(1) << 18; /* assignments of one row that are all gone through */
static constexpr uint64_t verdict_all_paths = UINT64_C(1)
                                              << 22; /* the same, for all rows together */
static constexpr uint64_t verdict_least_paths = 256;
static constexpr int64_t verdict_most_pairs = INT64_C(1) << 18; /* that are compared alone */
static constexpr uint64_t verdict_most_samples =
    1024; /* assignments of a row that has more: not more than would all be gone through */

/* What was found wrong first, or extra first, and under which runtime values. */
typedef struct ReadFinding {
  bool is_set;
  int64_t from, to;
  char values[160];
} ReadFinding;

typedef struct Tally {
  int64_t missing, extra;
  uint64_t paths;
  ReadFinding first_missing, first_extra;
} Tally;

/* A set of maps made ready: what they say is the union. */
typedef struct Said {
  uint32_t plan_count;
  Plan *plans;
  uint64_t *fixed; /* matrix of the maps without runtime variables */
  bool has_runtimes;
} Said;

typedef struct ReadJudgement {
  Oracle *oracle;
  Arena *arena;
  const Instruction *judged;
  bool is_backward; /* input-to-output */
  Verdict *verdict;
  Rejection rejection;
  Flow flow;
  Values values;
  ReadSet set;
  const Leaf *from, *to; /* of the maps: output and operand, or the other way round */
  const char *from_name, *to_name;
  uint32_t row_words; /* of a row over `to` */
  Said said;
  Said other; /* where two sets of maps are compared */
  Fault fault;
  Excess excess;
  Tally tally;
} ReadJudgement;

/* Compares a row of so many words and counts into `tally`. */
void compare_row(ReadJudgement *judgement, uint32_t words, int64_t from, const uint64_t *reads,
    const uint64_t *says, Tally *tally);
void add_tally(Tally *all, const Tally *row);

/* What the plans of its maps are given. */
[[nodiscard]] PlanContext judgement_context(ReadJudgement *judgement);
/* All kinds of judging fill the tally, or set the rejection or the fault; false then. */
[[nodiscard]] bool judge_output_to_input(ReadJudgement *judgement);
[[nodiscard]] bool judge_input_to_output(ReadJudgement *judgement);
/* What the one set says and the other does not is missing, what the other says alone is extra. */
[[nodiscard]] bool judge_said_alike(ReadJudgement *judgement);

/* The answer and its sentence, from what has been found. */
void explain_fault(ReadJudgement *judgement);
void explain_tally(ReadJudgement *judgement);
void explain_alike(ReadJudgement *judgement);
void explain_rejection(ReadJudgement *judgement);
/* WRONG without any point: what does not fit is said. */
[[gnu::format(printf, 2, 3)]] void explain_misfit(
    ReadJudgement *judgement, const char *format, ...);

#endif
