/* affirm prove --confluence: whatever rule is applied first, the engine joins the results. */
#ifndef CLI_PROVE_PROVE_CONFLUENCE_H
#define CLI_PROVE_PROVE_CONFLUENCE_H

#include "cli/session.h"

typedef struct ConfluenceOptions {
  bool json, quiet;
  const char *listed; /* a file of peaks that are known not to be joined, or nullptr */
  int64_t tries;      /* maps for each pair of rules; 0: the default */
} ConfluenceOptions;

[[nodiscard]] Status prove_confluence(const ConfluenceOptions *options);

#endif
