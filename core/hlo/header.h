/* Attributes in the header of a module: `HloModule NAME, ATTRIBUTE=VALUE, ...`. */
#ifndef CORE_HLO_HEADER_H
#define CORE_HLO_HEADER_H

#include "core/hlo/graph.h"
#include "core/hlo/read/scan.h"

/* The value of the first attribute of this name. False if the header has none. The text of the
 * header goes on after the value. */
[[nodiscard]] bool header_value(const Module *module, const char *name, Slice *value);

/* The header's attributes but the one of this name; nullptr: there are no others. */
[[nodiscard]] const char *header_without(Arena *arena, const Module *module, const char *name);

/* Whether the instructions of each computation run in the order of the text. */
[[nodiscard]] bool module_is_scheduled(const Module *module);

#endif
