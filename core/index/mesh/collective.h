/* Shared by the maps of a collective with and without devices. */
#ifndef CORE_INDEX_MESH_COLLECTIVE_H
#define CORE_INDEX_MESH_COLLECTIVE_H

#include "core/hlo/graph.h"

/* True for an output leaf of a start that is its operand rather than its result. */
[[nodiscard]] bool collective_is_alias(const Instruction *collective, uint32_t output_leaf);

#endif
