/* The same relation, or containment. At every index of the dimensions and for all values of the
 * runtime variables, both sides' result sets are equal, or the first is a subset of the second.
 * Each side enumerates its own range variables. Runtime variables with known source elements have
 * the values of these elements (same_elements.h). Others are matched by source instruction, or by
 * position if no sources are known. A variable without a match takes all of its values on its side.
 * Work: points of the dimensions and runtime variables times the points of both sides' ranges. */
#include <assert.h>
#include <string.h>

#include "core/base/budget.h"
#include "core/base/hash.h"
#include "oracle/compare/same_elements.h"

static constexpr uint32_t not_matched = UINT32_MAX;

/* A set of results: rows in insertion order, found by hash. */
typedef struct SameRelationRows {
  uint32_t width, count, capacity;
  int64_t *items;
  uint32_t *table; /* row + 1, 0 is free */
  uint32_t mask;
} SameRelationRows;

typedef struct RelationSide {
  const char *name;
  const Map *map;
  bool is_empty;
  Program program;
  Box ranges;
  uint32_t *parameters; /* of each runtime variable: its position after the dimensions */
  int64_t *slots;
  SameRelationRows rows;
} RelationSide;

typedef struct SameRelation {
  Oracle *oracle;
  Verdict *verdict;
  bool is_one_way; /* containment: the second side may have more pairs */
  Box outer; /* dimensions, then parameters: matched runtime variables and unmatched ones of either
              * side */
  int64_t *point;
  RelationSide before, after;
} SameRelation;

/* --- rows --- */

static uint64_t row_hash(const SameRelationRows *rows, const int64_t *row) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < rows->width; i++) hash = hash_mix(hash, (uint64_t)row[i]);
  return hash;
}

static uint32_t *row_position(const SameRelationRows *rows, const int64_t *row) {
  uint64_t at = row_hash(rows, row) & rows->mask;
  assert(rows->count < rows->mask);
  while (rows->table[at] != 0 && memcmp(rows->items + (size_t)(rows->table[at] - 1) * rows->width,
                                     row, rows->width * sizeof *row) != 0)
    at = (at + 1) & rows->mask;
  return &rows->table[at];
}

static bool rows_has(const SameRelationRows *rows, const int64_t *row) {
  return *row_position(rows, row) != 0;
}

static void rows_create(SameRelationRows *rows, Arena *arena, uint32_t width) {
  *rows = (SameRelationRows){.width = width, .capacity = 16, .mask = 31};
  rows->items = ARENA_NEW(arena, int64_t, (size_t)rows->capacity *width + 1);
  rows->table = ARENA_NEW(arena, uint32_t, rows->mask + 1);
}

static void rows_clear(SameRelationRows *rows) {
  if (rows->count > 0) memset(rows->table, 0, (rows->mask + (size_t)1) * sizeof *rows->table);
  rows->count = 0;
}

static void rows_grow(SameRelationRows *rows, Arena *arena) {
  SameRelationRows larger = {.width = rows->width,
      .count = rows->count,
      .capacity = 2 * rows->capacity,
      .mask = 2 * rows->mask + 1};
  larger.items = ARENA_NEW(arena, int64_t, (size_t)larger.capacity * rows->width + 1);
  larger.table = ARENA_NEW(arena, uint32_t, larger.mask + (size_t)1);
  memcpy(larger.items, rows->items, (size_t)rows->count * rows->width * sizeof *rows->items);
  for (uint32_t i = 0; i < rows->count; i++)
    *row_position(&larger, larger.items + (size_t)i * rows->width) = i + 1;
  assert(larger.count < larger.capacity && larger.capacity <= larger.mask);
  *rows = larger;
}

static void rows_add(SameRelationRows *rows, Arena *arena, const int64_t *row) {
  uint32_t *position = row_position(rows, row);
  assert(rows->count < rows->capacity);
  if (*position != 0) return;
  memcpy(rows->items + (size_t)rows->count * rows->width, row, rows->width * sizeof *row);
  *position = ++rows->count;
  if (rows->count == rows->capacity) rows_grow(rows, arena);
}

/* --- preparation --- */

/* Whether a result of the program depends on one of the variables first .. end - 1. */
static bool program_uses(const Program *program, uint32_t first, uint32_t end) {
  for (uint32_t i = 0; i < program->map->result_count; i++)
    if (program->results[i] >= first && program->results[i] < end) return true;
  for (uint32_t i = 0; i < program->step_count; i++) {
    const ProgramStep *step = &program->steps[i];
    if (step->op != EXPR_CONST &&
        ((step->left >= first && step->left < end) || (step->right >= first && step->right < end)))
      return true;
  }
  return false;
}

