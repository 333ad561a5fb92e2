/* Judges each step of a simplification: it must preserve the map. The recorded steps must end with
 * the map that simplifying without a record returns.
 * A step is a statement about integers of any size: a rule can produce a sum that leaves int64, and
 * the next rule can remove it. Only the first and the last map must stay in int64. */
#ifndef JUDGE_MAPS_STEPS_H
#define JUDGE_MAPS_STEPS_H

#include "judge/maps/same.h"

/* Judges the map before and the map after one step. If a value leaves int64, the proof about
 * integers of any size decides: PROVED or UNKNOWN. `text` has the point. */
void judge_step(Judge *judge, const Map *before, const Map *after, SameJudgement *judgement);

/* REFUTED: a step is wrong, or the ends differ; the first is named. UNKNOWN: no step is wrong, but
 * one could not be judged, or the engine rejects the map. */
void judge_steps(Judge *judge, const Map *map, SameJudgement *judgement);

#endif
