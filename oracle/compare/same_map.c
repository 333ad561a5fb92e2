/* The same map: both maps are evaluated at every point of the hull of their boxes, in columns if
 * int64 cannot overflow, otherwise 128 bits wide. Compared at each point: the membership; inside,
 * the results, and for each runtime variable the source element and instruction. If either map
 * leaves int64 at a point of its domain, the maps differ. Maps over different variables differ,
 * also if neither has a point; KNOWN EMPTY has the variables of the other map. */
#include "oracle/compare/same.h"

#include <stdarg.h>
#include <string.h>

#include "core/base/budget.h"

void print_variables(Text *text, const Map *map, const int64_t *values) {
  Bindings bindings = map_bindings(text->arena, map, values);
  bindings_print(text, &bindings);
}

void hull_of(Box *box, Arena *arena, const Map *a, const Map *b) {
  box->count = map_variable_count(a);
  box->of = ARENA_NEW(arena, Interval, box->count);
  for (uint32_t slot = 0; slot < box->count; slot++)
    box->of[slot] = interval_hull(map_variable(a, slot)->bounds, map_variable(b, slot)->bounds);
}

/* One side of the comparison: the map, and the index maps of its runtime variables. */
typedef struct SameMapSide {
  const char *name;
  const Map *map; /* of a known-empty side: the other side's map */
  bool is_empty;
  Program program;
  Program *indices; /* [runtime_count], if there are index maps */
  int64_t **columns;
  int64_t ***index_columns;
  uint8_t *inside, *index_inside;
} SameMapSide;

typedef struct SameMapEnumeration {
  Oracle *oracle;
  Verdict *verdict;
  Box box;
  SameMapSide before, after;
} SameMapEnumeration;

static bool has_index(const Map *map, uint32_t runtime) {
  return map->sources != nullptr && map->sources[runtime].index != nullptr;
}

const Map *index_everywhere(Arena *arena, const Map *index, const Interval *box) {
  Map *bare = ARENA_NEW(arena, Map, 1);
  Variable *variables = ARENA_NEW(arena, Variable, map_variable_count(index));
  for (uint32_t i = 0; i < map_variable_count(index); i++) {
    variables[i] = *map_variable(index, i);
    variables[i].bounds = box[i];
  }
  *bare = *index;
  bare->dims = variables;
  bare->ranges = variables + index->dim_count;
  bare->runtimes = variables + map_first_number(index, VAR_RUNTIME);
  bare->constraint_count = 0;
  return bare;
}

static void compile_side(SameMapEnumeration *comparison, SameMapSide *side) {
  assert(side->map->state == MAP_PLAIN);
  Oracle *oracle = comparison->oracle;
  const Map *map = side->map;
  program_compile(&side->program, oracle->arena, oracle->context, map, comparison->box.of);
  side->indices = ARENA_NEW(oracle->arena, Program, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++)
    if (has_index(map, i) && map->sources[i].index->state == MAP_PLAIN)
      program_compile(&side->indices[i], oracle->arena, oracle->context,
          index_everywhere(oracle->arena, map->sources[i].index, comparison->box.of),
          comparison->box.of);
}

bool same_instruction(const RuntimeSource *a, const RuntimeSource *b) {
  if (a->instruction != b->instruction) return false;
  return a->name == b->name ||
         (a->name != nullptr && b->name != nullptr && strcmp(a->name, b->name) == 0);
}

/* --- decided without points --- */

static bool same_names(const char *a, const char *b) {
  return a == b || (a != nullptr && b != nullptr && strcmp(a, b) == 0);
}

static bool is_over_same_variables(const Map *index, const Map *map) {
  return index->state != MAP_PLAIN || map_index_is_over(index, map);
}

static bool has_own_variables(const Map *map, const Map *index) {
  return index != nullptr && !is_over_same_variables(index, map);
}

