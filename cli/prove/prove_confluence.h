/* affirm prove --confluence: checks that the engine joins the results, whatever rule is applied
 * first. */
#ifndef CLI_PROVE_PROVE_CONFLUENCE_H
#define CLI_PROVE_PROVE_CONFLUENCE_H

#include "cli/session.h"

typedef struct ConfluenceOptions {
  bool json, quiet;
  const char
      *listed;   /* a file of overlaps known not to be joined, or to have no instance; nullptr */
  int64_t tries; /* instances tried for each overlap; 0: the default */
  int64_t maps;  /* random maps for each pair of rules, besides the overlaps; 0: none */
} ConfluenceOptions;

[[nodiscard]] Status prove_confluence(const ConfluenceOptions *options);

#endif
