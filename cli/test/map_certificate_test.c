/* Certificates of simplified maps: affirm-check accepts those of random maps and of each rule's
 * example, and rejects altered ones. AFFIRM_CERTIFICATE_MAPS sets the number of maps,
 * AFFIRM_CERTIFICATE_SEED the first seed, AFFIRM_CERTIFICATE_FILE a file that keeps the
 * certificates. */
#include "cli/test/test_command.h"

#include "cli/report/map_certificate.h"
#include "core/map/test/random_map.h"
#include "core/map/evaluate.h"
#include "core/map/text.h"
#include "core/simplify/simplify.h"

static MapContext *context;
static Simplifier *simplifier;

/* Writes the rules as they are stated, whatever rules this engine uses. */
static char *write_stated_rules(void) {
  static const char *const names[] = {
      "constraints", "digits", "floordiv", "mod", "sums", "text", "values"};
  Text text = text_create(arena);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    text_string(&text,
        read_text(arena_printf(arena, "%s/core/rules/%s.rules", AFFIRM_SOURCE_DIR, names[i])));
  return write_text("all.rules", text.bytes);
}

/* The checker's output and exit status. */
static int map_certificate_check(const char *certificates, const char **printed) {
  const char *command = arena_printf(arena, "%s %s %s > %s 2>&1", AFFIRM_CHECK,
      write_stated_rules(), certificates, path_of("said"));
  int status = system(command);
  *printed = read_text(path_of("said"));
  return status;
}

/* Whether both maps have the same values at some points of the first one's box. */
static bool is_same(const Map *map, const Map *simplified, uint64_t seed) {
  uint32_t count = map_variable_count(map);
  int64_t values[16], a[8], b[8];
  if (count > 16 || map->result_count > 8) return true;
  RandomMaps random = {.state = seed};
  for (uint32_t round = 0; round < 40; round++) {
    for (uint32_t i = 0; i < count; i++) {
      Interval in = map_variable(map, i)->bounds;
      if (in.lo > in.hi) return true;
      values[i] = random_between(&random, in.lo, in.hi);
    }
    Point point = map_point(map, values);
    PointState before = map_evaluate(context, map, &point, a),
               after = simplified->state == MAP_KNOWN_EMPTY
                           ? POINT_OUTSIDE
                           : map_evaluate(context, simplified, &point, b);
    if (before != after ||
        (before == POINT_INSIDE && memcmp(a, b, map->result_count * sizeof *a) != 0))
      return false;
  }
  return true;
}

static uint32_t wrong_count;
static FILE *wrong_file; /* certificates whose map was replaced by another */

static void map_certificate_certify(FILE *file, const Map *map) {
  MapMark mark = map_context_mark(context);
  Arena *own = arena_create();
  Trace trace = {.arena = own, .keeps_unseen = true};
  const Map *simplified;
  Error error = {};
  if (simplify_map(simplifier, map, nullptr, &simplified, &trace, &error)) {
    Text text = text_create(own);
    map_certificate_print(&text, context, map, simplified, &trace);
    fputs(text.bytes, file);
    bool is_wrong = map->state == MAP_PLAIN && !is_same(map, simplified, text.length);
    if (is_wrong) fputs(text.bytes, wrong_file);
    wrong_count += is_wrong;
  }
  arena_destroy(own);
  map_context_rewind(context, mark);
}

static const Map *map_of(const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  assert_true(map_parse(context, &source, &map, &error));
  return map;
}

