/* Linear search: there are a few dozen words. */
#include "fuzz/harness/kinds.h"

#include <assert.h>
#include <string.h>

static const struct {
  const char *word, *help;
} kinds[] = {
#define KIND(id, word, help) {word, help},
#include "fuzz/harness/kinds.def"
#undef KIND
};

const char *finding_word(FindingKind kind) { return kinds[kind].word; }

bool finding_find(const char *word, size_t length, FindingKind *kind) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strlen(kinds[i].word) != length || memcmp(kinds[i].word, word, length) != 0) continue;
    *kind = (FindingKind)i;
    return true;
  }
  return false;
}

void finding_list(Text *text) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    text_printf(text, "  %-16s %s\n", kinds[i].word, kinds[i].help);
}

FindingKind finding_of_algebra(AlgebraOperation operation) {
  const char *word = algebra_row(operation)->text;
  FindingKind kind = FOUND_JUDGE;
  [[maybe_unused]] bool found = finding_find(word, strlen(word), &kind);
  assert(found);
  return kind;
}
