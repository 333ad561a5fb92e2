/* affirm equiv: the reads of two graphs, pair by pair of output and parameter. A row for each pair that is read or not the same;
 * pairs that neither graph reads are counted. --more names parameters of which after may read more than before: padding that became an
 * operation of its own, for instance; anything else that differs stays a counterexample. */
#include <string.h>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/session.h"
#include "core/base/file.h"
#include "core/hlo/read.h"
#include "judge/equiv.h"

typedef struct EquivCommand {
  const char *more, *parameter;
  int64_t output, rlimit;
  bool json;
  int64_t only_parameter, only_leaf, more_parameter, more_leaf;
  const char *files[2];
  Equiv equiv;
  uint64_t counts[equiv_answer_count], unread, accepted;
  Status status;
} EquivCommand;

static const char *const sides[] = {[EQUIV_BEFORE] = "before", [EQUIV_AFTER] = "after"};

static bool is_named(int64_t parameter, int64_t leaf, EquivPair pair) {
  return parameter == pair.parameter && (leaf < 0 || leaf == pair.parameter_leaf);
}

static bool is_asked(const EquivCommand *command, EquivPair pair) {
  if (command->output >= 0 && command->output != pair.output) return false;
  return command->parameter == nullptr || is_named(command->only_parameter, command->only_leaf, pair);
}

static bool is_accepted(const EquivCommand *command, const EquivVerdict *verdict) {
  return verdict->answer == EQUIV_MORE && command->more != nullptr && is_named(command->more_parameter, command->more_leaf, verdict->pair);
}

static void print_index(Text *text, uint32_t rank, const int64_t *index) {
  text_string(text, "(");
  for (uint32_t i = 0; i < rank; i++) text_printf(text, "%s%lld", i == 0 ? "" : ", ", (long long)index[i]);
  text_string(text, ")");
}

static void print_pair(Text *text, const EquivPair *pair) {
  text_printf(text, "output %u parameter %u", pair->output, pair->parameter);
  if (pair->parameter_leaf > 0) text_printf(text, ".%u", pair->parameter_leaf);
}

static void print_witness(const EquivCommand *command, Text *text, const EquivVerdict *verdict) {
  if (!verdict->has_witness) return;
  text_string(text, ": output element ");
  print_index(text, verdict->point_rank, verdict->point);
  text_string(text, " reads ");
  print_index(text, verdict->element_rank, verdict->element);
  text_printf(text, " %s only (%s)", sides[verdict->reader], command->files[verdict->reader]);
}

static void print_row(const EquivCommand *command, Text *text, const EquivVerdict *verdict) {
  bool is_accepted_row = is_accepted(command, verdict);
  Text pair = text_create(text->arena);
  print_pair(&pair, &verdict->pair);
  text_printf(text, "  %-9s  %-16s  %-24s", equiv_answer_text(verdict->answer), verdict->judges == nullptr ? "-" : verdict->judges, pair.bytes);
  if (is_accepted_row) text_string(text, "  allowed by --more");
  print_witness(command, text, verdict);
  if (!verdict->has_witness && verdict->reason[0] != 0) text_printf(text, "  %s", verdict->reason);
  text_string(text, "\n");
  if (verdict->has_witness && !is_accepted_row) text_printf(text, "             %s\n", verdict->reason);
}

static void print_json(const EquivCommand *command, Text *text, const EquivVerdict *verdict) {
  Json json = json_begin(text);
  json_string(&json, "before", command->files[EQUIV_BEFORE]);
  json_string(&json, "after", command->files[EQUIV_AFTER]);
  json_integer(&json, "output", verdict->pair.output);
  json_integer(&json, "parameter", verdict->pair.parameter);
  json_integer(&json, "parameter_leaf", verdict->pair.parameter_leaf);
  json_string(&json, "answer", equiv_answer_text(verdict->answer));
  if (verdict->judges != nullptr) json_string(&json, "judges", verdict->judges);
  if (is_accepted(command, verdict)) json_string(&json, "accepted", "--more");
  if (verdict->has_witness) {
    json_string(&json, "reader", sides[verdict->reader]);
    json_integers(&json, "point", verdict->point_rank, verdict->point);
    json_integers(&json, "element", verdict->element_rank, verdict->element);
  }
  if (verdict->reason[0] != 0) json_string(&json, "reason", verdict->reason);
  json_end(&json);
}

static void note(EquivCommand *command, const EquivVerdict *verdict) {
  bool accepted = is_accepted(command, verdict);
  command->counts[verdict->answer]++;
  command->unread += verdict->is_unread;
  command->accepted += accepted;
  command->status = status_worse(command->status, accepted ? STATUS_PROVED : equiv_answer_status(verdict->answer));
}

static bool answer(EquivCommand *command, Arena *arena, EquivPair pair) {
  EquivVerdict *verdict = ARENA_NEW(arena, EquivVerdict, 1);
  Text text = text_create(arena);
  equiv_ask(&command->equiv, pair, verdict);
  note(command, verdict);
  if (command->json) print_json(command, &text, verdict);
  else if (!verdict->is_unread) print_row(command, &text, verdict);
  return session_print(text.bytes);
}

