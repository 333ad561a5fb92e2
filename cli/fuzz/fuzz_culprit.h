/* Finds the rule that made a simplification wrong. Findings of one kind are distinguished by it and
 * by their operators. */
#ifndef CLI_FUZZ_CULPRIT_H
#define CLI_FUZZ_CULPRIT_H

#include "core/base/arena.h"
#include "core/rules/rule.h"

/* `log`: the output of a target. Returns the name of the first rule whose step changed the map of
 * an `unsound` finding; nullptr for other findings, and if no step did. rules == nullptr: the
 * engine's own rules. A child process does this, since the engine may crash. */
[[nodiscard]] const char *fuzz_culprit(Arena *arena, const RuleSet *rules, const char *log);

#endif
