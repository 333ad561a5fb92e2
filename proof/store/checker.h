/* The checker of certificates as a program of its own: `affirm-check` in the directory of the
 * running program. */
#ifndef PROOF_STORE_CHECKER_H
#define PROOF_STORE_CHECKER_H

#include "core/base/arena.h"

/* Does the certificate prove the rule of this name in these texts? False as well where the checker
 * cannot be run or does not end. */
[[nodiscard]] bool certificate_is_accepted(
    Arena *arena, const char *rules, const char *name, const char *certificate, bool (*stop)(void));

#endif
