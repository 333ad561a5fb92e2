/* affirm prove --coverage: what is judged twice, and what is not. */
#ifndef CLI_PROVE_PROVE_COVERAGE_H
#define CLI_PROVE_PROVE_COVERAGE_H

#include "cli/session.h"
#include "core/base/arena.h"

/* Prints what is judged twice, and what is not. */
[[nodiscard]] Status prove_coverage(Arena *arena);

#endif
