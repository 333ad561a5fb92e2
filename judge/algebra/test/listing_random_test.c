/* Answers of the algebra, right ones and ones with one thing changed, against definitions that are
 * evaluated here at every point: every judge that decides must agree. A runtime variable has the
 * source of the given map: the same instruction, the same clamp, and at every point the same
 * element. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/adapters/isl/relation.h"
#include "core/base/test/length.h"
#include "core/map/text.h"
#include "judge/algebra/algebra.h"
#include "judge/obligations/obligation.h"

static uint64_t state_of_listing = 21;

static uint32_t listing_below(uint32_t end) {
  state_of_listing =
      state_of_listing * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_listing >> 33) % end;
}

/* ---- maps ---- */

static constexpr uint32_t most_listed = 4, most_listed_results = 3, most_listed_index = 2;

/* A sum of variables, or its remainder. */
typedef struct ListedSum {
  uint32_t factors[most_listed]; /* 0, 1 or 2 */
  uint32_t divisor;              /* 0: the sum itself */
} ListedSum;

typedef struct ListedSource {
  uint32_t instruction; /* of two */
  Interval clamp;
  uint32_t width;
  uint32_t index[most_listed_index]; /* a variable that is no runtime variable, or past them 0, 1 */
} ListedSource;

typedef struct ListedMap {
  uint32_t dims, ranges, runtimes, results;
  Interval bounds[most_listed];
  ListedSum result[most_listed_results], constraint;
  uint32_t most; /* of the constraint; its least value is 0 */
  bool has_sources;
  ListedSource sources[most_listed];
} ListedMap;

static uint32_t listed_count(const ListedMap *map) {
  return map->dims + map->ranges + map->runtimes;
}

static ListedSum draw_listed_sum(const ListedMap *map) {
  ListedSum sum = {.divisor = listing_below(3) == 0 ? 2 + listing_below(2) : 0};
  for (uint32_t i = 0; i < listed_count(map); i++) sum.factors[i] = listing_below(3);
  return sum;
}

static ListedSource draw_listed_source(const ListedMap *map, Interval bounds) {
  uint32_t known = map->dims + map->ranges;
  ListedSource source = {.instruction = listing_below(2),
      .clamp = {bounds.lo - (listing_below(4) == 0), bounds.hi + (listing_below(4) == 0)},
      .width = 1 + listing_below(most_listed_index)};
  for (uint32_t i = 0; i < most_listed_index; i++) source.index[i] = listing_below(known + 2);
  return source;
}

static ListedMap draw_listed(void) {
  ListedMap map = {
      .dims = 1 + listing_below(2), .ranges = listing_below(2), .runtimes = listing_below(2)};
  map.results = 1 + listing_below(most_listed_results);
  for (uint32_t i = 0; i < listed_count(&map); i++) {
    map.bounds[i].lo = listing_below(2);
    map.bounds[i].hi = map.bounds[i].lo + listing_below(3);
  }
  for (uint32_t i = 0; i < map.results; i++) map.result[i] = draw_listed_sum(&map);
  map.constraint = draw_listed_sum(&map);
  map.most = 3 + listing_below(8);
  map.has_sources = map.runtimes > 0 && listing_below(4) > 0;
  for (uint32_t i = 0; i < map.runtimes; i++)
    map.sources[i] = draw_listed_source(&map, map.bounds[map.dims + map.ranges + i]);
  return map;
}

static void change_listed(ListedMap *map) {
  uint32_t variable = listing_below(listed_count(map));
  ListedSource *source = &map->sources[0];
  switch (listing_below(map->has_sources ? 9 : 4)) {
    case 0: map->bounds[variable].hi++; break;
    case 1: map->most += 1 + listing_below(2); break;
    case 2: map->result[listing_below(map->results)].factors[variable] = listing_below(3); break;
    case 3: map->has_sources = !map->has_sources && map->runtimes > 0; break;
    case 4: source->instruction ^= 1; break;
    case 5: source->clamp.lo--; break;
    case 6: source->clamp.hi++; break;
    case 7: source->width = 1 + source->width % 2; break;
    default:
      source->index[listing_below(source->width)] = listing_below(map->dims + map->ranges + 2);
      break;
  }
}

