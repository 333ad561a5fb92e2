/* Composition of maps: first the consumer's, then the producer's.
 *
 * compose(consumer, producer)(d) = producer(consumer(d)): the consumer's results are the producer's
 * dimensions. Variables: the consumer's dimensions; the consumer's range variables, then the
 * producer's; runtime variables likewise. Constraints: the consumer's; each consumer result within
 * the producer's dimension bounds; the producer's, substituted. Nothing is simplified. If either
 * map is known empty, so is the composition; if either is undefined, so is the composition. */
#ifndef CORE_MAP_COMPOSE_H
#define CORE_MAP_COMPOSE_H

#include "core/map/map.h"

/* Rank mismatch is ERROR_INPUT; an evaluation that can leave int64 is ERROR_OVERFLOW. Runtime
 * sources are kept: the producer's index maps are composed with the consumer. */
[[nodiscard]] bool map_compose(MapContext *context, const Map *consumer, const Map *producer,
    const Map **composed, Error *error);

#endif
