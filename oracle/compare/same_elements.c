/* Judges each point of the first map alone: under every assignment of values to the elements that
 * the point uses, its result must be a result of the second map. The second map's points that use
 * no other element are tried first, starting with the point of the same number. If none has the
 * result, elements that other points use are drawn as well. A runtime variable is its element's
 * value, clamped; its bounds, which may be tighter, are part of the domain. An index map is
 * evaluated at each point of its map, also outside of its own domain.
 * Elements are drawn when they are first used, because a value may decide which element is used
 * next.
 * Work: points that are evaluated. */
#include "oracle/compare/same_elements.h"

#include <assert.h>
#include <string.h>

static constexpr uint32_t most_runtimes = 62; /* each has its own bit */

typedef struct SameElementsElement {
  const RuntimeSource *source;
  uint32_t width; /* of the index */
  int64_t *index; /* [oracle_max_rank] */
  int64_t value;
  Interval in;
} SameElementsElement;

typedef struct Elements {
  uint32_t count, capacity;
  SameElementsElement *items;
} Elements;

typedef struct ElementsSide {
  ElementsMap of;
  Program program;
  Program *indices;      /* [runtime_count] */
  uint64_t *index_needs; /* [runtime_count]: runtime variables that the index depends on */
  Interval *values;      /* [runtime_count]: values of the source element, before the clamp */
  int64_t **index_slots;
  int64_t *slots;
  uint64_t needed; /* runtime variables that a result or constraint depends on */
  Box ranges;
} ElementsSide;

typedef struct ElementsWork {
  Oracle *oracle;
  Verdict *verdict;
  int64_t limit;
  int64_t *point; /* the values of the dimensions */
  ElementsSide some, all;
  Elements chosen;   /* the elements with chosen values, in order */
  bool has_no_index; /* an index leaves int64 */
} ElementsWork;

typedef enum SameElementsSearch : uint8_t {
  SEARCH_OUTSIDE,
  SEARCH_INSIDE,
  SEARCH_UNCHOSEN,
  SEARCH_NO_ANSWER
} SameElementsSearch;

static uint64_t bit(uint32_t runtime) { return UINT64_C(1) << runtime; }

static bool states_elements(const Map *map) {
  if (map->runtime_count > most_runtimes || (map->runtime_count > 0 && map->sources == nullptr))
    return false;
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    const RuntimeSource *source = &map->sources[i];
    const Map *index = source->index;
    if (index == nullptr || index->state != MAP_PLAIN ||
        (source->instruction == nullptr && source->name == nullptr))
      return false;
    if (!map_index_is_over(index, map) || index->result_count > oracle_max_rank) return false;
  }
  return true;
}

bool elements_are_stated(const Map *before, const Map *after) {
  return before->runtime_count + after->runtime_count > 0 && states_elements(before) &&
         states_elements(after);
}

/* --- preparation --- */

static void same_elements_widen(Interval *hull, const Map *map, const RuntimeSource *source) {
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    Interval bounds = map->runtimes[i].bounds;
    if (!same_instruction(source, &map->sources[i]) || bounds.lo > bounds.hi) continue;
    if (bounds.lo < hull->lo) hull->lo = bounds.lo;
    if (bounds.hi > hull->hi) hull->hi = bounds.hi;
  }
}

static void look_past(
    Interval hull, const Map *map, const RuntimeSource *source, bool *below, bool *above) {
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    if (!same_instruction(source, &map->sources[i])) continue;
    *below |= map->sources[i].clamp.lo < hull.lo;
    *above |= map->sources[i].clamp.hi > hull.hi;
  }
}

/* The values of an instruction's elements: the bounds of all variables with that source. If a clamp
 * extends past these bounds on a side, one more value there represents all values further out. */
static Interval values_of(const Map *map, const Map *other, uint32_t runtime) {
  Interval hull = map->runtimes[runtime].bounds;
  const RuntimeSource *source = &map->sources[runtime];
  bool below = false, above = false;
  same_elements_widen(&hull, map, source);
  same_elements_widen(&hull, other, source);
  look_past(hull, map, source, &below, &above);
  look_past(hull, other, source, &below, &above);
  return (Interval){hull.lo - below, hull.hi + above};
}

