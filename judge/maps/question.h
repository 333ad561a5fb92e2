/* One question to the engine and its judges: the maps between one output leaf and one operand leaf
 * of an instruction, in one direction. The questions about an instruction have a fixed order, so
 * that a run can be repeated and split. */
#ifndef JUDGE_MAPS_QUESTION_H
#define JUDGE_MAPS_QUESTION_H

#include "core/base/text.h"
#include "core/hlo/graph.h"

typedef enum Direction : uint8_t { OUTPUT_TO_INPUT, INPUT_TO_OUTPUT } Direction;

typedef struct Question {
  const Instruction *instruction;
  Direction direction;
  uint32_t output, operand, operand_leaf; /* output: a leaf of the instruction's shape */
} Question;

/* Selects questions. -1 selects every number. */
typedef struct QuestionFilter {
  bool o2i, i2o;
  int64_t output, operand, operand_leaf;
} QuestionFilter;
static constexpr QuestionFilter question_filter_all = {
    .o2i = true, .i2o = true, .output = -1, .operand = -1, .operand_leaf = -1};

typedef struct QuestionList {
  uint32_t count, capacity;
  Question *items;
} QuestionList;

/* Lists the selected questions about an instruction one at a time: first all o2i, then all i2o, by
 * output, operand and leaf. For a tuple, each output is paired with the operand leaf of its own
 * position, because all other pairs are empty; the filter may name another pair. The same holds for
 * get-tuple-element from more than 64 leaves. A walk over n leaves takes n steps and no memory. */
typedef struct QuestionWalk {
  QuestionFilter filter;
  Question next;
  uint32_t outputs;
  bool only_own, is_done;
} QuestionWalk;
[[nodiscard]] QuestionWalk question_walk(
    const Instruction *instruction, const QuestionFilter *filter);
[[nodiscard]] bool question_next(QuestionWalk *walk, Question *question);

/* All of them, as a list. */
void questions_add(
    Arena *arena, const Instruction *instruction, const QuestionFilter *filter, QuestionList *list);

/* "o2i", "i2o" */
[[nodiscard]] const char *direction_text(Direction direction);
/* `Output 0 operand 1:` as in print_indexing, or `Operand 1 output 0:`; operand leaves as 1.2. */
void question_print_heading(Text *text, const Question *question);
/* The name in the entry, or COMPUTATION/NAME: several computations may have an instruction of one
 * name. */
void instruction_print_path(Text *text, const Instruction *instruction);
/* The options that repeat the question: `--instruction NAME --direction o2i --output 0 --operand
 * 1` */
void question_print_options(Text *text, const Question *question);
/* Parses `o2i OUTPUT OPERAND` or `i2o OPERAND OUTPUT`, OPERAND as 1 or 1.2, about the given
 * instruction. Operand 0 of an instruction without operands denotes its generation (index.h): the
 * engine answers, and there is nothing to judge. */
[[nodiscard]] bool question_parse(
    const Source *source, const Instruction *instruction, Question *question, Error *error);
/* Parses OPERAND alone: N or N.LEAF; leaf is -1 if none is given. */
[[nodiscard]] bool operand_parse(const char *text, int64_t *operand, int64_t *leaf);

#endif
