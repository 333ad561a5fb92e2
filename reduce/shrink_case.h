/* Whether a case passes, so that nothing of it is to be reduced. A run that the time limit ends
 * says neither. */
#ifndef REDUCE_SHRINK_CASE_H
#define REDUCE_SHRINK_CASE_H

#include "core/rules/rule.h"
#include "judge/cases/case.h"

typedef enum CaseTrialEnd : uint8_t {
  CASE_TRIAL_PASSED,
  CASE_TRIAL_NOT_PASSED, /* it failed, is undecided or bad, or the process crashed */
  CASE_TRIAL_LATE,       /* it took more than `seconds`, or `stop` ended it */
} CaseTrialEnd;

/* `rules`: as in a Shrink. Returns false if the case cannot be run. */
[[nodiscard]] bool shrink_case_try(Arena *arena, const RuleSet *rules, const Case *one,
    double seconds, bool (*stop)(void), CaseTrialEnd *end, Error *error);

#endif
