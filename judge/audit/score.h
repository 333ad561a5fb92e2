/* Scores an engine: counts its answers by the verdicts of the judges, and measures the length of
 * its output and its time. Affirm's own engine is scored by the same calls. */
#ifndef JUDGE_AUDIT_SCORE_H
#define JUDGE_AUDIT_SCORE_H

#include "judge/engines/engine_faults.h"
#include "judge/maps/tested.h"

typedef enum ScoreColumn : uint8_t {
#define SCORE(field, text, status, help) SCORE_##field,
#include "judge/audit/score.def"
#undef SCORE
} ScoreColumn;
static constexpr uint32_t score_column_count = 0
#define SCORE(field, text, status, help) +1
#include "judge/audit/score.def"
#undef SCORE
    ;
[[nodiscard]] const char *score_column_text(ScoreColumn column);
[[nodiscard]] Status score_column_status(ScoreColumn column);

typedef struct Score {
  uint64_t questions, counts[score_column_count];
  double seconds, slowest; /* of the calls alone; a foreign engine's include its pipe */
} Score;
[[nodiscard]] Status score_status(const Score *score);

/* One answer. */
typedef struct ScoreAnswer {
  ScoreColumn column;
  const char
      *kind;     /* of a foreign engine's reply: "crashed", "wrong rank"; else the column's text */
  size_t length; /* of the maps as affirm prints them; 0: no maps */
  const char *maps;  /* as affirm prints them; "": no maps; in the arena */
  const char *words; /* the witness, or why there is no answer; in the arena */
  bool is_reply;     /* the words are a foreign engine's reply and start with its kind */
  uint64_t earlier;  /* a foreign engine ended only after this many earlier questions */
  bool is_avoidable; /* as of a judgement */
  bool is_refusal;   /* a foreign engine has no map for what is known: it refuses, or says
                        undefined */
  FaultName fault;   /* fault group of a foreign engine's refuted answer; else empty */
} ScoreAnswer;

/* Each queries the engine under test, judges the answer and counts it. Maps are allocated in the
 * judge's context, which the caller rewinds. */
void score_analyse(
    Judge *judge, Arena *arena, const Question *question, Score *score, ScoreAnswer *answer);
void score_simplify(Judge *judge, Arena *arena, const Map *map, Score *score, ScoreAnswer *answer);
/* Returns false with the error, without counting, if affirm's own composition, which is the
 * reference, rejects the maps. */
[[nodiscard]] bool score_compose(Judge *judge, Arena *arena, const Map *consumer,
    const Map *producer, Score *score, ScoreAnswer *answer, Error *error);

#endif