/* ---- as texts ---- */

static void listed_name(Text *text, const ListedMap *map, uint32_t variable) {
  uint32_t ranges = map->dims + map->ranges;
  if (variable < map->dims) text_printf(text, "d%u", variable);
  else if (variable < ranges) text_printf(text, "s%u", variable - map->dims);
  else text_printf(text, "rt%u", variable - ranges);
}

static void listed_names(
    Text *text, const ListedMap *map, const char *around, uint32_t first, uint32_t end) {
  if (first == end && around[0] != '(') return;
  text_printf(text, "%c", around[0]);
  for (uint32_t i = first; i < end; i++) {
    if (i > first) text_string(text, ", ");
    listed_name(text, map, i);
  }
  text_printf(text, "%c", around[1]);
}

static void listed_sum_text(Text *text, const ListedMap *map, const ListedSum *sum) {
  text_string(text, "(0");
  for (uint32_t i = 0; i < listed_count(map); i++) {
    if (sum->factors[i] == 0) continue;
    text_string(text, " + ");
    listed_name(text, map, i);
    text_printf(text, " * %u", sum->factors[i]);
  }
  text_string(text, ")");
  if (sum->divisor > 0) text_printf(text, " mod %u", sum->divisor);
}

static void listed_domain(Text *text, const ListedMap *map, uint32_t end) {
  for (uint32_t i = 0; i < end; i++) {
    text_string(text, i == 0 ? ", domain: " : ", ");
    listed_name(text, map, i);
    text_printf(
        text, " in [%lld, %lld]", (long long)map->bounds[i].lo, (long long)map->bounds[i].hi);
  }
}

static void listed_source_text(Text *text, const ListedMap *map, uint32_t runtime) {
  const ListedSource *source = &map->sources[runtime];
  uint32_t ranges = map->dims + map->ranges;
  text_printf(text, "\nrt%u: %s clamped to [%lld, %lld]; ", runtime,
      source->instruction == 0 ? "a" : "b", (long long)source->clamp.lo,
      (long long)source->clamp.hi);
  listed_names(text, map, "()", 0, map->dims);
  listed_names(text, map, "[]", map->dims, ranges);
  text_string(text, " -> (");
  for (uint32_t i = 0; i < source->width; i++) {
    if (i > 0) text_string(text, ", ");
    if (source->index[i] < ranges) listed_name(text, map, source->index[i]);
    else text_printf(text, "%u", source->index[i] - ranges);
  }
  text_string(text, ")");
  listed_domain(text, map, ranges);
}

static const Map *map_of_listed(Judge *judge, const ListedMap *map) {
  uint32_t ranges = map->dims + map->ranges;
  Text text = text_create(judge->context->arena);
  listed_names(&text, map, "()", 0, map->dims);
  listed_names(&text, map, "[]", map->dims, ranges);
  listed_names(&text, map, "{}", ranges, listed_count(map));
  text_string(&text, " -> (");
  for (uint32_t i = 0; i < map->results; i++) {
    if (i > 0) text_string(&text, ", ");
    listed_sum_text(&text, map, &map->result[i]);
  }
  text_string(&text, ")");
  listed_domain(&text, map, listed_count(map));
  text_string(&text, ", ");
  listed_sum_text(&text, map, &map->constraint);
  text_printf(&text, " in [0, %u]", map->most);
  if (map->has_sources) text_string(&text, "\nruntime variables:");
  for (uint32_t i = 0; map->has_sources && i < map->runtimes; i++)
    listed_source_text(&text, map, i);
  Source source = {
      .name = "map", .text = text.bytes, .length = strlen(text.bytes), .first_line = 1};
  const Map *made;
  Error error = {};
  if (!map_parse(judge->context, &source, &made, &error))
    fail_msg("%s: %s", text.bytes, error.message);
  return made;
}

/* ---- points ---- */

static int64_t listed_value(const ListedMap *map, const ListedSum *sum, const int64_t *at) {
  int64_t value = 0;
  for (uint32_t i = 0; i < listed_count(map); i++) value += sum->factors[i] * at[i];
  return sum->divisor == 0 ? value : value % sum->divisor;
}

