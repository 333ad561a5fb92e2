/* Constants whose text leaves values out, `{...}`. Those of two graphs are identified by
 * name and shape. Two of one graph with one name and shape are namesakes: the name does not
 * identify them. */
#ifndef CORE_HLO_NAMESAKES_H
#define CORE_HLO_NAMESAKES_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

/* A constant, or a call with a literal, that does not say all of its values. */
[[nodiscard]] bool instruction_is_elided(const Instruction *instruction);
/* The length of the name without what a compiler adds to the name of a copy: `.clone`, `.sunk`, and
 * numbers after those. */
[[nodiscard]] int original_length(const char *name);
/* Sets `is_namesake` of each elided constant of the module. The copies of namesakes are such too.
 */
void hlo_mark_namesakes(Arena *scratch, const Module *module);

#endif
