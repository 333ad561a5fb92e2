/* Compares the given map with the simplified one: the result must not become larger. */
#ifndef CORE_SIMPLIFY_NORMAL_GIVEN_H
#define CORE_SIMPLIFY_NORMAL_GIVEN_H

#include "core/simplify/engine.h"

/* True only if the given map in our order is no smaller than the simplified one. Fast. */
[[nodiscard]] bool given_is_no_smaller(
    MapContext *context, const Map *given, const Map *simplified);
/* The same map from the smaller parts of both forms, with the given sources; nullptr if the
 * simplified map is no larger. */
[[nodiscard]] const Map *given_smaller(
    MapContext *context, const Map *given, const Map *simplified);

#endif
