/* The simplifier on the reference's maps, on each rule's own example, on limits and garbage; the
 * trace leads from the map to its simplified form. */
#include "core/base/clock.h"
#include "core/map/compose.h"
#include "core/simplify/test/test_world.h"

static const Map *simplified(
    SimplifyFixture *world, const Map *map, const SimplifyOptions *options) {
  const Map *result;
  Error error = {};
  if (!simplify_map(world->simplifier, map, options, &result, nullptr, &error)) {
    error_print(&error, stderr);
    fail();
  }
  return result;
}

typedef struct SimplifyRow {
  const char *in, *out;
} SimplifyRow;

static const SimplifyRow reference[] = {
    {"(d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16), domain: d0 in [0, 6], d1 in [0, 14]",
        "(d0, d1) -> (d0, d1), domain: d0 in [0, 6], d1 in [0, 14]"},
    {"(d0, d1, d2) -> ((100*d0 + 10*d1 + d2) floordiv 100, ((100*d0 + 10*d1 + d2) mod 100) floordiv 10, d2 mod 10), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
        "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"},
    {"(d0, d1, d2) -> ((16*d0 + 4*d1 + d2) floordiv 8, (16*d0 + 4*d1 + d2) mod 8), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
        "(d0, d1, d2) -> ((d1 * 4 + d2) floordiv 8 + d0 * 2, (d1 * 4 + d2) mod 8), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"},
    {"(d0, d1) -> (-((-11*d0 - d1 + 109) floordiv 11) + 9), domain: d0 in [0, 9], d1 in [0, 10]",
        "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 10]"},
    {"(d0, d1, d2) -> (((d0*100 + d1*10 + d2) floordiv 20)*20 floordiv 100 + ((d0*100 + d1*10 + d2) mod 20) floordiv 100, "
     "((((d0*100 + d1*10 + d2) floordiv 20)*20 + (d0*100 + d1*10 + d2) mod 20) mod 100) floordiv 10, "
     "(((d0*100 + d1*10 + d2) floordiv 20)*20 + (d0*100 + d1*10 + d2) mod 20) mod 10), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
        "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"},
    {"(d0, d1, d2) -> ((d0*16 + d1*4 + d2) floordiv 8, (d0*16 + d1*4 + d2) mod 8), domain: d0 in [0, 1], d1 in [0, 3], d2 in [0, 3]",
        "(d0, d1, d2) -> (d1 floordiv 2 + d0 * 2, (d1 mod 2) * 4 + d2), domain: d0 in [0, 1], d1 in [0, 3], d2 in [0, 3]"},
    {"(d0, d1) -> ((d0*8 + d1) floordiv 16, ((d0*8 + d1) mod 16) floordiv 4, d1 mod 4), domain: d0 in [0, 3], d1 in [0, 7]",
        "(d0, d1) -> (d0 floordiv 2, (d0 mod 2) * 2 + d1 floordiv 4, d1 mod 4), domain: d0 in [0, 3], d1 in [0, 7]"},
    {"(d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2), domain: d0 in [0, 9], d1 in [0, 19], d2 in [0, 49], "
     "(d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0], d0 in [5, 9], (d1 - 3) floordiv 7 in [0, 2], d2 floordiv 2 in [0, 24]",
        "(d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2), domain: d0 in [5, 9], d1 in [3, 17], d2 in [0, 48], "
        "(d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0]"},
    {"(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), domain: d0 in [0, 11], d1 in [0, 15], (d0 - 1) mod 2 in [0, 0], (d0 - 1) floordiv 2 in [0, 3], d1 - 4 in [0, 3]",
        "(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), domain: d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]"},
    {"(d0)[s0] -> (d0), domain: d0 in [0, 5], s0 in [1, 3], d0 + s0 in [0, 20]",
        "(d0)[s0] -> (d0), domain: d0 in [0, 5], s0 in [1, 3]"},
    {"(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 in [4, 9]", "KNOWN EMPTY"},
    {"(d0) -> (d0), domain: d0 in [3, 2]", "KNOWN EMPTY"},
    {"(d0) -> (d0), domain: d0 in [0, 9], 2 in [2, 2], d0 + 7 in [0, 99], 3 in [3, 3], 2 in [2, 2]",
        "(d0) -> (d0), domain: d0 in [0, 9]"},
    {"UNDEFINED", "UNDEFINED"},
    {"() -> ()", "() -> ()"},
    {"(d0, d1) -> (d0 + d1), domain: d0 in [3, 3], d1 in [0, 9]",
        "(d0, d1) -> (d1 + 3), domain: d0 in [3, 3], d1 in [0, 9]"},
};

