/* affirm emit: writes the maps of a module for other tools. Each is named
 * INSTRUCTION_o2i_output_N_operand_N_map_N; equal names get a number (emit_names.h). A comment says
 * of which instruction and computation a map is, and why it contains more than what is read.
 * affine: a module of MLIR's affine dialect with a function for each map, verified by MLIR before
 * printing. isl: domain, schedule and reads of one statement for each map. smt2: one predicate for
 * each map.
 * A file with several modules is one output: names differ in all of it, a comment begins each
 * module. MLIR's text is verified as a whole at the end; isl's numbers of statements go on, and its
 * names of module N end in _N.
 * Some maps are left out: those that do not exist, and those that a form cannot express, as when
 * MLIR's int64 arithmetic might give another value. A remark states the reason, and the exit status
 * is not 0. */
#include "cli/commands.h"
#include "cli/map/emit_names.h"
#include "cli/modules.h"
#include "cli/options.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/adapters/isl/relation.h"
#include "core/adapters/mlir/load.h"
#include "smt/terms/map_text.h"

typedef enum EmitForm : uint32_t { EMIT_AFFINE, EMIT_ISL, EMIT_SMT2 } EmitForm;
static const char *const forms[] = {
    [EMIT_AFFINE] = "affine", [EMIT_ISL] = "isl", [EMIT_SMT2] = "smt2", nullptr};
static const char *const comments[] = {[EMIT_AFFINE] = "//", [EMIT_ISL] = "#", [EMIT_SMT2] = ";"};

typedef struct NamedMaps {
  uint32_t count, capacity;
  NamedMap *items;
} NamedMaps;

typedef struct EmitCommand {
  SelectionOptions selected;
  Selection selection;
  QuestionFilter filter;
  bool raw, canonical;
  uint32_t form;
  Judge *judge;
  const MlirLibrary *mlir;
  const char *file;
  Status status;
  bool has_logic;      /* already printed; smt2 only */
  uint32_t statements; /* printed so far; isl only */
  EmitNames names;
  bool is_joined;     /* MLIR's text of several modules, printed at the end */
  Text comments_only; /* joined, what MLIR's canonical form would lose */
  Text joined;
} EmitCommand;

static void leave_out(EmitCommand *command, Text *text, const NamedMap *what, const char *why) {
  text_printf(
      text, "%s left out: %s, %s: %s\n", comments[command->form], what->name, what->of, why);
  command->status = status_worse(command->status, STATUS_UNDECIDED);
}

static NamedMap named_map(
    EmitCommand *command, Arena *arena, const Question *question, uint32_t at, const Map *map) {
  const Instruction *instruction = question->instruction;
  const char *wanted = arena_printf(arena, "%s_%s_output_%u_operand_%u_%u_map_%u",
      instruction->name, direction_text(question->direction), question->output, question->operand,
      question->operand_leaf, at);
  return (NamedMap){.name = emit_names_add(&command->names, wanted),
      .map = map,
      .of = arena_printf(arena, "%s in %s", instruction->name, instruction->parent->name)};
}

/* No map at all is the empty relation. */
static void emit_gather(
    EmitCommand *command, Arena *arena, const Question *question, NamedMaps *named, Text *remarks) {
  MapSet maps;
  Error error = {};
  bool answered = judge_query_engine(command->judge, question, &maps, &error);
  if (!answered || maps.claim == INDEX_UNDEFINED) {
    NamedMap none = named_map(command, arena, question, 0, nullptr);
    leave_out(command, remarks, &none, answered ? maps.reason : error.message);
    return;
  }
  for (uint32_t i = 0; i < maps.count; i++) {
    NamedMap *one = ARENA_PUSH(arena, named);
    *one = named_map(command, arena, question, i, maps.maps[i]);
    if (maps.claim == INDEX_OVER_APPROXIMATION)
      one->of = arena_printf(arena, "%s; over-approximation: %s", one->of, maps.reason);
  }
  if (maps.count == 0)
    *ARENA_PUSH(arena, named) =
        named_map(command, arena, question, 0, map_known_empty(command->judge->context));
}

