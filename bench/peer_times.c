/* Times of one engine, for a comparison in pairs. Prints nanoseconds, one line for each line of a
 * table of ../shared/data/peer_times. bench/peers builds this program with two engines, so it uses
 * only functions that the older one has.
 *   bench_peer_times repeated|once|first MAPS.tsv
 *   bench_peer_times o2i|i2o MODULES.tsv DIRECTORY
 * repeated: calls on fresh copies in one context, with expressions already interned. once: each map
 * once, one after another in one context. first: the first call in a fresh context, for at most 64
 * evenly spread lines; its time includes creating the context and parsing the map. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/file.h"
#if __has_include("core/hlo/read/read.h")
#include "core/hlo/read/read.h"
#else
#include "core/hlo/read.h"
#endif
#include "core/index/index.h"
#include "core/map/text.h"

static constexpr uint32_t batches = 15, most_lines = 1u << 14, most_repeats = 501;

typedef struct PeerTimesLines {
  Arena *arena;
  uint32_t count, capacity;
  const char **items; /* the first column */
} PeerTimesLines;

static double read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Wall clock in nanoseconds, for single calls: cheap to read. The median removes the time of other
 * processes. */
static double now(void) { return read_clock(CLOCK_MONOTONIC); }
/* Processor time of this thread in nanoseconds, for batches. */
static double spent(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

static int by_size(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double median(double *times, uint32_t count) {
  qsort(times, count, sizeof *times, by_size);
  return times[count / 2];
}

static double cost_of(double (*clock)(void)) {
  static constexpr uint32_t tries = 1001;
  static double times[tries];
  for (uint32_t i = 0; i < tries; i++) {
    double start = clock();
    times[i] = clock() - start;
  }
  return median(times, tries);
}

[[noreturn]] static void peer_stop(const char *what, const Error *error) {
  fprintf(stderr, "%s: %s\n", what, error->message);
  exit(1);
}

static void read_lines(PeerTimesLines *lines, const char *path) {
  Source source;
  Error error = {};
  if (!file_read(lines->arena, path, 1u << 26, &source, &error)) peer_stop(path, &error);
  for (const char *at = source.text, *end = at + source.length; at < end;) {
    size_t length = strcspn(at, "\n"), column = strcspn(at, "\t\n");
    if (*at != '#' && length > 0)
      *ARENA_PUSH(lines->arena, lines) = arena_text(lines->arena, at, column);
    at += length + 1;
  }
}

/* ---- maps ---- */

static const Map *peer_times_parse(MapContext *context, const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) peer_stop(text, &error);
  return map;
}

static Simplifier *simplifier_in(MapContext *context) {
  Error error = {};
  Simplifier *simplifier = simplifier_create(context, nullptr, &error);
  if (simplifier == nullptr) peer_stop("simplifier", &error);
  return simplifier;
}

/* An Error has several hundred bytes: zeroing one for each call takes longer than the smallest maps
 * do. One that is not set serves the next call too. */
static Error unset;

static void peer_times_simplify(Simplifier *simplifier, const Map *map) {
  const Map *result;
  if (!simplify_map(simplifier, map, nullptr, &result, nullptr, &unset))
    peer_stop("simplify", &unset);
}

static void time_repeated(const PeerTimesLines *lines) {
  static constexpr uint32_t copies = 64;
  double clock = cost_of(spent);
  MapContext *context = map_context_create();
  Simplifier *simplifier = simplifier_in(context);
  for (uint32_t line = 0; line < lines->count; line++) {
    MapMark mark = map_context_mark(context);
    const Map *given = peer_times_parse(context, lines->items[line]);
    double times[batches];
    Map *fresh = ARENA_NEW(context->arena, Map, copies);
    for (uint32_t i = 0; i < copies; i++) fresh[i] = *given;
    peer_times_simplify(simplifier, given);
    for (uint32_t batch = 0; batch < batches; batch++) {
      double start = spent();
      for (uint32_t i = 0; i < copies; i++) peer_times_simplify(simplifier, &fresh[i]);
      times[batch] = (spent() - start - clock) / copies;
    }
    double time = median(times, batches);
    printf("%.1f\n", time < 1 ? 1 : time);
    map_context_rewind(context, mark);
  }
  simplifier_destroy(simplifier);
  map_context_destroy(context);
}

static void time_once(const PeerTimesLines *lines) {
  static double times[batches][most_lines];
  double clock = cost_of(now);
  for (uint32_t batch = 0; batch < batches; batch++) {
    MapContext *context = map_context_create();
    Simplifier *simplifier = simplifier_in(context);
    const Map **maps = ARENA_NEW(lines->arena, const Map *, lines->count);
    for (uint32_t i = 0; i < lines->count; i++)
      maps[i] = peer_times_parse(context, lines->items[i]);
    for (uint32_t i = 0; i < lines->count; i++) {
      double start = now();
      peer_times_simplify(simplifier, maps[i]);
      times[batch][i] = now() - start - clock;
    }
    simplifier_destroy(simplifier);
    map_context_destroy(context);
  }
  for (uint32_t i = 0; i < lines->count; i++) {
    double of_line[batches];
    for (uint32_t batch = 0; batch < batches; batch++) of_line[batch] = times[batch][i];
    double time = median(of_line, batches);
    printf("%.1f\n", time < 1 ? 1 : time);
  }
}

static void time_first(const PeerTimesLines *lines) {
  for (uint32_t line = 0; line < lines->count; line += lines->count / 64 + 1) {
    double times[batches];
    for (uint32_t batch = 0; batch < batches; batch++) {
      double start = spent();
      MapContext *context = map_context_create();
      Simplifier *simplifier = simplifier_in(context);
      peer_times_simplify(simplifier, peer_times_parse(context, lines->items[line]));
      times[batch] = spent() - start;
      simplifier_destroy(simplifier);
      map_context_destroy(context);
    }
    printf("%.1f\n", median(times, batches));
  }
}

/* ---- modules ---- */

static void peer_times_analyse(Indexer *indexer, const Instruction *root, bool forward) {
  uint32_t outputs = shape_leaf_count(root->shape), before = 0;
  for (uint32_t operand = 0; operand < root->operand_count; operand++) {
    uint32_t leaves = shape_leaf_count(root->operands[operand]->shape);
    for (uint32_t leaf = 0; leaf < leaves; leaf++, before++) {
      /* The leaves of a tuple are those of its operands, in order. */
      uint32_t output = root->opcode == HLO_TUPLE && before < outputs ? before : 0;
      MapSet maps;
      bool done = forward
                      ? index_input_to_output(indexer, root, operand, leaf, output, &maps, &unset)
                      : index_output_to_input(indexer, root, output, operand, leaf, &maps, &unset);
      if (!done) unset = (Error){};
    }
  }
}

static double time_of_root(const char *path, bool forward) {
  Arena *arena = arena_create();
  Source source, *parts;
  uint32_t count;
  const Module *module;
  Error error = {};
  if (!file_read(arena, path, 1u << 26, &source, &error) ||
      !hlo_split(arena, &source, &count, &parts, &error) ||
      !hlo_read(arena, &parts[0], &module, &error))
    peer_stop(path, &error);
  MapContext *context = map_context_create();
  Simplifier *simplifier = simplifier_in(context);
  Indexer *indexer = indexer_create(context, simplifier, &error);
  double times[most_repeats];
  uint32_t repeats = 0;
  for (double start = now(); repeats < 5 || (repeats < most_repeats && now() - start < 2e7);) {
    MapMark mark = map_context_mark(context);
    indexer_reset(indexer);
    double begin = now();
    peer_times_analyse(indexer, module->entry->root, forward);
    times[repeats++] = now() - begin;
    map_context_rewind(context, mark);
  }
  indexer_destroy(indexer);
  simplifier_destroy(simplifier);
  map_context_destroy(context);
  arena_destroy(arena);
  return median(times, repeats);
}

static void time_modules(const PeerTimesLines *lines, const char *directory, bool forward) {
  for (uint32_t i = 0; i < lines->count; i++)
    printf("%.1f\n",
        time_of_root(arena_printf(lines->arena, "%s/%s", directory, lines->items[i]), forward));
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  bool of_modules = strcmp(mode, "o2i") == 0 || strcmp(mode, "i2o") == 0;
  PeerTimesLines lines = {.arena = arena_create()};
  if (argc != (of_modules ? 4 : 3)) {
    fprintf(stderr, "usage: bench_peer_times repeated|once|first MAPS.tsv\n"
                    "       bench_peer_times o2i|i2o MODULES.tsv DIRECTORY\n");
    return 3;
  }
  read_lines(&lines, argv[2]);
  if (lines.count > most_lines) return 3;
  if (of_modules) time_modules(&lines, argv[3], strcmp(mode, "i2o") == 0);
  else if (strcmp(mode, "once") == 0) time_once(&lines);
  else if (strcmp(mode, "first") == 0) time_first(&lines);
  else time_repeated(&lines);
  arena_destroy(lines.arena);
  return 0;
}
