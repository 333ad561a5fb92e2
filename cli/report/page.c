/* Style and scripts are embedded from cli/report/page. A row's data attributes are the script's
 * only input: shapes, names and the witness. */
#include "cli/report/page.h"

#include "core/map/text.h"
#include "judge/maps/counterexample.h"

static const char style[] = {
#embed "page/style.css" suffix(, 0)
};
static const char script_maps[] = {
#embed "page/map.js" suffix(, 0)
};
static const char script_picture[] = {
#embed "page/picture.js" suffix(, 0)
};
static const char script_page[] = {
#embed "page/page.js" suffix(, 0)
};

static const char *class_of(VerdictReason answer) {
  switch (judge_answer_status(answer)) {
    case STATUS_PROVED: return "proved";
    case STATUS_REFUTED: return "refuted";
    case STATUS_UNDECIDED:
    case STATUS_BAD: return "open";
  }
  return "open";
}

static void print_escaped(Text *text, const char *value) {
  for (; *value != 0; value++) {
    unsigned char byte = (unsigned char)*value;
    const char *name = byte == '<'                 ? "&lt;"
                       : byte == '>'               ? "&gt;"
                       : byte == '&'               ? "&amp;"
                       : byte == '"'               ? "&quot;"
                       : byte < 32 && byte != '\n' ? "&#xfffd;"
                                                   : nullptr;
    if (name != nullptr) text_string(text, name);
    else text_append(text, value, 1);
  }
}

static void print_attribute(Text *text, const char *name, const char *value) {
  text_printf(text, " data-%s=\"", name);
  print_escaped(text, value);
  text_string(text, "\"");
}

static void print_numbers(Text *text, uint32_t count, const int64_t *numbers) {
  for (uint32_t i = 0; i < count; i++)
    text_printf(text, "%s%lld", i > 0 ? "," : "", (long long)numbers[i]);
}

static void print_shape(Text *text, const char *name, const Shape *shape) {
  text_printf(text, " data-%s=\"", name);
  print_numbers(text, shape->rank, shape->sizes);
  text_string(text, "\"");
}

static bool leaves_shape(const Shape *shape, const int64_t *index) {
  for (uint32_t i = 0; i < shape->rank; i++)
    if (index[i] < 0 || index[i] >= shape->sizes[i]) return true;
  return false;
}

/* The oracle's pair: missing from the maps, superfluous, or outside the tensor. */
static void print_witness(
    Text *text, const Shape *from, const Shape *to, const Judgement *judgement) {
  const Verdict *verdict = &judgement->by[BY_ORACLE];
  bool has_pair = verdict->reason == REASON_WRONG || verdict->reason == REASON_EXTRA;
  if (!has_pair || verdict->point_rank != from->rank || verdict->element_rank != to->rank) return;
  const char *kind = leaves_shape(to, verdict->element) ? "outside"
                     : verdict->reason == REASON_EXTRA  ? "extra"
                                                        : "missing";
  text_string(text, " data-witness='{\"from\":[");
  print_numbers(text, verdict->point_rank, verdict->point);
  text_string(text, "],\"to\":[");
  print_numbers(text, verdict->element_rank, verdict->element);
  text_printf(text, "],\"kind\":\"%s\"}'", kind);
}

static void print_tensors(Text *text, const Judgement *judgement) {
  const Question *question = &judgement->question;
  const Instruction *operand = question->instruction->operands[question->operand];
  const Shape *shapes[] = {shape_leaf(question->instruction->shape, question->output),
      shape_leaf(operand->shape, question->operand_leaf)};
  bool forward = question->direction == OUTPUT_TO_INPUT;
  const Shape *from = shapes[!forward], *to = shapes[forward];
  if (!shape_is_array(from) || !shape_is_array(to)) return;
  print_shape(text, "from", from);
  print_shape(text, "to", to);
  print_attribute(text, "from-name", forward ? question->instruction->name : operand->name);
  print_attribute(text, "to-name", forward ? operand->name : question->instruction->name);
  print_witness(text, from, to, judgement);
}

static void print_maps(Text *text, const Judge *judge, const MapSet *maps) {
  for (uint32_t i = 0; i < maps->count; i++) {
    Text map = text_create(text->arena);
    map_print(&map, judge->context, maps->maps[i], MAP_STYLE_LINE);
    text_string(text, "<p><code class=\"map\">");
    print_escaped(text, map.bytes);
    text_string(text, "</code></p>\n");
  }
}

