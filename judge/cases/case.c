/* Parses cases line by line. A line that starts with white space continues the previous one. In a
 * block all lines up to `end` belong to the block. A blank line ends a case. The name is the first
 * `#` line with a single word. */
#include "judge/cases/case.h"

#include <assert.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/base/table.h"
#include "core/base/text.h"

typedef struct CaseLine {
  size_t start, end; /* offsets in the source, without the line break */
  uint32_t number;
} CaseLine;

typedef struct CaseReader {
  Arena *arena;
  const Source *source;
  Error *error;
  size_t at;
  uint32_t number; /* of the line at `at` */
} CaseReader;

static const struct {
  const char *text;
  CaseBlock block;
} verbs[] = {
#define VERB(id, text, block, run, help) {text, BLOCK_##block},
#include "judge/cases/verbs.def"
#undef VERB
};
static constexpr size_t verb_count = sizeof verbs / sizeof *verbs;

static const char *const expects[] = {"=", "nothing", "error", "proved", "refuted", "exact",
    "over-approximation", "wrong", "undefined", "sound"};
static constexpr size_t expect_count = sizeof expects / sizeof *expects;
static_assert(expect_count == EXPECT_SOUND + 1);

/* Words of the first version, which are still accepted in cases. */
static const struct {
  const char *former, *text;
} aliases[] = {
    {"covering", "over-approximation"}, {"rests", "canonical"}, {"settled", "idempotent"}};

static const char *const blocks[] = {
    [BLOCK_NOTHING] = "", [BLOCK_HLO] = "hlo", [BLOCK_RULES] = "rules"};

const char *case_expect_text(CaseExpect expect) { return expects[expect]; }

static bool is_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }

const char *case_continued(Arena *arena, const char *text) {
  Text line = text_create(arena);
  for (; *text != 0; text++) {
    text_append(&line, text, 1);
    if (*text == '\n' && !is_space(text[1])) text_string(&line, "  ");
  }
  return line.bytes;
}

static bool peek_line(const CaseReader *reader, CaseLine *line) {
  if (reader->at >= reader->source->length) return false;
  const char *start = reader->source->text + reader->at;
  const char *end = memchr(start, '\n', reader->source->length - reader->at);
  size_t length = end == nullptr ? reader->source->length - reader->at : (size_t)(end - start);
  *line = (CaseLine){.start = reader->at, .end = reader->at + length, .number = reader->number};
  return true;
}

static void skip_line(CaseReader *reader, const CaseLine *line) {
  assert(line->start == reader->at);
  reader->at = line->end + 1;
  reader->number++;
}

static void trim(const CaseReader *reader, CaseLine *line) {
  const char *text = reader->source->text;
  while (line->start < line->end && is_space(text[line->start])) line->start++;
  while (line->start < line->end && is_space(text[line->end - 1])) line->end--;
}

static bool is_blank(const CaseReader *reader, CaseLine line) {
  trim(reader, &line);
  return line.start == line.end;
}

static bool fail_at(const CaseReader *reader, const CaseLine *line, const char *what) {
  return error_at(
      reader->error, ERROR_INPUT, reader->source, line->start, line->end - line->start, "%s", what);
}

/* The length of the word at the start of the line. */
static size_t word_length(const CaseReader *reader, const CaseLine *line) {
  size_t length = 0;
  while (line->start + length < line->end && !is_space(reader->source->text[line->start + length]))
    length++;
  return length;
}

static bool case_is_word(const CaseReader *reader, const CaseLine *line, const char *word) {
  size_t length = word_length(reader, line);
  return length == strlen(word) && memcmp(reader->source->text + line->start, word, length) == 0;
}

/* True for the word or its form in the first version. */
static bool has_keyword(const CaseReader *reader, const CaseLine *line, const char *word) {
  if (case_is_word(reader, line, word)) return true;
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (strcmp(aliases[i].text, word) == 0 && case_is_word(reader, line, aliases[i].former))
      return true;
  return false;
}

