/* The same map against its definition, for maps whose runtime variables have sources: at each point
 * the same membership, results, instructions, clamps and elements. A map without points has the
 * sources of the other map. */
#include "oracle/test/test_module.h"

static uint64_t state_of_sources = 41;

static uint32_t sources_below(uint32_t end) {
  state_of_sources =
      state_of_sources * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_sources >> 33) % end;
}

typedef enum SourceForm : uint8_t {
  ELEMENT_UNKNOWN,
  ELEMENT_EMPTY,
  ELEMENT_ELSEWHERE, /* over a variable that the map lacks */
  ELEMENT_ZERO,
  ELEMENT_DIM,
  ELEMENT_RUNTIME,
  ELEMENT_FORMS,
} SourceForm;

static constexpr uint32_t runtimes = 2, variables = 1 + runtimes;

/* (d0){rt0, rt1} -> (d0 + scale * rt[result]). */
typedef struct MapWithSources {
  bool is_empty, has_sources, is_wide;
  Interval dim;
  int64_t scale;
  uint32_t result;
  const char *names[runtimes];
  int instructions[runtimes]; /* 0: none */
  Interval clamps[runtimes];
  SourceForm forms[runtimes];
} MapWithSources;

static MapWithSources draw_sourced(void) {
  static const char *const names[] = {nullptr, "a", "b"};
  MapWithSources map = {.has_sources = sources_below(4) != 0,
      .is_wide = sources_below(3) == 0,
      .dim = {sources_below(2), 1 + sources_below(2)},
      .scale = 1 + sources_below(2),
      .result = sources_below(runtimes)};
  if (sources_below(8) == 0) map.dim = (Interval){1, 0};
  for (uint32_t i = 0; i < runtimes; i++) {
    map.names[i] = names[sources_below(3)];
    map.instructions[i] = (int)sources_below(2);
    map.clamps[i] = (Interval){0, 1 + sources_below(2)};
    map.forms[i] = (SourceForm)sources_below(ELEMENT_FORMS);
  }
  return map;
}

static void change_sourced(MapWithSources *map) {
  MapWithSources other = draw_sourced();
  uint32_t i = sources_below(runtimes);
  switch (sources_below(9)) {
    case 0: map->has_sources = other.has_sources; break;
    case 1: map->is_wide = other.is_wide; break;
    case 2: map->dim = other.dim; break;
    case 3: map->scale = other.scale; break;
    case 4: map->result = other.result; break;
    case 5: map->names[i] = other.names[i]; break;
    case 6: map->instructions[i] = other.instructions[i]; break;
    case 7: map->clamps[i] = other.clamps[i]; break;
    default: map->forms[i] = other.forms[i]; break;
  }
}

static const Map *index_of_form(MapContext *context, SourceForm form, uint32_t runtime) {
  ExprPool *pool = context->pool;
  if (form == ELEMENT_UNKNOWN) return nullptr;
  if (form == ELEMENT_EMPTY) return map_known_empty(context);
  Map *index = map_create(context, form == ELEMENT_ELSEWHERE ? 2 : 1, 0, runtimes, 1, 0);
  for (uint32_t i = 0; i < map_variable_count(index); i++)
    map_variable(index, i)->bounds = (Interval){0, 0}; /* its own bounds decide nothing */
  index->results[0] = form == ELEMENT_DIM       ? expr_var(pool, VAR_DIM, 0)
                      : form == ELEMENT_RUNTIME ? expr_var(pool, VAR_RUNTIME, runtime)
                                                : expr_const(pool, 0);
  return index;
}

/* Of a wide map the result is computed past int64 where d0 is 2, which is outside. */
static const Map *map_of_sourced(MapContext *context, const MapWithSources *sourced) {
  static const char instruction;
  ExprPool *pool = context->pool;
  if (sourced->is_empty) return map_known_empty(context);
  Map *map = map_create(context, 1, 0, runtimes, 1, 1);
  Expr dim = expr_var(pool, VAR_DIM, 0), large = expr_const(pool, INT64_C(1) << 62);
  map->dims[0].bounds = (Interval){0, 2};
  map->constraints[0] = (Constraint){.expr = dim, .in = sourced->dim};
  if (sourced->is_wide)
    dim = expr_binary(pool, EXPR_FLOORDIV, expr_binary(pool, EXPR_MUL, dim, large), large);
  map->results[0] = expr_binary(pool, EXPR_ADD, dim,
      expr_binary(pool, EXPR_MUL, expr_var(pool, VAR_RUNTIME, sourced->result),
          expr_const(pool, sourced->scale)));
  map->sources =
      sourced->has_sources ? ARENA_NEW(context->arena, RuntimeSource, runtimes) : nullptr;
  for (uint32_t i = 0; i < runtimes; i++) {
    map->runtimes[i].bounds = (Interval){0, 1};
    if (sourced->has_sources)
      map->sources[i] =
          (RuntimeSource){.instruction = sourced->instructions[i] == 0 ? nullptr : &instruction,
              .name = sourced->names[i],
              .clamp = sourced->clamps[i],
              .index = index_of_form(context, sourced->forms[i], i)};
  }
  return map;
}

