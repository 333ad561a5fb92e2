/* Asks engine, oracle and smt, and combines what they say.
 *   decided by one alone: its word; by both alike: that word; by both differently: DISAGREE;
 *   a word that says only that nothing is missing contradicts WRONG alone, and decides alone where
 * the engine claims no more; maps that the engine itself calls covering are never said to be exact;
 *   a sample of runtime values that shows no fault decides nothing, one that shows a fault
 * decides. */
#include "judge/maps/judge.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/budget.h"
#include "judge/maps/tested.h"
#include "judge/maps/turned.h"

/* WORD_CONTAINS: nothing is missing; whether anything is too much is open. */
typedef enum Word : uint8_t {
  WORD_NONE,
  WORD_EXACT,
  WORD_COVERING,
  WORD_WRONG,
  WORD_CONTAINS
} Word;

static const Column columns[] = {
#define ANSWER(id, text, status, help) {text, STATUS_##status},
#include "judge/maps/answers.def"
#undef ANSWER
};

const char *judge_answer_text(JudgeAnswer answer) { return columns[answer].text; }

Status judge_answer_status(JudgeAnswer answer) { return columns[answer].status; }

Status status_worse(Status a, Status b) {
  static constexpr uint8_t weight[] = {
      [STATUS_PROVED] = 0, [STATUS_UNDECIDED] = 1, [STATUS_BAD] = 2, [STATUS_REFUTED] = 3};
  return weight[a] >= weight[b] ? a : b;
}

Judge *judge_create(const JudgeOptions *options, Error *error) {
  static constexpr JudgeOptions defaults = {};
  if (options == nullptr) options = &defaults;
  Judge *judge = calloc(1, sizeof *judge);
  if (judge == nullptr) arena_out_of_memory(sizeof *judge);
  judge->context = map_context_create();
  judge->engine = options->engine;
  judge->seconds = options->smt.seconds;
  judge->stop = options->smt.stop;
  judge->simplifier = simplifier_create(judge->context, options->rules, error);
  if (judge->simplifier != nullptr)
    judge->indexer = indexer_create(judge->context,
        options->raw || options->engine != nullptr ? nullptr : judge->simplifier, error);
  if (judge->indexer == nullptr) {
    judge_destroy(judge);
    return nullptr;
  }
  bool has_limits = options->oracle.elements != 0 || options->oracle.pairs != 0;
  if (!options->without_oracle)
    judge->oracle = oracle_create(judge->context, has_limits ? &options->oracle : nullptr);
  if (!options->without_smt) judge->smt = smt_create(judge->context, &options->smt);
  return judge;
}

void judge_destroy(Judge *judge) {
  if (judge == nullptr) return;
  if (judge->smt != nullptr) smt_destroy(judge->smt);
  if (judge->oracle != nullptr) oracle_destroy(judge->oracle);
  if (judge->indexer != nullptr) indexer_destroy(judge->indexer);
  if (judge->simplifier != nullptr) simplifier_destroy(judge->simplifier);
  map_context_destroy(judge->context);
  free(judge);
}

static constexpr size_t most_kept = (size_t)32 << 20;

JudgeMark judge_mark(const Judge *judge) {
  return (JudgeMark){
      .maps = map_context_mark(judge->context), .bytes = arena_bytes(judge->context->arena)};
}

void judge_relieve(Judge *judge, const JudgeMark *mark) {
  if (arena_bytes(judge->context->arena) <= mark->bytes + most_kept) return;
  indexer_reset(judge->indexer);
  map_context_rewind(judge->context, mark->maps);
}

bool judge_ask_engine(Judge *judge, const Question *question, MapSet *maps, Error *error) {
  return judge->engine == nullptr ? judge_ask_own(judge, question, maps, error)
                                  : tested_maps(judge, question, maps, error);
}

bool judge_ask_own(Judge *judge, const Question *question, MapSet *maps, Error *error) {
  *maps = (MapSet){};
  if (question->direction == OUTPUT_TO_INPUT)
    return index_output_to_input(judge->indexer, question->instruction, question->output,
        question->operand, question->operand_leaf, maps, error);
  return index_input_to_output(judge->indexer, question->instruction, question->operand,
      question->operand_leaf, question->output, maps, error);
}

static Word oracle_word(const Judgement *judgement) {
  if (!judgement->has_oracle) return WORD_NONE;
  switch (judgement->oracle.answer) {
    case ORACLE_EXACT: return judgement->oracle.assignments_complete ? WORD_EXACT : WORD_NONE;
    case ORACLE_COVERING: return judgement->oracle.assignments_complete ? WORD_COVERING : WORD_NONE;
    case ORACLE_WRONG: return WORD_WRONG;
    case ORACLE_TOO_LARGE:
    case ORACLE_UNSUPPORTED: return WORD_NONE;
  }
  return WORD_NONE;
}

