/* Constants whose text elides values, `{...}`, and several calls without operands that have one
 * target, shape and configuration. Those of two graphs are matched by name and shape. Two in one
 * graph with the same name and shape are namesakes: the name does not identify them. */
#ifndef CORE_HLO_NAMESAKES_H
#define CORE_HLO_NAMESAKES_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

/* True for a constant, or a call with a literal, whose text does not have all values, and for a
 * call that is one of several (graph.h). */
[[nodiscard]] bool instruction_is_elided(const Instruction *instruction);
/* The length of the name without what a compiler appends to the name of a copy: `.clone`, `.sunk`,
 * numbers after those, and final dots. */
[[nodiscard]] int original_length(const char *name);
/* The first custom call without operands that runs at several places, as in a computation that is
 * called twice; nullptr: there is none. It need not return the same at each, as if it were several
 * calls. All runs of a loop are one place, and each element of a map is another one. The arena is
 * rewound. */
[[nodiscard]] const Instruction *call_at_several_places(Arena *scratch, const Module *module);
/* Sets `is_one_of_several`, and `is_namesake` of each elided constant of the module that is a
 * namesake or a copy of one. */
void hlo_mark_namesakes(Arena *scratch, const Module *module);

#endif
