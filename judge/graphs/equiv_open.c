/* Reasons why equal values are not reported as the same: effects, bounds, loops that never end,
 * promises about indices, calls with several values, devices and unknown attributes. What an effect
 * sends, and the indices of a promise, are compared as outputs of parts of the graphs. */
#include "judge/graphs/equiv_open.h"

#include <string.h>

#include "core/hlo/header.h"
#include "core/hlo/namesakes.h"
#include "core/hlo/stateful.h"
#include "judge/graphs/call_threads.h"
#include "judge/graphs/device_counts.h"
#include "judge/graphs/effect_needs.h"
#include "judge/graphs/effects.h"
#include "judge/graphs/endless.h"
#include "judge/graphs/equiv_literal.h"
#include "judge/graphs/promises.h"
#include "judge/graphs/unknown_attributes.h"

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

static const char *thread_doubt(const EquivSides *sides) {
  const Instruction *call = call_on_two_threads(sides->arena, sides->modules[0], sides->modules[1]);
  if (call == nullptr ||
      equiv_literal_whole(sides->arena, sides->modules[0]->entry, sides->modules[1]->entry))
    return nullptr;
  return arena_printf(sides->arena,
      "the target of '%.200s' is called on two threads, and may be another function on each",
      call->name);
}

static const char *several_doubt(const EquivSides *sides) {
  const Instruction *call = call_at_several_places(sides->arena, sides->modules[0]);
  if (call == nullptr) call = call_at_several_places(sides->arena, sides->modules[1]);
  if (call == nullptr ||
      equiv_literal_whole(sides->arena, sides->modules[0]->entry, sides->modules[1]->entry))
    return nullptr;
  return arena_printf(sides->arena,
      "'%.200s' has no operands, runs at several places, and may return another value at each",
      call->name);
}

/* Whether the value of the root depends on a stateful operation. */
static bool depends_on_state(Arena *arena, const Computation *part) {
  if (part->stateful == nullptr) return false;
  const bool *needed = marked_from_root(arena, part);
  for (uint32_t i = 0; i < part->instruction_count; i++)
    if (needed[i] && instruction_stateful(part->instructions[i]) != nullptr) return true;
  return false;
}

/* Parts are judged one by one, so that in each a random number may get another partner. */
static bool partners_are_known(const EquivSides *sides, Computation *const parts[2]) {
  for (uint32_t i = 0; i < 2; i++)
    if (depends_on_state(sides->arena, parts[i]) &&
        !stateful_have_partners(sides->arena, sides->modules[i]->entry))
      return false;
  return true;
}

