/* Edits of a text by tokens: a name, a number or a byte is left out, repeated, exchanged with the
 * next one or replaced. Most edited texts of modules, maps and rules must be rejected; some have
 * another meaning. */
#ifndef GENERATE_EDIT_TEXT_H
#define GENERATE_EDIT_TEXT_H

#include "core/base/text.h"
#include "core/base/choices.h"

/* A copy with one or two edits. Total: a text without tokens is copied. */
[[nodiscard]] const char *edit_text(Arena *arena, const char *text, Choices *choices);

#endif
