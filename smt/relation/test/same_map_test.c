/* Decides "same map" for hand-written pairs with the expected verdict, and for generated chains of
 * reshapes at production sizes. There every true pair must be proved, and every pair with a seeded
 * fault refuted at a point that replays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/clock.h"
#include "core/base/test/length.h"
#include "core/map/text.h"
#include "smt/smt.h"

typedef struct SameMapRow {
  const char *name, *before, *after;
  VerdictStatus answer;
  const char *text; /* how the verdict's text begins */
} SameMapRow;

static const SameMapRow rows[] = {
    {"identity", "(d0) -> (d0), domain: d0 in [0, 9]", "(d0) -> (d0), domain: d0 in [0, 9]",
        VERDICT_PROVED, ""},
    {"reference_1",
        "(d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16), domain: d0 in [0, 6], d1 in [0, 14]",
        "(d0, d1) -> (d0, d1), domain: d0 in [0, 6], d1 in [0, 14]", VERDICT_PROVED, ""},
    {"reference_2",
        "(d0, d1, d2) -> ((d0*100 + d1*10 + d2) floordiv 100, ((d0*100 + d1*10 + d2) mod 100) floordiv 10, d2 mod 10), "
        "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
        "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
        VERDICT_PROVED, ""},
    {"reference_3",
        "(d0, d1, d2) -> ((d0*16 + d1*4 + d2) floordiv 8, (d0*16 + d1*4 + d2) mod 8), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
        "(d0, d1, d2) -> (d0*2 + (d1*4 + d2) floordiv 8, (d1*4 + d2) mod 8), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
        VERDICT_PROVED, ""},
    {"reference_4",
        "(d0, d1) -> (-((-(d0*11) - d1 + 109) floordiv 11) + 9), domain: d0 in [0, 9], d1 in [0, 10]",
        "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 10]", VERDICT_PROVED, ""},
    {"reverse_off_by_one", "(d0) -> (-d0 + 16), domain: d0 in [0, 16]",
        "(d0) -> (-d0 + 17), domain: d0 in [0, 16]", VERDICT_REFUTED,
        "d0 = 0: before (16), after (17)"},
    {"mod_upper_bound", "(d0) -> (d0 mod 8), domain: d0 in [0, 8]",
        "(d0) -> (d0), domain: d0 in [0, 8]", VERDICT_REFUTED, "d0 = 8: before (0), after (8)"},
    {"mod_in_range", "(d0) -> (d0 mod 8), domain: d0 in [0, 7]",
        "(d0) -> (d0), domain: d0 in [0, 7]", VERDICT_PROVED, ""},
    {"mod_below_zero", "(d0) -> (d0 mod 8), domain: d0 in [-1, 7]",
        "(d0) -> (d0), domain: d0 in [-1, 7]", VERDICT_REFUTED, "d0 = -1: before (7), after (-1)"},
    {"ceildiv_negative", "(d0) -> (d0 ceildiv 4), domain: d0 in [-9, 9]",
        "(d0) -> ((d0 + 3) floordiv 4), domain: d0 in [-9, 9]", VERDICT_PROVED, ""},
    {"ceildiv_is_not_floordiv", "(d0) -> (d0 ceildiv 4), domain: d0 in [0, 9]",
        "(d0) -> (d0 floordiv 4), domain: d0 in [0, 9]", VERDICT_REFUTED,
        "d0 = 1: before (1), after (0)"},
    {"constraint_dropped", "(d0) -> (d0 floordiv 2), domain: d0 in [0, 9], d0 mod 2 in [0, 0]",
        "(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]", VERDICT_REFUTED,
        "d0 = 1: before outside the domain, after (0)"},
    {"constraint_added", "(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]",
        "(d0) -> (d0 floordiv 2), domain: d0 in [0, 9], d0 mod 2 in [0, 0]", VERDICT_REFUTED,
        "d0 = 1: before (0), after outside the domain"},
    {"constraint_tightens_bounds", "(d0) -> (d0), domain: d0 in [0, 9], d0*3 in [2, 20]",
        "(d0) -> (d0), domain: d0 in [1, 6]", VERDICT_PROVED, ""},
    {"constraint_rounded_wrongly", "(d0) -> (d0), domain: d0 in [0, 9], d0*3 in [2, 20]",
        "(d0) -> (d0), domain: d0 in [0, 6]", VERDICT_REFUTED,
        "d0 = 0: before outside the domain, after (0)"},
    {"both_empty", "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [3, 4]", "KNOWN EMPTY",
        VERDICT_PROVED, "both maps are empty"},
    {"empty_other_results", "(d0) -> (d0), domain: d0 in [5, 4]",
        "(d0) -> (d0 + 7), domain: d0 in [0, 9], d0 in [10, 11]", VERDICT_PROVED,
        "both maps are empty"},
    {"empty_claimed", "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [1, 1]", "KNOWN EMPTY",
        VERDICT_REFUTED, "d0 = 1: before (1), after outside the domain"},
    {"empty_lost", "KNOWN EMPTY", "(d0) -> (d0), domain: d0 in [3, 9]", VERDICT_REFUTED,
        "d0 = 3: before outside the domain, after (3)"},
    {"empty_twice", "KNOWN EMPTY", "KNOWN EMPTY", VERDICT_PROVED, "both maps are empty"},
    {"empty_by_parity",
        "(d0, d1) -> (d0), domain: d0 in [0, 900000], d1 in [0, 900000], d0*6 + d1*4 in [7, 7]",
        "KNOWN EMPTY", VERDICT_PROVED, ""},
    {"undefined", "UNDEFINED", "UNDEFINED", VERDICT_UNKNOWN, "an undefined map"},
    {"variable_dropped", "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 3]",
        "(d0) -> (d0), domain: d0 in [0, 9]", VERDICT_REFUTED,
        "1 dimension and 1 range variable before, 1 dimension after"},
    {"variable_dropped_empty", "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [3, 0]",
        "(d0) -> (d0), domain: d0 in [9, 0]", VERDICT_REFUTED,
        "1 dimension and 1 range variable before, 1 dimension after"},
    {"variable_dropped_known_empty", "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [3, 0]",
        "KNOWN EMPTY", VERDICT_PROVED, ""},
    {"kind_changed", "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 3]",
        "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 3]", VERDICT_REFUTED,
        "1 dimension and 1 range variable before, 1 dimension and 1 runtime variable after"},
    {"rank_changed", "(d0) -> (d0), domain: d0 in [0, 9]", "(d0) -> (d0, 0), domain: d0 in [0, 9]",
        VERDICT_REFUTED, "1 result before, 2 after"},
    {"bound_widened", "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 3]",
        "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 4]", VERDICT_REFUTED,
        "d0 = 0, s0 = 4: before outside the domain, after (4)"},
    {"min_max", "(d0) -> (max(0, min(d0, 5))), domain: d0 in [0, 5]",
        "(d0) -> (d0), domain: d0 in [0, 5]", VERDICT_PROVED, ""},
    {"min_max_clips", "(d0) -> (max(0, min(d0, 5))), domain: d0 in [-1, 5]",
        "(d0) -> (d0), domain: d0 in [-1, 5]", VERDICT_REFUTED, "d0 = -1: before (0), after (-1)"},
    {"no_variables", "() -> (3 floordiv 2), domain:", "() -> (1), domain:", VERDICT_PROVED, ""},
    {"no_variables_differ", "() -> (3 floordiv 2), domain:", "() -> (2), domain:", VERDICT_REFUTED,
        "before (1), after (2)"},
    {"huge_bounds",
        "(d0) -> (d0 floordiv 4611686018427387904), domain: d0 in [0, 9223372036854775807]",
        "(d0) -> (d0 floordiv 2305843009213693952 floordiv 2), domain: d0 in [0, 9223372036854775807]",
        VERDICT_PROVED, ""},
    {"product_of_variables", "(d0, d1) -> (d0 * d1), domain: d0 in [0, 9], d1 in [0, 9]",
        "(d0, d1) -> (d1 * d0), domain: d0 in [0, 9], d1 in [0, 9]", VERDICT_PROVED, ""},
    {"product_of_variables_differ", "(d0, d1) -> (d0 * d1), domain: d0 in [2, 9], d1 in [2, 9]",
        "(d0, d1) -> (d0 + d1), domain: d0 in [2, 9], d1 in [2, 9]", VERDICT_REFUTED,
        "d0 = 2, d1 = 3: before (6), after (5)"},
    {"runtime_alone", "(d0){rt0} -> (rt0 mod 2), domain: d0 in [0, 9], rt0 in [0, 5]",
        "(d0){rt0} -> (rt0), domain: d0 in [0, 9], rt0 in [0, 5]", VERDICT_REFUTED,
        "d0 = 0, rt0 = 2: before (0), after (2)"},
    {"second_of_two_runtimes",
        "(d0)[s0]{rt0, rt1} -> (rt1 mod 2), domain: d0 in [0, 9], s0 in [0, 1], rt0 in [0, 5], rt1 in [0, 3]",
        "(d0)[s0]{rt0, rt1} -> (rt1), domain: d0 in [0, 9], s0 in [0, 1], rt0 in [0, 5], rt1 in [0, 3]",
        VERDICT_REFUTED, "d0 = 0, s0 = 0, rt0 = 0, rt1 = 2: before (0), after (2)"},
    {"last_of_three_ranges",
        "(d0)[s0, s1, s2]{rt0} -> (s2 mod 2), domain: d0 in [0, 9], s0 in [0, 1], s1 in [0, 1], s2 in [0, 3], rt0 in [0, 5]",
        "(d0)[s0, s1, s2]{rt0} -> (s2), domain: d0 in [0, 9], s0 in [0, 1], s1 in [0, 1], s2 in [0, 3], rt0 in [0, 5]",
        VERDICT_REFUTED, "d0 = 0, s0 = 0, s1 = 0, s2 = 2, rt0 = 0: before (0), after (2)"},
    {"runtime_swapped",
        "(d0){rt0, rt1} -> (d0 + rt0, rt1), domain: d0 in [0, 9], rt0 in [0, 3], rt1 in [0, 3]",
        "(d0){rt0, rt1} -> (d0 + rt1, rt0), domain: d0 in [0, 9], rt0 in [0, 3], rt1 in [0, 3]",
        VERDICT_REFUTED, "d0 = 0, "},
};

