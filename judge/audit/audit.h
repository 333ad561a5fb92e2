/* Judges what another engine printed for one pair of an output and an operand of an instruction.
 * Several maps are a union.
 * Keeps: whatever the text leaves open, or does not say, is never counted as right. */
#ifndef JUDGE_AUDIT_H
#define JUDGE_AUDIT_H

#include "judge/maps/judge.h"
#include "judge/audit/printed.h"

/* The columns of a summary, in their order. */
static constexpr VerdictReason audit_answers[] = {
#define AUDIT(reason, help) REASON_##reason,
#include "judge/audit/audit.def"
#undef AUDIT
};
static constexpr uint32_t audit_answer_count = sizeof audit_answers / sizeof *audit_answers;

typedef struct Audit {
  VerdictReason answer; /* one of audit_answers; texts are those of judge_answer_text */
  bool is_judged;       /* `judgement` is set */
  bool is_misfit;       /* malformed: reads, and has another rank or leaves the tensor */
  Judgement judgement;
  const char *text; /* the witness; what is malformed, with its place; why it is not judged; "":
                       nothing is to be said */
  Arena *arena;     /* of the text */
} Audit;

/* In the arena, which its texts go to as well. */
[[nodiscard]] Audit *audit_create(Arena *arena);
/* Sets answer and text; false, for callers that stop there. */
[[gnu::format(printf, 3, 4)]] bool audit_say(
    Audit *audit, VerdictReason answer, const char *format, ...);

/* Which of `root`'s questions the block's heading asks; false, with `malformed` or `not judged`,
 * where it asks none. */
[[nodiscard]] bool audit_match(
    const Instruction *root, const PrintedBlock *block, Question *question, Audit *audit);
/* The same where the heading is known to count the leaves of the output, as the answer to a query
 * about a leaf does. */
[[nodiscard]] bool audit_match_leaves(
    const Instruction *root, const PrintedBlock *block, Question *question, Audit *audit);
/* The maps of a block, made in the context, as an answer to the question; false with why they are
 * none. `why` gets what is not known of runtime variables. */
[[nodiscard]] bool audit_read_maps(MapContext *context, Arena *arena, const Question *question,
    const PrintedBlock *block, Text *why, MapSet *set, Audit *audit);
/* Judges the maps of a block. They are made in the judge's context, which the caller rewinds. */
void audit_block(
    Judge *judge, Arena *arena, const Instruction *root, const PrintedBlock *block, Audit *audit);

#endif
