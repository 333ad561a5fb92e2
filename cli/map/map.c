/* affirm map: prints the engine's maps without judging them. The o2i part has the format of
 * print_indexing, so that both can be compared line by line. A remark gives the reason for each
 * over-approximation and each undefined map. With --threads each output first has a map from
 * threads to its elements, and reads are maps from threads. With --devices collectives are maps
 * between devices. */
#include <unistd.h>

#include "cli/commands.h"
#include "cli/report/json.h"
#include "cli/map/map.h"
#include "cli/modules.h"
#include "cli/options.h"
#include "cli/session_guard.h"
#include "core/map/text.h"

typedef struct MapCommand {
  SelectionOptions selected;
  Selection selection;
  QuestionFilter filter;
  bool raw, json, producers;
  uint32_t style;
  const char *threads, *order, *devices;
  MapQuery query;
  Judge *judge;
  Status status;
  const char *file;
  const char *module; /* its name */
  ModulePosition position;
} MapCommand;

static const char *const claims[] = {[INDEX_EXACT] = "exact",
    [INDEX_OVER_APPROXIMATION] = "over-approximation",
    [INDEX_UNDEFINED] = "undefined"};

static void print_maps(const MapCommand *command, Text *text, const MapSet *maps) {
  if (maps->claim != INDEX_EXACT)
    text_printf(text, "# %s: %s\n", claims[maps->claim], maps->reason);
  if (maps->claim == INDEX_UNDEFINED) text_string(text, "UNDEFINED\n");
  else if (maps->count == 0) text_string(text, "KNOWN EMPTY\n");
  for (uint32_t i = 0; i < maps->count; i++) {
    map_print(text, command->judge->context, maps->maps[i], (MapStyle)command->style);
    text_string(text, "\n");
  }
}

/* Begins an object with file and module. */
static Json map_begin_json(const MapCommand *command, Text *text) {
  Json json = json_begin(text);
  json_string(&json, "file", command->file);
  json_module(&json, command->position.number, command->position.count, command->module);
  return json;
}

/* Ends the object with the maps. */
static void map_end_json(const MapCommand *command, Json *json, const MapSet *maps) {
  json_string(json, "claim", claims[maps->claim]);
  if (maps->reason != nullptr) json_string(json, "reason", maps->reason);
  json_maps(json, command->judge->context, maps, (MapStyle)command->style);
  json_end(json);
}

/* json_question writes a computation other than the entry. */
static void map_print_json(
    const MapCommand *command, Text *text, const Question *question, const MapSet *maps) {
  Json json = map_begin_json(command, text);
  json_question(&json, question);
  if (question->instruction->parent->is_entry)
    json_string(&json, "computation", question->instruction->parent->name);
  map_end_json(command, &json, maps);
}

/* Only an engine error (overflow, a limit) worsens the status: nothing is judged here, and
 * UNDEFINED is an answer (docs/decisions/0001-exit-status.md). */
static bool map_answer(MapCommand *command, Arena *arena, const Question *question) {
  MapSet maps;
  Error error = {};
  Text text = text_create(arena);
  if (!map_query(command->judge, &command->query, question, &maps, &error)) {
    command->status = status_worse(command->status, STATUS_UNDECIDED);
    maps = (MapSet){.claim = INDEX_UNDEFINED, .reason = error.message};
  }
  if (command->json) {
    map_print_json(command, &text, question, &maps);
  } else {
    question_print_heading(&text, question);
    text_string(&text, ":\n");
    print_maps(command, &text, &maps);
  }
  return session_print(text.bytes);
}

static void print_json_grid(const MapCommand *command, Text *text, const Instruction *instruction,
    uint32_t output, const MapSet *maps) {
  Json json = map_begin_json(command, text);
  json_string(&json, "instruction", instruction->name);
  json_string(&json, "computation", instruction->parent->name);
  json_integer(&json, "threads", command->query.grid.threads);
  json_integer(&json, "vector", command->query.grid.vector);
  json_integer(&json, "output", output);
  map_end_json(command, &json, maps);
}

