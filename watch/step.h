/* One step of a compile, judged: the module before a pass and the module after it. */
#ifndef WATCH_STEP_H
#define WATCH_STEP_H

#include "judge/graphs/equiv_values.h"

typedef enum StepAnswer : uint8_t {
#define STEP(id, text, status, help) STEP_##id,
#include "watch/steps.def"
#undef STEP
} StepAnswer;
static constexpr uint32_t step_answer_count = 0
#define STEP(id, text, status, help) +1
#include "watch/steps.def"
#undef STEP
    ;

typedef struct StepVerdict {
  StepAnswer answer;
  uint32_t output;      /* the leaf that `values` speaks of: the worst one */
  ValuesVerdict values; /* DIFFERENT to UNKNOWN; texts live in the arena */
  const char *judges;   /* who decided the worst output; null: nobody */
  double seconds;       /* of processor time */
  char reason[400];     /* UNKNOWN, UNREADABLE, SIGNATURE */
} StepVerdict;

[[nodiscard]] const char *step_answer_text(StepAnswer answer);
[[nodiscard]] Status step_answer_status(StepAnswer answer);
/* The verdict's texts are kept in the arena. Never fails: what cannot be read is an answer. */
void step_judge(Arena *arena, const char *before, const char *after, const ValuesLimits *limits,
    StepVerdict *verdict);
/* A reason without names and numbers, so that equal reasons count as one. */
void step_reason_class(const StepVerdict *verdict, size_t capacity, char text[]);

#endif
