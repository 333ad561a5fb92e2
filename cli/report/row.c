/* A row has its data as attributes (shapes, names, the witness), which are the script's only input,
 * and as text for readers without a script. */
#include "cli/report/page.h"
#include "core/base/foreign.h"
#include "cli/report/through.h"

#include "judge/maps/counterexample.h"
#include "judge/maps/witness.h"

static bool leaves_shape(const Shape *shape, const int64_t *index) {
  for (uint32_t i = 0; i < shape->rank; i++)
    if (index[i] < 0 || index[i] >= shape->sizes[i]) return true;
  return false;
}

/* Prints the pair: missing from the maps, superfluous, or outside the tensor. A point of the domain
 * outside the tensor that the maps start from has no element. */
static void print_witness(
    Text *text, const Shape *from, const Shape *to, const Judgement *judgement) {
  static const char *const kinds[] = {
      [WITNESS_MISSING] = "missing", [WITNESS_EXTRA] = "extra", [WITNESS_OUTSIDE] = "outside"};
  PairWitness witness = judgement_witness(judgement);
  if (witness.point == nullptr || witness.point_rank != from->rank) return;
  bool has_pair = witness.element != nullptr && witness.element_rank == to->rank;
  if (!has_pair && !leaves_shape(from, witness.point)) return;
  text_string(text, " data-witness='{\"from\":[");
  text_integers(text, ",", witness.point_rank, witness.point);
  text_string(text, "],\"to\":[");
  text_integers(text, ",", witness.element_rank, witness.element);
  text_printf(text, "],\"kind\":\"%s\"}'", kinds[witness.kind]);
}

static bool has_read(const OracleReads *reads, int64_t output, int64_t element) {
  return (reads->rows[output * reads->words + element / 64] >> (element % 64) & 1) != 0;
}

/* Prints for a row that is not exact what the operation reads: the numbers of the elements for each
 * output element in turn. Prints nothing if the oracle does not know it or if it is too long. */
static void print_reads(Text *text, const Judge *judge, const Judgement *judgement) {
  static constexpr size_t most_bytes = 12'000;
  const Question *q = &judgement->question;
  if (judge->oracle == nullptr || judgement->answer == REASON_EXACT) return;
  Arena *arena = arena_create();
  OracleReads reads;
  bool is_shown = oracle_reads(
      judge->oracle, q->instruction, q->output, q->operand, q->operand_leaf, arena, &reads);
  Text list = text_create(arena);
  for (int64_t output = 0; is_shown && output < reads.outputs; output++) {
    if (output > 0) text_string(&list, ";");
    size_t begin = list.length;
    for (int64_t element = 0; element < reads.elements; element++)
      if (has_read(&reads, output, element))
        text_printf(&list, "%s%lld", list.length > begin ? " " : "", (long long)element);
    is_shown = list.length <= most_bytes;
  }
  if (is_shown) html_attribute(text, "reads", list.bytes);
  arena_destroy(arena);
}

static void print_tensors(Text *text, const Judge *judge, const Judgement *judgement) {
  const Question *question = &judgement->question;
  const Instruction *operand = question->instruction->operands[question->operand];
  const Shape *shapes[] = {shape_leaf(question->instruction->shape, question->output),
      shape_leaf(operand->shape, question->operand_leaf)};
  bool forward = question->direction == OUTPUT_TO_INPUT;
  const Shape *from = shapes[!forward], *to = shapes[forward];
  if (!shape_is_array(from) || !shape_is_array(to)) return;
  html_sizes(text, "from", from);
  html_sizes(text, "to", to);
  html_attribute(text, "from-name", forward ? question->instruction->name : operand->name);
  html_attribute(text, "to-name", forward ? operand->name : question->instruction->name);
  print_witness(text, from, to, judgement);
  print_reads(text, judge, judgement);
}

static void print_summary(
    Text *text, const Source *source, const Judgement *judgement, const char *heading) {
  const Question *question = &judgement->question;
  text_printf(text, "<summary><b>%s</b> ", judge_answer_text(judgement->answer));
  html_escape(text, heading);
  html_between(text, " <span class=\"dim\">",
      arena_printf(text->arena, "%s = %s, %s:%u", question->instruction->name,
          opcode_name(question->instruction->opcode), source->name,
          source_line(source, question->instruction->offset)),
      "</span></summary>\n");
}

static void print_reason(Text *text, const Judgement *judgement) {
  if (judgement->reason[0] == 0) return;
  text_string(text, "<p>");
  if (judgement->answer == REASON_UNDEFINED)
    text_string(text, "No relation is known: the engine has none for ");
  html_escape(text, judgement->reason);
  if (judgement->answer == REASON_UNDEFINED)
    text_string(text, ". This is not a row in which nothing is read.");
  text_string(text, "</p>\n");
}

static void print_replay(Text *text, const Source *source, const Question *question) {
  Text line = text_create(text->arena);
  text_printf(&line, "affirm check %s ", shell_path(text->arena, source->name));
  question_print_options(&line, question);
  html_replay(text, line.bytes);
}

void page_print_row(Text *text, Derivations *derivations, const Source *source,
    const Judgement *judgement, uint32_t number) {
  const Question *question = &judgement->question;
  Text heading = text_create(text->arena);
  question_print_heading(&heading, question);
  html_row_begin(text, judge_answer_status(judgement->answer), number,
      judge_answer_text(judgement->answer), opcode_name(question->instruction->opcode),
      direction_text(question->direction), source->name);
  print_tensors(text, derivations->judge, judgement);
  text_string(text, ">");
  print_summary(text, source, judgement, heading.bytes);
  for (uint32_t i = 0; i < judgement->maps.count; i++)
    html_map(text, derivations->judge->context, judgement->maps.maps[i]);
  print_reason(text, judgement);
  bool is_wrong = judge_answer_status(judgement->answer) == STATUS_REFUTED;
  derivations->wrong = is_wrong ? &judgement->maps : nullptr;
  derivation_print(text, derivations, question);
  derivations->wrong = nullptr;
  through_print(text, derivations->judge, question);
  if (derivations->is_replayed) print_replay(text, source, question);
  text_string(text, "</details>\n");
}
