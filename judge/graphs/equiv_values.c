/* The judges of values are the oracle's terms and smt's proofs. An output leaf whose element type
 * differs between the graphs is an error: its values do not correspond. */
#include "judge/graphs/equiv_values.h"

#include <string.h>

#include "judge/graphs/effects.h"
#include "judge/graphs/equiv_call.h"
#include "judge/graphs/equiv_literal.h"
#include "judge/graphs/unknown_attributes.h"

const char *equiv_values_text(VerdictReason answer) {
  static const char *const texts[verdict_reason_count] = {
#define ANSWER(reason, text, status, help) [REASON_##reason] = text,
#include "judge/graphs/equiv_values.def"
#undef ANSWER
      [REASON_DISSENT] = "disagree"};
  return texts[answer] == nullptr ? texts[REASON_OPEN] : texts[answer];
}

Status equiv_values_status(VerdictReason answer) {
  static constexpr Status statuses[verdict_reason_count] = {
#define ANSWER(reason, text, status, help) [REASON_##reason] = STATUS_##status,
#include "judge/graphs/equiv_values.def"
#undef ANSWER
      [REASON_DISSENT] = STATUS_BAD};
  bool is_no_answer = statuses[answer] == STATUS_PROVED && answer != REASON_EXACT;
  return is_no_answer ? STATUS_UNDECIDED : statuses[answer];
}

/* True for a graph that no judge follows completely. */
static bool is_not_followed(const Computation *entry) {
  return entry->stateful != nullptr || entry->bounded != nullptr;
}

/* True for a constant that its name does not identify: the judges treat each as a different
 * value. */
static bool is_namesake(const Instruction *instruction) { return instruction->is_namesake; }

/* True if literal equality of the modules can show more than the judges can. */
static bool needs_literal(const Module *module) {
  return is_not_followed(module->entry) || module_find(module, is_namesake) != nullptr ||
         module_find(module, instruction_has_effect) != nullptr ||
         instruction_beyond_words(module) != nullptr;
}

void equiv_values_query(const EquivValues *values, uint32_t leaf, ValuesVerdict *verdict) {
  oracle_values_query(values->oracle, leaf, verdict);
  if (values->doubt == nullptr || verdict->answer != REASON_EXACT) return;
  *verdict = (ValuesVerdict){.answer = REASON_OPEN};
  snprintf(verdict->reason, sizeof verdict->reason, "%s", values->doubt);
}

static void mind_doubt(const EquivValues *values, EquivValuesVerdict *verdict) {
  if (values->doubt == nullptr || verdict->answer != REASON_EXACT) return;
  verdict->values = (ValuesVerdict){.answer = REASON_OPEN};
  verdict->answer = REASON_OPEN;
  verdict->judges = nullptr;
  snprintf(verdict->reason, sizeof verdict->reason, "%s", values->doubt);
}

void equiv_values_close(EquivValues *values) {
  smt_values_destroy(values->proof);
  smt_values_destroy(values->reordered);
  values->proof = values->reordered = nullptr;
}

static void prove_leaf(const EquivValues *values, uint32_t leaf, EquivValuesVerdict *verdict) {
  Error error = {};
  verdict->proof = (Verdict){};
  if (values->proof == nullptr || !shape_is_array(shape_leaf(values->output, leaf))) return;
  if (!smt_values_query(values->proof, leaf, &verdict->proof, &error))
    verdict_decide(&verdict->proof, REASON_REJECTED, "%s", error.message);
  verdict->laws = smt_values_laws(values->proof);
}

static bool is_open(VerdictReason answer) {
  return answer == REASON_OPEN || answer == REASON_TRIED;
}

/* If no judge decides, tries to prove the values the same except for the order of operations.
 * `steps`: the limit. */
static bool prove_reordered(
    const EquivValues *values, uint32_t leaf, uint64_t steps, EquivValuesVerdict *verdict) {
  Error error = {};
  Verdict reordered = {};
  if (values->reordered == nullptr || !shape_is_array(shape_leaf(values->output, leaf)) ||
      !is_open(verdict->values.answer) || verdict->proof.status == VERDICT_PROVED)
    return false;
  smt_values_limit(values->reordered, steps);
  if (!smt_values_query(values->reordered, leaf, &reordered, &error) ||
      reordered.status != VERDICT_PROVED)
    return false;
  verdict->is_reordered = true;
  verdict->laws = smt_values_laws(values->reordered);
  return true;
}

static void say_both(EquivValuesVerdict *verdict, const char *oracle) {
  snprintf(verdict->reason, sizeof verdict->reason, "%.200s; smt: %.160s", oracle,
      verdict_text(&verdict->proof));
}

