/* affirm prove --coverage: what is judged twice, and what is not. */
#ifndef CLI_PROVE_PROVE_COVERAGE_H
#define CLI_PROVE_PROVE_COVERAGE_H

#include "cli/session.h"
#include "core/base/arena.h"
#include "smt/rules/rule_value.h"

/* Prints what is judged twice, and what is not. */
[[nodiscard]] Status prove_coverage(Arena *arena);
/* The same for the rules of files and directories: values under which the guard holds, and the
 * first derived negative twin (generate/rule_twin.h) that values refute. Status of a file that
 * cannot be read: STATUS_BAD. */
[[nodiscard]] Status prove_coverage_files(Arena *arena, int count, char **paths);

/* The first values that refute, or under which the guard holds, among so many random ones. */
[[nodiscard]] bool coverage_values_find(
    const Rule *rule, bool is_refutation, uint32_t tries, RuleValues *values);

#endif
