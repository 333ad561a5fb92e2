/* What "the same text" means where variables can be exchanged. */
#ifndef CORE_SIMPLIFY_EXCHANGE_H
#define CORE_SIMPLIFY_EXCHANGE_H

#include "core/simplify/normal/renew.h"
#include "core/simplify/simplify.h"

/* The exchange of variables of one kind and the same bounds after which `other`, simplified, is
 * `map`; the one that moves nothing comes first. Both are simplified maps. False when there is
 * none, and where the exchanges are more than some thousands.
 * Where both are known to be the same map, so is `map` and what the exchange makes of it: a
 * symmetry. */
[[nodiscard]] bool map_exchange(
    Simplifier *simplifier, const Map *map, const Map *other, Numbering *exchange);

#endif
