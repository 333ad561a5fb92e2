/* Prints the results of core/analysis for one question, as rows or as JSON objects. Numbers of each
 * map of a union are printed below that map; the utilization is that of the union.
 * Over-approximated maps give upper bounds, which a remark or a member announces. */
#include <assert.h>

#include "cli/report/json.h"
#include "cli/map/use.h"
#include "core/map/text.h"

typedef struct Answering {
  Judge *judge;
  const AnalysisQuery *query;
  const Question *question;
  const Shape *output, *operand;
  Text *text;
  const char *approximation; /* why the maps may have more pairs than are read; nullptr: exact */
  uint32_t map;              /* position in the union */
  Status status;
} Answering;

/* "map" is the map's position in the union. It is 0 for read elements, which are counted for the
 * whole union. */
static Json begin_json(const Answering *answering, const char *kind) {
  Json json = json_begin(answering->text);
  const AnalysisQuery *query = answering->query;
  json_string(&json, "file", query->file);
  json_module(&json, query->position.number, query->position.count, query->module);
  json_question(&json, answering->question);
  json_string(&json, "use", kind);
  json_integer(&json, "map", answering->map);
  if (answering->approximation != nullptr)
    json_string(&json, "over_approximation", answering->approximation);
  return json;
}

/* Reports that a requested result could not be computed. */
static void use_answer_reject(Answering *answering, const char *kind, const char *why) {
  answering->status = STATUS_UNDECIDED;
  if (!answering->query->json) {
    text_printf(answering->text, "  %-12s unknown: %s\n", kind, why);
    return;
  }
  Json json = begin_json(answering, kind);
  json_string(&json, "unknown", why);
  json_end(&json);
}

/* --- utilization --- */

static void say_utilization(
    const Answering *answering, const MapSet *maps, const Utilization *use) {
  double percent = use->elements == 0 ? 0 : 100.0 * (double)use->read / (double)use->elements;
  if (!answering->query->json) {
    text_printf(answering->text, "  %-12s %s%lld of %s (%.2f%%)\n", "read",
        use->is_at_most ? "at most " : "", (long long)use->read, counted(use->elements, "element"),
        percent);
    return;
  }
  Json json = begin_json(answering, "read");
  json_integer(&json, "read", use->read);
  json_integer(&json, "elements", use->elements);
  json_string(&json, "exact", use->is_at_most ? "no" : "yes");
  json_maps(&json, answering->judge->context, maps, MAP_STYLE_LINE);
  json_end(&json);
}

static void answer_utilization(Answering *answering, const MapSet *maps) {
  Utilization use;
  Error error = {};
  if (use_utilization(answering->judge->simplifier, maps, answering->operand, &use, &error))
    say_utilization(answering, maps, &use);
  else use_answer_reject(answering, "read", error.message);
}

/* --- coalescing --- */

static bool set_order(const Answering *answering, Shape *output, Error *error) {
  return use_order_apply(answering->query->has_order ? &answering->query->order : nullptr,
      answering->output, output, error);
}

static bool warp_accesses(
    const Answering *answering, const Map *map, Coalescing *coalescing, Error *error) {
  Shape output;
  WarpAccess access = answering->query->warp;
  if (answering->query->has_width) access.element_bits = element_type_bits(answering->query->width);
  return set_order(answering, &output, error) &&
         use_warps(answering->judge->simplifier, map, &output, answering->operand,
             answering->query->threads, &access, coalescing, error);
}

static void say_coalescing(const Answering *answering, const Coalescing *coalescing) {
  const WarpAccess *warp = &answering->query->warp;
  if (!answering->query->json) {
    text_printf(answering->text,
        "  %-12s %s %s %s of %s; packed %llu, at worst %llu by one access%s", "coalescing",
        counted(coalescing->accesses, "warp access"),
        coalescing->accesses == 1 ? "touches" : "touch", counted(coalescing->segments, "segment"),
        counted(warp->segment_bytes, "byte"), (unsigned long long)coalescing->least,
        (unsigned long long)coalescing->worst, coalescing->is_sampled ? " (a sample)" : "");
    if (coalescing->assignments > 1)
      text_printf(answering->text, "; summed over %s of runtime values; a run has one of them",
          counted(coalescing->assignments, "assignment"));
    text_string(answering->text, "\n");
    return;
  }
  Json json = begin_json(answering, "coalescing");
  json_integer(&json, "lanes", warp->lanes);
  json_integer(&json, "segment_bytes", warp->segment_bytes);
  json_integer(&json, "accesses", (int64_t)coalescing->accesses);
  json_integer(&json, "segments", (int64_t)coalescing->segments);
  json_integer(&json, "least", (int64_t)coalescing->least);
  json_integer(&json, "worst", (int64_t)coalescing->worst);
  json_integer(&json, "assignments", (int64_t)coalescing->assignments);
  json_string(&json, "sampled", coalescing->is_sampled ? "yes" : "no");
  json_end(&json);
}

