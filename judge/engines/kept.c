/* Parses the names of a `kept:` line and restores the removed variables. */
#include "judge/engines/kept.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char line_begin[] = "kept:";

static void keep_all(const Map *queried, VariablesKept *kept) {
  *kept = (VariablesKept){
      .counts = {[VAR_DIM] = queried->dim_count, [VAR_RUNTIME] = queried->runtime_count}};
}

/* Parses `d12` or `rt3` at the start of the text. */
static bool read_name(const char **text, VarKind *kind, unsigned long *index) {
  const char *at = *text;
  bool is_runtime = strncmp(at, "rt", 2) == 0;
  if (!is_runtime && *at != 'd') return false;
  *kind = is_runtime ? VAR_RUNTIME : VAR_DIM;
  at += is_runtime ? 2 : 1;
  if (*at < '0' || *at > '9') return false;
  char *end;
  *index = strtoul(at, &end, 10);
  *text = end;
  return true;
}

static bool keep_one(const Map *queried, VarKind kind, unsigned long index, VariablesKept *kept) {
  uint32_t count = kept->counts[kind];
  bool is_next = count == 0 || kept->at[kind][count - 1] < index;
  if (index >= map_kind_count(queried, kind) || !is_next) return false;
  kept->at[kind][kept->counts[kind]++] = (uint32_t)index;
  return true;
}

static const char *skip(const char *at) { return at + strspn(at, " ,"); }

bool kept_read(Arena *arena, const Map *queried, const char *answer, VariablesKept *kept,
    const char **map, const char **why) {
  keep_all(queried, kept);
  *map = answer;
  if (strncmp(answer, line_begin, sizeof line_begin - 1) != 0) return true;
  *kept = (VariablesKept){.is_stated = true,
      .at = {[VAR_DIM] = ARENA_NEW(arena, uint32_t, queried->dim_count),
          [VAR_RUNTIME] = ARENA_NEW(arena, uint32_t, queried->runtime_count)}};
  const char *at = skip(answer + sizeof line_begin - 1);
  while (*at != 0 && *at != '\n') {
    VarKind kind;
    unsigned long index;
    if (!read_name(&at, &kind, &index) || !keep_one(queried, kind, index, kept)) {
      *why = "`kept:` names dimensions and runtime variables of the request, in their order";
      return false;
    }
    at = skip(at);
  }
  *map = *at == 0 ? at : at + 1;
  return true;
}

/* The request's variables for the i-th kept ones. */
static const Expr *names_of(MapContext *context, const VariablesKept *kept, VarKind kind) {
  Expr *names = ARENA_NEW(context->arena, Expr, kept->counts[kind]);
  for (uint32_t i = 0; i < kept->counts[kind]; i++)
    names[i] = expr_var(context->pool, kind, kept->at[kind][i]);
  return names;
}

static void take_bounds(
    const Map *queried, const VariablesKept *kept, const Map *map, VarKind kind, Map *made) {
  map_take_variables(made, queried, kind);
  for (uint32_t i = 0; i < kept->counts[kind]; i++)
    map_variables(made, kind)[kept->at[kind][i]].bounds = map_variables(map, kind)[i].bounds;
}

bool kept_restore(MapContext *context, const Map *queried, const VariablesKept *kept,
    const Map *map, const Map **restored, Error *error) {
  assert(map->state == MAP_PLAIN && map->dim_count == kept->counts[VAR_DIM] &&
         map->runtime_count == kept->counts[VAR_RUNTIME]);
  Map *made = map_create(context, queried->dim_count, map->range_count, queried->runtime_count,
      map->result_count, map->constraint_count);
  take_bounds(queried, kept, map, VAR_DIM, made);
  take_bounds(queried, kept, map, VAR_RUNTIME, made);
  map_take_variables(made, map, VAR_RANGE);
  const Substitution by = {
      .dims = names_of(context, kept, VAR_DIM), .runtimes = names_of(context, kept, VAR_RUNTIME)};
  *restored = made;
  return constraints_substitute(
             context, &by, map->constraint_count, map->constraints, made->constraints, error) &&
         expr_substitute(context->pool, context->arena, &by, map->result_count, map->results,
             made->results, error);
}
