/* Judges cases that are maps, pairs of maps or rules, and the printed form of maps. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/map/text.h"
#include "exhaust/exhaust_case.h"
#include "judge/maps/canonical.h"
#include "judge/maps/same_rule.h"
#include "judge/maps/tested.h"

/* Compares expression by expression, without sources: a printed line has no sources. */
static bool is_read_back(const MapContext *context, const Map *map, const Map *read) {
  Map plain = *map, again = *read;
  plain.sources = again.sources = nullptr;
  return map_identical(context, &plain, &again);
}

static bool has_same_names(uint32_t count, const Variable *a, const Variable *b) {
  bool same = true;
  for (uint32_t i = 0; i < count; i++) same &= a[i].name == nullptr && b[i].name == nullptr;
  return same;
}

/* True if both maps have the same handles in the same order, and no names. Both then print the same
 * line. */
static bool is_printed_alike(const Map *map, const Map *read) {
  bool same = map->state == MAP_PLAIN && read->state == MAP_PLAIN &&
              map->constraint_count == read->constraint_count;
  same = same && has_same_names(map->dim_count, map->dims, read->dims) &&
         has_same_names(map->range_count, map->ranges, read->ranges) &&
         has_same_names(map->runtime_count, map->runtimes, read->runtimes);
  for (uint32_t i = 0; same && i < map->constraint_count; i++)
    same = map->constraints[i].expr.at == read->constraints[i].expr.at;
  return same;
}

const char *exhaust_map_text(ExhaustCase *run, const Map *map) {
  return map_text(run->examiner->arena, run->examiner->judge->context, map, MAP_STYLE_LINE);
}

bool exhaust_check_text(ExhaustCase *run, const Map *map) {
  MapContext *context = run->examiner->judge->context;
  Text once = text_create(run->examiner->arena);
  map_print(&once, context, map, MAP_STYLE_LINE);
  if (run->examiner->spoil != nullptr && run->examiner->spoil->text != nullptr)
    run->examiner->spoil->text(&once);
  Source source = {.name = "map", .text = once.bytes, .length = once.length, .first_line = 1};
  const Map *read;
  Error error = {};
  if (!map_parse(context, &source, &read, &error)) {
    exhaust_fault(run, EXHAUST_text, "%s: %s", once.bytes, error.message);
    return false;
  }
  bool is_same = is_read_back(context, map, read);
  if (is_same && is_printed_alike(map, read)) return true;
  const char *twice = exhaust_map_text(run, read);
  bool is_alike = strcmp(once.bytes, twice) == 0;
  if (!is_alike) exhaust_fault(run, EXHAUST_text, "%s reads back as %s", once.bytes, twice);
  else if (!is_same)
    exhaust_fault(run, EXHAUST_text, "%s reads back as another map of the same text", once.bytes);
  return is_alike && is_same;
}

void exhaust_report_unequal(ExhaustCase *run, CanonicalProperty rest, const UnequalMaps *unequal) {
  exhaust_fault(run, EXHAUST_restless, "%s: %s, then %s", canonical_property_text(rest),
      exhaust_map_text(run, unequal->before), exhaust_map_text(run, unequal->after));
}

static const Map *exhaust_maps_simplify(
    ExhaustCase *run, const Map *map, const SimplifyOptions *options) {
  const Map *simplified;
  Error error = {};
  if (simplify_map(run->examiner->judge->simplifier, map, options, &simplified, nullptr, &error))
    return simplified;
  exhaust_fault(run, EXHAUST_rejected, "%s", error.message);
  return nullptr;
}

static void judge_same_map(ExhaustCase *run, const Map *before, const Map *after) {
  Verdict verdict;
  Error error = {};
  if (!oracle_same_map(
          run->examiner->judge->oracle, before, after, exhaust_same_limit, &verdict, &error)) {
    exhaust_fault(run, EXHAUST_not_judged, "%s", error.message);
    return;
  }
  switch (verdict.status) {
    case VERDICT_PROVED: exhaust_note(run, EXHAUST_same); return;
    case VERDICT_REFUTED:
      exhaust_fault(
          run, EXHAUST_differs, "%s: %s", exhaust_map_text(run, after), verdict_text(&verdict));
      return;
    case VERDICT_UNKNOWN: exhaust_fault(run, EXHAUST_not_judged, "too many points"); return;
  }
}

/* Maps of this kind go to the judges unsimplified, because simplifying removes operators. */
static bool is_put_as_stated(const ExhaustCase *run) {
  return run->examiner->plan->scope->kind == SCOPE_OPERATORS;
}

