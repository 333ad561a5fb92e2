/* Walking over HLO text: blanks and comments are skipped before each token.
 * A name is [A-Za-z_][A-Za-z0-9_.-]*, a string "..." or '...' with backslash escapes. Every
 * function that returns false with an error set says what it expected and what it found; the
 * `accept` ones return false without an error and without a step, so that a slice up to here never
 * ends in blanks or in a comment. */
#ifndef CORE_HLO_SCAN_H
#define CORE_HLO_SCAN_H

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

/* Skips blanks and comments; an unclosed comment stays where it is and is reported by whoever wants
 * the next token. */
void scan_blanks(Scanner *scan);
/* The next character, blanks skipped; 0 at the end. */
[[nodiscard]] char scan_peek(Scanner *scan);
[[nodiscard]] bool scan_at_end(Scanner *scan);
bool scan_accept(Scanner *scan, char character);
/* Without skipping blanks: what joins `1x2` and does not begin the name on the next line. */
bool scan_accept_here(Scanner *scan, char character);
bool scan_accept_text(Scanner *scan, const char *text);
/* `where` completes "expected '(' ...", as in "before the operands". */
[[nodiscard]] bool scan_expect(Scanner *scan, char character, const char *where);
[[nodiscard]] bool scan_accept_word(Scanner *scan, Slice *word);
/* A word that equals `text`. */
bool scan_accept_keyword(Scanner *scan, const char *text);
/* A word with or without '%' before it. */
[[nodiscard]] bool scan_name(Scanner *scan, Slice *name, const char *what);
[[nodiscard]] bool scan_integer(Scanner *scan, int64_t *value, const char *what);
[[nodiscard]] bool scan_bool(Scanner *scan, bool *value);
[[nodiscard]] bool scan_string(Scanner *scan);
/* A group in brackets with all that is nested in it; the next character is the opening one. */
[[nodiscard]] bool scan_group(Scanner *scan);
/* The value of an attribute of any kind: words, strings and groups up to a comma, a blank or a
 * closing bracket. */
[[nodiscard]] bool scan_value(Scanner *scan);

/* "expected <what>, found ..." at the next token. Always false. */
bool scan_fail(Scanner *scan, const char *what);
[[nodiscard]] Slice scan_slice(const Scanner *scan, size_t from);
[[nodiscard]] bool slice_is(Slice slice, const char *text);

#endif