/* Whether the index map names one element for all values of the range and runtime variables. */
static bool index_is_fixed(const SameRelation *relation, const Map *index, const Map *owner) {
  Arena *arena = relation->oracle->arena;
  if (index->state != MAP_PLAIN || !map_index_is_over(index, owner)) return false;
  Program program;
  Map bare = *index; /* its own constraints are not used */
  bare.constraint_count = 0;
  program_compile(&program, arena, relation->oracle->context, &bare, nullptr);
  return !program_uses(&program, index->dim_count, map_variable_count(index));
}

/* Both maps are in one pool, where equal expressions have equal handles. A dimension means the same
 * in both. */
static bool same_index(const Map *a, const Map *b) {
  bool same = a->result_count == b->result_count;
  for (uint32_t i = 0; same && i < a->result_count; i++)
    same = expr_same(a->results[i], b->results[i]);
  return same;
}

/* The elements at `before` of the first map and `after` of the second are one element. */
static bool same_source_element(const SameRelation *relation, uint32_t before, uint32_t after) {
  const Map *one = relation->before.map, *other = relation->after.map;
  const RuntimeSource *a = &one->sources[before], *b = &other->sources[after];
  if (!same_instruction(a, b)) return false;
  if (a->index == nullptr || b->index == nullptr) return a->index == b->index;
  return index_is_fixed(relation, a->index, one) && index_is_fixed(relation, b->index, other) &&
         same_index(a->index, b->index);
}

/* The first variable of `after` that has the same source and no match yet. */
static uint32_t match_of(const SameRelation *relation, uint32_t runtime, const uint32_t *taken) {
  const Map *before = relation->before.map, *after = relation->after.map;
  if (before->sources == nullptr || after->sources == nullptr)
    return runtime < after->runtime_count && taken[runtime] == not_matched ? runtime : not_matched;
  for (uint32_t i = 0; i < after->runtime_count; i++)
    if (taken[i] == not_matched && same_source_element(relation, runtime, i)) return i;
  return not_matched;
}

/* Whether a variable with these parameters has the parameter. */
static bool is_matched(uint32_t parameter, uint32_t count, const uint32_t *parameters) {
  for (uint32_t i = 0; i < count; i++)
    if (parameters[i] == parameter) return true;
  return false;
}

/* Whether a runtime variable that has no match is an element of an instruction that the other map
 * also has an element of: the two may be one element or not. */
static bool has_open_pair(const SameRelation *relation) {
  const Map *before = relation->before.map, *after = relation->after.map;
  const uint32_t *ones = relation->before.parameters, *others = relation->after.parameters;
  if (before->sources == nullptr || after->sources == nullptr) return false;
  for (uint32_t i = 0; i < before->runtime_count; i++)
    for (uint32_t k = 0; k < after->runtime_count; k++)
      if (same_instruction(&before->sources[i], &after->sources[k]) &&
          (!is_matched(ones[i], after->runtime_count, others) ||
              !is_matched(others[k], before->runtime_count, ones)))
        return true;
  return false;
}

/* The interval of an unmatched variable. An empty interval becomes one value: its side has no
 * points, and the other side must still be enumerated once. */
static Interval alone(Interval bounds) { return bounds.lo > bounds.hi ? (Interval){0, 0} : bounds; }

static Interval hull_of_dim(const SameRelation *relation, uint32_t i) {
  return interval_hull(relation->before.map->dims[i].bounds, relation->after.map->dims[i].bounds);
}

static void hull_of_dims(const SameRelation *relation, Box *dims) {
  dims->count = relation->before.map->dim_count;
  dims->of = ARENA_NEW(relation->oracle->arena, Interval, dims->count);
  for (uint32_t i = 0; i < dims->count; i++) dims->of[i] = hull_of_dim(relation, i);
}

/* Whether a runtime variable may be one element at one value of a range variable and another at
 * the next: it is no parameter then. */
static bool has_moving_source(const SameRelation *relation, const Map *map) {
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++)
    if (map->sources[i].index != nullptr && map->sources[i].index->state == MAP_PLAIN &&
        !index_is_fixed(relation, map->sources[i].index, map))
      return true;
  return false;
}