static bool same_source(const RuntimeSource *a, const RuntimeSource *b) {
  return a->instruction == b->instruction && same_names(a->name, b->name) &&
         a->clamp.lo == b->clamp.lo && a->clamp.hi == b->clamp.hi;
}

/* Whether the indices can be compared at points. */
static bool same_index_form(
    const Map *before, const Map *a_index, const Map *after, const Map *b_index) {
  if (a_index == nullptr || b_index == nullptr) return a_index == b_index;
  return a_index->state == b_index->state && a_index->result_count == b_index->result_count &&
         is_over_same_variables(a_index, before) && is_over_same_variables(b_index, after);
}

static bool sources_agree(const Map *before, const Map *after, Verdict *verdict) {
  for (uint32_t i = 0; i < before->runtime_count; i++) {
    static const RuntimeSource unknown = {};
    const RuntimeSource *a = before->sources ? &before->sources[i] : &unknown;
    const RuntimeSource *b = after->sources ? &after->sources[i] : &unknown;
    const char *a_name = a->name ? a->name : "nothing known",
               *b_name = b->name ? b->name : "nothing known";
    bool is_same = same_source(a, b);
    if (is_same && same_index_form(before, a->index, after, b->index)) continue;
    if (is_same && !has_own_variables(before, a->index) && !has_own_variables(after, b->index))
      verdict_decide(verdict, REASON_DIFFERENT,
          "runtime variable %u comes from %s by an index of another form after", i, a_name);
    else if (is_same)
      verdict_decide(verdict, REASON_UNSUPPORTED,
          "runtime variable %u comes from %s by an index map over other variables", i, a_name);
    else
      verdict_decide(verdict, REASON_DIFFERENT,
          "runtime variable %u comes from %s in [%lld, %lld] before, from %s in [%lld, %lld] after",
          i, a_name, (long long)a->clamp.lo, (long long)a->clamp.hi, b_name, (long long)b->clamp.lo,
          (long long)b->clamp.hi);
    return false;
  }
  return true;
}

static void same_map_print_kinds(Text *text, const Map *map, const char *when) {
  static const char *const nouns[] = {"dimension", "range variable", "runtime variable"};
  const uint32_t counts[] = {map->dim_count, map->range_count, map->runtime_count};
  text_counts(text, 3, counts, nouns, "no variables");
  text_printf(text, " %s", when);
}

static bool variables_agree(Oracle *oracle, const Map *before, const Map *after, Verdict *verdict) {
  if (map_same_kinds(before, after)) return true;
  Text text = text_create(oracle->arena);
  same_map_print_kinds(&text, before, "before, ");
  same_map_print_kinds(&text, after, "after");
  verdict_decide(verdict, REASON_DIFFERENT, "%s", text.bytes);
  return false;
}

static bool result_counts_agree(const Map *before, const Map *after, Verdict *verdict) {
  if (before->result_count == after->result_count) return true;
  verdict_decide(verdict, REASON_DIFFERENT, "%s before, %u after",
      counted(before->result_count, "result"), after->result_count);
  return false;
}

/* --- one point --- */

static const char *side_text(
    Arena *arena, const SameMapSide *side, PointAnswer answer, const int64_t *slots) {
  Text text = text_create(arena);
  text_printf(&text, "%s ", side->name);
  if (answer == ANSWER_OUTSIDE)
    text_string(&text, side->is_empty ? "known empty" : "outside the domain");
  if (answer == ANSWER_LEAVES_INT64) text_string(&text, "leaves int64");
  int64_t results[oracle_max_rank] = {};
  uint32_t count =
      side->map->result_count < oracle_max_rank ? side->map->result_count : oracle_max_rank;
  for (uint32_t i = 0; i < count; i++) results[i] = slots[side->program.results[i]];
  if (answer == ANSWER_INSIDE) text_tuple(&text, count, results);
  return text.bytes;
}