/* Reports an element whose terms differ although no evaluation shows a difference. */
static void join_refuted(EquivValuesVerdict *verdict) {
  Text text = text_create(verdict->proof.arena);
  if (verdict->values.answer != REASON_OPEN) return;
  text_integers(&text, ", ", verdict->proof.point_rank, verdict->proof.point);
  snprintf(verdict->reason, sizeof verdict->reason, "%.200s; smt: %.100s, at element (%.60s)",
      verdict->values.reason, verdict_text(&verdict->proof), text.bytes);
}

/* Sets the answer of a proof alone. With laws of grade `fast`, the reads are the same, and the
 * values are equal up to rounding. */
static void set_proved(EquivValuesVerdict *verdict, VerdictReason answer) {
  verdict->values = (ValuesVerdict){.answer = answer, .by = "proof", .laws = verdict->laws};
  verdict->judges = "smt";
  verdict->reason[0] = 0;
}

/* Joins both as verdicts about one statement: the values are the same. Only a proof of smt counts,
 * because different terms may have equal values. */
static Join join_both(const EquivValuesVerdict *verdict) {
  Verdict oracle = {}, proof = {};
  verdict_mark(&oracle, verdict->values.answer);
  if (verdict->proof.status == VERDICT_PROVED) verdict_mark(&proof, REASON_EXACT);
  return verdict_join(2, (const Verdict *const[]){&oracle, &proof});
}

void equiv_values_join(EquivValuesVerdict *verdict) {
  Join join = join_both(verdict);
  bool by_proof = join.decided > 0 && join.a == 1;
  snprintf(verdict->reason, sizeof verdict->reason, "%s", verdict->values.reason);
  verdict->judges = join.decided == 2                       ? "oracle+smt"
                    : verdict->values.answer == REASON_OPEN ? nullptr
                                                            : "oracle";
  if (join.is_dissent) {
    verdict->judges = "oracle";
    say_both(verdict, "oracle: evaluated to different values");
  } else if (by_proof) set_proved(verdict, REASON_EXACT);
  else if (verdict->is_reordered && is_open(verdict->values.answer))
    set_proved(verdict, REASON_SAME_READS);
  else if (verdict->proof.status == VERDICT_REFUTED) join_refuted(verdict);
  else if (verdict->values.answer == REASON_OPEN && verdict->proof.reason != REASON_NOT_ASKED)
    say_both(verdict, verdict->values.reason);
  verdict->answer = join.is_dissent ? REASON_DISSENT : verdict->values.answer;
}

/* The oracle evaluates an element at which smt finds different terms, at any size. */
static void evaluate_refuted(
    const EquivValues *values, uint32_t leaf, EquivValuesVerdict *verdict) {
  const Verdict *proof = &verdict->proof;
  ValuesVerdict found;
  if (proof->status != VERDICT_REFUTED || !is_open(verdict->values.answer) ||
      verdict->is_reordered || proof->point_rank != shape_leaf(values->output, leaf)->rank)
    return;
  oracle_values_query_at(values->oracle, leaf, proof->point, &found);
  if (found.answer == REASON_DIFFERENT) verdict->values = found;
}

/* The pairs of operations that all outputs together may still use beyond a brief proof. */
static uint64_t steps_left(const EquivValues *values) {
  static constexpr uint64_t most_outputs = 2;
  if (values->steps == 0) return UINT64_MAX;
  uint64_t taken = smt_values_steps(values->proof) + smt_values_steps(values->reordered),
           most = most_outputs * values->steps;
  return taken < most ? most - taken : 0;
}

static uint64_t brief_steps(const EquivValues *values) {
  static constexpr uint64_t few_steps = 1'000, fewer_steps = 100;
  return !values->is_brief && steps_left(values) > 0 ? few_steps : fewer_steps;
}

/* Asks each judge with a small limit until one decides. Returns false if the limits were too
 * small. */
static bool judged_briefly(const EquivValues *values, uint32_t leaf, EquivValuesVerdict *verdict) {
  static constexpr uint64_t few_elements = 2'000;
  oracle_values_limit(values->oracle, few_elements);
  oracle_values_query(values->oracle, leaf, &verdict->values);
  if (verdict->values.answer == REASON_EXACT || values->proof == nullptr)
    return !is_open(verdict->values.answer);
  smt_values_limit(values->proof, brief_steps(values));
  prove_leaf(values, leaf, verdict);
  return verdict->proof.status == VERDICT_PROVED || verdict->values.answer == REASON_DIFFERENT ||
         (!smt_values_was_limited(values->proof) &&
             prove_reordered(values, leaf, brief_steps(values), verdict));
}