/* Cases in which one step needs bounds, congruences, several constraints, or emptiness. */
static const char *const maps[] = {
    "(d0, d1)[s0]{rt0} -> (d0 mod 8 + min(d1, s0 + 3) - rt0, -d1), domain: d0 in [0, 8], d1 in [0, 3], s0 in [0, 3], rt0 in [0, 4], d0 + d1 in [2, 4]",
    "(d0) -> (d0), domain: d0 in [0, 7], d0 in [9, 9]",
    "(d0, d1) -> (d0), domain: d0 in [0, 99], d1 in [0, 9], (d0 + d1) mod 4 in [1, 1], (d0 + d1) mod 6 in [3, 3]",
    "(d0, d1) -> (d0), domain: d0 in [0, 99], d1 in [0, 9], (d0 + d1) mod 4 in [1, 1], (d0 + d1) mod 6 in [2, 2]",
    "(d0, d1) -> (d0 floordiv 3), domain: d0 in [0, 99], d1 in [0, 9], d0 + d1 in [3, 4], 2*d0 + 2*d1 in [1, 7]",
    "(d0) -> ((d0 floordiv 2)*2), domain: d0 in [0, 99], d0 mod 2 in [0, 0]",
    "(d0, d1) -> (min(min(d0 + d1, d0 + 5), d1), max(max(d0, 3), d1)), domain: d0 in [0, 9], d1 in [0, 9]",
    /* After a rule, the constraint does not fit int64 until it is rewritten once more. */
    "(d0, d1) -> (d0), domain: d0 in [8, 9], d1 in [-10, 1], d0 + d1 - (d1 ceildiv 10) * 4611686018427387904 in [1, 18], d1*3 in [-21, 3]",
    /* A product that is 0, but whose factors' coefficients overflow. */
    "()[s0, s1] -> ((((s1 floordiv 2147483647) floordiv 11) * 4294967296) * (s1 * 4294967297)), domain: s0 in [2, 3], s1 in [0, 2]",
    /* A known argument of a maximum also occurs outside the maximum. */
    "(d0){rt0} -> (max(max(max(rt0, rt0 + 4), 163845) floordiv 1, max((d0 - 1) mod 65535, rt0))), domain: d0 in [0, 14], rt0 in [0, 19]",
    "(d0, d1, d2) -> (min(min(d1, 4294967297), min(0, min(max(d1, 1), d2)) + ((-2 floordiv 7) mod 11) floordiv 11) mod 10), domain: d0 in [12, 17], d1 in [0, 20], d2 in [0, 4], d1 in [8, 18]",
    /* The source of a runtime variable, whose index is simplified too. */
    "(d0){rt0} -> ((rt0 + d0) mod 8), domain: d0 in [0, 3], rt0 in [0, 2]\nruntime variables:\nrt0: a; (d0) -> (d0 * 2 floordiv 2), domain: d0 in [0, 3]",
    /* A rule about minima names a term that earlier rules changed. */
    "(d0, d1) -> (min(min((max(d1 mod 9223372036854775807, d1) + min(d0, 4) ceildiv 12) floordiv 11, 3), ((d0 ceildiv 4) mod 4 + max(d0, 11)) floordiv 6)), domain: d0 in [0, 20], d1 in [-19, -6]",
};

/* A sum of 110 variables: an instance is written in full, however long its letters are. */
static const char *wide_map(void) {
  Text names = text_create(arena), sum = text_create(arena), bounds = text_create(arena);
  for (uint32_t i = 0; i < 110; i++) {
    const char *comma = i == 0 ? "" : ", ";
    text_printf(&names, "%sd%u", comma, i);
    text_printf(&sum, "%sd%u", i == 0 ? "" : " + ", i);
    text_printf(&bounds, "%sd%u in [0, 3]", comma, i);
  }
  return arena_printf(
      arena, "(%s) -> ((%s) mod 1000), domain: %s", names.bytes, sum.bytes, bounds.bytes);
}

static const char *last_line(const char *text) {
  const char *line = text;
  for (const char *at = text; *at != 0; at++)
    if (*at == '\n' && at[1] != 0) line = at + 1;
  return line;
}

static void certificates_are_accepted(void **) {
  const char *count = getenv("AFFIRM_CERTIFICATE_MAPS"), *seed = getenv("AFFIRM_CERTIFICATE_SEED"),
             *printed;
  uint64_t runs = count == nullptr ? 2000 : strtoull(count, nullptr, 10);
  uint64_t first = seed == nullptr ? 0 : strtoull(seed, nullptr, 10);
  char *kept = getenv("AFFIRM_CERTIFICATE_FILE"),
       *path = kept == nullptr ? path_of("maps.cert") : kept;
  FILE *file = fopen(path, "w");
  wrong_file = fopen(path_of("wrong.cert"), "w");
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
    map_certificate_certify(file, map_of(maps[i]));
  map_certificate_certify(file, map_of(wide_map()));
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_engine(arena, &rules, &error));
  for (uint32_t i = 0; i < rules.count; i++)
    if (rules.items[i].example != nullptr)
      map_certificate_certify(file, map_of(rules.items[i].example));
  for (uint64_t i = first; i < first + runs; i++) {
    MapMark mark = map_context_mark(context);
    RandomMaps random = {.state = i,
        .max_variables = 3,
        .max_depth = 3 + (uint32_t)(i % 4),
        .max_results = 2,
        .max_constraints = (uint32_t)(i % 4),
        .max_coefficient = 12,
        .max_bound = 20};
    map_certificate_certify(file, random_map(context, &random));
    map_context_rewind(context, mark);
  }
  fclose(file);
  fclose(wrong_file);
  if (wrong_count > 0) {
    (void)map_certificate_check(path_of("wrong.cert"), &printed);
    print_message("%u wrong maps: %s\n", wrong_count, last_line(printed));
  }
  int status = map_certificate_check(path, &printed);
  print_message("%.20000s", last_line(printed));
  assert_int_equal(status, 0);
  assert_int_equal(wrong_count, 0);
}

