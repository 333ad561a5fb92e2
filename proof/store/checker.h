/* The checker of certificates as a program of its own: `affirm-check` in the directory of the
 * running program. */
#ifndef PROOF_STORE_CHECKER_H
#define PROOF_STORE_CHECKER_H

#include "core/base/arena.h"

/* nullptr: the certificate proves the rule of this name in these texts. Else why not: the checker
 * rejects it, is not there, or does not end. */
[[nodiscard]] const char *certificate_rejection(
    Arena *arena, const char *rules, const char *name, const char *certificate, bool (*stop)(void));

#endif
