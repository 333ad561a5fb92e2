/* Judges what another engine printed for one pair of an output and an operand of an instruction.
 * Several maps are a union.
 * Keeps: whatever the text leaves open, or does not say, is never counted as right. */
#ifndef JUDGE_AUDIT_H
#define JUDGE_AUDIT_H

#include "judge/maps/judge.h"
#include "judge/audit/printed.h"

typedef enum AuditAnswer : uint8_t {
#define AUDIT(id, text, status, help) AUDIT_##id,
#include "judge/audit/audit.def"
#undef AUDIT
} AuditAnswer;
static constexpr uint32_t audit_answer_count = 0
#define AUDIT(id, text, status, help) +1
#include "judge/audit/audit.def"
#undef AUDIT
    ;

typedef struct Audit {
  AuditAnswer answer;
  bool is_judged; /* `judgement` is set */
  bool is_misfit; /* malformed: reads, and has another rank or leaves the tensor */
  Judgement judgement;
  char text[760]; /* the witness; what is malformed, with its place; why it is not judged */
} Audit;

/* Sets answer and text; false, for callers that stop there. */
[[gnu::format(printf, 3, 4)]] bool audit_say(
    Audit *audit, AuditAnswer answer, const char *format, ...);
[[nodiscard]] const char *audit_answer_text(AuditAnswer answer);
[[nodiscard]] Status audit_answer_status(AuditAnswer answer);

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
