/* Findings of modules: the first question about an instruction of the entry, the root first, whose
 * answer is refuted, not canonical, or wrong across devices; if none is, about the instructions of
 * the other computations. The signature is the kind of the fault and the opcode. */
#include <string.h>

#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "reduce/shrink_form.h"
#include "judge/maps/devices.h"
#include "judge/maps/canonical_form.h"

/* The fault of one question. */
typedef struct ShrinkModuleSeen {
  FindingKind kind;
  Judgement judgement;      /* set by judge_question */
  UnequalMaps unequal;      /* NOT_CANONICAL */
  DevicesJudgement devices; /* DEVICES */
  Error error;              /* REJECTED */
} ShrinkModuleSeen;

typedef struct ShrinkModuleSearch {
  Hunt *hunt;
  const char *wanted;
  FaultSignature signature;
  void (*found)(struct ShrinkModuleSearch *search, const ShrinkModuleSeen *seen,
      bool is_root); /* or nullptr */
} ShrinkModuleSearch;

static bool is_refuted(const Judgement *judgement, FindingKind *kind) {
  const char *answer = judge_answer_text(judgement->answer);
  return judge_answer_status(judgement->answer) == STATUS_REFUTED &&
         finding_find(answer, strlen(answer), kind);
}

static bool is_restless(const Judge *judge, ShrinkModuleSeen *seen) {
  bool has_maps =
      seen->judgement.answer != REASON_UNDEFINED && seen->judgement.answer != REASON_NOT_OFFERED;
  return has_maps && answer_idempotence(judge->context, judge->simplifier, &seen->judgement.maps,
                         &seen->unequal) == VERDICT_REFUTED;
}

static bool is_wrong_across_devices(const Judge *judge, ShrinkModuleSeen *seen) {
  if (judge->oracle == nullptr) return false;
  devices_judge(
      judge->context, judge->indexer, judge->oracle, &seen->judgement.question, &seen->devices);
  return devices_are_wrong(&seen->devices);
}

/* Only if asked for by name: otherwise a rejection by the engine is undecided. */
static bool is_rejected(ShrinkModuleSearch *search, ShrinkModuleSeen *seen) {
  MapSet maps;
  bool is_wanted = *search->wanted != 0 && strncmp(search->wanted, finding_name(FOUND_REJECTED),
                                               strlen(finding_name(FOUND_REJECTED))) == 0;
  return is_wanted &&
         !judge_query_engine(search->hunt->judge, &seen->judgement.question, &maps, &seen->error);
}

static bool shrink_module_sees(
    ShrinkModuleSearch *search, FindingKind kind, ShrinkModuleSeen *seen) {
  seen->kind = kind;
  signature_set(&search->signature, arena_printf(search->hunt->scratch, "%s %s", finding_name(kind),
                                        opcode_name(seen->judgement.question.instruction->opcode)));
  return signature_is_wanted(search->wanted, search->signature.text);
}

static bool look_at(ShrinkModuleSearch *search, const Question *question, ShrinkModuleSeen *seen) {
  const Judge *judge = search->hunt->judge;
  FindingKind kind;
  *seen = (ShrinkModuleSeen){};
  judge_question(search->hunt->judge, question, &seen->judgement);
  return (is_refuted(&seen->judgement, &kind) && shrink_module_sees(search, kind, seen)) ||
         (is_restless(judge, seen) && shrink_module_sees(search, FOUND_NOT_CANONICAL, seen)) ||
         (is_wrong_across_devices(judge, seen) &&
             shrink_module_sees(search, FOUND_DEVICES, seen)) ||
         (is_rejected(search, seen) && shrink_module_sees(search, FOUND_REJECTED, seen));
}

static bool shrink_module_query(
    ShrinkModuleSearch *search, const Instruction *instruction, bool is_root) {
  Hunt *hunt = search->hunt;
  QuestionList questions = {};
  ShrinkModuleSeen *seen = ARENA_NEW(hunt->scratch, ShrinkModuleSeen, 1);
  questions_add(hunt->scratch, instruction, &question_filter_all, &questions);
  for (uint32_t i = 0; i < questions.count; i++) {
    if (!look_at(search, &questions.items[i], seen)) continue;
    if (search->found != nullptr) search->found(search, seen, is_root);
    return true;
  }
  search->signature = (FaultSignature){};
  return false;
}

static bool search_computation(ShrinkModuleSearch *search, const Computation *computation) {
  for (uint32_t i = 0; i < computation->instruction_count; i++)
    if (!(computation->is_entry && computation->instructions[i] == computation->root) &&
        shrink_module_query(search, computation->instructions[i], false))
      return true;
  return false;
}

static bool search_module(ShrinkModuleSearch *search, const Module *module) {
  if (shrink_module_query(search, module->entry->root, true) ||
      search_computation(search, module->entry))
    return true;
  for (uint32_t i = 0; i < module->computation_count && search->hunt->asks_called; i++)
    if (!module->computations[i]->is_entry && search_computation(search, module->computations[i]))
      return true;
  return false;
}

