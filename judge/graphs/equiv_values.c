/* The judges of values are the oracle's terms and smt's proofs. An output leaf whose element type
 * differs between the graphs is an error: its values do not correspond. */
#include "judge/graphs/equiv_values.h"

#include <string.h>

#include "judge/graphs/device_counts.h"
#include "judge/graphs/effects.h"
#include "judge/graphs/endless.h"
#include "judge/graphs/equiv_call.h"
#include "judge/graphs/equiv_literal.h"
#include "core/hlo/header.h"
#include "judge/graphs/promises.h"
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
  if (values->proof == nullptr) return;
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
  if (values->reordered == nullptr || !is_open(verdict->values.answer) ||
      verdict->proof.status == VERDICT_PROVED)
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

/* Opens the judges without computing `doubt`. */
static bool open_entries(Arena *arena, const Module *before, const Module *after,
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
  if (grade != LAW_NONE && grade != LAW_FAST)
    values->reordered = smt_values_create(smt, before->entry, after->entry, LAW_FAST);
  return true;
}

static const char *attribute_doubt(Arena *arena, const Module *module) {
  const Instruction *beyond = instruction_beyond_words(module);
  if (beyond == nullptr) return nullptr;
  return arena_printf(arena, "'%.200s' has the attribute '%.100s', whose meaning is not known",
      beyond->name, attribute_beyond_words(beyond)->name);
}

static const char *device_doubt(Arena *arena, const Module *before, const Module *after) {
  const Instruction *device = instruction_over_devices(before, after);
  if (device == nullptr) return nullptr;
  return arena_printf(arena,
      "the headers state other numbers of replicas or partitions, and '%.200s' depends on them",
      device->name);
}

/* Two modules and the means to judge them. */
typedef struct EquivSides {
  Arena *arena;
  const Module *modules[2];
  const ValuesLimits *limits;
  Smt *smt;
} EquivSides;

/* True if both graphs have the same values. They are entries, or parts of the modules. */
static bool parts_agree(const EquivSides *sides, Computation *const parts[2]) {
  Module modules[2];
  EquivValues values;
  Error error = {};
  for (uint32_t i = 0; i < 2; i++) {
    modules[i] = *sides->modules[i];
    modules[i].entry = parts[i];
  }
  if (!open_entries(
          sides->arena, &modules[0], &modules[1], sides->limits, sides->smt, &values, &error))
    return false;
  bool agree = true;
  for (uint32_t leaf = 0; leaf < values.leaf_count && agree; leaf++) {
    EquivValuesVerdict verdict;
    if (shape_leaf(values.output, leaf)->type == TYPE_token) continue;
    equiv_values_judge(&values, leaf, &verdict);
    agree = verdict.answer == REASON_EXACT;
  }
  equiv_values_close(&values);
  return agree;
}

/* True if the operands have the same values, judged as outputs of graphs of their own. */
static bool operands_agree(const EquivSides *sides, const Instruction *const operands[2]) {
  Computation *ends[2];
  for (uint32_t i = 0; i < 2; i++)
    ends[i] = entry_ending_at(sides->arena, operands[i]->parent, operands[i]);
  return parts_agree(sides, ends);
}

static bool sends_the_same(const EquivSides *sides, const EffectPair *pair) {
  const Instruction *before = pair->sides[0], *after = pair->sides[1];
  if (before->operand_count != after->operand_count) return false;
  for (uint32_t i = 0; i < before->operand_count; i++) {
    const Instruction *const operands[2] = {before->operands[i], after->operands[i]};
    if (operands[0]->shape->type == TYPE_token && operands[1]->shape->type == TYPE_token) continue;
    if (before->parent != sides->modules[0]->entry || after->parent != sides->modules[1]->entry)
      return false;
    if (!operands_agree(sides, operands)) return false;
  }
  return true;
}

static bool run_once(const EquivSides *sides, const EffectPair *pair) {
  return effect_runs_once(sides->modules[0], pair->sides[0]) &&
         effect_runs_once(sides->modules[1], pair->sides[1]);
}

static bool follows_on(const EquivSides *sides, int side, const EffectPair *first,
    const EffectPair *second, EffectOrder order) {
  return effect_follows(
      sides->arena, sides->modules[side], first->sides[side], second->sides[side], order);
}

/* Whether the graph states that the second effect runs after the first. */
static bool is_ordered(
    const EquivSides *sides, int side, const EffectPair *first, const EffectPair *second) {
  return follows_on(sides, side, first, second, ORDER_WITH_CONTROL) ||
         (module_is_scheduled(sides->modules[side]) &&
             follows_on(sides, side, first, second, ORDER_OF_SCHEDULE));
}

