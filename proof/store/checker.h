/* Runs the certificate checker, the program `affirm-check` in the directory of the running
 * program. */
#ifndef PROOF_STORE_CHECKER_H
#define PROOF_STORE_CHECKER_H

#include "core/base/arena.h"

/* Returns nullptr if the certificate proves the rule of this name in `rules`. Otherwise returns why
 * not: the checker rejects it, is missing, or does not end. */
[[nodiscard]] const char *certificate_rejection(
    Arena *arena, const char *rules, const char *name, const char *certificate, bool (*stop)(void));

#endif
