/* Judges each step of a simplification: it must preserve the map. The recorded steps must end with
 * the map that simplifying without a record returns. */
#ifndef JUDGE_MAPS_STEPS_H
#define JUDGE_MAPS_STEPS_H

#include "judge/maps/same.h"

/* REFUTED: a step is wrong, or the ends differ; the first is named. UNKNOWN: no step is wrong, but
 * one could not be judged, or the engine rejects the map. */
void judge_steps(Judge *judge, const Map *map, SameJudgement *judgement);

#endif
