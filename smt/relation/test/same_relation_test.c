/* Decides "same relation": range variables dropped, renumbered, merged, split, rescaled, and pairs
 * that must be refuted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/text.h"
#include "smt/solver/confirm.h"
#include "smt/smt.h"

typedef struct SameRelationRow {
  const char *name, *before, *after;
  VerdictStatus answer;
  const char *text;
} SameRelationRow;

static const SameRelationRow rows[] = {
    {"identity", "(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 99]",
        "(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 99]", VERDICT_PROVED, ""},
    {"range_dropped", "(d0)[s0, s1] -> (d0, s1), domain: d0 in [0, 9], s0 in [0, 3], s1 in [0, 99]",
        "(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 99]", VERDICT_PROVED, ""},
    {"range_dropped_that_counts",
        "(d0)[s0, s1] -> (d0, s1), domain: d0 in [0, 9], s0 in [0, 3], s1 in [0, 99], s0 + s1 in [0, 50]",
        "(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 99]", VERDICT_REFUTED,
        "(0) -> (0, 51): after only"},
    {"ranges_swapped",
        "(d0)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, 9], s0 in [0, 3], s1 in [0, 99]",
        "(d0)[s0, s1] -> (d0, s1, s0), domain: d0 in [0, 9], s0 in [0, 99], s1 in [0, 3]",
        VERDICT_PROVED, ""},
    {"ranges_swapped_wrongly",
        "(d0)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, 9], s0 in [0, 3], s1 in [0, 99]",
        "(d0)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, 9], s0 in [0, 99], s1 in [0, 3]",
        VERDICT_REFUTED, "(0) -> (0, 0, 4): before only"},
    {"range_reversed", "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 1023]",
        "(d0)[s0] -> (1023 - s0), domain: d0 in [0, 9], s0 in [0, 1023]", VERDICT_PROVED, ""},
    {"ranges_merged",
        "(d0)[s0, s1] -> (s0 * 128 + s1), domain: d0 in [0, 9], s0 in [0, 4095], s1 in [0, 127]",
        "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 524287]", VERDICT_PROVED, ""},
    {"ranges_merged_with_a_hole",
        "(d0)[s0, s1] -> (s0 * 128 + s1), domain: d0 in [0, 9], s0 in [0, 4095], s1 in [0, 126]",
        "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 524287]", VERDICT_REFUTED, "(0) -> ("},
    {"range_split",
        "(d0)[s0] -> (s0 floordiv 16, s0 mod 16), domain: d0 in [0, 9], s0 in [0, 1023]",
        "(d0)[s0, s1] -> (s0, s1), domain: d0 in [0, 9], s0 in [0, 63], s1 in [0, 15]",
        VERDICT_PROVED, ""},
    {"range_only_mod", "()[s0] -> (s0 mod 16), domain: s0 in [0, 1023]",
        "()[s0] -> (s0), domain: s0 in [0, 15]", VERDICT_PROVED, ""},
    {"range_only_mod_too_short", "()[s0] -> (s0 mod 16), domain: s0 in [0, 14]",
        "()[s0] -> (s0), domain: s0 in [0, 15]", VERDICT_REFUTED, "() -> (15): after only"},
    {"stride_rescaled",
        "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 1023], s0 mod 4 in [2, 2]",
        "(d0)[s0] -> (s0 * 4 + 2), domain: d0 in [0, 9], s0 in [0, 255]", VERDICT_PROVED, ""},
    {"stride_rescaled_too_far",
        "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 1023], s0 mod 4 in [2, 2]",
        "(d0)[s0] -> (s0 * 4 + 2), domain: d0 in [0, 9], s0 in [0, 256]", VERDICT_REFUTED,
        "(0) -> (1026): after only"},
    {"two_strides", "()[s0, s1] -> (s0 * 6 + s1 * 4), domain: s0 in [0, 100], s1 in [-1000, 1000]",
        "()[s0] -> (s0 * 2), domain: s0 in [0, 100]", VERDICT_REFUTED, ""},
    {"window",
        "(d0)[s0] -> (d0 * 2 + s0 - 3), domain: d0 in [0, 511], s0 in [0, 6], d0 * 2 + s0 in [3, 1026]",
        "(d0)[s0] -> (d0 * 2 - s0 + 3), domain: d0 in [0, 511], s0 in [0, 6], d0 * 2 - s0 in [-3, 1020]",
        VERDICT_PROVED, ""},
    {"sum_of_two_ranges",
        "(d0)[s0, s1] -> (s0 + s1), domain: d0 in [0, 9], s0 in [0, 10], s1 in [0, 10]",
        "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 20]", VERDICT_PROVED, ""},
    {"sum_of_two_ranges_wider",
        "(d0)[s0, s1] -> (s0 + s1), domain: d0 in [0, 9], s0 in [0, 10], s1 in [0, 10]",
        "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 21]", VERDICT_REFUTED,
        "(0) -> (21): after only"},
    {"min_of_a_range", "()[s0] -> (min(s0, 7)), domain: s0 in [0, 100]",
        "()[s0] -> (s0), domain: s0 in [0, 7]", VERDICT_PROVED, ""},
    {"max_of_two_ranges", "()[s0, s1] -> (max(s0, s1)), domain: s0 in [0, 10], s1 in [5, 12]",
        "()[s0] -> (s0), domain: s0 in [5, 12]", VERDICT_PROVED, ""},
    {"max_of_two_ranges_wrong", "()[s0, s1] -> (max(s0, s1)), domain: s0 in [0, 10], s1 in [5, 12]",
        "()[s0] -> (s0), domain: s0 in [4, 12]", VERDICT_REFUTED, "() -> (4): after only"},
    {"product_of_ranges", "()[s0, s1] -> (s0 * s1), domain: s0 in [1, 3], s1 in [1, 3]",
        "()[s0] -> (s0), domain: s0 in [1, 9]", VERDICT_REFUTED, "() -> (5): after only"},
    {"product_of_long_ranges", "()[s0, s1] -> (s0 * s1), domain: s0 in [1, 300], s1 in [1, 300]",
        "()[s0] -> (s0), domain: s0 in [1, 90000]", VERDICT_UNKNOWN, ""},
    {"empty_both", "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 3], s0 * 2 in [7, 7]",
        "KNOWN EMPTY", VERDICT_PROVED, "both relations are empty"},
    {"empty_claimed", "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 3], s0 * 2 in [6, 7]",
        "KNOWN EMPTY", VERDICT_REFUTED, "(0) -> (0): before only"},
    {"empty_lost", "KNOWN EMPTY", "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 3]",
        VERDICT_REFUTED, "(0) -> (0): after only"},
    {"empty_range_makes_empty", "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [3, 0]",
        "(d0) -> (d0), domain: d0 in [0, 9]", VERDICT_REFUTED, "(0) -> (0): after only"},
    {"rank_changed", "(d0) -> (d0), domain: d0 in [0, 9]", "(d0) -> (d0, 0), domain: d0 in [0, 9]",
        VERDICT_REFUTED, "1 dimension and 1 result before"},
    {"rank_changed_empty", "(d0) -> (d0), domain: d0 in [9, 0]",
        "(d0) -> (d0, 0), domain: d0 in [9, 0]", VERDICT_PROVED, "both relations are empty"},
    {"runtime_by_position", "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 5]",
        "(d0){rt0} -> (rt0 + d0), domain: d0 in [0, 9], rt0 in [0, 5]", VERDICT_PROVED, ""},
    {"second_of_two_runtimes",
        "(d0){rt0, rt1} -> (rt1 mod 2), domain: d0 in [0, 9], rt0 in [0, 5], rt1 in [0, 3]",
        "(d0){rt0, rt1} -> (rt1), domain: d0 in [0, 9], rt0 in [0, 5], rt1 in [0, 3]",
        VERDICT_REFUTED, "(0) -> ("},
    {"undefined", "UNDEFINED", "(d0) -> (d0), domain: d0 in [0, 9]", VERDICT_UNKNOWN,
        "an undefined map"},
    {"undefined_after", "(d0) -> (d0), domain: d0 in [0, 9]", "UNDEFINED", VERDICT_UNKNOWN,
        "an undefined map"},
    {"runtime_is_not_a_range", "(d0){rt0} -> (rt0), domain: d0 in [0, 9], rt0 in [0, 5]",
        "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 5]", VERDICT_REFUTED,
        "(0) -> (0): after only"},
    {"runtime_without_a_value_added", "(d0) -> (d0), domain: d0 in [0, 99999]",
        "(d0){rt0} -> (d0), domain: d0 in [0, 99999], rt0 in [1, 0]", VERDICT_REFUTED,
        "(0) -> (0): before only"},
    {"runtime_without_a_value_dropped",
        "(d0){rt0, rt1} -> (d0), domain: d0 in [0, 9], rt0 in [0, 3], rt1 in [-4, -9]",
        "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 3]", VERDICT_REFUTED,
        "(0) -> (0): after only"},
    {"runtime_without_a_value_in_one",
        "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [9223372036854775807, 3]",
        "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [5, 6]", VERDICT_REFUTED,
        "(0) -> (0): after only"},
    {"runtime_without_a_value_in_both", "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [1, 0]",
        "(d0){rt0} -> (d0 + 1), domain: d0 in [0, 9], rt0 in [8, 3]", VERDICT_PROVED,
        "both relations are empty"},
    {"runtime_dropped_unused", "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 5]",
        "(d0) -> (d0), domain: d0 in [0, 9]", VERDICT_PROVED, ""},
    {"runtime_dropped_used", "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 5]",
        "(d0) -> (d0), domain: d0 in [0, 9]", VERDICT_REFUTED, "(0) -> (1): before only"},
    {"softmax",
        "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124], s0 in [0, 124]",
        "(d0, d1, d2)[s0, s1] -> (d0, d1, s1), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124], s0 in [0, 124], s1 in [0, 124]",
        VERDICT_PROVED, ""},
};

static const Map *same_relation_parse(MapContext *context, const char *text) {
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map = nullptr;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) {
    error_print(&error, stderr);
    fail_msg("%s", text);
  }
  return map;
}

static void check_row(const SameRelationRow *row) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  Error error = {};
  Verdict verdict;
  const Map *before = same_relation_parse(context, row->before),
            *after = same_relation_parse(context, row->after);
  if (!smt_same_relation(smt, before, after, &verdict, &error))
    fail_msg("%s: error %s", row->name, error.message);
  if (verdict.status != row->answer ||
      strncmp(verdict_text(&verdict), row->text, strlen(row->text)) != 0)
    fail_msg("%s: answer %d, text '%s'", row->name, verdict.status, verdict_text(&verdict));
  smt_destroy(smt);
  map_context_destroy(context);
}

static bool same_relation_always(void) { return true; }

/* Whatever ends the search, what is refuted is never proved. */
static void no_budget_proves_what_is_refuted(void **) {
  static const SmtOptions options[] = {
      {.rlimit = 1}, {.rlimit = 100}, {.rlimit = 1000}, {.stop = same_relation_always}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
      if (rows[i].answer == VERDICT_PROVED) continue;
      MapContext *context = map_context_create();
      Smt *smt = smt_create(context, &options[k]);
      Error error = {};
      Verdict verdict;
      assert_true(smt_same_relation(smt, same_relation_parse(context, rows[i].before),
          same_relation_parse(context, rows[i].after), &verdict, &error));
      if (verdict.status == VERDICT_PROVED) fail_msg("%s: proved", rows[i].name);
      smt_destroy(smt);
      map_context_destroy(context);
    }
}

