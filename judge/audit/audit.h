/* Judges another engine's printed maps for one pair of an output and an operand of an instruction.
 * Several maps are a union.
 * Keeps: whatever the text leaves open is never counted as right. */
#ifndef JUDGE_AUDIT_AUDIT_H
#define JUDGE_AUDIT_AUDIT_H

#include "judge/maps/judge.h"
#include "judge/audit/printed.h"

/* The columns of a summary, in order. */
static constexpr VerdictReason audit_answers[] = {
#define AUDIT(reason, help) REASON_##reason,
#include "judge/audit/audit.def"
#undef AUDIT
};
static constexpr uint32_t audit_answer_count = sizeof audit_answers / sizeof *audit_answers;

typedef struct Audit {
  VerdictReason answer; /* one of audit_answers; judge_answer_text has the texts */
  bool is_judged;       /* `judgement` is set */
  bool is_misfit;       /* malformed: the text parses, but the map has another rank */
  bool is_overflow;     /* malformed: the evaluation of the map can leave int64 */
  Judgement judgement;
  const char *text; /* the witness; the syntax error with its position; why it is not judged; "":
                       none */
  Arena *arena;     /* for the text */
} Audit;

/* Allocates an audit in the arena, which also holds its texts. */
[[nodiscard]] Audit *audit_create(Arena *arena);
/* Sets answer and text. Returns false, for callers that stop there. */
#define audit_say(audit, answer, ...) (audit_set((audit), (answer), __VA_ARGS__), error_false())
[[gnu::format(printf, 3, 4)]] void audit_set(
    Audit *audit, VerdictReason answer, const char *format, ...);

/* The question about `root` that the block's heading names. Returns false, with `malformed` or `not
 * judged`, if it names none. */
[[nodiscard]] bool audit_match(
    const Instruction *root, const PrintedBlock *block, Question *question, Audit *audit);
/* The same for a heading that is known to count the leaves of the output, as the answer to a query
 * about a leaf does. */
[[nodiscard]] bool audit_match_leaves(
    const Instruction *root, const PrintedBlock *block, Question *question, Audit *audit);
/* Parses the maps of a block into the context, as an answer to the question. Returns false with the
 * reason if they are none. `why` receives what is unknown about runtime variables. */
[[nodiscard]] bool audit_read_maps(MapContext *context, Arena *arena, const Question *question,
    const PrintedBlock *block, Text *why, MapSet *set, Audit *audit);
/* The instruction that a block is about; nullptr if the module has none that its section names. */
[[nodiscard]] const Instruction *audit_instruction(const Module *module, const PrintedBlock *block);
/* Judges the maps of a block. They are allocated in the judge's context, which the caller
 * rewinds. */
void audit_block(
    Judge *judge, Arena *arena, const Instruction *root, const PrintedBlock *block, Audit *audit);

#endif
