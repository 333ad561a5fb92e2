/* The judge is made once for all trials; each trial is rewound. A text that does not read shows nothing, so that every text kept is valid. */
#include "fuzz/shrink.h"

#include <string.h>
#include <time.h>

#include "core/hlo/print.h"
#include "core/hlo/read.h"
#include "core/map/text.h"
#include "fuzz/reduce.h"

typedef struct Hunt {
  Shrink *shrink;
  Judge *judge;
  ShrinkJudge kind;
  Arena *scratch;
  Reduction reduction;
  double deadline;
  const ShrinkFault *wanted; /* nullptr: any */
  ShrinkFault fault;
  uint32_t operations;
} Hunt;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool fits(const Hunt *hunt, const Judgement *judgement) {
  if (judge_answer_status(judgement->answer) != STATUS_REFUTED) return false;
  const ShrinkFault *wanted = hunt->wanted;
  return wanted == nullptr || (wanted->answer == judgement->answer && wanted->opcode == judgement->question.instruction->opcode);
}

static const char *question_text(Arena *arena, const Question *question) {
  const char *leaf = shape_is_tuple(question->instruction->operands[question->operand]->shape) ? arena_printf(arena, ".%u", question->operand_leaf) : "";
  if (question->direction == OUTPUT_TO_INPUT) return arena_printf(arena, "o2i %u %u%s", question->output, question->operand, leaf);
  return arena_printf(arena, "i2o %u%s %u", question->operand, leaf, question->output);
}

static void keep(Hunt *hunt, const Judgement *judgement, bool is_root) {
  Arena *arena = hunt->shrink->arena;
  Text maps = text_create(arena);
  for (uint32_t i = 0; i < judgement->maps.count; i++) {
    text_string(&maps, i == 0 ? "" : "\n");
    map_print(&maps, hunt->judge->context, judgement->maps.maps[i], MAP_STYLE_LINE);
  }
  const Instruction *instruction = judgement->question.instruction;
  hunt->fault = (ShrinkFault){.answer = judgement->answer, .opcode = instruction->opcode, .judge = hunt->kind, .is_root = is_root,
                              .claim = judgement->maps.claim, .maps = maps.bytes,
                              .instruction = arena_text(arena, instruction->name, strlen(instruction->name)),
                              .question = question_text(arena, &judgement->question),
                              .reason = arena_text(arena, judgement->reason, strlen(judgement->reason))};
}

static bool ask(Hunt *hunt, const Instruction *instruction, bool is_root) {
  QuestionList questions = {};
  questions_add(hunt->scratch, instruction, &question_filter_all, &questions);
  for (uint32_t i = 0; i < questions.count; i++) {
    Judgement *judgement = ARENA_NEW(hunt->scratch, Judgement, 1);
    judge_question(hunt->judge, &questions.items[i], judgement);
    if (!fits(hunt, judgement)) continue;
    keep(hunt, judgement, is_root);
    return true;
  }
  return false;
}

static bool search(Hunt *hunt, const Module *module) {
  const Computation *entry = module->entry;
  if (ask(hunt, entry->root, true)) return true;
  for (uint32_t i = 0; i < entry->instruction_count; i++)
    if (entry->instructions[i] != entry->root && ask(hunt, entry->instructions[i], false)) return true;
  return false;
}

static void count_operations(Hunt *hunt, const Module *module) {
  hunt->operations = 0;
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++)
      hunt->operations += module->computations[i]->instructions[k]->opcode != HLO_PARAMETER;
}

static bool shows(void *state, const char *text, size_t length) {
  Hunt *hunt = state;
  if (now() > hunt->deadline) hunt->reduction.most_trials = 0;
  ArenaMark mark = arena_mark(hunt->scratch);
  MapMark maps = map_context_mark(hunt->judge->context);
  Source source = {.name = "reduced", .text = text, .length = length, .first_line = 1};
  const Module *module;
  Error error = {};
  bool found = hlo_read(hunt->scratch, &source, &module, &error) && search(hunt, module);
  if (found) count_operations(hunt, module);
  indexer_reset(hunt->judge->indexer);
  map_context_rewind(hunt->judge->context, maps);
  arena_rewind(hunt->scratch, mark);
  return found;
}

static const char *printed(Arena *arena, const Module *module) {
  Text text = text_create(arena);
  hlo_print(&text, module);
  return text.bytes;
}

/* With one judge: false when it refutes nothing. */
static bool shrink_by(Shrink *shrink, ShrinkJudge kind, const char *text, bool *found, Error *error) {
  JudgeOptions options = {.rules = shrink->rules, .without_smt = kind == SHRINK_ORACLE, .without_oracle = kind == SHRINK_SMT};
  Hunt hunt = {.shrink = shrink, .kind = kind, .judge = judge_create(&options, error), .deadline = now() + shrink->seconds};
  if (hunt.judge == nullptr) return false;
  hunt.scratch = arena_create();
  *found = shows(&hunt, text, strlen(text));
  if (*found) {
    ShrinkFault wanted = hunt.fault;
    hunt.wanted = &wanted;
    hunt.reduction = (Reduction){.still_shows = shows, .state = &hunt, .most_trials = shrink->most_trials};
    *found = reduce_hlo(shrink->arena, &hunt.reduction, text, &shrink->smallest);
    shrink->trials = hunt.reduction.trials;
    hunt.deadline = now() + shrink->seconds;
    *found = *found && shows(&hunt, shrink->smallest, strlen(shrink->smallest));
    shrink->operations = hunt.operations;
    shrink->fault = hunt.fault;
  }
  judge_destroy(hunt.judge);
  arena_destroy(hunt.scratch);
  return true;
}

ShrinkEnd shrink_module(Shrink *shrink, const Source *source, Error *error) {
  const Module *module;
  if (!hlo_read(shrink->arena, source, &module, error)) return SHRINK_ERROR;
  const char *text = printed(shrink->arena, module);
  for (ShrinkJudge kind = SHRINK_ORACLE; kind <= SHRINK_BOTH; kind++) {
    bool found;
    if (!shrink_by(shrink, kind, text, &found, error)) return SHRINK_ERROR;
    if (found) return SHRINK_DONE;
  }
  return SHRINK_NO_FAULT;
}

static const char *const judge_names[] = {[SHRINK_ORACLE] = "enumeration", [SHRINK_SMT] = "proof", [SHRINK_BOTH] = "enumeration and proof together"};

static void print_remark(Text *text, const char *word, const char *remark) {
  text_printf(text, "# %s: ", word);
  for (; *remark != 0; remark++) text_append(text, *remark == '\n' ? " | " : remark, *remark == '\n' ? 3 : 1);
  text_string(text, "\n");
}

void shrink_print_case(Text *text, const Shrink *shrink, const char *origin, const char *version, const char *path) {
  const ShrinkFault *fault = &shrink->fault;
  text_printf(text, "# reduced_%s_%s\n", opcode_name(fault->opcode), judge_answer_text(fault->answer));
  print_remark(text, "witness", fault->reason);
  print_remark(text, "map", fault->maps);
  text_printf(text, "# refuted by %s; reduced from %s with version %s; %u trials, no random choice\n", judge_names[fault->judge], origin, version, shrink->trials);
  text_printf(text, "# replay: affirm check %s\n", path);
  text_printf(text, "check%s%s hlo\n", fault->is_root ? " " : "", fault->is_root ? fault->question : "");
  text_string(text, shrink->smallest);
  text_printf(text, "end\n%s\n", fault->claim == INDEX_EXACT ? "exact" : "covering");
}