static void prove_fully(const EquivValues *values, uint32_t leaf, EquivValuesVerdict *verdict) {
  uint64_t left = steps_left(values);
  if (left == 0) return;
  if (smt_values_was_limited(values->proof)) {
    smt_values_limit(values->proof, values->steps);
    prove_leaf(values, leaf, verdict);
    if (!smt_values_was_limited(values->proof))
      (void)prove_reordered(values, leaf, values->steps, verdict);
  } else if (values->reordered != nullptr && smt_values_was_limited(values->reordered))
    (void)prove_reordered(values, leaf, values->steps, verdict);
}

/* Asks again with the larger limits those judges whose small limit was too small. The proof goes
 * first, because its cost does not depend on sizes. */
static void judge_fully(const EquivValues *values, uint32_t leaf, EquivValuesVerdict *verdict) {
  if (values->proof != nullptr) prove_fully(values, leaf, verdict);
  if (verdict->proof.status == VERDICT_PROVED || verdict->is_reordered ||
      !is_open(verdict->values.answer))
    return;
  oracle_values_limit(values->oracle, 0);
  oracle_values_query(values->oracle, leaf, &verdict->values);
}

static void set_literal(EquivValuesVerdict *verdict) {
  verdict->values = (ValuesVerdict){.answer = REASON_EXACT, .by = "literal"};
  verdict->judges = "literal";
  verdict->answer = REASON_EXACT;
}

/* With an unknown size nothing can be computed: literally equal graphs have the same values,
 * everything else is undecided. */
static bool judged_unbounded(
    const EquivValues *values, uint32_t leaf, EquivValuesVerdict *verdict) {
  const Computation *before = values->entries[0], *after = values->entries[1];
  const Instruction *unbounded =
      before->unbounded != nullptr ? before->unbounded : after->unbounded;
  if (unbounded == nullptr) return false;
  Arena *arena = arena_create();
  bool is_function = before->stateful == nullptr && after->stateful == nullptr;
  bool is_same = is_function && equiv_literal(arena, before, after, leaf) != LITERAL_NO;
  arena_destroy(arena);
  if (is_same) {
    set_literal(verdict);
    return true;
  }
  verdict->values = (ValuesVerdict){.answer = REASON_OPEN};
  verdict->answer = REASON_OPEN;
  snprintf(
      verdict->reason, sizeof verdict->reason, "a size of '%.200s' is not known", unbounded->name);
  return true;
}

void equiv_values_judge(const EquivValues *values, uint32_t leaf, EquivValuesVerdict *verdict) {
  *verdict = (EquivValuesVerdict){};
  if (values->is_one_graph) {
    set_literal(verdict);
    mind_doubt(values, verdict);
    return;
  }
  if (judged_unbounded(values, leaf, verdict)) {
    mind_doubt(values, verdict);
    return;
  }
  if (!values->one_judge) {
    oracle_values_query(values->oracle, leaf, &verdict->values);
    prove_leaf(values, leaf, verdict);
    (void)prove_reordered(values, leaf, 0, verdict);
  } else if (!judged_briefly(values, leaf, verdict) && !values->is_brief)
    judge_fully(values, leaf, verdict);
  evaluate_refuted(values, leaf, verdict);
  equiv_values_join(verdict);
  mind_doubt(values, verdict);
}

bool equiv_values_open_parts(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, Smt *smt, EquivValues *values, Error *error) {
  if (!equiv_entries_match(before, after, error)) return false;
  *values = (EquivValues){.entries = {before->entry, after->entry},
      .output = before->entry->root->shape,
      .leaf_count = shape_leaf_count(before->entry->root->shape)};
  for (uint32_t i = 0; i < values->leaf_count; i++)
    if (shape_leaf(values->output, i)->type != shape_leaf(after->entry->root->shape, i)->type)
      return error_set(error, ERROR_INPUT, "output leaf %u has another element type after", i);
  for (uint32_t i = 0; i < before->entry->parameter_count; i++)
    if (!shape_compatible(before->entry->parameters[i]->shape, after->entry->parameters[i]->shape))
      return error_set(error, ERROR_INPUT, "parameter %u has another element type after", i);
  values->is_one_graph =
      needs_literal(before) && equiv_literal_whole(arena, before->entry, after->entry);
  values->oracle = oracle_values_create(arena, before->entry, after->entry, limits);
  values->smt = smt;
  values->one_judge = limits != nullptr && limits->one_judge;
  values->steps = limits == nullptr ? 0 : limits->steps;
  LawGrade grade = limits == nullptr ? LAW_NONE : limits->grade;
  if (smt == nullptr) return true;
  values->proof = smt_values_create(smt, before->entry, after->entry, grade);
  if (grade == LAW_NONE || grade == LAW_FAST) return true;
  values->reordered = smt_values_create(smt, before->entry, after->entry, LAW_FAST);
  smt_values_share_pairs(values->reordered, values->proof);
  return true;
}
