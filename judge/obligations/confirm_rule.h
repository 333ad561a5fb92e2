/* Confirms the proof of a rule with the second solver. */
#ifndef JUDGE_OBLIGATIONS_CONFIRM_RULE_H
#define JUDGE_OBLIGATIONS_CONFIRM_RULE_H

#include "smt/rules/prove.h"

/* EXACT: confirmed. DIFFERENT: contradicted; the point is the number of the statement, the sentence
 * the solver's transcript. OPEN: undecided. REJECTED: the solver cannot be run. The proof must have
 * its obligations as text. */
void confirm_rule(Arena *arena, const RuleVerdict *proof, Verdict *verdict);

#endif
