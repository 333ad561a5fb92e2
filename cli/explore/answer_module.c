/* Judges modules by enumeration: the engine's maps, printed maps, or the values of two modules. */
#include "cli/explore/answer.h"
#include "cli/modules.h"
#include "judge/audit/audit.h"
#include "judge/graphs/equiv_open.h"

void explore_answer_module(ExploreAnswer *answer, const Module *module) {
  Selection selection = {.all = answer->all};
  InstructionSelection list = {};
  QuestionFilter filter = question_filter_all;
  Arena *arena = answer->text->arena;
  module_select(arena, module, &selection, &list);
  for (uint32_t i = 0; i < list.count; i++) {
    QuestionWalk walk = question_walk(list.items[i], &filter);
    for (Question question; question_next(&walk, &question);) {
      Judgement *judgement = ARENA_NEW(arena, Judgement, 1);
      judge_question(answer->derivations.judge, &question, judgement);
      explore_row_print(answer, judgement);
    }
  }
  if (answer->rows == 0) explore_paragraph(answer, "The root has no operand to ask about.");
}

static void answer_block(
    ExploreAnswer *answer, const Module *module, uint32_t number, const PrintedBlock *block) {
  Arena *arena = answer->text->arena;
  Audit *audit = audit_create(arena);
  const Instruction *instruction = audit_instruction(module, block);
  if (block->module != 0 && block->module != number)
    audit_set(audit, REASON_OPEN, "maps are judged for module %u only, not for module %u", number,
        block->module);
  else if (instruction == nullptr)
    audit_set(audit, REASON_MALFORMED, "the module has no instruction '%.200s' in '%.200s'",
        block->instruction, block->computation);
  else audit_block(answer->derivations.judge, arena, instruction, block, audit);
  if (audit->is_judged) {
    audit->judgement.answer = audit->answer;
    audit->judgement.reason = audit->text;
    explore_row_print(answer, &audit->judgement);
    return;
  }
  explore_row_begin(answer, judge_answer_status(audit->answer), judge_answer_text(audit->answer),
      arena_printf(arena, "the maps of line %u", block->line), "");
  explore_paragraph(answer, audit->text);
  explore_row_end(answer);
}

static bool is_answered_by(
    const Module *module, const Question *question, const PrintedBlock *block) {
  return audit_instruction(module, block) == question->instruction &&
         block->is_inverse == (question->direction == INPUT_TO_OUTPUT) &&
         block->output == question->output && block->operand == question->operand &&
         (block->operand_leaf < 0 || block->operand_leaf == question->operand_leaf);
}

/* A row for each question about the root without maps. Input to output is asked about only if the
 * text has such maps. */
static void answer_missing(ExploreAnswer *answer, const Module *module, const Printed *printed) {
  QuestionFilter filter = question_filter_all;
  filter.i2o = false;
  for (uint32_t i = 0; i < printed->count; i++)
    filter.i2o |= printed->items[i].is_inverse &&
                  audit_instruction(module, &printed->items[i]) == module->entry->root;
  QuestionWalk walk = question_walk(module->entry->root, &filter);
  for (Question question; question_next(&walk, &question);) {
    bool is_answered = false;
    for (uint32_t i = 0; i < printed->count && !is_answered; i++)
      is_answered = is_answered_by(module, &question, &printed->items[i]);
    if (is_answered) continue;
    Text heading = text_create(answer->text->arena);
    question_print_heading(&heading, &question);
    explore_row_begin(answer, STATUS_UNDECIDED, judge_answer_text(REASON_OPEN), heading.bytes, "");
    explore_paragraph(answer, "the text has no block for it");
    explore_row_end(answer);
  }
}

void explore_answer_printed(
    ExploreAnswer *answer, const Module *module, uint32_t number, const Source *source) {
  Printed printed;
  Error error = {};
  if (!printed_parse(answer->text->arena, source, &printed, &error)) {
    explore_error(answer, &error);
    return;
  }
  answer->derivations.is_of_others = true;
  for (uint32_t i = 0; i < printed.count; i++)
    answer_block(answer, module, number, &printed.items[i]);
  answer_missing(answer, module, &printed);
}

static const char *leaf_text(Arena *arena, const Shape *shape, uint32_t leaf) {
  return shape_is_tuple(shape) ? arena_printf(arena, "values of output %u: before and after", leaf)
                               : "values: before and after";
}

static void answer_values(ExploreAnswer *answer, const EquivValues *values, uint32_t leaf) {
  Arena *arena = answer->text->arena;
  EquivValuesVerdict *verdict = ARENA_NEW(arena, EquivValuesVerdict, 1);
  equiv_values_judge(values, leaf, verdict);
  const ValuesVerdict *by = &verdict->values;
  explore_row_begin(answer, equiv_values_status(verdict->answer),
      equiv_values_text(verdict->answer), leaf_text(arena, values->output, leaf), "");
  explore_paragraph(answer, verdict->reason);
  if (by->has_point) {
    Text point = text_create(arena);
    text_tuple(&point, by->rank, by->point);
    explore_paragraph(answer, arena_printf(arena, "first at %s", point.bytes));
  }
  if (by->values[0] != nullptr && by->values[1] != nullptr)
    explore_paragraph(
        answer, arena_printf(arena, "before %s, after %s, for %s", by->values[0], by->values[1],
                    by->inputs == nullptr ? "all inputs" : by->inputs));
  if (by->terms != nullptr) explore_paragraph(answer, by->terms);
  explore_row_end(answer);
}

void explore_answer_pair(ExploreAnswer *answer, const Module *before, const Module *after) {
  EquivValues values;
  Error error = {};
  if (!equiv_values_create(answer->text->arena, before, after, nullptr, &values, &error)) {
    explore_error(answer, &error);
    return;
  }
  for (uint32_t leaf = 0; leaf < values.leaf_count; leaf++) answer_values(answer, &values, leaf);
}
