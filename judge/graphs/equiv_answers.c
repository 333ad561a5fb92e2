/* Texts and exit statuses of a comparison of reads. */
#include "judge/graphs/equiv.h"

const char *equiv_answer_text(VerdictReason answer) {
  static const char *const texts[verdict_reason_count] = {
#define ANSWER(reason, text, help) [REASON_##reason] = text,
#include "judge/graphs/equiv_answers.def"
#undef ANSWER
  };
  return texts[answer];
}

Status equiv_answer_status(VerdictReason answer) { return (Status)verdict_reason_exit(answer); }