/* Keeps the maps that MLIR accepts on its own; the others become remarks. */
static void sift(
    EmitCommand *command, Arena *arena, AffineForm form, NamedMaps *named, Text *remarks) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < named->count; i++) {
    ArenaMark mark = arena_mark(arena);
    Text alone = text_create(arena);
    Error error = {};
    bool taken = command->mlir->affine_emit(
        command->judge->context, 1, &named->items[i], form, &alone, &error);
    arena_rewind(arena, mark);
    if (taken) named->items[kept++] = named->items[i];
    else leave_out(command, remarks, &named->items[i], error.message);
  }
  named->count = kept;
}

static void emit_smt2(EmitCommand *command, const NamedMaps *named, Text *remarks, Text *text) {
  for (uint32_t i = 0; i < named->count; i++) {
    const NamedMap *one = &named->items[i];
    Text alone = text_create(text->arena);
    Error error = {};
    if (map_smtlib(&alone, command->judge->context, one->name, one->map, true, &error))
      text_printf(text, "; %s\n%s", one->of, alone.bytes);
    else leave_out(command, remarks, one, error.message);
  }
}

/* Prints one text with all maps that isl's form can express. */
static void emit_isl(
    EmitCommand *command, Arena *arena, uint32_t module, NamedMaps *named, Text *text, Text *head) {
  const char **names = ARENA_NEW(arena, const char *, named->count);
  const Map **maps = ARENA_NEW(arena, const Map *, named->count);
  RelationPart part = {.first = command->statements,
      .suffix = module == 1 ? "" : arena_printf(arena, "_%u", module)};
  Text list = text_create(arena);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < named->count; i++) {
    Text alone = text_create(arena);
    Error error = {};
    names[kept] = named->items[i].name;
    maps[kept] = named->items[i].map;
    if (!relation_emit(
            command->judge->context, nullptr, 1, &names[kept], &maps[kept], &alone, &error)) {
      leave_out(command, head, &named->items[i], error.message);
      continue;
    }
    text_printf(&list, "# S%u: %s\n", command->statements++, named->items[i].of);
    kept++;
  }
  Error error = {};
  text_string(head, list.bytes);
  if (kept > 0 && !relation_emit(command->judge->context, &part, kept, names, maps, text, &error))
    command->status = status_worse(command->status, session_fail(&error));
}

static void emit_affine(
    EmitCommand *command, Arena *arena, NamedMaps *named, Text *text, Text *head) {
  AffineForm form = command->canonical ? AFFINE_CANONICAL : AFFINE_AS_STATED;
  const MapContext *context = command->judge->context;
  Error error = {};
  bool done = command->mlir->affine_emit(context, named->count, named->items, form, text, &error);
  if (!done) {
    sift(command, arena, form, named, head);
    error = (Error){};
    done = command->mlir->affine_emit(context, named->count, named->items, form, text, &error);
  }
  if (done && command->canonical && command->is_joined) {
    *text = text_create(arena);
    done = command->mlir->affine_emit(
        context, named->count, named->items, AFFINE_AS_STATED, text, &error);
  }
  if (!done) command->status = status_worse(command->status, session_fail(&error));
  for (uint32_t i = 0; command->canonical && i < named->count; i++)
    text_printf(head, "// %s: %s\n", named->items[i].name, named->items[i].of);
}

/* Text of MLIR is kept, if there are several modules. */
static bool emit_put(EmitCommand *command, const Text *head, const Text *text) {
  if (!command->is_joined) return session_print(head->bytes) && session_print(text->bytes);
  text_string(command->canonical ? &command->comments_only : &command->joined, head->bytes);
  text_string(&command->joined, text->bytes);
  return true;
}

static void emit_joined(EmitCommand *command, Arena *arena) {
  AffineForm form = command->canonical ? AFFINE_CANONICAL : AFFINE_AS_STATED;
  Text text = text_create(arena);
  Error error = {};
  if (!command->mlir->affine_whole(&command->joined, form, &text, &error))
    command->status = status_worse(command->status, session_fail(&error));
  else if (session_print(command->comments_only.bytes)) (void)session_print(text.bytes);
}

