/* Maps through computations: fusion, call, map, and async-start. */
#ifndef CORE_INDEX_FUSION_FUSION_H
#define CORE_INDEX_FUSION_FUSION_H

#include "core/index/indexer.h"

/* For an instruction for which calls_computation is true. */
[[nodiscard]] bool call_maps(Indexer *indexer, const Instruction *call, Direction direction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, MapSet *maps, Error *error);

/* The maps between root leaf `leaf` and every parameter leaf (o2i), or between parameter leaf
 * `leaf` and every root leaf (i2o). Parameter leaves are counted through all parameters. */
[[nodiscard]] bool computation_maps(Indexer *indexer, const Computation *computation,
    Direction direction, uint32_t leaf, const MapSet **sets, Error *error);

/* The first leaf of a parameter, counted through all parameters. */
[[nodiscard]] uint32_t parameter_leaf_start(const Computation *computation, uint32_t parameter);

#endif
