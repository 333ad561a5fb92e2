/* Each step of simplifying a map keeps the map, and the record of the steps ends where simplifying
 * without a record does. */
#ifndef JUDGE_STEPS_H
#define JUDGE_STEPS_H

#include "judge/maps/same.h"

/* REFUTED: the first step that is wrong, or the end. UNKNOWN: no step is wrong, and one could not
 * be judged, or the engine rejects the map. */
void judge_steps(Judge *judge, const Map *map, SameJudgement *judgement);

#endif
