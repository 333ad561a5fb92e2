/* affirm map: the engine's maps as they are, not judged. The o2i part of the text is what print_indexing prints, so that the
 * two can be compared line by line; what is covering or undefined says why in a remark. */
#include <string.h>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/modules.h"
#include "cli/options.h"
#include "core/base/file.h"
#include "core/map/text.h"

typedef struct MapCommand {
  SelectionOptions selected;
  Selection selection;
  QuestionFilter filter;
  bool raw, json;
  uint32_t style;
  Judge *judge;
  Status status;
  const char *file;
} MapCommand;

static const char *const claims[] = {[INDEX_EXACT] = "exact", [INDEX_COVERING] = "covering", [INDEX_UNDEFINED] = "undefined"};

static void print_maps(const MapCommand *command, Text *text, const MapSet *maps) {
  if (maps->claim != INDEX_EXACT) text_printf(text, "# %s: %s\n", claims[maps->claim], maps->reason);
  if (maps->claim == INDEX_UNDEFINED) text_string(text, "UNDEFINED\n");
  else if (maps->count == 0) text_string(text, "KNOWN EMPTY\n");
  for (uint32_t i = 0; i < maps->count; i++) {
    map_print(text, command->judge->context, maps->maps[i], (MapStyle)command->style);
    text_string(text, "\n");
  }
}

static void print_json(const MapCommand *command, Text *text, const Question *question, const MapSet *maps) {
  Json json = json_begin(text);
  json_string(&json, "file", command->file);
  json_question(&json, question);
  json_string(&json, "claim", claims[maps->claim]);
  if (maps->reason != nullptr) json_string(&json, "reason", maps->reason);
  json_maps(&json, command->judge->context, maps, (MapStyle)command->style);
  json_end(&json);
}

/* Only a refusal of the engine (overflow, a limit) makes the status worse: undefined is an answer here. */
static bool answer(MapCommand *command, Arena *arena, const Question *question) {
  MapSet maps;
  Error error = {};
  Text text = text_create(arena);
  if (!judge_ask_engine(command->judge, question, &maps, &error)) {
    command->status = status_worse(command->status, STATUS_UNDECIDED);
    maps = (MapSet){.claim = INDEX_UNDEFINED, .reason = error.message};
  }
  if (command->json) {
    print_json(command, &text, question, &maps);
  } else {
    question_print_heading(&text, question);
    text_string(&text, ":\n");
    print_maps(command, &text, &maps);
  }
  return session_print(text.bytes);
}

static bool answer_all(MapCommand *command, Arena *arena, const Instruction *instruction, bool is_alone) {
  QuestionList questions = {};
  questions_add(arena, instruction, &command->filter, &questions);
  if (!is_alone && !command->json && !session_print(arena_printf(arena, "# %s in %s\n", instruction->name, instruction->parent->name))) return false;
  for (uint32_t i = 0; i < questions.count; i++) {
    ArenaMark mark = arena_mark(arena);
    bool goes_on = answer(command, arena, &questions.items[i]);
    arena_rewind(arena, mark);
    if (!goes_on || session_is_interrupted()) return false;
  }
  return true;
}

static bool visit(void *state, Arena *arena, const Module *module) {
  MapCommand *command = state;
  MapMark mark = map_context_mark(command->judge->context);
  InstructionList list = {};
  bool goes_on = true;
  if (!module_select(arena, module, &command->selection, &list))
    command->status = status_worse(command->status, session_usage("%s: no instruction '%s'", command->file, command->selection.instruction));
  for (uint32_t i = 0; i < list.count && goes_on; i++) goes_on = answer_all(command, arena, list.items[i], list.count == 1);
  indexer_reset(command->judge->indexer);
  map_context_rewind(command->judge->context, mark);
  return goes_on;
}

static Status run_file(MapCommand *command, Arena *arena, const char *path) {
  Source source;
  Error error = {};
  if (!file_read(arena, path, file_limit, &source, &error)) return session_fail(&error);
  command->file = source.name;
  return modules_walk(arena, &source, visit, command);
}

static Status run_files(MapCommand *command, int count, char **paths) {
  Error error = {};
  command->judge = judge_create(&(JudgeOptions){.raw = command->raw, .without_oracle = true, .without_smt = true}, &error);
  if (command->judge == nullptr) return session_fail(&error);
  Arena *arena = arena_create();
  for (int i = 0; i < count && !session_is_interrupted(); i++) {
    ArenaMark mark = arena_mark(arena);
    command->status = status_worse(command->status, run_file(command, arena, paths[i]));
    arena_rewind(arena, mark);
  }
  arena_destroy(arena);
  judge_destroy(command->judge);
  return command->status;
}

int cli_map(int argc, char **argv) {
  static const char *const styles[] = {[MAP_STYLE_LINE] = "line", [MAP_STYLE_PRETTY] = "pretty", [MAP_STYLE_XLA] = "xla", nullptr};
  MapCommand command = {.selected.output = -1};
  const Option options[] = {
      {"raw", OPTION_FLAG, &command.raw, "as composed, nothing simplified", nullptr},
      SELECTION_OPTIONS(command.selected),
      {"style", OPTION_CHOICE, &command.style, "line|pretty|xla: how maps are written", styles},
      {"json", OPTION_FLAG, &command.json, "one object a line", nullptr},
  };
  const Command table = {.usage = "map FILE.hlo... [OPTION]...",
                         .about = "Prints the indexing maps between the entry root and its operands, through fusions, in both directions.",
                         .option_count = sizeof options / sizeof *options, .options = options};
  int first;
  switch (options_parse(&table, argc, argv, &first)) {
  case OPTIONS_HELPED: return session_end(STATUS_PROVED);
  case OPTIONS_BAD: return STATUS_BAD;
  case OPTIONS_GO: break;
  }
  if (!selection_read(&command.selected, &command.selection, &command.filter)) return STATUS_BAD;
  if (first == argc) return session_end(session_usage("map wants a file; - reads standard input"));
  session_catch_signals();
  return session_end(run_files(&command, argc - first, argv + first));
}
