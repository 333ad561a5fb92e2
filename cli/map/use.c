/* affirm use: computes properties of a module's maps. For each output and operand: how many of the
 * operand's elements are read (exact counts); which memory segments the accesses of a warp touch
 * when threads visit the output in memory order; and, with --tile, the tile of the operand that a
 * tile of the output needs. All numbers come from the engine's maps, which affirm check judges. */
#include "cli/commands.h"
#include "cli/modules.h"
#include "cli/options.h"
#include "cli/map/use.h"
#include "cli/session_guard.h"

typedef struct UseCommand {
  SelectionOptions selected;
  Selection selection;
  QuestionFilter filter;
  const char *tile, *order;
  int64_t lanes, segment, width, points;
  AnalysisQuery query;
  Judge *judge;
  Status status;
} UseCommand;

static bool use_of_operand(UseCommand *command, Arena *arena, const Question *question) {
  ArenaMark mark = arena_mark(arena);
  MapMark maps = map_context_mark(command->judge->context);
  Text text = text_create(arena);
  command->status =
      status_worse(command->status, use_answer(command->judge, &command->query, question, &text));
  bool is_written = session_print(text.bytes);
  indexer_reset(command->judge->indexer);
  map_context_rewind(command->judge->context, maps);
  arena_rewind(arena, mark);
  return is_written && !session_is_interrupted();
}

static bool use_visit(void *state, Arena *arena, const Module *module, ModulePosition position) {
  UseCommand *command = state;
  command->query.module = module->name;
  command->query.position = position;
  InstructionSelection list = {};
  bool goes_on = command->query.json || module_print_heading(arena, module, position);
  module_select(arena, module, &command->selection, &list);
  module_note_no_operand(command->query.file, module, &command->selection, &list);
  for (uint32_t i = 0; i < list.count && goes_on; i++) {
    QuestionList questions = {};
    session_item(
        i, list.count, "instructions", "%s of %s", list.items[i]->name, command->query.file);
    selection_questions(
        arena, &command->selection, command->judge, &command->filter, list.items[i], &questions);
    for (uint32_t k = 0; k < questions.count && goes_on; k++)
      goes_on = use_of_operand(command, arena, &questions.items[k]);
  }
  if (session_is_interrupted()) command->status = status_worse(command->status, STATUS_UNDECIDED);
  return goes_on;
}

static Status run_files(UseCommand *command, Arena *arena, int count, char **paths) {
  Error error = {};
  command->judge =
      judge_create(&(JudgeOptions){.without_oracle = true, .without_smt = true}, &error);
  if (command->judge == nullptr) return session_fail(&error);
  command->selection.file = count == 1 ? paths[0] : nullptr;
  Status status = modules_walk_files(arena, count, paths, !command->query.json,
      &command->query.file, &command->selection, use_visit, command);
  command->status = status_worse(command->status, status);
  judge_destroy(command->judge);
  return selection_end(&command->selection, &command->filter, command->status);
}

static bool read_lists(UseCommand *command, Arena *arena) {
  AnalysisQuery *query = &command->query;
  query->has_tile = command->tile != nullptr;
  query->has_order = command->order != nullptr;
  if (query->has_tile && !use_tile_parse(arena, command->tile, &query->tile))
    return session_reject(
        "--tile needs OFFSET:SIZE[:STRIDE] for each dimension, such as 0:4,2:8:2, not '%s'",
        command->tile);
  if (query->has_order && !use_order_parse(arena, command->order, &query->order))
    return session_reject(
        "--order needs each dimension once, minor first, such as 1,0, not '%s'", command->order);
  return true;
}

/* --width is not given. */
static constexpr int64_t width_of_type = -1;

static bool read_numbers(UseCommand *command) {
  bool is_sensible = command->lanes >= 1 && command->lanes <= 1024 && command->segment >= 1 &&
                     command->segment <= 1 << 20 && command->query.threads >= 1 &&
                     command->query.threads <= 1 << 20;
  command->query.warp = (WarpAccess){.lanes = (uint32_t)command->lanes,
      .segment_bytes = (uint32_t)command->segment,
      .most_points = (uint64_t)command->points};
  if (!is_sensible)
    (void)session_usage(
        "lanes are 1 to 1024, a segment 1 to 2^20 bytes, a block 1 to 2^20 threads");
  command->query.has_width = command->width != width_of_type;
  bool has_type =
      !command->query.has_width || use_width_type(command->width, &command->query.width);
  if (!has_type) (void)session_usage("no element type has %lld bits", (long long)command->width);
  return is_sensible && has_type;
}

static int use_run(UseCommand *command, int count, char **paths) {
  Arena *arena = arena_create();
  bool is_read = selection_read(&command->selected, &command->selection, &command->filter) &&
                 read_numbers(command) && read_lists(command, arena);
  command->filter.i2o = false;
  Status status = STATUS_BAD;
  if (is_read && count == 0) status = session_usage("use needs a file; - reads standard input");
  else if (is_read) status = run_files(command, arena, count, paths);
  arena_destroy(arena);
  return session_end(status);
}

int cli_use(int argc, char **argv) {
  UseCommand command = {.selected.output = -1,
      .lanes = 32,
      .segment = 128,
      .points = 1 << 20,
      .width = width_of_type,
      .query.threads = 128};
  const Option options[] = {
      {"instruction", OPTION_TEXT, &command.selected.instruction,
          "NAME: ask about this instruction instead of the entry's root", nullptr},
      {"all", OPTION_FLAG, &command.selected.all,
          "ask about every instruction of every computation", nullptr},
      {"output", OPTION_NUMBER, &command.selected.output,
          "N: one output (the leaf of a tuple) instead of all", nullptr},
      {"operand", OPTION_TEXT, &command.selected.operand, "N[.LEAF]: one operand instead of all",
          nullptr},
      {"tile", OPTION_TEXT, &command.tile,
          "TILE: a tile of the output, OFFSET:SIZE[:STRIDE] per dimension, such as 0:4,2:8:2; its elements outside the output read nothing",
          nullptr},
      {"order", OPTION_TEXT, &command.order,
          "DIMS: the order in which threads walk the output, minor first (default: its layout)",
          nullptr},
      {"width", OPTION_NUMBER, &command.width,
          "BITS: size of an element of the operand (default: of its type)", nullptr},
      {"threads", OPTION_NUMBER, &command.query.threads, "N: threads of a block (128)", nullptr},
      {"lanes", OPTION_NUMBER, &command.lanes, "N: threads of a warp (32)", nullptr},
      {"segment", OPTION_NUMBER, &command.segment, "BYTES: size of one memory transaction (128)",
          nullptr},
      {"points", OPTION_COUNT, &command.points,
          "N: maximum number of threads examined for coalescing (2^20); of more threads a sample is examined, and the row states this",
          nullptr},
      {"json", OPTION_FLAG, &command.query.json, "print one JSON object per line", nullptr},
  };
  const Command table = {.usage = "use FILE.hlo... [OPTION]...",
      .about =
          "Prints how much of each operand is read, how a warp's accesses coalesce, and which tile of the operand a tile of the output needs.",
      .notes = "Exit status 2: a question has no answer; its row states the reason.",
      OPTION_TABLE(options),
      .contrary = "all instruction"};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  session_catch_signals();
  return use_run(&command, argc - first, argv + first);
}