static bool listed_has(const ListedMap *map, const int64_t *at) {
  for (uint32_t i = 0; i < listed_count(map); i++)
    if (at[i] < map->bounds[i].lo || at[i] > map->bounds[i].hi) return false;
  return listed_value(map, &map->constraint, at) <= map->most;
}

/* Values of all variables lie in [0, 4]. */
static uint32_t listed_codes(const ListedMap *map) {
  uint32_t codes = 1;
  for (uint32_t i = 0; i < listed_count(map); i++) codes *= 5;
  return codes;
}

static void listed_point(uint32_t code, int64_t at[most_listed]) {
  for (uint32_t i = 0; i < most_listed; i++, code /= 5) at[i] = code % 5;
}

static uint32_t listed_points(const ListedMap *map) {
  uint32_t count = 0;
  for (uint32_t code = 0; code < listed_codes(map); code++) {
    int64_t at[most_listed];
    listed_point(code, at);
    count += listed_has(map, at);
  }
  return count;
}

static bool same_listed_sources(const ListedMap *a, const ListedMap *b, const int64_t *at) {
  uint32_t ranges = a->dims + a->ranges;
  if (a->runtimes > 0 && a->has_sources != b->has_sources) return false;
  for (uint32_t i = 0; a->has_sources && i < a->runtimes; i++) {
    const ListedSource *x = &a->sources[i], *y = &b->sources[i];
    if (x->instruction != y->instruction || x->clamp.lo != y->clamp.lo ||
        x->clamp.hi != y->clamp.hi || x->width != y->width)
      return false;
    for (uint32_t k = 0; k < x->width; k++) {
      int64_t from = x->index[k] < ranges ? at[x->index[k]] : x->index[k] - ranges,
              to = y->index[k] < ranges ? at[y->index[k]] : y->index[k] - ranges;
      if (from != to) return false;
    }
  }
  return true;
}

/* Both maps have as many variables of each kind, and the first one has a point. */
static bool same_listed(const ListedMap *a, const ListedMap *b) {
  if (a->dims != b->dims || a->ranges != b->ranges || a->runtimes != b->runtimes ||
      a->results != b->results)
    return false;
  for (uint32_t code = 0; code < listed_codes(a); code++) {
    int64_t at[most_listed];
    listed_point(code, at);
    if (listed_has(a, at) != listed_has(b, at)) return false;
    if (!listed_has(a, at)) continue;
    for (uint32_t i = 0; i < a->results; i++)
      if (listed_value(a, &a->result[i], at) != listed_value(b, &b->result[i], at)) return false;
    if (!same_listed_sources(a, b, at)) return false;
  }
  return true;
}

static bool same_listed_results(const ListedMap *map, const int64_t *a, const int64_t *b) {
  for (uint32_t i = 0; i < map->results; i++)
    if (listed_value(map, &map->result[i], a) != listed_value(map, &map->result[i], b))
      return false;
  return true;
}

static bool listed_is_injective(const ListedMap *map) {
  for (uint32_t code = 0; code < listed_codes(map); code++)
    for (uint32_t other = 0; other < code; other++) {
      int64_t a[most_listed], b[most_listed];
      listed_point(code, a);
      listed_point(other, b);
      if (listed_has(map, a) && listed_has(map, b) && same_listed_results(map, a, b)) return false;
    }
  return true;
}

static bool listed_is_within(const ListedMap *map, const Interval *bounds) {
  for (uint32_t code = 0; code < listed_codes(map); code++) {
    int64_t at[most_listed];
    listed_point(code, at);
    for (uint32_t i = 0; listed_has(map, at) && i < map->results; i++) {
      int64_t value = listed_value(map, &map->result[i], at);
      if (value < bounds[i].lo || value > bounds[i].hi) return false;
    }
  }
  return true;
}

/* ---- questions ---- */

