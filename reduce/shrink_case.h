/* Whether a case passes, so that nothing of it is to be reduced. */
#ifndef REDUCE_SHRINK_CASE_H
#define REDUCE_SHRINK_CASE_H

#include "core/rules/rule.h"
#include "judge/cases/case.h"

/* `rules`: as in a Shrink. A case that takes more than `seconds` does not pass. Returns false if it
 * cannot be run. */
[[nodiscard]] bool shrink_case_passes(Arena *arena, const RuleSet *rules, const Case *one,
    double seconds, bool (*stop)(void), bool *passes, Error *error);

#endif
