/* affirm hazard: finds kernels that overwrite elements before reading them. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/modules.h"
#include "cli/options.h"
#include "cli/report/json.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "judge/hazards/hazards.h"

typedef struct HazardCommand {
  const char *file, *order_text;
  const char *module; /* its name */
  ModulePosition position;
  bool json;
  uint32_t order_count, order[oracle_max_rank];
  uint64_t pairs, counts[3];
  Status status;
} HazardCommand;

static const char *const answers[] = {
    [HAZARD_NONE] = "safe", [HAZARD_FOUND] = "hazard", [HAZARD_UNKNOWN] = "unknown"};
static constexpr Status statuses[] = {[HAZARD_NONE] = STATUS_PROVED,
    [HAZARD_FOUND] = STATUS_REFUTED,
    [HAZARD_UNKNOWN] = STATUS_UNDECIDED};

static void print_row(Text *text, const HazardPair *pair, const HazardVerdict *verdict) {
  const HazardQuestion *question = &pair->question;
  text_printf(text, "  %-7s  %s '%s' output %u, operand %u", answers[verdict->answer],
      opcode_name(pair->fusion->opcode), pair->fusion->name, question->output, question->parameter);
  if (question->parameter_leaf > 0) text_printf(text, ".%u", question->parameter_leaf);
  text_printf(text, " (%s)", pair->why);
  if (verdict->answer == HAZARD_UNKNOWN) text_printf(text, ": %s", verdict->reason);
  text_string(text, "\n");
  if (verdict->answer != HAZARD_FOUND) return;
  text_string(text, "           element ");
  text_tuple(text, verdict->buffer_rank, verdict->buffer);
  text_printf(text, " of the operand is overwritten by %s element ",
      verdict->writes_window ? "window" : "output");
  text_tuple(text, verdict->rank, verdict->writer);
  text_string(text, " and then read ");
  if (!question->reads_after && verdict->reader_input.parameter != question->parameter)
    text_printf(text, "through operand %u ", verdict->reader_input.parameter);
  text_printf(text, "by %s", verdict->reads_offset ? "the offset of window " : "");
  if (verdict->reader_output != question->output)
    text_printf(text, "output %u ", verdict->reader_output);
  text_string(text, "element ");
  text_tuple(text, verdict->reader_rank, verdict->reader);
  if (verdict->offsets != nullptr)
    text_printf(text, ", where the window is at (%s)", verdict->offsets);
  text_string(text, "\n");
}

static void print_json(Text *text, const HazardCommand *command, const HazardPair *pair,
    const HazardVerdict *verdict) {
  Json json = json_begin(text);
  json_string(&json, "file", command->file);
  json_module(&json, command->position.number, command->position.count, command->module);
  json_string(&json, "instruction", pair->fusion->name);
  json_integer(&json, "output", pair->question.output);
  json_integer(&json, "operand", pair->question.parameter);
  json_integer(&json, "operand_leaf", pair->question.parameter_leaf);
  json_string(&json, "alias", pair->why);
  json_answer(&json, "answer", answers[verdict->answer]);
  if (verdict->answer == HAZARD_FOUND) {
    json_integers(&json, "element", verdict->buffer_rank, verdict->buffer);
    json_integers(&json, "writer", verdict->rank, verdict->writer);
    json_integers(&json, "reader", verdict->reader_rank, verdict->reader);
    json_integer(&json, "reader_output", verdict->reader_output);
    if (!pair->question.reads_after)
      json_integer(&json, "reader_operand", verdict->reader_input.parameter);
    json_string(&json, "reads_for", verdict->reads_offset ? "offset" : "element");
    if (verdict->offsets != nullptr) json_string(&json, "window", verdict->offsets);
  }
  if (verdict->reason[0] != 0) json_string(&json, "reason", verdict->reason);
  json_end(&json);
}

static bool query_pair(
    HazardCommand *command, Arena *arena, const HazardPairs *pairs, uint32_t at) {
  HazardVerdict verdict;
  HazardPair *pair = &pairs->items[at];
  session_item(at, pairs->count, "pairs", "%s of %s", pair->fusion->name, command->file);
  pair->question.order_count = command->order_count;
  pair->question.order = command->order;
  ArenaMark mark = arena_mark(arena);
  oracle_hazard_query(arena, &pair->question, &verdict);
  command->pairs++;
  command->counts[verdict.answer]++;
  session_worsen(&command->status, statuses[verdict.answer]);
  Text text = text_create(arena);
  if (command->json) print_json(&text, command, pair, &verdict);
  else print_row(&text, pair, &verdict);
  bool goes_on = session_print(text.bytes) && !session_is_interrupted();
  arena_rewind(arena, mark);
  return goes_on;
}

