/* Input-to-output by proof: the given maps are the inverse relation of output-to-input maps that
 * are proved exact. */
#ifndef JUDGE_TURNED_H
#define JUDGE_TURNED_H

#include "judge/maps/judge.h"

/* REASON_EXACT, REASON_UNSUPPORTED, or REASON_OPEN with the cause in the verdict's text;
 * REASON_WRONG where one map stands against one, lacks the pair of the inverse that the verdict
 * names, and the engine claims exactness. */
void judge_inverse(Judge *judge, const Question *question, const MapSet *maps, Verdict *verdict);

#endif
