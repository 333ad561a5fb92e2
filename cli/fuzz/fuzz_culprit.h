/* Which rule made a simplification wrong: what findings of one kind are told apart by, beside their
 * operators. */
#ifndef CLI_FUZZ_CULPRIT_H
#define CLI_FUZZ_CULPRIT_H

#include "core/base/arena.h"
#include "core/rules/rule.h"

/* `log`: what a target printed. The name of the first rule whose step changed the map of an
 * `unsound` finding; nullptr for other findings, and where no step did. rules == nullptr: the
 * engine's own. A child process looks, so that the engine may crash. */
[[nodiscard]] const char *fuzz_culprit(Arena *arena, const RuleSet *rules, const char *log);

#endif
