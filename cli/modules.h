/* The modules of a file, and the instructions in them that the user selected. */
#ifndef CLI_MODULES_H
#define CLI_MODULES_H

#include "cli/session.h"
#include "core/hlo/read/read.h"

typedef struct Selection {
  const char *file;        /* for messages: the only file of the run, or nullptr */
  const char *instruction; /* name, searched in the entry first; nullptr: the entry's root and, if
                              that is a tuple, its operands */
  const char *kind;        /* what the named instruction has to be, for messages; or nullptr */
  bool is_found;           /* a module of the file has the named instruction */
  bool is_missing;         /* no module of some file has it, or one has several of the name */
  bool all;                /* every instruction with operands */
  bool is_offered;         /* a file was read as modules */
  uint64_t questions;      /* questions so far */
  uint64_t most_questions, most_bytes; /* limits of a run: questions, and bytes of maps; 0: none */
  uint64_t left_out;                   /* questions beyond a limit */
} Selection;

typedef struct InstructionSelection {
  uint32_t count, capacity;
  const Instruction **items;
} InstructionSelection;

/* The number of the module in its file, from 1. */
typedef struct ModulePosition {
  uint32_t number, count;
} ModulePosition;

/* Called for each module of the file that could be parsed; false ends the walk. */
typedef bool ModuleVisit(void *state, Arena *arena, const Module *module, ModulePosition position);

/* Called for each part of the file that could not be parsed. */
typedef void ModuleUnread(void *state, const Error *error);

/* Visits the modules of a text. A part that cannot be parsed is passed to `unread`, unless that is
 * nullptr, is reported on standard error and makes the status STATUS_BAD; the walk continues. The
 * arena is rewound after each module. */
[[nodiscard]] Status modules_walk(
    Arena *arena, const Source *source, ModuleVisit *visit, ModuleUnread *unread, void *state);

/* The same. A named instruction that no module of the file has is reported, and makes the status of
 * selection_end STATUS_BAD. */
[[nodiscard]] Status modules_walk_selected(Arena *arena, const Source *source, Selection *selection,
    ModuleVisit *visit, ModuleUnread *unread, void *state);

/* Prints `# module N: NAME` if the file has several modules. False if the output cannot be
 * written. */
[[nodiscard]] bool module_print_heading(
    Arena *arena, const Module *module, ModulePosition position);

/* The same for each file until an interrupt. `name` is set to the name of the current file, which
 * is printed before its rows if there are headings. */
[[nodiscard]] Status modules_walk_files(Arena *arena, int count, char **paths, bool has_headings,
    const char **name, Selection *selection, ModuleVisit *visit, void *state);

/* Adds what is selected; nothing if the module does not have the named instruction. */
void module_select(
    Arena *arena, const Module *module, Selection *selection, InstructionSelection *list);

/* Says on standard error that nothing that is selected has an operand, if so. */
void module_note_no_operand(const char *file, const Module *module, const Selection *selection,
    const InstructionSelection *list);

/* The options --instruction, --all, --output, --operand, --direction of map and check. */
typedef struct SelectionOptions {
  const char *instruction, *operand, *direction;
  bool all;
  int64_t output, questions, megabytes; /* questions and megabytes: 0 selects the default */
} SelectionOptions;
static constexpr int64_t selection_usual_questions = 1 << 22, selection_usual_megabytes = 4096;
#define SELECTION_OPTIONS(settings) \
  {"instruction", OPTION_TEXT, &(settings).instruction, \
      "NAME, or COMPUTATION/NAME: ask about this instruction instead of the entry's root", \
      nullptr}, \
      {"all", OPTION_FLAG, &(settings).all, "ask about every instruction of every computation", \
          nullptr}, \
      {"direction", OPTION_TEXT, &(settings).direction, "o2i|i2o: one direction instead of both", \
          nullptr}, \
      {"output", OPTION_NUMBER, &(settings).output, \
          "N: one output (the leaf of a tuple) instead of all", nullptr}, \
      {"questions", OPTION_COUNT, &(settings).questions, \
          "N: maximum number of queries of a run; the others are reported as undecided (4194304)", \
          nullptr}, \
      {"megabytes", OPTION_COUNT, &(settings).megabytes, \
          "N: memory limit of the maps in MB, checked after each query (4096)", nullptr}, \
  { \
    "operand", OPTION_TEXT, &(settings).operand, "N[.LEAF]: one operand instead of all", nullptr \
  }
[[nodiscard]] bool selection_read(
    const SelectionOptions *options, Selection *selection, QuestionFilter *filter);
/* Returns the walk's next question, counted. False at the end of the walk, and past a limit; the
 * rest of the walk is then counted as left out. */
[[nodiscard]] bool selection_next(
    Selection *selection, const Judge *judge, QuestionWalk *walk, Question *question);
/* All questions as a list. */
void selection_questions(Arena *arena, Selection *selection, const Judge *judge,
    const QuestionFilter *filter, const Instruction *instruction, QuestionList *questions);
/* A named instruction that no module of a file has is bad input, and so is an output or operand
 * that no instruction has. Questions past a limit are reported and open. */
[[nodiscard]] Status selection_end(
    const Selection *selection, const QuestionFilter *filter, Status status);

#endif
