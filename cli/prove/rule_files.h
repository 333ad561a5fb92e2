/* The rules that a subcommand works with: the engine's own, and those of --rules FILE after
 * them. */
#ifndef CLI_PROVE_RULE_FILES_H
#define CLI_PROVE_RULE_FILES_H

#include "core/base/error.h"
#include "core/rules/rule.h"

/* path == nullptr: *rules becomes nullptr, which stands for the engine's own alone. */
[[nodiscard]] bool rule_files_read(
    Arena *arena, const char *path, const RuleSet **rules, Error *error);

#endif
