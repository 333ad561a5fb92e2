/* Two tables: signs that another language uses for the same operation, and words to which a
 * misspelt word may be near. */
#include "core/base/remedy.h"

#include <string.h>

#include "core/base/nearest.h"

typedef struct RemedyRow {
  const char *sign, *map, *rules; /* nullptr: no remedy in that language */
} RemedyRow;

static const RemedyRow remedy_signs[] = {
    {"%", "; write mod", "; write mod"},
    {"//", "; write floordiv", "; write floordiv"},
    {"/", nullptr, "; write floordiv"},
    {"&&", "; write a comma", "; write a comma"},
    {"&", "; write a comma", "; write a comma"},
    {"||", nullptr, "; write a rule for each case"},
    {"->", nullptr, "; write =>"},
    {"=>", "; write ->", nullptr},
    {"<=", "; write EXPRESSION in [LO, HI]", nullptr},
    {">=", "; write EXPRESSION in [LO, HI]", nullptr},
    {"!=", nullptr, nullptr},
    {"<", "; write EXPRESSION in [LO, HI]", nullptr},
    {">", "; write EXPRESSION in [LO, HI]", nullptr},
    {"==", "; write EXPRESSION in [LO, HI]", nullptr},
    {"=", "; write EXPRESSION in [LO, HI]", "; write =="},
    {"!", nullptr, "; write !="},
    {";", "; write a comma", "; write a comma"},
    {"**", "; write a product", "; write a product"},
    {"\xEF\xBB\xBF", "; save the file without a byte order mark",
        "; save the file without a byte order mark"},
    {"\xFF\xFE", "; save the file as UTF-8", "; save the file as UTF-8"},
    {"\xFE\xFF", "; save the file as UTF-8", "; save the file as UTF-8"},
};

/* A known word, and the sentence for a word near it. */
typedef struct RemedyWord {
  const char *word, *sentence;
  bool is_map, is_rules;
} RemedyWord;
static const RemedyWord remedy_words[] = {
    {"mod", "; did you mean mod?", true, true},
    {"floordiv", "; did you mean floordiv?", true, true},
    {"ceildiv", "; did you mean ceildiv?", true, true},
    {"min", "; did you mean min?", true, true},
    {"max", "; did you mean max?", true, true},
    {"domain", "; did you mean domain?", true, false},
    {"in", "; did you mean in?", true, true},
    {"when", "; did you mean when?", false, true},
    {"rule", "; did you mean rule?", false, true},
    {"order", "; did you mean order:?", false, true},
    {"scope", "; did you mean scope:?", false, true},
    {"example", "; did you mean example:?", false, true},
    {"gcd", "; did you mean gcd?", false, true},
    {"and", "; write a comma", true, true},
    {"div", "; write floordiv", true, true},
    {"if", "; write when", false, true},
    {"where", "; write when", false, true},
};

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static const char *remedy_of_word(const char *word, size_t length, RemedyLanguage language) {
  Nearest nearest = nearest_begin(word, length);
  for (size_t i = 0; i < sizeof remedy_words / sizeof *remedy_words; i++)
    if (language == REMEDY_MAP ? remedy_words[i].is_map : remedy_words[i].is_rules)
      nearest_try(&nearest, remedy_words[i].word);
  for (size_t i = 0; i < sizeof remedy_words / sizeof *remedy_words; i++)
    if (remedy_words[i].word == nearest.found) return remedy_words[i].sentence;
  return "";
}

const char *remedy_text(const Source *source, size_t offset, RemedyLanguage language) {
  if (offset >= source->length) return "";
  const char *at = source->text + offset;
  size_t left = source->length - offset, length = 0;
  while (length < left && is_letter(at[length])) length++;
  if (length > 0) return length < 2 ? "" : remedy_of_word(at, length, language);
  const char *best = "";
  size_t longest = 0;
  for (size_t i = 0; i < sizeof remedy_signs / sizeof *remedy_signs; i++) {
    const RemedyRow *row = &remedy_signs[i];
    const char *sentence = language == REMEDY_MAP ? row->map : row->rules;
    size_t size = strlen(row->sign);
    if (size <= longest || size > left || memcmp(at, row->sign, size) != 0) continue;
    longest = size;
    best = sentence == nullptr ? "" : sentence;
  }
  return best;
}

const char *remedy_beside(
    const char *expected, const Source *source, size_t offset, RemedyLanguage language) {
  static const char write[] = "; write ";
  const char *remedy = remedy_text(source, offset, language);
  bool repeats = strncmp(remedy, write, strlen(write)) == 0 &&
                 strstr(expected, remedy + strlen(write)) != nullptr;
  return repeats ? "" : remedy;
}
