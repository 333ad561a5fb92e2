/* Attributes that the graph keeps only as text, and which of them name computations. */
#ifndef CORE_HLO_ATTRIBUTE_H
#define CORE_HLO_ATTRIBUTE_H

#include "core/hlo/graph.h"

[[nodiscard]] bool attribute_is(
    const Instruction *instruction, const char *name, const char *value);
/* False if there is no such attribute, or it is no non-negative integer. */
[[nodiscard]] bool attribute_number(
    const Instruction *instruction, const char *name, int64_t *value);
/* Whether the attribute names computations that the instruction calls. Of another opcode an
 * attribute of that name is a text like any other. */
[[nodiscard]] bool attribute_names_called(const Instruction *instruction, const char *name);

#endif
