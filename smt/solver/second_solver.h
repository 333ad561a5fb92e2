/* A second opinion: obligations as SMT-LIB text, answered by cvc5 in a process of its own, where it
 * is installed. */
#ifndef SMT_SECOND_SOLVER_H
#define SMT_SECOND_SOLVER_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/verdict.h"

/* The first line of `cvc5 --version`, or nullptr where there is none. */
[[nodiscard]] const char *second_solver_version(Arena *arena);

/* One process for all texts. answers: [count], each on "no values satisfy the text": PROVED is
 * unsat, REFUTED is sat. False where the process cannot be run or says
 * something else: then the error holds the beginning of what it said. */
[[nodiscard]] bool second_solver_ask(Arena *arena, uint32_t count, const char *const *texts,
    VerdictStatus *answers, const char **transcript, Error *error);

#endif
