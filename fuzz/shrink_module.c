/* Findings of modules: the first question about an instruction of the entry, the root first, that a judge refutes, or whose answer is not at rest. Its sight is what is
 * seen and the opcode. */
#include <string.h>

#include "core/hlo/print.h"
#include "core/hlo/read.h"
#include "core/map/text.h"
#include "fuzz/shrink_form.h"
#include "judge/settled.h"

typedef struct Search {
  Hunt *hunt;
  const char *wanted;
  Sight sight;
  void (*found)(struct Search *search, const Judgement *judgement, const Unrest *unrest, bool is_root); /* or nullptr; unrest: nullptr for what a judge says */
} Search;

static bool sees(Search *search, FindingKind kind, const Instruction *instruction) {
  sight_set(&search->sight, arena_printf(search->hunt->scratch, "%s %s", finding_word(kind), opcode_name(instruction->opcode)));
  return hunt_wants(search->wanted, search->sight.text);
}

static bool sees_refuted(Search *search, const Judgement *judgement) {
  const char *word = judge_answer_text(judgement->answer);
  FindingKind kind;
  if (judge_answer_status(judgement->answer) != STATUS_REFUTED || !finding_find(word, strlen(word), &kind)) return false;
  return sees(search, kind, judgement->question.instruction);
}

static bool sees_unrest(Search *search, const Judgement *judgement, Unrest *unrest) {
  const Judge *judge = search->hunt->judge;
  if (judgement->answer == JUDGE_UNDEFINED || judgement->answer == JUDGE_NOT_OFFERED) return false;
  return !answer_rests(judge->context, judge->simplifier, &judgement->maps, unrest) && sees(search, FOUND_UNSETTLED, judgement->question.instruction);
}

static bool ask(Search *search, const Instruction *instruction, bool is_root) {
  Hunt *hunt = search->hunt;
  QuestionList questions = {};
  questions_add(hunt->scratch, instruction, &question_filter_all, &questions);
  for (uint32_t i = 0; i < questions.count; i++) {
    Judgement *judgement = ARENA_NEW(hunt->scratch, Judgement, 1);
    judge_question(hunt->judge, &questions.items[i], judgement);
    Unrest unrest;
    bool refuted = sees_refuted(search, judgement);
    if (!refuted && !sees_unrest(search, judgement, &unrest)) continue;
    if (search->found != nullptr) search->found(search, judgement, refuted ? nullptr : &unrest, is_root);
    return true;
  }
  search->sight = (Sight){};
  return false;
}

static bool search_module(Search *search, const Module *module) {
  const Computation *entry = module->entry;
  if (ask(search, entry->root, true)) return true;
  for (uint32_t i = 0; i < entry->instruction_count; i++)
    if (entry->instructions[i] != entry->root && ask(search, entry->instructions[i], false)) return true;
  return false;
}

/* False when the text does not read: then it shows nothing. */
static bool search_text(Search *search, const char *text, size_t length, uint32_t *operations) {
  Hunt *hunt = search->hunt;
  ArenaMark mark = arena_mark(hunt->scratch);
  MapMark maps = map_context_mark(hunt->judge->context);
  Source source = {.name = "reduced", .text = text, .length = length, .first_line = 1};
  const Module *module;
  Error error = {};
  bool found = hlo_read(hunt->scratch, &source, &module, &error);
  bool only_read = strcmp(search->wanted, sight_reads) == 0;
  *operations = 0;
  for (uint32_t i = 0; found && i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++) *operations += module->computations[i]->instructions[k]->opcode != HLO_PARAMETER;
  if (found && only_read) sight_set(&search->sight, sight_reads);
  found = found && (only_read || search_module(search, module));
  indexer_reset(hunt->judge->indexer);
  map_context_rewind(hunt->judge->context, maps);
  arena_rewind(hunt->scratch, mark);
  return found;
}

void look_module(void *hunt, const char *wanted, const char *text, size_t length, Sight *sight) {
  uint32_t operations;
  Search search = {.hunt = hunt, .wanted = wanted};
  if (search_text(&search, text, length, &operations)) *sight = search.sight;
}

static const char *question_text(Arena *arena, const Question *question) {
  const char *leaf = shape_is_tuple(question->instruction->operands[question->operand]->shape) ? arena_printf(arena, ".%u", question->operand_leaf) : "";
  if (question->direction == OUTPUT_TO_INPUT) return arena_printf(arena, "o2i %u %u%s", question->output, question->operand, leaf);
  return arena_printf(arena, "i2o %u%s %u", question->operand, leaf, question->output);
}

static const char *line_of(const Hunt *hunt, const Map *map) {
  Text text = text_create(hunt->shrink->arena);
  map_print(&text, hunt->judge->context, map, MAP_STYLE_LINE);
  return text.bytes;
}

/* Of maps that claim to cover nobody knows whether the right ones are exact: the case asks that they are sound. */
static void keep(Search *search, const Judgement *judgement, const Unrest *unrest, bool is_root) {
  Shrink *shrink = search->hunt->shrink;
  Arena *arena = shrink->arena;
  Text maps = text_create(arena);
  for (uint32_t i = 0; i < judgement->maps.count; i++) text_printf(&maps, "%s%s", i == 0 ? "" : "\n", line_of(search->hunt, judgement->maps.maps[i]));
  shrink->maps = maps.bytes;
  bool rests = unrest == nullptr;
  shrink->witness = rests ? arena_text(arena, judgement->reason, strlen(judgement->reason)) : arena_printf(arena, "simplified once more: %s", line_of(search->hunt, unrest->after));
  shrink->name = arena_printf(arena, "%s_%s", opcode_name(judgement->question.instruction->opcode), rests ? judge_answer_text(judgement->answer) : finding_word(FOUND_UNSETTLED));
  shrink->body = arena_printf(arena, "%s%s%s hlo\n%send\n%s\n", rests ? "check" : "settled", is_root ? " " : "", is_root ? question_text(arena, &judgement->question) : "",
                              shrink->smallest, !rests ? "proved" : judgement->maps.claim == INDEX_EXACT ? "exact" : "sound");
}

/* A module at which the process ends is asked about whole: what must come is any answer at all, and exact is the usual one. */
void describe_module(Hunt *hunt) {
  Shrink *shrink = hunt->shrink;
  bool crashes = sight_is_crash(&shrink->sight);
  Search search = {.hunt = hunt, .wanted = crashes ? sight_reads : shrink->sight.text, .found = keep};
  shrink->name = "module_crash";
  shrink->body = arena_printf(shrink->arena, "check hlo\n%send\nexact\n", shrink->smallest);
  if (hunt->reads && !search_text(&search, shrink->smallest, shrink->length, &shrink->size)) shrink->body = nullptr;
}