static void same_map_differ(SameMapEnumeration *comparison, VerdictReason reason,
    const int64_t *values, const char *before, const char *after) {
  assert(comparison->verdict->status == VERDICT_PROVED);
  Verdict *verdict = comparison->verdict;
  Bindings at = map_bindings(comparison->oracle->arena, comparison->before.map, values);
  verdict_differ(verdict, reason, &at, "%s, %s", before, after);
  verdict_point(verdict, comparison->box.count, values);
}

static int64_t *slots_at(
    SameMapEnumeration *comparison, const Program *program, const int64_t *values) {
  assert(program->variable_count == comparison->box.count &&
         program->slot_count >= program->variable_count);
  int64_t *slots = ARENA_NEW(comparison->oracle->arena, int64_t, program->slot_count);
  memcpy(slots, values, comparison->box.count * sizeof *values);
  return slots;
}

static bool results_agree(
    const Program *a, const int64_t *a_slots, const Program *b, const int64_t *b_slots) {
  assert(a->map->result_count == b->map->result_count);
  bool same = true;
  for (uint32_t i = 0; i < a->map->result_count; i++)
    same = same && a_slots[a->results[i]] == b_slots[b->results[i]];
  return same;
}

static bool index_agrees(SameMapEnumeration *comparison, uint32_t runtime, const int64_t *values) {
  const Program *a = &comparison->before.indices[runtime], *b = &comparison->after.indices[runtime];
  if (a->map == nullptr) return true;
  int64_t *a_slots = slots_at(comparison, a, values), *b_slots = slots_at(comparison, b, values);
  PointAnswer a_answer = program_point(a, a_slots, 0), b_answer = program_point(b, b_slots, 0);
  if (a_answer == b_answer && (a_answer == ANSWER_OUTSIDE || results_agree(a, a_slots, b, b_slots)))
    return true;
  Arena *arena = comparison->oracle->arena;
  const SameMapSide before = {.name = "before", .map = a->map, .program = *a},
                    after = {.name = "after", .map = b->map, .program = *b};
  same_map_differ(comparison, REASON_DIFFERENT, values,
      arena_printf(arena, "runtime variable %u is element %s", runtime,
          side_text(arena, &before, a_answer, a_slots)),
      side_text(arena, &after, b_answer, b_slots));
  return false;
}

/* False, with the verdict set, if the two differ at a point. */
static bool point_agrees(SameMapEnumeration *comparison, const int64_t *values) {
  Arena *arena = comparison->oracle->arena;
  ArenaMark mark = arena_mark(arena);
  SameMapSide *before = &comparison->before, *after = &comparison->after;
  int64_t *a = slots_at(comparison, &before->program, values),
          *b = slots_at(comparison, &after->program, values);
  PointAnswer a_answer = before->is_empty ? ANSWER_OUTSIDE : program_point(&before->program, a, 0);
  PointAnswer b_answer = after->is_empty ? ANSWER_OUTSIDE : program_point(&after->program, b, 0);
  bool same = a_answer == b_answer && a_answer != ANSWER_LEAVES_INT64;
  if (same && a_answer == ANSWER_INSIDE)
    same = results_agree(&before->program, a, &after->program, b);
  bool leaves = a_answer == ANSWER_LEAVES_INT64 || b_answer == ANSWER_LEAVES_INT64;
  if (!same)
    same_map_differ(comparison, leaves ? REASON_LEAVES_INT64 : REASON_DIFFERENT, values,
        side_text(arena, before, a_answer, a), side_text(arena, after, b_answer, b));
  for (uint32_t i = 0; same && a_answer == ANSWER_INSIDE && i < before->map->runtime_count; i++)
    same = index_agrees(comparison, i, values);
  arena_rewind(arena, mark);
  return same;
}

static bool is_in_budget(SameMapEnumeration *comparison) {
  if (!budget_is_spent()) return true;
  verdict_decide(comparison->verdict, REASON_TOO_LARGE, "%s", budget_reason());
  return false;
}

