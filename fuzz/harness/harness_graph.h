/* Checks a graph: for every instruction of its entry, the maps of every operand leaf in both
 * directions, judged by the oracle. */
#ifndef FUZZ_HARNESS_HARNESS_GRAPH_H
#define FUZZ_HARNESS_HARNESS_GRAPH_H

#include "fuzz/harness/harness.h"

/* Printing and reading back must not change the module. `hlo` is the text that a report shows. */
void harness_check_text(Harness *harness, const Module *module, const char *hlo);
/* Findings: a missing read, a false claim of exactness, a map that is not idempotent, and wrong
 * maps of a collective across devices. */
void harness_judge_module(Harness *harness, const Module *module, const char *hlo);

#endif
