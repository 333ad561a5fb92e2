/* A verdict about one step as a line of text: what a child process returns and a results file
 * keeps.
 *     step KEY ANSWER OUTPUT MICROSECONDS RANK:INDEX,... TEXT*12 COUNT (NAME VALUE)*COUNT SUM
 * Fields are separated by tabs. In a text, `\t`, `\n` and `\\` are escapes, and `\-` alone means no
 * text. SUM is a checksum of the preceding bytes, so that a partly written line is detected. */
#ifndef WATCH_RECORD_H
#define WATCH_RECORD_H

#include "core/base/text.h"
#include "watch/step.h"

/* `key` identifies the question: texts, options and program. */
void record_print(Text *text, uint64_t key, const StepVerdict *verdict);
/* Parses a line of `length` bytes without its line break. Returns false if it is no complete
 * record. The verdict's texts are in the arena. */
[[nodiscard]] bool record_parse(
    Arena *arena, const char *line, size_t length, uint64_t *key, StepVerdict *verdict);

#endif
