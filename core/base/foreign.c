/* Splits a string into runs of plain bytes and single characters that are escaped. The escape is
 * that of JSON, and in JSON such characters occur only in strings, so a JSON line keeps its
 * meaning. A runner of workflows takes `::` at the beginning of a line, and `##[` anywhere, for a
 * command. */
#include "core/base/foreign.h"

#include <string.h>

static bool is_tail(unsigned char byte) { return (byte & 0xC0) == 0x80; }

size_t utf8_decode(const char *at, uint32_t *code) {
  static constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char first = (unsigned char)at[0];
  size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first > 0xF4) length = 0;
  if (length <= 1) {
    *code = first;
    return length;
  }
  *code = first & (0x7Fu >> length);
  for (size_t i = 1; i < length; i++) {
    if (!is_tail((unsigned char)at[i])) return 0;
    *code = *code << 6 | ((unsigned char)at[i] & 0x3Fu);
  }
  bool is_surrogate = *code >= 0xD800 && *code <= 0xDFFF;
  return *code < least[length] || is_surrogate || *code > 0x10FFFF ? 0 : length;
}

size_t utf8_length(const char *at) {
  uint32_t code;
  return utf8_decode(at, &code);
}

/* Control characters, marks of direction and joining, line and paragraph separators, and the byte
 * order mark. */
static bool is_obeyed(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C ||
         (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF || code == 0xFFFE || code == 0xFFFF;
}

/* The length of the run of bytes that never need an escape. */
static size_t plain_run(const char *at) {
  size_t length = 0;
  while (at[length] >= ' ' && at[length] <= '~' && at[length] != '#' && at[length] != ':') length++;
  return length;
}

static bool is_command(const char *at, bool is_inside) {
  return strncmp(at, "##[", 3) == 0 || (!is_inside && strncmp(at, "::", 2) == 0);
}

/* One character, as it is or escaped. take_piece returns its length in the string. */
typedef struct ForeignPiece {
  char bytes[12];
  size_t length;
  uint32_t code;
} ForeignPiece;

static size_t take_piece(const char *at, bool is_inside, bool keeps_lines, ForeignPiece *piece) {
  size_t length = utf8_decode(at, &piece->code);
  bool is_line = keeps_lines && (piece->code == '\n' || piece->code == '\t');
  if (length > 0 && !is_command(at, is_inside) && (is_line || !is_obeyed(piece->code))) {
    memcpy(piece->bytes, at, length);
    return piece->length = length;
  }
  if (length == 0) piece->code = (unsigned char)*at;
  piece->length =
      (size_t)snprintf(piece->bytes, sizeof piece->bytes, "\\u%04x", (unsigned)piece->code);
  return length == 0 ? 1 : length;
}

static bool has_ink(const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (bytes[i] != ' ') return true;
  return false;
}

static void foreign_append(Text *text, const char *string, bool keeps_lines) {
  bool is_inside = false;
  while (*string != 0) {
    size_t length = plain_run(string);
    if (length > 0) {
      text_append(text, string, length);
      is_inside = is_inside || has_ink(string, length);
    } else {
      ForeignPiece piece;
      length = take_piece(string, is_inside, keeps_lines, &piece);
      text_append(text, piece.bytes, piece.length);
      is_inside = !keeps_lines || piece.code != '\n';
    }
    string += length;
  }
}

void text_foreign(Text *text, const char *string) { foreign_append(text, string, false); }
void text_foreign_lines(Text *text, const char *string) { foreign_append(text, string, true); }

void foreign_copy(size_t capacity, char to[], const char *string) {
  size_t used = 0;
  bool is_inside = false;
  while (*string != 0) {
    ForeignPiece piece;
    string += take_piece(string, is_inside, false, &piece);
    if (used + piece.length >= capacity) break;
    memcpy(to + used, piece.bytes, piece.length);
    used += piece.length;
    is_inside = is_inside || piece.code != ' ';
  }
  to[used] = 0;
}

bool foreign_write(FILE *stream, ForeignLine *line, const char *string) {
  while (*string != 0) {
    size_t length = plain_run(string);
    ForeignPiece piece = {};
    const char *bytes = length > 0 ? string : piece.bytes;
    size_t taken = length > 0 ? length : take_piece(string, line->is_inside, true, &piece);
    size_t written = length > 0 ? length : piece.length;
    if (fwrite(bytes, 1, written, stream) != written) return false;
    line->is_inside =
        piece.code != '\n' && (line->is_inside || (piece.code != '\t' && has_ink(bytes, written)));
    string += taken;
  }
  return true;
}

const char *shell_word(Arena *arena, const char *string) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "-_./,:=@%+";
  Text text = text_create(arena);
  bool is_plain = *string != 0 && string[strspn(string, plain)] == 0;
  if (!is_plain) text_string(&text, "'");
  for (const char *at = string; *at != 0; at++)
    text_append(&text, *at == '\'' ? "'\\''" : at, *at == '\'' ? 4 : 1);
  if (!is_plain) text_string(&text, "'");
  return text.bytes;
}

const char *shell_path(Arena *arena, const char *path) {
  bool is_standard = strcmp(path, "-") == 0 || strcmp(path, "<stdin>") == 0;
  return is_standard ? "FILE" : shell_word(arena, path);
}
