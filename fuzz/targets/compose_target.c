/* The bytes encode two maps, a consumer and a producer. At every point the composition must equal
 * the consumer followed by the producer. Simplified, it must be the same map. The algebra's results
 * about the consumer and the composition must agree with their points. A composition with too many
 * points is compared in part and counted as too large. */
#include "core/map/compose.h"
#include "core/map/evaluate.h"
#include "generate/decode_map.h"
#include "fuzz/harness/harness_algebra.h"
#include "fuzz/harness/harness_map.h"
#include "fuzz/harness/harness_points.h"
#include "fuzz/targets/target.h"

#include <string.h>

static constexpr uint32_t most_points = 2048;

static PointState one_after_the_other(
    Harness *harness, const FuzzPair *pair, HarnessPoint *at, int64_t *results) {
  int64_t between[16];
  PointState state = map_evaluate(
      harness->context, pair->first, &(Point){at->dims, at->ranges, at->runtimes}, between);
  if (state != POINT_INSIDE) return state;
  return map_evaluate(harness->context, pair->second,
      &(Point){between, at->ranges + pair->first->range_count,
          at->runtimes + pair->first->runtime_count},
      results);
}

static void compose_target_compare(
    Harness *harness, const FuzzPair *pair, const Map *both, const char *body) {
  HarnessPoint at = harness_first_point(both);
  uint32_t count = 0;
  do {
    int64_t wanted[16], got[16];
    PointState state = one_after_the_other(harness, pair, &at, wanted),
               composed = map_evaluate(
                   harness->context, both, &(Point){at.dims, at.ranges, at.runtimes}, got);
    if (composed != state ||
        (composed == POINT_INSIDE && memcmp(wanted, got, both->result_count * sizeof *got) != 0))
      harness_fail(FOUND_COMPOSE, body, "point %u: differs from one after the other in %s", count,
          harness_map_text(harness, both));
  } while (++count < most_points && harness_next_point(both, &at));
  harness->answers[count < most_points ? REASON_EXACT : REASON_TOO_LARGE]++;
}

/* A fault in simplifying is reported as a finding of the composed map alone. */
static void check_simplified(Harness *harness, const Map *both) {
  const char *body = arena_printf(harness->arena, "simplify %s", harness_map_text(harness, both));
  const Map *result = harness_simplified(harness, both, body);
  if (result != nullptr) harness_require_same(harness, both, result, body);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  FuzzPair pair = fuzz_decode_pair(harness->context, bytes, size);
  const char *body = arena_printf(harness->arena, "compose %s ; %s",
      harness_map_text(harness, pair.first), harness_map_text(harness, pair.second));
  const Map *both;
  Error error = {};
  if (map_compose(harness->context, pair.first, pair.second, &both, &error)) {
    compose_target_compare(harness, &pair, both, body);
    check_simplified(harness, both);
    harness_check_algebra(harness, pair.first);
    harness_check_algebra(harness, both);
  } else if (error.kind == ERROR_OVERFLOW || error.kind == ERROR_LIMIT) {
    harness->rejected++;
  } else {
    harness_fail(FOUND_REJECTED, body, "%s", error.message);
  }
  return 0;
}
