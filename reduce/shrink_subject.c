/* Recognises the form of a file by its name and first words, like `affirm check`. A report's body
 * is between its note and the fuzzing engine's own output. */
#include "reduce/shrink_subject.h"

#include <string.h>

#include "core/map/lines.h"
#include "fuzz/harness/kinds.h"
#include "judge/cases/case.h"
#include "judge/cases/case_give.h"

static bool starts_with(const char *text, const char *head) {
  return strncmp(text, head, strlen(head)) == 0;
}

static void set_text(Subject *subject, const char *name, const char *text) {
  subject->text = (Source){.name = name, .text = text, .length = strlen(text), .first_line = 1};
}

/* For `same A ; B` in a case whose name says that MLIR made B from A, the question is MLIR's, about
 * A. */
static void mlir_subject(Arena *arena, Subject *subject) {
  static constexpr FindingKind kinds[] = {
      FOUND_MLIR_FOLDS, FOUND_MLIR_SIMPLIFIES, FOUND_ROUND_TRIP};
  const char *between = strstr(subject->text.text, " ; ");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && between != nullptr; i++) {
    if (strstr(subject->name, finding_name(kinds[i])) == nullptr) continue;
    subject->kind = finding_name(kinds[i]);
    subject->form = FORM_MAP;
    set_text(subject, subject->name,
        arena_text(arena, subject->text.text, (size_t)(between - subject->text.text)));
    return;
  }
}

/* The operation is the kind. Its numbers are computed again for each map. */
static void algebra_subject(Arena *arena, Subject *subject) {
  AlgebraQuery query = {};
  Source map;
  if (!case_algebra_parts(arena, &subject->text, &query, &map, &subject->error)) return;
  subject->kind = algebra_row(query.operation)->text;
  subject->text = map;
}

/* Of a module, only the engine's own maps are asked. */
static const char *unasked_of_module(const Case *one) {
  if (one->maps.count > 0) return "the given maps are not asked, only the engine's";
  bool is_judged =
      one->verb == VERB_CHECK || one->verb == VERB_IDEMPOTENT || one->verb == VERB_DEVICES;
  return is_judged ? nullptr
                   : "the expected answer is not asked, only whether the engine's maps are right";
}

static Subject of_case(Arena *arena, const Case *one) {
  Subject subject = {.form = FORM_MAP, .kind = "", .name = one->name, .text = one->input};
  switch (one->verb) {
    case VERB_SIMPLIFY:
    case VERB_KEEPS: break;
    case VERB_MLIR: subject.kind = finding_name(FOUND_ROUND_TRIP); break;
    case VERB_MLIR_FOLDS: subject.kind = finding_name(FOUND_MLIR_FOLDS); break;
    case VERB_MLIR_SIMPLIFIES: subject.kind = finding_name(FOUND_MLIR_SIMPLIFIES); break;
    case VERB_STEPS: subject.kind = finding_name(FOUND_STEP); break;
    case VERB_CANONICAL: subject.kind = finding_name(FOUND_IDEMPOTENT); break;
    case VERB_COMPOSE: subject.form = FORM_COMPOSE; break;
    case VERB_RELATION: subject.form = FORM_RELATION; break;
    case VERB_CONTAINED: subject.form = FORM_CONTAINED; break;
    case VERB_ALGEBRA:
    case VERB_HOLDS: algebra_subject(arena, &subject); break;
    case VERB_SAME:
      subject.form = FORM_SAME;
      mlir_subject(arena, &subject);
      break;
    case VERB_PARSE:
      subject.form = FORM_TEXT;
      subject.kind = finding_name(FOUND_MAP_TEXT);
      break;
    case VERB_READ:
      subject = (Subject){.form = FORM_TEXT,
          .kind = finding_name(FOUND_HLO_TEXT),
          .name = one->name,
          .text = one->block};
      break;
    case VERB_READ_RULES:
      subject = (Subject){.form = FORM_TEXT,
          .kind = finding_name(FOUND_RULE_TEXT),
          .name = one->name,
          .text = one->block};
      break;
    case VERB_IDEMPOTENT:
    case VERB_DEVICES:
    case VERB_THREADS:
    case VERB_READS:
    case VERB_WARPS:
    case VERB_TILE:
    case VERB_MAP:
    case VERB_CHECK:
      if (one->verb == VERB_IDEMPOTENT) subject.kind = finding_name(FOUND_NOT_CANONICAL);
      if (one->verb == VERB_DEVICES) subject.kind = finding_name(FOUND_DEVICES);
      subject.form = FORM_MODULE;
      subject.unasked = unasked_of_module(one);
      set_text(&subject, one->name, case_module_text(arena, &one->block));
      break;
    case VERB_PROVE:
      subject.form = FORM_RULES;
      subject.text = one->block;
      break;
  }
  return subject;
}

static bool of_cases(Arena *arena, const Source *file, Subjects *subjects, Error *error) {
  CaseFile cases;
  if (!cases_parse(arena, file, &cases, error)) return false;
  for (uint32_t i = 0; i < cases.count; i++) {
    Subject subject = of_case(arena, &cases.items[i]);
    subject.one = &cases.items[i];
    subject.file = file;
    *ARENA_PUSH(arena, subjects) = subject;
  }
  return subjects->count > 0 || error_set(error, ERROR_INPUT, "%s: no case", file->name);
}

