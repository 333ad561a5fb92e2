/* What the maps of a collective with and without devices share. */
#ifndef CORE_INDEX_COLLECTIVE_H
#define CORE_INDEX_COLLECTIVE_H

#include "core/hlo/graph.h"

/* An output leaf of a start that is its operand, not its result. */
[[nodiscard]] bool collective_is_alias(const Instruction *collective, uint32_t output_leaf);

#endif