static bool compare_points(SameMapEnumeration *comparison) {
  int64_t *values = ARENA_NEW(comparison->oracle->arena, int64_t, comparison->box.count);
  for (int64_t point = 0; point < comparison->box.points; point++) {
    if (!is_in_budget(comparison)) return false;
    comparison->verdict->work = (uint64_t)point + 1;
    box_point(&comparison->box, point, values);
    if (!point_agrees(comparison, values)) return false;
  }
  return true;
}

/* --- columns --- */

static bool is_narrow(const SameMapSide *side) {
  bool narrow = side->program.is_narrow;
  for (uint32_t i = 0; i < side->map->runtime_count; i++)
    narrow = narrow && (side->indices[i].map == nullptr || side->indices[i].is_narrow);
  return narrow;
}

static void make_columns(SameMapEnumeration *comparison, SameMapSide *side, int64_t **shared) {
  Arena *arena = comparison->oracle->arena;
  uint32_t variables = comparison->box.count;
  side->columns = columns_create(
      arena, &side->program, comparison->box.points, shared != nullptr ? variables : 0, shared);
  side->inside = ARENA_NEW(arena, uint8_t, box_block);
  side->index_inside = ARENA_NEW(arena, uint8_t, box_block);
  side->index_columns = ARENA_NEW(arena, int64_t **, side->map->runtime_count);
  for (uint32_t i = 0; i < side->map->runtime_count; i++)
    if (side->indices[i].map != nullptr)
      side->index_columns[i] = columns_create(
          arena, &side->indices[i], comparison->box.points, variables, side->columns);
}

/* Marks in `differs` the points inside of both at which some result differs. */
static void mark_results(const Program *a, int64_t **a_columns, const Program *b,
    int64_t **b_columns, uint32_t count, const uint8_t *inside, uint8_t *differs) {
  for (uint32_t k = 0; k < a->map->result_count; k++) {
    const int64_t *restrict x = a_columns[a->results[k]], *restrict y = b_columns[b->results[k]];
    for (uint32_t i = 0; i < count; i++) differs[i] |= (uint8_t)(inside[i] & (x[i] != y[i]));
  }
}

static void mark_indices(
    SameMapEnumeration *comparison, uint32_t runtime, uint32_t count, uint8_t *differs) {
  SameMapSide *before = &comparison->before, *after = &comparison->after;
  if (before->indices[runtime].map == nullptr) return;
  program_columns(
      &before->indices[runtime], count, before->index_columns[runtime], before->index_inside);
  program_columns(
      &after->indices[runtime], count, after->index_columns[runtime], after->index_inside);
  for (uint32_t i = 0; i < count; i++) {
    differs[i] |= (uint8_t)(before->inside[i] & (before->index_inside[i] ^ after->index_inside[i]));
    before->index_inside[i] &= before->inside[i];
  }
  mark_results(&before->indices[runtime], before->index_columns[runtime], &after->indices[runtime],
      after->index_columns[runtime], count, before->index_inside, differs);
}

/* The first point of a block at which the two differ; `count` if there is none. */
static uint32_t differing_point(SameMapEnumeration *comparison, uint32_t count, uint8_t *differs) {
  assert(count > 0 && count <= box_block);
  SameMapSide *before = &comparison->before, *after = &comparison->after;
  program_columns(&before->program, count, before->columns, before->inside);
  program_columns(&after->program, count, after->columns, after->inside);
  if (before->is_empty) memset(before->inside, 0, count);
  if (after->is_empty) memset(after->inside, 0, count);
  for (uint32_t i = 0; i < count; i++) differs[i] = before->inside[i] ^ after->inside[i];
  mark_results(&before->program, before->columns, &after->program, after->columns, count,
      before->inside, differs);
  for (uint32_t i = 0; i < before->map->runtime_count; i++)
    mark_indices(comparison, i, count, differs);
  const uint8_t *first = memchr(differs, 1, count);
  return first == nullptr ? count : (uint32_t)(first - differs);
}

