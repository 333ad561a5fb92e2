/* The same relation between dimensions and results: containment in both directions, or in one if
 * requested, with the range variables of each map hidden. Runtime variables are values of their
 * sources if every source is stated on both sides. Otherwise they are matched by position, and all
 * their values within the bounds of either map are considered. */
#include <string.h>

#include "smt/relation/relation.h"
#include "smt/solver/session.h"

typedef struct SameRelationNames {
  const char **items;
  uint32_t count, capacity;
} SameRelationNames;

typedef struct Comparing {
  Smt *smt;
  RelationWork work;
  const Map *before, *after, *named;
  const char *before_name, *after_name;
  bool is_one_way;
  bool by_instruction; /* the instruction of every source is known */
  Sum *from, *to;
  SameRelationNames names; /* instructions known only by name: one pointer for each name */
  Verdict *verdict;
  Error *error;
} Comparing;

static bool states_sources(const Map *map) {
  if (map->runtime_count > 0 && map->sources == nullptr) return false;
  for (uint32_t i = 0; i < map->runtime_count; i++)
    if (map->sources[i].index == nullptr ||
        (map->sources[i].instruction == nullptr && map->sources[i].name == nullptr))
      return false;
  return true;
}

static const char *one_name(Comparing *comparing, const char *name) {
  for (uint32_t i = 0; i < comparing->names.count; i++)
    if (strcmp(comparing->names.items[i], name) == 0) return comparing->names.items[i];
  *ARENA_PUSH(comparing->work.sums->arena, &comparing->names) = name;
  return name;
}

static bool knows_instructions(const Map *map) {
  for (uint32_t i = 0; i < map->runtime_count; i++)
    if (map->sources[i].instruction == nullptr) return false;
  return true;
}

/* The value of an instruction's element. Two computations may have an instruction of one name, so
 * names count only if an instruction is known by nothing else. */
static bool same_relation_value_of(void *owner, const RuntimeSource *source, uint32_t count,
    const Sum *index, Sum *value, Error *error) {
  Comparing *comparing = owner;
  (void)error;
  const void *identity = comparing->by_instruction || source->name == nullptr
                             ? source->instruction
                             : one_name(comparing, source->name);
  *value =
      sum_value(comparing->work.sums, identity, source->name, count, index, INT64_MIN, INT64_MAX);
  return true;
}

static bool same_relation_relate(
    Comparing *comparing, const Map *map, RuntimeBinding *binding, Relation *relation) {
  RelationWork *work = &comparing->work;
  Piece piece;
  if (map->state == MAP_KNOWN_EMPTY) return true;
  if (!relation_of_map(work->sums, work->context, map, map->dim_count, comparing->from,
          map->result_count, comparing->to, binding, &piece, comparing->error))
    return false;
  relation_add(work->sums, relation, piece);
  return true;
}

/* Sets the verdict "(3) -> (7): before only". */
static bool same_relation_refuted(Comparing *comparing, bool is_first) {
  RelationWork *work = &comparing->work;
  Text text = text_create(work->sums->arena);
  relation_print_point(&comparing->work, &text, comparing->named->dim_count, comparing->from);
  text_string(&text, " -> ");
  relation_print_point(&comparing->work, &text, comparing->named->result_count, comparing->to);
  relation_values(work, comparing->verdict);
  verdict_decide(comparing->verdict, is_first ? REASON_FIRST_ONLY : REASON_SECOND_ONLY,
      "%s: %s only", text.bytes, is_first ? comparing->before_name : comparing->after_name);
  return true;
}

static bool same_relation_unknown(Comparing *comparing, const char *side) {
  return verdict_set(comparing->verdict, VERDICT_UNKNOWN, "is %s contained in the other: %s", side,
      comparing->work.reason);
}

static bool compare_relations(Comparing *comparing, const Relation *before, const Relation *after) {
  RelationWork *work = &comparing->work;
  VerdictStatus lost = relation_contained(work, before, after);
  if (lost == VERDICT_REFUTED) return same_relation_refuted(comparing, true);
  if (lost == VERDICT_UNKNOWN) return same_relation_unknown(comparing, comparing->before_name);
  if (comparing->is_one_way) return verdict_set(comparing->verdict, VERDICT_PROVED, "contained");
  VerdictStatus gained = relation_contained(work, after, before);
  if (gained == VERDICT_REFUTED) return same_relation_refuted(comparing, false);
  if (gained == VERDICT_UNKNOWN) return same_relation_unknown(comparing, comparing->after_name);
  VerdictStatus empty = relation_has_none(work, before);
  if (empty == VERDICT_UNKNOWN)
    return verdict_set(comparing->verdict, VERDICT_UNKNOWN, "is there any pair: %s", work->reason);
  return verdict_set(comparing->verdict, VERDICT_PROVED,
      empty == VERDICT_PROVED ? "both relations are empty" : "the same relation");
}

/* Maps of different ranks are the same relation only if both are empty, and contained only if the
 * inner one is empty. */
