/* Judges the maps of one side against the reads of the other.
 *   maps(after) = reads(after) and maps(after) = reads(before): the same;
 *   maps(after) = reads(after) and maps(after) contain reads(before): after reads more; a read of
 * before that they miss: different. Where the maps of after are not exact, the maps of before are
 * tried the other way round. What either judge says of a loop or a collective is withdrawn where it
 * does not tell what is read. A proof over both graphs, without maps, is asked as well: it decides
 * alone where the maps do not, and must not contradict where they do. Where nobody decides, graphs
 * that are literally the same up to the output are the same. A runtime variable may only speak of
 * the shared parameters: a value that one graph computes means nothing to the other, and a
 * difference that needs such a value may never occur. */
#include "judge/graphs/equiv.h"

#include <assert.h>
#include <string.h>

#include "judge/graphs/equiv_between.h"
#include "judge/graphs/equiv_call.h"
#include "judge/graphs/equiv_literal.h"

static const char *const side_names[] = {[EQUIV_BEFORE] = "before", [EQUIV_AFTER] = "after"};

const char *equiv_answer_text(EquivAnswer answer) {
  static const char *const texts[] = {
#define ANSWER(id, text, status, help) text,
#include "judge/graphs/equiv_answers.def"
#undef ANSWER
  };
  return texts[answer];
}

Status equiv_answer_status(EquivAnswer answer) {
  static constexpr Status statuses[] = {
#define ANSWER(id, text, status, help) STATUS_##status,
#include "judge/graphs/equiv_answers.def"
#undef ANSWER
  };
  return statuses[answer];
}

void equiv_pairs(const Equiv *equiv, Arena *arena, EquivPairs *pairs) {
  const Instruction *call = equiv->calls[EQUIV_BEFORE];
  uint32_t outputs = shape_leaf_count(call->shape);
  for (uint32_t output = 0; output < outputs; output++) {
    if (!equiv_leaf_is_read(call->shape, output)) continue;
    for (uint32_t i = 0; i < call->operand_count; i++) {
      uint32_t leaves = shape_leaf_count(call->operands[i]->shape);
      for (uint32_t leaf = 0; leaf < leaves; leaf++)
        if (equiv_leaf_is_read(call->operands[i]->shape, leaf))
          *ARENA_PUSH(arena, pairs) = (EquivPair){output, i, leaf};
    }
  }
}

static Question question_of(const Equiv *equiv, EquivSide side, EquivPair pair) {
  assert(pair.parameter < equiv->calls[side]->operand_count);
  assert(pair.output < shape_leaf_count(equiv->calls[side]->shape));
  assert(
      pair.parameter_leaf < shape_leaf_count(equiv->calls[side]->operands[pair.parameter]->shape));
  return (Question){.instruction = equiv->calls[side],
      .direction = OUTPUT_TO_INPUT,
      .output = pair.output,
      .operand = pair.parameter,
      .operand_leaf = pair.parameter_leaf};
}

static bool add_reason(EquivVerdict *verdict, const char *side, const char *why) {
  size_t length = strlen(verdict->reason);
  snprintf(verdict->reason + length, sizeof verdict->reason - length, "%s%s: %.240s",
      length == 0 ? "" : "; ", side, why);
  return false;
}

/* Sources that both graphs share. */
static bool has_foreign_source(const Instruction *call, const Map *map) {
  assert(map->state == MAP_PLAIN);
  if (map->runtime_count > 0 && map->sources == nullptr) return true;
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    const Instruction *source = map->sources[i].instruction;
    if (source == nullptr || map->sources[i].index == nullptr || source->parent != call->parent)
      return true;
  }
  return false;
}

/* The side's own maps, proved or enumerated to be exactly what it reads; whether that tells what is
 * read where the engine calls them covering, equiv_withdraw says. */
