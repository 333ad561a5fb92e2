/* Parses laws, one per line. A name of one letter is a variable; digits, -0, inf and -inf are
 * constants; inverse(z) is one divided by a variable, and opposite(z) its negative; everything else
 * is an operation with its operands in parentheses. */
#include "oracle/terms/laws.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char own_text[] = {
#embed "../../core/rules/values.laws"
    , 0};

typedef struct LawReader {
  Arena *arena;
  const Source *source;
  const char *at, *end;
  char variables[law_variables];
  uint32_t variable_count, depth;
  Error *error;
} LawReader;

static bool reader_fail(LawReader *reader, const char *what) {
  return error_at(reader->error, ERROR_INPUT, reader->source,
      (size_t)(reader->at - reader->source->text), 1, "%s", what);
}

static void skip_spaces(LawReader *reader) {
  while (reader->at < reader->end && *reader->at == ' ') reader->at++;
}

static bool laws_read_take(LawReader *reader, const char *text) {
  size_t length = strlen(text);
  skip_spaces(reader);
  if ((size_t)(reader->end - reader->at) < length || strncmp(reader->at, text, length) != 0)
    return false;
  reader->at += length;
  return true;
}

static const char *take_word(LawReader *reader) {
  skip_spaces(reader);
  const char *start = reader->at;
  while (reader->at < reader->end &&
         (isalnum((unsigned char)*reader->at) || *reader->at == '-' || *reader->at == '_'))
    reader->at++;
  return arena_text(reader->arena, start, (size_t)(reader->at - start));
}

static bool read_variable(LawReader *reader, char name, LawPattern *pattern) {
  pattern->kind = LAW_VARIABLE;
  for (pattern->variable = 0; pattern->variable < reader->variable_count; pattern->variable++)
    if (reader->variables[pattern->variable] == name) return true;
  if (reader->variable_count == law_variables) return reader_fail(reader, "too many variables");
  reader->variables[reader->variable_count++] = name;
  return true;
}

static bool read_of_constant(LawReader *reader, LawNode kind, LawPattern *pattern) {
  if (!laws_read_take(reader, "(")) return reader_fail(reader, "'(' is wanted");
  const char *word = take_word(reader);
  if (word[0] == 0 || word[1] != 0)
    return reader_fail(reader, "a variable of one letter is wanted");
  if (!read_variable(reader, word[0], pattern)) return false;
  pattern->kind = kind;
  return laws_read_take(reader, ")") || reader_fail(reader, "')' is wanted");
}

static bool read_pattern(LawReader *reader, const LawPattern **read) {
  LawPattern *pattern = ARENA_NEW(reader->arena, LawPattern, 1);
  *read = pattern;
  if (++reader->depth > 32) return reader_fail(reader, "a law of at most 32 operations is read");
  const char *word = take_word(reader);
  if (isdigit((unsigned char)word[0])) {
    pattern->kind = LAW_CONSTANT;
    pattern->constant = strtoll(word, nullptr, 10);
    return true;
  }
  if (strcmp(word, "-0") == 0) {
    *pattern = (LawPattern){.kind = LAW_CONSTANT, .is_minus_zero = true};
    return true;
  }
  if (strcmp(word, "inf") == 0 || strcmp(word, "-inf") == 0) {
    *pattern = (LawPattern){.kind = LAW_CONSTANT, .infinity = word[0] == '-' ? -1 : 1};
    return true;
  }
  if (strcmp(word, "inverse") == 0) return read_of_constant(reader, LAW_INVERSE, pattern);
  if (strcmp(word, "opposite") == 0) return read_of_constant(reader, LAW_OPPOSITE, pattern);
  if (word[0] != 0 && word[1] == 0) return read_variable(reader, word[0], pattern);
  pattern->kind = LAW_OPERATION;
  if (!opcode_from_name(word, strlen(word), &pattern->opcode))
    return reader_fail(reader, "an operation, a variable of one letter, or a number is wanted");
  if (!laws_read_take(reader, "(")) return reader_fail(reader, "'(' is wanted");
  do {
    if (pattern->count == law_operands)
      return reader_fail(reader, "at most three operands are read");
    if (!read_pattern(reader, &pattern->children[pattern->count++])) return false;
  } while (laws_read_take(reader, ","));
  return laws_read_take(reader, ")") || reader_fail(reader, "')' is wanted");
}

/* Whether both sides have the same operations and constants, and differ only in variables. */
static bool is_exchange(const LawPattern *left, const LawPattern *right) {
  if (left->kind != right->kind || left->count != right->count) return false;
  if (left->kind == LAW_CONSTANT)
    return left->constant == right->constant && left->is_minus_zero == right->is_minus_zero &&
           left->infinity == right->infinity;
  if (left->kind == LAW_OPERATION && left->opcode != right->opcode) return false;
  for (uint32_t i = 0; i < left->count; i++)
    if (!is_exchange(left->children[i], right->children[i])) return false;
  return true;
}

static uint32_t operations_of(const LawPattern *pattern) {
  uint32_t count = pattern->kind == LAW_OPERATION;
  for (uint32_t i = 0; i < pattern->count; i++) count += operations_of(pattern->children[i]);
  return count;
}

