/* The soundness of simplifying: compares random maps (up to 5 variables, depth 6, negative bounds,
 * constraints, coefficients up to 2^40, min and max) with their simplified forms. A box is small if
 * it has at most 2^16 points. With --small only maps of small boxes are tried, and the oracle
 * enumerates them; without it only maps of large boxes, and smt proves them. Prints each map that
 * is not proved, that became larger, or that simplifying again changes, and counts all verdicts.
 * The exit status is 1 if a map is refuted, larger or changed again, 2 if one is not decided.
 * bench_soundness [--count N] [--seed S] [--rlimit N] [--small]: N maps (2,000). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/map/test/random_map.h"
#include "core/map/text.h"
#include "core/simplify/normal/size.h"
#include "judge/maps/judge.h"

static constexpr uint64_t max_points = UINT64_C(1) << 16;

typedef struct Size {
  uint32_t variables, depth, constraints;
  int64_t coefficient, bound;
} Size;

static constexpr int64_t big = INT64_C(1) << 40;
static const Size sizes[] = {
    {5, 6, 3, 16, 60},
    {3, 4, 2, 64, 5000},
    {5, 6, 3, big, 1000},
    {2, 6, 3, 1000, 1 << 20},
    {4, 5, 5, 4096, 4096},
    {5, 6, 2, 1 << 20, 1 << 16},
    {3, 6, 1, big, 1 << 22},
    {5, 4, 5, 24, 100},
};

typedef struct SoundnessRun {
  Judge *judge;
  JudgeOptions options;
  bool small;
  uint64_t maps, changed, rejected, proved, refuted, unknown, failed, larger, longer, repeated;
  double slowest, spent;
} SoundnessRun;

static bool soundness_widen(uint64_t *points, uint32_t count, const Variable *variables) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t width = (uint64_t)variables[i].bounds.hi - (uint64_t)variables[i].bounds.lo + 1;
    if (width > max_points || *points * width > max_points) return false;
    *points *= width;
  }
  return true;
}

static bool is_small(const Map *map) {
  uint64_t points = 1;
  return soundness_widen(&points, map->dim_count, map->dims) &&
         soundness_widen(&points, map->range_count, map->ranges) &&
         soundness_widen(&points, map->runtime_count, map->runtimes);
}

static void print_case(SoundnessRun *run, uint64_t seed, const Map *raw, const Map *simplified,
    const char *what, const char *why) {
  Text text = text_create(run->judge->context->arena);
  text_printf(&text, "%s: seed %llu: %s\n  raw        ", what, (unsigned long long)seed, why);
  map_print(&text, run->judge->context, raw, MAP_STYLE_LINE);
  text_string(&text, "\n  simplified ");
  map_print(&text, run->judge->context, simplified, MAP_STYLE_LINE);
  puts(text.bytes);
}

static void soundness_judge(
    SoundnessRun *run, bool of_oracle, uint64_t seed, const Map *raw, const Map *simplified) {
  Verdict verdict;
  Error error = {};
  bool answered =
      of_oracle ? oracle_same_map(run->judge->oracle, raw, simplified, max_points, &verdict, &error)
                : smt_same_map(run->judge->smt, raw, simplified, &verdict, &error);
  if (!answered) {
    run->failed++;
    print_case(run, seed, raw, simplified, "not asked", error.message);
    return;
  }
  run->proved += verdict.status == VERDICT_PROVED;
  run->refuted += verdict.status == VERDICT_REFUTED;
  run->unknown += verdict.status == VERDICT_UNKNOWN;
  if (verdict.status != VERDICT_PROVED)
    print_case(run, seed, raw, simplified,
        verdict.status == VERDICT_UNKNOWN ? "unknown" : "refuted", verdict_text(&verdict));
}

static char *soundness_print(SoundnessRun *run, const Map *map) {
  Text text = text_create(run->judge->context->arena);
  map_print(&text, run->judge->context, map, MAP_STYLE_LINE);
  return text.bytes;
}

static void compare_sizes(SoundnessRun *run, uint64_t seed, const Map *raw, const Map *simplified) {
  const char *before = soundness_print(run, raw), *after = soundness_print(run, simplified);
  run->longer += strlen(after) > strlen(before);
  if (size_of_text(after) <= size_of_text(before)) return;
  run->larger++;
  print_case(run, seed, raw, simplified, "larger", "more names, numbers and operators");
}

static void simplify_again(
    SoundnessRun *run, uint64_t seed, const Map *raw, const Map *simplified) {
  const Map *again;
  Error error = {};
  if (simplify_map(run->judge->simplifier, simplified, nullptr, &again, nullptr, &error) &&
      map_identical(run->judge->context, simplified, again))
    return;
  run->repeated++;
  print_case(run, seed, raw, simplified, "not canonical", "simplifying again changes it");
}

static void soundness_check(SoundnessRun *run, uint64_t seed, const Map *raw) {
  const Map *simplified;
  Error error = {};
  run->maps++;
  if (!simplify_map(run->judge->simplifier, raw, nullptr, &simplified, nullptr, &error)) {
    run->rejected++;
    return;
  }
  run->changed += !map_identical(run->judge->context, raw, simplified);
  compare_sizes(run, seed, raw, simplified);
  simplify_again(run, seed, raw, simplified);
  double start = clock_processor();
  soundness_judge(run, run->small, seed, raw, simplified);
  double spent = clock_processor() - start;
  run->spent += spent;
  if (spent > run->slowest) run->slowest = spent;
}

/* Generates one map, and checks it if its box has the wanted size. */
static void soundness_draw(SoundnessRun *run, uint64_t seed) {
  MapContext *context = run->judge->context;
  const Size *size = &sizes[seed % (sizeof sizes / sizeof *sizes)];
  MapMark mark = map_context_mark(context);
  RandomMaps random = {.state = seed,
      .max_variables = size->variables,
      .max_depth = size->depth,
      .max_results = 2,
      .max_constraints = size->constraints,
      .max_coefficient = size->coefficient,
      .max_bound = size->bound};
  const Map *map = random_map(context, &random);
  if (is_small(map) == run->small) soundness_check(run, seed, map);
  map_context_rewind(context, mark);
}