/* Adds what needed variables depend on, transitively. */
static void close_needs(ElementsSide *side) {
  side->needed = program_runtimes(&side->program);
  for (uint32_t i = 0; i < side->of.map->runtime_count; i++)
    if (runtime_decides_domain(side->of.map, i)) side->needed |= bit(i);
  for (uint64_t before = ~side->needed; before != side->needed;) {
    before = side->needed;
    for (uint32_t i = 0; i < side->of.map->runtime_count; i++)
      if ((side->needed & bit(i)) != 0) side->needed |= side->index_needs[i];
  }
}

static void compile_index(
    ElementsWork *work, ElementsSide *side, uint32_t runtime, const Interval *box) {
  Arena *arena = work->oracle->arena;
  const Map *map = side->of.map, *index = map->sources[runtime].index;
  assert(map_same_kinds(index, map));
  index = index_everywhere(arena, index, box);
  program_compile(&side->indices[runtime], arena, work->oracle->context, index, box);
  side->index_needs[runtime] = program_runtimes(&side->indices[runtime]);
  side->index_slots[runtime] = ARENA_NEW(arena, int64_t, side->indices[runtime].slot_count);
}

/* The interval of the values, before and after the clamp. */
static Interval with_clamped(Interval values, Interval clamp) {
  return (Interval){
      values.lo < clamp.hi ? values.lo : clamp.hi, values.hi > clamp.lo ? values.hi : clamp.lo};
}

static bool make_side(ElementsWork *work, ElementsSide *side, const Box *dims, const Map *other) {
  Arena *arena = work->oracle->arena;
  const Map *map = side->of.map;
  uint32_t before = map_first_number(map, VAR_RUNTIME);
  Interval *box = ARENA_NEW(arena, Interval, before + map->runtime_count);
  side->values = ARENA_NEW(arena, Interval, map->runtime_count);
  for (uint32_t i = 0; i < map->dim_count; i++) box[i] = dims->of[i];
  for (uint32_t i = 0; i < map->range_count; i++) box[map->dim_count + i] = map->ranges[i].bounds;
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    side->of.is_empty |= map->runtimes[i].bounds.lo > map->runtimes[i].bounds.hi;
    side->values[i] = values_of(map, other, i);
    box[before + i] = with_clamped(side->values[i], map->sources[i].clamp);
  }
  program_compile(&side->program, arena, work->oracle->context, map, box);
  side->slots = ARENA_NEW(arena, int64_t, side->program.slot_count);
  side->indices = ARENA_NEW(arena, Program, map->runtime_count);
  side->index_needs = ARENA_NEW(arena, uint64_t, map->runtime_count);
  side->index_slots = ARENA_NEW(arena, int64_t *, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) compile_index(work, side, i, box);
  close_needs(side);
  side->ranges = (Box){.count = map->range_count, .of = side->program.box + map->dim_count};
  return box_count(&side->ranges, work->limit);
}

/* --- values of elements --- */

static SameElementsElement *next_element(ElementsWork *work) {
  Elements *chosen = &work->chosen;
  Arena *arena = work->oracle->arena;
  if (chosen->count == chosen->capacity) {
    Elements larger = {.count = chosen->count, .capacity = 2 * chosen->capacity + 8};
    larger.items = ARENA_NEW(arena, SameElementsElement, larger.capacity);
    if (chosen->count > 0)
      memcpy(larger.items, chosen->items, chosen->count * sizeof *chosen->items);
    for (uint32_t i = chosen->count; i < larger.capacity; i++)
      larger.items[i].index = ARENA_NEW(arena, int64_t, oracle_max_rank);
    *chosen = larger;
  }
  return &chosen->items[chosen->count];
}

/* The element's value. An element without a value gets its first candidate if `may_draw`. Returns
 * false if it has none, or no index. */
