/* The first word after blanks and comments decides. */
#include "cli/text_kind.h"

#include <string.h>

#include "cli/session.h"

static const char *kind_word(const Source *source) {
  const char *at = source->text;
  for (;;) {
    at += strspn(at, " \t\r\n");
    if (*at != '#' && strncmp(at, "//", 2) != 0) return at;
    at += strcspn(at, "\n");
  }
}

void text_kind_remedy(const Source *source, TextKind wanted) {
  static const struct {
    const char *word;
    TextKind kind;
    const char *remedy;
  } kinds[] = {
      {"HloModule", TEXT_OF_MODULES, "this is a module; affirm check and map read modules"},
      {"ENTRY", TEXT_OF_MODULES, "this is a module; affirm check and map read modules"},
      {"(", TEXT_OF_MAPS, "these are maps; affirm simplify and check read maps"},
      {"rule ", TEXT_OF_RULES, "these are rules; affirm prove reads rules"},
  };
  const char *word = kind_word(source);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].kind != wanted && strncmp(word, kinds[i].word, strlen(kinds[i].word)) == 0)
      session_warn("%s: %s", source->name, kinds[i].remedy);
}
