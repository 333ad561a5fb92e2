/* One pass over the lines. The kind of a line depends only on the line and on whether a map is open
 * above it.
 *   heading            `Output 0 operand 1:`; a line with a log prefix before it is no heading
 *   start of section   `# r in e`: the following is about instruction r of computation e
 *   start of module    `# module 2: NAME`: the following is about the file's second module, about
 *                      its entry root until a section starts
 *   start of a map     starts with `(` and contains `->`, or is KNOWN EMPTY, UNDEFINED, (none)
 *   map continues      `runtime variables:`, `rt0: name; map`, `domain:`, ` in [`
 *   map continues      any other line directly below a map; the parser reads or rejects it
 *   ignored            blank lines, log lines, lines about replica ids, words below a blank line */
#include "judge/audit/printed.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

typedef struct PrintedLine {
  const char *text; /* not NUL-terminated */
  size_t length;
  uint32_t number;
} PrintedLine;

typedef enum LineKind : uint8_t {
  LINE_HEADING,
  LINE_SECTION,
  LINE_MODULE,
  LINE_MAP,
  LINE_MORE,
  LINE_NONE,
  LINE_REPLICA,
  LINE_OTHER
} LineKind;

typedef struct Cut {
  Arena *arena;
  const Source *source;
  Printed *printed;
  PrintedBlock *block;
  PrintedBlock section; /* the fields that the following blocks inherit */
  struct {
    char *text;
    size_t length, capacity;
    uint32_t first_line, last_line; /* 0: no map is open */
    bool has_gap; /* a blank line or one about replica ids is below the last line */
  } open;
} Cut;

static bool printed_begins(const PrintedLine *line, const char *word) {
  size_t length = strlen(word);
  return line->length >= length && memcmp(line->text, word, length) == 0;
}

static bool is_whole(const PrintedLine *line, const char *word) {
  return line->length == strlen(word) && printed_begins(line, word);
}

static bool printed_contains(const PrintedLine *line, const char *piece) {
  size_t length = strlen(piece);
  for (size_t i = 0; i + length <= line->length; i++)
    if (memcmp(line->text + i, piece, length) == 0) return true;
  return false;
}

/* `in [`, with any white space; the interval may begin on the next line. */
static bool has_interval(const PrintedLine *line) {
  if (line->length > 2 && memcmp(line->text + line->length - 2, "in", 2) == 0 &&
      isspace((unsigned char)line->text[line->length - 3]))
    return true;
  for (size_t i = 0; i + 2 < line->length; i++) {
    const bool is_word = i == 0 || !isalnum((unsigned char)line->text[i - 1]);
    if (!is_word || memcmp(line->text + i, "in", 2) != 0) continue;
    size_t at = i + 2;
    while (at < line->length && isspace((unsigned char)line->text[at])) at++;
    if (at < line->length && line->text[at] == '[') return true;
  }
  return false;
}

static bool has_digits(const PrintedLine *line, size_t at, size_t count) {
  if (line->length < at + count) return false;
  for (size_t i = 0; i < count; i++)
    if (!isdigit((unsigned char)line->text[at + i])) return false;
  return true;
}

/* A prefix like `I0000 00:00:17`, a date and a time, or a word in capitals with a colon. In a map
 * no number follows such a name, nor such a difference. */
static bool is_log(const PrintedLine *line) {
  static constexpr char levels[] = {'I', 'W', 'E', 'F'};
  if (line->length > 5 && memchr(levels, line->text[0], sizeof levels) != nullptr &&
      has_digits(line, 1, 4) && line->text[5] == ' ' && has_digits(line, 6, 1))
    return true;
  if (has_digits(line, 0, 4) && line->length > 11 && line->text[4] == '-' &&
      has_digits(line, 5, 2) && line->text[7] == '-' && has_digits(line, 8, 2) &&
      (line->text[10] == ' ' || line->text[10] == 'T') && has_digits(line, 11, 1))
    return true;
  return printed_begins(line, "WARNING:") || printed_begins(line, "INFO:") ||
         printed_begins(line, "ERROR:") || printed_begins(line, "//") || printed_begins(line, "#");
}

static bool is_about_replicas(const PrintedLine *line) {
  return printed_begins(line, "replica") || printed_begins(line, "Replica");
}

static bool is_source(const PrintedLine *line) {
  size_t at = 0;
  while (at < line->length && (isalnum((unsigned char)line->text[at]) || line->text[at] == '_'))
    at++;
  return at > 0 && at < line->length && line->text[at] == ':' &&
         memchr(line->text, ';', line->length) != nullptr;
}

static size_t word_length(const PrintedLine *line, size_t at) {
  size_t length = 0;
  while (at + length < line->length && !isspace((unsigned char)line->text[at + length])) length++;
  return length;
}