static bool element_value(
    ElementsWork *work, const ElementsSide *side, uint32_t runtime, bool may_draw, int64_t *value) {
  SameElementsElement *element = next_element(work);
  const Program *program = &side->indices[runtime];
  element->source = &side->of.map->sources[runtime];
  element->width = program->map->result_count;
  work->has_no_index = program_point(program, side->index_slots[runtime],
                           ~side->index_needs[runtime]) != ANSWER_INSIDE;
  if (work->has_no_index) return false;
  for (uint32_t i = 0; i < element->width; i++)
    element->index[i] = side->index_slots[runtime][program->results[i]];
  for (uint32_t i = 0; i < work->chosen.count; i++) {
    const SameElementsElement *known = &work->chosen.items[i];
    bool same = same_instruction(known->source, element->source) && known->width == element->width;
    if (!same || memcmp(known->index, element->index, known->width * sizeof *known->index) != 0)
      continue;
    *value = known->value;
    return true;
  }
  if (!may_draw) return false;
  element->in = side->values[runtime];
  *value = element->value = element->in.lo;
  work->chosen.count++;
  return true;
}

/* Advances to the next assignment of the chosen elements. */
static bool next_assignment(Elements *chosen) {
  for (; chosen->count > 0; chosen->count--) {
    SameElementsElement *last = &chosen->items[chosen->count - 1];
    if (last->value < last->in.hi) return last->value++, true;
  }
  return false;
}

/* --- one point --- */

static SameElementsSearch give_values(ElementsWork *work, ElementsSide *side, bool may_draw) {
  const Map *map = side->of.map;
  uint32_t first = map_first_number(map, VAR_RUNTIME);
  uint64_t unknown = side->needed;
  for (bool goes_on = true; goes_on && unknown != 0;) {
    goes_on = false;
    for (uint32_t i = 0; i < map->runtime_count; i++) {
      if ((unknown & bit(i)) == 0 || (side->index_needs[i] & unknown) != 0) continue;
      if (map_variable_count(map) > 0)
        memcpy(side->index_slots[i], side->slots, map_variable_count(map) * sizeof *side->slots);
      Interval clamp = map->sources[i].clamp;
      int64_t value;
      if (!element_value(work, side, i, may_draw, &value))
        return work->has_no_index ? SEARCH_NO_ANSWER : SEARCH_UNCHOSEN;
      side->slots[first + i] = value < clamp.lo ? clamp.lo : value > clamp.hi ? clamp.hi : value;
      unknown &= ~bit(i);
      goes_on = true;
    }
  }
  return unknown == 0 ? SEARCH_INSIDE : SEARCH_NO_ANSWER;
}

static bool report_difference(ElementsWork *work, const char *words) {
  Arena *arena = work->oracle->arena;
  const Map *map = work->some.of.map;
  Bindings at = {};
  for (uint32_t i = 0; i < map->dim_count; i++)
    bindings_integer(arena, &at, map_variable_name(arena, map, i), work->point[i]);
  for (uint32_t i = 0; i < work->chosen.count; i++) {
    const SameElementsElement *element = &work->chosen.items[i];
    Text name = text_create(arena);
    text_string(&name, element->source->name == nullptr ? "a value" : element->source->name);
    text_tuple(&name, element->width, element->index);
    bindings_integer(arena, &at, name.bytes, element->value);
  }
  verdict_differ(work->verdict, REASON_DIFFERENT, &at, "%s", words);
  verdict_point(work->verdict, map->dim_count, work->point);
  return false;
}