static bool emit_visit(void *state, Arena *arena, const Module *module, ModulePosition position) {
  EmitCommand *command = state;
  MapMark mark = map_context_mark(command->judge->context);
  InstructionSelection list = {};
  NamedMaps named = {};
  Text head = text_create(arena), text = text_create(arena);
  command->is_joined = command->form == EMIT_AFFINE && position.count > 1;
  if (command->form == EMIT_SMT2 && !command->has_logic) text_string(&head, "(set-logic ALL)\n");
  command->has_logic = true;
  if (position.count > 1)
    text_printf(
        &head, "%s module %u: %s\n", comments[command->form], position.number, module->name);
  module_select(arena, module, &command->selection, &list);
  module_note_no_operand(command->file, module, &command->selection, &list);
  for (uint32_t i = 0; i < list.count; i++) {
    QuestionList questions = {};
    session_item(i, list.count, "instructions", "%s of %s", list.items[i]->name, command->file);
    selection_questions(
        arena, &command->selection, command->judge, &command->filter, list.items[i], &questions);
    for (uint32_t k = 0; k < questions.count; k++)
      emit_gather(command, arena, &questions.items[k], &named, &head);
  }
  if (command->form == EMIT_AFFINE) emit_affine(command, arena, &named, &text, &head);
  if (command->form == EMIT_ISL) emit_isl(command, arena, position.number, &named, &text, &head);
  if (command->form == EMIT_SMT2) emit_smt2(command, &named, &head, &text);
  indexer_reset(command->judge->indexer);
  map_context_rewind(command->judge->context, mark);
  return emit_put(command, &head, &text) && !session_is_interrupted();
}

static Status emit_run(EmitCommand *command, const char *path) {
  Error error = {};
  if (command->form == EMIT_AFFINE && !mlir_library(&command->mlir, &error))
    return session_fail(&error);
  command->judge = judge_create(
      &(JudgeOptions){.raw = command->raw, .without_oracle = true, .without_smt = true}, &error);
  if (command->judge == nullptr) return session_fail(&error);
  Arena *arena = arena_create(), *kept = arena_create();
  command->names = (EmitNames){.arena = kept};
  command->comments_only = text_create(kept);
  command->joined = text_create(kept);
  Source source;
  command->selection.file = path;
  if (file_read_text(arena, path, file_limit, &source, &error)) {
    command->file = source.name;
    Status status =
        modules_walk_selected(arena, &source, &command->selection, emit_visit, nullptr, command);
    command->status = status_worse(status, command->status);
    if (command->is_joined) emit_joined(command, kept);
  } else {
    command->status = session_fail(&error);
  }
  arena_destroy(arena);
  arena_destroy(kept);
  judge_destroy(command->judge);
  return selection_end(&command->selection, &command->filter, command->status);
}

int cli_emit(int argc, char **argv) {
  EmitCommand command = {.selected.output = -1};
  const Option options[] = {
      {"form", OPTION_CHOICE, &command.form,
          "FORM: affine (MLIR's affine dialect, the default), isl (domain, schedule, reads) or smt2 (SMT-LIB predicates)",
          forms},
      {"canonical", OPTION_FLAG, &command.canonical,
          "print the result of MLIR's own canonicalization; only with --form affine", nullptr},
      {"raw", OPTION_FLAG, &command.raw, "print the composed maps, not simplified", nullptr},
      SELECTION_OPTIONS(command.selected),
  };
  const Command table = {.usage = "emit FILE.hlo [OPTION]...",
      .about =
          "Writes the maps of a module for other tools. MLIR verifies the affine form before it is printed.",
      OPTION_TABLE(options),
      .contrary = "all instruction"};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (!selection_read(&command.selected, &command.selection, &command.filter)) return STATUS_BAD;
  if (command.canonical && command.form != EMIT_AFFINE)
    return session_end(session_usage("--canonical is only for --form affine"));
  if (first + 1 != argc)
    return session_end(session_usage("emit needs one file; - reads standard input"));
  session_catch_signals();
  return session_end(emit_run(&command, argv[first]));
}
