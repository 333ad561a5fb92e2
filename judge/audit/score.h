/* How good is an engine: its answers counted by what the judges say of them, with the length of
 * what it writes and the time that it takes. Affirm's own engine is scored by the same calls. */
#ifndef JUDGE_SCORE_H
#define JUDGE_SCORE_H

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
  uint64_t asked, counts[score_column_count];
  double seconds, slowest; /* of the calls alone: a foreign engine's with its pipe */
} Score;
[[nodiscard]] Status score_status(const Score *score);

/* One answer. */
typedef struct ScoreAnswer {
  ScoreColumn column;
  const char
      *kind;     /* of a foreign engine's reply: "crashed", "wrong rank"; else the column's word */
  size_t length; /* of the maps as we print them; 0 without maps */
  const char *maps;  /* as we print them; "" without any; in the arena */
  const char *words; /* the witness, or why there is no answer; in the arena */
  bool is_reply;     /* the words are a foreign engine's reply, and begin with its kind */
  FaultName fault;   /* of a foreign engine's answer that is refuted: its group; else empty */
} ScoreAnswer;

/* Each asks the engine under test of the judge, judges, counts. Maps are made in the judge's
 * context, which the caller rewinds. */
void score_analyse(
    Judge *judge, Arena *arena, const Question *question, Score *score, ScoreAnswer *answer);
void score_simplify(Judge *judge, Arena *arena, const Map *map, Score *score, ScoreAnswer *answer);
/* False, and nothing is counted, where affirm's own composition rejects, which the answer is
 * compared with. */
[[nodiscard]] bool score_compose(Judge *judge, Arena *arena, const Map *consumer,
    const Map *producer, Score *score, ScoreAnswer *answer);

#endif
