/* The answers about a module: how its text reads, and for each question about each instruction of
 * the entry the maps before and after simplifying, and the analysis. */
#include <string.h>

#include "core/analysis/query.h"
#include "core/hlo/compare.h"
#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"
#include "exhaust/snapshot/snapshot.h"

static constexpr uint32_t most_parameters = 8;
/* Points of a map about whose accesses and tiles is asked. */
static constexpr int64_t most_visited = 1 << 16;

static void print_set(Snapshot *snapshot, const char *what, const MapSet *maps, Text *text) {
  const char *reason = maps->reason == nullptr ? "" : maps->reason;
  text_printf(text, "%s: claim %d, %s\n", what, maps->claim, reason);
  for (uint32_t i = 0; i < maps->count; i++) snapshot_print_map(snapshot, "", maps->maps[i], text);
}

static void print_tile(Snapshot *snapshot, const Map *map, Text *text) {
  Tile tile;
  Error error = {};
  UseTile of = {};
  for (uint32_t i = 0; i < map->dim_count; i++)
    *ARENA_PUSH(snapshot->arena, &of) = (TileDim){i % 2, 2, 1 + i % 2};
  if (use_tile_of(snapshot->judge->context, map, &of, &tile, &error))
    use_tile_print(text, snapshot->judge->context, map, &tile);
  else text_string(text, error.message);
  text_string(text, "\n");
}

static void print_warps(
    Snapshot *snapshot, const Map *map, const Shape *output, const Shape *operand, Text *text) {
  Coalescing got;
  Error error = {};
  const WarpAccess warp = {.lanes = 4, .segment_bytes = 8, .most_points = snapshot_most_points};
  if (use_warps(snapshot->judge->simplifier, map, output, operand, 8, &warp, &got, &error))
    text_printf(text, "warps %llu %llu %llu %llu %llu %d\n", (unsigned long long)got.accesses,
        (unsigned long long)got.segments, (unsigned long long)got.least,
        (unsigned long long)got.worst, (unsigned long long)got.assignments, got.is_sampled);
  else text_printf(text, "%s\n", error.message);
}

static void print_analysis(
    Snapshot *snapshot, const Question *question, const MapSet *maps, Text *text) {
  const Shape *output = shape_leaf(question->instruction->shape, question->output),
              *operand = shape_leaf(question->instruction->operands[question->operand]->shape,
                  question->operand_leaf);
  Judge *judge = snapshot->judge;
  Error error = {};
  Utilization read;
  MapSet through;
  if (!shape_is_array(output) || !shape_is_array(operand) || shape_elements(output) == 0 ||
      shape_elements(operand) == 0)
    return;
  if (!snapshot_has_few_points(maps->count, maps->maps, snapshot_most_points) ||
      shape_elements(operand) > snapshot_most_points)
    text_string(text, "many points\n");
  else if (use_utilization(judge->simplifier, maps, operand, &read, &error))
    text_printf(text, "reads %d %lld of %lld\n", read.is_at_most, (long long)read.read,
        (long long)read.elements);
  else text_printf(text, "%s\n", error.message);
  if (use_through_threads(judge->context, judge->simplifier, output, &(ThreadGrid){4, 2}, maps,
          &through, &error))
    print_set(snapshot, "threads", &through, text);
  else text_printf(text, "%s\n", error.message);
  for (uint32_t i = 0; i < maps->count; i++) {
    if (!snapshot_has_few_points(1, &maps->maps[i], most_visited)) continue;
    print_warps(snapshot, maps->maps[i], output, operand, text);
    print_tile(snapshot, maps->maps[i], text);
  }
}

static void print_question(Snapshot *snapshot, const Question *question, Text *text) {
  Judge raw = *snapshot->judge;
  raw.indexer = snapshot->raw;
  MapSet maps;
  Error error = {};
  question_print_heading(text, question);
  if (judge_query_own(&raw, question, &maps, &error)) print_set(snapshot, "raw", &maps, text);
  else snapshot_print_error(&error, text);
  if (!judge_query_own(snapshot->judge, question, &maps, &error)) {
    snapshot_print_error(&error, text);
    return;
  }
  print_set(snapshot, "simplified", &maps, text);
  if (question->direction == OUTPUT_TO_INPUT && maps.claim != INDEX_UNDEFINED)
    print_analysis(snapshot, question, &maps, text);
}