static Word smt_word(const Judgement *judgement) {
  if (!judgement->has_smt) return WORD_NONE;
  switch (judgement->cover) {
    case SMT_EXACT: return WORD_EXACT;
    case SMT_COVERS: return judgement->smt.answer == SMT_REFUTED ? WORD_COVERING : WORD_CONTAINS;
    case SMT_WRONG: return WORD_WRONG;
    case SMT_UNDECIDED:
    case SMT_NO_SEMANTICS: return WORD_NONE;
  }
  return WORD_NONE;
}

static const char *word_text(Word word) {
  static const char *const texts[] = {[WORD_NONE] = "nothing",
      [WORD_EXACT] = "exact",
      [WORD_COVERING] = "covering",
      [WORD_WRONG] = "wrong",
      [WORD_CONTAINS] = "covering at least"};
  return texts[word];
}

static void ask_oracle(
    Judge *judge, const Question *question, const MapSet *maps, Judgement *judgement) {
  Error error = {};
  OracleVerdict *verdict = &judgement->oracle;
  if (judge->oracle == nullptr) {
    snprintf(verdict->text, sizeof verdict->text, "not asked");
    return;
  }
  judgement->has_oracle =
      question->direction == OUTPUT_TO_INPUT
          ? oracle_output_to_input(judge->oracle, question->instruction, question->output,
                question->operand, question->operand_leaf, maps->count, maps->maps, verdict, &error)
          : oracle_input_to_output(judge->oracle, question->instruction, question->operand,
                question->operand_leaf, question->output, maps->count, maps->maps, verdict, &error);
  if (!judgement->has_oracle) snprintf(verdict->text, sizeof verdict->text, "%s", error.message);
}

static void ask_smt(
    Judge *judge, const Question *question, const MapSet *maps, Judgement *judgement) {
  if (judge->smt == nullptr) {
    snprintf(judgement->smt.text, sizeof judgement->smt.text, "not asked");
    return;
  }
  Error error = {};
  if (question->direction == INPUT_TO_OUTPUT) {
    judgement->has_smt = judge_converse(judge, question, maps, &judgement->cover, &judgement->smt);
    if (!judgement->has_smt || judgement->cover != SMT_UNDECIDED) return;
    judgement->has_smt = smt_input_to_output(judge->smt, question->instruction, question->operand,
        question->operand_leaf, question->output, maps->count, maps->maps, &judgement->cover,
        &judgement->smt, &error);
    if (!judgement->has_smt)
      snprintf(judgement->smt.text, sizeof judgement->smt.text, "%s", error.message);
    return;
  }
  judgement->has_smt = smt_output_to_input(judge->smt, question->instruction, question->output,
      question->operand, question->operand_leaf, maps->count, maps->maps, &judgement->cover,
      &judgement->smt, &error);
  if (!judgement->has_smt)
    snprintf(judgement->smt.text, sizeof judgement->smt.text, "%s", error.message);
}

static void explain_nothing(Judgement *judgement) {
  const OracleVerdict *oracle = &judgement->oracle;
  const char *why = oracle->text;
  if (judgement->has_oracle && oracle->answer == ORACLE_TOO_LARGE && oracle->text[0] == 0)
    why = "too large to enumerate";
  char sample[96] = "";
  if (judgement->has_oracle &&
      (oracle->answer == ORACLE_EXACT || oracle->answer == ORACLE_COVERING))
    snprintf(sample, sizeof sample, "no fault in a sample of %llu runtime values",
        (unsigned long long)oracle->assignments);
  snprintf(judgement->reason, sizeof judgement->reason, "oracle: %.280s; smt: %.280s",
      sample[0] != 0 ? sample : why,
      judgement->smt.text[0] != 0 ? judgement->smt.text : "no semantics of this operation");
}

static void explain_disagreement(Judgement *judgement, Word oracle, Word smt) {
  Word engine = judgement->maps.claim == INDEX_EXACT ? WORD_EXACT : WORD_COVERING;
  const char *alone = oracle == engine ? "smt stands alone"
                      : smt == engine  ? "oracle stands alone"
                                       : "all three differ";
  snprintf(judgement->reason, sizeof judgement->reason,
      "%s: engine claims %s, oracle says %s (%.200s), smt says %s (%.200s)", alone,
      word_text(engine), word_text(oracle), judgement->oracle.text, word_text(smt),
      judgement->smt.text);
}