/* True if both graphs have the same values. They are entries, or parts of the modules. */
static bool parts_agree(const EquivSides *sides, Computation *const parts[2]) {
  if (!partners_are_known(sides, parts)) return false;
  Module modules[2];
  EquivValues values;
  Error error = {};
  for (uint32_t i = 0; i < 2; i++) {
    modules[i] = *sides->modules[i];
    modules[i].entry = parts[i];
  }
  if (!equiv_values_open_parts(
          sides->arena, &modules[0], &modules[1], sides->limits, sides->smt, &values, &error))
    return false;
  bool agree = true;
  for (uint32_t leaf = 0; leaf < values.leaf_count && agree; leaf++) {
    EquivValuesVerdict verdict;
    if (!shape_leaf_has_value(shape_leaf(values.output, leaf))) continue;
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

static bool literally_agree(const EquivSides *sides, const Instruction *const operands[2]) {
  Computation ends[2];
  for (uint32_t i = 0; i < 2; i++) {
    ends[i] = *operands[i]->parent;
    ends[i].root = ends[i].instructions[operands[i]->id];
  }
  bool agree = shape_leaf_count(operands[0]->shape) == shape_leaf_count(operands[1]->shape) &&
               partners_are_known(sides, (Computation *const[2]){&ends[0], &ends[1]});
  for (uint32_t leaf = 0; agree && leaf < shape_leaf_count(operands[0]->shape); leaf++) {
    ArenaMark mark = arena_mark(sides->arena);
    agree = equiv_literal(sides->arena, &ends[0], &ends[1], leaf) == LITERAL_YES;
    arena_rewind(sides->arena, mark);
  }
  return agree;
}

/* True if the computations have the same values. Both may promise something in them: a promise that
 * is the first to be broken is compared like any other. */
static bool called_agree(
    const EquivSides *sides, const Instruction *const callers[2], bool by_value) {
  bool agree = callers[0]->called_count == callers[1]->called_count;
  for (uint32_t i = 0; agree && i < callers[0]->called_count; i++) {
    Computation *const called[2] = {callers[0]->called[i], callers[1]->called[i]};
    const Instruction *const roots[2] = {called[0]->root, called[1]->root};
    agree = literally_agree(sides, roots) || (by_value && parts_agree(sides, called));
  }
  return agree;
}

static bool sends_the_same(const EquivSides *sides, const EffectPair *pair) {
  const Instruction *before = pair->sides[0], *after = pair->sides[1];
  for (uint32_t i = 0; i < before->operand_count; i++) {
    const Instruction *const operands[2] = {before->operands[i], after->operands[i]};
    if (operands[0]->shape->type == TYPE_token && operands[1]->shape->type == TYPE_token) continue;
    if (before->parent != sides->modules[0]->entry || after->parent != sides->modules[1]->entry)
      return false;
    if (!operands_agree(sides, operands)) return false;
  }
  return true;
}

/* What the effects of both sides follow and need. */
typedef struct EffectsOrder {
  EffectFollowing sides[2];
  EffectNeeds needs[2];
  bool is_scheduled[2];
} EffectsOrder;

static EffectsOrder effects_order(const EquivSides *sides) {
  EffectsOrder by = {};
  for (uint32_t i = 0; i < 2; i++) {
    by.sides[i] = (EffectFollowing){
        .arena = sides->arena, .module = sides->modules[i], .unknown_is_any = i == 0};
    by.is_scheduled[i] = module_is_scheduled(sides->modules[i]);
  }
  return by;
}

static bool run_once(EffectsOrder *by, const EffectPair *pair) {
  return effect_runs_once(&by->sides[0], pair->sides[0]) &&
         effect_runs_once(&by->sides[1], pair->sides[1]);
}

static bool follows_on(EffectsOrder *by, int side, const EffectPair *first,
    const EffectPair *second, EffectOrder order) {
  return effect_follows(&by->sides[side], first->sides[side], second->sides[side], order);
}

static bool needs_on(EffectsOrder *by, int side, const EffectPair *first, const EffectPair *second,
    bool with_control) {
  by->needs[side].following = &by->sides[side];
  return effect_needs(&by->needs[side], first->sides[side], second->sides[side], with_control);
}

/* Whether the graph states that the second effect runs after the first: where a call is one
 * operation, or where only what an effect is computed from counts. */
static bool is_ordered(
    EffectsOrder *by, int side, const EffectPair *first, const EffectPair *second, bool by_needs) {
  if (by->is_scheduled[side] && follows_on(by, side, first, second, ORDER_OF_SCHEDULE)) return true;
  return by_needs ? needs_on(by, side, first, second, true)
                  : follows_on(by, side, first, second, ORDER_WITH_CONTROL);
}

/* A compiler may add an order by control predecessors or a schedule, but may not lose one. */
static bool changes_order(EffectsOrder *by, const EffectPair *first, const EffectPair *second) {
  bool changes = follows_on(by, 0, first, second, ORDER_OF_OPERANDS) !=
                     follows_on(by, 1, first, second, ORDER_OF_OPERANDS) ||
                 needs_on(by, 0, first, second, false) != needs_on(by, 1, first, second, false);
  for (int by_needs = 0; by_needs < 2 && !changes; by_needs++)
    changes =
        is_ordered(by, 0, first, second, by_needs) && !is_ordered(by, 1, first, second, by_needs);
  return changes || effect_needs_are_cut(&by->needs[0]) || effect_needs_are_cut(&by->needs[1]);
}

/* An effect that follows another in one of the graphs alone; nullptr if there is none. */
static const Instruction *effect_out_of_order(EffectsOrder *by, const EffectPairs *pairs) {
  for (uint32_t k = 0; k < pairs->count; k++)
    for (uint32_t i = 0; i < pairs->count; i++)
      if (changes_order(by, &pairs->items[i], &pairs->items[k])) return pairs->items[k].sides[0];
  return nullptr;
}

static bool loses_schedule(const EquivSides *sides) {
  return module_is_scheduled(sides->modules[0]) && !module_is_scheduled(sides->modules[1]);
}

/* Whether the computations around both effects, up to the entries, are literally equal, so that
 * what orders effects inside them is the same. */
static bool stands_alike(const EquivSides *sides, const EffectPair *pair) {
  const Instruction *at[2] = {pair->sides[0], pair->sides[1]};
  for (;;) {
    bool is_in_entry[2];
    for (uint32_t i = 0; i < 2; i++) is_in_entry[i] = at[i]->parent == sides->modules[i]->entry;
    if (is_in_entry[0] || is_in_entry[1]) return is_in_entry[0] && is_in_entry[1];
    if (!equiv_literal_whole(sides->arena, at[0]->parent, at[1]->parent)) return false;
    for (uint32_t i = 0; i < 2; i++) {
      const CallPlaces places = call_places(sides->arena, sides->modules[i], at[i]->parent);
      if (places.count == 0) return false;
      at[i] = places.items[0].caller;
    }
  }
}

/* An effect whose order among the others is not shown to be kept; nullptr if there is none.
 * Literal equality compares control predecessors, but no header. */
static const Instruction *effect_not_ordered(
    const EquivSides *sides, EffectsOrder *by, const EffectPairs *pairs, bool is_one_graph) {
  if (is_one_graph && !loses_schedule(sides)) return nullptr;
  for (uint32_t i = 0; is_one_graph && i < pairs->count; i++)
    if (!run_once(by, &pairs->items[i])) return pairs->items[i].sides[0];
  for (uint32_t i = 0; !is_one_graph && pairs->count > 1 && i < pairs->count; i++)
    if (!stands_alike(sides, &pairs->items[i])) return pairs->items[i].sides[0];
  return effect_out_of_order(by, pairs);
}

static const char *effect_doubt(const EquivSides *sides, bool is_one_graph) {
  EffectPairs pairs = {};
  EffectsOrder by = effects_order(sides);
  const Instruction *lost =
      effects_pair(sides->arena, sides->modules[0], sides->modules[1], &pairs);
  if (lost != nullptr)
    return arena_printf(sides->arena,
        "the values are the same, but one graph alone has the effect of '%.200s'", lost->name);
  for (uint32_t i = 0; i < pairs.count && !is_one_graph; i++) {
    if (!run_once(&by, &pairs.items[i]))
      return arena_printf(sides->arena,
          "the values are the same, but how often '%.200s' runs is not shown to be",
          pairs.items[i].sides[0]->name);
    const char *differs = effect_difference(&pairs.items[i]);
    if (differs == nullptr && !called_agree(sides, pairs.items[i].sides, true))
      differs = "a called computation";
    if (differs == nullptr && strcmp(effect_thread(&by.sides[0], pairs.items[i].sides[0]),
                                  effect_thread(&by.sides[1], pairs.items[i].sides[1])) != 0)
      differs = "async_execution_thread";
    if (differs != nullptr)
      return arena_printf(sides->arena,
          "the values are the same, but the effects of '%.200s' differ: %.100s",
          pairs.items[i].sides[0]->name, differs);
    if (!sends_the_same(sides, &pairs.items[i]))
      return arena_printf(sides->arena,
          "the values are the same, but what '%.200s' sends is not shown to be",
          pairs.items[i].sides[0]->name);
  }
  const Instruction *moved = effect_not_ordered(sides, &by, &pairs, is_one_graph);
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

/* Whether an element of the states of two loops is the same at first. */
static bool starts_alike(
    const EquivSides *sides, const Instruction *const loops[2], const uint32_t elements[2]) {
  const Instruction *states[2];
  for (uint32_t i = 0; i < 2; i++) {
    states[i] = loops[i]->operands[0];
    if (states[i]->opcode == HLO_TUPLE) states[i] = states[i]->operands[elements[i]];
    else if (elements[0] != elements[1]) return false;
  }
  return literally_agree(sides, states) || operands_agree(sides, states);
}

/* Whether both loops run, and so never end, for the same inputs. */
static bool run_alike(const EquivSides *sides, const Instruction *const loops[2]) {
  StateElements elements;
  bool are_in_entries =
      loops[0]->parent == sides->modules[0]->entry && loops[1]->parent == sides->modules[1]->entry;
  if (!endless_conditions_agree(loops[0], loops[1], &elements)) return false;
  if (elements.count == 0) return are_in_entries;
  for (uint32_t i = 0; are_in_entries && i < elements.count; i++)
    if (!starts_alike(
            sides, loops, (const uint32_t[2]){elements.sides[0][i], elements.sides[1][i]}))
      return false;
  return are_in_entries;
}

/* A compiler that loses an increment makes a loop that never ends, and the other leaves of its
 * state are what they were. */
static const char *endless_doubt(const EquivSides *sides) {
  EndlessLoops loops[2];
  for (uint32_t i = 0; i < 2; i++) module_endless_loops(sides->arena, sides->modules[i], &loops[i]);
  bool is_alike = loops[0].count == loops[1].count && !loops[0].is_cut && !loops[1].is_cut;
  for (uint32_t i = 0; is_alike && i < loops[0].count; i++)
    is_alike =
        run_alike(sides, (const Instruction *const[2]){loops[0].items[i], loops[1].items[i]});
  if (is_alike ||
      equiv_literal_whole(sides->arena, sides->modules[0]->entry, sides->modules[1]->entry))
    return nullptr;
  return arena_printf(sides->arena,
      "the loop '%.200s' never ends once it runs: its body does not change the value of its "
      "condition, and the other graph is not shown to have the same",
      loops[loops[0].count == 0].items[0]->name);
}

/* How two index arrays are compared. Few pairs are compared by value, namesakes first. */
typedef enum IndicesBy : uint8_t {
  INDICES_BY_TEXT,
  INDICES_OF_ONE_NAME,
  INDICES_BY_VALUE
} IndicesBy;

/* Whether both run their computations for the same inputs, as often and in the same order, if they
 * are given the same. */
static bool runs_agree(const EquivSides *sides, const Instruction *const callers[2], IndicesBy by) {
  if (callers[0]->opcode != callers[1]->opcode ||
      callers[0]->called_count != callers[1]->called_count)
    return false;
  Opcode opcode = callers[0]->opcode;
  if (opcode == HLO_WHILE) return called_agree(sides, callers, by != INDICES_BY_TEXT);
  bool runs_on_operands = opcode == HLO_CALL || opcode == HLO_FUSION || opcode == HLO_CONDITIONAL ||
                          opcode == HLO_ASYNC_START;
  return runs_on_operands || literally_agree(sides, callers);
}

/* Whether a promise at these two places is made for the same inputs: the loops, branches or folds
 * around them are given the same and run alike. */
static bool places_agree(const EquivSides *sides, const CallPlace *const places[2], IndicesBy by) {
  const Instruction *const callers[2] = {places[0]->caller, places[1]->caller};
  if (callers[0] == nullptr || callers[1] == nullptr) return callers[0] == callers[1];
  if (places[0]->place != places[1]->place ||
      callers[0]->operand_count != callers[1]->operand_count || !runs_agree(sides, callers, by))
    return false;
  for (uint32_t i = 0; i < callers[0]->operand_count; i++) {
    const Instruction *const operands[2] = {callers[0]->operands[i], callers[1]->operands[i]};
    if (literally_agree(sides, operands)) continue;
    if (by == INDICES_BY_TEXT || !operands_agree(sides, operands)) return false;
  }
  CallPlace outside[2] = {};
  for (uint32_t i = 0; i < 2; i++) {
    if (callers[i]->parent == sides->modules[i]->entry) continue;
    const CallPlaces all = call_places(sides->arena, sides->modules[i], callers[i]->parent);
    if (all.count != 1) return false;
    outside[i] = all.items[0];
  }
  return places_agree(sides, (const CallPlace *const[2]){&outside[0], &outside[1]}, by);
}

static bool indices_agree(
    const EquivSides *sides, const PromiseMaker *const makers[2], IndicesBy by) {
  const Instruction *const indices[2] = {makers[0]->indices, makers[1]->indices};
  if (!places_agree(sides, (const CallPlace *const[2]){&makers[0]->from, &makers[1]->from}, by))
    return false;
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
  if (doubt == nullptr) doubt = thread_doubt(sides);
  if (doubt == nullptr) doubt = several_doubt(sides);
  if (doubt == nullptr) doubt = endless_doubt(sides);
  if (doubt == nullptr) doubt = promise_doubt(sides);
  if (doubt != nullptr) return doubt;
  return device_doubt(sides->arena, sides->modules[0], sides->modules[1]);
}

bool equiv_values_open(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, Smt *smt, EquivValues *values, Error *error) {
  if (!equiv_values_open_parts(arena, before, after, limits, smt, values, error)) return false;
  values->doubt =
      equiv_values_doubt(&(EquivSides){arena, {before, after}, limits, smt}, values->is_one_graph);
  return true;
}

bool equiv_values_create(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, EquivValues *values, Error *error) {
  return equiv_values_open(arena, before, after, limits, nullptr, values, error);
}