static void judge_simplified(ExhaustCase *run, const Map *map, const SimplifyOptions *options) {
  const Map *once = exhaust_maps_simplify(run, map, options);
  if (once == nullptr) return;
  const ExhaustSpoil *spoil = run->examiner->spoil;
  if (spoil != nullptr && spoil->simplified != nullptr)
    once = spoil->simplified(run->examiner->judge->context, once, false);
  judge_same_map(run, map, once);
  (void)exhaust_check_text(run, once);
  const Map *twice = exhaust_maps_simplify(run, once, options);
  if (spoil != nullptr && spoil->simplified != nullptr && twice != nullptr)
    twice = spoil->simplified(run->examiner->judge->context, twice, true);
  if (exhaust_goes_to_all(run) && !is_put_as_stated(run)) exhaust_put_to_all(run, 1, &once);
  if (twice != nullptr && !map_identical(run->examiner->judge->context, once, twice))
    exhaust_fault(run, EXHAUST_restless, "%s%s, then %s",
        options->keep_points ? "keeping points, " : "", exhaust_map_text(run, once),
        exhaust_map_text(run, twice));
}

/* Checks that the map is canonical under operand order and no larger than before. Idempotence is
 * checked separately, above. */
static void judge_rest(ExhaustCase *run, const Map *map) {
  UnequalMaps unequal;
  for (CanonicalProperty rest = CANONICAL_ORDER; rest < canonical_property_count; rest++)
    if (!map_is_canonical(run->examiner->judge, rest, map, &unequal))
      exhaust_report_unequal(run, rest, &unequal);
}

void exhaust_fault_of_engine(ExhaustCase *run, const char *operation, const char *text) {
  const Judge *judge = run->examiner->judge;
  static constexpr struct {
    VerdictReason answer;
    ExhaustCount count;
  } counts[] = {{REASON_OPEN, EXHAUST_declined}, {REASON_UNDEFINED, EXHAUST_undefined},
      {REASON_NOT_OFFERED, EXHAUST_not_offered}, {REASON_BROKEN, EXHAUST_broken}};
  ExhaustCount count = EXHAUST_rejected;
  FaultName name;
  for (size_t i = 0; judge->engine != nullptr && i < sizeof counts / sizeof *counts; i++)
    if (tested_answer(judge) == counts[i].answer) count = counts[i].count;
  if (count == EXHAUST_broken) fault_name_of_reply(operation, engine_reply(judge->engine), &name);
  if (count == EXHAUST_broken && exhaust_accepts(run, &name)) return;
  exhaust_fault(run, count, "%s", text);
}

bool exhaust_accepts_map(ExhaustCase *run, const char *operation, bool is_disagreement,
    const Map *wanted, const Map *answer) {
  FaultName name;
  fault_name_of_map(run->examiner->judge, operation, is_disagreement, wanted, answer, &name);
  return exhaust_accepts(run, &name);
}

/* Queries the foreign engine and judges its map. Returns nullptr if it returns no map, or a map
 * that differs from the input. */
static const Map *simplify_foreign(ExhaustCase *run, const Map *map) {
  Judge *judge = run->examiner->judge;
  const Map *simplified;
  SameJudgement same;
  Error error = {};
  (void)tested_keeps(judge, map, nullptr, &simplified, &same, &error);
  if (simplified == nullptr) {
    exhaust_fault_of_engine(run, "simplify", same.text);
    return nullptr;
  }
  VerdictStatus status = verdict_reason_status(same.reason);
  if (status == VERDICT_PROVED) return simplified;
  if (status == VERDICT_REFUTED &&
      exhaust_accepts_map(run, "simplify", same.reason == REASON_DISSENT, map, simplified))
    return nullptr;
  exhaust_fault(run, status == VERDICT_REFUTED ? EXHAUST_differs : EXHAUST_not_judged, "%s: %s",
      exhaust_map_text(run, simplified), same.text);
  return nullptr;
}

/* A foreign engine need not be idempotent: a difference is counted and is no fault. The order of
 * summands, factors and constraints is ignored. */