static Source piece(const CaseReader *reader, size_t start, size_t end, uint32_t number) {
  assert(start <= end && end <= reader->source->length);
  return (Source){.name = reader->source->name,
      .text = arena_text(reader->arena, reader->source->text + start, end - start),
      .length = end - start,
      .first_line = number};
}

/* Whether the last word of the line is the one that begins a block. */
static bool opens_block(const CaseReader *reader, CaseLine line, CaseBlock block) {
  size_t length = strlen(blocks[block]);
  trim(reader, &line);
  const char *word = reader->source->text + line.end - length;
  return length > 0 && line.end - line.start >= length &&
         memcmp(word, blocks[block], length) == 0 &&
         (line.end - line.start == length || is_space(word[-1]));
}

/* The text after the line's first word, with continuation lines, but none after the word that
 * begins a block. The line must have been skipped. */
static Source rest_of(CaseReader *reader, CaseLine line, CaseBlock block) {
  line.start += word_length(reader, &line);
  CaseLine next = line;
  size_t end = line.end;
  while (!opens_block(reader, next, block) && peek_line(reader, &next) && next.start < next.end &&
         is_space(reader->source->text[next.start]) && !is_blank(reader, next)) {
    end = next.end;
    skip_line(reader, &next);
  }
  line.end = end;
  uint32_t number = line.number;
  trim(reader, &line);
  return piece(reader, line.start, line.end, number);
}

static bool read_block(CaseReader *reader, const CaseLine *head, Case *one) {
  size_t start = reader->at;
  uint32_t number = reader->number;
  for (CaseLine line; peek_line(reader, &line); skip_line(reader, &line)) {
    CaseLine word = line;
    trim(reader, &word);
    if (!case_is_word(reader, &word, "end") || word_length(reader, &word) != word.end - word.start)
      continue;
    one->block = piece(reader, start < line.start ? start : line.start, line.start, number);
    skip_line(reader, &line);
    return true;
  }
  return fail_at(reader, head, "this block has no `end`");
}

/* Removes `hlo` or `rules` at the end of the verb's line. */
static bool takes_block_word(const CaseReader *reader, Source *input, CaseBlock block) {
  const char *word = blocks[block];
  size_t length = strlen(word);
  if (length == 0 || input->length < length ||
      memcmp(input->text + input->length - length, word, length) != 0)
    return false;
  size_t rest = input->length - length;
  if (rest > 0 && !is_space(input->text[rest - 1]) && input->text[rest - 1] != '\n') return false;
  while (rest > 0 && (is_space(input->text[rest - 1]) || input->text[rest - 1] == '\n')) rest--;
  input->text = arena_text(reader->arena, input->text, rest);
  input->length = rest;
  return true;
}

static bool fail_unknown_verb(const CaseReader *reader, const CaseLine *line) {
  size_t length = word_length(reader, line);
  const char *word = reader->source->text + line->start;
  Nearest nearest = nearest_begin(word, length);
  for (size_t i = 0; i < verb_count; i++) nearest_try(&nearest, verbs[i].text);
  return error_at(reader->error, ERROR_INPUT, reader->source, line->start, length,
      "'%.*s' is not a verb of cases%s%s%s", length > 40 ? 40 : (int)length, word,
      nearest.found == nullptr ? "" : "; did you mean ",
      nearest.found == nullptr ? "" : nearest.found, nearest.found == nullptr ? "" : "?");
}

static bool read_verb(CaseReader *reader, Case *one) {
  CaseLine line;
  if (!peek_line(reader, &line) || is_blank(reader, line))
    return fail_at(reader, &line, "a verb must follow the name");
  size_t verb = 0;
  while (verb < verb_count && !has_keyword(reader, &line, verbs[verb].text)) verb++;
  if (verb == verb_count) return fail_unknown_verb(reader, &line);
  one->verb = (CaseVerb)verb;
  one->line = line.number;
  skip_line(reader, &line);
  one->input = rest_of(reader, line, verbs[verb].block);
  if (verbs[verb].block == BLOCK_NOTHING) return true;
  if (takes_block_word(reader, &one->input, verbs[verb].block))
    return read_block(reader, &line, one);
  CaseLine next;
  if (peek_line(reader, &next) && case_is_word(reader, &next, blocks[verbs[verb].block])) {
    skip_line(reader, &next);
    return read_block(reader, &next, one);
  }
  return fail_at(reader, &line, "this verb wants a block: `hlo` or `rules`, lines, `end`");
}

