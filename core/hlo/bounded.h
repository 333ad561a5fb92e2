/* Sizes of which only a bound is known, as in s32[<=8]. The array's elements are those within the
 * true size. Where an operation puts its elements, or how many it reads, may depend on the true
 * size. */
#ifndef CORE_HLO_BOUNDED_H
#define CORE_HLO_BOUNDED_H

#include "core/hlo/graph.h"

/* The first instruction, this one or one in what it calls, whose elements differ from those of the
 * same operation on arrays of the bounds' sizes; nullptr if there is none. */
[[nodiscard]] const Instruction *instruction_bounded(const Instruction *instruction);

#endif
