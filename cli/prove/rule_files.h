/* The rules of a subcommand: the engine's own, followed by those of --rules FILE. Finds rule files
 * below a directory. */
#ifndef CLI_PROVE_RULE_FILES_H
#define CLI_PROVE_RULE_FILES_H

#include "cli/paths.h"
#include "core/base/error.h"
#include "core/rules/rule.h"

/* path == nullptr sets *rules to nullptr, which means only the engine's own rules. A rule that the
 * engine cannot run is an error. */
[[nodiscard]] bool rule_files_read(
    Arena *arena, const char *path, const RuleSet **rules, Error *error);
/* Adds the path of a file, or all .rules files below a directory in the order of names. A directory
 * without one is an error. Counts files with other names. */
[[nodiscard]] bool rule_files_find(
    Arena *arena, const char *path, PathList *found, uint64_t *passed_over, Error *error);
/* "; passed over N files (other names)", or "" for none. */
[[nodiscard]] const char *rule_files_passed_over(Arena *arena, uint64_t count);

#endif