static bool fail_unknown_expectation(const CaseReader *reader, const CaseLine *line) {
  Text text = text_create(reader->arena);
  text_string(&text, "an expectation begins with one of:");
  for (size_t i = 0; i < expect_count; i++) text_printf(&text, " %s", expects[i]);
  return fail_at(reader, line, text.bytes);
}

static bool read_expectation(CaseReader *reader, const CaseLine *line, Case *one) {
  size_t kind = 0;
  while (kind < expect_count && !has_keyword(reader, line, expects[kind])) kind++;
  if (kind == expect_count) return fail_unknown_expectation(reader, line);
  skip_line(reader, line);
  CaseExpectation expectation = {
      .kind = (CaseExpect)kind, .text = rest_of(reader, *line, BLOCK_NOTHING)};
  *ARENA_PUSH(reader->arena, &one->expected) = expectation;
  return true;
}

static bool read_tail(CaseReader *reader, Case *one) {
  CaseLine line;
  while (peek_line(reader, &line) && !is_blank(reader, line)) {
    if (reader->source->text[line.start] == '#') {
      skip_line(reader, &line);
    } else if (one->expected.count == 0 && case_is_word(reader, &line, "map")) {
      if (one->verb != VERB_CHECK)
        return fail_at(reader, &line, "`map` lines belong to `check` alone");
      skip_line(reader, &line);
      Source map = rest_of(reader, line, BLOCK_NOTHING);
      *ARENA_PUSH(reader->arena, &one->maps) = map;
    } else if (!read_expectation(reader, &line, one)) {
      return false;
    }
  }
  if (one->expected.count > 0) return true;
  return error_at(reader->error, ERROR_INPUT, reader->source, reader->at, 1,
      "a case must say what is expected");
}

/* Reads the `#` lines up to the verb or a blank line, and returns the name. */
static const char *read_name(CaseReader *reader) {
  const char *name = nullptr;
  for (CaseLine line; peek_line(reader, &line) && line.start < line.end &&
                      reader->source->text[line.start] == '#';) {
    skip_line(reader, &line);
    line.start++;
    trim(reader, &line);
    size_t length = word_length(reader, &line);
    if (name == nullptr && length > 0 && length == line.end - line.start)
      name = arena_text(reader->arena, reader->source->text + line.start, length);
  }
  return name;
}

static bool has_case(const Table *names, const CaseFile *cases, const char *name) {
  TableProbe probe = table_probe(names, hash_text(0, name));
  for (uint32_t i; table_next(names, &probe, &i);)
    if (strcmp(cases->items[i].name, name) == 0) return true;
  return false;
}

bool cases_parse(Arena *arena, const Source *source, CaseFile *cases, Error *error) {
  CaseReader reader = {.arena = arena,
      .source = source,
      .error = error,
      .number = source->first_line == 0 ? 1 : source->first_line};
  Table names = {};
  *cases = (CaseFile){.must_fail = string_ends_with(source->name, ".bad.case")};
  for (CaseLine line; peek_line(&reader, &line);) {
    if (is_blank(&reader, line)) {
      skip_line(&reader, &line);
      continue;
    }
    Case one = {.name = read_name(&reader)};
    CaseLine next;
    if (!peek_line(&reader, &next) || is_blank(&reader, next)) continue;
    if (one.name == nullptr)
      return fail_at(&reader, &next, "a case begins with `# name`, one word");
    if (has_case(&names, cases, one.name))
      return fail_at(&reader, &line, "an earlier case has this name");
    if (!read_verb(&reader, &one) || !read_tail(&reader, &one)) return false;
    table_add(&names, arena, hash_text(0, one.name), cases->count);
    *ARENA_PUSH(arena, cases) = one;
  }
  if (cases->count == 0) return error_at(error, ERROR_INPUT, source, 0, 1, "no case in this text");
  return true;
}
