/* Suggests what to write instead of a sign or a word of another language: the second half of a
 * message about a text that does not parse. */
#ifndef CORE_BASE_REMEDY_H
#define CORE_BASE_REMEDY_H

#include "core/base/error.h"

typedef enum RemedyLanguage : uint8_t { REMEDY_MAP, REMEDY_RULES } RemedyLanguage;

/* "; write mod" or "; did you mean mod?" for the sign or word at `offset`, or "". */
[[nodiscard]] const char *remedy_text(const Source *source, size_t offset, RemedyLanguage language);

/* The same after a message that says what is expected: empty if the remedy only repeats it. */
[[nodiscard]] const char *remedy_beside(
    const char *expected, const Source *source, size_t offset, RemedyLanguage language);

#endif