static void reference_maps_simplify_as_stated(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof reference / sizeof *reference; i++)
    assert_string_equal(
        fixture_print(&world, simplified(&world, fixture_parse(&world, reference[i].in), nullptr)),
        reference[i].out);
  close_world(&world);
}

static void sources_stay_and_their_index_maps_are_simplified(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  const Map *map = fixture_parse(&world,
      "(d0, d1){rt0} -> (d1 + rt0 mod 8), domain: d0 in [0, 9], d1 in [0, 3], rt0 in [0, 5], d0 in [0, 4]\n"
      "runtime variables:\nrt0: z; (d0, d1){rt0} -> (d0 mod 5, (d0 * 4 + d1) floordiv 4), domain: d0 in [0, 9], d1 in [0, 3], rt0 in [0, 5]");
  const Map *once = simplified(&world, map, nullptr);
  assert_string_equal(fixture_print(&world, once),
      "(d0, d1){rt0} -> (d1 + rt0), domain: d0 in [0, 4], d1 in [0, 3], rt0 in [0, 5]\n"
      "runtime variables:\nrt0: z; (d0, d1){rt0} -> (d0, d0), domain: d0 in [0, 4], d1 in [0, 3], rt0 in [0, 5]");
  assert_true(map_identical(world.context, once, simplified(&world, once, nullptr)));
  assert_int_equal(once->sources[0].clamp.hi, map->sources[0].clamp.hi);
  close_world(&world);
}

static void points_are_kept_on_request(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  const Map *map =
      fixture_parse(&world, "(d0, d1) -> (d0 + d1), domain: d0 in [3, 3], d1 in [0, 9]");
  assert_string_equal(
      fixture_print(&world, simplified(&world, map, &(SimplifyOptions){.keep_points = true})),
      "(d0, d1) -> (d0 + d1), domain: d0 in [3, 3], d1 in [0, 9]");
  close_world(&world);
}

static bool has_fired(const Trace *trace, const char *name) {
  for (uint32_t i = 0; i < trace->count; i++)
    if (trace->items[i].rule != nullptr && strcmp(trace->items[i].rule->name, name) == 0)
      return true;
  return false;
}

static Trace traced(SimplifyFixture *world, const Map *map, const Map **result) {
  Trace trace = {.arena = world->context->arena};
  Error error = {};
  assert_true(simplify_map(world->simplifier, map, nullptr, result, &trace, &error));
  return trace;
}

/* Candidates that fail inside candidates that fail: recording this map took seconds when each of
 * them cleared the memo. */
static void trace_of_nested_maxima_is_quick(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  const Map *
      map = fixture_parse(&world,
         "(d0) -> (max(d0 + d0, max(max(max(max(max(max(max(max(d0 * 25, d0), d0 + d0 + d0 + d0), d0), d0 * 19), d0), "
         "d0 + d0 + d0 + d0), d0), d0 * 19))), domain: d0 in [-14, 4]"),
     *result;
  double start = clock_processor();
  Trace trace = traced(&world, map, &result);
  assert_in_range(trace.count, 1, 20);
  assert_true(clock_processor() - start < 1);
  close_world(&world);
}

/* One argument has no bounds, so that every result is rejected. Every subset of the others used to
 * be tried, which took two seconds of processor time. */
