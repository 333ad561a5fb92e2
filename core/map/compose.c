/* Composition: joins the variables, rewrites the producer's expressions over the joined variables
 * by substitution, and adds the bounds of the producer's dimensions as constraints on the
 * consumer's results. */
#include "core/map/compose.h"

#include <assert.h>

#include <string.h>

#include "core/base/text.h"

typedef struct ComposeJoin {
  MapContext *context;
  const Map *consumer, *producer;
  Map *joined;
  Substitution into; /* the producer's variables, over the joined ones */
  Error *error;
} ComposeJoin;

static void join_variables(ComposeJoin *join) {
  assert(
      map_is_whole(join->context, join->consumer) && map_is_whole(join->context, join->producer));
  const Map *consumer = join->consumer, *producer = join->producer;
  Map *joined = join->joined;
  assert(joined->range_count == consumer->range_count + producer->range_count &&
         joined->runtime_count == consumer->runtime_count + producer->runtime_count);
  map_take_variables(joined, consumer, VAR_DIM);
  map_take_variables(joined, consumer, VAR_RANGE);
  map_take_variables(joined, consumer, VAR_RUNTIME);
  for (uint32_t i = 0; i < producer->range_count; i++)
    joined->ranges[consumer->range_count + i] = (Variable){.bounds = producer->ranges[i].bounds};
  for (uint32_t i = 0; i < producer->runtime_count; i++)
    joined->runtimes[consumer->runtime_count + i] =
        (Variable){.bounds = producer->runtimes[i].bounds};
}

static const Expr *compose_shifted(ComposeJoin *join, VarKind kind, uint32_t count, uint32_t by) {
  Expr *variables = ARENA_NEW(join->context->arena, Expr, count);
  for (uint32_t i = 0; i < count; i++) variables[i] = expr_var(join->context->pool, kind, by + i);
  return variables;
}

static bool compose_rewrite(
    ComposeJoin *join, uint32_t count, const Expr *expressions, Expr *results) {
  return expr_substitute(join->context->pool, join->context->arena, &join->into, count, expressions,
      results, join->error);
}

static bool join_constraints(ComposeJoin *join) {
  const Map *consumer = join->consumer, *producer = join->producer;
  Constraint *next = join->joined->constraints;
  assert(join->joined->constraint_count ==
         consumer->constraint_count + producer->dim_count + producer->constraint_count);
  for (uint32_t i = 0; i < consumer->constraint_count; i++) *next++ = consumer->constraints[i];
  for (uint32_t i = 0; i < producer->dim_count; i++)
    *next++ = (Constraint){.expr = consumer->results[i], .in = producer->dims[i].bounds};
  assert(next + producer->constraint_count ==
         join->joined->constraints + join->joined->constraint_count);
  return constraints_substitute(join->context, &join->into, producer->constraint_count,
      producer->constraints, next, join->error);
}

/* The index map of a source over the joined variables: its own results, with the producer's
 * variables rewritten, without constraints of its own. Unknown if it has other variables. */
static bool join_index(
    ComposeJoin *join, const Map *index, bool of_producer, const Map **joined_index) {
  *joined_index = nullptr;
  const Map *owner = of_producer ? join->producer : join->consumer;
  if (index == nullptr || !map_index_is_over(index, owner)) return true;
  const Map *joined = join->joined;
  Map *copy = map_copy_variables(join->context->arena, joined, index->result_count, 0);
  copy->sources = nullptr;
  *joined_index = copy;
  if (of_producer) return compose_rewrite(join, index->result_count, index->results, copy->results);
  memcpy(copy->results, index->results, index->result_count * sizeof(Expr));
  return true;
}

static bool join_sources(ComposeJoin *join) {
  const Map *consumer = join->consumer, *producer = join->producer;
  if (consumer->sources == nullptr && producer->sources == nullptr) return true;
  join->joined->sources =
      ARENA_NEW(join->context->arena, RuntimeSource, join->joined->runtime_count);
  for (uint32_t i = 0; i < join->joined->runtime_count; i++) {
    bool of_producer = i >= consumer->runtime_count;
    const Map *owner = of_producer ? producer : consumer;
    RuntimeSource *source = &join->joined->sources[i];
    uint32_t at = of_producer ? i - consumer->runtime_count : i;
    if (owner->sources == nullptr) {
      *source = (RuntimeSource){.name = "unknown", .clamp = owner->runtimes[at].bounds};
      continue;
    }
    *source = owner->sources[at];
    if (!join_index(join, owner->sources[at].index, of_producer, &source->index)) return false;
  }
  return true;
}

static bool compose_plain(MapContext *context, const Map *consumer, const Map *producer,
    const Map **composed, Error *error) {
  if (consumer->result_count != producer->dim_count)
    return error_set(error, ERROR_INPUT, "composition: the first map has %s and the second %s",
        counted(consumer->result_count, "result"), counted(producer->dim_count, "dimension"));
  ComposeJoin join = {
      .context = context, .consumer = consumer, .producer = producer, .error = error};
  join.joined =
      map_create_unset(context, consumer->dim_count, consumer->range_count + producer->range_count,
          consumer->runtime_count + producer->runtime_count, producer->result_count,
          consumer->constraint_count + producer->dim_count + producer->constraint_count);
  join_variables(&join);
  join.into = (Substitution){
      .dims = consumer->results,
      .ranges = compose_shifted(&join, VAR_RANGE, producer->range_count, consumer->range_count),
      .runtimes =
          compose_shifted(&join, VAR_RUNTIME, producer->runtime_count, consumer->runtime_count),
  };
  *composed = join.joined;
  assert(map_is_whole(context, consumer) && map_is_whole(context, producer));
  bool joined =
      compose_rewrite(&join, producer->result_count, producer->results, join.joined->results) &&
      join_constraints(&join) && join_sources(&join);
  assert(!joined || map_is_whole(context, join.joined));
  return joined && map_check(context, join.joined, error);
}

bool map_compose(MapContext *context, const Map *consumer, const Map *producer,
    const Map **composed, Error *error) {
  if (consumer->state == MAP_UNDEFINED || producer->state == MAP_UNDEFINED) {
    *composed = map_undefined(context);
    return true;
  }
  if (consumer->state == MAP_KNOWN_EMPTY || producer->state == MAP_KNOWN_EMPTY) {
    *composed = map_known_empty(context);
    return true;
  }
  return compose_plain(context, consumer, producer, composed, error);
}