static void certificates_of_nothing_are_rejected(void **) {
  static const char *const texts[] = {
      "map certificate 1\nend\n",
      "map certificate 1\nstate (d0) -> (d0), domain: d0 in [0, 9]\n",
      "map certificate 1\nstate (d0) -> (d0), domain: d0 in [0, 9]\nkeep\nstate (d0) -> (d0 + 1), domain: d0 in [0, 9]\nend\n",
      "map certificate 1\nstate (d0) -> (d0), domain: d0 in [0, 9]\nkeep\nstate (d0) -> (d0), domain: d0 in [0, 8]\nend\n",
      "map certificate 1\nstate (d0) -> (d0), domain: d0 in [0, 9]\nkeep\nstate KNOWN EMPTY\nend\n",
      "map certificate 1\nstate (d0) -> (d0), domain: d0 in [0, 9]\nkeep\nstate (d1) -> (d1), domain: d1 in [0, 9]\nend\n",
      "map certificate 1\nstate (d0) -> (d0 mod 8), domain: d0 in [0, 8]\nrule mod-known with c = 8, x = d0; lo(x) = 0, hi(x) = 7\nstate (d0) -> (d0), domain: d0 in [0, 8]\nend\n",
      "map certificate 1\nstate (d0) -> (d0 mod 8), domain: d0 in [0, 8]\nrule mod-known with c = 8, x = d0\nstate (d0) -> (d0), domain: d0 in [0, 8]\nend\n",
      "map certificate 1\nstate (d0) -> (d0 mod 8), domain: d0 in [0, 8]\nrule mod-known with c = 8, x = d0; lo(x) = 0, hi(x) = 8\nstate (d0) -> (d0), domain: d0 in [0, 8]\nend\n",
      "map certificate 1\nstate (d0) -> (d0 mod 8), domain: d0 in [0, 7]\nrule mod-known with c = 8, x = d0; lo(x) = 0, hi(x) = 7\nstate (d0) -> (d0), domain: d0 in [0, 8]\nend\n",
      "map certificate 1\nstate (d0) -> (d0 mod 8), domain: d0 in [0, 7]\nrule no-such-rule with c = 8, x = d0; lo(x) = 0, hi(x) = 7\nstate (d0) -> (d0), domain: d0 in [0, 7]\nend\n",
      "map certificate 1\nstate (d0) -> (d0), domain: d0 in [0, 9], d0*2 in [0, 4]\nrule constraint-implied with a = 0, b = 4, x = d0*2; lo(x) = 0, hi(x) = 4\nstate (d0) -> (d0), domain: d0 in [0, 9], 0 in [0, 0]\nend\n",
      "map certificate 1\nstate (d0) -> (d0 mod 8, d0 mod 4), domain: d0 in [0, 7]\nrule mod-known with c = 8, x = d0; lo(x) = 0, hi(x) = 7\nstate (d0) -> (d0, d0), domain: d0 in [0, 7]\nend\n",
      "map certificate 1\nstate (d0) -> (d0), domain: d0 in [0, 9], d0 floordiv (1 - 1) in [0, 4]\nend\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *printed;
    int status = map_certificate_check(write_text("bad.cert", texts[i]), &printed);
    if (status == 0) print_error("accepted: %s", texts[i]);
    assert_int_not_equal(status, 0);
    assert_contains(printed, "rejected: line");
  }
}

static int open_all(void **state) {
  Error error = {};
  context = map_context_create();
  simplifier = simplifier_create(context, nullptr, &error);
  return simplifier == nullptr ? -1 : command_begin(state);
}

static int close_all(void **state) {
  simplifier_destroy(simplifier);
  map_context_destroy(context);
  return command_end(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(certificates_are_accepted),
      cmocka_unit_test(certificates_of_nothing_are_rejected)};
  return cmocka_run_group_tests(tests, open_all, close_all);
}
