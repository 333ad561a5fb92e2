/* Maps that are composed across collectives. The map of a collective has the indices that are read
 * on any device. Composed with a producer that reads other indices on other devices, it also has
 * pairs that no device reads: an over-approximation. Such a producer is a collective in which the
 * device decides (EXCHANGE_APART), or an operation with runtime variables: each device has values
 * of its own, so that the variables become ranges. */
#ifndef CORE_INDEX_FUSION_EXCHANGE_H
#define CORE_INDEX_FUSION_EXCHANGE_H

#include "core/index/indexer.h"

/* One step of a flow: `from` is composed with the step's own `maps` and added to `to`. Copies that
 * replace maps are in the context's arena. */
typedef struct ExchangeStep {
  const Instruction *instruction;
  uint32_t output_leaf;
  Direction direction;
  IndexResult *from, *maps, *to;
} ExchangeStep;

/* Worsens the claim of `to`, and widens runtime variables, if a collective consumes what differs by
 * device. False on overflow. */
[[nodiscard]] bool exchange_cross(Indexer *indexer, const ExchangeStep *step, Error *error);

#endif
