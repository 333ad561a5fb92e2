/* Judges the maps of one side against the reads of the other.
 *   maps(after) = reads(after) and maps(after) = reads(before): the same;
 *   maps(after) = reads(after) and maps(after) contain reads(before): after reads more; if the maps
 *   miss a read of before: different.
 * If the maps of after are not exact, the maps of before are tried instead. A verdict that rests on
 * over-approximated reads of loops or collectives is withdrawn (equiv_between.h). A proof over both
 * graphs, without maps, decides alone where the maps do not, and must not contradict them where
 * they do. If nobody decides, graphs that are literally the same up to the output read the same.
 * Runtime variables may only depend on the shared parameters. A value that one graph computes has
 * no meaning in the other, and a difference that needs such a value may never occur. */
#include "judge/graphs/equiv.h"

#include <assert.h>
#include <string.h>

#include "core/base/budget.h"
#include "judge/graphs/equiv_between.h"
#include "judge/graphs/equiv_call.h"
#include "judge/graphs/equiv_literal.h"
#include "judge/obligations/obligation.h"

static const char *const side_names[] = {[EQUIV_BEFORE] = "before", [EQUIV_AFTER] = "after"};

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
  verdict->reason = arena_printf(verdict->arena, "%s%s%s: %s", verdict->reason,
      verdict->reason[0] == 0 ? "" : "; ", side, why);
  return false;
}

/* True if a source is not one of the shared parameters. */
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

/* Each offset of a chain of updates doubles the maps, and each judge would try every map with
 * values of every offset. */
static bool has_too_many_offsets(const MapSet *maps) {
  static constexpr uint64_t most_offsets = 100;
  uint64_t offsets = 0;
  for (uint32_t i = 0; i < maps->count; i++) offsets += maps->maps[i]->runtime_count;
  return offsets > most_offsets;
}

/* Maps that the engine calls an over-approximation may be exact all the same. Judging them is slow,
 * so they are only judged in a second round, if nothing else decides. */
typedef struct EquivRound {
  bool is_second;
  bool has_left; /* a map was left to the second round */
} EquivRound;

/* nullptr if the maps are judged in this round. */
static const char *left_out(const MapSet *maps, EquivRound *round) {
  if (has_too_many_offsets(maps)) return "the maps have too many offsets to judge";
  if (maps->claim == INDEX_EXACT || round->is_second) return nullptr;
  round->has_left = true;
  return "the maps are an over-approximation";
}

/* Returns true if the side's own maps are found to be exactly its reads. equiv_withdraw later
 * handles maps that the engine itself calls an over-approximation. */
static bool exact_maps(const Equiv *equiv, EquivSide side, EquivRound *round, EquivVerdict *verdict,
    Judgement *judgement) {
  Question question = question_of(equiv, side, verdict->pair);
  if (judge_query(equiv->judge, &question, judgement)) {
    const char *why = left_out(&judgement->maps, round);
    if (why != nullptr) return add_reason(verdict, side_names[side], why);
    judge_queried(equiv->judge, judgement);
  }
  if (!judge_finds_exact(judgement)) {
    return add_reason(verdict, side_names[side],
        arena_printf(verdict->arena, "maps are %s: %s", judge_answer_text(judgement->answer),
            judgement->reason));
  }
  for (uint32_t i = 0; i < judgement->maps.count; i++)
    if (has_foreign_source(question.instruction, judgement->maps.maps[i]))
      return add_reason(verdict, side_names[side],
          "an offset is computed in the graph, not read from a parameter");
  return true;
}

/* The judge's verdict if it is EXACT, EXTRA or WRONG, else none. A WRONG of the oracle without a
 * missing read means that a map leaves an array; it is ignored. */
