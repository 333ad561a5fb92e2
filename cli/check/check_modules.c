/* Judges the modules of a file: each question about each selected instruction. */
#include <string.h>

#include "cli/check/check.h"
#include "cli/report/json.h"
#include "cli/session_guard.h"
#include "core/base/budget.h"
#include "judge/maps/counterexample.h"
#include "judge/maps/tested.h"
#include "judge/maps/witness.h"

typedef struct ModuleRun {
  Checker *checker;
  const Source *source; /* the module's part of the file */
  const char *module;   /* its name */
  ModulePosition position;
  uint64_t rows;
  uint32_t line; /* of the current instruction */
  size_t at;     /* the offset up to which lines are counted */
  uint64_t questions;
  uint32_t instruction, instructions; /* number of the current one, and of all */
} ModuleRun;

static const char *names_of_judges(const Checker *checker, const Judgement *judgement) {
  return checker->judges != nullptr ? checker->judges : judges_text(judgement->by);
}

static void check_modules_print_row(
    Text *text, const Checker *checker, const Judgement *judgement) {
  const Question *question = &judgement->question;
  Text heading = text_create(text->arena);
  question_print_heading(&heading, question);
  text_printf(text, "  %-11s %-10s %2u map%s %-24s %s", judge_answer_text(judgement->answer),
      names_of_judges(checker, judgement), judgement->maps.count,
      judgement->maps.count == 1 ? " " : "s", heading.bytes, question->instruction->name);
  if (judgement->reason[0] != 0) text_printf(text, ": %s", judgement->reason);
  text_string(text, "\n");
}

/* Prints the sizes of both tensors, for a page that draws them. */
static void print_tensors(Json *json, const Question *question) {
  const Shape *output = shape_leaf(question->instruction->shape, question->output);
  const Shape *operand =
      shape_leaf(question->instruction->operands[question->operand]->shape, question->operand_leaf);
  json_string(json, "opcode", opcode_name(question->instruction->opcode));
  if (!shape_is_array(output) || !shape_is_array(operand)) return;
  json_integers(json, "output_sizes", output->rank, output->sizes);
  json_integers(json, "operand_sizes", operand->rank, operand->sizes);
}

static void check_modules_print_json(Text *text, const ModuleRun *run, const Judgement *judgement) {
  const Checker *checker = run->checker;
  Json json = json_begin(text);
  const Question *question = &judgement->question;
  json_string(&json, "file", checker->path);
  json_module(&json, run->position.number, run->position.count, run->module);
  json_integer(&json, "line", run->line);
  json_question(&json, question);
  print_tensors(&json, question);
  json_answer(&json, "answer", judge_answer_text(judgement->answer));
  json_string(&json, "judges", names_of_judges(checker, judgement));
  if (judgement->reason[0] != 0) json_string(&json, "reason", judgement->reason);
  json_maps(&json, checker->judge->context, &judgement->maps, MAP_STYLE_LINE);
  PairWitness witness = judgement_witness(judgement);
  if (judgement->answer == REASON_WRONG && witness.point != nullptr) {
    json_integers(&json, "point", witness.point_rank, witness.point);
    json_integers(&json, "element", witness.element_rank, witness.element);
  }
  json_end(&json);
}

static void question_fail(
    const ModuleRun *run, Arena *arena, const Judgement *judgement, const char *row) {
  Checker *checker = run->checker;
  const Instruction *instruction = judgement->question.instruction;
  Text text = text_create(arena);
  counterexample_print(&text, checker->judge, run->source, judgement);
  Failure failure = {.stage = "modules",
      .count = 1,
      .size = counterexample_size(instruction, checker->source->length),
      .text = text.bytes};
  opcode_set_add_instruction(&failure.operations, instruction);
  check_fail(checker, &failure, checker->json ? row : text.bytes);
}

static void check_modules_report(ModuleRun *run, Arena *arena, const Judgement *judgement) {
  Checker *checker = run->checker;
  Text text = text_create(arena);
  bool is_fault = judge_answer_status(judgement->answer) == STATUS_REFUTED;
  bool is_exact = judgement->answer == REASON_EXACT;
  if (checker->json) check_modules_print_json(&text, run, judgement);
  else if (!is_fault) check_modules_print_row(&text, checker, judgement);
  if (is_fault) question_fail(run, arena, judgement, text.bytes);
  else if (!is_exact || run->rows < checker->rows_limit || checker->json)
    check_say(checker, text.bytes);
  run->rows += is_exact;
}

static Result result_of(const ModuleRun *run, Arena *arena, const Judgement *judgement) {
  const Question *question = &judgement->question;
  Status status = judge_answer_status(judgement->answer);
  Text name = text_create(arena), why = text_create(arena);
  if (run->position.count > 1) text_printf(&name, "module %u, ", run->position.number);
  question_print_heading(&name, question);
  text_printf(&name, " %s", question->instruction->name);
  text_string(&why, judgement->reason);
  if (status != STATUS_PROVED) {
    text_string(&why, "\nreplay: ");
    counterexample_print_replay(&why, run->checker->judge, run->source, judgement);
  }
  return (Result){.part = "operands",
      .name = name.bytes,
      .file = run->checker->path,
      .line = run->line,
      .status = status,
      .text = why.bytes};
}

static void judge_unless_known(Checker *checker, Judgement *judgement) {
  RememberedVerdict *slot = nullptr;
  if (checker->memory != nullptr && checker->judge->engine == nullptr)
    slot =
        check_memory_find(checker->memory, checker->judge, &judgement->question, &judgement->maps);
  if (slot != nullptr && slot->is_used) {
    judgement->answer = slot->answer;
    judgement->reason = slot->reason;
    checker->judges = slot->judges;
    checker->tally.again++;
    return;
  }
  judge_queried(checker->judge, judgement);
  if (slot != nullptr && !session_is_interrupted())
    check_memory_keep(
        checker->memory, slot, judgement->answer, judges_text(judgement->by), judgement->reason);
}

