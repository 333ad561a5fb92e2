/* Input-to-output by proof: the given maps are the converse of output-to-input maps that are proved
 * exact. */
#ifndef JUDGE_TURNED_H
#define JUDGE_TURNED_H

#include "judge/maps/judge.h"

/* True when it was asked: *cover is SMT_EXACT, or SMT_UNDECIDED with the reason in the verdict's
 * text; SMT_WRONG where one map stands against one, lacks the pair of the converse that the verdict
 * names, and nothing is said to be covering. */
[[nodiscard]] bool judge_converse(Judge *judge, const Question *question, const MapSet *maps,
    SmtCover *cover, SmtVerdict *verdict);

#endif
