/* Maps of general form from choices: every operator, up to three dimensions, two range variables
 * and a runtime variable, three results and four constraints, bounds and constants at the edges of
 * 8 to 64 bits. Total: every choice sequence is a map that passes map_check. A subexpression that
 * could leave int64 is replaced by its left operand. */
#ifndef GENERATE_GENERAL_MAP_H
#define GENERATE_GENERAL_MAP_H

#include "core/map/map.h"
#include "core/base/choices.h"

/* The map is in the context's arena. The header takes three choices (numbers of variables, of
 * results, of constraints), then two per variable's bounds, then the expressions. */
[[nodiscard]] const Map *generate_general_map(MapContext *context, Choices *choices);

#endif
