/* What a second solver says of a proof. */
#ifndef CLI_PROVE_PROVE_CONFIRMED_H
#define CLI_PROVE_PROVE_CONFIRMED_H

#include "cli/session.h"
#include "core/rules/rule.h"

[[nodiscard]] const char *confirmation_text(VerdictReason confirmation);
[[nodiscard]] Status confirmation_status(VerdictReason confirmation);
/* Prints both solvers' transcripts for the first disagreement. */
void prove_print_disagreement(
    Text *text, const Rule *rule, const char *obligation, const char *transcript);

#endif
