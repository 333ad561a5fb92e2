/* Decides whether another engine's result is the same as the original map. Built for millions of
 * small maps: enumeration alone where it decides, proof if the map is too large. */
#ifndef JUDGE_AUDIT_AUDIT_PAIR_H
#define JUDGE_AUDIT_AUDIT_PAIR_H

#include "core/base/text.h"
#include "core/map/map.h"
#include "judge/maps/judge.h"

/* The columns of a summary of pairs, in order: same map, same relation, different, unknown, and a
 * line that is not a pair. */
static constexpr VerdictReason pair_answers[] = {
    REASON_EXACT, REASON_SAME_RELATION, REASON_DIFFERENT, REASON_OPEN, REASON_MALFORMED};
static constexpr uint32_t pair_answer_count = sizeof pair_answers / sizeof *pair_answers;
[[nodiscard]] const char *pair_answer_text(VerdictReason answer);
[[nodiscard]] Status pair_answer_status(VerdictReason answer);

/* A judge for many pairs: it stops at the first judge that decides. GIVE: the caller destroys
 * it. */
[[nodiscard]] Judge *pair_judge_create(Error *error);

/* Appends the answer: `same map`, `same relation`, `different at d0 = 1, s0 = 2: before (3), after
 * (4)`, `unknown (why)`. `at`: the point of a difference, in the answer's arena. */
[[nodiscard]] VerdictReason pair_judge(
    Judge *judge, const Map *before, const Map *after, Text *answer, Bindings *at);

/* Judges two texts, or three with `result`: consumer, producer, and their claimed composition.
 * Appends `error: ..` with the column if a text does not parse. Nothing stays in the context. */
[[nodiscard]] VerdictReason pair_judge_texts(Judge *judge, const Source *before,
    const Source *after, const Source *result, Text *answer, Bindings *at);

#endif
