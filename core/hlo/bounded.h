/* Sizes of which only a bound is known, s32[<=8]. An element of the array is one that the true size
 * holds. Where an operation puts its elements, or how many it reads, may depend on the true size.
 */
#ifndef CORE_HLO_BOUNDED_H
#define CORE_HLO_BOUNDED_H

#include "core/hlo/graph.h"

/* The instruction itself, or the first one of what it calls, whose elements are not those of the
 * same operation on arrays of the bounds; nullptr: there is none. */
[[nodiscard]] const Instruction *instruction_bounded(const Instruction *instruction);

#endif
