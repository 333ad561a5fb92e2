/* Shared by the tests of this directory: parsing a module, querying maps, their texts, and
 * relations by enumeration. Functions that only some tests use are marked maybe_unused. */
#ifndef CORE_INDEX_TEST_TEST_BENCH_H
#define CORE_INDEX_TEST_TEST_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "core/index/index.h"
#include "core/map/evaluate.h"
#include "core/map/text.h"

typedef struct IndexFixture {
  Arena *arena;
  MapContext *context;
  Simplifier *simplifier;
  Indexer *indexer;
  const Module *module;
} IndexFixture;

[[maybe_unused]] static const Module *read_module(Arena *arena, const char *text) {
  bool whole = strstr(text, "ENTRY") != nullptr;
  char *full =
      whole ? arena_printf(arena, "%s", text) : arena_printf(arena, "ENTRY case {\n%s\n}\n", text);
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "test", .text = full, .length = strlen(full), .first_line = 1};
  const Module *module = nullptr;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) {
    error_print(&error, stderr);
    fail();
  }
  return module;
}

[[maybe_unused]] static IndexFixture bench_open(const char *text, bool simplify) {
  IndexFixture bench = {.arena = arena_create(), .context = map_context_create()};
  Error error = {};
  if (simplify) bench.simplifier = simplifier_create(bench.context, nullptr, &error);
  if (simplify) assert_non_null(bench.simplifier);
  bench.indexer = indexer_create(bench.context, bench.simplifier, &error);
  bench.module = read_module(bench.arena, text);
  return bench;
}

[[maybe_unused]] static void bench_close(IndexFixture *bench) {
  indexer_destroy(bench->indexer);
  simplifier_destroy(bench->simplifier);
  map_context_destroy(bench->context);
  arena_destroy(bench->arena);
}

[[maybe_unused]] static const Instruction *root_of(const IndexFixture *bench) {
  return bench->module->entry->root;
}

[[maybe_unused]] static MapSet query_of(IndexFixture *bench, const Instruction *instruction,
    bool forward, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf) {
  MapSet maps;
  Error error = {};
  bool fits = forward ? index_input_to_output(bench->indexer, instruction, operand, operand_leaf,
                            output_leaf, &maps, &error)
                      : index_output_to_input(bench->indexer, instruction, output_leaf, operand,
                            operand_leaf, &maps, &error);
  if (!fits) {
    error_print(&error, stderr);
    fail();
  }
  return maps;
}

[[maybe_unused]] static const char *text_of(IndexFixture *bench, const Map *map) {
  Text text = text_create(bench->arena);
  map_print(&text, bench->context, map, MAP_STYLE_LINE);
  return text.bytes;
}

/* The maps of one pair, one a line; the lines of runtime variables follow their map. */
[[maybe_unused]] static const char *texts_of(IndexFixture *bench, const MapSet *maps) {
  Text text = text_create(bench->arena);
  for (uint32_t i = 0; i < maps->count; i++)
    text_printf(&text, "%s%s", i > 0 ? "\n" : "", text_of(bench, maps->maps[i]));
  return text.bytes == nullptr ? "" : text.bytes;
}

/* --- relations by enumeration --- */

typedef struct Pairs {
  uint32_t count, capacity;
  uint64_t *items; /* from * 2^32 + to, both row-major */
} Pairs;

typedef struct Walk {
  IndexFixture *bench;
  const Map *map;
  const Shape *from, *to;
  int64_t point[64];
  Pairs *relation;
  bool forward;
} Walk;

[[maybe_unused]] static uint32_t fixture_linear(const Shape *shape, const int64_t *index) {
  int64_t at = 0;
  for (uint32_t i = 0; i < shape->rank; i++) {
    assert_in_range(index[i], 0, shape->sizes[i] - 1);
    at = at * shape->sizes[i] + index[i];
  }
  return (uint32_t)at;
}

