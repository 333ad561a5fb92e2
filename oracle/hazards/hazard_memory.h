/* Follows a value of a kernel through operations that leave memory unchanged. */
#ifndef ORACLE_HAZARDS_HAZARD_MEMORY_H
#define ORACLE_HAZARDS_HAZARD_MEMORY_H

#include "oracle/semantics/reading.h"

/* The dynamic-update-slice of a parameter that the leaf is, and the parameter's leaf; nullptr if it
 * is none. */
[[nodiscard]] const Node *hazard_updated(
    const Node *node, uint32_t leaf, uint32_t *parameter, uint32_t *parameter_leaf);

#endif
