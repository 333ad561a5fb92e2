/* The words and the exit status of what a second solver says. */
#include "cli/prove/prove_confirmed.h"

const char *confirmation_text(VerdictReason confirmation) {
  return confirmation == REASON_EXACT       ? "confirmed by cvc5"
         : confirmation == REASON_DIFFERENT ? "cvc5 DISAGREES"
                                            : "cvc5 does not decide it";
}

Status confirmation_status(VerdictReason confirmation) {
  return confirmation == REASON_NOT_ASKED ? STATUS_PROVED
                                          : (Status)verdict_reason_exit(confirmation);
}

void prove_print_disagreement(
    Text *text, const Rule *rule, const char *obligation, const char *transcript) {
  text_printf(text,
      "  DISAGREEMENT on %s: Z3 answers unsat, the second solver does not\n  --- obligation\n%s  --- second solver, all obligations of the rule\n%s",
      rule->name, obligation, transcript);
}