static void same_relation_rows(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) check_row(&rows[i]);
}

/* Runtime variables with stated sources are matched by source: another order is the same relation,
 * an exchanged pair is not. */
static void same_relation_matches_sources(void **state) {
  (void)state;
  static const char *const ab =
      "(d0){rt0, rt1} -> (d0 + rt0, rt1), domain: d0 in [0, 9], rt0 in [0, 3], rt1 in [0, 3]\nruntime variables:\n"
      "rt0: a; (d0) -> (), domain: d0 in [0, 9]\nrt1: b; (d0) -> (), domain: d0 in [0, 9]";
  static const char *const ba =
      "(d0){rt0, rt1} -> (d0 + rt1, rt0), domain: d0 in [0, 9], rt0 in [0, 3], rt1 in [0, 3]\nruntime variables:\n"
      "rt0: b; (d0) -> (), domain: d0 in [0, 9]\nrt1: a; (d0) -> (), domain: d0 in [0, 9]";
  static const char *const swapped =
      "(d0){rt0, rt1} -> (d0 + rt1, rt0), domain: d0 in [0, 9], rt0 in [0, 3], rt1 in [0, 3]\nruntime variables:\n"
      "rt0: a; (d0) -> (), domain: d0 in [0, 9]\nrt1: b; (d0) -> (), domain: d0 in [0, 9]";
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  Error error = {};
  Verdict verdict;
  assert_true(smt_same_relation(
      smt, same_relation_parse(context, ab), same_relation_parse(context, ba), &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_PROVED);
  assert_true(smt_same_relation(smt, same_relation_parse(context, ab),
      same_relation_parse(context, swapped), &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_REFUTED);
  smt_destroy(smt);
  map_context_destroy(context);
}

/* The map with this instruction as the source of rt0, which all of them call "c". */
static const Map *map_of_source(MapContext *context, const Map *map, const void *instruction) {
  Map *changed = ARENA_NEW(context->arena, Map, 1);
  *changed = *map;
  changed->sources = ARENA_NEW(context->arena, RuntimeSource, 1);
  changed->sources[0] = map->sources[0];
  changed->sources[0].instruction = instruction;
  return changed;
}

/* Instructions of two computations may have one name. One that is known only by name may be any of
 * them. */
static void same_relation_tells_instructions_of_one_name(void **) {
  static const char instructions[2];
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  const Map *map = same_relation_parse(context,
      "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 3]\nruntime variables:\n"
      "rt0: c; (d0) -> (), domain: d0 in [0, 9]");
  const Map *maps[] = {map, map_of_source(context, map, &instructions[0]),
      map_of_source(context, map, &instructions[1])};
  for (uint32_t i = 0; i < 3; i++) {
    for (uint32_t k = 0; k < 3; k++) {
      Error error = {};
      Verdict verdict;
      assert_true(smt_same_relation(smt, maps[i], maps[k], &verdict, &error));
      bool differ = i != k && i > 0 && k > 0;
      assert_int_equal(verdict.status, differ ? VERDICT_REFUTED : VERDICT_PROVED);
    }
  }
  smt_destroy(smt);
  map_context_destroy(context);
}

static uint64_t random_next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static int64_t same_relation_draw(uint64_t *random, int64_t lo, int64_t hi) {
  return lo + (int64_t)(random_next(random) % (uint64_t)(hi - lo + 1));
}

static Expr random_expr(ExprPool *pool, uint64_t *random, uint32_t depth) {
  if (depth == 0 || same_relation_draw(random, 0, 4) == 0) {
    if (same_relation_draw(random, 0, 4) == 0)
      return expr_const(pool, same_relation_draw(random, -3, 6));
    return expr_var(pool, same_relation_draw(random, 0, 2) == 0 ? VAR_DIM : VAR_RANGE,
        (uint32_t)same_relation_draw(random, 0, 1));
  }
  Expr left = random_expr(pool, random, depth - 1);
  switch (same_relation_draw(random, 0, 9)) {
    case 0:
      return expr_binary(
          pool, EXPR_FLOORDIV, left, expr_const(pool, same_relation_draw(random, 1, 5)));
    case 1:
      return expr_binary(pool, EXPR_MOD, left, expr_const(pool, same_relation_draw(random, 1, 5)));
    case 2:
      return expr_binary(pool, EXPR_MUL, left, expr_const(pool, same_relation_draw(random, -3, 4)));
    case 3: return expr_binary(pool, EXPR_MIN, left, random_expr(pool, random, depth - 1));
    case 4: return expr_binary(pool, EXPR_MAX, left, random_expr(pool, random, depth - 1));
    case 5:
      return expr_binary(
          pool, EXPR_CEILDIV, left, expr_const(pool, same_relation_draw(random, 1, 5)));
    default: return expr_binary(pool, EXPR_ADD, left, random_expr(pool, random, depth - 1));
  }
}

static Map *random_map(MapContext *context, uint64_t *random, uint32_t results) {
  Map *map = map_create(context, 2, 2, 0, results, (uint32_t)same_relation_draw(random, 0, 1));
  for (uint32_t i = 0; i < 2; i++) {
    map->dims[i].bounds = (Interval){0, same_relation_draw(random, 0, 4)};
    map->ranges[i].bounds =
        (Interval){same_relation_draw(random, -1, 0), same_relation_draw(random, 0, 6)};
  }
  for (uint32_t i = 0; i < results; i++)
    map->results[i] =
        random_expr(context->pool, random, (uint32_t)same_relation_draw(random, 0, 3));
  if (map->constraint_count > 0)
    map->constraints[0] = (Constraint){.expr = random_expr(context->pool, random, 2),
        .in = {same_relation_draw(random, -2, 1), same_relation_draw(random, 1, 6)}};
  return map;
}

/* Whether the pair (d, e) is related, by trying all range variables. */
static bool related(
    Arena *arena, const MapContext *context, const Map *map, const Wide *dims, const Wide *to) {
  bool found = false;
  for (Wide s0 = map->ranges[0].bounds.lo; s0 <= map->ranges[0].bounds.hi && !found; s0++) {
    for (Wide s1 = map->ranges[1].bounds.lo; s1 <= map->ranges[1].bounds.hi && !found; s1++) {
      Wide values[] = {dims[0], dims[1], s0, s1};
      Replayed replayed = confirm_map(arena, context, map, values);
      found = replayed.state == REPLAY_INSIDE;
      for (uint32_t i = 0; i < map->result_count && found; i++)
        found = replayed.results[i] == to[i];
    }
  }
  return found;
}

static bool all_in(Arena *arena, const MapContext *context, const Map *map, const Map *other) {
  for (Wide d0 = 0; d0 <= map->dims[0].bounds.hi; d0++)
    for (Wide d1 = 0; d1 <= map->dims[1].bounds.hi; d1++)
      for (Wide s0 = map->ranges[0].bounds.lo; s0 <= map->ranges[0].bounds.hi; s0++)
        for (Wide s1 = map->ranges[1].bounds.lo; s1 <= map->ranges[1].bounds.hi; s1++) {
          Wide values[] = {d0, d1, s0, s1};
          Replayed replayed = confirm_map(arena, context, map, values);
          if (replayed.state == REPLAY_INSIDE &&
              !related(arena, context, other, values, replayed.results))
            return false;
        }
  return true;
}

/* A map with the same or nearly the same relation: renumbered ranges, a rewritten result, a changed
 * bound. */
static Map *variation(MapContext *context, uint64_t *random, const Map *map) {
  ExprPool *pool = context->pool;
  Map *changed = map_create(context, 2, 2, 0, map->result_count, map->constraint_count);
  map_take_variables(changed, map, VAR_DIM);
  map_take_variables(changed, map, VAR_RANGE);
  bool swap = same_relation_draw(random, 0, 1) == 0;
  Expr ranges[2];
  for (uint32_t i = 0; i < 2; i++) {
    changed->ranges[i] = map->ranges[swap ? 1 - i : i];
    ranges[swap ? 1 - i : i] = expr_var(pool, VAR_RANGE, i);
  }
  Substitution by = {.ranges = ranges};
  Error error = {};
  Expr constraint = map->constraint_count > 0 ? map->constraints[0].expr : (Expr){0};
  assert_true(expr_substitute(
      pool, context->arena, &by, map->result_count, map->results, changed->results, &error));
  if (map->constraint_count > 0) {
    assert_true(expr_substitute(
        pool, context->arena, &by, 1, &constraint, &changed->constraints[0].expr, &error));
    changed->constraints[0].in = map->constraints[0].in;
  }
  if (same_relation_draw(random, 0, 2) == 0)
    changed->ranges[same_relation_draw(random, 0, 1)].bounds.hi +=
        same_relation_draw(random, -1, 1);
  if (same_relation_draw(random, 0, 3) == 0)
    changed->results[0] = expr_binary(
        pool, EXPR_ADD, changed->results[0], expr_const(pool, same_relation_draw(random, 0, 1)));
  return changed;
}

static void same_relation_agrees_with_enumeration(void **state) {
  (void)state;
  uint64_t random = 4242;
  uint32_t proved = 0, refuted = 0, unknown = 0;
  const uint32_t rounds = test_length(250, 250, 60);
  for (uint32_t i = 0; i < rounds; i++) {
    MapContext *context = map_context_create();
    Smt *smt = smt_create(context, &(SmtOptions){.rlimit = 300'000});
    Arena *arena = arena_create();
    Error error = {};
    Verdict verdict;
    const Map *before =
                  random_map(context, &random, 1 + (uint32_t)same_relation_draw(&random, 0, 1)),
              *after = variation(context, &random, before);
    bool same = all_in(arena, context, before, after) && all_in(arena, context, after, before);
    assert_true(smt_same_relation(smt, before, after, &verdict, &error));
    if (verdict.status != VERDICT_UNKNOWN && (verdict.status == VERDICT_PROVED) != same) {
      Text text = text_create(arena);
      map_print(&text, context, before, MAP_STYLE_LINE);
      text_string(&text, " ; ");
      map_print(&text, context, after, MAP_STYLE_LINE);
      fail_msg("%u: %d but enumeration says %d: %s (%s)", i, verdict.status, same, text.bytes,
          verdict_text(&verdict));
    }
    proved += verdict.status == VERDICT_PROVED;
    refuted += verdict.status == VERDICT_REFUTED;
    unknown += verdict.status == VERDICT_UNKNOWN;
    arena_destroy(arena);
    smt_destroy(smt);
    map_context_destroy(context);
  }
  print_message("%u proved, %u refuted, %u unknown\n", proved, refuted, unknown);
  assert_true(proved > rounds * 2 / 5 && refuted > rounds * 3 / 25 && unknown == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_relation_rows),
      cmocka_unit_test(no_budget_proves_what_is_refuted),
      cmocka_unit_test(same_relation_matches_sources),
      cmocka_unit_test(same_relation_tells_instructions_of_one_name),
      cmocka_unit_test(same_relation_agrees_with_enumeration),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
