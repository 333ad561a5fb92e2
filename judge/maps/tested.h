/* The engine under test: affirm's own, or a foreign one (engine.h). Both get the same questions and
 * the same judges. A foreign engine that does not analyse simplifies affirm's raw maps, and the
 * result is judged as its answer. A foreign simplification may drop, add and renumber range
 * variables, so it passes if it is the same relation. */
#ifndef JUDGE_MAPS_TESTED_H
#define JUDGE_MAPS_TESTED_H

#include "judge/maps/judge.h"
#include "judge/maps/same.h"

/* judge_query_engine for a foreign engine. */
[[nodiscard]] bool tested_maps(Judge *judge, const Question *question, MapSet *maps, Error *error);
/* The reason of a question that the foreign engine did not answer. It depends on the kind of the
 * last reply. */
[[nodiscard]] VerdictReason tested_answer(const Judge *judge);
/* A foreign engine that analyses claims no exactness. Its maps that contain more than the read set
 * are an over-approximation, not inexact, unless the judge wants exactness and affirm's own maps
 * are exact. */
void tested_claims(Judge *judge, Judgement *judgement);

/* The options apply to affirm's own engine only. False on an error of the engine. For a foreign
 * engine, tested_answer has the reason. */
[[nodiscard]] bool tested_simplify(Judge *judge, const Map *map, const SimplifyOptions *options,
    const Map **simplified, Error *error);
/* Composes consumer and producer. The result of affirm's own engine is simplified. */
[[nodiscard]] bool tested_compose(
    Judge *judge, const Map *consumer, const Map *producer, const Map **composed, Error *error);

/* Judges whether the engine's result `after` is the same map as `before`. For a foreign engine the
 * same relation is enough. */
void tested_same(Judge *judge, const Map *before, const Map *after, SameJudgement *judgement);
/* Simplifies and judges. False only on an error of affirm's own engine. If a foreign engine returns
 * no map, the judgement is refuted or unknown, and *simplified is nullptr. */
[[nodiscard]] bool tested_keeps(Judge *judge, const Map *map, const SimplifyOptions *options,
    const Map **simplified, SameJudgement *judgement, Error *error);

/* Sets the module of the next questions for a foreign engine. */
void tested_module(Judge *judge, const Module *module);

#endif
