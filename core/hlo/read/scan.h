/* Scans HLO text; blanks and comments are skipped before each token. A name is
 * [A-Za-z_][A-Za-z0-9_.-]*, a string "..." or '...' with backslash escapes. A function that returns
 * false with an error set reports what it expected and what it found. The `accept` functions return
 * false without an error and without moving, so that a slice up to the current position never ends
 * in blanks or in a comment. */
#ifndef CORE_HLO_READ_SCAN_H
#define CORE_HLO_READ_SCAN_H

#include "core/base/arena.h"
#include "core/base/error.h"

typedef struct Slice {
  const char *text;
  size_t length;
  size_t offset; /* in the source */
} Slice;

typedef struct Scanner {
  const Source *source;
  const char *text; /* source->text */
  size_t length;
  size_t at;
  Error *error;
} Scanner;

static constexpr uint32_t deepest_nesting = 1000;

/* Skips blanks and comments. Does not move past an unclosed comment, which the next token then
 * reports. */
void scan_blanks(Scanner *scan);
/* The next character after blanks; 0 at the end. */
[[nodiscard]] char scan_peek(Scanner *scan);
[[nodiscard]] bool scan_at_end(Scanner *scan);
bool scan_accept(Scanner *scan, char character);
/* Does not skip blanks: accepts the 'x' of `1x2`, but not one that begins the name on the next
 * line. */
bool scan_accept_here(Scanner *scan, char character);
bool scan_accept_text(Scanner *scan, const char *text);
/* `where` completes "expected '(' ...", as in "before the operands". */
[[nodiscard]] bool scan_expect(Scanner *scan, char character, const char *where);
[[nodiscard]] bool scan_accept_word(Scanner *scan, Slice *word);
/* Accepts a word that equals `text`. */
bool scan_accept_keyword(Scanner *scan, const char *text);
/* A word, with an optional '%' before it. */
[[nodiscard]] bool scan_name(Scanner *scan, Slice *name, const char *what);
[[nodiscard]] bool scan_integer(Scanner *scan, int64_t *value, const char *what);
[[nodiscard]] bool scan_bool(Scanner *scan, bool *value);
[[nodiscard]] bool scan_string(Scanner *scan);
/* A group in brackets, with everything nested in it; the next character must be the opening
 * bracket. */
[[nodiscard]] bool scan_group(Scanner *scan);
/* The value of any attribute: words, strings and groups up to a comma, a blank or a closing
 * bracket. */
[[nodiscard]] bool scan_value(Scanner *scan);

/* Sets the error "expected <what>, found ..." at the next token. Always returns false. */
bool scan_fail(Scanner *scan, const char *what);
[[nodiscard]] Slice scan_slice(const Scanner *scan, size_t from);
/* The text from an earlier position to the current one, without comments. XLA prints the indices of
 * a literal of rank 3 as comments. */
[[nodiscard]] const char *scan_copy_uncommented(Arena *arena, const Scanner *scan, size_t from);
[[nodiscard]] bool slice_is(Slice slice, const char *text);

#endif