static void extremum_without_bounds_is_quick(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  const Map *
      consumer = fixture_parse(&world,
         "(d0)[s0]{rt0} -> (s0 + rt0 - max(max(max(max(18, -23), max(d0, d0)) * ((d0 floordiv 7) floordiv 7), ((rt0 floordiv 7) floordiv 7) floordiv 7), "
         "(((d0 floordiv 7) floordiv 7) floordiv 7) floordiv 7) * 6), domain: d0 in [31, 8388639], s0 in [27, 524315], rt0 in [27, 32]"),
     *producer = fixture_parse(&world,
         "(d0) -> (max(max(max(max(max(max(-23, d0) * (d0 mod 32), (d0 mod 24) mod 24), max(max(max(d0, d0), max(17, -23)), d0)), "
         "max(max(min(max(10, d0), -16), 1024), max(max(max(1099511627776, 2), d0 + d0), max(-23 * -12, max(-23, d0))))), "
         "max(max(max(max(max(d0, -23), -23 * -23), max(max(-22, -23), d0 mod 1024)), -16), 1099511627776)), "
         "max(max(max(max(max(d0 floordiv 10, d0 * 31), max(-32 * 22, max(32, d0))), max(max(max(-23, -17), max(d0, -12)), max(max(27, d0), max(d0, d0)))), d0), d0))), domain: d0 in [0, 11]"),
     *both, *result;
  Error error = {};
  double start = clock_processor();
  assert_true(map_compose(world.context, consumer, producer, &both, &error) &&
              simplify_map(world.simplifier, both, nullptr, &result, nullptr, &error));
  assert_true(clock_processor() - start < 1);
  close_world(&world);
}

static void every_rule_fires_on_its_example(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_engine(world.context->arena, &rules, &error));
  assert_true(rules.count > 30);
  for (uint32_t i = 0; i < rules.count; i++) {
    const Map *result;
    if (rules.items[i].example == nullptr)
      print_message("%s has no example\n", rules.items[i].name);
    assert_non_null(rules.items[i].example);
    Trace trace = traced(&world, fixture_parse(&world, rules.items[i].example), &result);
    if (!has_fired(&trace, rules.items[i].name))
      print_message("%s does not fire: %s\n", rules.items[i].name, fixture_print(&world, result));
    assert_true(has_fired(&trace, rules.items[i].name));
  }
  close_world(&world);
}

static void trace_leads_from_map_to_simplified(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof reference / sizeof *reference; i++) {
    const Map *map = fixture_parse(&world, reference[i].in), *result;
    Trace trace = traced(&world, map, &result);
    assert_string_equal(fixture_print(&world, result), reference[i].out);
    const Map *at = map;
    for (uint32_t j = 0; j < trace.count; j++) {
      assert_true(map_identical(world.context, at, trace.items[j].map_before));
      assert_true(trace.items[j].rule != nullptr || trace.items[j].what[0] != 0);
      at = trace.items[j].map_after;
    }
    assert_true(map_identical(world.context, at, result));
  }
  close_world(&world);
}

typedef struct StepRow {
  const char *map, *rule;
  int32_t result, constraint;
  const char *bindings, *facts, *bounds;
} StepRow;

static const StepRow step_rows[] = {
    {"(d0) -> ((d0 + 8) floordiv 8), domain: d0 in [0, 7]", "floordiv-known", 0, -1,
        "c = 8, x = d0 + 8", "8 <= d0 + 8 <= 15 (bounds of d0)", "lo(x) = 8, hi(x) = 15"},
    {"(d0, d1) -> (d1, (d0 mod 12 + d1) mod 4), domain: d0 in [0, 99], d1 in [0, 9]", "mod-of-mod",
        1, -1, "a = 1, b = 12, c = 4, x = d0, y = d1", "", ""},
    {"(d0, d1) -> ((d0 * 4 + d1) floordiv 8), domain: d0 in [0, 9], d1 in [0, 3]",
        "floordiv-common-factor", 0, -1, "c = 4, k = 2, x = d0, y = d1",
        "0 <= d1 <= 3 (bounds of d1)", "lo(y) = 0, hi(y) = 3"},
    {"(d0, d1) -> (), domain: d0 in [0, 9], d1 in [0, 9], d0 - d1 in [1, 2], d0 + d1 in [3, 99]",
        "constraint-end-falls", -1, 1, "a = 3, b = 99, x = d0 + d1",
        "0 <= d0 + d1 <= 18 (bounds of d0, d1)", "lo(x) = 0, hi(x) = 18"},
    {"(d0, d1) -> (), domain: d0 in [-99, -90], d1 in [0, 9], d0 + 9223372036854775807 + d1 + 9 in [9, 19]",
        "constraint-too-high", -1, 0, "a = 9, b = 19, x = d0 + d1 + 9223372036854775807 + 9",
        "9223372036854775717 <= d0 + d1 + 9223372036854775807 + 9 <= 9223372036854775735 (bounds of d0, d1)",
        "lo(x) = 9223372036854775717, hi(x) = 9223372036854775735"},
};