static bool same_interval(Interval a, Interval b) { return a.lo == b.lo && a.hi == b.hi; }

/* The same variables, expressions and sources, in the same order. An index map has no sources. */
static bool same_text(const Map *a, const Map *b) {
  bool same = a->state == b->state && a->has_own_variables == b->has_own_variables &&
              map_same_kinds(a, b) && a->result_count == b->result_count &&
              a->constraint_count == b->constraint_count &&
              (a->sources == nullptr) == (b->sources == nullptr);
  for (uint32_t i = 0; same && i < map_variable_count(a); i++)
    same = same_interval(map_variable(a, i)->bounds, map_variable(b, i)->bounds);
  for (uint32_t i = 0; same && i < a->result_count; i++)
    same = expr_same(a->results[i], b->results[i]);
  for (uint32_t i = 0; same && i < a->constraint_count; i++)
    same = expr_same(a->constraints[i].expr, b->constraints[i].expr) &&
           same_interval(a->constraints[i].in, b->constraints[i].in);
  for (uint32_t i = 0; same && a->sources != nullptr && i < a->runtime_count; i++) {
    const RuntimeSource *x = &a->sources[i], *y = &b->sources[i];
    same = same_instruction(x, y) && same_interval(x->clamp, y->clamp) &&
           (x->index == nullptr) == (y->index == nullptr) &&
           (x->index == nullptr || same_text(x->index, y->index));
  }
  return same;
}

/* Equal maps are one relation, whatever their elements are. */
static bool is_same_text(const SameRelation *relation) {
  return relation->before.is_empty == relation->after.is_empty &&
         same_text(relation->before.map, relation->after.map);
}

/* Why runtime variables are no parameters of both maps; nullptr: they are. */
static const char *open_elements(const SameRelation *relation) {
  if (has_open_pair(relation))
    return "runtime variables of one instruction, by index maps over other variables";
  bool moves = has_moving_source(relation, relation->before.map) ||
               has_moving_source(relation, relation->after.map);
  return moves ? "the element of a runtime variable depends on other variables than dimensions"
               : nullptr;
}

static void make_outer(SameRelation *relation) {
  const Map *before = relation->before.map, *after = relation->after.map;
  Arena *arena = relation->oracle->arena;
  uint32_t dims = before->dim_count, next = dims;
  relation->outer.of =
      ARENA_NEW(arena, Interval, dims + before->runtime_count + after->runtime_count);
  relation->before.parameters = ARENA_NEW(arena, uint32_t, before->runtime_count);
  relation->after.parameters = ARENA_NEW(arena, uint32_t, after->runtime_count);
  for (uint32_t i = 0; i < dims; i++) relation->outer.of[i] = hull_of_dim(relation, i);
  for (uint32_t i = 0; i < after->runtime_count; i++) relation->after.parameters[i] = not_matched;
  for (uint32_t i = 0; i < before->runtime_count; i++, next++) {
    uint32_t match = match_of(relation, i, relation->after.parameters);
    relation->before.parameters[i] = next;
    relation->outer.of[next] = alone(before->runtimes[i].bounds);
    if (match == not_matched) continue;
    relation->after.parameters[match] = next;
    relation->outer.of[next] =
        interval_hull(before->runtimes[i].bounds, after->runtimes[match].bounds);
  }
  for (uint32_t i = 0; i < after->runtime_count; i++) {
    if (relation->after.parameters[i] != not_matched) continue;
    relation->after.parameters[i] = next;
    relation->outer.of[next++] = alone(after->runtimes[i].bounds);
  }
  assert(next <= dims + before->runtime_count + after->runtime_count);
  relation->outer.count = next;
  relation->point = ARENA_NEW(arena, int64_t, next);
}

static bool make_side(SameRelation *relation, RelationSide *side, int64_t limit) {
  Arena *arena = relation->oracle->arena;
  const Map *map = side->map;
  Interval *box = ARENA_NEW(arena, Interval, map_variable_count(map));
  for (uint32_t i = 0; i < map->dim_count; i++) box[i] = relation->outer.of[i];
  for (uint32_t i = 0; i < map->range_count; i++) box[map->dim_count + i] = map->ranges[i].bounds;
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    assert(side->parameters[i] >= map->dim_count && side->parameters[i] < relation->outer.count);
    box[map_first_number(map, VAR_RUNTIME) + i] = relation->outer.of[side->parameters[i]];
  }
  program_compile(&side->program, arena, relation->oracle->context, map, box);
  side->slots = ARENA_NEW(arena, int64_t, side->program.slot_count);
  side->ranges = (Box){.count = map->range_count, .of = side->program.box + map->dim_count};
  rows_create(&side->rows, arena, map->result_count);
  return box_count(&side->ranges, limit);
}

