/* Colours PROVED, REFUTED and UNKNOWN after the name of a rule, and every other verdict at the
 * start of a line. */
#include "cli/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static constexpr char red[] = "\033[31;1m", green[] = "\033[32m", yellow[] = "\033[33m",
                      bold[] = "\033[1m", plain[] = "\033[0m";

static ColourWhen chosen = COLOUR_AUTO;

void colour_choose(ColourWhen when) { chosen = when; }

static bool colour_is_on(FILE *stream) {
  if (chosen != COLOUR_AUTO) return chosen == COLOUR_ALWAYS;
  const char *never = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if (never != nullptr && never[0] != 0) return false;
  return terminal != nullptr && strcmp(terminal, "dumb") != 0 && isatty(fileno(stream)) != 0;
}

typedef struct ColourRow {
  const char *word, *colour;
} ColourRow;
static const ColourRow first_words[] = {{"exact", green}, {"passed", green}, {"proved", green},
    {"same values", green}, {"same map", green}, {"same relation", green},
    {"over-approximation", yellow}, {"undefined", yellow}, {"not judged", yellow},
    {"unknown", yellow}, {"open", yellow}, {"wrong", red}, {"inexact", red}, {"disagree", red},
    {"broken", red}, {"malformed", red}, {"refuted", red}, {"different", red}, {"FAILED", red}};
static const ColourRow rule_words[] = {
    {" PROVED ", green}, {" REFUTED ", red}, {" UNKNOWN ", yellow}};

static bool ends_word(char c) { return c == 0 || c == ' ' || c == '\n' || c == '\t' || c == ':'; }

/* The line's word to colour: its offset in *at and its colour; nullptr if there is none. */
static const ColourRow *line_word(const char *line, size_t length, size_t *at) {
  *at = strcspn(line, " \n");
  for (size_t i = 0; i < sizeof rule_words / sizeof *rule_words; i++)
    if (strncmp(line + *at, rule_words[i].word, strlen(rule_words[i].word)) == 0)
      return &rule_words[i];
  *at = strspn(line, " ");
  for (size_t i = 0; i < sizeof first_words / sizeof *first_words; i++) {
    size_t size = strlen(first_words[i].word);
    if (*at + size <= length && strncmp(line + *at, first_words[i].word, size) == 0 &&
        ends_word(line[*at + size]))
      return &first_words[i];
  }
  return nullptr;
}

static bool write_part(FILE *stream, ForeignLine *line, const char *text, size_t length) {
  Arena *arena = arena_create();
  bool is_written = foreign_write(stream, line, arena_text(arena, text, length));
  arena_destroy(arena);
  return is_written;
}

bool colour_write(FILE *stream, ForeignLine *line, const char *text) {
  if (!colour_is_on(stream)) return foreign_write(stream, line, text);
  for (const char *at = text; *at != 0;) {
    size_t length = strcspn(at, "\n"), word;
    length += at[length] == '\n';
    const ColourRow *row = line_word(at, length, &word);
    size_t size = row == nullptr ? 0 : strlen(row->word);
    if (row != nullptr &&
        (!write_part(stream, line, at, word) || fputs(row->colour, stream) == EOF ||
            !write_part(stream, line, at + word, size) || fputs(plain, stream) == EOF))
      return false;
    size_t done = row == nullptr ? 0 : word + size;
    if (!write_part(stream, line, at + done, length - done)) return false;
    at += length;
  }
  return true;
}

/* Prints the location bold, the word `error:` red, the caret green. */
void colour_error(FILE *stream, const Error *error) {
  if (!colour_is_on(stream)) {
    error_print(error, stream);
    return;
  }
  char text[sizeof *error + 64];
  error_format(error, text, sizeof text);
  const char *word = strstr(text, "error: "), *mark = strrchr(text, '|');
  if (word == nullptr) {
    fputs(text, stream);
    return;
  }
  fprintf(stream, "%s%.*s%s%serror:%s%s ", bold, (int)(word - text), text, plain, red, plain, bold);
  const char *message = word + strlen("error: ");
  size_t first = strcspn(message, "\n");
  fprintf(stream, "%.*s%s", (int)first, message, plain);
  bool has_caret = error->line != 0 && mark != nullptr && mark > message + first;
  if (!has_caret) fputs(message + first, stream);
  else
    fprintf(stream, "%.*s%s%s%s", (int)(mark + 1 - (message + first)), message + first, green,
        mark + 1, plain);
}

void colour_prefix(FILE *stream) {
  bool is_on = colour_is_on(stream);
  fprintf(stream, "%saffirm:%s ", is_on ? bold : "", is_on ? plain : "");
}
