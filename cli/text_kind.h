/* Recognises a text of another kind than a command reads, so that the message can name the commands
 * that read it. */
#ifndef CLI_TEXT_KIND_H
#define CLI_TEXT_KIND_H

#include "core/base/error.h"

typedef enum TextKind : uint8_t { TEXT_OF_MODULES, TEXT_OF_MAPS, TEXT_OF_RULES } TextKind;

/* Says on standard error which commands read the text, if its first word is that of another kind
 * than the wanted one. For a text that was rejected. */
void text_kind_remedy(const Source *source, TextKind wanted);

#endif