static const TraceStep *step_of(const Trace *trace, const char *rule) {
  for (uint32_t i = 0; i < trace->count; i++)
    if (trace->items[i].rule != nullptr && strcmp(trace->items[i].rule->name, rule) == 0)
      return &trace->items[i];
  return nullptr;
}

static void a_step_states_where_and_why(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof step_rows / sizeof *step_rows; i++) {
    const StepRow *row = &step_rows[i];
    const Map *result;
    Trace trace = traced(&world, fixture_parse(&world, row->map), &result);
    const TraceStep *step = step_of(&trace, row->rule);
    assert_non_null(step);
    assert_int_equal(step->result, row->result);
    assert_int_equal(step->constraint, row->constraint);
    assert_string_equal(step->bindings, row->bindings);
    assert_string_equal(step->facts, row->facts);
    assert_string_equal(step->bounds, row->bounds);
  }
  close_world(&world);
}

/* An index is beyond 20, so that it is also the number of a variable of another kind. */
static void facts_name_each_variable_once(void **state) {
  (void)state;
  static const struct {
    const char *results, *rule, *facts;
  } rows[] = {
      {"(d22 + s1) mod 30", "mod-known", "0 <= d22 + s1 <= 13 (bounds of d22, s1)"},
      {"(d22 + d22 mod 5 + d21) mod 60", "mod-known",
          "0 <= d22 mod 5 + d21 + d22 <= 22 (bounds of d22, d21)"},
  };
  SimplifyFixture world = open_world();
  Text domain = text_create(world.context->arena), dims = text_create(world.context->arena);
  for (uint32_t i = 0; i < 24; i++) {
    text_printf(&dims, "%sd%u", i == 0 ? "" : ", ", i);
    text_printf(&domain, "d%u in [0, 9], ", i);
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const Map *result;
    Trace trace = traced(&world,
        fixture_parse(&world, arena_printf(world.context->arena,
                                  "(%s)[s0, s1] -> (%s), domain: %s s0 in [0, 4], s1 in [0, 4]",
                                  dims.bytes, rows[i].results, domain.bytes)),
        &result);
    const TraceStep *step = step_of(&trace, rows[i].rule);
    assert_non_null(step);
    assert_string_equal(step->facts, rows[i].facts);
  }
  close_world(&world);
}

