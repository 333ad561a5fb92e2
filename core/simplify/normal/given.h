/* The given map beside the simplified one: what is written must not become larger. */
#ifndef CORE_SIMPLIFY_GIVEN_H
#define CORE_SIMPLIFY_GIVEN_H

#include "core/simplify/engine.h"

/* True only where the given map in our order is no smaller than the simplified one. Quick. */
[[nodiscard]] bool given_is_no_smaller(
    MapContext *context, const Map *given, const Map *simplified);
/* The same map in the smaller parts of both writings, with the given sources; nullptr where the
 * simplified map is no larger. */
[[nodiscard]] const Map *given_smaller(
    MapContext *context, const Map *given, const Map *simplified);

#endif