static bool exact_maps(
    const Equiv *equiv, EquivSide side, EquivVerdict *verdict, Judgement *judgement) {
  Question question = question_of(equiv, side, verdict->pair);
  judge_question(equiv->judge, &question, judgement);
  if (!judge_finds_exact(judgement)) {
    char why[300];
    snprintf(why, sizeof why, "maps are %s: %.200s", judge_answer_text(judgement->answer),
        judgement->reason);
    return add_reason(verdict, side_names[side], why);
  }
  for (uint32_t i = 0; i < judgement->maps.count; i++)
    if (has_foreign_source(question.instruction, judgement->maps.maps[i]))
      return add_reason(verdict, side_names[side],
          "an offset is computed in the graph, not read from a parameter");
  return true;
}

typedef enum Contains : uint8_t {
  CONTAINS_UNKNOWN,
  CONTAINS_EQUAL,
  CONTAINS_MORE,
  CONTAINS_MISSES
} Contains;

static Contains contains_by(const Judgement *judgement, JudgeId id) {
  const Verdict *verdict = &judgement->by[id];
  if (!verdict_decides(verdict)) return CONTAINS_UNKNOWN;
  switch (verdict->reason) {
    case REASON_EXACT: return CONTAINS_EQUAL;
    case REASON_EXTRA: return CONTAINS_MORE;
    case REASON_WRONG:
      return id == BY_ORACLE && verdict->missing == 0 ? CONTAINS_UNKNOWN : CONTAINS_MISSES;
    case REASON_NOT_ASKED:
    case REASON_OPEN:
    case REASON_TOO_LARGE:
    case REASON_UNSUPPORTED:
    case REASON_REJECTED:
    case REASON_NO_MAPS:
    case REASON_UNDEFINED:
    case REASON_CONTAINS:
    case REASON_DIFFERENT:
    case REASON_FIRST_ONLY:
    case REASON_SECOND_ONLY:
    case REASON_DISSENT:
    case REASON_BROKEN:
    case REASON_FALSE_STEP: return CONTAINS_UNKNOWN;
  }
  return CONTAINS_UNKNOWN;
}

static void set_witness(EquivVerdict *verdict, EquivSide reader, const Question *question,
    const int64_t *point, const int64_t *element) {
  const Shape *output = shape_leaf(question->instruction->shape, verdict->pair.output);
  const Shape *parameter =
      shape_leaf(question->instruction->operands[verdict->pair.parameter]->shape,
          verdict->pair.parameter_leaf);
  if (output->rank > oracle_max_rank || parameter->rank > oracle_max_rank) return;
  verdict->reader = reader;
  verdict->point_rank = output->rank;
  verdict->element_rank = parameter->rank;
  verdict->has_witness = true;
  memcpy(verdict->point, point, output->rank * sizeof *point);
  memcpy(verdict->element, element, parameter->rank * sizeof *element);
}

/* The model's values: the output index, then the element. */
static void set_model(
    EquivVerdict *verdict, EquivSide reader, const Question *question, const Verdict *smt) {
  uint32_t rank = shape_leaf(question->instruction->shape, verdict->pair.output)->rank;
  uint32_t element_rank = shape_leaf(
      question->instruction->operands[verdict->pair.parameter]->shape, verdict->pair.parameter_leaf)
                              ->rank;
  if (smt->point_rank < rank + element_rank) return;
  set_witness(verdict, reader, question, smt->point, smt->point + rank);
}

/* What equality of the maps of `side` with the reads of the other side comes to. */
static EquivAnswer answer_of(Contains contains, EquivSide side) {
  switch (contains) {
    case CONTAINS_UNKNOWN: return EQUIV_UNKNOWN;
    case CONTAINS_EQUAL: return EQUIV_SAME;
    case CONTAINS_MORE: return side == EQUIV_AFTER ? EQUIV_MORE : EQUIV_DIFFERENT;
    case CONTAINS_MISSES: return EQUIV_DIFFERENT;
  }
  return EQUIV_UNKNOWN;
}

static bool words_agree(Contains oracle, Contains smt) {
  return oracle == CONTAINS_UNKNOWN || smt == CONTAINS_UNKNOWN || oracle == smt;
}

