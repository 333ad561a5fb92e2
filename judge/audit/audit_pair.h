/* Is what another engine made of a map the same? Made for millions of small maps: enumeration alone
 * where it decides, proof where it is too large. */
#ifndef JUDGE_AUDIT_PAIR_H
#define JUDGE_AUDIT_PAIR_H

#include "core/base/text.h"
#include "core/map/map.h"
#include "judge/maps/judge.h"

typedef enum PairWord : uint8_t {
  PAIR_SAME_MAP,
  PAIR_SAME_RELATION,
  PAIR_DIFFERENT,
  PAIR_UNKNOWN,
  PAIR_ERROR
} PairWord;
static constexpr uint32_t pair_word_count = 5;

[[nodiscard]] const char *pair_word_text(PairWord word);
[[nodiscard]] Status pair_word_status(PairWord word);

/* One a thread. The solver is made when it is first needed. */
typedef struct PairJudge PairJudge;
/* GIVE: the caller destroys it. */
[[nodiscard]] PairJudge *pair_judge_create(void);
void pair_judge_destroy(PairJudge *judge);
/* Where both maps are to be made; the caller marks and rewinds. */
[[nodiscard]] MapContext *pair_judge_context(const PairJudge *judge);

/* Appends the answer: `same map`, `same relation`, `different at d0=1, s0=2: before (3), after
 * (4)`, `unknown (why)`. */
[[nodiscard]] PairWord pair_judge(
    PairJudge *judge, const Map *before, const Map *after, Text *answer);

/* Two texts, or three with `result` (consumer, producer, result: is the result their composition?).
 * Appends `error: ..` where one of them does not read, with its column in its line. Keeps nothing
 * in the context. */
[[nodiscard]] PairWord pair_judge_texts(PairJudge *judge, const Source *before, const Source *after,
    const Source *result, Text *answer);

#endif
