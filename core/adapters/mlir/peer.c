/* Converts expressions to MLIR and back, one by one. The join of variables for composition is
 * implemented here again, so that the peer does not depend on core/map/compose. */
#include "core/adapters/mlir/peer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/adapters/mlir/context.h"
#include "core/adapters/mlir/convert.h"

static constexpr uint32_t maps_a_context = 1024;

struct Peer {
  MlirSession session;
  uint32_t maps;
};

typedef struct PeerRun {
  Peer *peer;
  MapContext *context;
  PeerStep step;
  Map *map; /* the result */
  Error *error;
} PeerRun;

Peer *mlir_peer_create(void) {
  Peer *peer = malloc(sizeof *peer);
  if (peer == nullptr) arena_out_of_memory(sizeof *peer);
  mlir_session_open(&peer->session);
  peer->maps = 0;
  return peer;
}

void mlir_peer_destroy(Peer *peer) {
  if (peer == nullptr) return;
  mlir_session_close(&peer->session);
  free(peer);
}

static void peer_renew(Peer *peer) {
  assert(peer->maps <= maps_a_context);
  if (peer->maps++ < maps_a_context) return;
  mlir_session_close(&peer->session);
  mlir_session_open(&peer->session);
  peer->maps = 1;
}

static MlirContext context_of(const PeerRun *run) { return run->peer->session.context; }

/* If LLVM's C API lacks the function (version 19), its library exports the C++ function that it
 * would call, which is declared here under its C++ name. Both handles are one pointer
 * (docs/decisions/0098-a-gate-on-the-llvm-of-debian.md). */
#ifndef AFFIRM_MLIR_HAS_SIMPLIFY
MlirAffineExpr mlirSimplifyAffineExpr(MlirAffineExpr expr, uint32_t dims, uint32_t symbols) __asm__(
    "_ZN4mlir18simplifyAffineExprENS_10AffineExprEjj");
#endif

static MlirAffineExpr peer_simplify(const PeerRun *run, MlirAffineExpr e) {
  return mlirSimplifyAffineExpr(
      e, run->map->dim_count, run->map->range_count + run->map->runtime_count);
}

static bool peer_finish(PeerRun *run, MlirAffineExpr e, Expr *expr) {
  if (run->step == PEER_SIMPLIFY) e = peer_simplify(run, e);
  return convert_expression_back(run->context, run->map, e, expr, run->error);
}

static bool through(PeerRun *run, Expr expr, Expr *result) {
  MlirAffineExpr e;
  SymbolPositions positions = {0, run->map->range_count};
  return convert_expressions(context_of(run), run->context, positions, CONVERT_AS_MLIR_DOES, 1,
             &expr, &e, run->error) &&
         peer_finish(run, e, result);
}

static bool check_state(const Map *map, Error *error) {
  return map->state != MAP_UNDEFINED ||
         error_set(error, ERROR_UNSUPPORTED, "UNDEFINED has no affine map");
}

static void copy_kind(Variable *to, const Variable *from, uint32_t count) {
  if (count > 0) memcpy(to, from, count * sizeof *to);
}

static Map *like(MapContext *context, const Map *map) {
  Map *made = map_create(context, map->dim_count, map->range_count, map->runtime_count,
      map->result_count, map->constraint_count);
  copy_kind(made->dims, map->dims, map->dim_count);
  copy_kind(made->ranges, map->ranges, map->range_count);
  copy_kind(made->runtimes, map->runtimes, map->runtime_count);
  made->sources = map->sources;
  return made;
}

bool mlir_peer_map(Peer *peer, MapContext *context, const Map *map, PeerStep step,
    const Map **result, Error *error) {
  if (!check_state(map, error)) return false;
  *result = map;
  if (map->state == MAP_KNOWN_EMPTY) return true;
  peer_renew(peer);
  PeerRun run = {
      .peer = peer, .context = context, .step = step, .map = like(context, map), .error = error};
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!through(&run, map->results[i], &run.map->results[i])) return false;
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    run.map->constraints[i].in = map->constraints[i].in;
    if (!through(&run, map->constraints[i].expr, &run.map->constraints[i].expr)) return false;
  }
  *result = run.map;
  return map_check(context, run.map, error);
}

typedef struct PeerJoin {
  PeerRun run;
  const Map *consumer, *producer;
  SymbolPositions consumer_positions, producer_positions;
  MlirAffineExpr *between; /* the consumer's results over the joined variables */
  MlirAffineMap inner;     /* map of `between` */
} PeerJoin;