static Source source_of(const char *text) {
  return (Source){.name = "test", .text = text, .length = strlen(text), .first_line = 1};
}

static const Map *same_map_parse(MapContext *context, const char *text) {
  Source source = source_of(text);
  const Map *map = nullptr;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) {
    error_print(&error, stderr);
    fail_msg("%s", text);
  }
  return map;
}

static void check_row(const SameMapRow *row) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  Error error = {};
  Verdict verdict, again;
  const Map *before = same_map_parse(context, row->before),
            *after = same_map_parse(context, row->after);
  assert_true(smt_same_map(smt, before, after, &verdict, &error));
  if (verdict.status != row->answer ||
      strncmp(verdict_text(&verdict), row->text, strlen(row->text)) != 0)
    fail_msg("%s: answer %d, text '%s'", row->name, verdict.status, verdict_text(&verdict));
  assert_true(smt_same_map(smt, before, after, &again, &error));
  assert_int_equal(verdict.work, again.work);
  assert_string_equal(verdict_text(&verdict), verdict_text(&again));
  smt_destroy(smt);
  map_context_destroy(context);
}

static bool same_map_always(void) { return true; }

/* Whatever ends the search, what is refuted is never proved. */
static void no_budget_proves_what_is_refuted(void **) {
  static const SmtOptions options[] = {
      {.rlimit = 1}, {.rlimit = 100}, {.rlimit = 1000}, {.stop = same_map_always}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
      if (rows[i].answer == VERDICT_PROVED) continue;
      MapContext *context = map_context_create();
      Smt *smt = smt_create(context, &options[k]);
      Error error = {};
      Verdict verdict;
      assert_true(smt_same_map(smt, same_map_parse(context, rows[i].before),
          same_map_parse(context, rows[i].after), &verdict, &error));
      if (verdict.status == VERDICT_PROVED) fail_msg("%s: proved", rows[i].name);
      smt_destroy(smt);
      map_context_destroy(context);
    }
}