static bool visit_module(void *state, Arena *arena, const Module *module, ModulePosition position) {
  HazardCommand *command = state;
  HazardPairs pairs;
  Error error = {};
  command->module = module->name;
  command->position = position;
  if (!hazard_pairs(arena, module, &pairs, &error)) {
    Error placed = {};
    (void)error_at(&placed, error.kind, module->source, 0, 1, "%s", error.message);
    command->status = status_worse(command->status, session_fail(&placed));
    return true;
  }
  for (uint32_t i = 0; i < pairs.count; i++)
    if (!query_pair(command, arena, &pairs, i)) return false;
  return true;
}

static bool read_order(HazardCommand *command) {
  const char *at = command->order_text;
  while (at != nullptr && *at != 0) {
    char *end;
    unsigned long dimension = strtoul(at, &end, 10);
    if (end == at || dimension >= oracle_max_rank || command->order_count == oracle_max_rank)
      return false;
    command->order[command->order_count++] = (uint32_t)dimension;
    at = *end == ',' ? end + 1 : end;
    if (*end != ',' && *end != 0) return false;
  }
  return true;
}

/* An order of loops names each dimension once. Whether it has as many as an output is decided for
 * each pair. */
static bool order_is_whole(const HazardCommand *command) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < command->order_count; i++) {
    if (command->order[i] >= command->order_count || (seen >> command->order[i] & 1) != 0)
      return false;
    seen |= UINT32_C(1) << command->order[i];
  }
  return true;
}

static Status hazard_command_run(HazardCommand *command) {
  Arena *arena = arena_create();
  Source source;
  Error error = {};
  bool is_read = file_read_text(arena, command->file, file_limit, &source, &error);
  if (is_read && strcmp(command->file, "-") == 0) command->file = source.name;
  Status status =
      is_read ? modules_walk(arena, &source, visit_module, nullptr, command) : session_fail(&error);
  status = status_worse(status, command->status);
  if (command->pairs == 0 && status == STATUS_PROVED) {
    session_warn("%s: nothing to compare: no write into a shared buffer is paired with a read",
        command->file);
    status = STATUS_UNDECIDED;
  }
  if (!command->json && command->pairs > 0) {
    Text text = text_create(arena);
    text_printf(&text, "%s:", counted(command->pairs, "pair"));
    for (int i = 0; i < 3; i++)
      text_printf(&text, "%s %llu %s", i == 0 ? "" : ",", (unsigned long long)command->counts[i],
          answers[i]);
    text_string(&text, "\n");
    if (!session_print(text.bytes)) status = STATUS_BAD;
  }
  arena_destroy(arena);
  return status;
}

int cli_hazard(int argc, char **argv) {
  HazardCommand command = {};
  const Option options[] = {
      {"order", OPTION_TEXT, &command.order_text,
          "D,D,..: the loops by dimension, outermost first (default: the layout of the output)",
          nullptr},
      {"json", OPTION_FLAG, &command.json, "print one JSON object per line", nullptr},
  };
  const Command table = {.usage = "hazard FILE.hlo [OPTION]...",
      .about =
          "Checks that no element of a shared buffer is read after it was overwritten: in fusions that write into an operand's buffer and, if the module has a schedule, between instructions.",
      .notes =
          "Buffers are shared by updates in place, output_to_operand_aliasing, input_output_alias, and the leaves of a loop's body.\n"
          "In a module with a schedule, each write is also compared with each later read of an older value. A called computation may write into the memory of its operands.\n"
          "A module with a schedule that needs a copy is not decided, for example a loop that exchanges two arrays.\n"
          "A fusion computes its elements in the order of the loops, and writes each as soon as it is computed. The judge enumerates every offset. If a read is a hazard only for certain values of computed offsets, the judge searches for inputs with these values; if it finds none, the verdict is unknown.\n"
          "An instruction outside a fusion that reads each element in its own place, such as a negate, is in no pair with its operand. What may write into an operand before it has read it, such as an all-to-all, is not decided.\n"
          "Exit status 0: no pair has a hazard; 1: one has; 2: not decided, or there is no such pair.",
      OPTION_TABLE(options)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (argc - first != 1) return session_end(session_usage("hazard needs one file"));
  if (!read_order(&command))
    return session_end(session_usage("--order needs dimensions, such as 1,0"));
  if (!order_is_whole(&command))
    return session_end(session_usage("--order %s: an order of %s names each of 0 to %u once",
        command.order_text, counted(command.order_count, "dimension"), command.order_count - 1));
  session_catch_signals();
  command.file = argv[first];
  return session_end(hazard_command_run(&command));
}
