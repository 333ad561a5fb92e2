/* Linear search: there are a few dozen words. */
#include "fuzz/harness/kinds.h"

#include <assert.h>
#include <string.h>

static const struct {
  const char *text, *help;
} kinds[] = {
#define KIND(id, text, help) {text, help},
#include "fuzz/harness/kinds.def"
#undef KIND
};

const char *finding_name(FindingKind kind) { return kinds[kind].text; }

bool finding_find(const char *text, size_t length, FindingKind *kind) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strlen(kinds[i].text) != length || memcmp(kinds[i].text, text, length) != 0) continue;
    *kind = (FindingKind)i;
    return true;
  }
  return false;
}

void finding_list(Text *text) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    text_printf(text, "  %-16s %s\n", kinds[i].text, kinds[i].help);
}

FindingKind finding_of_algebra(AlgebraOperation operation) {
  const char *text = algebra_row(operation)->text;
  FindingKind kind = FOUND_JUDGE;
  [[maybe_unused]] bool found = finding_find(text, strlen(text), &kind);
  assert(found);
  return kind;
}
