/* affirm algebra: applies an operation to maps given as text, or decides a statement about them.
 * The result is one line of standard output, followed by the reason and the judges. A false
 * statement is a counterexample (status 1); a statement that no judge decides is open (status
 * 2). */
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/report/json.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/base/nearest.h"
#include "core/map/text.h"
#include "judge/algebra/algebra.h"

typedef struct AlgebraCommand {
  bool prove, json;
  uint32_t style;
  int64_t budget, seconds;
  Judge *judge;
} AlgebraCommand;

static const struct {
  const char *text;
  Status status;
} kinds[] = {[ALGEBRA_IS_MAP] = {"", STATUS_PROVED},
    [ALGEBRA_IS_TEXT] = {"", STATUS_PROVED},
    [ALGEBRA_IS_TRUE] = {"yes", STATUS_PROVED},
    [ALGEBRA_IS_FALSE] = {"no", STATUS_REFUTED},
    [ALGEBRA_IS_OPEN] = {"unknown", STATUS_UNDECIDED},
    [ALGEBRA_IS_REJECTED] = {"bad input", STATUS_BAD}};

static const char *algebra_judges(Arena *arena, const SameJudgement *judgement) {
  Text text = text_create(arena);
  same_print_judges(&text, judgement);
  return text.bytes;
}

static const char *proof_text(Arena *arena, const SameJudgement *proof) {
  const char *verdict = same_reason_text(proof->reason);
  bool has_judges =
      judge_has_answered(proof->by, BY_ORACLE) || judge_has_answered(proof->by, BY_SMT);
  if (has_judges && proof->reason != REASON_OPEN)
    verdict = arena_printf(arena, "%s (%s)", verdict, algebra_judges(arena, proof));
  return proof->text[0] == 0 ? verdict : arena_printf(arena, "%s: %s", verdict, proof->text);
}

static const char *answer_text(
    const AlgebraCommand *command, Arena *arena, const AlgebraAnswer *answer) {
  if (answer->kind == ALGEBRA_IS_MAP)
    return map_text(arena, command->judge->context, answer->map, (MapStyle)command->style);
  if (answer->kind == ALGEBRA_IS_TEXT) return answer->text;
  const char *verdict = kinds[answer->kind].text;
  if (answer->is_judged && answer->kind != ALGEBRA_IS_OPEN)
    verdict = arena_printf(arena, "%s (%s)", verdict, algebra_judges(arena, &answer->judgement));
  return answer->text[0] == 0 ? verdict : arena_printf(arena, "%s: %s", verdict, answer->text);
}

static void algebra_print(const AlgebraCommand *command, Arena *arena, Text *text,
    const AlgebraQuery *query, const AlgebraAnswer *answer, const SameJudgement *proof) {
  if (!command->json) {
    text_printf(text, "%s\n", answer_text(command, arena, answer));
    if (proof != nullptr) text_printf(text, "  %s\n", proof_text(arena, proof));
    return;
  }
  Json json = json_begin(text);
  json_string(&json, "operation", algebra_row(query->operation)->text);
  if (answer->kind == ALGEBRA_IS_MAP)
    json_string(&json, "map",
        map_text(arena, command->judge->context, answer->map, (MapStyle)command->style));
  else if (answer->kind == ALGEBRA_IS_TEXT) json_string(&json, "value", answer->text);
  else json_answer(&json, "answer", kinds[answer->kind].text);
  if (answer->kind != ALGEBRA_IS_MAP && answer->kind != ALGEBRA_IS_TEXT && answer->text[0] != 0)
    json_string(&json, "why", answer->text);
  if (proof != nullptr) json_string(&json, "judged", proof_text(arena, proof));
  json_end(&json);
}

static Status answer_one(const AlgebraCommand *command, Arena *arena, const AlgebraQuery *query) {
  AlgebraAnswer answer;
  SameJudgement proof;
  Error error = {};
  Text text = text_create(arena);
  algebra_answer(command->judge, query, &answer, &error);
  if (answer.kind == ALGEBRA_IS_REJECTED) {
    bool is_counted = error.name[0] != 0; /* session_fail prints an object of a place in the text */
    answer.text = error.message;
    if (command->json && !is_counted) algebra_print(command, arena, &text, query, &answer, nullptr);
    Status failed = session_fail(&error);
    return session_print(text.bytes) ? failed : STATUS_BAD;
  }
  Status status = kinds[answer.kind].status;
  bool is_proved = command->prove && !answer.is_judged;
  if (is_proved) algebra_prove(command->judge, query, &answer, &proof);
  if (is_proved && answer.kind != ALGEBRA_IS_OPEN)
    status = status_worse(status, same_reason_status(proof.reason));
  algebra_print(command, arena, &text, query, &answer, is_proved ? &proof : nullptr);
  return session_print(text.bytes) ? status : STATUS_BAD;
}

