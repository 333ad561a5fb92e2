/* Walks modules and selects instructions. A text may contain several modules; each is parsed into
 * the arena, visited and freed. */
#include "cli/modules.h"

#include <stdio.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/report/json.h"
#include "cli/report/results.h"
#include "cli/text_kind.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/hlo/find.h"

/* `visited` counts the modules that could be parsed; `is_whole`: no visit ended the walk. */
typedef struct ModulesWalked {
  uint32_t visited;
  bool is_whole;
} ModulesWalked;

static Status report_unread(const Error *error, ModuleUnread *unread, void *state) {
  if (unread != nullptr) unread(state, error);
  return session_fail(error);
}

static Status visit_modules(Arena *arena, const Source *source, ModuleVisit *visit,
    ModuleUnread *unread, void *state, ModulesWalked *walked) {
  uint32_t count;
  Source *parts;
  Error error = {};
  *walked = (ModulesWalked){};
  if (!hlo_split(arena, source, &count, &parts, &error))
    return report_unread(&error, unread, state);
  Status status = STATUS_PROVED;
  bool goes_on = true;
  Progress progress = progress_begin("modules", count, count > 1);
  for (uint32_t i = 0; i < count && goes_on && !session_is_interrupted(); i++) {
    progress_at(&progress, i, source->name);
    ArenaMark mark = arena_mark(arena);
    const Module *module;
    error = (Error){};
    if (hlo_read(arena, &parts[i], &module, &error)) {
      goes_on = visit(state, arena, module, (ModulePosition){.number = i + 1, .count = count});
      walked->visited++;
    } else {
      status = report_unread(&error, unread, state);
      if (count == 1) text_kind_remedy(source, TEXT_OF_MODULES);
    }
    arena_rewind(arena, mark);
  }
  walked->is_whole = goes_on && !session_is_interrupted();
  return status;
}

Status modules_walk(
    Arena *arena, const Source *source, ModuleVisit *visit, ModuleUnread *unread, void *state) {
  ModulesWalked walked;
  return visit_modules(arena, source, visit, unread, state, &walked);
}

Status modules_walk_selected(Arena *arena, const Source *source, Selection *selection,
    ModuleVisit *visit, ModuleUnread *unread, void *state) {
  ModulesWalked walked;
  selection->is_found = false;
  selection->is_offered = true;
  Status status = visit_modules(arena, source, visit, unread, state, &walked);
  if (selection->instruction == nullptr || selection->is_found || !walked.is_whole ||
      walked.visited == 0)
    return status;
  (void)session_usage("%s: no instruction '%s'%s", source->name, selection->instruction,
      selection->kind == nullptr ? "" : selection->kind);
  selection->is_missing = true;
  return status;
}

bool module_print_heading(Arena *arena, const Module *module, ModulePosition position) {
  return position.count <= 1 ||
         session_print(arena_printf(arena, "# module %u: %s\n", position.number, module->name));
}

/* Prints `# file NAME` if the run has several files. */
static bool file_print_heading(Arena *arena, const Source *source, int files) {
  return files <= 1 || session_print(arena_printf(arena, "# file %s\n", source->name));
}

Status modules_walk_files(Arena *arena, int count, char **paths, bool has_headings,
    const char **name, Selection *selection, ModuleVisit *visit, void *state) {
  Status status = STATUS_PROVED;
  for (int i = 0; i < count && !session_is_interrupted(); i++) {
    ArenaMark mark = arena_mark(arena);
    Source source;
    Error error = {};
    bool is_read = file_read_text(arena, paths[i], file_limit, &source, &error);
    if (is_read) {
      *name = source.name;
      session_at("%s", source.name);
    }
    bool is_headed = !is_read || !has_headings || file_print_heading(arena, &source, count);
    status = status_worse(
        status, !is_headed ? STATUS_BAD
                : is_read  ? modules_walk_selected(arena, &source, selection, visit, nullptr, state)
                           : session_fail(&error));
    arena_rewind(arena, mark);
  }
  return status;
}

static void modules_add(Arena *arena, InstructionSelection *list, const Instruction *instruction) {
  *ARENA_PUSH(arena, list) = instruction;
}

/* A name that does not say which of several instructions is reported, and counts as missing. */
static void add_named(
    Arena *arena, const Module *module, Selection *selection, InstructionSelection *list) {
  const Instruction *found = nullptr;
  Error error = {};
  if (!instruction_find(module, selection->instruction, &found, &error)) {
    (void)session_usage("%s: %s", module->source->name, error.message);
    selection->is_found = selection->is_missing = true;
  }
  if (found == nullptr) return;
  modules_add(arena, list, found);
  selection->is_found = true;
}

/* Adds the root. If it is a tuple, also adds each of its operands once, except parameters and
 * constants. */
static void add_root(Arena *arena, InstructionSelection *list, const Instruction *root) {
  modules_add(arena, list, root);
  if (root->opcode != HLO_TUPLE) return;
  bool *is_added = ARENA_NEW(arena, bool, root->id + 1);
  for (uint32_t i = 0; i < root->operand_count; i++) {
    const Instruction *element = root->operands[i];
    if (is_added[element->id] || element->operand_count == 0) continue;
    is_added[element->id] = true;
    modules_add(arena, list, element);
  }
}