static bool answer_grid(
    MapCommand *command, Arena *arena, const Instruction *instruction, uint32_t output) {
  MapSet maps;
  Error error = {};
  Text text = text_create(arena);
  if (!map_query_grid(
          command->judge, &command->query, shape_leaf(instruction->shape, output), &maps, &error)) {
    command->status = status_worse(command->status, STATUS_UNDECIDED);
    maps = (MapSet){.claim = INDEX_UNDEFINED, .reason = error.message};
  }
  if (command->json) {
    print_json_grid(command, &text, instruction, output, &maps);
  } else {
    text_printf(&text, "Output %u threads:\n", output);
    print_maps(command, &text, &maps);
  }
  return session_print(text.bytes);
}

/* Prints the thread map of each selected output leaf. */
static bool answer_grids(MapCommand *command, Arena *arena, const Instruction *instruction) {
  uint32_t outputs = shape_leaf_count(instruction->shape);
  for (uint32_t output = 0; command->query.has_threads && output < outputs; output++) {
    if (command->filter.output >= 0 && command->filter.output != output) continue;
    ArenaMark mark = arena_mark(arena);
    command->selection.questions++;
    bool goes_on = answer_grid(command, arena, instruction, output);
    arena_rewind(arena, mark);
    if (!goes_on) return false;
  }
  return true;
}

static bool answer_all(
    MapCommand *command, Arena *arena, const InstructionSelection *list, uint32_t at) {
  const Instruction *instruction = list->items[at];
  session_item(at, list->count, "instructions", "%s of %s", instruction->name, command->file);
  QuestionWalk walk = question_walk(instruction, &command->filter);
  const JudgeMark maps = judge_mark(command->judge);
  bool is_named = list->count > 1 || command->selection.instruction != nullptr;
  if (is_named && !command->json &&
      !session_print(
          arena_printf(arena, "# %s in %s\n", instruction->name, instruction->parent->name)))
    return false;
  if (!answer_grids(command, arena, instruction)) return false;
  for (Question question; selection_next(&command->selection, command->judge, &walk, &question);) {
    ArenaMark mark = arena_mark(arena);
    bool goes_on = map_answer(command, arena, &question);
    arena_rewind(arena, mark);
    judge_relieve(command->judge, &maps);
    if (!goes_on || session_is_interrupted()) return false;
  }
  return true;
}

/* --- from a root to all its producers --- */

static bool answer_producer(const MapCommand *command, Arena *arena, const Computation *computation,
    uint32_t output, const ProducerMaps *of) {
  Text text = text_create(arena);
  if (command->json) {
    Json json = map_begin_json(command, &text);
    json_string(&json, "computation", computation->name);
    json_integer(&json, "output", output);
    json_string(&json, "producer", of->producer->name);
    json_integer(&json, "leaf", of->leaf);
    map_end_json(command, &json, &of->maps);
  } else {
    text_printf(&text, "Output %u producer %s", output, of->producer->name);
    if (shape_is_tuple(of->producer->shape)) text_printf(&text, ".%u", of->leaf);
    text_string(&text, ":\n");
    print_maps(command, &text, &of->maps);
  }
  return session_print(text.bytes);
}

static bool answer_producers_of(
    MapCommand *command, Arena *arena, const Computation *computation, uint32_t output) {
  uint32_t count;
  const ProducerMaps *producers;
  Error error = {};
  if (!index_computation_by_producer(
          command->judge->indexer, computation, output, &count, &producers, &error)) {
    command->status = status_worse(command->status, STATUS_UNDECIDED);
    return session_print(arena_printf(arena, "# undefined: %s\nUNDEFINED\n", error.message));
  }
  for (uint32_t i = count; i-- > 0;)
    if (!answer_producer(command, arena, computation, output, &producers[i]) ||
        session_is_interrupted())
      return false;
  return true;
}

