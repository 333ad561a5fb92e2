/* The proof of a rule, put to the judge of proofs: the second solver. */
#ifndef JUDGE_CONFIRM_RULE_H
#define JUDGE_CONFIRM_RULE_H

#include "smt/rules/prove.h"

/* EXACT: confirmed. DIFFERENT: contradicted, with the number of the statement as the point and the
 * solver's transcript as the sentence. OPEN; REJECTED where the solver cannot be run. The proof has
 * its obligations as text. */
void confirm_rule(Arena *arena, const RuleVerdict *proof, Verdict *verdict);

#endif
