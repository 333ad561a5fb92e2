/* Points a second, side by side, of one expression of 9 operations over 2^30 points or the
 * requested number: tree walk (over a part), hand-written C in 64 and in 32 bits, and MLIR with its
 * compile time. All must compute the same checksum.
 *   affirm_mlir_rate [STEPS OF d0, default 1048576] */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/checked.h"
#include "core/base/clock.h"
#include "core/map/evaluate.h"
#include "core/adapters/mlir/load.h"
#include "core/adapters/mlir/walk.h"
#include "core/map/points.h"

static void rate_main_say(const char *what, uint64_t points, double time, uint32_t checksum) {
  printf("%-28s %12llu points %9.1f ms %8.0f million points a second, checksum %u\n", what,
      (unsigned long long)points, 1e3 * time, (double)points / time / 1e6, checksum);
}

static uint32_t by_hand_64(int64_t steps) {
  int64_t sum = 0;
  for (int64_t i = 0; i < steps; i++)
    for (int64_t j = 0; j < 1024; j++)
      sum += mod64(floordiv64(i * 1024 + j, 7), 96) * 5 + mod64(i + j * 3, 100);
  return (uint32_t)sum;
}

static uint32_t by_hand_32(int32_t steps) {
  int64_t sum = 0;
  for (int32_t i = 0; i < steps; i++)
    for (int32_t j = 0; j < 1024; j++) {
      int32_t x = i * 1024 + j, q = x / 7 - (x % 7 < 0), a = q % 96, b = (i + j * 3) % 100;
      sum += (a < 0 ? a + 96 : a) * 5 + (b < 0 ? b + 100 : b);
    }
  return (uint32_t)sum;
}

static void walk_part(const MapContext *context, const Map *map) {
  int64_t values[2], result;
  uint32_t sum = 0;
  uint64_t points = 0;
  double start = clock_wall();
  for (bool more = map_points_begin(map, values); more && points < 1 << 22;
      more = map_points_next(map, values), points++) {
    Point point = map_point(map, values);
    if (map_evaluate(context, map, &point, &result) == POINT_INSIDE) sum += (uint32_t)result;
  }
  rate_main_say("tree walk (a part)", points, clock_wall() - start, sum);
}

static int rate_main_compare(MapContext *context, const Map *map, int64_t steps) {
  Error error = {};
  const MlirLibrary *mlir;
  CountRun count;
  uint64_t points = (uint64_t)steps * 1024;
  double start = clock_wall();
  uint32_t expected = by_hand_64(steps), narrow;
  rate_main_say("hand-written C, 64 bits", points, clock_wall() - start, expected);
  start = clock_wall();
  narrow = by_hand_32((int32_t)steps);
  rate_main_say("hand-written C, 32 bits", points, clock_wall() - start, narrow);
  start = clock_wall();
  bool done = mlir_library(&mlir, &error);
  double opened = clock_wall();
  if (!done || !mlir->mlir_count(context, map, nullptr, &count, &error)) {
    error_print(&error, stderr);
    return 3;
  }
  rate_main_say("MLIR, compile time included", points, clock_wall() - opened, count.checksum);
  printf("opening %.1f ms, compiling %.1f ms, running %.1f ms at %u bits\n", 1e3 * (opened - start),
      1e3 * count.run.compile_seconds, 1e3 * count.run.run_seconds, count.run.width);
  return expected == narrow && expected == count.checksum ? 0 : 1;
}

int main(int argument_count, char **arguments) {
  int64_t steps = argument_count > 1 ? strtoll(arguments[1], nullptr, 10) : 1048576;
  if (steps < 1 || steps > 2097151) {
    fprintf(stderr, "affirm_mlir_rate: steps from 1 to 2097151\n");
    return 3;
  }
  char text[256];
  snprintf(text, sizeof text,
      "(d0, d1) -> (((d0 * 1024 + d1) floordiv 7 mod 96) * 5 + (d0 + d1 * 3) mod 100), domain: d0 in [0, %lld], d1 in [0, 1023]",
      (long long)steps - 1);
  MapContext *context = map_context_create();
  const Map *map = walk_parse(context, text);
  walk_part(context, map);
  int status = rate_main_compare(context, map, steps);
  map_context_destroy(context);
  return status;
}
