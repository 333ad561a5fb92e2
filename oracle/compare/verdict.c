/* The entry points of the enumerating judge. The query is checked, maps are prepared, and the judge
 * of the direction compares row by row. */
#include "oracle/compare/verdict.h"

#include <string.h>

Oracle *oracle_create(const MapContext *context, const OracleLimits *limits) {
  Arena *arena = arena_create();
  Oracle *oracle = ARENA_NEW(arena, Oracle, 1);
  oracle->context = context;
  oracle->arena = arena;
  oracle->limits = limits != nullptr ? *limits : (OracleLimits){};
  if (oracle->limits.elements <= 0) oracle->limits.elements = 4096;
  if (oracle->limits.pairs <= 0) oracle->limits.pairs = INT64_C(1) << 26;
  if (oracle->limits.seconds == 0) oracle->limits.seconds = 10;
  return oracle;
}

void oracle_use_words(Oracle *oracle, bool with_words) { oracle->is_terse = !with_words; }

void oracle_destroy(Oracle *oracle) {
  if (oracle != nullptr) arena_destroy(oracle->arena);
}

/* --- preparation --- */

static bool check_question(const Instruction *instruction, uint32_t output_leaf, uint32_t operand,
    uint32_t operand_leaf, Error *error) {
  if (operand >= instruction->operand_count)
    return error_set(error, ERROR_INPUT, "'%s' has %s, there is no operand %u", instruction->name,
        counted(instruction->operand_count, "operand"), operand);
  if (output_leaf >= shape_leaf_count(instruction->shape))
    return error_set(error, ERROR_INPUT, "'%s' has no output %u", instruction->name, output_leaf);
  if (operand_leaf >= shape_leaf_count(instruction->operands[operand]->shape))
    return error_set(error, ERROR_INPUT, "operand %u of '%s' has no leaf %u", operand,
        instruction->name, operand_leaf);
  return true;
}

static const char *leaf_name(Arena *arena, const Instruction *instruction, uint32_t leaf) {
  return shape_is_tuple(instruction->shape) ? arena_printf(arena, "%s#%u", instruction->name, leaf)
                                            : instruction->name;
}

static void set_sides(
    ReadJudgement *judgement, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf) {
  const char *output = leaf_name(judgement->arena, judgement->judged, output_leaf);
  const char *input =
      leaf_name(judgement->arena, judgement->judged->operands[operand], operand_leaf);
  judgement->from = judgement->is_backward ? judgement->set.operand : judgement->set.output;
  judgement->to = judgement->is_backward ? judgement->set.output : judgement->set.operand;
  judgement->from_name = judgement->is_backward ? input : output;
  judgement->to_name = judgement->is_backward ? output : input;
  judgement->row_words = bits_words(judgement->to->elements);
  assert(judgement->from->rank <= oracle_max_rank && judgement->to->rank <= oracle_max_rank);
}

static bool verdict_fits(ReadJudgement *judgement, const Map *map) {
  if (map->dim_count == judgement->from->rank && map->result_count == judgement->to->rank)
    return true;
  explain_misfit(judgement,
      "a map from %u dimensions to %u results, but '%s' has rank %u and '%s' has rank %u",
      map->dim_count, map->result_count, judgement->from_name, judgement->from->rank,
      judgement->to_name, judgement->to->rank);
  return false;
}

static bool any_points(uint32_t map_count, const Map *const *maps) {
  for (uint32_t i = 0; i < map_count; i++)
    if (maps[i]->state != MAP_KNOWN_EMPTY) return true;
  return false;
}

/* Compiles every map with points; maps without runtime variables fill the fixed matrix at once. */
static bool make_plans(
    ReadJudgement *judgement, StatedMaps *stated, uint32_t map_count, const Map *const *maps) {
  PlanContext context = judgement_context(judgement);
  assert(judgement->from->elements <= judgement->oracle->limits.elements &&
         judgement->to->elements <= judgement->oracle->limits.elements);
  stated->plans = ARENA_NEW(judgement->arena, Plan, map_count);
  stated->fixed = ARENA_NEW(
      judgement->arena, uint64_t, (size_t)judgement->from->elements * judgement->row_words);
  for (uint32_t i = 0; i < map_count; i++) {
    const Map *map = maps[i];
    if (map->state == MAP_UNDEFINED)
      return reject(&judgement->rejection, REASON_UNSUPPORTED, "the map is undefined");
    if (map->state == MAP_KNOWN_EMPTY) continue;
    Plan *plan = &stated->plans[stated->plan_count++];
    if (!verdict_fits(judgement, map) || !plan_create(&context, &judgement->flow, map, plan))
      return false;
    stated->has_runtimes = stated->has_runtimes || map->runtime_count > 0;
    if (map->runtime_count > 0 ? !plan_list(&context, plan)
                               : !plan_fill(&context, plan, judgement->row_words, stated->fixed))
      return false;
  }
  return true;
}

