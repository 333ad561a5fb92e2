/* Colours on a terminal, as clang uses them: errors red, warnings magenta, locations bold; passed
 * verdicts green, refuted ones red, open ones yellow. Control sequences in foreign text are made
 * harmless first (core/base/foreign.h); only affirm's own words are coloured. */
#ifndef CLI_COLOUR_H
#define CLI_COLOUR_H

#include <stdio.h>

#include "core/base/error.h"
#include "core/base/foreign.h"

typedef enum ColourWhen : uint8_t { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourWhen;

/* `auto`, the default: on a terminal, unless NO_COLOR is set or TERM is dumb. */
void colour_choose(ColourWhen when);

/* As foreign_write, with colours for the verdicts. */
[[nodiscard]] bool colour_write(FILE *stream, ForeignLine *line, const char *text);
/* As error_print. */
void colour_error(FILE *stream, const Error *error);
/* "affirm: " in bold where colours are on. */
void colour_prefix(FILE *stream);

#endif
