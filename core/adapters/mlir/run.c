/* Runs kernels slab by slab. A difference ends the run after its slab. Slabs follow the order of
 * points, so the first difference of the first such slab is the first of all. */
#include "core/adapters/mlir/run.h"

#include <assert.h>

#include "core/base/checked.h"
#include "core/adapters/mlir/box.h"
#include "core/adapters/mlir/compile.h"
#include "core/adapters/mlir/kernel.h"
#include "core/base/clock.h"

static constexpr uint64_t slab_points = UINT64_C(1) << 26;
static constexpr uint64_t largest_image = UINT64_C(1) << 40;

typedef struct KernelRun {
  const Kernel *kernel;
  const RunControl *control;
  RunReport *report;
  Compiled compiled;
  void **arguments; /* of the kernel, after begin and end; the results come last */
  uint32_t argument_count;
  int64_t results[3];
  int64_t sums[3];
} KernelRun;

static void call_kernel(KernelRun *run, int64_t begin, int64_t end) {
  void *arguments[8] = {&begin, &end};
  assert(run->argument_count + 3 <= 8);
  for (uint32_t i = 0; i < run->argument_count; i++) arguments[2 + i] = run->arguments[i];
  arguments[2 + run->argument_count] = run->results;
  run->compiled.entry(arguments);
}

static uint64_t slab_steps(const Kernel *kernel) {
  assert(kernel->points_a_step > 0 && kernel->least_slab > 0);
  uint64_t steps = slab_points / kernel->points_a_step;
  return steps < kernel->least_slab ? kernel->least_slab : steps;
}

static bool may_go_on(const KernelRun *run) {
  const RunControl *control = run->control;
  return control == nullptr ||
         control->go_on(control->user, run->report->points, run->kernel->points);
}

/* `found` checks the results of a slab; true ends the run. */
static void run_slabs(KernelRun *run, bool (*found)(KernelRun *run)) {
  Interval all = run->kernel->slabs.bounds;
  uint64_t steps = slab_steps(run->kernel), left = interval_length(all);
  int64_t begin = all.lo;
  assert(left > 0 && left * run->kernel->points_a_step == run->kernel->points);
  for (bool ended = false; left > 0 && !ended;) {
    uint64_t now = steps < left ? steps : left;
    int64_t end = (int64_t)((uint64_t)begin + now);
    call_kernel(run, begin, end);
    begin = end;
    left -= now;
    run->report->points += now * run->kernel->points_a_step;
    run->report->inside += (uint64_t)run->results[0];
    ended = found(run);
    if (!ended && left > 0) ended = run->report->stopped = !may_go_on(run);
  }
}

static bool run_kernel(KernelRun *run, bool (*found)(KernelRun *run), Error *error) {
  if (run->kernel->points == 0) return true;
  double start = clock_wall();
  if (!compile(&run->kernel->text, "kernel", run->kernel->width, COMPILE_FOR_SPEED, &run->compiled,
          error))
    return false;
  double compiled = clock_wall();
  run_slabs(run, found);
  run->report->width = run->kernel->width;
  run->report->compile_seconds = compiled - start;
  run->report->run_seconds = clock_wall() - compiled;
  compiled_destroy(&run->compiled);
  return true;
}

static bool found_difference(KernelRun *run) { return run->results[1] != INT64_MAX; }

static bool add_sums(KernelRun *run) {
  for (uint32_t k = 1; k < 3; k++)
    run->sums[k] = (int64_t)((uint64_t)run->sums[k] + (uint64_t)run->results[k]);
  return false;
}

static int64_t *point_at(MapContext *context, const Map *box, uint64_t linear) {
  uint32_t count = map_variable_count(box);
  assert(count > 0);
  int64_t *point = ARENA_NEW(context->arena, int64_t, count);
  for (uint32_t i = count; i-- > 0;) {
    Interval bounds = nest_variable(box, i).bounds;
    uint64_t length = interval_length(bounds);
    point[i] = (int64_t)((uint64_t)bounds.lo + linear % length);
    linear /= length;
    assert(point[i] >= bounds.lo && point[i] <= bounds.hi);
  }
  assert(linear == 0);
  return point;
}

bool mlir_same_map(MapContext *context, const Map *before, const Map *after,
    const RunControl *control, SameMapRun *report, Error *error) {
  *report = (SameMapRun){};
  Arena *scratch = arena_create();
  Kernel kernel;
  KernelRun run = {.kernel = &kernel, .control = control, .report = &report->run};
  bool done = kernel_same_map(context, scratch, before, after, &kernel, error) &&
              run_kernel(&run, found_difference, error);
  if (done && kernel.points > 0 && found_difference(&run)) {
    report->differs = true;
    report->first = point_at(context, kernel.box, (uint64_t)run.results[1]);
  }
  arena_destroy(scratch);
  return done;
}

bool mlir_count(MapContext *context, const Map *map, const RunControl *control, CountRun *report,
    Error *error) {
  *report = (CountRun){};
  Arena *scratch = arena_create();
  Kernel kernel;
  KernelRun run = {.kernel = &kernel, .control = control, .report = &report->run};
  bool done =
      kernel_count(context, scratch, map, &kernel, error) && run_kernel(&run, add_sums, error);
  report->checksum = (uint32_t)(uint64_t)run.sums[1];
  arena_destroy(scratch);
  return done;
}

static bool image_bits(const Map *map, const int64_t *sizes, uint64_t *bits, Error *error) {
  *bits = 1;
  for (uint32_t i = 0; i < map->result_count; i++) {
    if (sizes[i] < 0 || ckd_mul(bits, *bits, (uint64_t)sizes[i]) || *bits > largest_image)
      return error_set(
          error, ERROR_LIMIT, "the sizes of an image are negative or have more than 2^40 elements");
  }
  return true;
}

bool mlir_image(MapContext *context, const Map *map, const int64_t *sizes, uint64_t *words,
    const RunControl *control, ImageRun *report, Error *error) {
  *report = (ImageRun){};
  uint64_t bits;
  if (!image_bits(map, sizes, &bits, error)) return false;
  int64_t offset = 0, length = (int64_t)((bits + 63) / 64), stride = 1;
  Arena *scratch = arena_create();
  Kernel kernel;
  KernelRun run = {.kernel = &kernel,
      .control = control,
      .report = &report->run,
      .arguments = (void *[]){&words, &words, &offset, &length, &stride},
      .argument_count = 5};
  bool done = kernel_image(context, scratch, map, sizes, &kernel, error) &&
              run_kernel(&run, add_sums, error);
  report->outside = (uint64_t)run.sums[1];
  report->repeated = (uint64_t)run.sums[2];
  arena_destroy(scratch);
  return done;
}
