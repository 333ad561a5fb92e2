/* Pairs the graphs to compare: modules of two files by position, modules of one file two by two. */
#include "cli/equiv/equiv.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/hlo/read/read.h"

typedef struct Modules {
  uint32_t count;
  Source *parts;
} Modules;

static void equiv_files_note(EquivCommand *command, const EquivVerdict *verdict) {
  bool accepted = equiv_is_accepted(command, verdict);
  command->tally.questions++;
  command->tally.counts[verdict->answer]++;
  command->tally.unread += verdict->is_unread;
  command->tally.accepted += accepted;
  command->tally.status = status_worse(
      command->tally.status, accepted ? STATUS_PROVED : equiv_answer_status(verdict->answer));
}

static bool is_selected(const EquivCommand *command, EquivPair pair) {
  if (command->output >= 0 && command->output != pair.output) return false;
  return command->parameter == nullptr ||
         equiv_is_named(command->only_parameter, command->only_leaf, pair);
}

static bool equiv_files_answer(
    EquivCommand *command, Arena *arena, const EquivPairs *pairs, uint32_t at) {
  const EquivPair pair = pairs->items[at];
  ArenaMark mark = arena_mark(arena);
  EquivVerdict *verdict = ARENA_NEW(arena, EquivVerdict, 1);
  Text json = text_create(arena), row = text_create(arena);
  session_item(at, pairs->count, "questions", "output %u and parameter %u of %s", pair.output,
      pair.parameter, command->files[EQUIV_BEFORE]);
  equiv_judge(&command->equiv, pair, verdict);
  equiv_files_note(command, verdict);
  equiv_print_row(command, &row, verdict);
  equiv_keep_result(command, arena, "reads",
      arena_printf(
          arena, "output %u, parameter %u.%u", pair.output, pair.parameter, pair.parameter_leaf),
      equiv_is_accepted(command, verdict) ? STATUS_PROVED : equiv_answer_status(verdict->answer),
      row.bytes);
  if (command->json) equiv_print_json(command, &json, verdict);
  bool is_written = session_print(command->json ? json.bytes : verdict->is_unread ? "" : row.bytes);
  equiv_progress_keep(command, true);
  arena_rewind(arena, mark);
  if (session_is_interrupted())
    command->tally.status = status_worse(command->tally.status, STATUS_UNDECIDED);
  return is_written && !session_is_interrupted();
}

/* A run without any question has proved nothing. */
static bool report_no_question(EquivCommand *command, Arena *arena, uint32_t pairs) {
  Status status = session_usage("%s: nothing to compare: %s", command->files[EQUIV_BEFORE],
      pairs > 0 ? "no such output or parameter" : "no output or no parameter has elements");
  bool is_usage = pairs > 0 || command->output >= 0 || command->parameter != nullptr;
  command->tally.status = status_worse(command->tally.status, is_usage ? status : STATUS_UNDECIDED);
  return is_usage || equiv_print_nothing(command, arena, "no output or no parameter has elements");
}

static bool has_more_parameter(const EquivCommand *command, const EquivPairs *pairs) {
  for (uint32_t i = 0; i < pairs->count; i++)
    if (equiv_is_named(command->more_parameter, command->more_leaf, pairs->items[i])) return true;
  return false;
}

static void report_no_more(EquivCommand *command) {
  if (command->with_more == 0 && command->without_more > 0)
    command->tally.status = status_worse(command->tally.status,
        session_usage("%s: no parameter is that of --more", command->files[EQUIV_BEFORE]));
}

static bool answer_all(EquivCommand *command, Arena *arena) {
  EquivPairs pairs = {};
  uint64_t questions = command->tally.questions;
  equiv_pairs(&command->equiv, arena, &pairs);
  if (command->has_more && pairs.count > 0)
    ++*(has_more_parameter(command, &pairs) ? &command->with_more : &command->without_more);
  for (uint32_t i = 0; i < pairs.count; i++)
    if (is_selected(command, pairs.items[i]) && !equiv_files_answer(command, arena, &pairs, i))
      return false;
  return command->tally.questions != questions || report_no_question(command, arena, pairs.count);
}

