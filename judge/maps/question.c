/* Questions by leaves: an array is one leaf, a tuple has the leaves of its shape in depth-first
 * order. */
#include "judge/maps/question.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool question_fits(int64_t wanted, uint32_t number) {
  return wanted < 0 || wanted == number;
}

/* For get-tuple-element from a tuple with more leaves, only the leaf's own pair is asked, as for a
 * tuple: all pairs would be too many. */
static constexpr uint32_t most_leaves_in_full = 64;

/* True if only pairs of the same position matter, among the many pairs of a tuple's outputs and
 * operands. */
static bool has_own_pairs(const Instruction *instruction) {
  if (instruction->opcode == HLO_TUPLE) return true;
  if (instruction->opcode != HLO_GET_TUPLE_ELEMENT) return false;
  const Shape *tuple = instruction->operands[0]->shape;
  return shape_leaf_count(tuple) > most_leaves_in_full && instruction->number >= 0 &&
         instruction->number <= tuple->element_count;
}

static void walk_begin_direction(QuestionWalk *walk, Direction direction) {
  const Instruction *instruction = walk->next.instruction;
  walk->next = (Question){.instruction = instruction, .direction = direction};
  if (walk->only_own && instruction->opcode == HLO_GET_TUPLE_ELEMENT)
    walk->next.operand_leaf =
        shape_leaf_offset(instruction->operands[0]->shape, (uint32_t)instruction->number);
}

QuestionWalk question_walk(const Instruction *instruction, const QuestionFilter *filter) {
  QuestionWalk walk = {.filter = *filter, .next = {.instruction = instruction}};
  bool is_named = filter->output >= 0 && filter->operand >= 0;
  walk.only_own = !is_named && has_own_pairs(instruction);
  walk.outputs = shape_leaf_count(instruction->shape);
  walk_begin_direction(&walk, filter->o2i ? OUTPUT_TO_INPUT : INPUT_TO_OUTPUT);
  walk.is_done = (!filter->o2i && !filter->i2o) || instruction->operand_count == 0;
  return walk;
}

static uint32_t operand_leaves(const Question *question) {
  return shape_leaf_count(question->instruction->operands[question->operand]->shape);
}

/* Skips operands without leaves. */
static void walk_own_settle(QuestionWalk *walk) {
  Question *next = &walk->next;
  while (next->operand < next->instruction->operand_count &&
         next->operand_leaf >= operand_leaves(next))
    next->operand++, next->operand_leaf = 0;
}

/* Skips operands that the filter excludes. */
static void walk_full_settle(QuestionWalk *walk) {
  Question *next = &walk->next;
  const uint32_t operands = next->instruction->operand_count;
  while (next->output < walk->outputs) {
    while (next->operand < operands) {
      if (question_fits(walk->filter.operand, next->operand) &&
          next->operand_leaf < operand_leaves(next))
        return;
      next->operand++, next->operand_leaf = 0;
    }
    next->output++, next->operand = next->operand_leaf = 0;
  }
}

static void walk_settle(QuestionWalk *walk) {
  if (walk->only_own) walk_own_settle(walk);
  else walk_full_settle(walk);
}

static void walk_step(QuestionWalk *walk) {
  walk->next.operand_leaf++;
  walk->next.output += walk->only_own;
}

static bool walk_is_wanted(const QuestionWalk *walk) {
  const QuestionFilter *filter = &walk->filter;
  const Question *next = &walk->next;
  return question_fits(filter->output, next->output) &&
         question_fits(filter->operand, next->operand) &&
         question_fits(filter->operand_leaf, next->operand_leaf);
}

bool question_next(QuestionWalk *walk, Question *question) {
  while (!walk->is_done) {
    walk_settle(walk);
    Question *next = &walk->next;
    bool is_there =
        next->output < walk->outputs && next->operand < next->instruction->operand_count;
    if (is_there) {
      *question = *next;
      bool is_wanted = walk_is_wanted(walk);
      walk_step(walk);
      if (is_wanted) return true;
      continue;
    }
    walk->is_done = next->direction == INPUT_TO_OUTPUT || !walk->filter.i2o;
    walk_begin_direction(walk, INPUT_TO_OUTPUT);
  }
  return false;
}

void questions_add(Arena *arena, const Instruction *instruction, const QuestionFilter *filter,
    QuestionList *list) {
  QuestionWalk walk = question_walk(instruction, filter);
  for (Question question; question_next(&walk, &question);) *ARENA_PUSH(arena, list) = question;
}

