/* The kinds of findings and their words, one table for all reports and reductions
 * (fuzz/harness/kinds.def). */
#ifndef FUZZ_HARNESS_KINDS_H
#define FUZZ_HARNESS_KINDS_H

#include <stdint.h>

#include "core/base/text.h"
#include "judge/algebra/algebra.h"

typedef enum FindingKind : uint8_t {
#define KIND(id, text, help) FOUND_##id,
#include "fuzz/harness/kinds.def"
#undef KIND
} FindingKind;

[[nodiscard]] const char *finding_name(FindingKind kind);
/* Looks up a word of `length` bytes. */
[[nodiscard]] bool finding_find(const char *text, size_t length, FindingKind *kind);
/* Appends each word with its meaning, one per line. */
void finding_list(Text *text);
/* The kind of a wrong result of an operation. */
[[nodiscard]] FindingKind finding_of_algebra(AlgebraOperation operation);

#endif