static EquivAnswer disagree(EquivVerdict *verdict, const Judgement *judgement) {
  snprintf(verdict->reason, sizeof verdict->reason, "oracle: %.300s; smt: %.300s",
      verdict_text(&judgement->by[BY_ORACLE]), verdict_text(&judgement->by[BY_SMT]));
  return verdict->answer = EQUIV_DISAGREE;
}

/* The maps of `side` were judged against the reads of the other side. */
static EquivAnswer set_answer(EquivVerdict *verdict, EquivSide side, const Judgement *judgement) {
  Contains oracle = contains_by(judgement, BY_ORACLE), smt = contains_by(judgement, BY_SMT);
  bool by_oracle = oracle != CONTAINS_UNKNOWN;
  if (!words_agree(oracle, smt)) return disagree(verdict, judgement);
  Contains contains = by_oracle ? oracle : smt;
  if (contains == CONTAINS_UNKNOWN) return EQUIV_UNKNOWN;
  verdict->answer = answer_of(contains, side);
  verdict->judges = by_oracle && smt == contains ? "oracle+smt" : by_oracle ? "oracle" : "smt";
  verdict->reason[0] = 0;
  if (contains == CONTAINS_EQUAL) return verdict->answer;
  EquivSide reader = contains == CONTAINS_MORE ? side : 1 - side;
  if (by_oracle)
    set_witness(verdict, reader, &judgement->question, judgement->by[BY_ORACLE].point,
        judgement->by[BY_ORACLE].element);
  else set_model(verdict, reader, &judgement->question, &judgement->by[BY_SMT]);
  snprintf(verdict->reason, sizeof verdict->reason, "maps of %s against reads of %s: %.500s",
      side_names[side], side_names[1 - side],
      verdict_text(&judgement->by[by_oracle ? BY_ORACLE : BY_SMT]));
  return verdict->answer;
}

/* What is left when a difference cannot be believed: it may need values that the other graph never
 * computes. */
static EquivAnswer set_equality(EquivVerdict *verdict, const Judgement *judgement) {
  bool by_oracle = contains_by(judgement, BY_ORACLE) == CONTAINS_EQUAL,
       by_smt = contains_by(judgement, BY_SMT) == CONTAINS_EQUAL;
  if (!by_oracle && !by_smt) return EQUIV_UNKNOWN;
  verdict->judges = by_oracle && by_smt ? "oracle+smt" : by_oracle ? "oracle" : "smt";
  verdict->reason[0] = 0;
  return verdict->answer = EQUIV_SAME;
}

/* The maps of `side` against what the other side reads. A difference counts only where the other
 * side's own maps, too, are exact and speak of parameters alone: then every value that the judges
 * tried can occur. */
static bool ask_maps(const Equiv *equiv, EquivSide side, EquivVerdict *verdict) {
  Judgement own, cross, other;
  if (!exact_maps(equiv, side, verdict, &own)) return false;
  MapSet maps = own.maps;
  maps.claim = INDEX_EXACT;
  Question question = question_of(equiv, 1 - side, verdict->pair);
  judge_maps(equiv->judge, &question, &maps, &cross);
  bool is_believed = cross.answer == JUDGE_EXACT || exact_maps(equiv, 1 - side, verdict, &other);
  EquivAnswer answer =
      is_believed ? set_answer(verdict, side, &cross) : set_equality(verdict, &cross);
  if (answer == EQUIV_UNKNOWN) return add_reason(verdict, side_names[1 - side], cross.reason);
  assert(answer == EQUIV_DISAGREE || verdict->judges != nullptr);
  verdict->is_unread = answer == EQUIV_SAME && maps.count == 0;
  return true;
}

/* The side that reads alone. */
static EquivSide reader_of(const Verdict *smt) {
  return smt->reason == REASON_SECOND_ONLY ? EQUIV_AFTER : EQUIV_BEFORE;
}

