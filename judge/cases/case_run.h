/* Runs cases: does what the verb says and compares the result with the expected one.
 * Keeps: a case passes only when every expectation was compared and fits; what no judge decided is
 * UNKNOWN, neither. */
#ifndef JUDGE_CASE_RUN_H
#define JUDGE_CASE_RUN_H

#include "judge/cases/case.h"
#include "judge/maps/judge.h"

typedef enum CaseOutcome : uint8_t { CASE_PASSED, CASE_FAILED, CASE_UNKNOWN } CaseOutcome;

typedef struct CaseResult {
  CaseOutcome outcome;
  const char *text; /* the result, where it did not pass; lives in the arena */
} CaseResult;

/* The judge's context is marked and rewound around the case. */
void case_run(Judge *judge, Arena *arena, const Case *one, CaseResult *result);
[[nodiscard]] const char *case_outcome_text(CaseOutcome outcome);

#endif