static void check_listed(Judge *judge, const AlgebraQuery *query, const AlgebraAnswer *answer,
    bool is_right, uint32_t counts[2]) {
  SameJudgement judgement;
  algebra_prove(judge, query, answer, &judgement);
  VerdictReason wanted = is_right ? REASON_EXACT : REASON_DIFFERENT;
  counts[is_right]++;
  for (uint32_t i = 0; i < judge_count; i++)
    if (verdict_decides(&judgement.by[i]) &&
        judgement.by[i].status != verdict_reason_status(wanted))
      print_error("%s is wrong\n", judge_row((JudgeId)i)->name);
  if (judgement.reason == wanted && verdict_decides(&judgement.by[BY_LISTING])) return;
  Text text = text_create(judge->context->arena);
  map_print(&text, judge->context, query->maps[0], MAP_STYLE_LINE);
  text_string(&text, "\n");
  if (answer->kind == ALGEBRA_IS_MAP) map_print(&text, judge->context, answer->map, MAP_STYLE_LINE);
  fail_msg("%s, is it right? %d\n%s\n%s", algebra_row(query->operation)->text, is_right, text.bytes,
      judgement.text);
}

static ListedMap draw_listed_with_points(void) {
  for (;;) {
    ListedMap map = draw_listed();
    if (listed_points(&map) > 0) return map;
  }
}

static void ask_sub_map(Judge *judge, uint32_t counts[2]) {
  ListedMap map = draw_listed_with_points(), right = map;
  int64_t numbers[most_listed_results];
  right.results = 1 + listing_below(most_listed_results);
  for (uint32_t i = 0; i < right.results; i++) {
    numbers[i] = listing_below(map.results);
    right.result[i] = map.result[numbers[i]];
  }
  ListedMap answer = right;
  if (listing_below(2) == 0) change_listed(&answer);
  if (listing_below(16) == 0 && answer.ranges > 0) answer.dims++, answer.ranges--;
  AlgebraQuery query = {.operation = ALGEBRA_SUB_MAP,
      .numbers = {.count = right.results, .items = numbers},
      .maps = {map_of_listed(judge, &map)}};
  check_listed(judge, &query,
      &(AlgebraAnswer){.kind = ALGEBRA_IS_MAP, .map = map_of_listed(judge, &answer), .text = ""},
      same_listed(&right, &answer), counts);
}

static void ask_ranges_to_dims(Judge *judge, uint32_t counts[2]) {
  ListedMap map = draw_listed_with_points(), right = map;
  right.dims += right.ranges;
  right.ranges = 0;
  ListedMap answer = listing_below(16) == 0 ? map : right;
  if (listing_below(2) == 0) change_listed(&answer);
  AlgebraQuery query = {.operation = ALGEBRA_RANGES_TO_DIMS, .maps = {map_of_listed(judge, &map)}};
  check_listed(judge, &query,
      &(AlgebraAnswer){.kind = ALGEBRA_IS_MAP, .map = map_of_listed(judge, &answer), .text = ""},
      same_listed(&right, &answer), counts);
}

static void ask_properties(Judge *judge, uint32_t counts[2]) {
  ListedMap map = draw_listed_with_points();
  uint32_t points = listed_points(&map) + (listing_below(2) == 0);
  AlgebraQuery query = {.operation = ALGEBRA_POINTS, .maps = {map_of_listed(judge, &map)}};
  check_listed(judge, &query,
      &(AlgebraAnswer){.kind = ALGEBRA_IS_TEXT,
          .points = points,
          .text = arena_printf(judge->context->arena, "%u", points)},
      points == listed_points(&map), counts);
  query.operation = ALGEBRA_INJECTIVE;
  bool is_true = listing_below(2) == 0;
  check_listed(judge, &query,
      &(AlgebraAnswer){.kind = is_true ? ALGEBRA_IS_TRUE : ALGEBRA_IS_FALSE, .text = ""},
      is_true == listed_is_injective(&map), counts);
  query.operation = ALGEBRA_IMAGE;
  Interval *bounds = ARENA_NEW(judge->context->arena, Interval, most_listed_results);
  for (uint32_t i = 0; i < map.results; i++)
    bounds[i] = (Interval){listing_below(2), 1 + listing_below(12)};
  check_listed(judge, &query,
      &(AlgebraAnswer){.kind = ALGEBRA_IS_TEXT, .bounds = bounds, .text = ""},
      listed_is_within(&map, bounds), counts);
}