void module_select(
    Arena *arena, const Module *module, Selection *selection, InstructionSelection *list) {
  if (selection->instruction != nullptr) {
    add_named(arena, module, selection, list);
    return;
  }
  if (!selection->all) {
    if (module->entry != nullptr) add_root(arena, list, module->entry->root);
    return;
  }
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const Computation *computation = module->computations[i];
    for (uint32_t k = 0; k < computation->instruction_count; k++)
      if (computation->instructions[k]->operand_count > 0)
        modules_add(arena, list, computation->instructions[k]);
  }
}

void module_note_no_operand(const char *file, const Module *module, const Selection *selection,
    const InstructionSelection *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i]->operand_count > 0) return;
  if (list->count > 0)
    session_warn("%s: %s '%s' has no operand, so there is no map", file,
        selection->instruction == nullptr ? "the root" : "the instruction", list->items[0]->name);
  else if (selection->all)
    session_warn("%s: no instruction of module '%s' has an operand", file, module->name);
}

bool selection_read(const SelectionOptions *options, Selection *selection, QuestionFilter *filter) {
  int64_t questions = options->questions > 0 ? options->questions : selection_usual_questions,
          megabytes = options->megabytes > 0 ? options->megabytes : selection_usual_megabytes;
  *selection = (Selection){.instruction = options->instruction,
      .all = options->all,
      .most_questions = (uint64_t)questions,
      .most_bytes = (uint64_t)megabytes << 20};
  *filter = question_filter_all;
  filter->output = options->output;
  if (options->operand != nullptr &&
      !operand_parse(options->operand, &filter->operand, &filter->operand_leaf))
    return session_reject("--operand needs N or N.LEAF, not '%s'", options->operand);
  if (options->direction == nullptr) return true;
  filter->o2i = strcmp(options->direction, "o2i") == 0;
  filter->i2o = strcmp(options->direction, "i2o") == 0;
  if (filter->o2i || filter->i2o) return true;
  return session_reject("--direction is o2i or i2o, not '%s'", options->direction);
}

static bool is_past_a_limit(const Selection *selection, const Judge *judge) {
  return (selection->most_questions > 0 && selection->questions >= selection->most_questions) ||
         (selection->most_bytes > 0 && arena_bytes(judge->context->arena) > selection->most_bytes);
}

bool selection_next(
    Selection *selection, const Judge *judge, QuestionWalk *walk, Question *question) {
  if (!question_next(walk, question)) return false;
  if (selection->left_out == 0 && !is_past_a_limit(selection, judge)) {
    selection->questions++;
    return true;
  }
  do selection->left_out++;
  while (question_next(walk, question));
  return false;
}

void selection_questions(Arena *arena, Selection *selection, const Judge *judge,
    const QuestionFilter *filter, const Instruction *instruction, QuestionList *questions) {
  QuestionWalk walk = question_walk(instruction, filter);
  for (Question question; selection_next(selection, judge, &walk, &question);)
    *ARENA_PUSH(arena, questions) = question;
}

/* Prints to standard error, because another program may read standard output. */
static Status report_left_out(const Selection *selection) {
  if (selection->left_out == 0) return STATUS_PROVED;
  char text[160];
  snprintf(text, sizeof text,
      "%s left out, past the limit of %s (--questions) or %llu MB of maps (--megabytes)",
      counted(selection->left_out, "query"), counted(selection->most_questions, "query"),
      (unsigned long long)(selection->most_bytes >> 20));
  session_warn("incomplete: %s", text);
  json_count("left out", selection->left_out);
  results_set_incomplete(text);
  return STATUS_UNDECIDED;
}

/* Only modules have what is selected: maps and cases are judged whole. */
static Status reject_selection(const Selection *selection) {
  return session_usage("%s%sno module, so --%s selects nothing",
      selection->file == nullptr ? "" : selection->file, selection->file == nullptr ? "" : ": ",
      selection->instruction != nullptr ? "instruction" : "direction");
}

Status selection_end(const Selection *selection, const QuestionFilter *filter, Status status) {
  status = status_worse(status, report_left_out(selection));
  if (!selection->is_offered && !session_is_interrupted() && status != STATUS_BAD &&
      (selection->instruction != nullptr || filter->o2i != filter->i2o))
    return reject_selection(selection);
  if (selection->is_missing) return status_worse(status, STATUS_BAD);
  if (selection->questions > 0 || selection->left_out > 0 || session_is_interrupted() ||
      (filter->output < 0 && filter->operand < 0))
    return status;
  char output[40] = "", operand[60] = "", leaf[30] = "";
  if (filter->output >= 0)
    snprintf(output, sizeof output, " output %lld", (long long)filter->output);
  if (filter->operand_leaf > 0)
    snprintf(leaf, sizeof leaf, ".%lld", (long long)filter->operand_leaf);
  if (filter->operand >= 0)
    snprintf(operand, sizeof operand, " operand %lld%s", (long long)filter->operand, leaf);
  return status_worse(status,
      session_usage("%s%sno selected instruction has%s%s%s",
          selection->file == nullptr ? "" : selection->file, selection->file == nullptr ? "" : ": ",
          output, output[0] != 0 && operand[0] != 0 ? " and" : "", operand));
}