/* A compiler may add an order by control predecessors or a schedule, but may not lose one. */
static bool changes_order(
    const EquivSides *sides, const EffectPair *first, const EffectPair *second) {
  if (follows_on(sides, 0, first, second, ORDER_OF_OPERANDS) !=
      follows_on(sides, 1, first, second, ORDER_OF_OPERANDS))
    return true;
  return is_ordered(sides, 0, first, second) && !is_ordered(sides, 1, first, second);
}

/* An effect that follows another in one of the graphs alone; nullptr if there is none. */
static const Instruction *effect_out_of_order(const EquivSides *sides, const EffectPairs *pairs) {
  for (uint32_t i = 0; i < pairs->count; i++)
    for (uint32_t k = 0; k < pairs->count; k++)
      if (changes_order(sides, &pairs->items[i], &pairs->items[k])) return pairs->items[k].sides[0];
  return nullptr;
}

static const char *effect_doubt(const EquivSides *sides, bool is_one_graph) {
  EffectPairs pairs = {};
  const Instruction *lost =
      effects_pair(sides->arena, sides->modules[0], sides->modules[1], &pairs);
  if (lost != nullptr)
    return arena_printf(sides->arena,
        "the values are the same, but one graph alone has the effect of '%.200s'", lost->name);
  for (uint32_t i = 0; i < pairs.count && !is_one_graph; i++) {
    if (!run_once(sides, &pairs.items[i]))
      return arena_printf(sides->arena,
          "the values are the same, but how often '%.200s' runs is not shown to be",
          pairs.items[i].sides[0]->name);
    if (!sends_the_same(sides, &pairs.items[i]))
      return arena_printf(sides->arena,
          "the values are the same, but what '%.200s' sends is not shown to be",
          pairs.items[i].sides[0]->name);
  }
  const Instruction *moved = is_one_graph ? nullptr : effect_out_of_order(sides, &pairs);
  return moved == nullptr
             ? nullptr
             : arena_printf(sides->arena,
                   "the values are the same, but the order of '%.200s' and other effects is not "
                   "shown to be",
                   moved->name);
}

/* Where one graph has an upper bound and the other a size, arrays of the same elements may differ
 * in size. */
static const char *bound_doubt(Arena *arena, const Computation *before, const Computation *after) {
  for (uint32_t i = 0; i < before->parameter_count; i++)
    if (!shape_same_bounds(before->parameters[i]->shape, after->parameters[i]->shape))
      return arena_printf(arena, "a size of parameter %u is a bound in one graph alone", i);
  return shape_same_bounds(before->root->shape, after->root->shape)
             ? nullptr
             : "a size of the output is a bound in one graph alone";
}

/* A compiler that loses an increment makes a loop that never ends, and the other leaves of its
 * state are what they were. */
static const char *endless_doubt(const EquivSides *sides) {
  const Instruction *loops[2];
  uint32_t before = module_endless_loops(sides->arena, sides->modules[0], &loops[0]),
           after = module_endless_loops(sides->arena, sides->modules[1], &loops[1]);
  if (before == after) return nullptr;
  return arena_printf(sides->arena,
      "the loop '%.200s' never ends once it runs: its body changes nothing that its condition "
      "reads, and the other graph has fewer such loops",
      loops[before > after ? 0 : 1]->name);
}

static bool literally_agree(const EquivSides *sides, const Instruction *const operands[2]) {
  Computation ends[2];
  for (uint32_t i = 0; i < 2; i++) {
    ends[i] = *operands[i]->parent;
    ends[i].root = ends[i].instructions[operands[i]->id];
  }
  bool agree = shape_leaf_count(operands[0]->shape) == shape_leaf_count(operands[1]->shape);
  for (uint32_t leaf = 0; agree && leaf < shape_leaf_count(operands[0]->shape); leaf++) {
    ArenaMark mark = arena_mark(sides->arena);
    agree = equiv_literal(sides->arena, &ends[0], &ends[1], leaf) != LITERAL_NO;
    arena_rewind(sides->arena, mark);
  }
  return agree;
}

/* How two index arrays are compared. Few pairs are compared by value, namesakes first. */
typedef enum IndicesBy : uint8_t {
  INDICES_BY_TEXT,
  INDICES_OF_ONE_NAME,
  INDICES_BY_VALUE
} IndicesBy;

