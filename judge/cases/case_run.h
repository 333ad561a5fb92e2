/* Runs cases: executes the verb and compares the result with the expected one.
 * Keeps: a case passes only if every expectation was compared and is met. If no judge decided, the
 * outcome is UNKNOWN. A case with text that does not parse has asked nothing, so it is BAD. The
 * verbs that are about parsing (parse, read, read-rules) have a rejection as their result. */
#ifndef JUDGE_CASES_CASE_RUN_H
#define JUDGE_CASES_CASE_RUN_H

#include "judge/cases/case.h"
#include "judge/engines/engine_faults.h"
#include "judge/maps/judge.h"

typedef enum CaseOutcome : uint8_t {
  CASE_PASSED,
  CASE_FAILED,
  CASE_UNKNOWN,
  CASE_BAD, /* the input or an expected map does not parse, and no error is expected */
} CaseOutcome;

/* How a foreign engine failed to answer questions of a case. */
typedef struct CaseBreak {
  bool is_broken; /* a reply was a fault of its own, as a crash */
  bool is_mixed;  /* and another question of the case has another fault */
  FaultName name; /* the group of the first such reply */
} CaseBreak;

typedef struct CaseResult {
  CaseOutcome outcome;
  bool is_of_engine; /* a foreign engine's answer decides, whatever the case expects */
  const char *text; /* the result, unless it passed; in the arena */
  Error error;      /* of CASE_BAD; columns are counted from the start of the piece */
  CaseBreak broken;
} CaseResult;

/* The judge's context is rewound afterwards. */
void case_run(Judge *judge, Arena *arena, const Case *one, CaseResult *result);
[[nodiscard]] const char *case_outcome_text(CaseOutcome outcome);

#endif
