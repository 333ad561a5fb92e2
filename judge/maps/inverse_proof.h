/* Proves input-to-output maps: they are exact if they are the inverse relation of output-to-input
 * maps that are proved exact. */
#ifndef JUDGE_MAPS_INVERSE_PROOF_H
#define JUDGE_MAPS_INVERSE_PROOF_H

#include "judge/maps/judge.h"

/* Sets REASON_EXACT, REASON_UNSUPPORTED, or REASON_OPEN with the cause in the verdict's text. Sets
 * REASON_WRONG if there is one map on each side, the given map lacks a pair of the inverse, which
 * the verdict names, and the engine claims exactness. */
void judge_inverse(Judge *judge, const Question *question, const MapSet *maps, Verdict *verdict);

#endif
