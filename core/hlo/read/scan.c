/* The scanner. Groups are skipped with a stack of open brackets of fixed depth, without
 * recursion. */
#include "core/hlo/read/scan.h"

#include <assert.h>
#include <stdckdint.h>
#include <string.h>

#include "core/base/text.h"

enum : uint8_t { CLASS_FIRST = 1, CLASS_WORD = 2, CLASS_DIGIT = 4 };

static uint8_t class_of(char character) {
  unsigned char byte = (unsigned char)character;
  if ((unsigned char)((byte | 32) - 'a') < 26 || byte == '_') return CLASS_FIRST | CLASS_WORD;
  if ((unsigned char)(byte - '0') < 10) return CLASS_DIGIT | CLASS_WORD;
  return byte == '.' || byte == '-' ? CLASS_WORD : 0;
}

static bool is_blank(char character) {
  return character == ' ' || character == '\n' || character == '\t' || character == '\r';
}

static char char_at(const Scanner *scan, size_t at) {
  return at < scan->length ? scan->text[at] : 0;
}

static bool skip_comment(Scanner *scan) {
  if (char_at(scan, scan->at) != '/') return false;
  char second = char_at(scan, scan->at + 1);
  if (second == '/') {
    while (scan->at < scan->length && scan->text[scan->at] != '\n' && scan->text[scan->at] != '\r')
      scan->at++;
    return true;
  }
  if (second != '*') return false;
  for (size_t at = scan->at + 2; at + 1 < scan->length; at++) {
    if (scan->text[at] != '*' || scan->text[at + 1] != '/') continue;
    scan->at = at + 2;
    return true;
  }
  return false;
}

void scan_blanks(Scanner *scan) {
  assert(scan->at <= scan->length);
  do {
    while (scan->at < scan->length && is_blank(scan->text[scan->at])) scan->at++;
  } while (skip_comment(scan));
}

char scan_peek(Scanner *scan) {
  scan_blanks(scan);
  return char_at(scan, scan->at);
}

bool scan_at_end(Scanner *scan) {
  scan_blanks(scan);
  return scan->at >= scan->length;
}

bool scan_accept(Scanner *scan, char character) {
  size_t before = scan->at;
  bool found = !scan_at_end(scan) && scan->text[scan->at] == character;
  scan->at = found ? scan->at + 1 : before;
  return found;
}

bool scan_accept_here(Scanner *scan, char character) {
  bool found = char_at(scan, scan->at) == character && scan->at < scan->length;
  scan->at += found;
  return found;
}

bool scan_accept_text(Scanner *scan, const char *text) {
  size_t before = scan->at, length = strlen(text);
  scan_blanks(scan);
  bool found =
      scan->length - scan->at >= length && memcmp(scan->text + scan->at, text, length) == 0;
  scan->at = found ? scan->at + length : before;
  return found;
}

Slice scan_slice(const Scanner *scan, size_t from) {
  assert(from <= scan->at);
  return (Slice){.text = scan->text + from, .length = scan->at - from, .offset = from};
}

static bool ends_word(const char *text, size_t length) {
  return length > 0 && strchr(" \t\r\n,{}()", text[length - 1]) == nullptr;
}

const char *scan_copy_uncommented(Arena *arena, const Scanner *scan, size_t from) {
  const Slice whole = scan_slice(scan, from);
  if (memchr(whole.text, '/', whole.length) == nullptr)
    return arena_text(arena, whole.text, whole.length);
  Scanner part = {.text = whole.text, .length = whole.length};
  Text text = text_create(arena);
  while (part.at < part.length) {
    bool is_apart = text.length > 0 && is_blank(text.bytes[text.length - 1]);
    if (!skip_comment(&part)) text_append(&text, &part.text[part.at++], 1);
    else if (is_apart) scan_blanks(&part);
    else if (ends_word(text.bytes, text.length)) text_string(&text, " ");
  }
  return text.bytes;
}

bool slice_is(Slice slice, const char *text) {
  return strlen(text) == slice.length && memcmp(slice.text, text, slice.length) == 0;
}

static size_t word_length(const Scanner *scan, size_t at) {
  if ((class_of(char_at(scan, at)) & CLASS_FIRST) == 0) return 0;
  size_t end = at + 1;
  while ((class_of(char_at(scan, end)) & CLASS_WORD) != 0) end++;
  return end - at;
}

bool scan_fail(Scanner *scan, const char *what) {
  static constexpr size_t longest = 40;
  if (scan_at_end(scan)) {
    return error_at(scan->error, ERROR_INPUT, scan->source, scan->at, 1,
        "expected %s, found the end of the text", what);
  }
  char first = scan->text[scan->at];
  if (first == '/' && char_at(scan, scan->at + 1) == '*') {
    return error_at(
        scan->error, ERROR_INPUT, scan->source, scan->at, 2, "the comment is not closed");
  }
  size_t length = word_length(scan, scan->at);
  if (length > 0) {
    return error_at(scan->error, ERROR_INPUT, scan->source, scan->at, length,
        "expected %s, found '%.*s'", what, (int)(length < longest ? length : longest),
        scan->text + scan->at);
  }
  if (scan->at == 0 && strncmp(scan->text, "\xef\xbb\xbf", 3) == 0)
    return error_at(
        scan->error, ERROR_INPUT, scan->source, 0, 3, "the text begins with a byte order mark");
  bool printable = first >= 32 && first < 127;
  return error_at(scan->error, ERROR_INPUT, scan->source, scan->at, 1,
      printable ? "expected %s, found '%c'" : "expected %s, found byte 0x%02x", what,
      (unsigned char)first);
}

