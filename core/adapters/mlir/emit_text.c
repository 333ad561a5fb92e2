/* Writes one function: loops, conditions, results, the call, and the closing brackets. Widths: each
 * expression's magnitude is at most INT64_MAX / 4, so that the differences in conditions and MLIR's
 * expansions of floordiv (-1 - x) also stay inside int64. */
#include "core/adapters/mlir/emit_text.h"

#include <assert.h>
#include <inttypes.h>

#include "core/adapters/mlir/domain.h"
#include "core/adapters/mlir/nest.h"

static constexpr uint64_t largest_magnitude = INT64_MAX / 4;

typedef struct Emission {
  const MapContext *context;
  const Map *map;
  const char *name;
  AffineText affine;
  Magnitudes sizes;
  Error *error;
} Emission;

static bool check_size(Emission *emission, Expr expr) {
  if (magnitude(&emission->sizes, expr).peak <= largest_magnitude) return true;
  return error_set(emission->error, ERROR_OVERFLOW,
      "an expression of %s could leave int64 where MLIR regroups it", emission->name);
}

static bool check_sizes(Emission *emission) {
  const Map *map = emission->map;
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    if (magnitude_of_interval(nest_variable(map, i).bounds) > largest_magnitude)
      return error_set(emission->error, ERROR_OVERFLOW,
          "a bound of %s is too large for a loop of 64 bits", emission->name);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    if (!check_size(emission, map->constraints[i].expr)) return false;
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!check_size(emission, map->results[i])) return false;
  return true;
}

static void open_block(Emission *emission) {
  text_string(emission->affine.text, " {");
  emission->affine.indent += 2;
}

static void close_blocks(Emission *emission) {
  while (emission->affine.indent > 2) {
    assert(emission->affine.indent % 2 == 0);
    emission->affine.indent -= 2;
    affine_line(&emission->affine, "}");
  }
}

static void write_loops(Emission *emission) {
  for (uint32_t i = 0; i < map_variable_count(emission->map); i++) {
    NestVariable variable = nest_variable(emission->map, i);
    assert(variable.bounds.hi < INT64_MAX);
    affine_line(&emission->affine, "affine.for ");
    affine_variable(emission->affine.text, variable.kind, variable.index);
    text_printf(emission->affine.text, " = %" PRId64 " to %" PRId64, variable.bounds.lo,
        variable.bounds.hi + 1);
    open_block(emission);
  }
}

static void write_conditions(Emission *emission) {
  AffineText *affine = &emission->affine;
  Domain domain = domain_create(affine, &emission->sizes, emission->map, emission->map);
  if (domain.set.length > 0) {
    affine_line(affine, "affine.if ");
    domain_set(affine, affine->text, &domain);
    open_block(emission);
  }
  for (uint32_t i = 0; i < domain.count; i++) {
    uint32_t condition = domain_condition(affine, &domain.items[i]);
    affine_line(affine, "scf.if %%v%" PRIu32, condition);
    open_block(emission);
  }
}

void emit_pair_types(const Map *map, Text *text) {
  text_string(text, "(");
  for (uint32_t i = 0; i < map_variable_count(map) + map->result_count; i++)
    text_string(text, i == 0 ? "index" : ", index");
  text_string(text, ")");
}

static void write_call(Emission *emission) {
  const Map *map = emission->map;
  Text *text = emission->affine.text;
  assert(map->state == MAP_PLAIN);
  uint32_t *values = ARENA_NEW(emission->affine.scratch, uint32_t, map->result_count);
  for (uint32_t i = 0; i < map->result_count; i++)
    values[i] = affine_value(&emission->affine, map->results[i]);
  affine_line(&emission->affine, "func.call @%s.pair(", emission->name);
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    if (i > 0) text_string(text, ", ");
    affine_variable(text, nest_variable(map, i).kind, nest_variable(map, i).index);
  }
  for (uint32_t i = 0; i < map->result_count; i++)
    text_printf(text, "%s%%v%" PRIu32, i + map_variable_count(map) == 0 ? "" : ", ", values[i]);
  text_string(text, ") : ");
  emit_pair_types(map, text);
  text_string(text, " -> ()");
}

static void write_body(Emission *emission) {
  const Map *map = emission->map;
  if (map->state == MAP_KNOWN_EMPTY) return;
  for (uint32_t i = 0; i < map->constraint_count; i++)
    affine_count(&emission->affine, map->constraints[i].expr);
  for (uint32_t i = 0; i < map->result_count; i++) affine_count(&emission->affine, map->results[i]);
  write_loops(emission);
  write_conditions(emission);
  write_call(emission);
  close_blocks(emission);
}

bool emit_function(const MapContext *context, Arena *scratch, const char *name, const Map *map,
    Text *text, Error *error) {
  Emission emission = {.context = context,
      .map = map,
      .name = name,
      .affine = affine_text_create(context, scratch, text),
      .sizes = magnitudes_create(context, scratch, map),
      .error = error};
  if (map->state == MAP_UNDEFINED)
    return error_set(error, ERROR_UNSUPPORTED, "%s is UNDEFINED: it has no loops", name);
  if (map->state == MAP_PLAIN && !check_sizes(&emission)) return false;
  emission.affine.indent = 2;
  text_printf(text, "func.func @%s() {", name);
  write_body(&emission);
  text_string(text, "\n  return\n}\n");
  return true;
}