/* Parses `# r in e`, exactly two words. */
static bool read_section(const PrintedLine *line, size_t *name, size_t *computation) {
  static const char between[] = " in ";
  if (!printed_begins(line, "# ")) return false;
  *name = word_length(line, 2);
  size_t at = 2 + *name;
  if (*name == 0 || line->length < at + 4 || memcmp(line->text + at, between, 4) != 0) return false;
  *computation = word_length(line, at + 4);
  return *computation > 0 && at + 4 + *computation == line->length;
}

static bool printed_read_number(const char **at, const char *end, uint32_t *number) {
  uint64_t value = 0;
  const char *begin = *at;
  for (; *at < end && isdigit((unsigned char)**at) && value <= UINT32_MAX; (*at)++)
    value = 10 * value + (uint64_t)(**at - '0');
  *number = (uint32_t)value;
  return *at > begin && value <= UINT32_MAX;
}

static bool read_word(const char **at, const char *end, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(end - *at) < length || memcmp(*at, word, length) != 0) return false;
  *at += length;
  return true;
}

/* `name` is set to what follows the colon. */
static bool read_module(const PrintedLine *line, uint32_t *number, const char **name) {
  const char *at = line->text, *end = line->text + line->length;
  if (!read_word(&at, end, "# module ") || !printed_read_number(&at, end, number) || *number == 0 ||
      !read_word(&at, end, ":"))
    return false;
  while (at < end && isspace((unsigned char)*at)) at++;
  *name = at;
  return true;
}

/* Certainly a map, and no line of a log. */
static bool is_map(const PrintedLine *line) {
  return is_whole(line, "(none)") || is_whole(line, "KNOWN EMPTY") || is_whole(line, "UNDEFINED") ||
         (printed_begins(line, "(") && printed_contains(line, " -> ("));
}

static LineKind kind_of(const Cut *cut, const PrintedLine *line) {
  size_t name, computation;
  uint32_t module;
  const char *module_name;
  if (read_module(line, &module, &module_name)) return LINE_MODULE;
  if (read_section(line, &name, &computation)) return LINE_SECTION;
  if (line->length == 0 || is_log(line)) return LINE_OTHER;
  if ((printed_begins(line, "Output ") && printed_contains(line, " operand ")) ||
      (printed_begins(line, "Operand ") && printed_contains(line, " output ")))
    return LINE_HEADING;
  if (is_whole(line, "(none)")) return LINE_NONE;
  bool is_open = cut->open.first_line != 0;
  bool is_member = has_interval(line) && !printed_contains(line, "->");
  if (is_open && is_member) return LINE_MORE; /* a variable may be named replica */
  if (is_about_replicas(line)) return LINE_REPLICA;
  if (printed_begins(line, "runtime variables:") || is_source(line))
    return is_open ? LINE_MORE : LINE_MAP;
  if (is_open && printed_begins(line, "domain:")) return LINE_MORE;
  if (is_member || printed_begins(line, "domain:") || line->text[0] == '(' ||
      printed_contains(line, "->") || printed_begins(line, "KNOWN EMPTY") ||
      printed_begins(line, "UNDEFINED"))
    return LINE_MAP;
  return is_open && !cut->open.has_gap ? LINE_MORE : LINE_OTHER;
}

static void printed_append(Cut *cut, const char *text, size_t length) {
  size_t wanted = cut->open.length + length + 1;
  if (wanted > cut->open.capacity) {
    size_t capacity = wanted < 256 ? 512 : 2 * wanted;
    cut->open.text = arena_grow(cut->arena, cut->open.text, cut->open.length, capacity, 1);
    cut->open.capacity = capacity;
  }
  assert(cut->open.length + length < cut->open.capacity);
  memcpy(cut->open.text + cut->open.length, text, length);
  cut->open.length += length;
  cut->open.text[cut->open.length] = 0;
}

static void close_map(Cut *cut) {
  if (cut->open.first_line == 0) return;
  *ARENA_PUSH(cut->arena, &cut->block->maps) = (Source){.name = cut->source->name,
      .text = cut->open.text,
      .length = cut->open.length,
      .first_line = cut->open.first_line};
  memset(&cut->open, 0, sizeof cut->open);
}

static void open_map(Cut *cut, const PrintedLine *line) {
  assert(cut->block != nullptr && line->length > 0);
  close_map(cut);
  cut->open.first_line = cut->open.last_line = line->number;
  printed_append(cut, line->text, line->length);
}

static void go_on(Cut *cut, const PrintedLine *line) {
  assert(cut->open.first_line != 0 && cut->open.last_line < line->number);
  for (; cut->open.last_line < line->number; cut->open.last_line++) printed_append(cut, "\n", 1);
  printed_append(cut, line->text, line->length);
  cut->open.has_gap = false;
}

static bool read_operand(const char **at, const char *end, PrintedBlock *block) {
  uint32_t leaf;
  if (!printed_read_number(at, end, &block->operand)) return false;
  if (!read_word(at, end, ".")) return true;
  if (!printed_read_number(at, end, &leaf)) return false;
  block->operand_leaf = leaf;
  return true;
}

