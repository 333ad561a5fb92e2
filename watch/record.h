/* A verdict about one step as one line of text: what a child process hands back, and what a journal
 * keeps.
 *     step KEY ANSWER OUTPUT MICROSECONDS RANK:INDEX,... TEXT*12 COUNT (NAME VALUE)*COUNT SUM
 * Fields are separated by tabs; inside of a text `\t`, `\n` and `\\` stand for themselves and `\-`
 * for no text. SUM is over the bytes before it, so that a line that was written in part is known.
 */
#ifndef WATCH_RECORD_H
#define WATCH_RECORD_H

#include "core/base/text.h"
#include "watch/step.h"

/* `key` says which question was asked: texts, options and program. */
void record_print(Text *text, uint64_t key, const StepVerdict *verdict);
/* The line [length] without its end. False where it is no whole record; texts are kept in the
 * arena.
 */
[[nodiscard]] bool record_parse(
    Arena *arena, const char *line, size_t length, uint64_t *key, StepVerdict *verdict);
/* FNV-1a, which is the same in every version: it is written to files. */
[[nodiscard]] uint64_t record_sum(uint64_t sum, const char *bytes, size_t length);
static constexpr uint64_t record_sum_start = UINT64_C(0xcbf29ce484222325);

#endif
