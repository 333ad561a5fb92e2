/* The rules that a subcommand works with: the engine's own, and those of --rules FILE after
 * them; and the files of rules below a directory. */
#ifndef CLI_PROVE_RULE_FILES_H
#define CLI_PROVE_RULE_FILES_H

#include "cli/paths.h"
#include "core/base/error.h"
#include "core/rules/rule.h"

/* path == nullptr: *rules becomes nullptr, which stands for the engine's own alone. */
[[nodiscard]] bool rule_files_read(
    Arena *arena, const char *path, const RuleSet **rules, Error *error);
/* Adds the path of a file; of a directory every .rules file in it and the directories in it, in the
 * order of names. A directory without one is an error. Counts the files with other names. */
[[nodiscard]] bool rule_files_find(
    Arena *arena, const char *path, PathList *found, uint64_t *passed_over, Error *error);

#endif