static int soundness_report(const SoundnessRun *run) {
  printf(
      "%llu maps of %s boxes, %llu changed: %llu proved, %llu refuted, %llu unknown, %llu not asked; %llu rejected by the engine\n",
      (unsigned long long)run->maps, run->small ? "small" : "large",
      (unsigned long long)run->changed, (unsigned long long)run->proved,
      (unsigned long long)run->refuted, (unsigned long long)run->unknown,
      (unsigned long long)run->failed, (unsigned long long)run->rejected);
  printf("unknown %.4f %%; %.1f s of one core, slowest %.2f s\n",
      100.0 * (double)(run->unknown + run->failed) / (double)(run->maps + (run->maps == 0)),
      run->spent, run->slowest);
  printf("%llu larger, %llu of more characters; %llu changed by simplifying again\n",
      (unsigned long long)run->larger, (unsigned long long)run->longer,
      (unsigned long long)run->repeated);
  return run->refuted + run->larger + run->repeated != 0 ? 1
         : run->unknown + run->failed != 0               ? 2
                                                         : 0;
}

int main(int argc, char **argv) {
  SoundnessRun run = {};
  uint64_t count = 2000, seed = 1;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--small") == 0) run.small = true;
    else if (i + 1 < argc && strcmp(argv[i], "--count") == 0)
      count = strtoull(argv[++i], nullptr, 10);
    else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0)
      seed = strtoull(argv[++i], nullptr, 10);
    else if (i + 1 < argc && strcmp(argv[i], "--rlimit") == 0)
      run.options.smt.rlimit = strtoull(argv[++i], nullptr, 10);
    else
      return fprintf(
                 stderr, "usage: bench_soundness [--count N] [--seed S] [--rlimit N] [--small]\n"),
             3;
  }
  Error error = {};
  setvbuf(stdout, nullptr, _IOLBF, 0);
  run.judge = judge_create(&run.options, &error);
  if (run.judge == nullptr) return error_print(&error, stderr), 3;
  for (; run.maps < count; seed++) soundness_draw(&run, seed);
  judge_destroy(run.judge);
  return soundness_report(&run);
}
