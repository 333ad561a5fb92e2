/* Walks from the root to the parameter, in the direction in which the output depends on them. */
#include "cli/report/through.h"

#include "cli/report/html.h"

static constexpr uint32_t most_producers = 40; /* limit for one row; the rest is counted */

typedef struct Through {
  const Question *question;
  const MapContext *context;
  uint32_t count;
  const ProducerMaps *producers; /* operands before users */
  bool *is_between;              /* [count] it depends on the parameter */
} Through;

static bool is_parameter(const Through *through, const Instruction *instruction) {
  return instruction->opcode == HLO_PARAMETER && instruction->number == through->question->operand;
}

static bool needs_parameter(const Through *through, uint32_t at) {
  const Instruction *producer = through->producers[at].producer;
  if (is_parameter(through, producer)) return true;
  for (uint32_t i = 0; i < at; i++)
    for (uint32_t k = 0; through->is_between[i] && k < producer->operand_count; k++)
      if (producer->operands[k] == through->producers[i].producer) return true;
  return false;
}

static void print_producer(Text *text, const Through *through, const ProducerMaps *of) {
  const Instruction *fusion = through->question->instruction;
  const Shape *from = shape_leaf(fusion->shape, through->question->output),
              *to = shape_leaf(of->producer->shape, of->leaf);
  text_string(text, "<details class=\"step\" data-direction=\"o2i\"");
  if (shape_is_array(from) && shape_is_array(to) && of->maps.claim != INDEX_UNDEFINED) {
    html_sizes(text, "from", from);
    html_sizes(text, "to", to);
    html_attribute(text, "from-name", fusion->name);
    html_attribute(text, "to-name", of->producer->name);
  }
  text_string(text, "><summary>");
  html_escape(text, of->producer->name);
  text_printf(
      text, " <span class=\"dim\">%s</span></summary>\n", opcode_name(of->producer->opcode));
  for (uint32_t i = 0; i < of->maps.count; i++) html_map(text, through->context, of->maps.maps[i]);
  text_string(text, "</details>\n");
}

static void print_between(Text *text, const Through *through) {
  uint32_t between = 0, shown = 0;
  for (uint32_t i = 0; i < through->count; i++) between += through->is_between[i];
  text_printf(text,
      "<details class=\"steps\"><summary>through the fusion, from its root: %u instruction%s</summary>\n",
      between, between == 1 ? "" : "s");
  for (uint32_t i = through->count; i-- > 0 && shown < most_producers;)
    if (through->is_between[i]) {
      print_producer(text, through, &through->producers[i]);
      shown++;
    }
  if (shown < between)
    text_printf(text, "<p class=\"dim\">%u more: affirm map --producers</p>\n", between - shown);
  text_string(text, "</details>\n");
}

void through_print(Text *text, const Judge *judge, const Question *question) {
  const Instruction *instruction = question->instruction;
  Through through = {.question = question, .context = judge->context};
  Error error = {};
  if (instruction->opcode != HLO_FUSION || instruction->called_count != 1 ||
      !index_computation_by_producer(judge->indexer, instruction->called[0], question->output,
          &through.count, &through.producers, &error))
    return;
  through.is_between = ARENA_NEW(text->arena, bool, through.count);
  bool is_met = false;
  for (uint32_t i = 0; i < through.count; i++) {
    through.is_between[i] = needs_parameter(&through, i);
    is_met |= through.is_between[i];
  }
  if (is_met) print_between(text, &through);
}