bool scan_expect(Scanner *scan, char character, const char *where) {
  assert(character > 32 && where != nullptr);
  if (scan_accept(scan, character)) return true;
  char what[120];
  snprintf(what, sizeof what, "'%c' %s", character, where);
  return scan_fail(scan, what);
}

bool scan_accept_word(Scanner *scan, Slice *word) {
  size_t before = scan->at;
  scan_blanks(scan);
  size_t length = word_length(scan, scan->at);
  if (length == 0) {
    scan->at = before;
    return false;
  }
  *word = (Slice){.text = scan->text + scan->at, .length = length, .offset = scan->at};
  scan->at += length;
  return true;
}

bool scan_accept_keyword(Scanner *scan, const char *text) {
  size_t before = scan->at;
  Slice word;
  if (scan_accept_word(scan, &word) && slice_is(word, text)) return true;
  scan->at = before;
  return false;
}

bool scan_name(Scanner *scan, Slice *name, const char *what) {
  scan_blanks(scan);
  size_t start = scan->at;
  if (char_at(scan, scan->at) == '%') scan->at++;
  size_t length = word_length(scan, scan->at);
  if (length == 0) {
    scan->at = start;
    return scan_fail(scan, what);
  }
  *name = (Slice){.text = scan->text + scan->at, .length = length, .offset = scan->at};
  scan->at += length;
  return true;
}

bool scan_integer(Scanner *scan, int64_t *value, const char *what) {
  scan_blanks(scan);
  size_t start = scan->at;
  size_t at = start;
  bool negative = char_at(scan, at) == '-';
  if (negative) at++;
  if ((class_of(char_at(scan, at)) & CLASS_DIGIT) == 0) return scan_fail(scan, what);
  int64_t result = 0;
  bool overflow = false;
  for (; (class_of(char_at(scan, at)) & CLASS_DIGIT) != 0; at++) {
    int64_t digit = char_at(scan, at) - '0';
    overflow |= ckd_mul(&result, result, 10) || ckd_add(&result, result, negative ? -digit : digit);
  }
  if (overflow) {
    return error_at(scan->error, ERROR_OVERFLOW, scan->source, start, at - start,
        "the integer does not fit int64");
  }
  assert(at > start);
  scan->at = at;
  *value = result;
  return true;
}

bool scan_bool(Scanner *scan, bool *value) {
  *value = scan_accept_keyword(scan, "true");
  return *value || scan_accept_keyword(scan, "false") || scan_fail(scan, "true or false");
}

bool scan_string(Scanner *scan) {
  char quote = scan_peek(scan);
  if (quote != '"' && quote != '\'') return scan_fail(scan, "a string");
  size_t start = scan->at;
  for (size_t at = start + 1; at < scan->length; at++) {
    if (scan->text[at] == '\\') {
      at++;
    } else if (scan->text[at] == quote) {
      scan->at = at + 1;
      return true;
    }
  }
  return error_at(scan->error, ERROR_INPUT, scan->source, start, 1, "the string is not closed");
}

static char closing_of(char opening) {
  switch (opening) {
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    default: return 0;
  }
}

static bool is_closing(char character) {
  return character == ')' || character == ']' || character == '}';
}

typedef struct Brackets {
  char wanted[deepest_nesting];
  uint32_t depth;
} Brackets;

static bool open_bracket(Scanner *scan, Brackets *brackets, char closing) {
  assert(is_closing(closing) && brackets->depth <= deepest_nesting);
  if (brackets->depth == deepest_nesting) {
    return error_at(scan->error, ERROR_LIMIT, scan->source, scan->at, 1,
        "brackets are nested past %s", counted(deepest_nesting, "level"));
  }
  brackets->wanted[brackets->depth++] = closing;
  return true;
}

static bool close_bracket(Scanner *scan, Brackets *brackets, char closing) {
  assert(brackets->depth > 0);
  char wanted = brackets->wanted[--brackets->depth];
  return wanted == closing || error_at(scan->error, ERROR_INPUT, scan->source, scan->at, 1,
                                  "expected '%c', found '%c'", wanted, closing);
}

/* One string, bracket or other character. */
static bool scan_piece(Scanner *scan, Brackets *brackets) {
  char character = scan->text[scan->at], closing = closing_of(character);
  if (character == '"' || character == '\'') return scan_string(scan);
  if (character == 0 || (character == '/' && char_at(scan, scan->at + 1) == '*')) {
    return scan_fail(scan, "a closing bracket");
  }
  if (closing != 0 && !open_bracket(scan, brackets, closing)) return false;
  if (is_closing(character) && !close_bracket(scan, brackets, character)) return false;
  scan->at++;
  return true;
}

bool scan_group(Scanner *scan) {
  Brackets brackets;
  brackets.depth = 0;
  size_t start = (scan_blanks(scan), scan->at);
  assert(closing_of(char_at(scan, start)) != 0);
  do {
    if (scan_at_end(scan)) {
      return error_at(scan->error, ERROR_INPUT, scan->source, start, 1, "'%c' is not closed",
          scan->text[start]);
    }
    if (!scan_piece(scan, &brackets)) return false;
  } while (brackets.depth > 0);
  return true;
}

bool scan_value(Scanner *scan) {
  scan_blanks(scan);
  size_t start = scan->at;
  while (scan->at < scan->length) {
    char character = scan->text[scan->at];
    if (character == ',' || is_closing(character) || is_blank(character) || character == 0) break;
    if (character == '/') break;
    if (character == '"' || character == '\'') {
      if (!scan_string(scan)) return false;
    } else if (closing_of(character) != 0) {
      if (!scan_group(scan)) return false;
    } else {
      scan->at++;
    }
  }
  return scan->at > start || scan_fail(scan, "a value");
}
