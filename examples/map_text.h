/* For engines to copy: splits the text of a map into its parts, and a growing text. affirm's
 * requests name variables d0.., s0.., rt0.., and give bounds in the order of the variables, then
 * constraints:
 *     (d0, d1)[s0]{rt0} -> (d0 * 8 + s0, d1 + rt0), domain: d0 in [0, 3], d1 in [0, 7],
 *     s0 in [0, 7], rt0 in [0, 1], d0 + s0 in [0, 9]
 * The parts are texts; the engine parses the expressions. Rejected: more than piece_limit of
 * anything, and other forms. */
#ifndef EXAMPLES_MAP_TEXT_H
#define EXAMPLES_MAP_TEXT_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { piece_limit = 256 };

typedef struct MapTextPiece {
  const char *text, *lo, *hi; /* a name or an expression; its bounds, null for results */
} MapTextPiece;

typedef struct MapText {
  char *copy; /* split at the ends of the parts */
  int dims, ranges, runtimes, variables, results, constraints;
  MapTextPiece variable[piece_limit], result[piece_limit], constraint[piece_limit];
} MapText;

static void map_text_free(MapText *map) { free(map->copy); }

static char *skip_blanks(char *at) {
  while (*at == ' ' || *at == '\n') at++;
  return at;
}

/* Cuts off the text before the next comma or `close` outside parentheses, and advances past it;
 * *end is the character at the cut. */
static char *take_piece(char **at, char close, char *end) {
  char *piece = skip_blanks(*at), *to = piece;
  for (int depth = 0; *to != 0; to++) {
    if (depth == 0 && (*to == close || *to == ',')) break;
    depth += (*to == '(' || *to == '[') - (*to == ')' || *to == ']');
  }
  *end = *to;
  if (*to == 0) {
    *at = to;
    return piece;
  }
  *to = 0;
  *at = to + 1;
  return piece;
}

/* Parses the list between `open` and `close`; 0 parts if `open` does not come next. -1: too many
 * parts, or no end. */
static int take_list(char **at, char open, char close, MapTextPiece *pieces, int capacity) {
  *at = skip_blanks(*at);
  if (**at != open) return 0;
  *at = skip_blanks(*at + 1);
  int count = 0;
  if (**at == close) {
    (*at)++;
    return 0;
  }
  for (char end = ','; end == ',';) {
    if (count == capacity) return -1;
    pieces[count++] = (MapTextPiece){take_piece(at, close, &end), NULL, NULL};
    if (end == 0) return -1;
  }
  return count;
}

/* Parses `EXPR in [lo, hi]`. */
static int take_bound(char **at, MapTextPiece *piece) {
  char end, *text = take_piece(at, 0, &end), *in = strstr(text, " in [");
  if (in == NULL) return 0;
  char *comma = strchr(in, ',');
  if (comma == NULL) return 0;
  size_t length = strlen(text);
  if (text[length - 1] != ']') return 0;
  *in = *comma = text[length - 1] = 0;
  *piece = (MapTextPiece){text, in + 5, skip_blanks(comma + 1)};
  return 1;
}

static int take_domain(MapText *map, char *at) {
  at = skip_blanks(at);
  if (strncmp(at, ", domain:", 9) != 0) return *at == 0 && map->variables == 0;
  at += 9;
  for (int i = 0; i < map->variables; i++) {
    const char *name = map->variable[i].text;
    if (!take_bound(&at, &map->variable[i]) || strcmp(name, map->variable[i].text) != 0) return 0;
  }
  for (; *skip_blanks(at) != 0; map->constraints++)
    if (map->constraints == piece_limit || !take_bound(&at, &map->constraint[map->constraints]))
      return 0;
  return 1;
}

/* Returns 0 if the text is not a plain map (as KNOWN EMPTY) or is too large. Call map_text_free in
 * either case. */
static int map_text_read(const char *text, MapText *map) {
  memset(map, 0, sizeof *map);
  size_t length = strlen(text) + 1;
  map->copy = malloc(length);
  if (map->copy == NULL || text[0] != '(') return 0;
  char *at = memcpy(map->copy, text, length);
  static const char brackets[] = "()[]{}";
  int *const counts[] = {&map->dims, &map->ranges, &map->runtimes};
  for (int k = 0; k < 3; k++) {
    *counts[k] = take_list(&at, brackets[2 * k], brackets[2 * k + 1],
        map->variable + map->variables, piece_limit - map->variables);
    if (*counts[k] < 0) return 0;
    map->variables += *counts[k];
  }
  at = skip_blanks(at);
  if (strncmp(at, "->", 2) != 0) return 0;
  at += 2;
  map->results = take_list(&at, '(', ')', map->result, piece_limit);
  return map->results >= 0 && take_domain(map, at);
}

/* A growing text. It is reused by the next call, which the interface allows (release is null). */
typedef struct Out {
  char *text;
  size_t length, capacity;
} Out;

static void out_bytes(Out *out, const char *bytes, size_t length) {
  if (out->length + length + 1 > out->capacity) {
    out->capacity = 2 * (out->length + length + 1);
    char *grown = (char *)realloc(out->text, out->capacity);
    if (grown == NULL) abort();
    out->text = grown;
  }
  memcpy(out->text + out->length, bytes, length);
  out->text[out->length += length] = 0;
}

static void out_clear(Out *out) {
  out->length = 0;
  out_bytes(out, "", 0);
}

static void out_say(Out *out, const char *format, ...) {
  char bytes[256];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(bytes, sizeof bytes, format, arguments);
  va_end(arguments);
  out_bytes(out, bytes, length < (int)sizeof bytes ? (size_t)length : sizeof bytes - 1);
}

/* Prints `prefix0, prefix1` between brackets; nothing for an empty list, unless the brackets are
 * round. */
static void out_names(Out *out, const char *prefix, int first, int count, char open, char close) {
  if (count == 0 && open != '(') return;
  out_say(out, "%c", open);
  for (int i = 0; i < count; i++) out_say(out, "%s%s%d", i == 0 ? "" : ", ", prefix, first + i);
  out_say(out, "%c", close);
}

#endif