static bool say_heading(
    const EquivCommand *command, Arena *arena, const Module *before, const Module *after) {
  bool is_alone = command->module_count == 1 && command->directory == nullptr;
  if (command->json || is_alone) return true;
  return session_print(arena_printf(
      arena, "%s: %s and %s\n", command->files[EQUIV_BEFORE], before->name, after->name));
}

static bool compare_modules(
    EquivCommand *command, Arena *arena, const Source *before, const Source *after) {
  const Module *modules[2];
  Error error = {};
  MapMark mark = map_context_mark(command->judge->context);
  command->tally.graphs++;
  bool goes_on = true;
  if (!hlo_read(arena, before, &modules[EQUIV_BEFORE], &error) ||
      !hlo_read(arena, after, &modules[EQUIV_AFTER], &error))
    equiv_fail_pair(command, arena, &error);
  else if (!command->reads)
    goes_on = say_heading(command, arena, modules[EQUIV_BEFORE], modules[EQUIV_AFTER]) &&
              equiv_answer_values(command, arena, modules[EQUIV_BEFORE], modules[EQUIV_AFTER]);
  else if (!equiv_create(command->judge, arena, modules[EQUIV_BEFORE], modules[EQUIV_AFTER],
               &command->equiv, &error))
    equiv_reject_pair(command, arena, &error);
  else
    goes_on = say_heading(command, arena, modules[EQUIV_BEFORE], modules[EQUIV_AFTER]) &&
              answer_all(command, arena);
  indexer_reset(command->judge->indexer);
  map_context_rewind(command->judge->context, mark);
  return goes_on;
}

static bool read_modules(Arena *arena, const char *path, Modules *modules, Error *error) {
  Source *source = ARENA_NEW(arena, Source, 1);
  return file_read_text(arena, path, file_limit, source, error) &&
         hlo_split(arena, source, &modules->count, &modules->parts, error);
}

/* Reads the modules of one file in pairs. */
static bool read_pairs(
    Arena *arena, const char *path, Modules *before, Modules *after, Error *error) {
  Modules all;
  if (!read_modules(arena, path, &all, error)) return false;
  if (all.count == 0 || all.count % 2 != 0)
    return error_of_file(error, ERROR_INPUT, path,
        "%s in it; a single file needs pairs of modules, before and after",
        counted(all.count, "module"));
  *before = (Modules){all.count / 2, ARENA_NEW(arena, Source, all.count / 2)};
  *after = (Modules){all.count / 2, ARENA_NEW(arena, Source, all.count / 2)};
  for (uint32_t i = 0; i < all.count; i++)
    (i % 2 == 0 ? before : after)->parts[i / 2] = all.parts[i];
  return true;
}

/* `is_found`: the files are entries of a directory. */
static bool read_both(Arena *arena, bool is_found, const char *first, const char *second,
    Modules *before, Modules *after, Error *error) {
  if (is_found && (!file_check_regular(first, error) || !file_check_regular(second, error)))
    return false;
  if (first == second) return read_pairs(arena, first, before, after, error);
  if (!read_modules(arena, first, before, error) || !read_modules(arena, second, after, error))
    return false;
  return before->count == after->count ||
         error_of_file(error, ERROR_INPUT, second,
             "%s in it, and %u in %s; equiv pairs them by position",
             counted(after->count, "module"), before->count, first);
}

bool equiv_compare(EquivCommand *command, Arena *arena, const char *before, const char *after) {
  Modules modules[2] = {};
  Error error = {};
  command->files[EQUIV_BEFORE] = before;
  command->files[EQUIV_AFTER] = after;
  session_at("%s", before);
  if (!read_both(arena, command->directory != nullptr, before, after, &modules[EQUIV_BEFORE],
          &modules[EQUIV_AFTER], &error)) {
    command->module = 0;
    command->tally.graphs++;
    equiv_fail_pair(command, arena, &error);
    return true;
  }
  command->module_count = modules[EQUIV_BEFORE].count;
  command->with_more = command->without_more = 0;
  for (uint32_t i = 0; i < command->module_count; i++) {
    ArenaMark mark = arena_mark(arena);
    command->module = i + 1;
    bool goes_on = compare_modules(
        command, arena, &modules[EQUIV_BEFORE].parts[i], &modules[EQUIV_AFTER].parts[i]);
    equiv_progress_keep(command, false);
    arena_rewind(arena, mark);
    if (!goes_on) return false;
  }
  report_no_more(command);
  return true;
}