/* SEARCH_NO_ANSWER: the verdict is set. */
static SameElementsSearch same_elements_evaluate(
    ElementsWork *work, ElementsSide *side, int64_t point, bool may_draw, int64_t *results) {
  const Map *map = side->of.map;
  if (side->of.is_empty) return SEARCH_OUTSIDE;
  if (++work->verdict->work > (uint64_t)work->limit) {
    verdict_decide(
        work->verdict, REASON_TOO_LARGE, "more than %lld points", (long long)work->limit);
    return SEARCH_NO_ANSWER;
  }
  if (map->dim_count > 0) memcpy(side->slots, work->point, map->dim_count * sizeof *work->point);
  box_point(&side->ranges, point, side->slots + map->dim_count);
  if (program_point(&side->program, side->slots, ~UINT64_C(0)) == ANSWER_OUTSIDE)
    return SEARCH_OUTSIDE;
  SameElementsSearch search = give_values(work, side, may_draw);
  if (search == SEARCH_NO_ANSWER)
    verdict_decide(work->verdict, REASON_TOO_LARGE,
        work->has_no_index ? "an index leaves int64"
                           : "elements at indices that depend on each other");
  if (search != SEARCH_INSIDE) return search;
  PointAnswer answer = program_point(&side->program, side->slots, ~side->needed);
  if (answer == ANSWER_LEAVES_INT64) {
    (void)report_difference(
        work, arena_printf(work->oracle->arena, "%s leaves int64", side->of.name));
    return SEARCH_NO_ANSWER;
  }
  for (uint32_t i = 0; i < map->result_count; i++)
    results[i] = side->slots[side->program.results[i]];
  return answer == ANSWER_INSIDE ? SEARCH_INSIDE : SEARCH_OUTSIDE;
}

/* --- one result --- */

/* Searches a point of the second map with the result. SEARCH_INSIDE: found. SEARCH_UNCHOSEN:
 * not found, but some point uses an element without a chosen value. */
static SameElementsSearch look_for(
    ElementsWork *work, int64_t near, bool may_draw, const int64_t *wanted) {
  ElementsSide *all = &work->all;
  SameElementsSearch search = SEARCH_OUTSIDE;
  int64_t results[oracle_max_rank] = {}, count = all->ranges.points;
  for (int64_t i = 0; i < count; i++) {
    SameElementsSearch one =
        same_elements_evaluate(work, all, (near + i) % count, may_draw, results);
    if (one == SEARCH_NO_ANSWER) return one;
    if (one == SEARCH_INSIDE &&
        memcmp(results, wanted, all->of.map->result_count * sizeof *wanted) == 0)
      return SEARCH_INSIDE;
    if (one == SEARCH_UNCHOSEN) search = SEARCH_UNCHOSEN;
  }
  return search;
}

static bool is_reached(ElementsWork *work, int64_t near, const int64_t *wanted) {
  SameElementsSearch search = look_for(work, near, false, wanted);
  if (search == SEARCH_UNCHOSEN) search = look_for(work, near, true, wanted);
  if (search == SEARCH_INSIDE || search == SEARCH_NO_ANSWER) return search == SEARCH_INSIDE;
  Text text = text_create(work->oracle->arena);
  text_printf(&text, "%s reaches ", work->some.of.name);
  text_tuple(&text, work->some.of.map->result_count, wanted);
  text_printf(&text, ", %s does not", work->all.of.name);
  return report_difference(work, text.bytes);
}

static bool point_is_contained(ElementsWork *work, int64_t point) {
  int64_t results[oracle_max_rank] = {};
  work->chosen.count = 0;
  do {
    SameElementsSearch search = same_elements_evaluate(work, &work->some, point, true, results);
    assert(search != SEARCH_UNCHOSEN);
    if (search == SEARCH_NO_ANSWER ||
        (search == SEARCH_INSIDE && !is_reached(work, point, results)))
      return false;
  } while (next_assignment(&work->chosen));
  return true;
}

bool elements_contained(Oracle *oracle, const Box *dims, ElementsMap some, ElementsMap all,
    int64_t limit, Verdict *verdict) {
  assert(some.map->dim_count == all.map->dim_count &&
         some.map->result_count == all.map->result_count &&
         some.map->result_count <= oracle_max_rank);
  ElementsWork work = {.oracle = oracle,
      .verdict = verdict,
      .limit = limit,
      .some = {.of = some},
      .all = {.of = all}};
  work.point = ARENA_NEW(oracle->arena, int64_t, dims->count);
  if (!make_side(&work, &work.some, dims, all.map) ||
      !make_side(&work, &work.all, dims, some.map)) {
    verdict_decide(verdict, REASON_TOO_LARGE, "more than %lld points", (long long)limit);
    return false;
  }
  for (int64_t d = 0; d < dims->points; d++) {
    box_point(dims, d, work.point);
    for (int64_t point = 0; point < work.some.ranges.points; point++)
      if (!point_is_contained(&work, point)) return false;
  }
  return true;
}
