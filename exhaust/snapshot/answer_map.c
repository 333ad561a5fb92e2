/* The answers about one map and about two: how the text reads, the simplified map, the steps, the
 * algebra, the composition. */

#include "core/map/compose.h"
#include "core/map/lines.h"
#include "core/map/points.h"
#include "core/map/text.h"
#include "exhaust/snapshot/snapshot.h"

static constexpr uint64_t most_steps = 1024; /* of counting, for one query of the algebra */

void snapshot_print_error(const Error *error, Text *text) {
  text_printf(text, "error %u:%u: %s\n", error->line, error->column, error->message);
}

void snapshot_print_map(Snapshot *snapshot, const char *what, const Map *map, Text *text) {
  text_printf(text, "%s ", what);
  map_print(text, snapshot->judge->context, map, MAP_STYLE_STATED);
  text_string(text, "\n");
}

static const Map *print_simplified(Snapshot *snapshot, const char *what, const Map *map,
    const SimplifyOptions *options, Text *text) {
  const Map *simplified;
  Error error = {};
  if (!simplify_map(snapshot->judge->simplifier, map, options, &simplified, nullptr, &error)) {
    snapshot_print_error(&error, text);
    return nullptr;
  }
  snapshot_print_map(snapshot, what, simplified, text);
  return simplified;
}

static void print_steps(Snapshot *snapshot, const Map *map, Text *text) {
  Trace trace = {.arena = snapshot->arena};
  const Map *simplified;
  Error error = {};
  if (!simplify_map(
          snapshot->judge->simplifier, map, &(SimplifyOptions){}, &simplified, &trace, &error))
    return;
  for (uint32_t i = 0; i < trace.count; i++) {
    const TraceStep *step = &trace.items[i];
    text_printf(text, "step %s%s%s%s%s%s%s", step->rule != nullptr ? step->rule->name : step->what,
        step->bindings == nullptr ? "" : "; ", step->bindings == nullptr ? "" : step->bindings,
        step->facts == nullptr ? "" : "; ", step->facts == nullptr ? "" : step->facts,
        step->bounds == nullptr ? "" : "; ", step->bounds == nullptr ? "" : step->bounds);
    if (step->map_after != nullptr) snapshot_print_map(snapshot, ":", step->map_after, text);
    else text_string(text, "\n");
  }
}

bool snapshot_has_few_points(uint32_t count, const Map *const *maps, int64_t most_points) {
  uint64_t left = (uint64_t)most_points, points;
  for (uint32_t i = 0; i < count; i++) {
    if (!map_points_count(maps[i], left, &points)) return false;
    left -= points;
  }
  return true;
}

bool snapshot_query(AlgebraQuery *query, int64_t numbers[snapshot_most_results]) {
  const Map *map = query->maps[0];
  const AlgebraRow *row = algebra_row(query->operation);
  if (row->map_count != 1 || map->state != MAP_PLAIN || map->result_count > snapshot_most_results)
    return false;
  for (uint32_t i = 0; i < map->result_count; i++)
    numbers[i] = query->operation == ALGEBRA_SUB_MAP ? map->result_count - 1 - i : 4;
  if (row->takes_numbers)
    query->numbers = (AlgebraNumbers){.count = map->result_count, .items = numbers};
  return true;
}

static void print_algebra(
    Snapshot *snapshot, AlgebraOperation operation, const Map *map, Text *text) {
  int64_t numbers[snapshot_most_results];
  AlgebraQuery query = {.operation = operation, .maps = {map}, .budget = most_steps};
  AlgebraAnswer answer = {};
  Error error = {};
  if (!snapshot_query(&query, numbers)) return;
  algebra_answer(snapshot->judge, &query, &answer, &error);
  text_printf(text, "%s %d", algebra_row(operation)->text, answer.kind);
  if (answer.kind == ALGEBRA_IS_MAP) snapshot_print_map(snapshot, "", answer.map, text);
  else if (answer.kind == ALGEBRA_IS_REJECTED) snapshot_print_error(&error, text);
  else text_printf(text, " %s\n", answer.text);
}

/* How the text falls into maps, as a file of several maps does. */
static void print_lines(Snapshot *snapshot, const Source *source, Text *text) {
  MapLines lines = {.source = source, .number = source->first_line};
  while (lines.at < source->length) {
    Source line = map_lines_next(snapshot->arena, &lines);
    text_printf(text, "line %u, %zu bytes%s\n", line.first_line, line.length,
        map_line_is_skipped(&line) ? ", skipped" : "");
  }
}

void snapshot_answer_map(Snapshot *snapshot, const Source *source, Text *text) {
  const Map *map;
  Error error = {};
  print_lines(snapshot, source, text);
  if (!map_parse(snapshot->judge->context, source, &map, &error)) {
    snapshot_print_error(&error, text);
    return;
  }
  snapshot_print_map(snapshot, "reads", map, text);
  for (MapStyle style = MAP_STYLE_LINE; style <= MAP_STYLE_XLA; style++) {
    map_print(text, snapshot->judge->context, map, style);
    if (snapshot->breaks_lines) text_string(text, "\n");
  }
  const Map *simplified = print_simplified(snapshot, "simplified", map, &(SimplifyOptions){}, text);
  (void)print_simplified(
      snapshot, "keeping points", map, &(SimplifyOptions){.keep_points = true}, text);
  print_steps(snapshot, map, text);
  for (uint32_t i = 0; i < algebra_operation_count; i++)
    print_algebra(snapshot, (AlgebraOperation)i,
        i % 2 == 0 || simplified == nullptr ? map : simplified, text);
}

void snapshot_answer_pair(Snapshot *snapshot, const Source *source, Text *text) {
  const Map *first, *second, *composed;
  Source pair[2];
  Error error = {};
  if (!map_cut_pair(snapshot->arena, source, pair) ||
      !map_parse(snapshot->judge->context, &pair[0], &first, &error) ||
      !map_parse(snapshot->judge->context, &pair[1], &second, &error) ||
      !map_compose(snapshot->judge->context, first, second, &composed, &error)) {
    snapshot_print_error(&error, text);
    return;
  }
  snapshot_print_map(snapshot, "composed", composed, text);
  (void)print_simplified(snapshot, "simplified", composed, &(SimplifyOptions){}, text);
}
