/* Maps through computations: fusion, call, and the halves of asynchronous operations. */
#ifndef CORE_INDEX_FUSION_H
#define CORE_INDEX_FUSION_H

#include "core/index/indexer.h"

/* Of an instruction for which calls_computation holds. */
[[nodiscard]] bool call_maps(Indexer *indexer, const Instruction *call, Direction direction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, MapSet *maps, Error *error);

/* Between leaf `leaf` of the root and every parameter leaf (o2i), or parameter leaf `leaf`, counted
 * through all parameters, and every root leaf (i2o). */
[[nodiscard]] bool computation_maps(Indexer *indexer, const Computation *computation,
    Direction direction, uint32_t leaf, const MapSet **sets, Error *error);

/* The first leaf of a parameter, counted through all parameters. */
[[nodiscard]] uint32_t parameter_leaf_start(const Computation *computation, uint32_t parameter);

#endif
