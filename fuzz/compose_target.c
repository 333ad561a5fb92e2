/* Bytes are two maps. Their composition must be, point by point, what evaluating the consumer and then the producer gives; and simplified it is
 * the same map. The consumer's results are repeated or cut to the producer's rank. */
#include "core/map/compose.h"
#include "core/map/evaluate.h"
#include "fuzz/decode_map.h"
#include "fuzz/harness.h"
#include "fuzz/target.h"

#include <string.h>

static constexpr uint32_t most_points = 2048;

static const Map *with_results(Harness *harness, const Map *map, uint32_t count) {
  Map *copy = ARENA_NEW(harness->context->arena, Map, 1);
  *copy = *map;
  copy->results = ARENA_NEW(harness->context->arena, Expr, count);
  for (uint32_t i = 0; i < count; i++)
    copy->results[i] = map->result_count > 0 ? map->results[i % map->result_count] : expr_const(harness->context->pool, i);
  copy->result_count = count;
  return copy;
}

/* The next point of the box, the first when there is none; false at the end. Values: dims, ranges, runtimes. */
static bool step(const Map *map, int64_t *dims, int64_t *ranges, int64_t *runtimes) {
  for (uint32_t i = 0; i < map->dim_count; i++, dims[i - 1] = map->dims[i - 1].bounds.lo)
    if (++dims[i] <= map->dims[i].bounds.hi) return true;
  for (uint32_t i = 0; i < map->range_count; i++, ranges[i - 1] = map->ranges[i - 1].bounds.lo)
    if (++ranges[i] <= map->ranges[i].bounds.hi) return true;
  for (uint32_t i = 0; i < map->runtime_count; i++, runtimes[i - 1] = map->runtimes[i - 1].bounds.lo)
    if (++runtimes[i] <= map->runtimes[i].bounds.hi) return true;
  return false;
}

static void compare(Harness *harness, const Map *first, const Map *second, const Map *both, const char *body) {
  int64_t dims[8], ranges[8], runtimes[8], between[8], wanted[8], got[8];
  for (uint32_t i = 0; i < both->dim_count; i++) dims[i] = both->dims[i].bounds.lo;
  for (uint32_t i = 0; i < both->range_count; i++) ranges[i] = both->ranges[i].bounds.lo;
  for (uint32_t i = 0; i < both->runtime_count; i++) runtimes[i] = both->runtimes[i].bounds.lo;
  uint32_t count = 0;
  do {
    PointState state = map_evaluate(harness->context, first, &(Point){dims, ranges, runtimes}, between);
    if (state == POINT_INSIDE) state = map_evaluate(harness->context, second, &(Point){between, ranges + first->range_count, runtimes + first->runtime_count}, wanted);
    PointState came = map_evaluate(harness->context, both, &(Point){dims, ranges, runtimes}, got);
    if (came != state || (came == POINT_INSIDE && memcmp(wanted, got, both->result_count * sizeof *got) != 0))
      harness_fail("compose", body, "point %u: differs from one after the other in %s", count, harness_map_text(harness, both));
  } while (++count < most_points && step(both, dims, ranges, runtimes));
  harness->answers[count < most_points ? ORACLE_EXACT : ORACLE_TOO_LARGE]++;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  const Map *second = fuzz_decode_map(harness->context, bytes, size / 2), *both;
  const Map *first = with_results(harness, fuzz_decode_map(harness->context, bytes + size / 2, size - size / 2), second->dim_count);
  const char *body = arena_printf(harness->arena, "compose %s ; %s", harness_map_text(harness, first), harness_map_text(harness, second));
  Error error = {};
  if (map_compose(harness->context, first, second, &both, &error)) compare(harness, first, second, both, body);
  else if (error.kind != ERROR_OVERFLOW && error.kind != ERROR_LIMIT) harness_fail("refused", body, "%s", error.message);
  else harness->refused++;
  return 0;
}