/* An engine that says what it loses is not said to be exact, whatever the judges count as read. */
static JudgeAnswer exact_word(Judgement *judgement) {
  if (judgement->maps.claim != INDEX_COVERING) return JUDGE_EXACT;
  snprintf(judgement->reason, sizeof judgement->reason, "%s",
      judgement->maps.reason == nullptr ? "the engine claims no more" : judgement->maps.reason);
  return JUDGE_COVERING;
}

static JudgeAnswer explain_word(Judgement *judgement, Word word) {
  const char *witness =
      oracle_word(judgement) == word ? judgement->oracle.text : judgement->smt.text;
  switch (word) {
    case WORD_NONE: explain_nothing(judgement); return JUDGE_NOT_JUDGED;
    case WORD_EXACT: return exact_word(judgement);
    case WORD_CONTAINS:
      if (judgement->maps.claim != INDEX_COVERING) {
        explain_nothing(judgement);
        return JUDGE_NOT_JUDGED;
      }
      [[fallthrough]];
    case WORD_COVERING:
      if (judgement->maps.claim == INDEX_COVERING && judgement->maps.reason != nullptr) {
        snprintf(judgement->reason, sizeof judgement->reason, "%s", judgement->maps.reason);
        return JUDGE_COVERING;
      }
      snprintf(judgement->reason, sizeof judgement->reason, "%s", witness);
      return JUDGE_LOOSE;
    case WORD_WRONG:
      snprintf(judgement->reason, sizeof judgement->reason, "%s", witness);
      return JUDGE_WRONG;
  }
  return JUDGE_NOT_JUDGED;
}

void judge_maps(Judge *judge, const Question *question, const MapSet *maps, Judgement *judgement) {
  *judgement = (Judgement){.question = *question, .maps = *maps};
  if (maps->claim == INDEX_UNDEFINED) {
    judgement->answer = JUDGE_UNDEFINED;
    snprintf(judgement->reason, sizeof judgement->reason, "%s",
        maps->reason == nullptr ? "" : maps->reason);
    return;
  }
  bool began = budget_begin(judge->seconds, judge->stop);
  ask_oracle(judge, question, maps, judgement);
  ask_smt(judge, question, maps, judgement);
  budget_end(began);
  judge_decide(judgement);
}

/* What both words say together; false when they contradict each other. */
static bool join_words(Word oracle, Word smt, Word *word) {
  assert(oracle != WORD_CONTAINS);
  bool smt_adds = smt != WORD_NONE && smt != WORD_CONTAINS;
  *word = oracle == WORD_NONE ? smt : oracle;
  if (smt == WORD_CONTAINS) return oracle != WORD_WRONG;
  return oracle == WORD_NONE || !smt_adds || oracle == smt;
}

void judge_decide(Judgement *judgement) {
  assert(judgement->maps.claim != INDEX_UNDEFINED);
  Word oracle = oracle_word(judgement);
  Word smt = smt_word(judgement);
  Word word;
  if (!join_words(oracle, smt, &word)) {
    judgement->answer = JUDGE_DISAGREE;
    explain_disagreement(judgement, oracle, smt);
    return;
  }
  judgement->answer = explain_word(judgement, word);
}

bool judge_finds_exact(const Judgement *judgement) {
  Judgement claimed = *judgement;
  claimed.maps.claim = INDEX_EXACT;
  if (judgement->answer == JUDGE_COVERING) judge_decide(&claimed);
  return claimed.answer == JUDGE_EXACT;
}

bool judge_ask(Judge *judge, const Question *question, Judgement *judgement) {
  Error error = {};
  *judgement = (Judgement){.question = *question};
  if (judge_ask_engine(judge, question, &judgement->maps, &error)) return true;
  *judgement = (Judgement){.question = *question,
      .answer = judge->engine == nullptr ? JUDGE_NOT_JUDGED : tested_answer(judge)};
  snprintf(judgement->reason, sizeof judgement->reason, "engine: %s", error.message);
  return false;
}

void judge_asked(Judge *judge, Judgement *judgement) {
  Question question = judgement->question;
  MapSet maps = judgement->maps;
  judge_maps(judge, &question, &maps, judgement);
  tested_claims(judge, judgement);
}

void judge_question(Judge *judge, const Question *question, Judgement *judgement) {
  bool began = budget_begin(judge->seconds, judge->stop);
  if (judge_ask(judge, question, judgement)) judge_asked(judge, judgement);
  budget_end(began);
}