static void a_step_of_the_whole_map_names_no_position(void **state) {
  (void)state;
  static const char *const wholes[] = {"sums collected and ordered",
      "operands and constraints ordered", "no point satisfies bounds and constraints",
      "written out", "what is added stands first",
      "constraints on constants and variables become bounds"};
  static constexpr uint32_t must_be_seen = 3;
  SimplifyFixture world = open_world();
  uint32_t seen[6] = {};
  static const char *const maps[] = {
      "(d0, d1) -> (d1 + d0 * 3 + d1), domain: d0 in [0, 9], d1 in [0, 9]",
      "(d0, d1)[s0] -> (min(min(d0, d1), d0 + d1 + 7), s0 mod 4), domain: d0 in [0, 9], d1 in [0, 9], s0 in [0, 7]",
      "(d0, d1) -> (d0 ceildiv 7 - d1 ceildiv 9223372036854775807, d1 ceildiv 5), domain: d0 in [0, 100], d1 in [0, 99]",
      "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [3, 5], d0 + d1 in [6, 9]",
      "(d0) -> (d0), domain: d0 in [0, 9], d0 in [3, 5]",
  };
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
    const Map *result;
    Trace trace = traced(&world, fixture_parse(&world, maps[i]), &result);
    for (uint32_t k = 0; k < trace.count; k++)
      for (uint32_t what = 0; what < 6; what++) {
        if (trace.items[k].rule != nullptr || strcmp(trace.items[k].what, wholes[what]) != 0)
          continue;
        seen[what]++;
        assert_int_equal(trace.items[k].result, -1);
        assert_int_equal(trace.items[k].constraint, -1);
      }
  }
  for (uint32_t what = 0; what < must_be_seen; what++) assert_true(seen[what] > 0);
  close_world(&world);
}

static void deep_and_wide_maps_end(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  ExprPool *pool = world.context->pool;
  Map *map = map_create(world.context, 1, 0, 0, 3, 0);
  map->dims[0].bounds = (Interval){0, 0};
  Expr deep = expr_var(pool, VAR_DIM, 0), doubled = deep, mixed = deep;
  for (uint32_t i = 0; i + 2 < expr_max_depth; i++) {
    deep = expr_binary(pool, EXPR_FLOORDIV, deep, expr_const(pool, 2));
    doubled = expr_binary(pool, EXPR_ADD, doubled, doubled);
    if (i % 2 == 0 && i + 3 < expr_max_depth) mixed = expr_binary(pool, EXPR_ADD, mixed, mixed);
    else mixed = expr_binary(pool, EXPR_MAX, mixed, expr_const(pool, i));
  }
  map->results[0] = deep;
  map->results[1] = doubled;
  map->results[2] = mixed;
  const SimplifyOptions options[] = {{.keep_points = true}, {}};
  for (size_t i = 0; i < 2; i++) {
    const Map *result;
    Error error = {};
    if (!simplify_map(world.simplifier, map, &options[i], &result, nullptr, &error))
      assert_true(error.kind == ERROR_LIMIT || error.kind == ERROR_OVERFLOW);
  }
  close_world(&world);
}

static const char *const unmatchable[] = {
    "rule two-letters (x + y) floordiv c => x floordiv c + y floordiv c when c > 0",
    "rule product x*y => y*x",
    "rule two-unbound (a*k*x + y) floordiv c => y floordiv c when c > 0",
    "rule nothing-to-pick x + y => y + x",
    "rule deep x floordiv c => x + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + "
    "(1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + "
    "(1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + c))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))"
    ")))))))) floordiv 2 * 0 when c > 0",
};

static void unmatchable_rules_are_rejected_by_name(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof unmatchable / sizeof *unmatchable; i++) {
    Source source = {
        .name = "test", .text = unmatchable[i], .length = strlen(unmatchable[i]), .first_line = 1};
    RuleSet rules = {};
    Error error = {};
    if (!rules_parse(world.context->arena, &source, &rules, &error)) continue;
    Simplifier *simplifier = simplifier_create(world.context, &rules, &error);
    if (simplifier != nullptr) print_message("compiled: %s\n", unmatchable[i]);
    assert_null(simplifier);
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, rules.items[0].name));
  }
  close_world(&world);
}

/* A user's false rule is applied as stated: the engine does not check it. */
static void rules_of_ones_own_run(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  static const char text[] = "rule wrong x mod c => x when 1 < 2, 0 <= lo(x), hi(x) <= c";
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_parse(world.context->arena, &source, &rules, &error));
  SimplifyFixture own = {
      .context = world.context, .simplifier = simplifier_create(world.context, &rules, &error)};
  assert_non_null(own.simplifier);
  const Map *map = fixture_parse(&world, "(d0) -> (d0 mod 8), domain: d0 in [0, 8]");
  assert_string_equal(
      fixture_print(&world, simplified(&own, map, nullptr)), "(d0) -> (d0), domain: d0 in [0, 8]");
  assert_string_equal(fixture_print(&world, simplified(&world, map, nullptr)),
      "(d0) -> (d0 mod 8), domain: d0 in [0, 8]");
  simplifier_destroy(own.simplifier);
  close_world(&world);
}

