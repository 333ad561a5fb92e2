/* Evaluates one map of nine operations in four ways on one core: by walking its tree, in columns,
 * by machine code from MLIR (compile time included), and by hand-written C. Each way visits its own
 * number of points. The sums of MLIR and C must be equal. Then prints the rates of the gate's
 * scopes. bench_exhaust SCOPE...: the rates of these scopes alone. */
#include <stdio.h>
#include <string.h>

#include "bench/exhaust_scopes.h"
#include "core/base/clock.h"
#include "core/base/freed_memory.h"
#include "core/map/evaluate.h"
#include "core/map/text.h"
#include "core/adapters/mlir/load.h"
#include "oracle/oracle.h"

static constexpr int64_t rows = 256, columns = 64;

static const Map *exhaust_read_map(MapContext *context, int64_t outer) {
  char text[256];
  int length = snprintf(text, sizeof text,
      "(d0, d1, d2) -> ((d0 * 6 + d1) floordiv 4 + (d2 * 3 + d1) mod 5 + min(d0, d2) * 7), domain: d0 in [0, %lld], d1 in [0, %lld], d2 in [0, %lld]",
      (long long)(outer - 1), (long long)(rows - 1), (long long)(columns - 1));
  Source source = {.name = "map", .text = text, .length = (size_t)length, .first_line = 1};
  const Map *map;
  Error error = {};
  if (map_parse(context, &source, &map, &error)) return map;
  error_print(&error, stderr);
  return nullptr;
}

static void exhaust_print(const char *way, double points, double time) {
  printf("%-14s %10.3g points %8.3f s %10.1f million a second\n", way, points, time,
      points / time * 1e-6);
}

static void exhaust_walk(MapContext *context, int64_t outer) {
  const Map *map = exhaust_read_map(context, outer);
  double start = clock_processor();
  int64_t sum = 0, result, dims[3];
  for (dims[0] = 0; dims[0] < outer; dims[0]++)
    for (dims[1] = 0; dims[1] < rows; dims[1]++)
      for (dims[2] = 0; dims[2] < columns; dims[2]++)
        if (map_evaluate(context, map, &(Point){.dims = dims}, &result) == POINT_INSIDE)
          sum += result;
  exhaust_print(sum != 0 ? "tree walk" : "nothing", (double)(outer * rows * columns),
      clock_processor() - start);
}

/* The oracle compares the map with itself, so each point counts twice. */
static void compare_columns(MapContext *context, int64_t outer) {
  const Map *map = exhaust_read_map(context, outer);
  Oracle *oracle = oracle_create(context, nullptr);
  Verdict verdict;
  Error error = {};
  double start = clock_processor();
  if (oracle_same_map(oracle, map, map, UINT64_C(1) << 40, &verdict, &error) &&
      verdict.status == VERDICT_PROVED)
    exhaust_print("columns", 2.0 * (double)verdict.work, clock_processor() - start);
  oracle_destroy(oracle);
}

static uint32_t by_hand(int64_t outer) {
  uint32_t sum = 0;
  for (int32_t a = 0; a < (int32_t)outer; a++)
    for (int32_t b = 0; b < (int32_t)rows; b++)
      for (int32_t c = 0; c < (int32_t)columns; c++)
        sum += (uint32_t)((a * 6 + b) / 4 + (c * 3 + b) % 5 + (a < c ? a : c) * 7);
  return sum;
}

static int compile(MapContext *context, int64_t outer) {
  const MlirLibrary *mlir;
  CountRun run;
  Error error = {};
  double start = clock_processor();
  if (!mlir_library(&mlir, &error) ||
      !mlir->mlir_count(context, exhaust_read_map(context, outer), nullptr, &run, &error)) {
    error_print(&error, stderr);
    return 3;
  }
  exhaust_print("MLIR", (double)run.run.points, clock_processor() - start);
  start = clock_processor();
  uint32_t sum = by_hand(outer);
  exhaust_print("C by hand", (double)(outer * rows * columns), clock_processor() - start);
  if (sum == run.checksum) return 0;
  printf("the sums differ: %u and %u\n", run.checksum, sum);
  return 1;
}

static int exhaust_evaluators(void) {
  MapContext *context = map_context_create();
  exhaust_walk(context, 256);
  compare_columns(context, 4096);
  int status = compile(context, 1 << 17);
  map_context_destroy(context);
  return status;
}

int main(int argc, char **argv) {
  freed_memory_keep();
  int status = argc == 1 ? exhaust_evaluators() : 0, rates = bench_scopes(argc - 1, argv + 1);
  return status != 0 ? status : rates;
}
