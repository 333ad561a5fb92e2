/* Measures the cost of simplifying: medians of batches on one core, in a warm context. Compares it
 * with isl on the comparable job, and with the floor: the time to walk the expressions and rebuild
 * them. A batch rewinds the context after each map, so that nothing is remembered.
 * bench_simplify [DIRECTORY OF HLO MODULES] */
#include "core/simplify/simplify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/simplify_isl.h"
#include "bench/simplify_maps.h"
#include "core/base/clock.h"
#include "core/map/text.h"

typedef struct SimplifyBench {
  MapContext *context;
  Simplifier *simplifier;
  const Map *map;
  IslJob *isl;
} SimplifyBench;

typedef void (*BenchJob)(SimplifyBench *bench);

static int by_size(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double time_of_batch(SimplifyBench *bench, BenchJob job, uint32_t repeats) {
  double start = 1e9 * clock_wall();
  for (uint32_t i = 0; i < repeats; i++) job(bench);
  return (1e9 * clock_wall() - start) / repeats;
}

/* The median of up to 101 batches, each 20 microseconds or longer, within a quarter of a second. */
static double median_of(SimplifyBench *bench, BenchJob job) {
  double times[101], first = time_of_batch(bench, job, 1);
  uint32_t repeats = first > 20000 ? 1 : (uint32_t)(20000 / (first + 1)) + 1, count = 0;
  for (double start = 1e9 * clock_wall();
      count < 101 && (count < 3 || 1e9 * clock_wall() - start < 2.5e8);)
    times[count++] = time_of_batch(bench, job, repeats);
  qsort(times, count, sizeof *times, by_size);
  return times[count / 2];
}

static bool is_rejected(SimplifyBench *bench) {
  MapMark mark = map_context_mark(bench->context);
  const Map *result;
  Error error = {};
  bool done = simplify_map(bench->simplifier, bench->map, nullptr, &result, nullptr, &error);
  map_context_rewind(bench->context, mark);
  return !done;
}

static void run_ours(SimplifyBench *bench) { (void)is_rejected(bench); }

static void run_isl(SimplifyBench *bench) { isl_job_run(bench->isl); }

/* ---- the floor ---- */

typedef struct SimplifyRebuild {
  ExprPool *pool;
  uint32_t *seen; /* by handle: the copy, 0 before it is built */
} SimplifyRebuild;

static Expr simplify_rebuild(SimplifyRebuild *build, Expr expr) {
  if (build->seen[expr.at] != 0) return (Expr){build->seen[expr.at]};
  const ExprNode node = *expr_node(build->pool, expr);
  Expr copy = node.op == EXPR_CONST ? expr_const(build->pool, node.value)
              : node.op == EXPR_VAR
                  ? expr_var(build->pool, node.var_kind, node.var_index)
                  : expr_binary(build->pool, node.op, simplify_rebuild(build, node.left),
                        simplify_rebuild(build, node.right));
  build->seen[expr.at] = copy.at;
  return copy;
}

static void run_floor(SimplifyBench *bench) {
  const Map *map = bench->map;
  MapMark mark = map_context_mark(bench->context);
  SimplifyRebuild build = {.pool = bench->context->pool,
      .seen = ARENA_NEW(bench->context->arena, uint32_t, bench->context->pool->count)};
  Map *copy = map_create(bench->context, map->dim_count, map->range_count, map->runtime_count,
      map->result_count, map->constraint_count);
  for (uint32_t i = 0; i < map->dim_count; i++) copy->dims[i] = map->dims[i];
  for (uint32_t i = 0; i < map->result_count; i++)
    copy->results[i] = simplify_rebuild(&build, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    copy->constraints[i].expr = simplify_rebuild(&build, map->constraints[i].expr);
  map_context_rewind(bench->context, mark);
}

/* ---- tables ---- */

static const Map *simplify_parse(MapContext *context, const char *text) {
  Source source = {.name = "reference", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (map_parse(context, &source, &map, &error)) return map;
  error_print(&error, stderr);
  exit(1);
}

static void print_isl(SimplifyBench *bench) {
  bench->isl = isl_job_create(bench->context, bench->map);
  if (bench->isl == nullptr) printf("%12s", "-");
  else printf("%9.1f us", median_of(bench, run_isl) / 1000);
  isl_job_destroy(bench->isl);
  bench->isl = nullptr;
}

static void measure_reference(SimplifyBench *bench) {
  printf("(a) the reference's maps\n%-18s%11s%11s%12s%11s%11s\n", "map", "ours", "floor",
      "times floor", "isl", "XLA");
  for (uint32_t i = 0; i < reference_map_count; i++) {
    MapMark mark = map_context_mark(bench->context);
    bench->map = simplify_parse(bench->context, reference_maps[i].text);
    double ours = median_of(bench, run_ours), floor = median_of(bench, run_floor);
    printf("%-18s%8.2f us%8.2f us%12.1f", reference_maps[i].name, ours / 1000, floor / 1000,
        ours / floor);
    print_isl(bench);
    printf("%8.1f us\n", reference_maps[i].xla_nanoseconds / 1000);
    map_context_rewind(bench->context, mark);
  }
}

static size_t text_length(SimplifyBench *bench, const Map *map) {
  Text text = text_create(bench->context->arena);
  map_print(&text, bench->context, map, MAP_STYLE_LINE);
  return text.length;
}

typedef struct Lengths {
  uint32_t shorter, equal, longer, rejected;
} Lengths;

static void print_longer(SimplifyBench *bench, const Map *result) {
  Text text = text_create(bench->context->arena);
  text_string(&text, "larger ");
  map_print(&text, bench->context, bench->map, MAP_STYLE_LINE);
  text_string(&text, "\n    as ");
  map_print(&text, bench->context, result, MAP_STYLE_LINE);
  puts(text.bytes);
}

static void compare_lengths(SimplifyBench *bench, Lengths *lengths) {
  MapMark mark = map_context_mark(bench->context);
  const Map *result;
  Error error = {};
  if (simplify_map(bench->simplifier, bench->map, nullptr, &result, nullptr, &error)) {
    size_t before = text_length(bench, bench->map), after = text_length(bench, result);
    lengths->shorter += after < before;
    lengths->equal += after == before;
    lengths->longer += after > before;
    if (after > before) print_longer(bench, result);
  } else {
    lengths->rejected++;
  }
  map_context_rewind(bench->context, mark);
}

static double sum_and_median(double *times, uint32_t count, double *median) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += times[i];
  qsort(times, count, sizeof *times, by_size);
  *median = count == 0 ? 0 : times[count / 2];
  return sum;
}

static double quick(SimplifyBench *bench, BenchJob job) {
  double times[9];
  for (uint32_t i = 0; i < 9; i++) times[i] = time_of_batch(bench, job, 4);
  qsort(times, 9, sizeof *times, by_size);
  return times[4];
}

static void measure_fusions(SimplifyBench *bench, const char *directory) {
  static constexpr uint32_t limit = 4000;
  MapList list = {};
  fusion_maps(bench->context, directory, limit, &list);
  printf("\n(b) %u raw maps of fusions\n", list.count);
  if (list.count == 0) return;
  double *ours = calloc(list.count, sizeof *ours), *isl = calloc(list.count, sizeof *isl),
         *floor = calloc(list.count, sizeof *floor);
  if (ours == nullptr || isl == nullptr || floor == nullptr) arena_out_of_memory(list.count);
  uint32_t by_isl = 0;
  Lengths lengths = {};
  for (uint32_t i = 0; i < list.count; i++) {
    bench->map = list.items[i];
    ours[i] = quick(bench, run_ours);
    floor[i] = quick(bench, run_floor);
    compare_lengths(bench, &lengths);
    bench->isl = isl_job_create(bench->context, bench->map);
    if (bench->isl != nullptr) isl[by_isl++] = quick(bench, run_isl);
    isl_job_destroy(bench->isl);
  }
  double median, floor_median, sum = sum_and_median(ours, list.count, &median);
  printf("ours   median %8.2f us, 99 %% below %8.2f us, all %10.1f us\n", median / 1000,
      ours[list.count * 99 / 100] / 1000, sum / 1000);
  sum = sum_and_median(floor, list.count, &floor_median);
  printf("floor  median %8.2f us, all %10.1f us; ours is %.1f times the floor\n",
      floor_median / 1000, sum / 1000, median / (floor_median + 1e-9));
  sum = sum_and_median(isl, by_isl, &median);
  printf("isl    median %8.2f us, all %10.1f us (%u maps)\n", median / 1000, sum / 1000, by_isl);
  double all = list.count;
  printf("text   smaller %u (%.1f %%), equal %u (%.1f %%), larger %u (%.1f %%), rejected %u\n",
      lengths.shorter, 100 * lengths.shorter / all, lengths.equal, 100 * lengths.equal / all,
      lengths.longer, 100 * lengths.longer / all, lengths.rejected);
  free(ours);
  free(isl);
  free(floor);
}

static void measure_sums(SimplifyBench *bench) {
  printf("\n(c) sums, nanoseconds a summand\n%-18s%12s%12s%12s%12s%16s\n", "kind", "10", "100",
      "1000", "10000", "isl at 10");
  for (SumKind kind = SUM_LINEAR; kind < SUM_KINDS; kind++) {
    printf("%-18s", sum_kind_names[kind]);
    for (uint32_t nodes = 10; nodes <= 10000; nodes *= 10) {
      MapMark mark = map_context_mark(bench->context);
      bench->map = sum_map(bench->context, kind, nodes);
      if (is_rejected(bench)) printf("%12s", "refused");
      else printf("%12.0f", median_of(bench, run_ours) / nodes);
      map_context_rewind(bench->context, mark);
    }
    MapMark mark = map_context_mark(bench->context);
    bench->map = sum_map(bench->context, kind, 10);
    bench->isl = isl_job_create(bench->context, bench->map);
    if (bench->isl == nullptr) printf("%16s\n", "-");
    else printf("%16.0f\n", median_of(bench, run_isl) / 10);
    isl_job_destroy(bench->isl);
    map_context_rewind(bench->context, mark);
  }
}

int main(int argc, char **argv) {
  SimplifyBench bench = {.context = map_context_create()};
  Error error = {};
  bench.simplifier = simplifier_create(bench.context, nullptr, &error);
  if (bench.simplifier == nullptr) {
    error_print(&error, stderr);
    return 1;
  }
  measure_reference(&bench);
  measure_fusions(&bench, argc > 1 ? argv[1] : AFFIRM_DATA_DIR "/hlo");
  measure_sums(&bench);
  simplifier_destroy(bench.simplifier);
  map_context_destroy(bench.context);
  return 0;
}
