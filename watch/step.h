/* Judges one step of a compile: the module before a pass and the module after it. */
#ifndef WATCH_STEP_H
#define WATCH_STEP_H

#include "judge/graphs/equiv_values.h"

/* The columns of a summary, best first. */
static constexpr VerdictReason step_answers[] = {
#define STEP(reason, text, status, help) REASON_##reason,
#include "watch/steps.def"
#undef STEP
};
static constexpr uint32_t step_answer_count = sizeof step_answers / sizeof *step_answers;

typedef struct StepVerdict {
  VerdictReason answer; /* one of step_answers */
  uint32_t output;      /* the leaf with the worst verdict, which `values` is about */
  ValuesVerdict values; /* for DIFFERENT to OPEN; texts are in the arena */
  const char *judges;   /* who decided the worst output; nullptr: no judge */
  double seconds;       /* processor time */
  char reason[400];     /* for OPEN, MALFORMED, SIGNATURE */
  bool lacks_before;    /* MALFORMED: the text before cannot be read or parsed */
  bool is_lost;         /* the judge ended without a verdict; another run may get one */
} StepVerdict;

/* nullptr: no step has this answer. */
[[nodiscard]] const char *step_answer_text(VerdictReason answer);
[[nodiscard]] Status step_answer_status(VerdictReason answer);
/* Reads a text of a directory: a regular file, since a pipe could have no writer. */
[[nodiscard]] bool step_read(Arena *arena, const char *path, Source *source, Error *error);
/* The verdict's texts are in the arena. Never fails: an unreadable text is an answer
 * (MALFORMED). */
void step_judge(Arena *arena, const char *before, const char *after, const ValuesLimits *limits,
    StepVerdict *verdict);
/* Writes the reason without names and numbers, so that equal reasons can be grouped. */
void step_reason_class(const StepVerdict *verdict, size_t capacity, char text[]);

#endif
