/* The kinds of findings, one table of words (fuzz/harness/kinds.def): no report and no reduction
 * has a word of its own. */
#ifndef FUZZ_KINDS_H
#define FUZZ_KINDS_H

#include <stdint.h>

#include "core/base/text.h"
#include "judge/algebra/algebra.h"

typedef enum FindingKind : uint8_t {
#define KIND(id, word, help) FOUND_##id,
#include "fuzz/harness/kinds.def"
#undef KIND
} FindingKind;

[[nodiscard]] const char *finding_word(FindingKind kind);
/* The word is `length` bytes long. */
[[nodiscard]] bool finding_find(const char *word, size_t length, FindingKind *kind);
/* Each word with what it says, a line each. */
void finding_list(Text *text);
/* Of an operation that answers wrongly. */
[[nodiscard]] FindingKind finding_of_algebra(AlgebraOperation operation);

#endif