static void compare_forms(ExhaustCase *run, const char *name, const Map *once, const Map *other) {
  const MapContext *context = run->examiner->judge->context;
  Text first = text_create(run->examiner->arena), second = text_create(run->examiner->arena);
  if (other == nullptr) return;
  map_print_canonical(&first, context, once, false);
  map_print_canonical(&second, context, other, false);
  if (strcmp(first.bytes, second.bytes) == 0) return;
  FaultName group = {};
  snprintf(group.text, sizeof group.text, "%s", name);
  if (!exhaust_accepts(run, &group))
    exhaust_fault(run, EXHAUST_unsettled, "%s, then %s", exhaust_map_text(run, once),
        exhaust_map_text(run, other));
}

static void judge_foreign(ExhaustCase *run, const Map *map) {
  const Examiner *examiner = run->examiner;
  const Map *once = simplify_foreign(run, map);
  if (once == nullptr) return;
  exhaust_note(run, EXHAUST_same);
  if (!examiner->simplifies_twice || once->state != MAP_PLAIN) return;
  compare_forms(run, "simplify/unsettled/once-more", once, simplify_foreign(run, once));
  compare_forms(run, "simplify/unsettled/turned", once,
      simplify_foreign(run, map_reordered(examiner->judge->context, map)));
}

static bool exhaust_maps_read_map(ExhaustCase *run, const Source *source, const Map **map) {
  Error error = {};
  if (!map_parse(run->examiner->judge->context, source, map, &error)) {
    exhaust_fault(run, EXHAUST_unread, "%u:%u: %s", error.line, error.column, error.message);
    return false;
  }
  (void)exhaust_check_text(run, *map);
  return true;
}

void exhaust_map(ExhaustCase *run) {
  const Map *map;
  if (!exhaust_maps_read_map(run, &run->source, &map)) return;
  if (run->examiner->judge->engine != nullptr) {
    judge_foreign(run, map);
    return;
  }
  if (exhaust_goes_to_all(run) && is_put_as_stated(run)) {
    exhaust_put_to_all(run, 1, &map);
    exhaust_round_trip(run, map);
  }
  judge_simplified(run, map, &(SimplifyOptions){});
  judge_simplified(run, map, &(SimplifyOptions){.keep_points = true});
  judge_rest(run, map);
}

void exhaust_one_map(ExhaustCase *run) {
  const Map *map;
  if (!exhaust_maps_read_map(run, &run->source, &map)) return;
  if (run->examiner->judge->engine != nullptr) {
    exhaust_fault(run, EXHAUST_not_offered, "no foreign engine is asked about the algebra of maps");
    return;
  }
  exhaust_algebra(run, map);
  if (exhaust_goes_to_all(run)) exhaust_put_to_all(run, 1, &map);
}

bool exhaust_read_two(ExhaustCase *run, const Map **first, const Map **second) {
  Source pair[2];
  bool is_pair = map_cut_pair(run->examiner->arena, &run->source, pair);
  assert(is_pair);
  return is_pair && exhaust_maps_read_map(run, &pair[0], first) &&
         exhaust_maps_read_map(run, &pair[1], second);
}

void exhaust_two_maps(ExhaustCase *run) {
  const Map *before, *after;
  if (!exhaust_read_two(run, &before, &after)) return;
  if (run->examiner->judge->engine != nullptr)
    exhaust_fault(run, EXHAUST_not_offered, "no foreign engine is asked about two maps");
  else exhaust_pair(run, before, after);
}

static const char *rule_text(ExhaustCase *run, const RuleSet *rules) {
  Text text = text_create(run->examiner->arena);
  for (uint32_t i = 0; i < rules->count; i++) rule_print(&text, &rules->items[i]);
  if (run->examiner->spoil != nullptr && run->examiner->spoil->text != nullptr)
    run->examiner->spoil->text(&text);
  return text.bytes;
}

void exhaust_rule(ExhaustCase *run) {
  RuleSet rules = {}, again = {};
  Error error = {};
  if (!rules_parse(run->examiner->arena, &run->source, &rules, &error)) {
    exhaust_fault(run, EXHAUST_unread, "%u:%u: %s", error.line, error.column, error.message);
    return;
  }
  const char *once = rule_text(run, &rules);
  Source source = {.name = "printed", .text = once, .length = strlen(once), .first_line = 1};
  if (!rules_parse(run->examiner->arena, &source, &again, &error))
    exhaust_fault(run, EXHAUST_text, "%s: %s", once, error.message);
  else if (rules.count != 1 || again.count != 1 || !rule_is_same(&rules.items[0], &again.items[0]))
    exhaust_fault(run, EXHAUST_text, "reads back as another rule:\n%s", once);
  else exhaust_note(run, EXHAUST_rules);
}
