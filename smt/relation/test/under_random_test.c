/* Questions under the domain of a random map against all points of its box: whether there is a
 * point, one at which a constraint fails, and one at which two results differ. A point that is
 * named is one of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/map/test/random_map.h"
#include "core/map/text.h"
#include "smt/relation/under.h"

static constexpr uint32_t most_variables = 3, most_results = 2;

typedef struct UnderTrial {
  MapContext *context;
  Smt *smt;
  RandomMaps random;
  const Map *domain, *other; /* over the same variables; `other` has no constraint */
  Under under;
  uint32_t answers[3];
} UnderTrial;

typedef enum UnderQuestion : uint8_t { ASKS_ANY, ASKS_BREAKS, ASKS_DIFFER } UnderQuestion;

/* The other map: two expressions over the variables of the domain. */
static const Map *draw_other(UnderTrial *trial) {
  const Map *domain = trial->domain;
  Map *map = map_create(trial->context, domain->dim_count, domain->range_count,
      domain->runtime_count, most_results, 0);
  for (uint32_t i = 0; i < domain->dim_count; i++) map->dims[i] = domain->dims[i];
  for (uint32_t i = 0; i < domain->range_count; i++) map->ranges[i] = domain->ranges[i];
  for (uint32_t i = 0; i < domain->runtime_count; i++) map->runtimes[i] = domain->runtimes[i];
  for (uint32_t i = 0; i < most_results; i++)
    map->results[i] = random_expr(trial->context, &trial->random, domain, 3);
  Error ignored = {};
  return map_check(trial->context, map, &ignored) ? map : nullptr;
}

static Point under_point_at(const Map *map, const int64_t *values) {
  return (Point){.dims = values,
      .ranges = values + map_first_number(map, VAR_RANGE),
      .runtimes = values + map_first_number(map, VAR_RUNTIME)};
}

static bool is_inside_domain(const UnderTrial *trial, const int64_t *values) {
  int64_t results[8];
  Point point = under_point_at(trial->domain, values);
  return map_evaluate(trial->context, trial->domain, &point, results) == POINT_INSIDE;
}

/* Whether the point is one that the question is about. */
static bool is_asked_for(
    const UnderTrial *trial, UnderQuestion question, Interval in, const int64_t *values) {
  int64_t results[most_results];
  Point point = under_point_at(trial->other, values);
  if (!is_inside_domain(trial, values)) return false;
  if (question == ASKS_ANY) return true;
  assert_int_equal(map_evaluate(trial->context, trial->other, &point, results), POINT_INSIDE);
  if (question == ASKS_DIFFER) return results[0] != results[1];
  return results[0] < in.lo || results[0] > in.hi;
}

static bool any_is_asked_for(const UnderTrial *trial, UnderQuestion question, Interval in) {
  int64_t values[most_variables + 1] = {};
  for (bool more = map_points_begin(trial->domain, values); more;
      more = map_points_next(trial->domain, values))
    if (is_asked_for(trial, question, in, values)) return true;
  return false;
}

static void fail_at(
    const UnderTrial *trial, UnderQuestion question, Interval in, const char *what) {
  Text text = text_create(trial->context->arena);
  map_print(&text, trial->context, trial->domain, MAP_STYLE_LINE);
  text_string(&text, "\n");
  map_print(&text, trial->context, trial->other, MAP_STYLE_LINE);
  fail_msg("question %d, [%lld, %lld]: %s\n%s", question, (long long)in.lo, (long long)in.hi, what,
      text.bytes);
}

static void check_point(
    const UnderTrial *trial, UnderQuestion question, Interval in, const Wide *named) {
  int64_t values[most_variables + 1] = {};
  if (named == nullptr) {
    fail_at(trial, question, in, "no point");
    return;
  }
  for (uint32_t i = 0; i < map_variable_count(trial->domain); i++) values[i] = (int64_t)named[i];
  if (!is_asked_for(trial, question, in, values)) fail_at(trial, question, in, "a wrong point");
}

static void check_answer(
    UnderTrial *trial, UnderQuestion question, Interval in, VerdictStatus status) {
  bool has_point = any_is_asked_for(trial, question, in);
  trial->answers[status]++;
  if (status == VERDICT_UNKNOWN) return;
  if ((status == VERDICT_REFUTED) != has_point)
    fail_at(trial, question, in, has_point ? "there is a point" : "there is none");
  if (status == VERDICT_PROVED) return;
  check_point(trial, question, in, under_point(&trial->under));
  check_point(trial, question, in, under_small_point(&trial->under));
}

static void ask_under(UnderTrial *trial, Error *error) {
  EncodedMap encoded;
  Verdict verdict = verdict_begin(trial->context->arena);
  if (!under_open(trial->smt, trial->domain, trial->domain, &trial->under, error))
    fail_msg("%s", error->message);
  const Wide *sampled = under_sampled_point(&trial->under);
  if (sampled != nullptr) check_point(trial, ASKS_ANY, (Interval){}, sampled);
  check_answer(trial, ASKS_ANY, (Interval){}, under_any(&trial->under, true));
  bool has_sums = !trial->under.impossible &&
                  under_encode(&trial->under, trial->other, &encoded, error) &&
                  !trial->under.sums->overflow;
  if (has_sums) {
    int64_t lo = random_between(&trial->random, -9, 9);
    Interval in = {lo, lo + random_between(&trial->random, 0, 12)};
    check_answer(trial, ASKS_BREAKS, in,
        under_breaks(&trial->under, (Within){encoded.results[0], in.lo, in.hi}));
    check_answer(trial, ASKS_DIFFER, in,
        under_differ(&trial->under, encoded.results[0], encoded.results[1]));
  }
  under_close(&trial->under, &verdict);
}

static void questions_are_answered_for_all_points(void **) {
  UnderTrial trial = {.context = map_context_create()};
  trial.smt = smt_create(trial.context, &(SmtOptions){.rlimit = 200'000});
  const uint32_t rounds = test_length(400, 400, 200);
  for (uint32_t i = 0; i < rounds;) {
    MapMark mark = map_context_mark(trial.context);
    uint64_t points;
    Error error = {};
    trial.random = (RandomMaps){.state = trial.random.state + 1,
        .max_variables = most_variables,
        .max_depth = 3,
        .max_results = 1,
        .max_constraints = 3,
        .max_coefficient = i % 2 == 0 ? 5 : 60,
        .max_bound = 7};
    trial.domain = random_map(trial.context, &trial.random);
    trial.other = draw_other(&trial);
    if (trial.other != nullptr && map_points_count(trial.domain, 400, &points)) {
      ask_under(&trial, &error);
      i++;
    }
    map_context_rewind(trial.context, mark);
  }
  print_message("%u proved, %u refuted, %u unknown\n", trial.answers[VERDICT_PROVED],
      trial.answers[VERDICT_REFUTED], trial.answers[VERDICT_UNKNOWN]);
  assert_true(trial.answers[VERDICT_PROVED] > rounds / 4 &&
              trial.answers[VERDICT_REFUTED] > rounds / 4 && trial.answers[VERDICT_UNKNOWN] == 0);
  smt_destroy(trial.smt);
  map_context_destroy(trial.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(questions_are_answered_for_all_points)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
