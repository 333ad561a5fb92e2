/* Text of others in output for people. A name of a file, a case or an instruction may hold bytes
 * that a terminal obeys or that a runner of workflows takes for a command. */
#ifndef CORE_BASE_FOREIGN_H
#define CORE_BASE_FOREIGN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/text.h"

/* The length of the UTF-8 sequence at `at` as RFC 3629 has it, with its code point: no overlong
 * form, no surrogate, nothing above U+10FFFF. 0 where there is none. */
[[nodiscard]] size_t utf8_decode(const char *at, uint32_t *code);
[[nodiscard]] size_t utf8_length(const char *at);

/* One foreign string, in one line: control characters, line breaks, marks that turn the direction
 * of text, and bytes that are not UTF-8 appear as \uXXXX. A string cannot begin a runner's
 * command. */
void text_foreign(Text *text, const char *string);
/* The same; line breaks and tabs stay. */
void text_foreign_lines(Text *text, const char *string);
/* The same as text_foreign, into `room` bytes and NUL-terminated; cut between characters. */
void foreign_copy(size_t capacity, char to[], const char *string);

/* Where a stream stands in its line: only spaces since the line break. */
typedef struct ForeignLine {
  bool is_inside;
} ForeignLine;
/* Our own lines with foreign strings in them: the same, but line breaks and tabs stay. False once
 * the stream cannot be written. */
[[nodiscard]] bool foreign_write(FILE *stream, ForeignLine *line, const char *string);

#endif
