/* The path through a fusion: the relation from the row's output to each instruction between the
 * root and the parameter, in both directions. Each has a picture, which is drawn when it is
 * opened. */
#ifndef CLI_REPORT_THROUGH_H
#define CLI_REPORT_THROUGH_H

#include "judge/maps/judge.h"

/* Prints nothing if the instruction is not a fusion, or if the engine has no maps of its inside. */
void through_print(Text *text, const Judge *judge, const Question *question);

#endif