static void print_summary(
    Text *text, const Source *source, const Judgement *judgement, const char *heading) {
  const Question *question = &judgement->question;
  text_printf(text, "<summary><b>%s</b> ", judge_answer_text(judgement->answer));
  print_escaped(text, heading);
  text_string(text, " <span class=\"dim\">");
  print_escaped(text, arena_printf(text->arena, "%s = %s, %s:%u", question->instruction->name,
                          opcode_name(question->instruction->opcode), source->name,
                          source_line(source, question->instruction->offset)));
  text_string(text, "</span></summary>\n");
}

void page_print_row(Text *text, const Judge *judge, const Source *source,
    const Judgement *judgement, uint32_t number) {
  const Question *question = &judgement->question;
  Text heading = text_create(text->arena);
  question_print_heading(&heading, question);
  text_printf(text, "<details class=\"row %s\" id=\"r%u\"", class_of(judgement->answer), number);
  print_attribute(text, "verdict", judge_answer_text(judgement->answer));
  print_attribute(text, "opcode", opcode_name(question->instruction->opcode));
  print_attribute(text, "direction", question->direction == OUTPUT_TO_INPUT ? "o2i" : "i2o");
  print_attribute(text, "file", source->name);
  print_tensors(text, judgement);
  text_string(text, ">");
  print_summary(text, source, judgement, heading.bytes);
  print_maps(text, judge, &judgement->maps);
  if (judgement->reason[0] != 0) {
    text_string(text, "<p>");
    print_escaped(text, judgement->reason);
    text_string(text, "</p>\n");
  }
  text_string(text, "</details>\n");
}

static void print_bar(Text *text, const uint64_t *counts) {
  text_string(text, "<div class=\"bar\" aria-hidden=\"true\">");
  for (uint32_t i = 0; i < judge_answer_count; i++)
    if (counts[judge_answers[i]] > 0)
      text_printf(text, "<span class=\"%s\" style=\"flex:%llu\"></span>",
          class_of(judge_answers[i]), (unsigned long long)counts[judge_answers[i]]);
  text_string(text, "</div>\n<ul class=\"legend\">");
  for (uint32_t i = 0; i < judge_answer_count; i++)
    if (counts[judge_answers[i]] > 0)
      text_printf(text, "<li class=\"%s\"><b>%llu</b> %s</li>", class_of(judge_answers[i]),
          (unsigned long long)counts[judge_answers[i]], judge_answer_text(judge_answers[i]));
  text_string(text, "</ul>\n");
}

void page_begin(Text *text, uint64_t modules, const uint64_t *counts, bool interrupted) {
  text_printf(text,
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>affirm report</title>\n"
      "<style>\n%s</style></head>\n<body><main>\n<h1>affirm " AFFIRM_VERSION "</h1>\n",
      style);
  uint64_t total = 0;
  for (uint32_t i = 0; i < verdict_reason_count; i++) total += counts[i];
  text_printf(text, "<p>%llu module%s, %llu queries%s.</p>\n", (unsigned long long)modules,
      modules == 1 ? "" : "s", (unsigned long long)total,
      interrupted ? "; interrupted, so the rest is missing" : "");
  print_bar(text, counts);
  text_string(text,
      "<details open><summary>Operations</summary>"
      "<div id=\"matrix\" class=\"scroll\" tabindex=\"0\"></div></details>\n<h2>Rows</h2>\n"
      "<form class=\"filters\" hidden>"
      "<label>verdict<select name=\"verdict\"><option value=\"\">all</option></select></label>"
      "<label>operation<select name=\"opcode\"><option value=\"\">all</option></select></label>"
      "<label>direction<select name=\"direction\"><option value=\"\">all</option></select></label>"
      "<label>file<select name=\"file\"><option value=\"\">all</option></select></label>"
      "<label>search<input type=\"search\" name=\"text\"></label>"
      "<output id=\"shown\"></output></form>\n");
}

void page_end(Text *text) {
  text_printf(text, "</main>\n<script>\n%s\n%s\n%s</script></body></html>\n", script_maps,
      script_picture, script_page);
}
