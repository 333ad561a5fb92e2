/* What is asked about a graph: every leaf of every operand of every instruction of its entry, both
 * ways, before the oracle. */
#ifndef FUZZ_HARNESS_GRAPH_H
#define FUZZ_HARNESS_GRAPH_H

#include "fuzz/harness/harness.h"

/* Printing and reading changes nothing. `hlo` is the text that a report shows. */
void harness_check_text(Harness *harness, const Module *module, const char *hlo);
/* A map that misses a read, or a claim of exactness that does not hold, is a finding. */
void harness_judge_module(Harness *harness, const Module *module, const char *hlo);

#endif