/* --- one point of the dimensions and parameters --- */

static bool same_relation_differ(SameRelation *relation, const char *what) {
  Arena *arena = relation->oracle->arena;
  Verdict *verdict = relation->verdict;
  const Map *map = relation->before.map;
  Bindings at = {};
  for (uint32_t i = 0; i < relation->outer.count; i++)
    bindings_integer(arena, &at,
        i < map->dim_count ? map_variable_name(arena, map, i)
                           : arena_printf(arena, "rt%u", i - map->dim_count),
        relation->point[i]);
  verdict_differ(verdict, REASON_DIFFERENT, &at, "%s", what);
  verdict_point(verdict, relation->outer.count, relation->point);
  return false;
}

static void set_slots(const SameRelation *relation, RelationSide *side) {
  const Map *map = side->map;
  for (uint32_t i = 0; i < map->dim_count; i++) side->slots[i] = relation->point[i];
  for (uint32_t i = 0; i < map->runtime_count; i++)
    side->slots[map_first_number(map, VAR_RUNTIME) + i] = relation->point[side->parameters[i]];
}

static bool same_relation_collect(SameRelation *relation, RelationSide *side) {
  const Map *map = side->map;
  assert(map->result_count <= oracle_max_rank);
  int64_t results[oracle_max_rank] = {};
  rows_clear(&side->rows);
  set_slots(relation, side);
  for (int64_t point = 0; point < side->ranges.points && !side->is_empty; point++) {
    if (budget_is_spent()) {
      verdict_decide(relation->verdict, REASON_TOO_LARGE, "%s", budget_reason());
      return false;
    }
    box_point(&side->ranges, point, side->slots + map->dim_count);
    PointAnswer answer = program_point(&side->program, side->slots, 0);
    relation->verdict->work++;
    if (answer == ANSWER_LEAVES_INT64)
      return same_relation_differ(
          relation, arena_printf(relation->oracle->arena, "%s leaves int64", side->name));
    if (answer == ANSWER_OUTSIDE) continue;
    for (uint32_t i = 0; i < map->result_count; i++)
      results[i] = side->slots[side->program.results[i]];
    rows_add(&side->rows, relation->oracle->arena, results);
  }
  return true;
}

static bool is_contained(
    SameRelation *relation, const RelationSide *some, const RelationSide *all) {
  assert(some->rows.width == all->rows.width);
  for (uint32_t i = 0; i < some->rows.count; i++) {
    const int64_t *row = some->rows.items + (size_t)i * some->rows.width;
    if (rows_has(&all->rows, row)) continue;
    Text text = text_create(relation->oracle->arena);
    text_printf(&text, "%s reaches ", some->name);
    text_tuple(&text, some->rows.width, row);
    text_printf(&text, ", %s does not", all->name);
    return same_relation_differ(relation, text.bytes);
  }
  return true;
}

static bool same_relation_compare(SameRelation *relation) {
  for (int64_t point = 0; point < relation->outer.points; point++) {
    box_point(&relation->outer, point, relation->point);
    if (!same_relation_collect(relation, &relation->before) ||
        !same_relation_collect(relation, &relation->after) ||
        !is_contained(relation, &relation->before, &relation->after) ||
        !(relation->is_one_way || is_contained(relation, &relation->after, &relation->before)))
      return false;
  }
  return true;
}

static bool is_within_limit(SameRelation *relation, int64_t limit) {
  if (!box_count(&relation->outer, limit)) return false;
  if (!make_side(relation, &relation->before, limit) ||
      !make_side(relation, &relation->after, limit))
    return false;
  Wide work = (Wide)relation->outer.points *
              (relation->before.ranges.points + relation->after.ranges.points);
  return work <= limit;
}

/* --- all points --- */

static bool counts_agree(const Map *before, const Map *after) {
  return before->dim_count == after->dim_count && before->result_count == after->result_count;
}

/* Maps with different numbers of dimensions or results share no pair: both, or the inner one, must
 * be empty. */