static Map *joined_variables(MapContext *context, const Map *consumer, const Map *producer) {
  Map *map = map_create(context, consumer->dim_count, consumer->range_count + producer->range_count,
      consumer->runtime_count + producer->runtime_count, producer->result_count,
      consumer->constraint_count + producer->dim_count + producer->constraint_count);
  copy_kind(map->dims, consumer->dims, consumer->dim_count);
  copy_kind(map->ranges, consumer->ranges, consumer->range_count);
  copy_kind(map->ranges + consumer->range_count, producer->ranges, producer->range_count);
  copy_kind(map->runtimes, consumer->runtimes, consumer->runtime_count);
  copy_kind(map->runtimes + consumer->runtime_count, producer->runtimes, producer->runtime_count);
  for (uint32_t i = 0; i < map->range_count; i++) map->ranges[i].name = nullptr;
  for (uint32_t i = 0; i < map->runtime_count; i++) map->runtimes[i].name = nullptr;
  return map;
}

static bool consumer_expressions(
    PeerJoin *join, uint32_t count, const Expr *expressions, MlirAffineExpr *converted) {
  return convert_expressions(context_of(&join->run), join->run.context, join->consumer_positions,
      CONVERT_AS_MLIR_DOES, count, expressions, converted, join->run.error);
}

static bool peer_composed(PeerJoin *join, Expr expr, Expr *result) {
  MlirAffineExpr e;
  if (!convert_expressions(context_of(&join->run), join->run.context, join->producer_positions,
          CONVERT_AS_MLIR_DOES, 1, &expr, &e, join->run.error))
    return false;
  return peer_finish(&join->run, mlirAffineExprCompose(e, join->inner), result);
}

static bool join_constraints(PeerJoin *join) {
  Constraint *next = join->run.map->constraints;
  assert(join->consumer->result_count == join->producer->dim_count);
  for (uint32_t i = 0; i < join->consumer->constraint_count; i++, next++) {
    MlirAffineExpr e;
    next->in = join->consumer->constraints[i].in;
    if (!consumer_expressions(join, 1, &join->consumer->constraints[i].expr, &e) ||
        !peer_finish(&join->run, e, &next->expr))
      return false;
  }
  for (uint32_t i = 0; i < join->producer->dim_count; i++, next++) {
    next->in = join->producer->dims[i].bounds;
    if (!peer_finish(&join->run, join->between[i], &next->expr)) return false;
  }
  for (uint32_t i = 0; i < join->producer->constraint_count; i++, next++) {
    next->in = join->producer->constraints[i].in;
    if (!peer_composed(join, join->producer->constraints[i].expr, &next->expr)) return false;
  }
  return true;
}

static bool join_maps(PeerJoin *join) {
  const Map *consumer = join->consumer, *producer = join->producer;
  if (!consumer_expressions(join, consumer->result_count, consumer->results, join->between))
    return false;
  uint32_t symbols = join->run.map->range_count + join->run.map->runtime_count;
  join->inner = mlirAffineMapGet(
      context_of(&join->run), consumer->dim_count, symbols, consumer->result_count, join->between);
  for (uint32_t i = 0; i < producer->result_count; i++)
    if (!peer_composed(join, producer->results[i], &join->run.map->results[i])) return false;
  assert(join->run.map->result_count == producer->result_count);
  return join_constraints(join) && map_check(join->run.context, join->run.map, join->run.error);
}

bool mlir_peer_compose(Peer *peer, MapContext *context, const Map *consumer, const Map *producer,
    PeerStep step, const Map **result, Error *error) {
  if (!check_state(consumer, error) || !check_state(producer, error)) return false;
  *result = consumer;
  if (consumer->state == MAP_KNOWN_EMPTY) return true;
  *result = producer;
  if (producer->state == MAP_KNOWN_EMPTY) return true;
  if (consumer->result_count != producer->dim_count)
    return error_set(error, ERROR_INPUT, "the consumer has %s, the producer %s",
        counted(consumer->result_count, "result"), counted(producer->dim_count, "dimension"));
  peer_renew(peer);
  Map *map = joined_variables(context, consumer, producer);
  PeerJoin join = {
      .run = {.peer = peer, .context = context, .step = step, .map = map, .error = error},
      .consumer = consumer,
      .producer = producer,
      .consumer_positions = {0, map->range_count},
      .producer_positions = {consumer->range_count, map->range_count + consumer->runtime_count},
      .between = ARENA_NEW(context->arena, MlirAffineExpr, consumer->result_count)};
  *result = map;
  return join_maps(&join);
}

bool mlir_peer_round_trip(
    Peer *peer, MapContext *context, const Map *map, Text *text, const Map **result, Error *error) {
  MlirForm form;
  peer_renew(peer);
  if (!convert_to_mlir(peer->session.context, context, map, CONVERT_CHECKED, &form, error))
    return false;
  if (text != nullptr) convert_print(form, text);
  return convert_from_mlir(context, map, form, result, error);
}
