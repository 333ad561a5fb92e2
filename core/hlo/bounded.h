/* Sizes of which only a bound is known, as in s32[<=8]. The array's elements are those within the
 * true size. Where an operation puts its elements, or how many it reads, may depend on the true
 * size. */
#ifndef CORE_HLO_BOUNDED_H
#define CORE_HLO_BOUNDED_H

#include "core/hlo/graph.h"

/* Sets `bounded` of each computation of a verified module to its first instruction, its own or one
 * in what it calls, whose elements or their number may differ from those of the same operation on
 * arrays of the bounds' sizes. */
void hlo_mark_bounded(Arena *scratch, Module *module);

#endif