static Verdict verdict_of_maps(const Judgement *judgement, JudgeId id) {
  const Verdict *verdict = &judgement->by[id];
  bool is_known = verdict_decides(verdict) &&
                  (verdict->reason == REASON_EXACT || verdict->reason == REASON_EXTRA ||
                      verdict->reason == REASON_WRONG);
  bool leaves = id == BY_ORACLE && verdict->reason == REASON_WRONG && verdict->missing == 0;
  return is_known && !leaves ? *verdict : (Verdict){};
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

/* Sets the witness from the model: the output index, then the element. */
static void set_model(
    EquivVerdict *verdict, EquivSide reader, const Question *question, const Verdict *smt) {
  uint32_t rank = shape_leaf(question->instruction->shape, verdict->pair.output)->rank;
  uint32_t element_rank = shape_leaf(
      question->instruction->operands[verdict->pair.parameter]->shape, verdict->pair.parameter_leaf)
                              ->rank;
  if (smt->point_rank < rank + element_rank) return;
  set_witness(verdict, reader, question, smt->point, smt->point + rank);
}

/* Converts the verdict about the maps of `side` against the reads of the other side into the
 * answer. */
static VerdictReason answer_of(VerdictReason contains, EquivSide side) {
  if (contains == REASON_WRONG || (contains == REASON_EXTRA && side == EQUIV_BEFORE))
    return REASON_DIFFERENT;
  return contains;
}

static void disagree(EquivVerdict *verdict, const Judgement *judgement) {
  verdict->reason = arena_printf(verdict->arena, "oracle: %s; smt: %s",
      verdict_text(&judgement->by[BY_ORACLE]), verdict_text(&judgement->by[BY_SMT]));
  verdict->answer = REASON_DISSENT;
}

/* Sets the answer after the maps of `side` were judged against the reads of the other side. Unless
 * `is_believed`, a difference is ignored, because it may need values that the other graph never
 * computes. Returns false if nothing is decided. */
static bool set_answer(
    EquivVerdict *verdict, EquivSide side, const Judgement *judgement, bool is_believed) {
  static constexpr JudgeId ids[] = {BY_ORACLE, BY_SMT};
  Verdict verdicts[judge_count] = {};
  for (uint32_t i = 0; i < 2; i++) {
    verdicts[ids[i]] = verdict_of_maps(judgement, ids[i]);
    if (!is_believed && verdicts[ids[i]].reason != REASON_EXACT) verdicts[ids[i]] = (Verdict){};
  }
  Join join = obligation_join(verdicts);
  if (join.is_dissent) {
    disagree(verdict, judgement);
    return true;
  }
  if (join.decided == 0) return false;
  verdict->answer = answer_of(join.reason, side);
  verdict->judges = join.decided == 2 ? "oracle+smt" : judge_row((JudgeId)join.a)->name;
  verdict->reason = "";
  if (join.reason == REASON_EXACT) return true;
  EquivSide reader = verdict->reader = join.reason == REASON_EXTRA ? side : 1 - side;
  const Verdict *by = &judgement->by[join.a];
  if (join.a == BY_ORACLE)
    set_witness(verdict, reader, &judgement->question, by->point, by->element);
  else set_model(verdict, reader, &judgement->question, by);
  verdict->reason = arena_printf(verdict->arena, "maps of %s against reads of %s: %s",
      side_names[side], side_names[1 - side], verdict_text(by));
  return true;
}

/* Judges the maps of `side` against the reads of the other side. A difference counts only if the
 * other side's own maps are exact too and depend only on parameters: then every tried value can
 * occur. */
static bool judge_by_maps(
    const Equiv *equiv, EquivSide side, EquivRound *round, EquivVerdict *verdict) {
  Judgement own, cross, other;
  if (!exact_maps(equiv, side, round, verdict, &own)) return false;
  MapSet maps = own.maps;
  maps.claim = INDEX_EXACT;
  Question question = question_of(equiv, 1 - side, verdict->pair);
  judge_maps(equiv->judge, &question, &maps, &cross);
  bool is_believed =
      cross.answer == REASON_EXACT || exact_maps(equiv, 1 - side, round, verdict, &other);
  if (!set_answer(verdict, side, &cross, is_believed))
    return add_reason(verdict, side_names[1 - side], cross.reason);
  assert(verdict->answer == REASON_DISSENT || verdict->judges != nullptr);
  verdict->is_unread = verdict->answer == REASON_EXACT && maps.count == 0;
  return true;
}

/* The answer of a proof. It asks for the reads of before first: if only after reads an element,
 * after reads all that before reads. */
static VerdictReason answer_of_proof(const Verdict *smt) {
  switch (smt->status) {
    case VERDICT_UNKNOWN: return REASON_OPEN;
    case VERDICT_PROVED: return REASON_EXACT;
    case VERDICT_REFUTED: break;
  }
  return smt->reason == REASON_SECOND_ONLY ? REASON_EXTRA : REASON_DIFFERENT;
}

static void judge_by_graphs(const Equiv *equiv, EquivVerdict *verdict, Verdict *smt) {
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

/* Decides by the proof alone. */
static void decide_by_graphs(const Equiv *equiv, EquivVerdict *verdict, const Verdict *smt) {
  Question question = question_of(equiv, EQUIV_BEFORE, verdict->pair);
  verdict->answer = answer_of_proof(smt);
  if (verdict->answer == REASON_OPEN) {
    (void)add_reason(verdict, "proof", verdict_text(smt));
    return;
  }
  verdict->judges = "proof";
  verdict->reason = "";
  if (verdict->answer == REASON_EXACT) return;
  set_model(verdict, verdict->answer == REASON_EXTRA ? EQUIV_AFTER : EQUIV_BEFORE, &question, smt);
  verdict->reason = verdict_text(smt);
}

/* The maps of before miss a read of after: whether after reads all that before reads is open. */
static bool may_be_more(const EquivVerdict *verdict) {
  return verdict->answer == REASON_DIFFERENT && verdict->reader == EQUIV_AFTER;
}

/* Compares both verdicts about one statement: after reads what before reads, and no more. */
static void hold_against_graphs(EquivVerdict *verdict, const Verdict *smt) {
  assert(verdict->answer != REASON_OPEN && verdict->answer != REASON_DISSENT);
  Verdict by_maps = {}, by_graphs = {};
  VerdictReason proved = answer_of_proof(smt);
  if (proved == REASON_EXTRA && may_be_more(verdict)) verdict->answer = REASON_EXTRA;
  verdict_mark(&by_maps, verdict->answer);
  verdict_mark(&by_graphs, proved);
  Join join = verdict_join(2, (const Verdict *const[]){&by_maps, &by_graphs});
  if (join.decided == 2 && !join.is_dissent)
    verdict->judges = arena_printf(verdict->arena, "%s+proof", verdict->judges);
  if (!join.is_dissent) return;
  verdict->reason = arena_printf(verdict->arena, "%s by maps (%s); over both graphs: %s",
      equiv_answer_text(verdict->answer), verdict->reason, verdict_text(smt));
  verdict->answer = REASON_DISSENT;
}

/* If no judge decides: two literally equal graphs read the same elements, whatever their loops,
 * branches and values do. */
static void decide_literally(const Equiv *equiv, EquivVerdict *verdict) {
  Arena *arena = arena_create();
  bool is_one_graph = equiv_literal(arena, equiv->entries[EQUIV_BEFORE],
                          equiv->entries[EQUIV_AFTER], verdict->pair.output) == LITERAL_YES;
  arena_destroy(arena);
  if (!is_one_graph) return;
  verdict->answer = REASON_EXACT;
  verdict->judges = "literal";
  verdict->reason = "";
}

static void equiv_open_for(EquivVerdict *verdict, const char *why) {
  verdict->answer = REASON_OPEN;
  verdict->judges = nullptr;
  verdict->has_witness = verdict->is_unread = false;
  verdict->reason = why;
}

/* A device's number, and a group of all devices, mean other devices under another header. */
static void mind_counts(const Equiv *equiv, EquivVerdict *verdict) {
  const Instruction *device = equiv->over_counts;
  bool is_kept =
      verdict->answer == REASON_OPEN || verdict->answer == REASON_DISSENT || verdict->is_unread;
  if (device == nullptr || is_kept) return;
  equiv_open_for(verdict,
      arena_printf(verdict->arena,
          "the headers state other numbers of replicas or partitions, and '%.200s' depends on them",
          device->name));
}

static bool judge_by_either(const Equiv *equiv, EquivRound *round, EquivVerdict *verdict) {
  verdict->reason = "";
  return judge_by_maps(equiv, EQUIV_AFTER, round, verdict) ||
         judge_by_maps(equiv, EQUIV_BEFORE, round, verdict);
}

static void equiv_ask(const Equiv *equiv, EquivVerdict *verdict) {
  Verdict graphs = verdict_begin(verdict->arena);
  EquivRound first = {}, second = {.is_second = true};
  bool by_maps = judge_by_either(equiv, &first, verdict);
  if (verdict->answer != REASON_DISSENT) judge_by_graphs(equiv, verdict, &graphs);
  if (!by_maps && first.has_left && graphs.status == VERDICT_UNKNOWN)
    by_maps = judge_by_either(equiv, &second, verdict);
  if (verdict->answer == REASON_DISSENT) return;
  if (by_maps) hold_against_graphs(verdict, &graphs);
  else decide_by_graphs(equiv, verdict, &graphs);
  if (verdict->answer == REASON_OPEN) decide_literally(equiv, verdict);
  else equiv_withdraw(equiv, verdict);
}

void equiv_judge(const Equiv *equiv, EquivPair pair, EquivVerdict *verdict) {
  Arena *arena = equiv->judge->context->arena;
  *verdict = (EquivVerdict){.pair = pair, .answer = REASON_OPEN, .reason = "", .arena = arena};
  bool began = budget_begin(equiv->judge->seconds, equiv->judge->stop);
  equiv_ask(equiv, verdict);
  mind_counts(equiv, verdict);
  budget_end(began);
  assert(verdict->answer != REASON_OPEN || verdict->reason[0] != 0);
}