static bool make_ready(
    ReadJudgement *judgement, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf) {
  if (!flow_create(&judgement->flow, judgement->arena, judgement->judged, &judgement->rejection))
    return false;
  values_create(&judgement->values, &judgement->flow);
  if (!read_set_create(&judgement->set, &judgement->flow, &judgement->values,
          &judgement->oracle->limits, output_leaf, operand, operand_leaf))
    return false;
  set_sides(judgement, output_leaf, operand, operand_leaf);
  return true;
}

static bool verdict_judge(ReadJudgement *judgement, uint32_t output_leaf, uint32_t operand,
    uint32_t operand_leaf, uint32_t map_count, const Map *const *maps) {
  if (!make_ready(judgement, output_leaf, operand, operand_leaf)) return false;
  bool has_pairs =
      !judgement->set.is_unread && judgement->from->elements > 0 && judgement->to->elements > 0;
  if (!has_pairs && !any_points(map_count, maps)) return true;
  if (!read_set_fits(&judgement->set) ||
      !make_plans(judgement, &judgement->stated, map_count, maps))
    return false;
  return judgement->is_backward ? judge_input_to_output(judgement)
                                : judge_output_to_input(judgement);
}

static bool judge_two(ReadJudgement *judgement, uint32_t output_leaf, uint32_t operand,
    uint32_t operand_leaf, OracleMaps before, OracleMaps after) {
  return make_ready(judgement, output_leaf, operand, operand_leaf) &&
         read_set_fits(&judgement->set) &&
         make_plans(judgement, &judgement->stated, before.count, before.maps) &&
         make_plans(judgement, &judgement->other, after.count, after.maps) &&
         judge_stated_alike(judgement);
}

/* If neither rejection nor fault is set, a misfit has been explained already. */
static void verdict_finish(
    ReadJudgement *judgement, bool is_judged, void (*explain)(ReadJudgement *judgement)) {
  if (is_judged) explain(judgement);
  else if (judgement->rejection.is_set) explain_rejection(judgement);
  else if (judgement->fault.kind != FAULT_NONE) explain_fault(judgement);
  assert(judgement->oracle->is_terse || judgement->verdict->sentence != nullptr);
}

/* Judges one union of maps, or with `other` whether two relate the same pairs. */
static bool verdict_answer(Oracle *oracle, const Instruction *instruction, bool is_backward,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, OracleMaps maps,
    const OracleMaps *other, Verdict *verdict, Error *error) {
  *verdict = verdict_begin(oracle->context->arena);
  if (!check_question(instruction, output_leaf, operand, operand_leaf, error)) return false;
  ArenaMark mark = arena_mark(oracle->arena);
  ReadJudgement judgement = {.oracle = oracle,
      .arena = oracle->arena,
      .judged = instruction,
      .is_backward = is_backward,
      .verdict = verdict};
  bool is_judged =
      other == nullptr
          ? verdict_judge(&judgement, output_leaf, operand, operand_leaf, maps.count, maps.maps)
          : judge_two(&judgement, output_leaf, operand, operand_leaf, maps, *other);
  verdict_finish(&judgement, is_judged, other == nullptr ? explain_tally : explain_alike);
  arena_rewind(oracle->arena, mark);
  return true;
}

bool oracle_output_to_input(Oracle *oracle, const Instruction *instruction, uint32_t output_leaf,
    uint32_t operand, uint32_t operand_leaf, uint32_t map_count, const Map *const *maps,
    Verdict *verdict, Error *error) {
  return verdict_answer(oracle, instruction, false, output_leaf, operand, operand_leaf,
      (OracleMaps){map_count, maps}, nullptr, verdict, error);
}

bool oracle_input_to_output(Oracle *oracle, const Instruction *instruction, uint32_t operand,
    uint32_t operand_leaf, uint32_t output_leaf, uint32_t map_count, const Map *const *maps,
    Verdict *verdict, Error *error) {
  return verdict_answer(oracle, instruction, true, output_leaf, operand, operand_leaf,
      (OracleMaps){map_count, maps}, nullptr, verdict, error);
}

bool oracle_same_pairs(Oracle *oracle, const Instruction *instruction, bool is_input_to_output,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, OracleMaps before,
    OracleMaps after, Verdict *verdict, Error *error) {
  return verdict_answer(oracle, instruction, is_input_to_output, output_leaf, operand, operand_leaf,
      before, &after, verdict, error);
}
