/* Prints one judgement as a counterexample, one field per line:
 *     wrong: o2i of r, output 0, operand 0 (p0), modules/r.hlo:4
 *       instruction  r = f32[4]{0} reverse(p0), dimensions={0}
 *       map          (d0) -> (-d0 + 4), domain: d0 in [0, 3]
 *       point        (0)
 *       element      (3)
 *       oracle       output (0) reads operand element (3), which no map gives
 *       replay       affirm check modules/r.hlo --instruction r --direction o2i --output 0
 *                    --operand 0 */
#include "judge/maps/counterexample.h"

#include <assert.h>

#include "core/base/foreign.h"
#include "core/hlo/print/print.h"
#include "core/map/text.h"
#include "judge/maps/witness.h"
#include "judge/obligations/obligation.h"

uint32_t source_line(const Source *source, size_t offset) {
  uint32_t line = source->first_line == 0 ? 1 : source->first_line;
  for (size_t i = 0; i < offset && i < source->length; i++) line += source->text[i] == '\n';
  return line;
}

static void field(Text *text, const char *name) { text_printf(text, "  %-12s ", name); }

static void print_index(Text *text, const char *name, uint32_t rank, const int64_t *index) {
  field(text, name);
  text_tuple(text, rank < oracle_max_rank ? rank : oracle_max_rank, index);
  text_string(text, "\n");
}

static void print_judges(Text *text, const Judgement *judgement) {
  for (uint32_t i = 0; i < judge_count; i++) {
    if (!judge_has_answered(judgement->by, (JudgeId)i) || verdict_text(&judgement->by[i])[0] == 0)
      continue;
    field(text, judge_row((JudgeId)i)->name);
    text_printf(text, "%s\n", verdict_text(&judgement->by[i]));
  }
}

static void print_maps(Text *text, const Judge *judge, const Judgement *judgement) {
  const MapSet *maps = &judgement->maps;
  for (uint32_t i = 0; i < maps->count; i++) {
    field(text, "map");
    map_print(text, judge->context, maps->maps[i], MAP_STYLE_LINE);
    text_string(text, "\n");
  }
  bool is_answered = judgement->cause != REASON_NO_MAPS;
  if (maps->count == 0 && is_answered) text_string(text, "  map          none: nothing is read\n");
}

void counterexample_print_facts(
    Text *text, const Judge *judge, const Source *source, const Judgement *judgement) {
  assert(judgement->question.operand < judgement->question.instruction->operand_count);
  const Question *question = &judgement->question;
  const Instruction *instruction = question->instruction;
  text_printf(text, "%s: %s of %s, output %u, operand %u (%s), %s:%u\n",
      judge_answer_text(judgement->answer), direction_text(question->direction), instruction->name,
      question->output, question->operand, instruction->operands[question->operand]->name,
      source->name, source_line(source, instruction->offset));
  field(text, "instruction");
  hlo_print_instruction(text, instruction);
  if (text->bytes[text->length - 1] != '\n') text_string(text, "\n");
  if (judgement->answer != REASON_BROKEN) print_maps(text, judge, judgement);
  PairWitness witness = judgement_witness(judgement);
  if (witness.point != nullptr) print_index(text, "point", witness.point_rank, witness.point);
  if (witness.element != nullptr)
    print_index(text, "element", witness.element_rank, witness.element);
  if (judgement->answer == REASON_BROKEN) text_printf(text, "  %s\n", judgement->reason);
  if (judgement->answer == REASON_DISSENT)
    text_printf(text, "  disagree     %s\n", judgement->reason);
  print_judges(text, judgement);
}

void counterexample_print(
    Text *text, const Judge *judge, const Source *source, const Judgement *judgement) {
  counterexample_print_facts(text, judge, source, judgement);
  field(text, "replay");
  counterexample_print_replay(text, judge, source, judgement);
  text_string(text, "\n");
}

void counterexample_print_replay(
    Text *text, const Judge *judge, const Source *source, const Judgement *judgement) {
  text_printf(text, "affirm check %s ", shell_path(text->arena, source->name));
  question_print_options(text, &judgement->question);
  if (judge->engine != nullptr) text_printf(text, " %s", engine_option(judge->engine));
  if (judgement->is_avoidable) text_string(text, " --exact");
}