static bool print_summary(const EquivCommand *command, Arena *arena, uint64_t asked) {
  Text text = text_create(arena);
  text_printf(&text, "%llu pairs of output and parameter:", (unsigned long long)asked);
  for (uint32_t i = 0; i < equiv_answer_count; i++)
    if (command->counts[i] > 0 || i == EQUIV_SAME)
      text_printf(&text, " %llu %s", (unsigned long long)command->counts[i], equiv_answer_text((EquivAnswer)i));
  text_printf(&text, " (%llu same because neither reads)\n", (unsigned long long)command->unread);
  return session_print(text.bytes);
}

/* Nothing asked is nothing proved. */
static Status nothing_asked(const EquivCommand *command, uint32_t pairs) {
  Status status = session_usage("nothing to compare: %s", pairs > 0 ? "no such output or parameter" : "no output or no parameter has elements");
  return pairs > 0 || command->output >= 0 || command->parameter != nullptr ? status : STATUS_UNDECIDED;
}

static Status answer_all(EquivCommand *command, Arena *arena) {
  EquivPairs pairs = {};
  uint64_t asked = 0;
  equiv_pairs(&command->equiv, arena, &pairs);
  for (uint32_t i = 0; i < pairs.count; i++) {
    if (!is_asked(command, pairs.items[i])) continue;
    ArenaMark mark = arena_mark(arena);
    bool goes_on = answer(command, arena, pairs.items[i]);
    arena_rewind(arena, mark);
    asked++;
    if (!goes_on) return STATUS_BAD;
    if (session_is_interrupted()) return status_worse(command->status, STATUS_UNDECIDED);
  }
  if (asked == 0) return nothing_asked(command, pairs.count);
  if (!command->json && !print_summary(command, arena, asked)) return STATUS_BAD;
  return command->status;
}

static bool read_one(Arena *arena, const char *path, const Module **module, Error *error) {
  Source *source = ARENA_NEW(arena, Source, 1), *parts;
  uint32_t count;
  if (!file_read(arena, path, file_limit, source, error) || !hlo_split(arena, source, &count, &parts, error)) return false;
  if (count != 1) return error_set(error, ERROR_INPUT, "%s holds %u modules; equiv compares one with one", path, count);
  return hlo_read(arena, &parts[0], module, error);
}

static Status run(EquivCommand *command, Arena *arena) {
  const Module *before, *after;
  Error error = {};
  if (!read_one(arena, command->files[EQUIV_BEFORE], &before, &error) || !read_one(arena, command->files[EQUIV_AFTER], &after, &error))
    return session_fail(&error);
  Judge *judge = judge_create(&(JudgeOptions){.smt.rlimit = (uint64_t)command->rlimit}, &error);
  if (judge == nullptr) return session_fail(&error);
  Status status = equiv_create(judge, arena, before, after, &command->equiv, &error) ? answer_all(command, arena) : session_fail(&error);
  judge_destroy(judge);
  return status;
}

static bool read_parameter(const char *option, const char *text, int64_t *parameter, int64_t *leaf) {
  if (text == nullptr || operand_parse(text, parameter, leaf)) return true;
  (void)session_usage("--%s wants N or N.LEAF, not '%s'", option, text);
  return false;
}

int cli_equiv(int argc, char **argv) {
  EquivCommand command = {.output = -1, .only_parameter = -1, .only_leaf = -1, .more_parameter = -1, .more_leaf = -1};
  const Option options[] = {
      {"output", OPTION_NUMBER, &command.output, "N: one output (the leaf of a tuple) instead of all", nullptr},
      {"parameter", OPTION_TEXT, &command.parameter, "N[.LEAF]: one parameter instead of all", nullptr},
      {"more", OPTION_TEXT, &command.more, "N[.LEAF]: of this parameter the second graph may read more than the first", nullptr},
      {"rlimit", OPTION_NUMBER, &command.rlimit, "N: the budget of one proof, in the solver's own units", nullptr},
      {"json", OPTION_FLAG, &command.json, "one object a line", nullptr},
  };
  const Command table = {.usage = "equiv BEFORE.hlo AFTER.hlo [OPTION]...",
                         .about = "Do two graphs read the same elements of each parameter for each output element? Parameters stand for each other by number.",
                         .notes = "same: the same reads. more: the second reads all that the first does, and more. different: an element that one reads alone.\n"
                                  "unknown: why it was not decided. Arithmetic is not compared: only which elements can reach an output element.",
                         .option_count = sizeof options / sizeof *options, .options = options};
  int first;
  switch (options_parse(&table, argc, argv, &first)) {
  case OPTIONS_HELPED: return session_end(STATUS_PROVED);
  case OPTIONS_BAD: return STATUS_BAD;
  case OPTIONS_GO: break;
  }
  if (!read_parameter("parameter", command.parameter, &command.only_parameter, &command.only_leaf) ||
      !read_parameter("more", command.more, &command.more_parameter, &command.more_leaf))
    return STATUS_BAD;
  if (first + 2 != argc) return session_end(session_usage("equiv wants two files, before and after"));
  command.files[EQUIV_BEFORE] = argv[first];
  command.files[EQUIV_AFTER] = argv[first + 1];
  session_catch_signals();
  Arena *arena = arena_create();
  Status status = run(&command, arena);
  arena_destroy(arena);
  return session_end(status);
}
