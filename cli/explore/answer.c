/* Recognises the kind of a text by its first word. */
#include "cli/explore/answer.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/hlo/read/read.h"

/* The first word after white space and comments. */
static const char *first_word(const char *text) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    bool is_remark = text[0] == '#' || (text[0] == '/' && text[1] == '/');
    if (!is_remark) return text;
    text += strcspn(text, "\n");
  }
}

static bool text_begins(const char *text, const char *word) {
  size_t length = strlen(word);
  return strncmp(text, word, length) == 0 && !isalnum((unsigned char)text[length]) &&
         text[length] != '_';
}

/* The start of the printed maps: a line `Output N operand` or `Operand N output`; nullptr if there
 * is none. */
static const char *find_printed(const char *text) {
  for (const char *line = text; line != nullptr; line = strchr(line, '\n')) {
    line += *line == '\n';
    bool is_heading = (strncmp(line, "Output ", 7) == 0 && strstr(line, "operand") != nullptr) ||
                      (strncmp(line, "Operand ", 8) == 0 && strstr(line, "output") != nullptr);
    if (is_heading && isdigit((unsigned char)line[7 + (line[1] == 'p')])) return line;
  }
  return nullptr;
}

static uint32_t line_of(const Source *source, const char *at) {
  uint32_t line = source->first_line;
  for (const char *byte = source->text; byte < at; byte++) line += *byte == '\n';
  return line;
}

static constexpr char entry_head[] = "ENTRY entry { "; /* on the list's first line */

/* Makes a bare list of instructions the body of the entry computation, without changing line
 * numbers. */
static Source entry_of(Arena *arena, const Source *source) {
  Source whole = *source;
  if (strstr(source->text, "ENTRY") != nullptr || strstr(source->text, "{\n") != nullptr ||
      text_begins(first_word(source->text), "HloModule"))
    return whole;
  whole.text = arena_printf(arena, "%s%s\n}\n", entry_head, source->text);
  whole.length = strlen(whole.text);
  return whole;
}

/* Moves the location of an error from the entry computation to the list `given` that became its
 * body. What was found at the brace that ends the body was found at the end of the list. */
static void entry_locate(Arena *arena, const Source *given, Error *error) {
  static constexpr char found[] = "found '}'";
  const char *end = given->text + strlen(given->text), *start;
  if (error->line == 0) return;
  if (error->line == given->first_line) {
    uint32_t before = sizeof entry_head - 1;
    error->column = error->column > before ? error->column - before : 1;
  }
  if (error->line <= line_of(given, end)) return;
  const char *brace = strstr(error->message, found);
  if (brace != nullptr) {
    const char *said = arena_printf(arena, "%.*sfound the end of the text%s",
        (int)(brace - error->message), error->message, brace + strlen(found));
    snprintf(error->message, sizeof error->message, "%s", said);
  }
  while (end > given->text && isspace((unsigned char)end[-1])) end--;
  for (start = end; start > given->text && start[-1] != '\n';) start--;
  error->line = line_of(given, end);
  error->column = (uint32_t)(end - start + 1);
}

static void answer_fault(ExploreAnswer *answer, const Source *given, bool is_list, Error *error) {
  if (is_list) entry_locate(answer->text->arena, given, error);
  explore_error(answer, error);
}

static void answer_modules(ExploreAnswer *answer, const Source *given, const Source *printed) {
  static constexpr uint32_t most_modules = 2;
  Arena *arena = answer->text->arena;
  const Module *modules[most_modules];
  Source *parts;
  uint32_t count;
  Error error = {};
  const Source source = entry_of(arena, given);
  const bool is_list = source.text != given->text;
  if (!hlo_split(arena, &source, &count, &parts, &error)) {
    answer_fault(answer, given, is_list, &error);
    return;
  }
  if (count > most_modules) {
    explore_paragraph(answer, "Only the first two modules are compared.");
    answer->status = status_worse(answer->status, STATUS_UNDECIDED);
  }
  count = count > most_modules ? most_modules : count;
  assert(count > 0);
  for (uint32_t i = 0; i < count; i++)
    if (!hlo_read(arena, &parts[i], &modules[i], &error)) {
      answer_fault(answer, given, is_list, &error);
      return;
    }
  answer->source = &parts[count - 1]; /* offsets of instructions count from it */
  if (count == 2) explore_answer_pair(answer, modules[0], modules[1]);
  if (printed != nullptr) explore_answer_printed(answer, modules[count - 1], count, printed);
  else explore_answer_module(answer, modules[count - 1]);
}

static void answer_hlo(ExploreAnswer *answer) {
  Arena *arena = answer->text->arena;
  const Source *whole = answer->source;
  const char *split = find_printed(whole->text);
  Source graph = *whole, printed = *whole;
  if (split != nullptr) {
    graph.text = arena_text(arena, whole->text, (size_t)(split - whole->text));
    graph.length = (size_t)(split - whole->text);
    printed.text = split;
    printed.length = whole->length - graph.length;
    printed.first_line = line_of(whole, split);
  }
  answer_modules(answer, &graph, split == nullptr ? nullptr : &printed);
}

static void answer_text(ExploreAnswer *answer) {
  const char *word = first_word(answer->source->text);
  if (*word == 0) return;
  if (text_begins(word, "rule") || text_begins(word, "constant") || text_begins(word, "expression"))
    explore_answer_rules(answer);
  else if (*word == '(' || text_begins(word, "KNOWN")) explore_answer_maps(answer);
  else answer_hlo(answer);
}

Status explore_answer(Text *text, const Source *source, bool all) {
  Error error = {};
  ExploreAnswer answer = {.text = text, .source = source, .all = all};
  Judge *judge = judge_create(&(JudgeOptions){.without_smt = true}, &error);
  if (judge != nullptr && derivations_begin(&answer.derivations, judge, text->arena, &error)) {
    answer_text(&answer);
    derivation_print_rules(text, &answer.derivations);
  } else {
    explore_error(&answer, &error);
  }
  derivations_end(&answer.derivations);
  judge_destroy(judge);
  return answer.rows == 0 ? status_worse(answer.status, STATUS_UNDECIDED) : answer.status;
}
