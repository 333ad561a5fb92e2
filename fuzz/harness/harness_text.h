/* What is asked about texts: what a parser accepts must print, read back, and print the same; what
 * it rejects must have a place. */
#ifndef FUZZ_HARNESS_TEXT_H
#define FUZZ_HARNESS_TEXT_H

#include "fuzz/harness/harness.h"

void harness_read_map(Harness *harness, const Source *source);
void harness_read_rules(Harness *harness, const Source *source);
void harness_read_hlo(Harness *harness, const Source *source);
void harness_read_cases(Harness *harness, const Source *source);

#endif
