/* An obligation: one statement to decide, the table of judges that can decide it (judges.def), and
 * their joined verdict. A caller that needs a verdict of more than one judge makes an obligation.
 * The judges run in the order of the table; verdict_join alone joins their verdicts. A new judge is
 * one file with its function and one row. */
#ifndef JUDGE_OBLIGATIONS_OBLIGATION_H
#define JUDGE_OBLIGATIONS_OBLIGATION_H

#include "core/base/verdict.h"
#include "judge/maps/judge.h"

typedef enum ObligationKind : uint8_t {
  OBLIGATION_READS,         /* the union of the maps is what the question's instruction reads */
  OBLIGATION_SAME_MAP,      /* the same variables, and at every point the same results */
  OBLIGATION_SAME_RELATION, /* the same pairs of dimensions and results */
  OBLIGATION_CONTAINED,     /* each pair of `before` is one of `after` */
  OBLIGATION_PAIRS,         /* the points of `before` with their results are the listed pairs */
  /* Answers of the algebra to a query about one map (judge/algebra): */
  OBLIGATION_BOUNDS,    /* intervals contain every result */
  OBLIGATION_COUNT,     /* the domain has this number of points */
  OBLIGATION_INJECTIVE, /* different points have different results, or two have the same */
  OBLIGATION_BIJECTIVE, /* and the results are exactly the indices of a box, or are not */
  OBLIGATION_DERIVED,   /* the answer is the map that the operation defines */
  OBLIGATION_CANONICAL, /* the engine's simplification of `before` is canonical
                           (judge/maps/canonical_form.h) */
  OBLIGATION_RULE, /* no values satisfy any of the statements that the proof of a rule refutes */
} ObligationKind;
static constexpr uint32_t OBLIGATIONS_ABOUT_MAPS = (1u << (OBLIGATION_CONTAINED + 1)) - 1;

static constexpr uint32_t OBLIGATIONS_OF_ALGEBRA =
    (1u << (OBLIGATION_DERIVED + 1)) - (1u << OBLIGATION_BOUNDS);
/* Those that are judged as statements about two maps, built from the given one by substitution
 * alone (judge/algebra/algebra_rebuild.h). */
static constexpr uint32_t OBLIGATIONS_BY_REBUILDING =
    1u << OBLIGATION_BOUNDS | 1u << OBLIGATION_INJECTIVE | 1u << OBLIGATION_DERIVED;

typedef struct MapPairs MapPairs;         /* judge/maps/pairs.h */
typedef struct AlgebraQuery AlgebraQuery; /* judge/algebra/algebra.h */
typedef struct AlgebraAnswer AlgebraAnswer;
typedef struct RuleVerdict RuleVerdict; /* smt/rules/prove.h */

typedef struct Obligation {
  ObligationKind kind;
  const Question *question;  /* of READS */
  const MapSet *maps;        /* of READS: the maps of the engine under test */
  const Map *before, *after; /* of the others */
  const MapPairs *pairs;     /* of PAIRS */
  const AlgebraQuery *query; /* of the algebra, with what is judged */
  const AlgebraAnswer *answer;
  const RuleVerdict *proof; /* of RULE: a proof with its obligations as text */
  uint64_t most_listed;     /* limit of points that a judge of the algebra lists; 0: the default */
} Obligation;

typedef struct JudgeRow {
  const char *name;
  uint32_t decides; /* one bit per kind */
  uint32_t joins;   /* kinds that it decides if all judges are asked (JudgeOptions) */
  /* Sets the verdict, which the caller has initialised: NOT_ASKED if the judge is not available,
   * REJECTED with the error message after an error. */
  void (*decide)(Judge *judge, const Obligation *obligation, Verdict *verdict);
} JudgeRow;
[[nodiscard]] const JudgeRow *judge_row(JudgeId id);
#define JUDGE(id, name, decides, joins, function) \
  void function(Judge *judge, const Obligation *obligation, Verdict *verdict);
#include "judge/obligations/judges.def"
#undef JUDGE

/* Asks each judge of the table that decides such an obligation. The verdict of the others is
 * NOT_ASKED, without a sentence. */
void obligation_decide(Judge *judge, const Obligation *obligation, Verdict by[judge_count]);
[[nodiscard]] Join obligation_join(const Verdict by[judge_count]);
/* Why no judge decides: "oracle: too large to enumerate; smt: out of time". */
[[nodiscard]] const char *obligation_open_text(
    Arena *arena, ObligationKind kind, const Verdict by[judge_count]);

#endif