static void answer_coalescing(Answering *answering, const Map *map) {
  Coalescing coalescing;
  Error error = {};
  if (warp_accesses(answering, map, &coalescing, &error)) say_coalescing(answering, &coalescing);
  else use_answer_reject(answering, "coalescing", error.message);
}

/* --- tiles --- */

static void say_tile(const Answering *answering, const Map *map, const Tile *tile) {
  Text tile_text = text_create(answering->text->arena);
  use_tile_print(&tile_text, answering->judge->context, map, tile);
  if (!answering->query->json) {
    text_printf(answering->text, "  %-12s %s\n", "tile", tile_text.bytes);
    return;
  }
  Json json = begin_json(answering, "tile");
  json_string(&json, "box", tile->is_box ? "yes" : "no");
  json_string(&json, "tile", tile_text.bytes);
  json_end(&json);
}

static void answer_tile(Answering *answering, const Map *map) {
  Tile tile;
  Error error = {};
  if (use_tile_of(answering->judge->context, map, &answering->query->tile, &tile, &error))
    say_tile(answering, map, &tile);
  else use_answer_reject(answering, "tile", error.message);
}

/* --- all results --- */

static void answer_map(Answering *answering, const Map *map) {
  assert(map->state == MAP_PLAIN);
  if (!answering->query->json) {
    text_string(answering->text, "  map          ");
    map_print(answering->text, answering->judge->context, map, MAP_STYLE_LINE);
    text_string(answering->text, "\n");
  }
  answer_coalescing(answering, map);
  if (answering->query->has_tile) answer_tile(answering, map);
}

static void answer_maps(Answering *answering, const MapSet *maps) {
  if (maps->claim == INDEX_OVER_APPROXIMATION) answering->approximation = maps->reason;
  if (answering->approximation != nullptr && !answering->query->json)
    text_printf(answering->text, "  # over-approximation: %s\n", maps->reason);
  answer_utilization(answering, maps);
  for (uint32_t i = 0; i < maps->count; i++) {
    answering->map = i;
    answer_map(answering, maps->maps[i]);
  }
}

/* If one side has no elements, nothing is read, whatever the operation. */
static bool has_no_elements(const Answering *answering) {
  return shape_elements(answering->output) == 0 || shape_elements(answering->operand) == 0;
}

static void say_nothing_read(const Answering *answering) {
  say_utilization(answering, &(MapSet){.claim = INDEX_EXACT},
      &(Utilization){.elements = shape_elements(answering->operand)});
}

Status use_answer(Judge *judge, const AnalysisQuery *query, const Question *question, Text *text) {
  const Instruction *instruction = question->instruction;
  Answering answering = {
      .judge = judge, .query = query, .question = question, .text = text, .status = STATUS_PROVED};
  answering.output = shape_leaf(instruction->shape, question->output);
  answering.operand =
      shape_leaf(instruction->operands[question->operand]->shape, question->operand_leaf);
  if (!shape_is_array(answering.output) || !shape_is_array(answering.operand)) return STATUS_PROVED;
  if (!query->json) {
    question_print_heading(text, question);
    text_printf(
        text, " of %s, %s:\n", instruction->name, instruction->operands[question->operand]->name);
  }
  MapSet maps;
  Error error = {};
  if (has_no_elements(&answering)) say_nothing_read(&answering);
  else if (!judge_query_engine(judge, question, &maps, &error))
    use_answer_reject(&answering, "maps", error.message);
  else if (maps.claim == INDEX_UNDEFINED) use_answer_reject(&answering, "maps", maps.reason);
  else answer_maps(&answering, &maps);
  return answering.status;
}
