/* Makes foreign text safe to print. A name of a file, a case or an instruction may contain bytes
 * that a terminal interprets, or that a runner of workflows takes for a command. */
#ifndef CORE_BASE_FOREIGN_H
#define CORE_BASE_FOREIGN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/text.h"

/* The length and code point of the UTF-8 sequence at `at`, as in RFC 3629: no overlong form, no
 * surrogate, nothing above U+10FFFF. Returns 0 if there is no such sequence. */
[[nodiscard]] size_t utf8_decode(const char *at, uint32_t *code);
[[nodiscard]] size_t utf8_length(const char *at);

/* Appends one foreign string in one line. Control characters, line breaks, marks that change the
 * direction of text, and bytes that are not UTF-8 appear as \uXXXX. The string cannot begin a
 * runner's command. */
void text_foreign(Text *text, const char *string);
/* text_foreign that keeps line breaks and tabs. */
void text_foreign_lines(Text *text, const char *string);
/* text_foreign into `capacity` bytes, NUL-terminated; cut between characters. */
void foreign_copy(size_t capacity, char to[], const char *string);

/* The string as one word of a shell's command: in quotes unless it has letters, digits and some
 * signs alone. In the arena. */
[[nodiscard]] const char *shell_word(Arena *arena, const char *string);
/* The same for the path of an input: FILE for standard input, which a command to paste cannot read
 * again. */
[[nodiscard]] const char *shell_path(Arena *arena, const char *path);

/* The position of a stream in its line: whether anything but spaces follows the line break. */
typedef struct ForeignLine {
  bool is_inside;
} ForeignLine;
/* Writes our own lines with foreign strings in them: as text_foreign, but keeps line breaks and
 * tabs. Returns false if the stream cannot be written. */
[[nodiscard]] bool foreign_write(FILE *stream, ForeignLine *line, const char *string);

#endif
