/* A token is a run of letters, digits, `_`, `.` and `-`, or another byte that is no white space. */
#include "generate/edit_text.h"

#include <ctype.h>
#include <string.h>

#include "core/base/edges.h"

typedef struct EditToken {
  size_t at, length;
} EditToken;

typedef struct EditTokens {
  uint32_t count, capacity;
  EditToken *items;
} EditTokens;

typedef enum TextEdit : uint8_t {
  EDIT_NUMBER, /* another number, where the token is one */
  EDIT_OMIT,
  EDIT_REPEAT,
  EDIT_EXCHANGE,
  EDIT_REPLACE, /* by another token of the text */
  EDIT_CUT,     /* the text ends here */
} TextEdit;
static constexpr uint32_t edit_kinds = EDIT_CUT + 1;

static bool is_word(char byte) {
  return isalnum((unsigned char)byte) || byte == '_' || byte == '.' || byte == '-';
}

static EditTokens tokens_of(Arena *arena, const char *text) {
  EditTokens tokens = {};
  for (size_t at = 0; text[at] != 0;) {
    size_t end = at + 1;
    while (is_word(text[at]) && is_word(text[end])) end++;
    if (!isspace((unsigned char)text[at]))
      *ARENA_PUSH(arena, &tokens) = (EditToken){at, end - at};
    at = end;
  }
  return tokens;
}

/* One more or less, its negative, zero, an edge; "" if the token is no number. */
static const char *other_number(Arena *arena, const char *token, Choices *choices) {
  uint64_t number = 0;
  size_t digits = strspn(token, "0123456789");
  if (digits == 0 || token[digits] != 0 || digits > 9) return "";
  for (size_t i = 0; i < digits; i++) number = number * 10 + (uint64_t)(token[i] - '0');
  const long long value = (long long)number;
  switch (choose(choices, 8)) {
    case 0: return arena_printf(arena, "%lld", value - 1);
    case 1: return arena_printf(arena, "%lld", -value);
    case 2: return "0";
    case 3: return arena_printf(arena, "%lld", 2 * value);
    case 4:
      return arena_printf(arena, "%lld", (long long)edge_integer(choose(choices, edge_count)));
    default: return arena_printf(arena, "%lld", value + 1);
  }
}

static const char *edited_once(Arena *arena, const char *text, Choices *choices) {
  EditTokens tokens = tokens_of(arena, text);
  if (tokens.count == 0) return text;
  uint32_t number = (uint32_t)choose(choices, tokens.count);
  EditToken token = tokens.items[number], next = tokens.items[(number + 1) % tokens.count],
            other = tokens.items[choose(choices, tokens.count)];
  const char *word = arena_text(arena, text + token.at, token.length),
             *instead = other_number(arena, word, choices);
  TextEdit kind = (TextEdit)choose(choices, edit_kinds);
  size_t end = token.at + token.length;
  Text edited = text_create(arena);
  text_append(&edited, text, token.at);
  if (kind == EDIT_CUT) return edited.bytes;
  if (kind == EDIT_NUMBER && *instead != 0) text_string(&edited, instead);
  if ((kind == EDIT_NUMBER && *instead == 0) || kind == EDIT_REPLACE)
    text_append(&edited, text + other.at, other.length);
  if (kind == EDIT_REPEAT) text_printf(&edited, "%s %s", word, word);
  if (kind == EDIT_EXCHANGE && next.at > token.at) {
    text_append(&edited, text + next.at, next.length);
    text_append(&edited, text + end, next.at - end);
    text_string(&edited, word);
    end = next.at + next.length;
  }
  text_string(&edited, text + end);
  return edited.bytes;
}

const char *edit_text(Arena *arena, const char *text, Choices *choices) {
  const char *edited = edited_once(arena, text, choices);
  return choose(choices, 4) == 0 ? edited_once(arena, edited, choices) : edited;
}
