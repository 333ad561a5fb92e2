/* Modules of a file, and the instructions in them that the user asked about. */
#ifndef CLI_MODULES_H
#define CLI_MODULES_H

#include "cli/session.h"
#include "core/hlo/read/read.h"

typedef struct Selection {
  const char *instruction; /* name, in any computation, the entry's first; nullptr: the entry's root
                              and, where that is a tuple, what stands in it */
  bool all;                /* every instruction that has operands */
  uint64_t asked;          /* questions so far */
  uint64_t most_asked, most_bytes; /* limits of a run: questions, and memory of maps; 0: none */
  uint64_t left_out;               /* questions past a limit */
} Selection;

typedef struct InstructionSelection {
  uint32_t count, capacity;
  const Instruction **items;
} InstructionSelection;

/* Which of the file's modules it is, from 1. */
typedef struct ModulePlace {
  uint32_t number, count;
} ModulePlace;

/* Called for each module of the file that could be read; false ends the walk. */
typedef bool ModuleVisit(void *state, Arena *arena, const Module *module, ModulePlace place);

/* Walks the modules of a text; a part that cannot be read is said on stderr and makes the status
 * STATUS_BAD, the others go on. The arena is rewound after each module. */
[[nodiscard]] Status modules_walk(
    Arena *arena, const Source *source, ModuleVisit *visit, void *state);

/* False when the named instruction is not there. */
[[nodiscard]] bool module_select(
    Arena *arena, const Module *module, const Selection *selection, InstructionSelection *list);

/* The options --instruction, --all, --output, --operand, --direction, as map and check take
 * them. */
typedef struct SelectionOptions {
  const char *instruction, *operand, *direction;
  bool all;
  int64_t output, questions, megabytes; /* of the last two 0 is the default */
} SelectionOptions;
static constexpr int64_t selection_usual_questions = 1 << 22, selection_usual_megabytes = 4096;
#define SELECTION_OPTIONS(settings) \
  {"instruction", OPTION_TEXT, &(settings).instruction, \
      "NAME: ask about this instruction instead of the entry's root", nullptr}, \
      {"all", OPTION_FLAG, &(settings).all, "ask about every instruction of every computation", nullptr}, \
      {"direction", OPTION_TEXT, &(settings).direction, "o2i|i2o: one direction instead of both", \
          nullptr}, \
      {"output", OPTION_NUMBER, &(settings).output, \
          "N: one output (the leaf of a tuple) instead of all", nullptr}, \
      {"questions", OPTION_NUMBER, &(settings).questions, \
          "N: most queries of a run; the others are reported as undecided (4194304)", nullptr}, \
      {"megabytes", OPTION_NUMBER, &(settings).megabytes, \
          "N: most memory of the maps in MB, checked after each query (4096)", nullptr}, \
  { \
    "operand", OPTION_TEXT, &(settings).operand, "N[.LEAF]: one operand instead of all", nullptr \
  }
[[nodiscard]] bool selection_read(
    const SelectionOptions *options, Selection *selection, QuestionFilter *filter);
/* The next question of the walk, counted. False at the end of the walk and past a limit; what is
 * left of the walk is then counted as left out. */
[[nodiscard]] bool selection_next(
    Selection *selection, const Judge *judge, QuestionWalk *walk, Question *question);
/* All of them, as a list. */
void selection_questions(Arena *arena, Selection *selection, const Judge *judge,
    const QuestionFilter *filter, const Instruction *instruction, QuestionList *questions);
/* An output or operand that stands nowhere is bad input, not a question less. Questions past a
 * limit are reported and open. */
[[nodiscard]] Status selection_end(
    const Selection *selection, const QuestionFilter *filter, Status status);

#endif