static void answers_are_those_of_their_definitions(void **) {
  static void (*const ask[])(Judge *judge, uint32_t counts[2]) = {
      ask_sub_map, ask_ranges_to_dims, ask_properties};
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  uint32_t counts[2] = {};
  const uint32_t rounds = test_length(240, 240, 60);
  for (uint32_t i = 0; i < rounds; i++) {
    MapMark mark = map_context_mark(judge->context);
    ask[i % 3](judge, counts);
    map_context_rewind(judge->context, mark);
  }
  print_message("%u right, %u wrong\n", counts[1], counts[0]);
  assert_true(counts[0] > rounds / 3 && counts[1] > rounds / 3);
  judge_destroy(judge);
}

/* Of two maps, by all judges, also those that otherwise judge no such statement. */
static void maps_are_the_same_by_all_judges(void **) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.effort = EFFORT_ALL}, &error);
  assert_non_null(judge);
  uint32_t counts[2] = {};
  const uint32_t rounds = test_length(150, 150, 50);
  for (uint32_t i = 0; i < rounds; i++) {
    MapMark mark = map_context_mark(judge->context);
    ListedMap before = draw_listed_with_points(), after = before;
    if (i % 2 == 0) change_listed(&after);
    bool is_same = same_listed(&before, &after);
    SameJudgement judgement;
    judge_same(judge, OBLIGATION_SAME_MAP, map_of_listed(judge, &before),
        map_of_listed(judge, &after), &judgement);
    bool has_other_form = before.has_sources && after.has_sources && before.runtimes > 0 &&
                          before.sources[0].width != after.sources[0].width;
    if (has_other_form) assert_non_null(strstr(judgement.text, "by an index of another form"));
    if (relation_available() && !before.has_sources && !after.has_sources)
      assert_int_equal(judgement.by[BY_ISL].status, is_same ? VERDICT_PROVED : VERDICT_REFUTED);
    if (judgement.reason != (is_same ? REASON_EXACT : REASON_DIFFERENT))
      fail_msg("round %u, are they the same? %d: %s", i, is_same, judgement.text);
    counts[is_same]++;
    map_context_rewind(judge->context, mark);
  }
  assert_true(counts[0] > rounds * 4 / 15 && counts[1] > rounds * 4 / 15);
  judge_destroy(judge);
}

/* ---- relations ---- */

static constexpr uint32_t most_listed_elements = 3, listed_values = 5;
static constexpr int64_t least_element = -1, largest_element = 5;

/* The elements that either map uses at a point of the dimensions, and their values. */
typedef struct ListedElements {
  uint32_t count;
  int64_t keys[most_listed_elements + 1][2 + most_listed_index]; /* instruction, width, index */
  int64_t values[most_listed_elements + 1];
} ListedElements;

static int64_t listed_element(ListedElements *elements, const ListedMap *map, const int64_t *at) {
  const ListedSource *source = &map->sources[0];
  uint32_t known = map->dims + map->ranges, i = 0;
  int64_t key[2 + most_listed_index] = {source->instruction, source->width};
  for (uint32_t k = 0; k < source->width; k++)
    key[2 + k] = source->index[k] < known ? at[source->index[k]] : source->index[k] - known;
  while (i < elements->count && memcmp(elements->keys[i], key, sizeof key) != 0) i++;
  if (i == elements->count && i <= most_listed_elements)
    memcpy(elements->keys[elements->count++], key, sizeof key);
  int64_t value = i < elements->count ? elements->values[i] : 0;
  return value < source->clamp.lo   ? source->clamp.lo
         : value > source->clamp.hi ? source->clamp.hi
                                    : value;
}

/* The results that are reached, as numbers, for the value of the runtime variable, which is that of
 * its element if there are elements. */
static uint32_t listed_reach(const ListedMap *map, ListedElements *elements, int64_t value,
    int64_t at[most_listed], int64_t reached[listed_values]) {
  uint32_t count = 0, runtime = map->dims + map->ranges;
  for (uint32_t range = 0; range < (map->ranges == 0 ? 1 : listed_values); range++) {
    if (map->ranges > 0) at[map->dims] = range;
    if (map->runtimes > 0)
      at[runtime] = elements == nullptr ? value : listed_element(elements, map, at);
    if (!listed_has(map, at)) continue;
    reached[count] = 0;
    for (uint32_t i = 0; i < map->results; i++)
      reached[count] = reached[count] * 100 + listed_value(map, &map->result[i], at);
    count++;
  }
  return count;
}