/* Asks the engine, and then the judges unless the same question with the same maps was judged
 * before. */
static void judge_once(Checker *checker, const Question *question, Judgement *judgement) {
  Judge *judge = checker->judge;
  bool began = budget_begin(judge->seconds, judge->stop);
  checker->judges = nullptr;
  judge->exactness =
      checker->exactness == EXACTNESS_WANTED && check_is_declared(checker, question->instruction)
          ? EXACTNESS_NOTED
          : checker->exactness;
  if (judge_query(judge, question, judgement)) judge_unless_known(checker, judgement);
  budget_end(began);
}

/* Adds a refuted result of a foreign engine to its group. True if it is accepted or known. */
static bool is_accepted(
    const ModuleRun *run, Arena *arena, const Judgement *judgement, const Result *row) {
  Checker *checker = run->checker;
  const Instruction *instruction = judgement->question.instruction;
  if (checker->faults == nullptr || judge_answer_status(judgement->answer) != STATUS_REFUTED)
    return false;
  FaultName name;
  fault_name_of_judgement(checker->judge, judgement, &name);
  Text heading = text_create(arena);
  text_printf(&heading, "%s ", instruction->name);
  question_print_heading(&heading, &judgement->question);
  return check_accepts(checker, &name, counterexample_size(instruction, checker->source->length),
      heading.bytes, row);
}

static void check_modules_query(ModuleRun *run, Arena *arena, const Question *question) {
  Checker *checker = run->checker;
  ArenaMark mark = arena_mark(arena);
  Judgement *judgement = ARENA_NEW(arena, Judgement, 1);
  session_item(run->instruction, run->instructions, "instructions",
      "%s:%u, instruction %s, after %s of this module", checker->path, run->line,
      question->instruction->name, counted(run->questions++, "question"));
  judge_once(checker, question, judgement);
  const bool is_cut = judgement->cause == REASON_NO_MAPS && check_is_cut(checker);
  checker->tally.left_operands += is_cut;
  const Result row = result_of(run, arena, judgement);
  if (is_cut || is_accepted(run, arena, judgement, &row)) {
    arena_rewind(arena, mark);
    return;
  }
  checker->tally.avoidable += judgement->is_avoidable && judgement->answer == REASON_COVERS;
  checker->tally.answers[judgement->answer]++;
  checker->tally.by_opcode[question->instruction->opcode][judgement->answer]++;
  check_note(checker, judge_answer_status(judgement->answer));
  results_add(&checker->results, &row);
  check_modules_report(run, arena, judgement);
  check_expected(checker, judgement, run->position);
  arena_rewind(arena, mark);
}

/* Most instructions come in the order of the text, so lines are counted from the previous one.
 * Offsets count from the module's part, lines from the start of the file. */
static void go_to_line(ModuleRun *run, size_t offset) {
  const Source *source = run->source;
  if (run->line == 0 || offset < run->at) {
    run->line = source_line(source, offset);
    run->at = offset;
  }
  for (; run->at < offset; run->at++) run->line += source->text[run->at] == '\n';
}

static void check_modules_query_all(
    ModuleRun *run, Arena *arena, const InstructionSelection *list) {
  run->instructions = list->count;
  for (uint32_t i = 0; i < list->count; i++) {
    ArenaMark mark = arena_mark(arena);
    Checker *checker = run->checker;
    run->instruction = i;
    QuestionWalk walk = question_walk(list->items[i], &checker->filter);
    const JudgeMark maps = judge_mark(checker->judge);
    go_to_line(run, list->items[i]->offset);
    for (Question question; !checker->is_broken && selection_next(&checker->selection,
                                                       checker->judge, &walk, &question);) {
      if (session_is_interrupted()) checker->tally.left_operands++;
      else check_modules_query(run, arena, &question);
      judge_relieve(checker->judge, &maps);
    }
    arena_rewind(arena, mark);
  }
}

static bool check_modules_visit(
    void *state, Arena *arena, const Module *module, ModulePosition position) {
  Checker *checker = state;
  ModuleRun run = {
      .checker = checker, .source = module->source, .module = module->name, .position = position};
  MapMark mark = map_context_mark(checker->judge->context);
  InstructionSelection list = {};
  checker->tally.modules++;
  tested_module(checker->judge, module);
  if (!checker->json && !checker->quiet && !module_print_heading(arena, module, position))
    checker->is_broken = true;
  check_expected_module(checker, module);
  module_select(arena, module, &checker->selection, &list);
  check_modules_query_all(&run, arena, &list);
  if (run.rows > checker->rows_limit && !checker->json)
    check_say(checker, arena_printf(arena, "  exact       in %s\n",
                           counted((run.rows - checker->rows_limit), "further row")));
  indexer_reset(checker->judge->indexer);
  map_context_rewind(checker->judge->context, mark);
  return !checker->is_broken;
}

static void check_modules_unread(void *state, const Error *error) {
  Checker *checker = state;
  checker->tally.bad_parts++;
  check_unread(checker, "modules", checker->source->name, error->line, error->message);
}

void check_module_text(Checker *checker, Arena *arena, const Source *source) {
  if (!checker->json) check_say(checker, arena_printf(arena, "%s\n", source->name));
  if (checker->exact || checker->exactness == EXACTNESS_WANTED)
    check_read_expected(arena, source, &checker->over_approximation);
  Status status = modules_walk_selected(
      arena, source, &checker->selection, check_modules_visit, check_modules_unread, checker);
  check_expected_end(checker, status != STATUS_BAD && !session_is_interrupted());
  check_note(checker, status);
}
