/* Whether a rule can run, and whether its `example:` line is true. */
#ifndef CLI_PROVE_PROVE_EXAMPLE_H
#define CLI_PROVE_PROVE_EXAMPLE_H

#include "cli/session.h"
#include "core/base/verdict.h"
#include "core/rules/rule.h"

/* Sets `cannot_run` of each rule that the engine cannot match or build, to the engine's reason. */
void rules_note_obstacles(Arena *arena, RuleSet *rules);

/* What every command that reads rules says of an example: PROVED and no line, or why the rule does
 * not fire, in one line. PROVED too for a rule without an example, and for one that cannot run. */
[[nodiscard]] Status rule_example_status(
    Arena *arena, const RuleSet *rules, const Rule *rule, bool is_json, const char **line);

/* The line about an example that the rule does not fire on, or a negative one that is not
 * refuted. */
[[nodiscard]] const char *example_fault(
    Arena *arena, const Rule *rule, bool is_json, bool is_negative, VerdictStatus answer);

#endif