/* Two rules undo each other: the call ends soon, and the error names the rule. */
static void rules_that_undo_each_other_end(void **state) {
  (void)state;
  static const struct {
    const char *rule, *map;
  } rows[] = {
      {"rule climbs x in [a, b] => 2*x in [2*a, 2*b] when a <= b\n order: weight",
          "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [3, 9]"},
      {"rule turns x in [a, b] => -x in [-b, -a] when a <= b\n order: weight",
          "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [3, 9]"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    SimplifyFixture world = open_world();
    Source source = {
        .name = "test", .text = rows[i].rule, .length = strlen(rows[i].rule), .first_line = 7};
    RuleSet rules = {};
    Error error = {};
    const Map *result;
    assert_true(rules_engine(world.context->arena, &rules, &error) &&
                rules_parse(world.context->arena, &source, &rules, &error));
    SimplifyFixture own = {
        .context = world.context, .simplifier = simplifier_create(world.context, &rules, &error)};
    assert_non_null(own.simplifier);
    assert_false(simplify_map(
        own.simplifier, fixture_parse(&world, rows[i].map), nullptr, &result, nullptr, &error));
    assert_int_equal(error.kind, ERROR_LIMIT);
    assert_non_null(strstr(error.message, "fire"));
    simplifier_destroy(own.simplifier);
    close_world(&world);
  }
}

static void a_scope_limits_where_a_rule_fires(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  static const char text[] =
      "rule narrow x mod c => x when 0 <= lo(x), hi(x) < c\n  scope: c in [1, 8]";
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_parse(world.context->arena, &source, &rules, &error));
  SimplifyFixture own = {
      .context = world.context, .simplifier = simplifier_create(world.context, &rules, &error)};
  assert_non_null(own.simplifier);
  const Map *map = fixture_parse(&world, "(d0) -> (d0 mod 8, d0 mod 9), domain: d0 in [0, 7]");
  assert_string_equal(fixture_print(&world, simplified(&own, map, nullptr)),
      "(d0) -> (d0, d0 mod 9), domain: d0 in [0, 7]");
  simplifier_destroy(own.simplifier);
  close_world(&world);
}

/* The coefficient a*b of u has two unbound letters until v's coefficient binds a. It is then
 * compared with u's coefficient, not with that of v. */
static void a_coefficient_that_waits_is_its_own(void **) {
  SimplifyFixture world = open_world();
  static const char text[] = "rule nested (a*b*u + a*v) mod c => (a*(b*u + v)) mod c";
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_parse(world.context->arena, &source, &rules, &error));
  SimplifyFixture own = {
      .context = world.context, .simplifier = simplifier_create(world.context, &rules, &error)};
  assert_non_null(own.simplifier);
  static const char stated[] =
      "(d0, d1) -> ((d0 * 60 + d1 * 20) mod 7007), domain: d0 in [0, 99], d1 in [0, 99]";
  const Map *map = fixture_parse(&world, stated);
  assert_string_equal(fixture_print(&world, simplified(&own, map, nullptr)), stated);
  simplifier_destroy(own.simplifier);
  close_world(&world);
}

/* Only `c > 0` of a divisor holds for every divisor. */
static void a_guard_over_a_divisor_decides(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  static const char text[] = "rule large (x + a) mod c => x mod c when c > 8, a != 0";
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_parse(world.context->arena, &source, &rules, &error));
  SimplifyFixture own = {
      .context = world.context, .simplifier = simplifier_create(world.context, &rules, &error)};
  assert_non_null(own.simplifier);
  const Map *map =
      fixture_parse(&world, "(d0) -> ((d0 + 1) mod 8, (d0 + 1) mod 9), domain: d0 in [0, 99]");
  assert_string_equal(fixture_print(&world, simplified(&own, map, nullptr)),
      "(d0) -> ((d0 + 1) mod 8, d0 mod 9), domain: d0 in [0, 99]");
  simplifier_destroy(own.simplifier);
  close_world(&world);
}