static void same_map_rows(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) check_row(&rows[i]);
}

/* Sources of runtime variables are part of the map: the same values from another element are a
 * different map. */
static void same_map_compares_sources(void **state) {
  (void)state;
  static const char *const head =
      "(d0, d1){rt0} -> (d0 + rt0), domain: d0 in [0, 9], d1 in [0, 4], rt0 in [0, 3]\nruntime variables:\n";
  static const struct {
    const char *before, *after;
    VerdictStatus answer;
    const char *text;
  } sources[] = {
      {"rt0: a; (d0, d1) -> (d1), domain: d0 in [0, 9], d1 in [0, 4]",
          "rt0: a; (d0, d1) -> (d1 mod 5), domain: d0 in [0, 9], d1 in [0, 4]", VERDICT_PROVED, ""},
      {"rt0: a; (d0, d1) -> (d1), domain: d0 in [0, 9], d1 in [0, 4]",
          "rt0: b; (d0, d1) -> (d1), domain: d0 in [0, 9], d1 in [0, 4]", VERDICT_REFUTED,
          "rt0 comes from a before and from b after"},
      {"rt0: a; (d0, d1) -> (d1), domain: d0 in [0, 9], d1 in [0, 4]",
          "rt0: a; (d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 4]", VERDICT_REFUTED,
          "rt0 comes from different elements of a"},
  };
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
    MapContext *context = map_context_create();
    Smt *smt = smt_create(context, nullptr);
    Error error = {};
    Verdict verdict;
    const Map *before =
        same_map_parse(context, arena_printf(context->arena, "%s%s", head, sources[i].before));
    const Map *after =
        same_map_parse(context, arena_printf(context->arena, "%s%s", head, sources[i].after));
    assert_non_null(before->sources);
    assert_true(smt_same_map(smt, before, after, &verdict, &error));
    if (verdict.status != sources[i].answer ||
        strncmp(verdict_text(&verdict), sources[i].text, strlen(sources[i].text)) != 0)
      fail_msg("%zu: answer %d, text '%s'", i, verdict.status, verdict_text(&verdict));
    smt_destroy(smt);
    map_context_destroy(context);
  }
}

