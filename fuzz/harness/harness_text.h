/* Checks parsers: an accepted text must print, read back, and print the same; the error of a
 * rejected text must have a position. */
#ifndef FUZZ_HARNESS_HARNESS_TEXT_H
#define FUZZ_HARNESS_HARNESS_TEXT_H

#include "fuzz/harness/harness.h"

void harness_read_map(Harness *harness, const Source *source);
void harness_read_rules(Harness *harness, const Source *source);
void harness_read_hlo(Harness *harness, const Source *source);
void harness_read_cases(Harness *harness, const Source *source);

#endif
