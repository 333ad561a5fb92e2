/* affirm prove --ops: the maps of operations at every size, a line a claim. */
#ifndef CLI_PROVE_OPS_H
#define CLI_PROVE_OPS_H

#include "judge/judge.h"

typedef struct ProveOpsOptions {
  bool json, quiet;
  SmtOptions smt;
} ProveOpsOptions;

[[nodiscard]] Status prove_operations(const ProveOpsOptions *options);

#endif
