/* A second solver: cvc5, if it is installed, decides obligations in SMT-LIB text in its own
 * process. */
#ifndef SMT_SOLVER_SECOND_SOLVER_H
#define SMT_SOLVER_SECOND_SOLVER_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/verdict.h"

/* The first line of `cvc5 --version`, or nullptr if cvc5 is not installed. */
[[nodiscard]] const char *second_solver_version(Arena *arena);

/* Runs one process for all texts. answers: [count], each on "no values satisfy the text": PROVED is
 * unsat, REFUTED is sat. Returns false if the process cannot be run or prints something else; the
 * error then contains the beginning of its output. */
[[nodiscard]] bool second_solver_query(Arena *arena, uint32_t count, const char *const *texts,
    VerdictStatus *answers, const char **transcript, Error *error);

#endif
