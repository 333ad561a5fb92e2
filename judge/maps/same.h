/* Decides whether two maps are the same, by enumeration if the domain is small, and by proof. Both
 * judges are asked, and they must not contradict each other.
 * Same map: the maps have the same variables and, at every point, the same membership and results.
 * KNOWN EMPTY has the variables of the other map. Same relation: the same pairs of dimensions and
 * results, for any range variables. Contained: each pair of the first map is a pair of the second.
 */
#ifndef JUDGE_MAPS_SAME_H
#define JUDGE_MAPS_SAME_H

#include "judge/obligations/obligation.h"

typedef struct SameJudgement {
  VerdictReason reason; /* EXACT, DIFFERENT, OPEN or DISSENT, whatever the reasons of the judges
                           are */
  Verdict by[judge_count];
  Bindings at;      /* DIFFERENT: the point at which they differ, if known */
  const char *text; /* the point at which they differ; why they are undecided; the dissent; for a
                       proof about one map, what was done. Never nullptr once judged; in the
                       context's arena */
} SameJudgement;

/* Asks the judges of the table about an obligation whose verdict is yes or no. */
void judge_obligation(Judge *judge, const Obligation *obligation, SameJudgement *judgement);
/* Never fails. If a judge rejects the maps, the judgement has the reason. */
void judge_same(Judge *judge, ObligationKind kind, const Map *before, const Map *after,
    SameJudgement *judgement);
[[nodiscard]] const char *same_reason_text(VerdictReason reason);
[[nodiscard]] Status same_reason_status(VerdictReason reason);
/* "enumerated 64 points and proved". Maps with other variables are refuted without a point:
 * "compared without points and refuted". */
void same_print_judges(Text *text, const SameJudgement *judgement);

#endif
