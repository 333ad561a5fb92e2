/* A fixture for core/analysis: a parsed module or map, and plain enumeration of what its maps
 * read. */
#ifndef CORE_ANALYSIS_TEST_BENCH_H
#define CORE_ANALYSIS_TEST_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "core/map/evaluate.h"
#include "core/map/text.h"
#include "core/analysis/parts.h"
#include "core/analysis/analysis.h"

typedef struct AnalysisFixture {
  Arena *arena;
  MapContext *context;
  Simplifier *simplifier;
  Indexer *indexer;
  const Instruction *root;
} AnalysisFixture;

static inline AnalysisFixture bench_open(const char *text) {
  AnalysisFixture bench = {.arena = arena_create(), .context = map_context_create()};
  Error error = {};
  const Module *module;
  Source *source = ARENA_NEW(bench.arena, Source, 1);
  bool whole = strstr(text, "ENTRY") != nullptr;
  char *full = whole ? arena_printf(bench.arena, "%s", text)
                     : arena_printf(bench.arena, "ENTRY case {\n%s\n}\n", text);
  *source = (Source){.name = "test", .text = full, .length = strlen(full), .first_line = 1};
  bench.simplifier = simplifier_create(bench.context, nullptr, &error);
  assert_non_null(bench.simplifier);
  bench.indexer = indexer_create(bench.context, bench.simplifier, &error);
  if (!hlo_read(bench.arena, source, &module, &error)) {
    error_print(&error, stderr);
    fail();
  }
  bench.root = module->entry->root;
  return bench;
}

static inline void bench_close(AnalysisFixture *bench) {
  indexer_destroy(bench->indexer);
  simplifier_destroy(bench->simplifier);
  map_context_destroy(bench->context);
  arena_destroy(bench->arena);
}

static inline MapSet maps_of(AnalysisFixture *bench, uint32_t operand) {
  MapSet maps;
  Error error = {};
  assert_true(index_output_to_input(bench->indexer, bench->root, 0, operand, 0, &maps, &error));
  return maps;
}

static const Map *parsed(AnalysisFixture *bench, const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(bench->context, &source, &map, &error)) {
    error_print(&error, stderr);
    fail();
  }
  return map;
}

/* --- enumeration --- */

typedef void OnPoint(void *state, const int64_t *values, const int64_t *results);

static inline void each_point(const MapContext *context, const Map *map, int64_t *values,
    uint32_t variable, OnPoint *on_point, void *state) {
  if (variable == map_variable_count(map)) {
    int64_t results[16];
    Point point = map_point(map, values);
    if (map_evaluate(context, map, &point, results) == POINT_INSIDE)
      on_point(state, values, results);
    return;
  }
  Interval bounds = map_variable(map, variable)->bounds;
  for (values[variable] = bounds.lo; values[variable] <= bounds.hi; values[variable]++)
    each_point(context, map, values, variable + 1, on_point, state);
}

typedef struct Seen {
  const Shape *operand;
  bool *elements;
  int64_t count;
} Seen;

static inline int64_t row_major(const Shape *shape, const int64_t *index) {
  int64_t at = 0;
  for (uint32_t i = 0; i < shape->rank; i++) at = at * shape->sizes[i] + index[i];
  return at;
}

static inline void see(void *state, const int64_t *, const int64_t *results) {
  Seen *seen = state;
  int64_t at = row_major(seen->operand, results);
  seen->count += !seen->elements[at];
  seen->elements[at] = true;
}

static inline int64_t distinct_reads(
    AnalysisFixture *bench, const MapSet *maps, const Shape *operand) {
  Seen seen = {
      .operand = operand, .elements = ARENA_NEW(bench->arena, bool, shape_elements(operand) + 1)};
  for (uint32_t i = 0; i < maps->count; i++) {
    int64_t values[32];
    each_point(bench->context, maps->maps[i], values, 0, see, &seen);
  }
  return seen.count;
}

#endif
