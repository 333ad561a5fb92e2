/* Evaluates every point of a map's box, compiled if there are many points: a judge of the number of
 * points and of bijections onto a box. */
#include <stdlib.h>

#include "core/base/budget.h"
#include "judge/algebra/algebra.h"
#include "oracle/evaluate/evaluate_map.h"
#include "oracle/evaluate/wide.h"

static constexpr int64_t most_evaluated = INT64_C(1) << 33;

static bool evaluates(Judge *judge, const Map *map, MapCount *count, Verdict *verdict) {
  Error error = {};
  Wide box = 1;
  bool is_empty = false;
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    Interval bounds = map_variable(map, i)->bounds;
    if (bounds.lo > bounds.hi) is_empty = true;
    else if (box <= most_evaluated) box *= (Wide)bounds.hi - bounds.lo + 1;
  }
  if (is_empty) box = 0;
  if (box > most_evaluated)
    verdict_decide(verdict, REASON_TOO_LARGE, "too many points to evaluate");
  else if (evaluate_count(judge->context, map, nullptr, count, &error)) return true;
  else verdict_decide(verdict, REASON_OPEN, "%s", error.message);
  return false;
}

static void decide_count(Judge *judge, const Obligation *obligation, Verdict *verdict) {
  const Map *map = obligation->query->maps[0];
  MapCount count = {};
  if (map->state == MAP_PLAIN && !evaluates(judge, map, &count, verdict)) return;
  uint64_t stated = strtoull(obligation->answer->text, nullptr, 10);
  verdict_decide(verdict, stated == count.inside ? REASON_EXACT : REASON_DIFFERENT,
      "%llu of %s are inside, evaluated %s", (unsigned long long)count.inside,
      counted(count.points, "point"), evaluate_way_text(count.way));
}

static void decide_bijective(Judge *judge, const Obligation *obligation, Verdict *verdict) {
  const Map *map = obligation->query->maps[0];
  bool stated = obligation->answer->kind == ALGEBRA_IS_TRUE;
  MapImage image = {};
  MapCount count;
  Error error = {};
  if (map->state != MAP_PLAIN) verdict_decide(verdict, REASON_OPEN, "there is nothing to evaluate");
  if (map->state != MAP_PLAIN || !evaluates(judge, map, &count, verdict)) return;
  if (!evaluate_image(
          judge->context, map, obligation->query->numbers.items, nullptr, &image, &error)) {
    verdict_decide(verdict, REASON_OPEN, "%s", error.message);
    return;
  }
  verdict_decide(verdict,
      stated == (image.is_one_to_one && image.is_onto) ? REASON_EXACT : REASON_DIFFERENT,
      "%s, %s, evaluated %s at %s",
      image.outside > 0    ? "points outside"
      : image.repeated > 0 ? "not one-to-one"
                           : "one-to-one",
      image.is_onto ? "onto" : "not onto", evaluate_way_text(image.way),
      counted(image.points, "point"));
}

void judge_by_evaluation(Judge *judge, const Obligation *obligation, Verdict *verdict) {
  bool began = budget_begin(judge->seconds, judge->stop);
  (obligation->kind == OBLIGATION_COUNT ? decide_count : decide_bijective)(
      judge, obligation, verdict);
  budget_end(began);
}