/* ---- sources in all combinations ---- */

typedef struct SourcePair {
  MapContext *context;
  Smt *smt;
  Map *maps[2];
  const Map *indices[2][11]; /* nullptr, those of index_maps, and the first without points */
} SourcePair;

/* The last five have variables that the maps lack, or lack one. */
static const char *const index_maps[] = {"(d0, d1){rt0} -> (d1), domain: %s, rt0 in [0, 3]",
    "(d0, d1){rt0} -> (d1 mod 5), domain: %s, rt0 in [0, 3]",
    "(d0, d1){rt0} -> (d0), domain: %s, rt0 in [0, 3]",
    "(d0, d1){rt0} -> (d1, d0), domain: %s, rt0 in [0, 3]",
    "(d0, d1, d2) -> (d1), domain: %s, d2 in [0, 0]",
    "(d0, d1)[s0] -> (d1), domain: %s, s0 in [0, 0]",
    "(d0, d1){rt0, rt1} -> (d1), domain: %s, rt0 in [0, 3], rt1 in [0, 0]",
    "(d0, d1, d2)[s0] -> (d1), domain: %s, d2 in [0, 0], s0 in [0, 0]",
    "(d0, d1) -> (d1), domain: %s"};
static constexpr uint32_t index_kinds = 2 + sizeof index_maps / sizeof *index_maps;

static SourcePair source_pair(const char *domain) {
  SourcePair pair = {.context = map_context_create()};
  pair.smt = smt_create(pair.context, nullptr);
  for (uint32_t side = 0; side < 2; side++) {
    const char *text = arena_printf(pair.context->arena,
        "(d0, d1){rt0} -> (d0 + rt0), domain: %s, rt0 in [0, 3]\n"
        "runtime variables:\nrt0: a; (d0, d1) -> (), domain: %s",
        domain, domain);
    pair.maps[side] = map_copy(pair.context->arena, same_map_parse(pair.context, text));
    for (uint32_t i = 0; i + 2 < index_kinds; i++)
      pair.indices[side][i + 1] =
          same_map_parse(pair.context, arena_printf(pair.context->arena, index_maps[i], domain));
    Map *empty = map_copy(pair.context->arena, pair.indices[side][1]);
    empty->state = MAP_KNOWN_EMPTY;
    pair.indices[side][index_kinds - 1] = empty;
  }
  return pair;
}