/* From the root to the parameters. */
static bool answer_producers(MapCommand *command, Arena *arena, const Computation *computation) {
  session_at("the producers in %s of %s", computation->name, command->file);
  uint32_t outputs = shape_leaf_count(computation->root->shape);
  if (!command->json &&
      !session_print(arena_printf(arena, "# producers in %s\n", computation->name)))
    return false;
  for (uint32_t output = 0; output < outputs; output++) {
    if (command->filter.output >= 0 && command->filter.output != output) continue;
    command->selection.questions++;
    if (!answer_producers_of(command, arena, computation, output)) return false;
  }
  return true;
}

/* Visits the entry, the computations called by the named instruction, or all computations. */
static bool visit_producers(MapCommand *command, Arena *arena, const Module *module) {
  InstructionSelection list = {};
  Selection *selection = &command->selection;
  const bool was_found = selection->is_found;
  if (selection->instruction == nullptr && !selection->all)
    return module->entry == nullptr || answer_producers(command, arena, module->entry);
  for (uint32_t i = 0; selection->all && i < module->computation_count; i++)
    if (!answer_producers(command, arena, module->computations[i])) return false;
  if (selection->instruction == nullptr) return true;
  module_select(arena, module, selection, &list);
  if (list.count == 0) return true;
  if (list.items[0]->called_count == 0) selection->is_found = was_found;
  for (uint32_t i = 0; i < list.items[0]->called_count; i++)
    if (!answer_producers(command, arena, list.items[0]->called[i])) return false;
  return true;
}

/* On a terminal: reports what was not printed, and the option that prints it. */
static void say_what_is_left(const MapCommand *command, const Module *module) {
  const Selection *selection = &command->selection;
  uint32_t more = 0;
  if (command->json || command->producers || selection->all || selection->instruction != nullptr ||
      isatty(STDERR_FILENO) == 0)
    return;
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++)
      more += module->computations[i]->instructions[k]->operand_count > 0;
  if (more > 1)
    session_warn("only the root; %u more instruction%s with --all or --producers", more - 1,
        more == 2 ? "" : "s");
}

static void select_and_note(
    MapCommand *command, Arena *arena, const Module *module, InstructionSelection *list) {
  module_select(arena, module, &command->selection, list);
  module_note_no_operand(command->file, module, &command->selection, list);
}

static bool map_visit(void *state, Arena *arena, const Module *module, ModulePosition position) {
  MapCommand *command = state;
  MapMark mark = map_context_mark(command->judge->context);
  InstructionSelection list = {};
  command->module = module->name;
  command->position = position;
  bool goes_on = command->json || module_print_heading(arena, module, position);
  if (command->producers) goes_on = goes_on && visit_producers(command, arena, module);
  else select_and_note(command, arena, module, &list);
  for (uint32_t i = 0; i < list.count && goes_on; i++)
    goes_on = answer_all(command, arena, &list, i);
  if (goes_on) say_what_is_left(command, module);
  indexer_reset(command->judge->indexer);
  map_context_rewind(command->judge->context, mark);
  return goes_on;
}

static Status run_files(MapCommand *command, int count, char **paths) {
  Error error = {};
  command->judge = judge_create(
      &(JudgeOptions){.raw = command->raw, .without_oracle = true, .without_smt = true}, &error);
  if (command->judge == nullptr) return session_fail(&error);
  Arena *arena = arena_create();
  command->selection.file = count == 1 ? paths[0] : nullptr;
  if (command->producers) command->selection.kind = " that runs a computation";
  Status status = modules_walk_files(
      arena, count, paths, !command->json, &command->file, &command->selection, map_visit, command);
  command->status = status_worse(command->status, status);
  arena_destroy(arena);
  judge_destroy(command->judge);
  return selection_end(&command->selection, &command->filter, command->status);
}

/* Why --producers cannot be combined with the other options; nullptr if it can. */
static const char *producers_fault(const MapCommand *command) {
  const SelectionOptions *selected = &command->selected;
  if (command->threads != nullptr || command->devices != nullptr)
    return "--producers cannot be combined with --threads or --devices";
  if (selected->operand != nullptr) return "--producers cannot be combined with --operand";
  if (selected->questions != 0 || selected->megabytes != 0)
    return "--producers cannot be combined with --questions or --megabytes";
  return command->filter.o2i ? nullptr : "--producers allows only --direction o2i";
}

