/* The engine under test, as judges and commands ask it: affirm's own, or a foreign one (engine.h)
 * in its place. What is asked and how it is judged is the same. A foreign engine that does not
 * analyse gets affirm's raw maps to simplify, and the simplified ones are judged as its answer. A
 * foreign simplification may drop, add and renumber range variables: it is judged as the same
 * relation where it is not the same map. */
#ifndef JUDGE_TESTED_H
#define JUDGE_TESTED_H

#include "judge/maps/judge.h"
#include "judge/maps/same.h"

/* judge_ask_engine where the engine is foreign. */
[[nodiscard]] bool tested_maps(Judge *judge, const Question *question, MapSet *maps, Error *error);
/* What a question comes to that the foreign engine did not answer: by the kind of its last
 * reply. */
[[nodiscard]] VerdictReason tested_answer(const Judge *judge);
/* An engine that analyses claims no exactness: what contains the read set and more is an
 * over-approximation, not inexact. */
void tested_claims(const Judge *judge, Judgement *judgement);

/* Options are for affirm's own alone. False on an error of the engine's; of a foreign one
 * tested_answer says how it is to be taken. */
[[nodiscard]] bool tested_simplify(Judge *judge, const Map *map, const SimplifyOptions *options,
    const Map **simplified, Error *error);
/* The producer's map after the consumer's; affirm's own is simplified. */
[[nodiscard]] bool tested_compose(
    Judge *judge, const Map *consumer, const Map *producer, const Map **composed, Error *error);

/* Is `after`, by the engine under test, the same? Of a foreign engine the same relation is
 * enough. */
void tested_same(Judge *judge, const Map *before, const Map *after, SameJudgement *judgement);
/* Simplifies and judges. False on an error of affirm's own engine alone: a foreign one that gives
 * no map is refuted or unknown, *simplified nullptr. */
[[nodiscard]] bool tested_keeps(Judge *judge, const Map *map, const SimplifyOptions *options,
    const Map **simplified, SameJudgement *judgement, Error *error);

/* The module of the questions to come; for affirm's own engine nothing happens. */
void tested_module(Judge *judge, const Module *module);

#endif