static const SimplifyRow constraint_rows[] = {
    {"(d0) -> (d0), domain: d0 in [0, 99], d0 mod 4 in [1, 1], d0 mod 6 in [3, 3]",
        "(d0) -> (d0), domain: d0 in [9, 93], (d0 + 3) mod 12 in [0, 0]"},
    {"(d0) -> (d0), domain: d0 in [0, 99], d0 mod 4 in [1, 1], d0 mod 6 in [2, 2]", "KNOWN EMPTY"},
    {"(d0, d1) -> (d0), domain: d0 in [0, 99], d1 in [0, 9], d0 * 8 + d1 in [16, 71], d1 in [0, 7]",
        "(d0, d1) -> (d0), domain: d0 in [2, 8], d1 in [0, 7]"},
    {"(d0) -> ((d0 floordiv 2) * 2), domain: d0 in [0, 99], d0 mod 2 in [0, 0]",
        "(d0) -> (d0), domain: d0 in [0, 98], d0 mod 2 in [0, 0]"},
    {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [3, 5], d0 + d1 in [6, 9]",
        "KNOWN EMPTY"},
    {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], d0 - d1 in [2, 5], d1 - d0 in [-4, 9]",
        "(d0, d1) -> (d0), domain: d0 in [2, 9], d1 in [0, 7], d0 - d1 in [2, 4]"},
    {"(d0, d1, d2) -> (0), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], d0 - d1 in [1, 9], d1 - d2 in [1, 9], d2 - d0 in [1, 9]",
        "KNOWN EMPTY"},
};

static void constraints_settle(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof constraint_rows / sizeof *constraint_rows; i++)
    assert_string_equal(
        fixture_print(
            &world, simplified(&world, fixture_parse(&world, constraint_rows[i].in), nullptr)),
        constraint_rows[i].out);
  close_world(&world);
}

/* Bounds that creep towards each other over a range too long to walk are restored, and the result
 * is idempotent. */
static void creeping_bounds_end(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  const Map *map = fixture_parse(&world,
      "(d0, d1, d2) -> (d0), domain: d0 in [0, 1099511627776], d1 in [0, 1099511627776], d2 in [0, 1099511627776], "
      "d0 - d1 in [1, 9], d1 - d2 in [1, 9], d2 - d0 in [1, 9]");
  const Map *once = simplified(&world, map, nullptr);
  assert_true(map_identical(world.context, once, simplified(&world, once, nullptr)));
  close_world(&world);
}

/* A tree of 2^200 operands, three of them different. */
static void shared_minima_are_visited_once(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  ExprPool *pool = world.context->pool;
  Map map =
      *fixture_parse(&world, "(d0, d1) -> (min(d0, d1)), domain: d0 in [0, 900], d1 in [0, 900]");
  const Map *simplified;
  Error error = {};
  Expr d0 = expr_var(pool, VAR_DIM, 0), d1 = expr_var(pool, VAR_DIM, 1),
       expr = expr_const(pool, 500);
  for (uint32_t i = 0; i < 200; i++)
    expr = expr_binary(pool, EXPR_MIN, expr_binary(pool, EXPR_MIN, d0, expr),
        expr_binary(pool, EXPR_MIN, expr, d1));
  map.results = &expr;
  assert_true(simplify_map(world.simplifier, &map, nullptr, &simplified, nullptr, &error));
  assert_string_equal(fixture_print(&world, simplified),
      "(d0, d1) -> (min(min(500, d0), d1)), domain: d0 in [0, 900], d1 in [0, 900]");
  close_world(&world);
}