static Status reject_operation(const char *word) {
  Nearest nearest = nearest_begin(word, strlen(word));
  for (uint32_t i = 0; i < algebra_operation_count; i++)
    nearest_try(&nearest, algebra_row((AlgebraOperation)i)->text);
  if (nearest.found != nullptr)
    return session_usage("no operation '%s'; did you mean %s?", word, nearest.found);
  return session_usage("no operation '%s'; affirm algebra --help lists them", word);
}

/* An empty argument is an empty list too. */
static bool algebra_read_numbers(Arena *arena, const char *text, AlgebraNumbers *numbers) {
  return text[0] == 0 || algebra_numbers(arena, text, strlen(text), numbers);
}

/* OPERATION [NUMBERS] MAP...: a unary operation is applied to each map, a binary operation to each
 * consecutive pair of maps. */
static Status algebra_run(const AlgebraCommand *command, Arena *arena, int count, char **texts) {
  AlgebraQuery query = {.budget = (uint64_t)command->budget};
  if (count == 0)
    return session_usage("algebra needs an operation first: affirm algebra --help lists them");
  if (!algebra_find(texts[0], strlen(texts[0]), &query.operation))
    return reject_operation(texts[0]);
  const AlgebraRow *row = algebra_row(query.operation);
  int first = row->takes_numbers ? 2 : 1, step = (int)row->map_count;
  if (row->takes_numbers && (count < 2 || !algebra_read_numbers(arena, texts[1], &query.numbers)))
    return session_usage("%s needs numbers such as 4,8 before the map", row->text);
  if (count <= first || (count - first) % step != 0)
    return session_usage("%s needs %s", row->text, step == 1 ? "a map" : "two maps");
  Status status = STATUS_PROVED;
  Progress progress = progress_begin("maps", (uint64_t)(count - first), isatty(STDOUT_FILENO) == 0);
  for (int at = first; at < count && !session_is_interrupted(); at += step) {
    progress_at(&progress, (uint64_t)(at - first), row->text);
    session_item((uint64_t)(at - first), (uint64_t)(count - first), "maps", "map %d of %d",
        at - first + 1, count - first);
    MapMark mark = map_context_mark(command->judge->context);
    bool is_read = true;
    assert(step <= (int)(sizeof query.maps / sizeof *query.maps));
    for (int i = 0; i < step && is_read; i++) {
      Source source = {
          .name = "<map>", .text = texts[at + i], .length = strlen(texts[at + i]), .first_line = 1};
      Error error = {};
      is_read = map_parse(command->judge->context, &source, &query.maps[i], &error);
      if (!is_read) session_worsen(&status, session_fail(&error));
    }
    if (is_read) session_worsen(&status, answer_one(command, arena, &query));
    map_context_rewind(command->judge->context, mark);
  }
  return session_is_interrupted() ? status_worse(status, STATUS_UNDECIDED) : status;
}

static Status run_judge(AlgebraCommand *command, int count, char **texts) {
  Error error = {};
  command->judge = judge_create(&(JudgeOptions){.smt.seconds = (uint32_t)command->seconds,
                                    .smt.stop = session_is_interrupted},
      &error);
  if (command->judge == nullptr) return session_fail(&error);
  Arena *arena = arena_create();
  Status status = algebra_run(command, arena, count, texts);
  arena_destroy(arena);
  judge_destroy(command->judge);
  return status;
}

static const char notes[] =
    "Operations:\n"
#define OPERATION(id, text, numbers, maps, obligation, help) "  " text "\n      " help "\n"
#include "judge/algebra/algebra.def"
#undef OPERATION
    "Numbers such as 4,8 precede the map; () or '' is an empty list. Exit status 1: false, 2: not decided.";

int cli_algebra(int argc, char **argv) {
  static const char *const styles[] = {
      [MAP_STYLE_LINE] = "line", [MAP_STYLE_PRETTY] = "pretty", [MAP_STYLE_XLA] = "xla", nullptr};
  AlgebraCommand command = {};
  const Option options[] = {
      {"prove", OPTION_FLAG, &command.prove,
          "check each result with a judge that did not compute it", nullptr},
      {"budget", OPTION_COUNT, &command.budget,
          "N: maximum number of steps of counting and of enumerating points (2^20)", nullptr},
      {"seconds", OPTION_COUNT, &command.seconds,
          "N: limit of processor seconds of one answer and of its proof; beyond it the answer is unknown (20)",
          nullptr},
      {"style", OPTION_CHOICE, &command.style, "line|pretty|xla: the format of printed maps",
          styles},
      {"json", OPTION_FLAG, &command.json, "print one JSON object per line", nullptr},
  };
  const Command table = {.usage = "algebra OPERATION [NUMBERS] MAP... [OPTION]...",
      .about =
          "Applies operations to indexing maps given as text, and decides statements about them.",
      .notes = notes,
      .takes_empty = true,
      OPTION_TABLE(options)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (!option_fits("seconds", command.seconds, 86'400)) return session_end(STATUS_BAD);
  session_catch_signals();
  return session_end(run_judge(&command, argc - first, argv + first));
}
