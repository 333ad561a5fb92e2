/* affirm prove --ops: proves the maps of operations at every size and prints a line a claim; and
 * the words of all verdicts that prove prints. */
#ifndef CLI_PROVE_PROVE_OPS_H
#define CLI_PROVE_PROVE_OPS_H

#include "judge/maps/judge.h"

typedef struct ProveOpsOptions {
  bool json, quiet;
  const char *statements; /* output file for the claims as rules, or nullptr */
  SmtOptions smt;
} ProveOpsOptions;

[[nodiscard]] const char *prove_answer_text(VerdictStatus answer);
[[nodiscard]] Status prove_answer_status(VerdictStatus answer);

[[nodiscard]] Status prove_operations(const ProveOpsOptions *options);

#endif