const char *direction_text(Direction direction) {
  return direction == OUTPUT_TO_INPUT ? "o2i" : "i2o";
}

static void print_operand(Text *text, const Question *question) {
  if (question->instruction->operand_count == 0) {
    text_string(text, "0");
    return;
  }
  const Shape *shape = question->instruction->operands[question->operand]->shape;
  text_printf(text, "%u", question->operand);
  if (shape_is_tuple(shape)) text_printf(text, ".%u", question->operand_leaf);
}

void question_print_heading(Text *text, const Question *question) {
  if (question->direction == OUTPUT_TO_INPUT) {
    text_printf(text, "Output %u operand ", question->output);
    print_operand(text, question);
  } else {
    text_string(text, "Operand ");
    print_operand(text, question);
    text_printf(text, " output %u", question->output);
  }
}

void instruction_print_path(Text *text, const Instruction *instruction) {
  const Computation *computation = instruction->parent;
  if (!computation->is_entry) text_printf(text, "%s/", computation->name);
  text_string(text, instruction->name);
}

void question_print_options(Text *text, const Question *question) {
  text_string(text, "--instruction ");
  instruction_print_path(text, question->instruction);
  text_printf(text, " --direction %s --output %u --operand ", direction_text(question->direction),
      question->output);
  print_operand(text, question);
}

static bool question_read_number(const char **text, int64_t *number) {
  if (**text < '0' || **text > '9') return false;
  char *end;
  errno = 0;
  long long value = strtoll(*text, &end, 10);
  if (errno != 0 || value > UINT32_MAX) return false;
  *number = value;
  *text = end;
  return true;
}

static bool read_operand(const char **text, int64_t *operand, int64_t *leaf) {
  *leaf = -1;
  if (!question_read_number(text, operand)) return false;
  if (**text != '.') return true;
  (*text)++;
  return question_read_number(text, leaf);
}

bool operand_parse(const char *text, int64_t *operand, int64_t *leaf) {
  return read_operand(&text, operand, leaf) && *text == 0;
}

static bool skip_word(const char **text, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0) return false;
  *text += length;
  return true;
}

static void skip_space(const char **text) {
  while (**text == ' ' || **text == '\t') (*text)++;
}

static bool read_question(
    const char **text, bool is_o2i, int64_t *output, int64_t *operand, int64_t *leaf) {
  skip_space(text);
  if (is_o2i ? !question_read_number(text, output) : !read_operand(text, operand, leaf))
    return false;
  skip_space(text);
  if (is_o2i ? !read_operand(text, operand, leaf) : !question_read_number(text, output))
    return false;
  skip_space(text);
  return **text == 0;
}

bool question_parse(
    const Source *source, const Instruction *instruction, Question *question, Error *error) {
  assert(source->text[source->length] == 0);
  const char *text = source->text;
  bool is_o2i = skip_word(&text, "o2i ");
  int64_t output = 0, operand = 0, leaf = -1;
  if ((!is_o2i && !skip_word(&text, "i2o ")) ||
      !read_question(&text, is_o2i, &output, &operand, &leaf))
    return error_at(error, ERROR_INPUT, source, (size_t)(text - source->text), 1,
        "expected `o2i OUTPUT OPERAND` or `i2o OPERAND OUTPUT`");
  bool is_generation = instruction->operand_count == 0 && operand == 0;
  if (output >= shape_leaf_count(instruction->shape) ||
      (operand >= instruction->operand_count && !is_generation))
    return error_at(error, ERROR_INPUT, source, 0, source->length, "%s has %s and %s",
        instruction->name, counted(shape_leaf_count(instruction->shape), "output"),
        counted(instruction->operand_count, "operand"));
  uint32_t leaves = is_generation ? 1 : shape_leaf_count(instruction->operands[operand]->shape);
  if (leaf >= leaves || leaves == 0)
    return error_at(error, ERROR_INPUT, source, 0, source->length, "operand %u of %s has %s",
        (uint32_t)operand, instruction->name, counted(leaves, "leaf"));
  *question = (Question){.instruction = instruction,
      .direction = is_o2i ? OUTPUT_TO_INPUT : INPUT_TO_OUTPUT,
      .output = (uint32_t)output,
      .operand = (uint32_t)operand,
      .operand_leaf = leaf < 0 ? 0 : (uint32_t)leaf};
  return true;
}