/* Returns false if the text does not parse, and so shows nothing. */
static bool search_text(
    ShrinkModuleSearch *search, const char *text, size_t length, uint32_t *operations) {
  Hunt *hunt = search->hunt;
  ArenaMark mark = arena_mark(hunt->scratch);
  MapMark maps = map_context_mark(hunt->judge->context);
  Source source = {.name = "reduced", .text = text, .length = length, .first_line = 1};
  const Module *module;
  Error error = {};
  bool found = hlo_read(hunt->scratch, &source, &module, &error);
  bool only_read = strcmp(search->wanted, signature_reads) == 0;
  *operations = 0;
  for (uint32_t i = 0; found && i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++)
      *operations += module->computations[i]->instructions[k]->opcode != HLO_PARAMETER;
  if (found && only_read) signature_set(&search->signature, signature_reads);
  found = found && (only_read || search_module(search, module));
  indexer_reset(hunt->judge->indexer);
  map_context_rewind(hunt->judge->context, maps);
  arena_rewind(hunt->scratch, mark);
  return found;
}

void look_module(
    void *hunt, const char *wanted, const char *text, size_t length, FaultSignature *signature) {
  uint32_t operations;
  ShrinkModuleSearch search = {.hunt = hunt, .wanted = wanted};
  if (search_text(&search, text, length, &operations)) *signature = search.signature;
}

static const char *question_text(Arena *arena, const Question *question) {
  const char *leaf = shape_is_tuple(question->instruction->operands[question->operand]->shape)
                         ? arena_printf(arena, ".%u", question->operand_leaf)
                         : "";
  if (question->direction == OUTPUT_TO_INPUT)
    return arena_printf(arena, "o2i %u %u%s", question->output, question->operand, leaf);
  return arena_printf(arena, "i2o %u%s %u", question->operand, leaf, question->output);
}

static const char *line_of(const Hunt *hunt, const Map *map) {
  return map_text(hunt->shrink->arena, hunt->judge->context, map, MAP_STYLE_LINE);
}

static const char *witness_of(const Hunt *hunt, const ShrinkModuleSeen *seen) {
  if (seen->kind == FOUND_NOT_CANONICAL)
    return arena_printf(
        hunt->shrink->arena, "simplified once more: %s", line_of(hunt, seen->unequal.after));
  if (seen->kind == FOUND_DEVICES) return verdict_text(&seen->devices.verdict);
  return seen->kind == FOUND_REJECTED ? seen->error.message : seen->judgement.reason;
}

/* The question follows the verb if it is about the root. For maps that claim an over-approximation,
 * the right maps may or may not be exact: the case expects them to be sound. A rejected answer
 * cannot be canonical. */
static const char *body_of(
    Arena *arena, const ShrinkModuleSeen *seen, const char *text, bool is_root) {
  bool across = seen->kind == FOUND_DEVICES,
       is_canonical = seen->kind == FOUND_NOT_CANONICAL || seen->kind == FOUND_REJECTED;
  const MapSet *maps = across ? &seen->devices.maps : &seen->judgement.maps;
  const char *question = is_root && !across ? arena_printf(arena, " %s",
                                                  question_text(arena, &seen->judgement.question))
                                            : "";
  return arena_printf(arena, "%s%s hlo\n%send\n%s\n",
      across         ? "devices"
      : is_canonical ? "idempotent"
                     : "check",
      question, text,
      is_canonical                 ? "proved"
      : maps->claim == INDEX_EXACT ? "exact"
                                   : "sound");
}

static void shrink_module_keep(
    ShrinkModuleSearch *search, const ShrinkModuleSeen *seen, bool is_root) {
  Shrink *shrink = search->hunt->shrink;
  Arena *arena = shrink->arena;
  const MapSet *maps = seen->kind == FOUND_DEVICES ? &seen->devices.maps : &seen->judgement.maps;
  Text lines = text_create(arena);
  for (uint32_t i = 0; i < maps->count; i++)
    text_printf(&lines, "%s%s", i == 0 ? "" : "\n", line_of(search->hunt, maps->maps[i]));
  const char *witness = witness_of(search->hunt, seen);
  shrink->maps = lines.bytes;
  shrink->witness = arena_text(arena, witness, strlen(witness));
  shrink->name = arena_printf(arena, "%s_%s",
      opcode_name(seen->judgement.question.instruction->opcode), finding_name(seen->kind));
  shrink->body = body_of(arena, seen, shrink->smallest, is_root);
}

/* For a module that ends the process, the case asks about the whole module. Any answer is right;
 * exact is the usual one. */
void describe_module(Hunt *hunt) {
  Shrink *shrink = hunt->shrink;
  bool crashes = signature_is_crash(&shrink->signature);
  ShrinkModuleSearch search = {.hunt = hunt,
      .wanted = crashes ? signature_reads : shrink->signature.text,
      .found = shrink_module_keep};
  shrink->name = "module_crash";
  shrink->body = arena_printf(shrink->arena, "check hlo\n%send\nexact\n", shrink->smallest);
  if (hunt->reads && !search_text(&search, shrink->smallest, shrink->length, &shrink->size))
    shrink->body = nullptr;
}
