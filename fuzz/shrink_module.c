/* Findings of modules: the first question about an instruction of the entry, the root first, that a judge refutes. Its sight is the answer and the opcode. */
#include <string.h>

#include "core/hlo/print.h"
#include "core/hlo/read.h"
#include "core/map/text.h"
#include "fuzz/shrink_form.h"

typedef struct Search {
  Hunt *hunt;
  const char *wanted;
  Sight sight;
  void (*found)(struct Search *search, const Judgement *judgement, bool is_root); /* or nullptr */
} Search;

static bool ask(Search *search, const Instruction *instruction, bool is_root) {
  Hunt *hunt = search->hunt;
  QuestionList questions = {};
  questions_add(hunt->scratch, instruction, &question_filter_all, &questions);
  for (uint32_t i = 0; i < questions.count; i++) {
    Judgement *judgement = ARENA_NEW(hunt->scratch, Judgement, 1);
    judge_question(hunt->judge, &questions.items[i], judgement);
    if (judge_answer_status(judgement->answer) != STATUS_REFUTED) continue;
    sight_set(&search->sight, arena_printf(hunt->scratch, "%s %s", judge_answer_text(judgement->answer), opcode_name(instruction->opcode)));
    if (!hunt_wants(search->wanted, search->sight.text)) continue;
    if (search->found != nullptr) search->found(search, judgement, is_root);
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

/* Of maps that claim to cover nobody knows whether the right ones are exact: the case asks that they are sound. */
static void keep(Search *search, const Judgement *judgement, bool is_root) {
  Shrink *shrink = search->hunt->shrink;
  Arena *arena = shrink->arena;
  Text maps = text_create(arena);
  for (uint32_t i = 0; i < judgement->maps.count; i++) {
    text_string(&maps, i == 0 ? "" : "\n");
    map_print(&maps, search->hunt->judge->context, judgement->maps.maps[i], MAP_STYLE_LINE);
  }
  shrink->maps = maps.bytes;
  shrink->witness = arena_text(arena, judgement->reason, strlen(judgement->reason));
  shrink->name = arena_printf(arena, "%s_%s", opcode_name(judgement->question.instruction->opcode), judge_answer_text(judgement->answer));
  shrink->body = arena_printf(arena, "check%s%s hlo\n%send\n%s\n", is_root ? " " : "", is_root ? question_text(arena, &judgement->question) : "", shrink->smallest,
                              judgement->maps.claim == INDEX_EXACT ? "exact" : "sound");
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