static const struct {
  const char *head;
  ShrinkForm form;
  bool is_verb; /* the text follows it */
} heads[] = {
    {"simplify ", FORM_MAP, true},
    {"keeps ", FORM_MAP, true},
    {"compose ", FORM_COMPOSE, true},
    {"same ", FORM_SAME, true},
    {"HloModule", FORM_MODULE, false},
    {"ENTRY", FORM_MODULE, false},
    {"rule ", FORM_RULES, false},
    {"(", FORM_MAP, false},
    {"KNOWN EMPTY", FORM_MAP, false},
    {"same-relation ", FORM_RELATION, true},
};

/* Takes the text from the first line that starts with one of the heads. */
static bool by_head(Arena *arena, const char *text, Subject *subject) {
  for (const char *line = text; *line != 0; line += strcspn(line, "\n"), line += *line == '\n') {
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
      if (!starts_with(line, heads[i].head)) continue;
      subject->form = heads[i].form;
      const char *start = line + (heads[i].is_verb ? strlen(heads[i].head) : 0);
      bool is_line = heads[i].form != FORM_MODULE && heads[i].form != FORM_RULES;
      set_text(
          subject, subject->name, is_line ? arena_text(arena, start, strcspn(start, "\n")) : start);
      return true;
    }
  }
  return false;
}

bool subject_of_report(Arena *arena, const char *log, Subject *subject) {
  static const char mark[] = "# fuzz_found_", note[] = "\n# note:";
  const char *start = strstr(log, mark), *body = start == nullptr ? nullptr : strstr(start, note);
  if (body == nullptr) return false;
  start += strlen(mark);
  body += 1 + strcspn(body + 1, "\n");
  const char *end = strstr(body, "\n==");
  *subject = (Subject){.name = "report",
      .kind = arena_text(arena, start, strspn(start, "abcdefghijklmnopqrstuvwxyz_-"))};
  if (*body != 0) body++;
  const char *text =
      arena_text(arena, body, end == nullptr || end < body ? strlen(body) : (size_t)(end - body));
  if (!string_ends_with(subject->kind, "_text") &&
      strcmp(subject->kind, finding_name(FOUND_PLACELESS)) != 0)
    return by_head(arena, text, subject);
  subject->form = FORM_TEXT;
  set_text(subject, "report", text);
  return true;
}

/* libFuzzer's "INFO: Seed: 123". */
static const char *seed_of(Arena *arena, const char *log) {
  const char *seed = strstr(log, "INFO: Seed: ");
  return seed == nullptr ? nullptr : arena_text(arena, seed + 12, strspn(seed + 12, "0123456789"));
}

/* True if the first line with contents begins a map. */
static bool has_maps(const char *text) {
  while (*text != 0) {
    const char *end = text + strcspn(text, "\n"), *word = text + strspn(text, " \t\r");
    const Source line = {.text = text, .length = (size_t)(end - text)};
    if (*word == '(' || starts_with(word, "KNOWN EMPTY")) return true;
    if (!map_line_is_skipped(&line)) return false;
    text = *end == 0 ? end : end + 1;
  }
  return false;
}

/* Each map of the file is a subject. */
static void of_maps(Arena *arena, const Source *file, Subjects *subjects) {
  MapLines lines = {.source = file, .number = file->first_line};
  while (lines.at < file->length) {
    Source map = map_lines_next(arena, &lines);
    if (map_line_is_skipped(&map)) continue;
    *ARENA_PUSH(arena, subjects) = (Subject){.form = FORM_MAP,
        .kind = "",
        .name = arena_printf(arena, "line %u", map.first_line),
        .text = map};
  }
}

static bool begins_rule(const char *line) {
  line += strspn(line, " \t");
  return starts_with(line, "rule ") || starts_with(line, "rule\t");
}

/* Each rule of the file is a subject, with what precedes the first: one that does not parse is
 * reported, and the others are tried. */
static void of_rules(Arena *arena, const Source *file, Subjects *subjects) {
  const char *start = file->text;
  uint32_t first = file->first_line, number = first;
  bool has_rule = false;
  for (const char *line = start;; line += *line == '\n', number++) {
    if (*line == 0 || (has_rule && begins_rule(line))) {
      size_t length = (size_t)(line - start);
      *ARENA_PUSH(arena, subjects) = (Subject){.form = FORM_RULES,
          .kind = "",
          .name = arena_printf(arena, "line %u", first),
          .text = {.name = file->name,
              .text = arena_text(arena, start, length),
              .length = length,
              .first_line = first}};
      start = line;
      first = number;
    }
    if (*line == 0) return;
    has_rule |= begins_rule(line);
    line += strcspn(line, "\n");
  }
}

Error subject_error(const Subject *subject, const Error *error) {
  bool is_in_file = subject->file != nullptr && strcmp(error->name, subject->file->name) == 0;
  return is_in_file ? error_in_whole(subject->file, error) : *error;
}

bool subjects_read(
    Arena *arena, const char *path, const Source *file, Subjects *subjects, Error *error) {
  Subject one = {.name = path, .kind = "", .form = FORM_MODULE, .text = *file};
  *subjects = (Subjects){};
  if (string_ends_with(path, ".case")) return of_cases(arena, file, subjects, error);
  if (string_ends_with(path, ".rules")) of_rules(arena, file, subjects);
  else if (string_ends_with(path, ".text")) one.form = FORM_TEXT;
  else if (subject_of_report(arena, file->text, &one)) subjects->seed = seed_of(arena, file->text);
  else if (has_maps(file->text)) of_maps(arena, file, subjects);
  if (subjects->count > 0) return true;
  *ARENA_PUSH(arena, subjects) = one;
  return true;
}