static void compare_ranks(SameRelation *relation, int64_t limit) {
  const Map *before = relation->before.map, *after = relation->after.map;
  Verdict *verdict = relation->verdict;
  PointSearch a = search_point(relation->oracle, before, limit, &verdict->work), b = POINT_NONE;
  if (a != POINT_FOUND && !relation->is_one_way)
    b = search_point(relation->oracle, after, limit, &verdict->work);
  if (a == POINT_FOUND || b == POINT_FOUND)
    verdict_decide(verdict, REASON_DIFFERENT, "%s and %s %s, %u and %u %s",
        counted(before->dim_count, "dimension"), counted(before->result_count, "result"),
        relation->before.name, after->dim_count, after->result_count, relation->after.name);
  else if (a == POINT_NOT_KNOWN || b == POINT_NOT_KNOWN)
    verdict_decide(verdict, REASON_TOO_LARGE, "more than %lld points", (long long)limit);
}

/* Compares maps whose runtime variables are elements of instructions. */
static void compare_elements(SameRelation *relation, int64_t limit) {
  const RelationSide *a = &relation->before, *b = &relation->after;
  const ElementsMap before = {a->name, a->map, a->is_empty}, after = {b->name, b->map, b->is_empty};
  Box dims = {};
  hull_of_dims(relation, &dims);
  if (!box_count(&dims, limit))
    verdict_decide(relation->verdict, REASON_TOO_LARGE, "more than %lld points", (long long)limit);
  else if (elements_contained(relation->oracle, &dims, before, after, limit, relation->verdict) &&
           !relation->is_one_way)
    (void)elements_contained(relation->oracle, &dims, after, before, limit, relation->verdict);
}

static void compare_plain(SameRelation *relation, int64_t limit) {
  if (!counts_agree(relation->before.map, relation->after.map)) {
    compare_ranks(relation, limit);
    return;
  }
  if (relation->before.map->result_count > oracle_max_rank) {
    verdict_decide(relation->verdict, REASON_TOO_LARGE, "more than %u results", oracle_max_rank);
    return;
  }
  if (elements_are_stated(relation->before.map, relation->after.map)) {
    compare_elements(relation, limit);
    return;
  }
  make_outer(relation);
  const char *open = open_elements(relation);
  if (open != nullptr && is_same_text(relation)) return;
  if (open != nullptr) verdict_decide(relation->verdict, REASON_UNSUPPORTED, "%s", open);
  else if (is_within_limit(relation, limit)) (void)same_relation_compare(relation);
  else
    verdict_decide(relation->verdict, REASON_TOO_LARGE, "more than %lld points", (long long)limit);
}

static bool same_relation_relate(SameRelation *relation, uint64_t limit) {
  RelationSide *before = &relation->before, *after = &relation->after;
  *relation->verdict = verdict_begin(relation->oracle->context->arena);
  verdict_mark(relation->verdict, REASON_EXACT);
  if (before->map->state == MAP_UNDEFINED || after->map->state == MAP_UNDEFINED) {
    bool both = before->map->state == after->map->state;
    verdict_decide(relation->verdict, both ? REASON_EXACT : REASON_DIFFERENT,
        both ? "both undefined" : "only one of the maps is undefined");
    return true;
  }
  before->is_empty = before->map->state == MAP_KNOWN_EMPTY;
  after->is_empty = after->map->state == MAP_KNOWN_EMPTY;
  if (before->is_empty && (after->is_empty || relation->is_one_way)) return true;
  if (before->is_empty) before->map = after->map;
  if (after->is_empty) after->map = before->map;
  ArenaMark mark = arena_mark(relation->oracle->arena);
  compare_plain(relation, limit > INT64_MAX ? INT64_MAX : (int64_t)limit);
  arena_rewind(relation->oracle->arena, mark);
  return true;
}

bool oracle_same_relation(Oracle *oracle, const Map *before, const Map *after, uint64_t limit,
    Verdict *verdict, Error *error) {
  (void)error;
  SameRelation relation = {.oracle = oracle,
      .verdict = verdict,
      .before = {.name = "before", .map = before},
      .after = {.name = "after", .map = after}};
  return same_relation_relate(&relation, limit);
}

bool oracle_contained(Oracle *oracle, const Map *inner, const Map *outer, uint64_t limit,
    Verdict *verdict, Error *error) {
  (void)error;
  SameRelation relation = {.oracle = oracle,
      .verdict = verdict,
      .is_one_way = true,
      .before = {.name = "the first", .map = inner},
      .after = {.name = "the second", .map = outer}};
  return same_relation_relate(&relation, limit);
}
