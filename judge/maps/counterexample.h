/* Prints a counterexample for people: the HLO, the operand, the point, the elements that are read,
 * the map's claim, the line of the input, and the command that replays it. */
#ifndef JUDGE_MAPS_COUNTEREXAMPLE_H
#define JUDGE_MAPS_COUNTEREXAMPLE_H

#include "judge/maps/judge.h"

/* `source` is the text that the instruction was read from. The replaying command uses its name. */
void counterexample_print(
    Text *text, const Judge *judge, const Source *source, const Judgement *judgement);
/* The same without the command. */
void counterexample_print_facts(
    Text *text, const Judge *judge, const Source *source, const Judgement *judgement);
/* The command alone, without a line end. */
void counterexample_print_replay(
    Text *text, const Judge *judge, const Source *source, const Judgement *judgement);
/* The line of `offset` in the source, counted from the source's first line. */
[[nodiscard]] uint32_t source_line(const Source *source, size_t offset);

#endif
