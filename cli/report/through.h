/* The way through a fusion: the relation from the row's output to each instruction inside that lies
 * between the root and the parameter, in rows of both directions. Each has a picture of its own, drawn when it is opened. */
#ifndef CLI_REPORT_THROUGH_H
#define CLI_REPORT_THROUGH_H

#include "judge/maps/judge.h"

/* Nothing for what is no fusion, and where the engine has no maps of what is inside. */
void through_print(Text *text, const Judge *judge, const Question *question);

#endif
