/* The border between a called computation and its caller. */
#ifndef CORE_INDEX_LEAVE_H
#define CORE_INDEX_LEAVE_H

#include "core/index/indexer.h"

/* The set `inner`, from shape `from` to shape `to`, with runtime sources that the caller of `call`
 * can name. Canonical again only where a source is known there. False on overflow or a limit, with
 * the call's name. */
[[nodiscard]] bool leave_computation(Indexer *indexer, const Instruction *call, const MapSet *inner,
    const Shape *from, const Shape *to, MapSet *maps, Error *error);

#endif