/* As many factors as a pattern holds, and one more. */
static void a_product_of_too_many_factors_is_refused(void **state) {
  (void)state;
  static const char *const letters[] = {"a", "b", "c", "k", "m", "n", "a1", "b1"};
  SimplifyFixture world = open_world();
  for (uint32_t count = 4; count <= 8; count++) {
    Text text = text_create(world.context->arena);
    text_string(&text, "rule product\n  ");
    for (uint32_t i = 0; i < count; i++) text_printf(&text, "%s*", letters[i]);
    text_string(&text, "x  =>  0\n  when a == 0\n");
    Source source = {.text = text.bytes, .length = text.length, .first_line = 1};
    RuleSet rules = {};
    Error error = {};
    assert_true(rules_parse(world.context->arena, &source, &rules, &error));
    Simplifier *simplifier = simplifier_create(world.context, &rules, &error);
    if (count > 6) assert_null(simplifier);
    if (simplifier != nullptr) simplifier_destroy(simplifier);
    else assert_non_null(strstr(error.message, "product"));
  }
  close_world(&world);
}

/* XLA prints index maps with variables and constraints of their own. */
static void an_index_map_with_other_variables_stays(void **) {
  static const char *const texts[] = {
      "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 2]\nruntime variables:\n"
      "rt0: i; (d0, d1, d2)[s0] -> (d1 + d2 mod 4 + s0), domain: d0 in [0, 3], d1 in [0, 7], d2 in [0, 3], s0 in [0, 1]",
      "(d0)[s0]{rt0, rt1} -> (d0 + rt1), domain: d0 in [0, 3], s0 in [0, 1], rt0 in [0, 2], rt1 in [0, 5]\n"
      "runtime variables:\nrt0: i; (d0) -> (d0), domain: d0 in [0, 3]\n"
      "rt1: k; (d0)[s0, s1]{rt0} -> (s1 + rt0), domain: d0 in [0, 3], s0 in [0, 1], s1 in [0, 9], rt0 in [0, 2]"};
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const Map *map = fixture_parse(&world, texts[i]), *after, *composed;
    Error error = {};
    assert_true(simplify_map(world.simplifier, map, &(SimplifyOptions){}, &after, nullptr, &error));
    uint32_t last = map->runtime_count - 1;
    assert_ptr_equal(after->sources[last].index, map->sources[last].index);
    const Map *kept = map_drop_unused(world.context, map);
    assert_ptr_equal(kept->sources[kept->runtime_count - 1].index, map->sources[last].index);
    assert_true(map_compose(
        world.context, map_identity(world.context, 1, (int64_t[]){4}), map, &composed, &error));
    assert_null(composed->sources[last].index);
  }
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_index_map_with_other_variables_stays),
      cmocka_unit_test(trace_of_nested_maxima_is_quick),
      cmocka_unit_test(extremum_without_bounds_is_quick),
      cmocka_unit_test(unmatchable_rules_are_rejected_by_name),
      cmocka_unit_test(rules_of_ones_own_run),
      cmocka_unit_test(a_guard_over_a_divisor_decides),
      cmocka_unit_test(rules_that_undo_each_other_end),
      cmocka_unit_test(a_scope_limits_where_a_rule_fires),
      cmocka_unit_test(a_coefficient_that_waits_is_its_own),
      cmocka_unit_test(constraints_settle),
      cmocka_unit_test(creeping_bounds_end),
      cmocka_unit_test(reference_maps_simplify_as_stated),
      cmocka_unit_test(points_are_kept_on_request),
      cmocka_unit_test(sources_stay_and_their_index_maps_are_simplified),
      cmocka_unit_test(every_rule_fires_on_its_example),
      cmocka_unit_test(trace_leads_from_map_to_simplified),
      cmocka_unit_test(a_step_states_where_and_why),
      cmocka_unit_test(facts_name_each_variable_once),
      cmocka_unit_test(a_product_of_too_many_factors_is_refused),
      cmocka_unit_test(a_step_of_the_whole_map_names_no_position),
      cmocka_unit_test(deep_and_wide_maps_end),
      cmocka_unit_test(shared_minima_are_visited_once),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