static bool compare_columns(SameMapEnumeration *comparison) {
  Box *box = &comparison->box;
  make_columns(comparison, &comparison->before, nullptr);
  make_columns(comparison, &comparison->after, comparison->before.columns);
  uint8_t *differs = ARENA_NEW(comparison->oracle->arena, uint8_t, box_block);
  for (int64_t first = 0; first < box->points; first += box_block) {
    if (!is_in_budget(comparison)) return false;
    uint32_t count = box->points - first < box_block ? (uint32_t)(box->points - first) : box_block;
    box_columns(box, first, count, comparison->before.columns);
    uint32_t at = differing_point(comparison, count, differs);
    if (at == count) continue;
    int64_t *values = ARENA_NEW(comparison->oracle->arena, int64_t, box->count);
    box_point(box, first + at, values);
    comparison->verdict->work = (uint64_t)(first + at) + 1;
    bool agrees = point_agrees(comparison, values);
    assert(!agrees);
    return agrees;
  }
  return true;
}

/* --- all points --- */

static bool same_map_compare(SameMapEnumeration *comparison) {
  compile_side(comparison, &comparison->before);
  compile_side(comparison, &comparison->after);
  if (is_narrow(&comparison->before) && is_narrow(&comparison->after))
    return compare_columns(comparison);
  return compare_points(comparison);
}

/* Maps with different numbers of results or different sources are the same only if neither has a
 * point. The verdict already states what differs. */
static void compare_emptiness(
    Oracle *oracle, const Map *before, const Map *after, int64_t limit, Verdict *verdict) {
  PointSearch a = search_point(oracle, before, limit, &verdict->work);
  PointSearch b = a == POINT_FOUND ? a : search_point(oracle, after, limit, &verdict->work);
  if (a == POINT_FOUND || b == POINT_FOUND) return;
  if (a == POINT_NONE && b == POINT_NONE)
    verdict_decide(verdict, REASON_EXACT, "neither has a point");
  else verdict_decide(verdict, REASON_TOO_LARGE, "more than %lld points", (long long)limit);
}

bool oracle_same_map(Oracle *oracle, const Map *before, const Map *after, uint64_t limit,
    Verdict *verdict, Error *error) {
  (void)error;
  *verdict = verdict_begin(oracle->context->arena);
  verdict_mark(verdict, REASON_EXACT);
  if (before->state == MAP_UNDEFINED || after->state == MAP_UNDEFINED) {
    bool both = before->state == after->state;
    verdict_decide(verdict, both ? REASON_EXACT : REASON_DIFFERENT,
        both ? "both undefined" : "only one of the maps is undefined");
    return true;
  }
  if (before->state == MAP_KNOWN_EMPTY && after->state == MAP_KNOWN_EMPTY) return true;
  ArenaMark mark = arena_mark(oracle->arena);
  bool before_empty = before->state == MAP_KNOWN_EMPTY,
       after_empty = after->state == MAP_KNOWN_EMPTY;
  if (before_empty) before = after;
  if (after_empty) after = before;
  SameMapEnumeration comparison = {.oracle = oracle,
      .verdict = verdict,
      .before = {.name = "before", .map = before, .is_empty = before_empty},
      .after = {.name = "after", .map = after, .is_empty = after_empty}};
  int64_t most = limit > INT64_MAX ? INT64_MAX : (int64_t)limit;
  bool is_comparable = variables_agree(oracle, before, after, verdict);
  if (is_comparable &&
      (!result_counts_agree(before, after, verdict) || !sources_agree(before, after, verdict))) {
    if (verdict->reason == REASON_DIFFERENT)
      compare_emptiness(oracle, before, after, most, verdict);
  } else if (is_comparable) {
    hull_of(&comparison.box, oracle->arena, before, after);
    if (!box_count(&comparison.box, most))
      verdict_decide(verdict, REASON_TOO_LARGE, "more than %llu points", (unsigned long long)limit);
    else if (same_map_compare(&comparison)) verdict->work = (uint64_t)comparison.box.points;
  }
  arena_rewind(oracle->arena, mark);
  return true;
}