static bool has_kind(const LawPattern *pattern, LawNode kind) {
  bool has = pattern->kind == kind;
  for (uint32_t i = 0; i < pattern->count; i++) has |= has_kind(pattern->children[i], kind);
  return has;
}

/* Parses `where z is a power of two`, which a law with an inverse must have, or `where z is a
 * constant`, which one with an opposite must have. */
static bool read_restricted(LawReader *reader, Law *law) {
  bool has_inverse = has_kind(law->left, LAW_INVERSE) || has_kind(law->right, LAW_INVERSE),
       has_opposite = has_kind(law->left, LAW_OPPOSITE) || has_kind(law->right, LAW_OPPOSITE);
  law->restricted = law_variables;
  if (!laws_read_take(reader, "where "))
    return !(has_inverse || has_opposite) ||
           reader_fail(
               reader, "an inverse is one of a power of two, an opposite one of a constant");
  const char *word = take_word(reader);
  for (uint32_t i = 0; i < reader->variable_count; i++)
    if (word[0] == reader->variables[i] && word[1] == 0) law->restricted = i;
  law->is_power = laws_read_take(reader, "is a power of two ");
  return (law->restricted == 1 && law->types == LAW_FLOATING &&
             (law->is_power || (laws_read_take(reader, "is a constant ") && !has_inverse))) ||
         reader_fail(reader, "'where VARIABLE is a power of two' or 'is a constant' is wanted, of "
                             "the second variable and on floating");
}

static bool read_law(LawReader *reader, Law *law) {
  static const char *const types[] = {"integral", "pred", "floating"};
  if (!laws_read_take(reader, "law ")) return reader_fail(reader, "'law NAME: ' is wanted");
  law->name = take_word(reader);
  if (!laws_read_take(reader, ":")) return reader_fail(reader, "':' is wanted");
  if (!read_pattern(reader, &law->left)) return false;
  uint32_t on_the_left = reader->variable_count;
  if (!laws_read_take(reader, "=>")) return reader_fail(reader, "'=>' is wanted");
  if (!read_pattern(reader, &law->right)) return false;
  if (reader->variable_count > on_the_left || law->left->kind != LAW_OPERATION)
    return reader_fail(reader, "the left side is an operation with all variables of the right");
  if (!laws_read_take(reader, "on ")) return reader_fail(reader, "'on TYPES' is wanted");
  const char *word = take_word(reader);
  uint32_t type = 0;
  while (type < 3 && strcmp(types[type], word) != 0) type++;
  if (type == 3) return reader_fail(reader, "types are integral, pred or floating");
  law->types = (LawTypes)type;
  law->is_through_wider = laws_read_take(reader, "through wider ");
  if (!read_restricted(reader, law)) return false;
  if (!laws_read_take(reader, "grade ") || !law_grade_named(take_word(reader), &law->grade) ||
      law->grade == LAW_NONE)
    return reader_fail(reader, "'grade exact', 'grade ieee' or 'grade fast' is wanted");
  law->is_exchange = is_exchange(law->left, law->right);
  law->variable_count = on_the_left;
  memcpy(law->letters, reader->variables, sizeof law->letters);
  skip_spaces(reader);
  return reader->at == reader->end || reader_fail(reader, "the line goes on");
}

static bool makes(const LawPattern *pattern, Opcode opcode) {
  bool does = pattern->kind == LAW_OPERATION && pattern->opcode == opcode;
  for (uint32_t i = 0; i < pattern->count; i++) does |= makes(pattern->children[i], opcode);
  return does;
}

/* A law with a longer right side may rewrite if no law makes the operation that it removes. */
static void note_longer(Laws *laws) {
  for (uint32_t i = 0; i < laws->count; i++) {
    Law *law = &laws->items[i];
    bool is_made = false;
    for (uint32_t k = 0; k < laws->count; k++)
      is_made |= makes(laws->items[k].right, law->left->opcode);
    law->is_longer = is_made && operations_of(law->right) > operations_of(law->left);
  }
}

bool laws_read(Arena *arena, const Source *source, Laws *laws, Error *error) {
  *laws = (Laws){};
  const char *end = source->text + source->length;
  uint32_t number = source->first_line - 1;
  for (const char *line = source->text; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == nullptr) stop = end;
    LawReader reader = {.arena = arena, .source = source, .at = line, .end = stop, .error = error};
    skip_spaces(&reader);
    if (laws->count == laws_most) return reader_fail(&reader, "at most 256 laws are read");
    number++;
    if (reader.at < stop && *reader.at != '#') {
      Law *law = ARENA_PUSH(arena, laws);
      *law = (Law){.text = arena_text(arena, line, (size_t)(stop - line)), .line = number};
      if (!read_law(&reader, law)) return false;
    }
    line = stop + 1;
  }
  note_longer(laws);
  return true;
}

bool laws_own(Arena *arena, Laws *laws, Error *error) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "core/rules/values.laws",
      .text = own_text,
      .length = sizeof own_text - 1,
      .first_line = 1};
  return laws_read(arena, source, laws, error);
}
