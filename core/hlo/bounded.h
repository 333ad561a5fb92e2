/* Arrays of bounded size, such as s32[<=8]: the true size is known only at run time. The array's
 * elements are those within the true size. The positions at which an operation puts its elements,
 * or the number of elements that it reads, may depend on the true size. */
#ifndef CORE_HLO_BOUNDED_H
#define CORE_HLO_BOUNDED_H

#include "core/hlo/graph.h"

/* Sets `bounded` of each computation of a verified module to its first instruction, its own or one
 * in what it calls, whose elements or their number may differ from those of the same operation on
 * arrays of the bounds' sizes. */
void hlo_mark_bounded(Arena *scratch, Module *module);

#endif
