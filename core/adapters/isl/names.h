/* The name of a map in isl's notation. */
#ifndef CORE_ADAPTERS_ISL_NAMES_H
#define CORE_ADAPTERS_ISL_NAMES_H

#include "core/base/arena.h"

[[nodiscard]] const char *relation_name(Arena *arena, uint32_t number, const char *name);

#endif