static bool read_heading(const PrintedLine *line, PrintedBlock *block) {
  const char *at = line->text, *end = line->text + line->length;
  *block = (PrintedBlock){.line = line->number, .operand_leaf = -1};
  block->is_inverse = read_word(&at, end, "Operand ");
  bool read = block->is_inverse
                  ? read_operand(&at, end, block) && read_word(&at, end, " output ") &&
                        printed_read_number(&at, end, &block->output)
                  : read_word(&at, end, "Output ") &&
                        printed_read_number(&at, end, &block->output) &&
                        read_word(&at, end, " operand ") && read_operand(&at, end, block);
  return read && read_word(&at, end, ":") && at == end;
}

static bool take_heading(Cut *cut, const PrintedLine *line, Error *error) {
  PrintedBlock block;
  if (!read_heading(line, &block))
    return error_at(error, ERROR_INPUT, cut->source, (size_t)(line->text - cut->source->text),
        line->length, "expected `Output J operand K:` or `Operand K output J:`");
  if (cut->block != nullptr) close_map(cut);
  cut->block = ARENA_PUSH(cut->arena, cut->printed);
  *cut->block = block;
  cut->block->module = cut->section.module;
  cut->block->section = cut->section.section;
  cut->block->instruction = cut->section.instruction;
  cut->block->computation = cut->section.computation;
  return true;
}

/* No block is open until the next heading. */
static void take_section(Cut *cut, const PrintedLine *line) {
  size_t name = 0, computation = 0;
  bool read = read_section(line, &name, &computation);
  assert(read && name > 0);
  if (!read) return;
  if (cut->block != nullptr) close_map(cut);
  cut->block = nullptr;
  cut->section.section++;
  cut->section.instruction = arena_text(cut->arena, line->text + 2, name);
  cut->section.computation = arena_text(cut->arena, line->text + 2 + name + 4, computation);
  *ARENA_PUSH(cut->arena, &cut->printed->sections) = cut->section;
}

static void take_module(Cut *cut, const PrintedLine *line) {
  uint32_t number = 0;
  const char *name = nullptr;
  bool read = read_module(line, &number, &name);
  assert(read);
  if (!read) return;
  if (cut->block != nullptr) close_map(cut);
  cut->block = nullptr;
  cut->section = (PrintedBlock){.module = number, .section = cut->section.section + 1};
  *ARENA_PUSH(cut->arena, &cut->printed->modules) = (PrintedModule){.line = line->number,
      .number = number,
      .name = arena_text(cut->arena, name, (size_t)(line->text + line->length - name)),
      .offset = (size_t)(line->text - cut->source->text)};
}

static void pass_over(Cut *cut, const PrintedLine *line) {
  cut->printed->passed_over += line->length > 0;
  cut->open.has_gap |= line->length == 0 || is_about_replicas(line);
}

static bool printed_take(Cut *cut, const PrintedLine *line, Error *error) {
  LineKind kind = kind_of(cut, line);
  if (cut->block == nullptr && is_map(line))
    return error_at(error, ERROR_INPUT, cut->source, (size_t)(line->text - cut->source->text),
        line->length, "a map under no heading, `Output J operand K:` or `Operand K output J:`");
  if (cut->block == nullptr && kind != LINE_HEADING && kind != LINE_SECTION && kind != LINE_MODULE)
    kind = LINE_OTHER;
  switch (kind) {
    case LINE_HEADING: return take_heading(cut, line, error);
    case LINE_SECTION: take_section(cut, line); break;
    case LINE_MODULE: take_module(cut, line); break;
    case LINE_MAP: open_map(cut, line); break;
    case LINE_MORE: go_on(cut, line); break;
    case LINE_NONE:
      close_map(cut);
      cut->block->is_none = true;
      break;
    case LINE_REPLICA:
      cut->printed->replica_lines++;
      pass_over(cut, line);
      break;
    case LINE_OTHER: pass_over(cut, line); break;
  }
  return true;
}

static PrintedLine next_line(const Source *source, size_t *at, uint32_t number) {
  const char *begin = source->text + *at, *end = source->text + source->length;
  const char *stop = memchr(begin, '\n', (size_t)(end - begin));
  if (stop == nullptr) stop = end;
  *at = (size_t)(stop - source->text) + 1;
  while (begin < stop && isspace((unsigned char)*begin)) begin++;
  while (stop > begin && isspace((unsigned char)stop[-1])) stop--;
  return (PrintedLine){.text = begin, .length = (size_t)(stop - begin), .number = number};
}

bool printed_parse(Arena *arena, const Source *source, Printed *printed, Error *error) {
  *printed = (Printed){};
  Cut cut = {.arena = arena, .source = source, .printed = printed};
  uint32_t number = source->first_line;
  for (size_t at = 0; at < source->length; number++) {
    PrintedLine line = next_line(source, &at, number);
    if (!printed_take(&cut, &line, error)) return false;
  }
  if (cut.block != nullptr) close_map(&cut);
  if (printed->count > 0) return true;
  return error_at(error, ERROR_INPUT, source, 0, 1,
      "expected a heading, `Output 0 operand 0:`, and maps below it");
}
