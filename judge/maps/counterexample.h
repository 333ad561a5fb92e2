/* What a person gets to see when something is wrong: the HLO, the operand, the point, what was
 * read, what the map says, the line of the input, and the one command that replays it. */
#ifndef JUDGE_COUNTEREXAMPLE_H
#define JUDGE_COUNTEREXAMPLE_H

#include "judge/maps/judge.h"

/* `source` is the text that the instruction was read from; its name is what the replaying command
 * names. */
void counterexample_print(
    Text *text, const Judge *judge, const Source *source, const Judgement *judgement);
/* The same without the command. */
void counterexample_print_facts(
    Text *text, const Judge *judge, const Source *source, const Judgement *judgement);
/* The line of `offset` in the source, counted from the source's first line. */
[[nodiscard]] uint32_t source_line(const Source *source, size_t offset);

#endif