/* Between the root of a computation and each of its parameters. */
static void print_computation(Snapshot *snapshot, const Computation *computation, Text *text) {
  MapSet maps;
  Error error = {};
  const ProducerMaps *producers;
  uint32_t count;
  Indexer *indexer = snapshot->judge->indexer;
  for (uint32_t i = 0; i < computation->parameter_count && i < most_parameters; i++) {
    if (index_computation_output_to_input(indexer, computation, 0, i, 0, &maps, &error))
      print_set(snapshot, computation->name, &maps, text);
    else snapshot_print_error(&error, text);
    if (index_computation_input_to_output(indexer, computation, i, 0, 0, &maps, &error))
      print_set(snapshot, computation->name, &maps, text);
    else snapshot_print_error(&error, text);
  }
  if (!index_computation_by_producer(indexer, computation, 0, &count, &producers, &error)) {
    snapshot_print_error(&error, text);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    text_printf(text, "%s{%u} ", producers[i].producer->name, producers[i].leaf);
    print_set(snapshot, "from it", &producers[i].maps, text);
  }
}

static void print_replicas(Snapshot *snapshot, const Instruction *instruction, Text *text) {
  static constexpr IndexMesh meshes[] = {{2, 1}, {1, 2}, {2, 2}, {4, 2}, {8, 1}};
  MapSet maps;
  for (uint32_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
    Error error = {};
    if (index_replicas_output_to_input(
            snapshot->judge->indexer, instruction, meshes[i], 0, 0, 0, &maps, &error))
      print_set(snapshot, "from devices", &maps, text);
    else snapshot_print_error(&error, text);
    error = (Error){};
    if (index_replicas_input_to_output(
            snapshot->judge->indexer, instruction, meshes[i], 0, 0, 0, &maps, &error))
      print_set(snapshot, "to devices", &maps, text);
    else snapshot_print_error(&error, text);
  }
}

static void print_instruction(Snapshot *snapshot, const Instruction *instruction, Text *text) {
  Question question = {.instruction = instruction};
  MapSet maps;
  Error error = {};
  QuestionWalk walk = question_walk(instruction, &question_filter_all);
  if (opcode_family(instruction->opcode) == FAMILY_COLLECTIVE)
    print_replicas(snapshot, instruction, text);
  while (instruction->operand_count > 0 && question_next(&walk, &question))
    print_question(snapshot, &question, text);
  if (instruction->operand_count > 0) return;
  if (judge_query_own(snapshot->judge, &question, &maps, &error))
    print_set(snapshot, "alone", &maps, text);
  else snapshot_print_error(&error, text);
}

/* Read again, the printed module must be the same graph. */
static void print_again(Snapshot *snapshot, const Module *module, Text *text) {
  Text printed = text_create(snapshot->arena);
  hlo_print(&printed, module);
  Source source = {
      .name = "printed", .text = printed.bytes, .length = printed.length, .first_line = 1};
  const Module *again;
  Error error = {};
  text_string(text, printed.bytes);
  if (!hlo_read(snapshot->arena, &source, &again, &error) ||
      !hlo_same_graph(module, again, &error))
    snapshot_print_error(&error, text);
}

/* What distinguishes an edited module from the module before the edit. */
static void print_difference(
    Snapshot *snapshot, const Module *module, const char *unedited, Text *text) {
  Source source = {
      .name = "unedited", .text = unedited, .length = strlen(unedited), .first_line = 1};
  const Module *before;
  Error error = {};
  if (!hlo_read(snapshot->arena, &source, &before, &error)) return;
  error = (Error){};
  bool is_same = hlo_same_graph(before, module, &error);
  text_printf(text, "%s %s\n", is_same ? "the same graph" : "differs:", error.message);
}

void snapshot_answer_module(
    Snapshot *snapshot, const Source *source, const char *unedited, Text *text) {
  const Module *module;
  Error error = {};
  if (!hlo_read(snapshot->arena, source, &module, &error)) {
    snapshot_print_error(&error, text);
    return;
  }
  print_again(snapshot, module, text);
  if (unedited != nullptr) print_difference(snapshot, module, unedited, text);
  for (uint32_t i = 0; i < module->entry->instruction_count; i++)
    print_instruction(snapshot, module->entry->instructions[i], text);
  for (uint32_t i = 0; i < module->computation_count; i++)
    print_computation(snapshot, module->computations[i], text);
}
