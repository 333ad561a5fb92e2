/* affirm equiv for values: a row for each output that is not the same, and one row for all that
 * are. */
#include "cli/equiv/equiv.h"
#include "cli/session_guard.h"
#include "judge/graphs/equiv_open.h"

static void equiv_print_values(Text *text, uint32_t output, const EquivValuesVerdict *both) {
  const ValuesVerdict *verdict = &both->values;
  text_printf(text, "  %-11s  %-12s  %-10s  output %u", equiv_values_text(both->answer),
      verdict->by == nullptr ? "-" : verdict->by, both->judges == nullptr ? "-" : both->judges,
      output);
  if (verdict->has_point) {
    text_string(text, " element ");
    text_tuple(text, verdict->rank, verdict->point);
  }
  if (verdict->values[0] != nullptr)
    text_printf(text, ": %s before, %s after, where %s", verdict->values[0], verdict->values[1],
        verdict->inputs);
  if (verdict->element != nullptr) text_printf(text, ": %s is read on one side", verdict->element);
  if (both->reason[0] != 0) text_printf(text, ": %s", both->reason);
  if (verdict->laws != nullptr) text_printf(text, ": %s", verdict->laws);
  text_string(text, "\n");
  if (verdict->terms != nullptr) text_printf(text, "               %s\n", verdict->terms);
}

static void print_values_json(
    Text *text, const EquivCommand *command, uint32_t output, const EquivValuesVerdict *both) {
  const ValuesVerdict *verdict = &both->values;
  Json json = equiv_json(command, text);
  json_integer(&json, "output", output);
  json_answer(&json, "answer", equiv_values_text(both->answer));
  if (verdict->by != nullptr) json_string(&json, "by", verdict->by);
  if (both->judges != nullptr) json_string(&json, "judges", both->judges);
  if (verdict->has_point) json_integers(&json, "point", verdict->rank, verdict->point);
  json_values(&json, verdict);
  if (verdict->element != nullptr) json_string(&json, "element", verdict->element);
  if (verdict->stopped != nullptr) json_string(&json, "stopped", verdict->stopped);
  if (both->reason[0] != 0) json_string(&json, "reason", both->reason);
  json_end(&json);
}

/* A run without any question has proved nothing. */
static bool nothing_compared(EquivCommand *command, Arena *arena) {
  Status status = session_usage("%s: nothing to compare: no such output, or none that is an array",
      command->files[EQUIV_BEFORE]);
  command->tally.status =
      status_worse(command->tally.status, command->output >= 0 ? status : STATUS_UNDECIDED);
  return command->output >= 0 || equiv_print_nothing(command, arena, "no output is an array");
}

static bool answer_output(
    EquivCommand *command, Arena *arena, const EquivValues *values, uint32_t output) {
  EquivValuesVerdict *verdict = ARENA_NEW(arena, EquivValuesVerdict, 1);
  session_item(output, values->leaf_count, "outputs", "output %u of %s", output,
      command->files[EQUIV_BEFORE]);
  equiv_values_judge(values, output, verdict);
  command->tally.questions++;
  command->tally.values[verdict->answer]++;
  command->tally.status = status_worse(command->tally.status, equiv_values_status(verdict->answer));
  Text json = text_create(arena), row = text_create(arena);
  equiv_print_values(&row, output, verdict);
  equiv_keep_result(command, arena, "values", arena_printf(arena, "output %u", output),
      equiv_values_status(verdict->answer), row.bytes);
  if (command->json) print_values_json(&json, command, output, verdict);
  bool is_written = session_print(command->json ? json.bytes : row.bytes);
  equiv_progress_keep(command, true);
  return is_written;
}

static bool answer_outputs(EquivCommand *command, Arena *arena, const EquivValues *values) {
  uint64_t questions = command->tally.questions;
  for (uint32_t i = 0; i < values->leaf_count; i++) {
    if (!shape_leaf_has_value(shape_leaf(values->output, i)) ||
        (command->output >= 0 && command->output != i))
      continue;
    if (!answer_output(command, arena, values, i)) return false;
    if (session_is_interrupted()) {
      command->tally.status = status_worse(command->tally.status, STATUS_UNDECIDED);
      return false;
    }
  }
  return command->tally.questions != questions || nothing_compared(command, arena);
}

bool equiv_answer_values(
    EquivCommand *command, Arena *arena, const Module *before, const Module *after) {
  EquivValues values;
  Error error = {};
  if (!equiv_values_open(arena, before, after, &(ValuesLimits){.grade = command->grade},
          command->judge->smt, &values, &error)) {
    equiv_reject_pair(command, arena, &error);
    return true;
  }
  bool goes_on = answer_outputs(command, arena, &values);
  equiv_values_close(&values);
  return goes_on;
}
