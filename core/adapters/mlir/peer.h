/* MLIR's own folding, simplification and composition, on affirm's maps and back: a peer to compare
 * the engine with, and a subject of audits. Expressions go through MLIR; variables, bounds,
 * intervals of constraints, names and runtime sources are the map's own. Overflow is not rejected
 * here, because MLIR wraps; but a resulting map that is malformed (map_check) is an error.
 * ERROR_UNSUPPORTED and ERROR_LIMIT are as in convert.h: min, max, products of two dimensions,
 * UNDEFINED, very large expressions. */
#ifndef CORE_ADAPTERS_MLIR_PEER_H
#define CORE_ADAPTERS_MLIR_PEER_H

#include "core/base/text.h"
#include "core/map/map.h"

typedef enum PeerStep : uint8_t {
  PEER_FOLD,     /* only builds the expressions, which mlirAffineAddExprGet and the like fold */
  PEER_SIMPLIFY, /* applies mlirSimplifyAffineExpr to each */
} PeerStep;

/* Owns an MLIR context that is renewed every 1,024 maps, because MLIR never frees what it has
 * uniqued. For one thread. */
typedef struct Peer Peer;

/* GIVE: the caller destroys it. */
[[nodiscard]] Peer *mlir_peer_create(void);
void mlir_peer_destroy(Peer *peer);

[[nodiscard]] bool mlir_peer_map(Peer *peer, MapContext *context, const Map *map, PeerStep step,
    const Map **result, Error *error);
/* Composes as core/map/compose does: consumer first; variables, bounds and constraints are joined
 * in the same way. mlirAffineExprCompose composes the producer's expressions, which are then
 * simplified if `step` is PEER_SIMPLIFY. */
[[nodiscard]] bool mlir_peer_compose(Peer *peer, MapContext *context, const Map *consumer,
    const Map *producer, PeerStep step, const Map **result, Error *error);

/* Converts to MlirAffineMap and MlirIntegerSet, checked, and back (convert.h): the same map, or an
 * error. `text`, unless null, receives both as MLIR prints them. */
[[nodiscard]] bool mlir_peer_round_trip(
    Peer *peer, MapContext *context, const Map *map, Text *text, const Map **result, Error *error);

#endif