static void ask_graphs(const Equiv *equiv, EquivVerdict *verdict, Verdict *smt) {
  Error error = {};
  bool known = false;
  if (equiv->judge->smt == nullptr) {
    verdict_decide(smt, REASON_NOT_ASKED, "not asked");
    return;
  }
  if (!smt_same_reads(equiv->judge->smt, equiv->entries[EQUIV_BEFORE], equiv->entries[EQUIV_AFTER],
          verdict->pair.output, verdict->pair.parameter, verdict->pair.parameter_leaf, &known, smt,
          &error)) {
    *smt = verdict_begin(equiv->judge->context->arena);
    verdict_decide(smt, REASON_REJECTED, "%s", error.message);
  }
}

/* The proof decides alone. */
static void decide_by_graphs(const Equiv *equiv, EquivVerdict *verdict, const Verdict *smt) {
  Question question = question_of(equiv, EQUIV_BEFORE, verdict->pair);
  switch (smt->status) {
    case VERDICT_UNKNOWN: (void)add_reason(verdict, "proof", verdict_text(smt)); return;
    case VERDICT_PROVED: verdict->answer = EQUIV_SAME; break;
    case VERDICT_REFUTED:
      verdict->answer = EQUIV_DIFFERENT;
      set_model(verdict, reader_of(smt), &question, smt);
      break;
  }
  verdict->judges = "proof";
  snprintf(verdict->reason, sizeof verdict->reason, "%s",
      smt->status == VERDICT_REFUTED ? verdict_text(smt) : "");
}

static bool contradicts(EquivAnswer answer, VerdictStatus proof) {
  return proof != VERDICT_UNKNOWN && (proof == VERDICT_PROVED) != (answer == EQUIV_SAME);
}

static const char *with_proof(const char *judges) {
  assert(strncmp(judges, "oracle", 6) == 0 || strcmp(judges, "smt") == 0);
  if (strcmp(judges, "oracle+smt") == 0) return "oracle+smt+proof";
  return strcmp(judges, "oracle") == 0 ? "oracle+proof" : "smt+proof";
}

static void hold_against_graphs(EquivVerdict *verdict, const Verdict *smt) {
  assert(verdict->answer != EQUIV_UNKNOWN && verdict->answer != EQUIV_DISAGREE);
  if (!contradicts(verdict->answer, smt->status)) {
    if (smt->status != VERDICT_UNKNOWN) verdict->judges = with_proof(verdict->judges);
    return;
  }
  char words[300];
  snprintf(words, sizeof words, "%s by maps (%.200s)", equiv_answer_text(verdict->answer),
      verdict->reason);
  snprintf(verdict->reason, sizeof verdict->reason, "%s; over both graphs: %.200s", words,
      verdict_text(smt));
  verdict->answer = EQUIV_DISAGREE;
}

/* Where no judge decides: one graph twice reads the same elements, whatever its loops, branches and
 * values do. */
static void decide_literally(const Equiv *equiv, EquivVerdict *verdict) {
  Arena *arena = arena_create();
  bool is_one_graph = equiv_literal(arena, equiv->entries[EQUIV_BEFORE],
                          equiv->entries[EQUIV_AFTER], verdict->pair.output) == LITERAL_YES;
  arena_destroy(arena);
  if (!is_one_graph) return;
  verdict->answer = EQUIV_SAME;
  verdict->judges = "literal";
  verdict->reason[0] = 0;
}

void equiv_ask(const Equiv *equiv, EquivPair pair, EquivVerdict *verdict) {
  *verdict = (EquivVerdict){.pair = pair, .answer = EQUIV_UNKNOWN};
  Verdict graphs = verdict_begin(equiv->judge->context->arena);
  bool by_maps = ask_maps(equiv, EQUIV_AFTER, verdict) || ask_maps(equiv, EQUIV_BEFORE, verdict);
  if (by_maps && verdict->answer == EQUIV_DISAGREE) return;
  ask_graphs(equiv, verdict, &graphs);
  if (by_maps) hold_against_graphs(verdict, &graphs);
  else decide_by_graphs(equiv, verdict, &graphs);
  if (verdict->answer == EQUIV_UNKNOWN) decide_literally(equiv, verdict);
  else equiv_withdraw(equiv, verdict);
  assert(verdict->answer != EQUIV_UNKNOWN || verdict->reason[0] != 0);
}
