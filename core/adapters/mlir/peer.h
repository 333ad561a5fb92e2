/* MLIR's own folding, simplification and composition, on affirm's maps and back: a peer to compare
 * the engine with, and a subject of audits. Expressions go through MLIR; variables, bounds,
 * intervals of constraints, names and runtime sources are the map's own. Nothing is rejected for
 * overflow here, MLIR wraps as it does; but a map that comes back malformed (map_check) is an
 * error. ERROR_UNSUPPORTED and ERROR_LIMIT as in convert.h: min, max, products of two dimensions,
 * UNDEFINED, very large expressions. */
#ifndef CORE_MLIR_PEER_H
#define CORE_MLIR_PEER_H

#include "core/base/text.h"
#include "core/map/map.h"

typedef enum PeerStep : uint8_t {
  PEER_FOLD,     /* building the expressions: what mlirAffineAddExprGet and its like fold */
  PEER_SIMPLIFY, /* mlirSimplifyAffineExpr on each */
} PeerStep;

/* An MLIR context that is renewed every 1,024 maps, for MLIR never frees what it has uniqued. One
 * thread. */
typedef struct Peer Peer;

/* GIVE: the caller destroys it. */
[[nodiscard]] Peer *mlir_peer_create(void);
void mlir_peer_destroy(Peer *peer);

[[nodiscard]] bool mlir_peer_map(Peer *peer, MapContext *context, const Map *map, PeerStep step,
    const Map **result, Error *error);
/* As core/map/compose composes: consumer first; variables, bounds and constraints are joined in the
 * same way, the producer's expressions are composed by mlirAffineExprCompose, and then simplified
 * if the step says so. */
[[nodiscard]] bool mlir_peer_compose(Peer *peer, MapContext *context, const Map *consumer,
    const Map *producer, PeerStep step, const Map **result, Error *error);

/* To MlirAffineMap and MlirIntegerSet, checked, and back (convert.h): the same map, or rejected.
 * `text`, unless null, gets both as MLIR prints them. */
[[nodiscard]] bool mlir_peer_round_trip(
    Peer *peer, MapContext *context, const Map *map, Text *text, const Map **result, Error *error);

#endif