static bool read_options(MapCommand *command, Arena *arena) {
  MapQuery *query = &command->query;
  query->has_threads = command->threads != nullptr;
  query->has_devices = command->devices != nullptr;
  query->has_order = command->order != nullptr;
  const char *fault = nullptr;
  if (query->has_threads && !map_threads_parse(command->threads, &query->grid))
    fault = "--threads needs N or N,VECTOR, each at least 1";
  else if (query->has_devices && !map_devices_parse(command->devices, &query->world))
    fault = "--devices needs REPLICAS or REPLICAS,PARTITIONS, each at least 1";
  else if (query->has_order && !use_order_parse(arena, command->order, &query->order))
    fault = "--order needs each dimension once, minor first, such as 1,0";
  else if (query->has_order && !query->has_threads) fault = "--order needs --threads";
  else if (command->producers) fault = producers_fault(command);
  else if (query->has_threads && query->has_devices)
    fault = "--threads cannot be combined with --devices";
  if (query->has_threads) command->filter.i2o = false;
  if (fault == nullptr && query->has_threads && !command->filter.o2i)
    fault = "--threads allows only --direction o2i";
  if (fault != nullptr) (void)session_usage("%s", fault);
  return fault == nullptr;
}

static Status map_run(MapCommand *command, int count, char **paths) {
  Arena *arena = arena_create();
  bool is_read = selection_read(&command->selected, &command->selection, &command->filter) &&
                 read_options(command, arena);
  Status status = STATUS_BAD;
  if (is_read && count == 0) status = session_usage("map needs a file; - reads standard input");
  else if (is_read) status = run_files(command, count, paths);
  arena_destroy(arena);
  return status;
}

int cli_map(int argc, char **argv) {
  static const char *const styles[] = {
      [MAP_STYLE_LINE] = "line", [MAP_STYLE_PRETTY] = "pretty", [MAP_STYLE_XLA] = "xla", nullptr};
  MapCommand command = {.selected.output = -1};
  const Option options[] = {
      {"raw", OPTION_FLAG, &command.raw, "print the composed maps, not simplified", nullptr},
      SELECTION_OPTIONS(command.selected),
      {"producers", OPTION_FLAG, &command.producers,
          "print maps from the root of the entry, or of the computation of --instruction, to every value inside",
          nullptr},
      {"threads", OPTION_TEXT, &command.threads,
          "N[,VECTOR]: print maps from threads to elements, for blocks of N threads with VECTOR elements each",
          nullptr},
      {"order", OPTION_TEXT, &command.order,
          "DIMS: the order in which threads walk the output, minor first (default: its layout)",
          nullptr},
      {"devices", OPTION_TEXT, &command.devices,
          "R[,P]: print maps between devices, for R replicas and P partitions", nullptr},
      {"style", OPTION_CHOICE, &command.style, "line|pretty|xla: the format of printed maps",
          styles},
      {"json", OPTION_FLAG, &command.json, "print one JSON object per line", nullptr},
  };
  const Command table = {.usage = "map FILE.hlo... [OPTION]...",
      .about =
          "Prints the indexing maps between the entry root and its operands, through fusions, in both directions.",
      .notes =
          "--producers leaves out values of which the output reads nothing.\n"
          "--threads: thread th_x of block bl_x computes the output elements (bl_x * N + th_x) * VECTOR + vector, counted in memory order. The maps go from threads to these elements, and to what they read of each operand.\n"
          "--devices: the first two dimensions on both sides are the replica and the partition.\n"
          "Exit status 0: the maps are printed. Nothing is judged, so UNDEFINED maps and over-approximations also end with 0. 2: a map could not be computed, because of an overflow or a limit.",
      OPTION_TABLE(options),
      .contrary = "all instruction"};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  session_catch_signals();
  return session_end(map_run(&command, argc - first, argv + first));
}
