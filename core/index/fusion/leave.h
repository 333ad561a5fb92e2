/* The boundary between a called computation and its caller. */
#ifndef CORE_INDEX_FUSION_LEAVE_H
#define CORE_INDEX_FUSION_LEAVE_H

#include "core/index/indexer.h"

/* Converts the set `inner`, from shape `from` to shape `to`, to runtime sources that the caller of
 * `call` can name. Settles a map again only if a source changed. False on overflow or a limit, with
 * the call's name. */
[[nodiscard]] bool leave_computation(Indexer *indexer, const Instruction *call, const MapSet *inner,
    const Shape *from, const Shape *to, MapSet *maps, Error *error);

#endif
