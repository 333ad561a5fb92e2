/* affirm prove --coverage: reports what is judged twice, and what is not. */
#ifndef CLI_PROVE_PROVE_COVERAGE_H
#define CLI_PROVE_PROVE_COVERAGE_H

#include "cli/session.h"
#include "core/base/arena.h"
#include "smt/rules/rule_value.h"

/* The report for the engine's rules, the claims about operations, the opcodes and the
 * attributes. */
[[nodiscard]] Status prove_coverage(Arena *arena);
/* The report for the rules of files and directories: values that satisfy the guard, and the first
 * derived negative twin (generate/rule_twin.h) that values refute. STATUS_REFUTED if values refute
 * a rule itself. STATUS_BAD if a file cannot be read. */
[[nodiscard]] Status prove_coverage_files(Arena *arena, int count, char **paths);

/* Finds the first of `tries` random values that refute the rule, or that satisfy its guard. */
[[nodiscard]] bool coverage_values_find(
    const Rule *rule, bool is_refutation, uint32_t tries, RuleValues *values);

#endif
