/* Prints the results of affirm equiv: a row, or a JSON object, for each pair that is read or not
 * the same; and why a pair of modules cannot be compared. */
#include "cli/equiv/equiv.h"

#include <string.h>

#include "cli/session_guard.h"
#include "core/base/foreign.h"

static const char *const sides[] = {[EQUIV_BEFORE] = "before", [EQUIV_AFTER] = "after"};

bool equiv_is_named(int64_t parameter, int64_t leaf, EquivPair pair) {
  return parameter == pair.parameter && (leaf < 0 || leaf == pair.parameter_leaf);
}

bool equiv_is_accepted(const EquivCommand *command, const EquivVerdict *verdict) {
  return verdict->answer == REASON_EXTRA && command->has_more &&
         equiv_is_named(command->more_parameter, command->more_leaf, verdict->pair);
}

static void print_pair(Text *text, const EquivPair *pair) {
  text_printf(text, "output %u parameter %u", pair->output, pair->parameter);
  if (pair->parameter_leaf > 0) text_printf(text, ".%u", pair->parameter_leaf);
}

static void print_witness(const EquivCommand *command, Text *text, const EquivVerdict *verdict) {
  if (!verdict->has_witness) return;
  text_string(text, ": output element ");
  text_tuple(text, verdict->point_rank, verdict->point);
  text_string(text, " reads ");
  text_tuple(text, verdict->element_rank, verdict->element);
  text_printf(text, " %s only (%s)", sides[verdict->reader], command->files[verdict->reader]);
}

void equiv_print_row(const EquivCommand *command, Text *text, const EquivVerdict *verdict) {
  bool is_accepted_row = equiv_is_accepted(command, verdict);
  Text pair = text_create(text->arena);
  print_pair(&pair, &verdict->pair);
  text_printf(text, "  %-9s  %-16s  %-24s", equiv_answer_text(verdict->answer),
      verdict->judges == nullptr ? "-" : verdict->judges, pair.bytes);
  if (is_accepted_row) text_string(text, "  allowed by --more");
  print_witness(command, text, verdict);
  if (!verdict->has_witness && verdict->reason[0] != 0) text_printf(text, "  %s", verdict->reason);
  text_string(text, "\n");
  if (verdict->has_witness && !is_accepted_row)
    text_printf(text, "             %s\n", verdict->reason);
}

Json equiv_json(const EquivCommand *command, Text *text) {
  Json json = json_begin(text);
  json_string(&json, "before", command->files[EQUIV_BEFORE]);
  json_string(&json, "after", command->files[EQUIV_AFTER]);
  if (command->module_count > 1) json_integer(&json, "module", command->module);
  return json;
}

void equiv_print_json(const EquivCommand *command, Text *text, const EquivVerdict *verdict) {
  Json json = equiv_json(command, text);
  json_integer(&json, "output", verdict->pair.output);
  json_integer(&json, "parameter", verdict->pair.parameter);
  json_integer(&json, "parameter_leaf", verdict->pair.parameter_leaf);
  json_answer(&json, "answer", equiv_answer_text(verdict->answer));
  if (verdict->judges != nullptr) json_string(&json, "judges", verdict->judges);
  if (equiv_is_accepted(command, verdict)) json_string(&json, "accepted", "--more");
  if (verdict->has_witness) {
    json_string(&json, "reader", sides[verdict->reader]);
    json_integers(&json, "point", verdict->point_rank, verdict->point);
    json_integers(&json, "element", verdict->element_rank, verdict->element);
  }
  if (verdict->reason[0] != 0) json_string(&json, "reason", verdict->reason);
  json_end(&json);
}

void equiv_keep_result(EquivCommand *command, Arena *arena, const char *part, const char *name,
    Status status, const char *text) {
  const char *before = command->files[EQUIV_BEFORE], *after = command->files[EQUIV_AFTER];
  bool is_whole = command->module == 0 && strcmp(name, "pair") == 0; /* not of one module */
  const char *replay = arena_printf(arena, "%s\nreplay: affirm equiv %s%s%s%s", text,
      shell_path(arena, before), after != before ? " " : "",
      after != before ? shell_path(arena, after) : "", command->reads ? " --reads" : "");
  results_add(&command->results,
      &(Result){.part = part,
          .name = is_whole ? name
                           : arena_printf(arena, "module %u, %s",
                                 command->module == 0 ? 1 : command->module, name),
          .file = after,
          .status = status,
          .text = status == STATUS_PROVED ? "" : replay});
}

void equiv_fail_pair(EquivCommand *command, Arena *arena, const Error *error) {
  command->tally.lost++;
  command->tally.status = status_worse(command->tally.status, session_fail(error));
  equiv_keep_result(command, arena, command->reads ? "reads" : "values", "pair", STATUS_BAD,
      arena_printf(arena, "%s%s%s", error->name, error->name[0] == 0 ? "" : ": ", error->message));
}

void equiv_reject_pair(EquivCommand *command, Arena *arena, Error *error) {
  const char *const *files = command->files;
  bool is_one = files[EQUIV_BEFORE] == files[EQUIV_AFTER];
  if (error->name[0] == 0)
    error_take_name(error, arena_printf(arena, "%s%s%s", files[EQUIV_BEFORE], is_one ? "" : " and ",
                               is_one ? "" : files[EQUIV_AFTER]));
  equiv_fail_pair(command, arena, error);
}

bool equiv_print_nothing(const EquivCommand *command, Arena *arena, const char *why) {
  if (!command->json) return true;
  Text text = text_create(arena);
  Json json = equiv_json(command, &text);
  json_answer(&json, "answer", equiv_values_text(REASON_OPEN));
  json_string(&json, "reason", why);
  json_end(&json);
  return session_print(text.bytes);
}
