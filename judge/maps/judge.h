/* Judges the engine's maps for one question by enumeration (oracle) and by proof (smt), and joins
 * the verdicts. Both judges see the same maps; neither sees how the engine makes them.
 * Keeps: the verdict is EXACT or over-approximation only if a judge decided the whole relation. A
 * question that was too large, unsupported, sampled or unknown is NOT_JUDGED with its reason. Two
 * judges that decide differently give DISAGREE; no vote resolves it. */
#ifndef JUDGE_MAPS_JUDGE_H
#define JUDGE_MAPS_JUDGE_H

#include "core/index/index.h"
#include "judge/engines/engine.h"
#include "judge/maps/question.h"
#include "oracle/oracle.h"
#include "smt/smt.h"

/* The columns of every summary, in their order. */
static constexpr VerdictReason judge_answers[] = {
#define ANSWER(reason, text, help) REASON_##reason,
#include "judge/maps/answers.def"
#undef ANSWER
};
static constexpr uint32_t judge_answer_count = sizeof judge_answers / sizeof *judge_answers;

/* The exit statuses of the command. Every answer has one, so they are defined here. */
typedef enum Status : uint8_t {
  STATUS_PROVED = 0,
  STATUS_REFUTED = 1,
  STATUS_UNDECIDED = 2,
  STATUS_BAD = 3
} Status;

/* A column of a summary: its heading, and the exit status of the questions that it counts. */
typedef struct SummaryColumn {
  const char *text;
  Status status;
} SummaryColumn;

/* The heading of the reason's column in a summary; nullptr: no judgement has this reason. */
[[nodiscard]] const char *judge_answer_text(VerdictReason answer);
[[nodiscard]] Status judge_answer_status(VerdictReason answer);
/* A counterexample outweighs bad input, bad input an open question. */
[[nodiscard]] Status status_worse(Status a, Status b);

/* The table of judges: judge/obligations/judges.def. */
typedef enum JudgeId : uint8_t {
#define JUDGE(id, name, decides, joins, function) BY_##id,
#include "judge/obligations/judges.def"
#undef JUDGE
} JudgeId;
static constexpr uint32_t judge_count = 0
#define JUDGE(id, name, decides, joins, function) +1
#include "judge/obligations/judges.def"
#undef JUDGE
    ;
/* The judge decided at least a part of the statement, such as that no read is missing. */
[[nodiscard]] static inline bool judge_has_decided(const Verdict by[judge_count], JudgeId id) {
  return verdict_decides(&by[id]);
}
/* The judges of reads that took part: "oracle+smt", one of them, or "-". */
[[nodiscard]] const char *judges_text(const Verdict by[judge_count]);
/* The judge was asked and accepted the question. */
[[nodiscard]] static inline bool judge_has_answered(const Verdict by[judge_count], JudgeId id) {
  return by[id].reason != REASON_NOT_ASKED && by[id].reason != REASON_REJECTED;
}

/* What becomes of an over-approximation of a foreign engine where affirm's own map is exact: nobody
 * looks for it; the judgement `is_avoidable`; its answer is also EXTRA. */
typedef enum Exactness : uint8_t {
  EXACTNESS_NOT_SOUGHT,
  EXACTNESS_NOTED,
  EXACTNESS_WANTED
} Exactness;

typedef struct Judgement {
  Question question;
  VerdictReason answer;    /* one of judge_answers */
  bool is_avoidable;       /* an over-approximation of a foreign engine where affirm's own map is
                              exact */
  MapSet maps;             /* that were judged */
  VerdictReason cause;     /* of the joined verdicts; NO_MAPS: the engine has none */
  Verdict by[judge_count]; /* NOT_ASKED and REJECTED: no verdict of this judge */
  const char *reason; /* not judged: why; over-approximation: what is lost; disagree: the dissent;
                         wrong: the witness. Never nullptr; in the context's arena */
} Judgement;

/* Which judges of the table are asked. USUAL: every judge that decides such an obligation. SPARING:
 * these, but smt only if none before it decides. FIRST: one after another until one decides. ALL:
 * also the judges of the column `joins`. */
typedef enum JudgeEffort : uint8_t {
  EFFORT_USUAL,
  EFFORT_SPARING,
  EFFORT_FIRST,
  EFFORT_ALL
} JudgeEffort;

typedef struct JudgeOptions {
  const RuleSet *rules; /* nullptr: the engine's own */
  bool raw;             /* maps as they are before simplification */
  Engine *engine; /* KEEP: the engine under test; nullptr: affirm's own. One that does not analyse
                     simplifies affirm's raw maps */
  bool without_oracle, without_smt; /* a judge that is not asked; without both, nothing is judged */
  JudgeEffort effort;
  uint64_t points;     /* limit of points of two maps' common box that the oracle enumerates; 0:
                          the default */
  OracleLimits oracle; /* zeros: defaults */
  SmtOptions smt;      /* its seconds and stop apply to a whole question */
} JudgeOptions;

/* Engine and judges over one context. One per thread. */
typedef struct Judge {
  MapContext *context;
  Simplifier *simplifier;
  Indexer *indexer;
  Engine *engine; /* nullptr: affirm's own */
  Oracle *oracle;
  Smt *smt;
  JudgeEffort effort;
  Exactness exactness; /* of a foreign engine that analyses; set by the caller */
  uint64_t points;
  uint32_t seconds; /* limit of one question, for engine and judges together (SmtOptions) */
  bool (*stop)(void);
} Judge;
/* GIVE: the caller destroys it. */
[[nodiscard]] Judge *judge_create(const JudgeOptions *options, Error *error);
void judge_destroy(Judge *judge);

/* Bounds memory between questions: memory allocated in the context since the mark is freed once it
 * exceeds 32 MB. The indexer's results for computations are freed too and recomputed when
 * needed. */
typedef struct JudgeMark {
  MapMark maps;
  size_t bytes;
} JudgeMark;
[[nodiscard]] JudgeMark judge_mark(const Judge *judge);
void judge_relieve(Judge *judge, const JudgeMark *mark);

/* Asks the engine under test. Returns false with its message; for a foreign engine engine_reply has
 * the kind. */
[[nodiscard]] bool judge_query_engine(
    Judge *judge, const Question *question, MapSet *maps, Error *error);
/* Asks affirm's own engine, whichever is under test. */
[[nodiscard]] bool judge_query_own(
    Judge *judge, const Question *question, MapSet *maps, Error *error);
/* Judges given maps of any origin. Never fails: a judge's rejection is recorded in the
 * judgement. */
void judge_maps(Judge *judge, const Question *question, const MapSet *maps, Judgement *judgement);
/* Combines the verdicts in the judgement into its answer and reason. */
void judge_decide(Judgement *judgement);
/* True if the judges find the maps exact, even if the engine calls them an over-approximation. */
[[nodiscard]] bool judge_finds_exact(const Judgement *judgement);
/* Asks the engine for the maps of the judgement. Returns false if it has none: a rejection
 * (overflow, a limit) is NOT_JUDGED with the engine's message, and the judgement is complete. */
[[nodiscard]] bool judge_query(Judge *judge, const Question *question, Judgement *judgement);
/* Judges the maps that judge_query set. */
void judge_queried(Judge *judge, Judgement *judgement);
/* judge_query and judge_queried within one time budget. */
void judge_question(Judge *judge, const Question *question, Judgement *judgement);

#endif