static bool are_same_words(const char *a, const char *b) {
  return (a == nullptr) == (b == nullptr) && (a == nullptr || strcmp(a, b) == 0);
}

/* Whether the sources differ at every point, or *is_open: nothing tells which elements they are. */
static bool states_differ(
    const MapWithSources *before, const MapWithSources *after, uint32_t i, bool *is_open) {
  MapWithSources none = {};
  if (before->is_empty) before = after;
  if (after->is_empty) after = before;
  const MapWithSources *a = before->has_sources ? before : &none,
                       *b = after->has_sources ? after : &none;
  SourceForm form = a->forms[i], other = b->forms[i];
  if (a->instructions[i] != b->instructions[i] || !are_same_words(a->names[i], b->names[i]) ||
      a->clamps[i].lo != b->clamps[i].lo || a->clamps[i].hi != b->clamps[i].hi)
    return true;
  *is_open = form == ELEMENT_ELSEWHERE || other == ELEMENT_ELSEWHERE;
  return *is_open ||
         (form < ELEMENT_ELSEWHERE || other < ELEMENT_ELSEWHERE ? form != other : false);
}

static bool is_inside(const MapWithSources *map, int64_t dim) {
  return !map->is_empty && dim >= map->dim.lo && dim <= map->dim.hi;
}

static int64_t element_at(const MapWithSources *map, uint32_t i, const int64_t *at) {
  SourceForm form = map->has_sources ? map->forms[i] : ELEMENT_UNKNOWN;
  return form == ELEMENT_DIM ? at[0] : form == ELEMENT_RUNTIME ? at[1 + i] : 0;
}

/* Whether the maps agree at the point, whose sources are compared only by their elements. */
static bool agree_at(const MapWithSources *a, const MapWithSources *b, const int64_t *at) {
  bool is_in = is_inside(a, at[0]), leaves = at[0] == 2 && (a->is_wide || b->is_wide);
  if (is_in != is_inside(b, at[0])) return false;
  if (!is_in) return true;
  bool same = !leaves && a->scale * at[1 + a->result] == b->scale * at[1 + b->result];
  for (uint32_t i = 0; i < runtimes; i++) same &= element_at(a, i, at) == element_at(b, i, at);
  return same;
}

static void check_sourced(OracleFixture *bench, const MapWithSources *a, const MapWithSources *b,
    uint32_t answers[VERDICT_REFUTED + 1]) {
  Verdict verdict;
  Error error = {};
  bool is_open = false, differ = false, has_point = false, has_differed = false;
  int64_t first[variables] = {};
  uint64_t work = 0;
  for (uint32_t i = 0; i < runtimes && !differ; i++) differ = states_differ(a, b, i, &is_open);
  for (uint32_t code = 0; code < 3 * 2 * 2; code++) {
    int64_t at[variables] = {code / 4, code / 2 % 2, code % 2};
    has_point |= is_inside(a, at[0]) || is_inside(b, at[0]);
    if (has_differed) continue;
    has_differed = !agree_at(a, b, at);
    work++;
    if (has_differed) memcpy(first, at, sizeof at);
  }
  VerdictStatus expected = is_open  ? VERDICT_UNKNOWN
                           : differ ? (has_point ? VERDICT_REFUTED : VERDICT_PROVED)
                                    : (has_differed ? VERDICT_REFUTED : VERDICT_PROVED);
  assert_true(oracle_same_map(bench->oracle, map_of_sourced(bench->maps, a),
      map_of_sourced(bench->maps, b), 1000, &verdict, &error));
  if (verdict.status != expected) fail_msg("%s", verdict_text(&verdict));
  answers[expected]++;
  if (is_open || differ) return;
  assert_int_equal(verdict.work, work);
  assert_int_equal(verdict.point_rank, has_differed ? variables : 0);
  for (uint32_t i = 0; i < verdict.point_rank; i++) assert_int_equal(verdict.point[i], first[i]);
}

static void sources_are_compared_at_each_point(void **) {
  uint32_t answers[VERDICT_REFUTED + 1] = {};
  for (uint32_t round = 0; round < 6000; round++) {
    OracleFixture bench = bench_create();
    MapWithSources before = draw_sourced(), after = before;
    for (uint32_t i = sources_below(4); i > 0; i--)
      change_sourced(sources_below(2) == 0 ? &before : &after);
    if (sources_below(6) == 0) (sources_below(2) == 0 ? &before : &after)->is_empty = true;
    check_sourced(&bench, &before, &after, answers);
    bench_destroy(&bench);
  }
  for (uint32_t i = 0; i <= VERDICT_REFUTED; i++) assert_true(answers[i] > 600);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sources_are_compared_at_each_point)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