static void source_pair_close(SourcePair *pair) {
  smt_destroy(pair->smt);
  map_context_destroy(pair->context);
}

static Verdict sources_compared(SourcePair *pair, const RuntimeSource *a, const RuntimeSource *b) {
  Verdict verdict;
  Error error = {};
  RuntimeSource copies[2] = {*a, *b};
  pair->maps[0]->sources = &copies[0];
  pair->maps[1]->sources = &copies[1];
  assert_true(smt_same_map(pair->smt, pair->maps[0], pair->maps[1], &verdict, &error));
  return verdict;
}

/* Two instructions are compared as such, and by their names if one is not known. */
static void sources_are_compared_by_instruction_or_name(void **) {
  static const char *const names[] = {nullptr, "a", "b"};
  static const Instruction instructions[2];
  SourcePair pair = source_pair("d0 in [0, 9], d1 in [0, 4]");
  for (uint32_t code = 0; code < 81; code++) {
    RuntimeSource of[2];
    uint32_t name[2] = {code % 3, code / 3 % 3}, at[2] = {code / 9 % 3, code / 27};
    for (uint32_t i = 0; i < 2; i++)
      of[i] = (RuntimeSource){.name = names[name[i]],
          .instruction = at[i] == 0 ? nullptr : &instructions[at[i] - 1],
          .clamp = {0, 3}};
    bool is_same = at[0] != 0 && at[1] != 0 ? at[0] == at[1] : name[0] == name[1];
    assert_int_equal(
        sources_compared(&pair, &of[0], &of[1]).status, is_same ? VERDICT_PROVED : VERDICT_REFUTED);
  }
  source_pair_close(&pair);
}

/* Whether two of the index maps name the same element over the domain. */
static VerdictStatus indices_compared(uint32_t a, uint32_t b, bool is_one_point) {
  if (a == 0 && b == 0) return VERDICT_PROVED;
  if (a == 0 || b == 0 || a > 4 || b > 4 || (a == 4) != (b == 4)) return VERDICT_UNKNOWN;
  bool is_same = a == b || (a < 3 && b < 3) || is_one_point;
  return is_same ? VERDICT_PROVED : VERDICT_REFUTED;
}

static void sources_are_compared_by_clamp_and_element(void **) {
  static const char *const domains[] = {
      "d0 in [0, 9], d1 in [0, 4]", "d0 in [2, 2], d1 in [2, 2]", "d0 in [0, 9], d1 in [5, 4]"};
  for (uint32_t domain = 0; domain < 3; domain++) {
    SourcePair pair = source_pair(domains[domain]);
    for (uint32_t code = 0; code < index_kinds * index_kinds * 9; code++) {
      uint32_t pairs = index_kinds * index_kinds,
               index[2] = {code % index_kinds, code % pairs / index_kinds},
               clamp[2] = {code / pairs % 3, code / pairs / 3};
      if (code >= pairs && (clamp[0] == clamp[1] || code % 7 != 0)) continue;
      RuntimeSource of[2];
      for (uint32_t i = 0; i < 2; i++)
        of[i] = (RuntimeSource){.name = "a",
            .clamp = {clamp[i] == 2, clamp[i] == 1 ? 4 : 3},
            .index = pair.indices[i][index[i]]};
      VerdictStatus wanted = domain == 2 ? VERDICT_PROVED
                             : clamp[0] != clamp[1]
                                 ? VERDICT_REFUTED
                                 : indices_compared(index[0], index[1], domain == 1);
      Verdict verdict = sources_compared(&pair, &of[0], &of[1]);
      if (verdict.status != wanted)
        fail_msg("%s, index maps %u and %u, clamps %u and %u: %s", domains[domain], index[0],
            index[1], clamp[0], clamp[1], verdict_text(&verdict));
      bool is_element = wanted == VERDICT_REFUTED && clamp[0] == clamp[1];
      if (is_element) assert_true(verdict.point_rank == 3 && verdict.point[0] != verdict.point[1]);
    }
    source_pair_close(&pair);
  }
}