/* Whether two loops, branches or folds are given the same and run for the same callers. */
static bool callers_agree(
    const EquivSides *sides, const Instruction *const callers[2], IndicesBy by) {
  if (callers[0] == nullptr || callers[1] == nullptr) return callers[0] == callers[1];
  if (callers[0]->opcode != callers[1]->opcode ||
      callers[0]->operand_count != callers[1]->operand_count)
    return false;
  for (uint32_t i = 0; i < callers[0]->operand_count; i++) {
    const Instruction *const operands[2] = {callers[0]->operands[i], callers[1]->operands[i]};
    if (literally_agree(sides, operands)) continue;
    if (by == INDICES_BY_TEXT || !operands_agree(sides, operands)) return false;
  }
  const Instruction *outside[2] = {};
  for (uint32_t i = 0; i < 2; i++) {
    if (callers[i]->parent == sides->modules[i]->entry) continue;
    const CallPlaces places = call_places(sides->arena, sides->modules[i], callers[i]->parent);
    if (places.count != 1) return false;
    outside[i] = places.items[0].caller;
  }
  return callers_agree(sides, outside, by);
}

static bool indices_agree(
    const EquivSides *sides, const PromiseMaker *const makers[2], IndicesBy by) {
  const Instruction *const indices[2] = {makers[0]->indices, makers[1]->indices},
                           *const callers[2] = {makers[0]->caller, makers[1]->caller};
  if (makers[0]->place != makers[1]->place || !callers_agree(sides, callers, by)) return false;
  if (by == INDICES_BY_TEXT)
    return makers[0]->around_count + makers[1]->around_count == 0 &&
           literally_agree(sides, indices);
  Computation *const alone[2] = {promise_indices_alone(sides->arena, makers[0]),
      promise_indices_alone(sides->arena, makers[1])};
  return parts_agree(sides, alone);
}

/* `left`: how many pairs may still be compared by value. */
static bool is_promised_before(
    const EquivSides *sides, const NewPromise *promise, IndicesBy by, uint32_t *left) {
  for (uint32_t i = 0; i < promise->before.count; i++) {
    const PromiseMaker *const makers[2] = {&promise->before.items[i], &promise->maker};
    bool is_namesake = strcmp(makers[0]->instruction->name, makers[1]->instruction->name) == 0;
    if (by == INDICES_OF_ONE_NAME && !is_namesake) continue;
    if (by == INDICES_BY_VALUE && is_namesake) continue;
    if (by != INDICES_BY_TEXT && *left == 0) return false;
    *left -= by != INDICES_BY_TEXT;
    if (indices_agree(sides, makers, by)) return true;
  }
  return false;
}

/* Equal values for indices that keep a promise are no equal values for all. */
static const char *promise_doubt(const EquivSides *sides) {
  static constexpr uint32_t most_compared = 48;
  NewPromises promises = {};
  uint32_t left = most_compared;
  promises_new(sides->arena, sides->modules[0], sides->modules[1], &promises);
  if (promises.count > 0 &&
      equiv_literal_whole(sides->arena, sides->modules[0]->entry, sides->modules[1]->entry))
    return nullptr;
  for (uint32_t i = 0; i < promises.count; i++) {
    const NewPromise *promise = &promises.items[i];
    if (is_promised_before(sides, promise, INDICES_BY_TEXT, &left) ||
        is_promised_before(sides, promise, INDICES_OF_ONE_NAME, &left) ||
        is_promised_before(sides, promise, INDICES_BY_VALUE, &left))
      continue;
    return arena_printf(sides->arena,
        "only the second graph promises %s of '%.200s', and its indices are not shown to keep it",
        promise->name, promise->maker.instruction->name);
  }
  return nullptr;
}

static const char *equiv_values_doubt(const EquivSides *sides, bool is_one_graph) {
  const char *doubt = effect_doubt(sides, is_one_graph);
  for (uint32_t i = 0; i < 2 && doubt == nullptr && !is_one_graph; i++)
    doubt = attribute_doubt(sides->arena, sides->modules[i]);
  if (doubt == nullptr)
    doubt = bound_doubt(sides->arena, sides->modules[0]->entry, sides->modules[1]->entry);
  if (doubt == nullptr) doubt = endless_doubt(sides);
  if (doubt == nullptr) doubt = promise_doubt(sides);
  if (doubt != nullptr) return doubt;
  return device_doubt(sides->arena, sides->modules[0], sides->modules[1]);
}

bool equiv_values_open(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, Smt *smt, EquivValues *values, Error *error) {
  if (!open_entries(arena, before, after, limits, smt, values, error)) return false;
  values->doubt =
      equiv_values_doubt(&(EquivSides){arena, {before, after}, limits, smt}, values->is_one_graph);
  return true;
}

bool equiv_values_create(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, EquivValues *values, Error *error) {
  return equiv_values_open(arena, before, after, limits, nullptr, values, error);
}