[[maybe_unused]] static void fixture_visit(Walk *walk) {
  const Map *map = walk->map;
  int64_t results[16] = {};
  Point point = map_point(map, walk->point);
  PointState state = map_evaluate(walk->bench->context, map, &point, results);
  assert_int_not_equal(state, POINT_OVERFLOW);
  if (state == POINT_OUTSIDE) return;
  uint64_t a = fixture_linear(walk->from, walk->point), b = fixture_linear(walk->to, results);
  *ARENA_PUSH(walk->bench->arena, walk->relation) = walk->forward ? b << 32 | a : a << 32 | b;
}

[[maybe_unused]] static void walk_from(Walk *walk, uint32_t variable, uint32_t fixed_from) {
  if (variable == fixed_from) {
    fixture_visit(walk);
    return;
  }
  Interval bounds = map_variable(walk->map, variable)->bounds;
  for (walk->point[variable] = bounds.lo; walk->point[variable] <= bounds.hi;
       walk->point[variable]++)
    walk_from(walk, variable + 1, fixed_from);
}

[[maybe_unused]] static int compare_pairs(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

[[maybe_unused]] static void sort_unique(Pairs *relation) {
  if (relation->count == 0) return;
  qsort(relation->items, relation->count, sizeof *relation->items, compare_pairs);
  uint32_t kept = 1;
  for (uint32_t i = 1; i < relation->count; i++)
    if (relation->items[i] != relation->items[kept - 1])
      relation->items[kept++] = relation->items[i];
  relation->count = kept;
}

/* The pairs (output, input) for one assignment of the runtime variables: their values depend on the
 * instruction's name and the seed. */
[[maybe_unused]] static Pairs relation_of(IndexFixture *bench, const MapSet *maps,
    const Shape *from, const Shape *to, bool forward, uint32_t seed) {
  Pairs relation = {};
  for (uint32_t i = 0; i < maps->count; i++) {
    const Map *map = maps->maps[i];
    Walk walk = {.bench = bench,
        .map = map,
        .from = from,
        .to = to,
        .relation = &relation,
        .forward = forward};
    uint32_t fixed = map_first_number(map, VAR_RUNTIME);
    bool feasible = true;
    for (uint32_t r = 0; r < map->runtime_count; r++) {
      const RuntimeSource *source = &map->sources[r];
      uint32_t hash = seed * 2654435761u + (uint32_t)strlen(source->name) * 40503u;
      for (const char *c = source->name; *c != '\0'; c++) hash = hash * 31 + (unsigned char)*c;
      hash ^= hash >> 15;
      int64_t value = source->clamp.lo + (int64_t)hash % (source->clamp.hi - source->clamp.lo + 1);
      walk.point[fixed + r] = value;
      feasible &= map->runtimes[r].bounds.lo <= value && value <= map->runtimes[r].bounds.hi;
    }
    if (feasible) walk_from(&walk, 0, fixed);
  }
  sort_unique(&relation);
  return relation;
}

[[maybe_unused]] static void check_inverse(IndexFixture *bench, const Instruction *instruction,
    uint32_t output_leaf, uint32_t operand, uint32_t leaf) {
  MapSet back = query_of(bench, instruction, false, output_leaf, operand, leaf);
  MapSet ahead = query_of(bench, instruction, true, output_leaf, operand, leaf);
  assert_int_equal(back.claim, ahead.claim);
  const Shape *output = shape_leaf(instruction->shape, output_leaf);
  const Shape *input = shape_leaf(instruction->operands[operand]->shape, leaf);
  if (!shape_is_array(output) || !shape_is_array(input)) return;
  for (uint32_t seed = 0; seed < 5; seed++) {
    Pairs a = relation_of(bench, &back, output, input, false, seed);
    Pairs b = relation_of(bench, &ahead, input, output, true, seed);
    if (a.count != b.count ||
        (a.count > 0 && memcmp(a.items, b.items, a.count * sizeof *a.items) != 0)) {
      fprintf(stderr, "%s, operand %u: %u pairs back, %u ahead\n%s\n%s\n", instruction->name,
          operand, a.count, b.count, texts_of(bench, &back), texts_of(bench, &ahead));
      fail();
    }
  }
}

#endif