/* The elements differ, but the sums that denote them do not fit. */
static void same_map_of_too_large_sources_is_unknown(void **) {
  static const char *const text =
      "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 0], rt0 in [0, 3]\nruntime variables:\n"
      "rt0: a; (d0) -> (d0 * 4611686018427387904 * 4611686018427387904 + %d), domain: d0 in [0, 0]";
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  Error error = {};
  Verdict verdict;
  const Map *before = same_map_parse(context, arena_printf(context->arena, text, 1)),
            *after = same_map_parse(context, arena_printf(context->arena, text, 2));
  assert_true(smt_same_map(smt, before, after, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_UNKNOWN);
  assert_string_equal(verdict_text(&verdict), "coefficients past 2^100");
  smt_destroy(smt);
  map_context_destroy(context);
}

static void same_map_out_of_budget_is_unknown(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, &(SmtOptions){.rlimit = 10});
  Error error = {};
  Verdict verdict;
  const Map *before = same_map_parse(context,
      "(d0, d1) -> ((d0 + d1) floordiv 2 + (d0 + d1 + 1) floordiv 2), domain: d0 in [0, 999], d1 in [0, 999]");
  const Map *after =
      same_map_parse(context, "(d0, d1) -> (d0 + d1), domain: d0 in [0, 999], d1 in [0, 999]");
  assert_true(smt_same_map(smt, before, after, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_UNKNOWN);
  smt_destroy(smt);
  smt = smt_create(context, nullptr);
  assert_true(smt_same_map(smt, before, after, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_PROVED);
  smt_destroy(smt);
  map_context_destroy(context);
}

static uint64_t random_next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

typedef struct ChainShape {
  uint32_t rank;
  int64_t sizes[8];
} ChainShape;

/* Distributes the prime factors of one total randomly over up to 7 dimensions. */
static ChainShape random_shape(uint64_t *random, uint32_t factor_count, const int64_t *factors) {
  int64_t order[24];
  ChainShape shape = {.rank = 1 + (uint32_t)(random_next(random) % 7)};
  for (uint32_t i = 0; i < factor_count; i++) order[i] = factors[i];
  for (uint32_t i = factor_count; i-- > 1;) {
    uint32_t j = (uint32_t)(random_next(random) % (i + 1));
    int64_t swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
  for (uint32_t i = 0; i < shape.rank; i++) shape.sizes[i] = 1;
  for (uint32_t i = 0; i < factor_count; i++)
    shape.sizes[random_next(random) % shape.rank] *= order[i];
  return shape;
}

static Expr same_map_linearize(ExprPool *pool, const ChainShape *shape, const Expr *index) {
  Expr sum = expr_const(pool, 0);
  int64_t stride = 1;
  for (uint32_t i = shape->rank; i-- > 0;) {
    sum = expr_binary(
        pool, EXPR_ADD, sum, expr_binary(pool, EXPR_MUL, index[i], expr_const(pool, stride)));
    stride *= shape->sizes[i];
  }
  return sum;
}

/* The first digit needs no mod if the linear index is in range; `all` writes it nevertheless. */
static void same_map_delinearize(
    ExprPool *pool, const ChainShape *shape, Expr linear, bool all, Expr *index) {
  int64_t stride = 1;
  for (uint32_t i = shape->rank; i-- > 0;) {
    index[i] = expr_binary(pool, EXPR_FLOORDIV, linear, expr_const(pool, stride));
    if (i > 0 || all)
      index[i] = expr_binary(pool, EXPR_MOD, index[i], expr_const(pool, shape->sizes[i]));
    stride *= shape->sizes[i];
  }
}

static Map *map_over(
    MapContext *context, const ChainShape *shape, uint32_t result_count, const Expr *results) {
  Map *map = map_create(context, shape->rank, 0, 0, result_count, 0);
  for (uint32_t i = 0; i < shape->rank; i++)
    map->dims[i].bounds = (Interval){0, shape->sizes[i] - 1};
  for (uint32_t i = 0; i < result_count; i++) map->results[i] = results[i];
  return map;
}

typedef struct SameMapChain {
  const Map *through, *direct, *wrong;
} SameMapChain;

/* A chain of reshapes, and the single reshape that equals it (the identity if the chain returns to
 * its first shape); also that reshape with an offset of one in the linear index. */
static SameMapChain random_chain(MapContext *context, uint64_t *random) {
  static const int64_t primes[] = {2, 2, 2, 2, 2, 2, 3, 3, 5, 7, 11, 13};
  int64_t factors[20];
  uint32_t factor_count = 4 + (uint32_t)(random_next(random) % 17),
           length = 1 + (uint32_t)(random_next(random) % 8);
  bool back = random_next(random) % 2 == 0;
  for (uint32_t i = 0; i < factor_count; i++)
    factors[i] = primes[random_next(random) % (sizeof primes / sizeof primes[0])];
  ChainShape first = random_shape(random, factor_count, factors), shape = first;
  Expr index[8], direct[8], wrong[8];
  for (uint32_t i = 0; i < first.rank; i++) index[i] = expr_var(context->pool, VAR_DIM, i);
  Expr start = same_map_linearize(context->pool, &first, index);
  for (uint32_t i = 0; i < length; i++) {
    Expr linear = same_map_linearize(context->pool, &shape, index);
    shape = back && i + 1 == length ? first : random_shape(random, factor_count, factors);
    same_map_delinearize(context->pool, &shape, linear, random_next(random) % 2 == 0, index);
  }
  same_map_delinearize(context->pool, &shape, start, false, direct);
  for (uint32_t i = 0; i < first.rank && back; i++) direct[i] = expr_var(context->pool, VAR_DIM, i);
  same_map_delinearize(context->pool, &shape,
      expr_binary(context->pool, EXPR_ADD, start, expr_const(context->pool, 1)), false, wrong);
  return (SameMapChain){.through = map_over(context, &first, shape.rank, index),
      .direct = map_over(context, &first, shape.rank, direct),
      .wrong = map_over(context, &first, shape.rank, wrong)};
}

static void same_map_proves_reshape_chains(void **state) {
  (void)state;
  uint64_t random = 0x9e3779b97f4a7c15;
  double longest = 0, total = 0;
  uint32_t refuted = 0;
  const uint32_t chains = test_length(300, 300, 100);
  for (uint32_t i = 0; i < chains; i++) {
    MapContext *context = map_context_create();
    Smt *smt = smt_create(context, nullptr);
    Error error = {};
    Verdict verdict;
    SameMapChain chain = random_chain(context, &random);
    double start = clock_processor();
    assert_true(smt_same_map(smt, chain.through, chain.direct, &verdict, &error));
    double taken = clock_processor() - start;
    if (verdict.status != VERDICT_PROVED)
      fail_msg("chain %u: %d %s", i, verdict.status, verdict_text(&verdict));
    total += taken;
    if (taken > longest) longest = taken;
    if (i % 10 == 0) {
      assert_true(smt_same_map(smt, chain.through, chain.wrong, &verdict, &error));
      if (verdict.status != VERDICT_REFUTED)
        fail_msg("wrong chain %u: %d %s", i, verdict.status, verdict_text(&verdict));
      refuted++;
    }
    smt_destroy(smt);
    map_context_destroy(context);
  }
  print_message("%u chains proved, mean %.2f ms, worst %.2f ms; %u wrong ones refuted\n", chains,
      total / chains * 1e3, longest * 1e3, refuted);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_map_rows),
      cmocka_unit_test(no_budget_proves_what_is_refuted),
      cmocka_unit_test(same_map_compares_sources),
      cmocka_unit_test(sources_are_compared_by_instruction_or_name),
      cmocka_unit_test(sources_are_compared_by_clamp_and_element),
      cmocka_unit_test(same_map_of_too_large_sources_is_unknown),
      cmocka_unit_test(same_map_out_of_budget_is_unknown),
      cmocka_unit_test(same_map_proves_reshape_chains),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
