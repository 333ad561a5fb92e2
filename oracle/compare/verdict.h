/* Judges maps against read sets: declarations shared by the two directions.
 * A relation is a matrix of bits, one row for each element of the tensor that the map goes from.
 * Both directions are judged row by row. The counts of a row are added after all of its
 * assignments, because an enumeration may restart. */
#ifndef ORACLE_COMPARE_VERDICT_H
#define ORACLE_COMPARE_VERDICT_H

#include "oracle/evaluate/plan.h"
#include "oracle/evaluate/read_set.h"
#include "oracle/compare/same.h"
#include "oracle/evaluate/values.h"

static constexpr uint64_t verdict_most_paths =
    UINT64_C(1) << 18; /* assignments of one row that are all enumerated */
static constexpr uint64_t verdict_all_paths = UINT64_C(1)
                                              << 22; /* the same, for all rows together */
static constexpr uint64_t verdict_least_paths = 256;
static constexpr uint64_t verdict_most_samples =
    1024; /* sampled assignments of a row with too many; never more than would be enumerated */

/* The first missing or extra pair, and the runtime values under which it was found. */
typedef struct ReadFinding {
  bool is_set;
  int64_t from, to;
  char values[160];
} ReadFinding;

typedef struct Tally {
  int64_t missing, extra;
  bool is_missing_sure, is_extra_sure; /* also if only assignments that can occur count */
  uint64_t paths;
  ReadFinding first_missing, first_extra;
} Tally;

/* A union of prepared maps. */
typedef struct StatedMaps {
  uint32_t plan_count;
  Plan *plans;
  uint64_t *fixed; /* matrix of the maps without runtime variables */
  bool has_runtimes;
} StatedMaps;

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
  const Leaf *from, *to; /* of the maps: output and operand, or the reverse */
  const char *from_name, *to_name;
  uint32_t row_words; /* of a row over `to` */
  StatedMaps stated;
  StatedMaps other; /* if two unions of maps are compared */
  Fault fault;
  Fault doubtful; /* a fault under an assignment that may never occur */
  Excess excess;
  Tally tally;
  uint32_t looks; /* at the time */
  int64_t tick;   /* of the coarse clock at the last look */
  int64_t end;    /* by the thread's processor time, in nanoseconds; 0: not begun */
} ReadJudgement;

/* Compares a row of `words` words and adds the differences to `tally`. */
void compare_row(ReadJudgement *judgement, uint32_t words, int64_t from, const uint64_t *reads,
    const uint64_t *related, Tally *tally);
void add_tally(Tally *all, const Tally *row);

[[nodiscard]] PlanContext judgement_context(ReadJudgement *judgement);
/* The judges add to the tally, or set the rejection or the fault and return false. */
[[nodiscard]] bool judge_output_to_input(ReadJudgement *judgement);
[[nodiscard]] bool judge_input_to_output(ReadJudgement *judgement);
/* Pairs in `stated` only are missing, pairs in `other` only are extra. */
[[nodiscard]] bool judge_stated_alike(ReadJudgement *judgement);

/* Set the verdict and its sentence from what was found. */
void explain_fault(ReadJudgement *judgement);
void explain_tally(ReadJudgement *judgement);
void explain_alike(ReadJudgement *judgement);
void explain_rejection(ReadJudgement *judgement);
/* Sets REASON_WRONG without a point; the sentence states what does not fit. */
[[gnu::format(printf, 2, 3)]] void explain_misfit(
    ReadJudgement *judgement, const char *format, ...);

#endif