static bool compare_ranks(Comparing *comparing) {
  const Map *maps[] = {comparing->before, comparing->after};
  for (uint32_t i = 0; i < (comparing->is_one_way ? 1 : 2); i++) {
    RelationWork *work = &comparing->work;
    Relation relation = {};
    RuntimeBinding binding = {};
    work->visible = (Atoms){};
    comparing->named = maps[i];
    comparing->from = relation_visible(&comparing->work, "d", maps[i]->dim_count);
    comparing->to = relation_visible(&comparing->work, "e", maps[i]->result_count);
    work->to_count = maps[i]->result_count;
    work->to = comparing->to;
    if (!same_relation_relate(comparing, maps[i], &binding, &relation)) return false;
    VerdictStatus empty = relation_is_empty(work, &relation);
    if (empty == VERDICT_UNKNOWN)
      return verdict_set(comparing->verdict, VERDICT_UNKNOWN, "is the map empty: %s", work->reason);
    if (empty == VERDICT_PROVED) continue;
    (void)same_relation_refuted(comparing, i == 0);
    return verdict_set(comparing->verdict, VERDICT_REFUTED,
        "%s and %s %s, %u and %u %s, and not %s empty", counted(maps[0]->dim_count, "dimension"),
        counted(maps[0]->result_count, "result"), comparing->before_name, maps[1]->dim_count,
        maps[1]->result_count, comparing->after_name,
        comparing->is_one_way ? "the first is" : "both are");
  }
  return verdict_set(comparing->verdict, VERDICT_PROVED,
      comparing->is_one_way ? "the inner relation is empty" : "both relations are empty");
}

/* The values of a runtime variable that either map allows. If neither allows one, one value is
 * considered all the same: a map without points must not be contained for want of a value. */
static Interval values_of_either(Interval a, Interval b) {
  if (a.lo > a.hi) a = b;
  if (b.lo > b.hi) b = a;
  if (a.lo > a.hi) return (Interval){0, 0};
  return (Interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

/* Matched by position, a runtime variable takes the values that either map allows. A variable of
 * only one map takes all of its values: the other map must relate the same pairs for each. */
static Sum *bind_positions(Comparing *comparing) {
  const Map *a = comparing->before, *b = comparing->after;
  uint32_t count = a->runtime_count > b->runtime_count ? a->runtime_count : b->runtime_count;
  Sum *positions = relation_visible(&comparing->work, "rt", count);
  for (uint32_t i = 0; i < count; i++) {
    bool in_a = i < a->runtime_count, in_b = i < b->runtime_count;
    Interval in = values_of_either(in_a ? a->runtimes[i].bounds : b->runtimes[i].bounds,
        in_b ? b->runtimes[i].bounds : a->runtimes[i].bounds);
    *ARENA_PUSH(comparing->work.sums->arena, &comparing->work.given) =
        (Within){.sum = positions[i], .lo = in.lo, .hi = in.hi};
  }
  return positions;
}

static bool same_relation_compare(Comparing *comparing) {
  const Map *before = comparing->before, *after = comparing->after;
  RelationWork *work = &comparing->work;
  bool plain = before->state == MAP_PLAIN && after->state == MAP_PLAIN;
  if (plain &&
      (before->dim_count != after->dim_count || before->result_count != after->result_count))
    return compare_ranks(comparing);
  comparing->named = before->state == MAP_PLAIN ? before : after;
  comparing->from = relation_visible(&comparing->work, "d", comparing->named->dim_count);
  comparing->to = relation_visible(&comparing->work, "e", comparing->named->result_count);
  work->to_count = comparing->named->result_count;
  work->to = comparing->to;
  RuntimeBinding binding = {};
  bool has_sources = states_sources(before) && states_sources(after);
  comparing->by_instruction =
      has_sources && knows_instructions(before) && knows_instructions(after);
  if (has_sources) binding = (RuntimeBinding){.value = same_relation_value_of, .owner = comparing};
  else binding.positions = bind_positions(comparing);
  Relation relations[2] = {};
  if (!same_relation_relate(comparing, before, &binding, &relations[0]) ||
      !same_relation_relate(comparing, after, &binding, &relations[1]))
    return false;
  return compare_relations(comparing, &relations[0], &relations[1]);
}

static bool relate_maps(Comparing *comparing, Verdict *verdict) {
  Smt *smt = comparing->smt;
  *verdict = verdict_begin(smt->context->arena);
  if (comparing->before->state == MAP_UNDEFINED || comparing->after->state == MAP_UNDEFINED)
    return verdict_set(verdict, VERDICT_UNKNOWN, "an undefined map denotes nothing");
  ArenaMark mark = arena_mark(smt->arena);
  comparing->verdict = verdict;
  comparing->work = relation_begin(smt);
  bool began = smt_begin(smt);
  bool answered = same_relation_compare(comparing);
  budget_end(began);
  relation_end(&comparing->work, verdict);
  arena_rewind(smt->arena, mark);
  return answered;
}

bool smt_same_relation(
    Smt *smt, const Map *before, const Map *after, Verdict *verdict, Error *error) {
  Comparing comparing = {.smt = smt,
      .before = before,
      .after = after,
      .before_name = "before",
      .after_name = "after",
      .error = error};
  return relate_maps(&comparing, verdict);
}

bool smt_contained(Smt *smt, const Map *inner, const Map *outer, Verdict *verdict, Error *error) {
  Comparing comparing = {.smt = smt,
      .before = inner,
      .after = outer,
      .before_name = "the first",
      .after_name = "the second",
      .is_one_way = true,
      .error = error};
  return relate_maps(&comparing, verdict);
}