/* Whether all that `a` reaches is reached by `b`. */
static bool listed_within(const ListedMap *a, const ListedMap *b, ListedElements *elements,
    int64_t value, int64_t at[most_listed]) {
  int64_t some[listed_values], all[listed_values];
  uint32_t some_count = listed_reach(a, elements, value, at, some),
           all_count = listed_reach(b, elements, value, at, all);
  for (uint32_t i = 0; i < some_count; i++) {
    uint32_t k = 0;
    while (k < all_count && all[k] != some[i]) k++;
    if (k == all_count) return false;
  }
  return true;
}

static bool next_listed_values(ListedElements *elements) {
  for (uint32_t i = 0; i < elements->count; i++) {
    if (elements->values[i]++ < largest_element) return true;
    elements->values[i] = least_element;
  }
  return false;
}

/* At one point of the dimensions, for all values. False sets `is_known` if there are too many. */
static bool listed_contained_at(
    const ListedMap *a, const ListedMap *b, int64_t at[most_listed], bool *is_known) {
  ListedElements elements = {};
  bool by_elements = a->has_sources && b->has_sources;
  for (int64_t value = 0; !by_elements && value <= largest_element; value++)
    if (!listed_within(a, b, nullptr, value, at)) return false;
  if (!by_elements) return true;
  (void)listed_within(a, b, &elements, 0, at);
  *is_known = *is_known && elements.count <= most_listed_elements;
  for (uint32_t i = 0; i < elements.count; i++) elements.values[i] = least_element;
  do
    if (!listed_within(a, b, &elements, 0, at)) return false;
  while (*is_known && next_listed_values(&elements));
  return true;
}

static bool listed_contained(const ListedMap *a, const ListedMap *b, bool *is_known) {
  uint32_t points = a->dims == 1 ? 5 : 25;
  for (uint32_t point = 0; point < points; point++) {
    int64_t at[most_listed] = {point % 5, point / 5};
    if (!listed_contained_at(a, b, at, is_known)) return false;
  }
  return true;
}

static void relations_are_those_of_all_values(void **) {
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  uint32_t counts[2] = {};
  const uint32_t rounds = test_length(200, 200, 60);
  for (uint32_t i = 0; i < rounds;) {
    ListedMap a = draw_listed_with_points(), b = a;
    bool is_known = true, is_same = listing_below(2) == 0;
    for (uint32_t changes = listing_below(3); changes > 0; changes--) change_listed(&b);
    if (listed_points(&b) == 0) continue;
    bool is_right =
        listed_contained(&a, &b, &is_known) && (!is_same || listed_contained(&b, &a, &is_known));
    if (!is_known) continue;
    MapMark mark = map_context_mark(judge->context);
    SameJudgement judgement;
    judge_same(judge, is_same ? OBLIGATION_SAME_RELATION : OBLIGATION_CONTAINED,
        map_of_listed(judge, &a), map_of_listed(judge, &b), &judgement);
    if (judgement.reason != (is_right ? REASON_EXACT : REASON_DIFFERENT)) {
      Text text = text_create(judge->context->arena);
      map_print(&text, judge->context, map_of_listed(judge, &a), MAP_STYLE_LINE);
      text_string(&text, "\n");
      map_print(&text, judge->context, map_of_listed(judge, &b), MAP_STYLE_LINE);
      fail_msg("round %u, same? %d, right? %d: %s\n%s", i, is_same, is_right, judgement.text,
          text.bytes);
    }
    counts[is_right]++;
    map_context_rewind(judge->context, mark);
    i++;
  }
  print_message("%u are, %u are not\n", counts[1], counts[0]);
  assert_true(counts[0] > rounds / 5 && counts[1] > rounds / 5);
  judge_destroy(judge);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_those_of_their_definitions),
      cmocka_unit_test(maps_are_the_same_by_all_judges),
      cmocka_unit_test(relations_are_those_of_all_values),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
