/* Structure of the answers without any judge: texts of maps, claims, sources of runtime variables, unions, and that input-to-output is the
 * converse of output-to-input, point by point on small shapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/hlo/read.h"
#include "core/index/index.h"
#include "core/map/evaluate.h"
#include "core/map/text.h"

typedef struct Bench {
  Arena *arena;
  MapContext *context;
  Simplifier *simplifier;
  Indexer *indexer;
  const Module *module;
} Bench;

static const Module *read_module(Arena *arena, const char *text) {
  bool whole = strstr(text, "ENTRY") != nullptr;
  char *full = whole ? arena_printf(arena, "%s", text) : arena_printf(arena, "ENTRY case {\n%s\n}\n", text);
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

static Bench bench_open(const char *text, bool simplify) {
  Bench bench = {.arena = arena_create(), .context = map_context_create()};
  Error error = {};
  if (simplify) bench.simplifier = simplifier_create(bench.context, nullptr, &error);
  if (simplify) assert_non_null(bench.simplifier);
  bench.indexer = indexer_create(bench.context, bench.simplifier, &error);
  bench.module = read_module(bench.arena, text);
  return bench;
}

static void bench_close(Bench *bench) {
  indexer_destroy(bench->indexer);
  simplifier_destroy(bench->simplifier);
  map_context_destroy(bench->context);
  arena_destroy(bench->arena);
}

static const Instruction *root_of(const Bench *bench) { return bench->module->entry->root; }

static MapSet ask_of(Bench *bench, const Instruction *instruction, bool forward, uint32_t output_leaf, uint32_t operand,
                     uint32_t operand_leaf) {
  MapSet maps;
  Error error = {};
  bool fits = forward ? index_input_to_output(bench->indexer, instruction, operand, operand_leaf, output_leaf, &maps, &error)
                      : index_output_to_input(bench->indexer, instruction, output_leaf, operand, operand_leaf, &maps, &error);
  if (!fits) {
    error_print(&error, stderr);
    fail();
  }
  return maps;
}

static const char *text_of(Bench *bench, const Map *map) {
  Text text = text_create(bench->arena);
  map_print(&text, bench->context, map, MAP_STYLE_LINE);
  return text.bytes;
}

/* The maps of one pair, a line each; runtime variables' lines follow their map. */
static const char *texts_of(Bench *bench, const MapSet *maps) {
  Text text = text_create(bench->arena);
  for (uint32_t i = 0; i < maps->count; i++) text_printf(&text, "%s%s", i > 0 ? "\n" : "", text_of(bench, maps->maps[i]));
  return text.bytes == nullptr ? "" : text.bytes;
}

/* --- relations by enumeration --------------------------------------------------------------------------------------------- */

typedef struct Pairs {
  uint32_t count, capacity;
  uint64_t *items; /* from * 2^32 + to, both row-major */
} Pairs;

typedef struct Walk {
  Bench *bench;
  const Map *map;
  const Shape *from, *to;
  int64_t point[64];
  Pairs *relation;
  bool forward;
} Walk;

static uint32_t linear(const Shape *shape, const int64_t *index) {
  int64_t at = 0;
  for (uint32_t i = 0; i < shape->rank; i++) {
    assert_in_range(index[i], 0, shape->sizes[i] - 1);
    at = at * shape->sizes[i] + index[i];
  }
  return (uint32_t)at;
}

static void visit(Walk *walk) {
  const Map *map = walk->map;
  int64_t results[16] = {};
  const int64_t *ranges = walk->point + map->dim_count;
  Point point = {walk->point, ranges, ranges + map->range_count};
  PointState state = map_evaluate(walk->bench->context, map, &point, results);
  assert_int_not_equal(state, POINT_OVERFLOW);
  if (state == POINT_OUTSIDE) return;
  uint64_t a = linear(walk->from, walk->point), b = linear(walk->to, results);
  *ARENA_PUSH(walk->bench->arena, walk->relation) = walk->forward ? b << 32 | a : a << 32 | b;
}

static Interval bounds_at(const Map *map, uint32_t variable) {
  if (variable < map->dim_count) return map->dims[variable].bounds;
  variable -= map->dim_count;
  return variable < map->range_count ? map->ranges[variable].bounds : map->runtimes[variable - map->range_count].bounds;
}

static void walk_from(Walk *walk, uint32_t variable, uint32_t fixed_from) {
  if (variable == fixed_from) {
    visit(walk);
    return;
  }
  Interval bounds = bounds_at(walk->map, variable);
  for (walk->point[variable] = bounds.lo; walk->point[variable] <= bounds.hi; walk->point[variable]++)
    walk_from(walk, variable + 1, fixed_from);
}

static int compare_pairs(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void sort_unique(Pairs *relation) {
  if (relation->count == 0) return;
  qsort(relation->items, relation->count, sizeof *relation->items, compare_pairs);
  uint32_t kept = 1;
  for (uint32_t i = 1; i < relation->count; i++)
    if (relation->items[i] != relation->items[kept - 1]) relation->items[kept++] = relation->items[i];
  relation->count = kept;
}

/* Pairs (output, input) over all values of the runtime variables that agree by instruction name: value(name) = seed-driven. */
static Pairs relation_of(Bench *bench, const MapSet *maps, const Shape *from, const Shape *to, bool forward, uint32_t seed) {
  Pairs relation = {};
  for (uint32_t i = 0; i < maps->count; i++) {
    const Map *map = maps->maps[i];
    Walk walk = {.bench = bench, .map = map, .from = from, .to = to, .relation = &relation, .forward = forward};
    uint32_t fixed = map->dim_count + map->range_count;
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

static void check_converse(Bench *bench, const Instruction *instruction, uint32_t output_leaf, uint32_t operand, uint32_t leaf) {
  MapSet back = ask_of(bench, instruction, false, output_leaf, operand, leaf);
  MapSet ahead = ask_of(bench, instruction, true, output_leaf, operand, leaf);
  assert_int_equal(back.claim, ahead.claim);
  const Shape *output = shape_leaf(instruction->shape, output_leaf);
  const Shape *input = shape_leaf(instruction->operands[operand]->shape, leaf);
  if (!shape_is_array(output) || !shape_is_array(input)) return;
  for (uint32_t seed = 0; seed < 5; seed++) {
    Pairs a = relation_of(bench, &back, output, input, false, seed);
    Pairs b = relation_of(bench, &ahead, input, output, true, seed);
    if (a.count != b.count || (a.count > 0 && memcmp(a.items, b.items, a.count * sizeof *a.items) != 0)) {
      fprintf(stderr, "%s, operand %u: %u pairs back, %u ahead\n%s\n%s\n", instruction->name, operand, a.count, b.count,
              texts_of(bench, &back), texts_of(bench, &ahead));
      fail();
    }
  }
}

static void check_all_converses(const char *text, bool simplify) {
  Bench bench = bench_open(text, simplify);
  const Computation *entry = bench.module->entry;
  for (uint32_t i = 0; i < entry->instruction_count; i++) {
    const Instruction *instruction = entry->instructions[i];
    for (uint32_t o = 0; o < shape_leaf_count(instruction->shape); o++)
      for (uint32_t k = 0; k < instruction->operand_count; k++)
        for (uint32_t l = 0; l < shape_leaf_count(instruction->operands[k]->shape); l++)
          check_converse(&bench, instruction, o, k, l);
  }
  bench_close(&bench);
}

static const char *const operations[] = {
    "p = f32[3,4] parameter(0)\nb = f32[3,4,2] broadcast(p), dimensions={0,1}\n"
    "t = f32[4,2,3] transpose(b), dimensions={1,2,0}\nr = f32[4,2,3] reverse(t), dimensions={0,2}\n"
    "s = f32[2,2,1] slice(r), slice={[1:4:2],[0:2],[2:3]}\nROOT n = f32[2,2,1] negate(s)",
    "p = f32[2,6,1,4] parameter(0)\na = f32[12,4] reshape(p)\nb = f32[3,1,16] reshape(a)\nc = f32[48] reshape(b)\n"
    "ROOT d = f32[4,3,2,2] reshape(c)",
    "p = f32[4,3,2]{0,2,1} parameter(0)\na = f32[3,2,4]{2,1,0} bitcast(p)\nb = f32[6,4]{0,1} bitcast(p)\n"
    "ROOT c = f32[2,1,12]{0,1,2} bitcast(p)",
    "p = f32[2,3] parameter(0)\nq = f32[2,1] parameter(1)\nROOT c = f32[2,7] concatenate(p, q, p), dimensions={1}",
    "p = f32[3,4] parameter(0)\nv = f32[] parameter(1)\na = f32[10,5] pad(p, v), padding=2_1_2x-1_2_0\n"
    "b = f32[4,9] pad(p, v), padding=-1_0_1x-2_1_2\nc = f32[2,2] pad(p, v), padding=-2_1_0x-5_3_0\n"
    "ROOT t = (f32[10,5], f32[4,9], f32[2,2]) tuple(a, b, c)",
    "f {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b)\n}\n"
    "ENTRY e {\np = f32[5,7] parameter(0)\nv = f32[] parameter(1)\n"
    "a = f32[7] reduce(p, v), dimensions={0}, to_apply=f\n"
    "b = f32[3,4] reduce-window(p, v), window={size=3x2 stride=2x2 pad=1_1x0_1}, to_apply=f\n"
    "c = f32[9,7] reduce-window(p, v), window={size=1x3 pad=0_0x2_2 lhs_dilate=2x1 rhs_dilate=1x2}, to_apply=f\n"
    "ROOT t = (f32[7], f32[3,4], f32[9,7]) tuple(a, b, c)\n}",
    "p = f32[2,3,4] parameter(0)\nq = f32[2,4,5] parameter(1)\n"
    "ROOT d = f32[2,3,5] dot(p, q), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}",
    "p = f32[2,5,6,4] parameter(0)\nk = f32[3,2,2,6] parameter(1)\n"
    "c = f32[2,5,3,6] convolution(p, k), window={size=3x2 stride=1x2 pad=1_1x1_0 rhs_reversal=1x0}, dim_labels=b01f_01io->b01f, "
    "feature_group_count=2\n"
    "q = f32[4,6,2] parameter(2)\nl = f32[3,2,4] parameter(3)\n"
    "ROOT g = f32[2,9,4] convolution(q, l), window={size=3 pad=1_1 lhs_dilate=2 rhs_dilate=2}, dim_labels=b0f_0io->b0f, "
    "batch_group_count=2",
    "p = f32[5,4] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\nu = f32[2,3] parameter(3)\n"
    "a = f32[2,2] dynamic-slice(p, i, j), dynamic_slice_sizes={2,2}\n"
    "b = f32[5,4] dynamic-update-slice(p, u, i, j)\nROOT t = (f32[2,2], f32[5,4]) tuple(a, b)",
    "p = f32[5,4,3] parameter(0)\ni = s32[2,2] parameter(1)\n"
    "a = f32[2,3,3] gather(p, i), offset_dims={1,2}, collapsed_slice_dims={0}, start_index_map={1,0}, index_vector_dim=1, "
    "slice_sizes={1,3,3}\n"
    "j = s32[3] parameter(2)\n"
    "ROOT b = f32[3,5,4] gather(p, j), offset_dims={1,2}, collapsed_slice_dims={}, operand_batching_dims={2}, "
    "start_indices_batching_dims={0}, start_index_map={1}, index_vector_dim=1, slice_sizes={5,4,1}",
};

static void converse_of_every_operation_raw(void **) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) check_all_converses(operations[i], false);
}

static void converse_of_every_operation_simplified(void **) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) check_all_converses(operations[i], true);
}

/* --- texts ---------------------------------------------------------------------------------------------------------------- */

typedef struct TextCase {
  const char *hlo;
  bool forward;
  uint32_t output_leaf, operand;
  const char *expected;
} TextCase;

static const TextCase texts[] = {
    {"p = f32[4,4] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[12,16] pad(p, v), padding=1_4_1x4_8_0", false, 0, 0,
     "(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), domain: d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]"},
    {"p = f32[10,20,50] parameter(0)\nROOT r = f32[5,3,25] slice(p), slice={[5:10:1], [3:20:7], [0:50:2]}", true, 0, 0,
     "(d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2), domain: d0 in [5, 9], d1 in [3, 17], d2 in [0, 48], "
     "(d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0]"},
    {"p = f32[256,10] parameter(0)\nROOT r = f32[256,10] negate(p)", false, 0, 0, "(d0, d1) -> (d0, d1), domain: d0 in [0, 255], d1 in [0, 9]"},
    {"ROOT r = f32[2,4] iota(), dimensions={1}", true, 0, 0, "()[s0, s1] -> (s0, s1), domain: s0 in [0, 1], s1 in [0, 3]"},
    {"p = f32[20] parameter(0)\nROOT r = f32[10,20,30] broadcast(p), dimensions={1}", true, 0, 0,
     "(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], s0 in [0, 9], s1 in [0, 29]"},
    {"p = f32[4,128,256] parameter(0)\nq = f32[4,256,64] parameter(1)\nROOT r = f32[4,128,64] dot(p, q), lhs_batch_dims={0}, "
     "rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}", true, 0, 1,
     "(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, 255], d2 in [0, 63], s0 in [0, 127]"},
    {"p = s32[2,2,258] parameter(0)\na = s32[] parameter(1)\nb = s32[] parameter(2)\nc = s32[] parameter(3)\n"
     "ROOT r = s32[1,2,32] dynamic-slice(p, a, b, c), dynamic_slice_sizes={1,2,32}", false, 0, 0,
     "(d0, d1, d2){rt0, rt1, rt2} -> (d0 + rt0, d1 + rt1, d2 + rt2), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], "
     "rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]\nruntime variables:\n"
     "rt0: a; (d0, d1, d2){rt0, rt1, rt2} -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]\n"
     "rt1: b; (d0, d1, d2){rt0, rt1, rt2} -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]\n"
     "rt2: c; (d0, d1, d2){rt0, rt1, rt2} -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]"},
    {"p = f32[9] parameter(0)\na = s32[] constant(20)\nROOT r = f32[4] dynamic-slice(p, a), dynamic_slice_sizes={4}", false, 0, 0,
     "(d0) -> (d0 + 5), domain: d0 in [0, 3]"},
    {"p = f32[9] parameter(0)\na = s32[] constant(-7)\nb = s32[] constant(2)\nc = s32[] divide(a, b)\nd = s32[] negate(c)\n"
     "ROOT r = f32[4] dynamic-slice(p, d), dynamic_slice_sizes={4}", false, 0, 0, "(d0) -> (d0 + 3), domain: d0 in [0, 3]"},
};

static void raw_texts_are_the_reference_s(void **) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Bench bench = bench_open(texts[i].hlo, false);
    MapSet maps = ask_of(&bench, root_of(&bench), texts[i].forward, texts[i].output_leaf, texts[i].operand, 0);
    assert_int_equal(maps.claim, INDEX_EXACT);
    assert_string_equal(texts_of(&bench, &maps), texts[i].expected);
    bench_close(&bench);
  }
}

/* --- unions and claims ---------------------------------------------------------------------------------------------------- */

static void unions_are_disjoint_and_complete(void **) {
  Bench bench = bench_open("p = f32[3,4] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[10,7] pad(p, v), padding=2_3_1x-1_4_0", false);
  MapSet operand = ask_of(&bench, root_of(&bench), false, 0, 0, 0), value = ask_of(&bench, root_of(&bench), false, 0, 1, 0);
  const Shape *output = root_of(&bench)->shape;
  Pairs both = {};
  for (uint32_t k = 0; k < 2; k++) {
    const MapSet *maps = k == 0 ? &operand : &value;
    for (uint32_t i = 0; i < maps->count; i++) {
      Walk walk = {.bench = &bench, .map = maps->maps[i], .from = output, .to = k == 0 ? bench.module->entry->parameters[0]->shape
                                                                                       : bench.module->entry->parameters[1]->shape,
                   .relation = &both};
      walk_from(&walk, 0, maps->maps[i]->dim_count);
    }
  }
  assert_int_equal(both.count, 70);
  for (uint32_t i = 0; i < both.count; i++) both.items[i] >>= 32;
  sort_unique(&both);
  assert_int_equal(both.count, 70);
  bench_close(&bench);
}

static void unknown_operation_is_undefined_by_name(void **) {
  Bench bench = bench_open("p = f32[3] parameter(0)\nROOT r = f32[3] custom-call(p), custom_call_target=\"x\"", false);
  MapSet maps = ask_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_int_equal(maps.claim, INDEX_UNDEFINED);
  assert_string_equal(maps.reason, "custom-call");
  assert_int_equal(maps.count, 0);
  bench_close(&bench);
}

static void arrays_without_elements_are_not_read(void **) {
  Bench bench = bench_open("p = f32[0,4] parameter(0)\nROOT r = f32[2,0] reshape(p)", false);
  MapSet maps = ask_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_int_equal(maps.claim, INDEX_EXACT);
  assert_int_equal(maps.count, 0);
  bench_close(&bench);
}

/* Three offsets of up to 2^62 each: their sum leaves int64, though the pads between them allow 0 only. */
static const char *const three_large_offsets =
    "f {\n p = s8[4611686018427387904] parameter(0)\n v = s8[] parameter(1)\n i = s64[] parameter(2)\n j = s64[] parameter(3)\n"
    " k = s64[] parameter(4)\n a = s8[1] dynamic-slice(p, i), dynamic_slice_sizes={1}\n"
    " b = s8[4611686018427387904] pad(a, v), padding=0_4611686018427387903\n c = s8[1] dynamic-slice(b, j), dynamic_slice_sizes={1}\n"
    " d = s8[4611686018427387904] pad(c, v), padding=0_4611686018427387903\n ROOT e = s8[1] dynamic-slice(d, k), "
    "dynamic_slice_sizes={1}\n}\nENTRY e {\n p = s8[4611686018427387904] parameter(0)\n v = s8[] parameter(1)\n"
    " i = s64[] parameter(2)\n j = s64[] parameter(3)\n k = s64[] parameter(4)\n"
    " ROOT r = s8[1] fusion(p, v, i, j, k), kind=kLoop, calls=f\n}";

static void overflow_names_the_instruction(void **) {
  Bench bench = bench_open(three_large_offsets, false);
  MapSet maps;
  Error error = {};
  assert_false(index_output_to_input(bench.indexer, root_of(&bench), 0, 0, 0, &maps, &error));
  assert_int_equal(error.kind, ERROR_OVERFLOW);
  assert_memory_equal(error.message, "a: ", 3);
  bench_close(&bench);
}

static void questions_outside_the_graph_are_errors(void **) {
  Bench bench = bench_open("p = f32[3] parameter(0)\nROOT r = f32[3] negate(p)", true);
  const uint32_t wrong[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (size_t i = 0; i < 3; i++) {
    MapSet maps;
    Error error = {};
    assert_false(index_output_to_input(bench.indexer, root_of(&bench), wrong[i][0], wrong[i][1], wrong[i][2], &maps, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
  }
  bench_close(&bench);
}

/* --- known offsets -------------------------------------------------------------------------------------------------------- */

typedef struct FoldCase {
  const char *offset; /* defines k, an integer scalar */
  int64_t start;      /* where a slice of 4 out of 100 starts; -1: it stays a runtime variable */
} FoldCase;

static const FoldCase folds[] = {
    {"k = s32[] constant(17)", 17},
    {"k = s32[] constant(-17)", 0},
    {"k = s32[] constant(1000)", 96},
    {"a = s32[] constant(-35)\nb = s32[] constant(2)\nc = s32[] divide(a, b)\nk = s32[] negate(c)", 17},
    {"a = s32[] constant(-35)\nb = s32[] constant(4)\nc = s32[] remainder(a, b)\nk = s32[] negate(c)", 3},
    {"a = s32[] constant(35)\nb = s32[] constant(0)\nc = s32[] divide(a, b)\nk = s32[] negate(c)", 1},
    {"a = s32[] constant(35)\nb = s32[] constant(0)\nk = s32[] remainder(a, b)", 35},
    {"a = u32[] constant(35)\nb = u32[] constant(0)\nk = u32[] divide(a, b)", 96},
    {"a = s8[] constant(100)\nk = s8[] add(a, a)", 0},
    {"a = u8[] constant(200)\nk = u8[] add(a, a)", 96},
    {"a = u8[] constant(140)\nk = u8[] add(a, a)", 24},
    {"a = s32[] constant(-2147483648)\nb = s32[] constant(-1)\nk = s32[] divide(a, b)", 0},
    {"a = s32[] constant(300)\nb = s8[] convert(a)\nk = s32[] convert(b)", 44},
    {"a = s32[] constant(-1)\nk = u32[] convert(a)", 96},
    {"a = s32[7] iota(), iota_dimension=0\nb = s32[1] slice(a), slice={[5:6]}\nk = s32[] reshape(b)", 5},
    {"a = s32[4] constant({3, 1, 4, 1})\nb = s32[1] slice(a), slice={[2:3]}\nk = s32[] reshape(b)", 4},
    {"a = s32[] constant(-3)\nz = s32[] constant(0)\nn = s32[] constant(50)\nl = pred[] compare(a, z), direction=LT\n"
     "m = s32[] add(a, n)\nk = s32[] select(l, m, a)", 47},
    {"z = s32[] constant(5)\nx = s32[] constant(90)\nn = s32[] constant(50)\nk = s32[] clamp(z, x, n)", 50},
    {"a = s32[] constant(3)\nb = s32[] constant(4)\nc = s32[] shift-left(a, b)\nk = s32[] xor(c, a)", 51},
    {"i = s32[] parameter(1)\nj = s32[] constant(9)\nt = (s32[], s32[]) tuple(i, j)\nk = s32[] get-tuple-element(t), index=1", 9},
    {"k = s32[] parameter(1)", -1},
    {"a = s32[] parameter(1)\nb = s32[] constant(2)\nk = s32[] multiply(a, b)", -1},
    {"a = f32[] constant(3)\nk = s32[] convert(a)", -1},
};

static void known_offsets_fold_with_the_arithmetic_of_hlo(void **) {
  for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
    Arena *arena = arena_create();
    Bench bench = bench_open(arena_printf(arena, "p = f32[100] parameter(0)\n%s\nROOT r = f32[4] dynamic-slice(p, k), dynamic_slice_sizes={4}",
                                          folds[i].offset), true);
    MapSet maps = ask_of(&bench, root_of(&bench), false, 0, 0, 0);
    const char *expected = folds[i].start < 0    ? "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 96]"
                           : folds[i].start == 0 ? "(d0) -> (d0), domain: d0 in [0, 3]"
                                                 : arena_printf(arena, "(d0) -> (d0 + %lld), domain: d0 in [0, 3]",
                                                                (long long)folds[i].start);
    if (strncmp(texts_of(&bench, &maps), expected, strlen(expected)) != 0)
      fprintf(stderr, "%s\ncame %s\nexpected %s\n", folds[i].offset, texts_of(&bench, &maps), expected);
    assert_memory_equal(texts_of(&bench, &maps), expected, strlen(expected));
    bench_close(&bench);
    arena_destroy(arena);
  }
}

static void iota_indices_fold_clamped(void **) {
  Bench bench = bench_open("p = f32[10,3] parameter(0)\ni = s32[20] iota(), iota_dimension=0\n"
                           "t = s32[] constant(2)\nb = s32[20] broadcast(t), dimensions={}\nj = s32[20] subtract(i, b)\n"
                           "ROOT g = f32[20,3] gather(p, j), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
                           "index_vector_dim=1, slice_sizes={1,3}", false);
  MapSet maps = ask_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_string_equal(texts_of(&bench, &maps),
                      "(d0, d1) -> (min(max(d0 - 2, 0), 9), d1), domain: d0 in [0, 19], d1 in [0, 2]");
  bench_close(&bench);
}

static void gathered_indices_carry_their_own_source(void **) {
  Bench bench = bench_open("f {\n p = f32[50,3] parameter(0)\n q = s32[9] parameter(1)\n i = s32[4] parameter(2)\n"
                           " j = s32[4] gather(q, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, "
                           "index_vector_dim=1, slice_sizes={1}\n"
                           " ROOT g = f32[4,3] gather(p, j), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
                           "index_vector_dim=1, slice_sizes={1,3}\n}\n"
                           "ENTRY e {\n x = f32[50,3] parameter(0)\n y = s32[9] parameter(1)\n z = s32[4] parameter(2)\n"
                           " ROOT r = f32[4,3] fusion(x, y, z), kind=kLoop, calls=f\n}", true);
  MapSet maps = ask_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_int_equal(maps.count, 1);
  assert_string_equal(maps.maps[0]->sources[0].name, "j");
  maps = ask_of(&bench, root_of(&bench), false, 0, 1, 0);
  assert_string_equal(texts_of(&bench, &maps), "(d0, d1){rt0} -> (rt0), domain: d0 in [0, 3], d1 in [0, 2], rt0 in [0, 8]\n"
                                               "runtime variables:\nrt0: z; (d0, d1){rt0} -> (d0), domain: d0 in [0, 3], "
                                               "d1 in [0, 2], rt0 in [0, 8]");
  for (uint32_t k = 0; k < 3; k++) check_converse(&bench, root_of(&bench), 0, k, 0);
  bench_close(&bench);
}

/* --- fusions -------------------------------------------------------------------------------------------------------------- */

static void fusion_reads_one_input_twice(void **) {
  Bench bench = bench_open("f {\n p = f32[10,10] parameter(0)\n u = f32[3] parameter(1)\n t = f32[10,10] transpose(p), dimensions={1,0}\n"
                           " ROOT a = f32[10,10] add(p, t)\n}\nENTRY e {\n x = f32[10,10] parameter(0)\n y = f32[3] parameter(1)\n"
                           " ROOT r = f32[10,10] fusion(x, y), kind=kLoop, calls=f\n}", true);
  MapSet maps = ask_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_int_equal(maps.count, 2);
  assert_string_equal(texts_of(&bench, &maps), "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 9]\n"
                                               "(d0, d1) -> (d1, d0), domain: d0 in [0, 9], d1 in [0, 9]");
  maps = ask_of(&bench, root_of(&bench), false, 0, 1, 0);
  assert_int_equal(maps.count, 0);
  assert_int_equal(maps.claim, INDEX_EXACT);
  check_converse(&bench, root_of(&bench), 0, 0, 0);
  bench_close(&bench);
}

static void fusion_of_a_part_keeps_the_part(void **) {
  Bench bench = bench_open("f {\n p = f32[5] parameter(0)\n q = f32[3] parameter(1)\n ROOT c = f32[8] concatenate(p, q), dimensions={0}\n}\n"
                           "ENTRY e {\n x = f32[5] parameter(0)\n y = f32[3] parameter(1)\n"
                           " ROOT r = f32[8] fusion(x, y), kind=kLoop, calls=f\n}", true);
  MapSet maps = ask_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_string_equal(texts_of(&bench, &maps), "(d0) -> (d0), domain: d0 in [0, 4]");
  for (uint32_t k = 0; k < 2; k++) check_converse(&bench, root_of(&bench), 0, k, 0);
  bench_close(&bench);
}

static void map_reads_what_its_body_reads(void **) {
  Bench bench = bench_open("f {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT n = f32[] negate(b)\n}\n"
                           "ENTRY e {\n x = f32[5] parameter(0)\n y = f32[5] parameter(1)\n"
                           " ROOT r = f32[5] map(x, y), dimensions={0}, to_apply=f\n}", true);
  assert_int_equal(ask_of(&bench, root_of(&bench), false, 0, 0, 0).count, 0);
  assert_int_equal(ask_of(&bench, root_of(&bench), false, 0, 1, 0).count, 1);
  for (uint32_t k = 0; k < 2; k++) check_converse(&bench, root_of(&bench), 0, k, 0);
  bench_close(&bench);
}

static void fusion_with_tuples_keeps_positions(void **) {
  Bench bench = bench_open("f {\n p = (f32[4], (f32[2], f32[4])) parameter(0)\n a = f32[4] get-tuple-element(p), index=0\n"
                           " b = (f32[2], f32[4]) get-tuple-element(p), index=1\n c = f32[4] get-tuple-element(b), index=1\n"
                           " r = f32[4] reverse(c), dimensions={0}\n u = (f32[4]) tuple(a)\n ROOT t = ((f32[4]), f32[4]) tuple(u, r)\n}\n"
                           "ENTRY e {\n x = (f32[4], (f32[2], f32[4])) parameter(0)\n"
                           " ROOT r = ((f32[4]), f32[4]) fusion(x), kind=kLoop, calls=f\n}", true);
  const Instruction *root = root_of(&bench);
  uint32_t counts[2][3] = {{1, 0, 0}, {0, 0, 1}};
  for (uint32_t o = 0; o < 2; o++)
    for (uint32_t l = 0; l < 3; l++) {
      assert_int_equal(ask_of(&bench, root, false, o, 0, l).count, counts[o][l]);
      check_converse(&bench, root, o, 0, l);
    }
  MapSet maps = ask_of(&bench, root, false, 1, 0, 2);
  assert_string_equal(texts_of(&bench, &maps), "(d0) -> (-d0 + 3), domain: d0 in [0, 3]");
  bench_close(&bench);
}

static void runtime_sources_are_the_caller_s_operands(void **) {
  Bench bench = bench_open(
      "g {\n p = f32[20] parameter(0)\n i = s32[] parameter(1)\n ROOT s = f32[10] dynamic-slice(p, i), dynamic_slice_sizes={10}\n}\n"
      "f {\n p = f32[20] parameter(0)\n i = s32[] parameter(1)\n j = s32[] parameter(2)\n k = s32[] add(i, j)\n"
      " a = f32[10] fusion(p, k), kind=kLoop, calls=g\n ROOT s = f32[5] dynamic-slice(a, j), dynamic_slice_sizes={5}\n}\n"
      "ENTRY e {\n x = f32[20] parameter(0)\n y = s32[] parameter(1)\n z = s32[] parameter(2)\n"
      " ROOT r = f32[5] fusion(x, y, z), kind=kLoop, calls=f\n}", true);
  MapSet maps = ask_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_int_equal(maps.count, 1);
  assert_int_equal(maps.maps[0]->runtime_count, 2);
  assert_string_equal(maps.maps[0]->sources[0].name, "z");
  assert_ptr_equal(maps.maps[0]->sources[0].instruction, bench.module->entry->parameters[2]);
  assert_string_equal(maps.maps[0]->sources[1].name, "k");
  check_converse(&bench, root_of(&bench), 0, 0, 0);
  bench_close(&bench);
}

static void offsets_known_to_the_caller_fold(void **) {
  Bench bench = bench_open(
      "g {\n p = f32[20] parameter(0)\n i = s32[] parameter(1)\n ROOT s = f32[10] dynamic-slice(p, i), dynamic_slice_sizes={10}\n}\n"
      "ENTRY e {\n x = f32[20] parameter(0)\n c = s32[] constant(4)\n ROOT r = f32[10] fusion(x, c), kind=kLoop, calls=g\n}", true);
  MapSet maps = ask_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_string_equal(texts_of(&bench, &maps), "(d0) -> (d0 + 4), domain: d0 in [0, 9]");
  bench_close(&bench);
}

static const char *const fusions[] = {
    "add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b)\n}\n"
    "f {\n p = f32[5,6] parameter(0)\n v = f32[] parameter(1)\n"
    " w = f32[5,6] reduce-window(p, v), window={size=3x3 pad=1_1x1_1}, to_apply=add\n"
    " x = f32[2,3] reduce-window(w, v), window={size=3x2 stride=2x2}, to_apply=add\n"
    " ROOT r = f32[2] reduce(x, v), dimensions={1}, to_apply=add\n}\n"
    "ENTRY e {\n p = f32[5,6] parameter(0)\n v = f32[] parameter(1)\n ROOT r = f32[2] fusion(p, v), kind=kLoop, calls=f\n}",
    "f {\n p = f32[4,6] parameter(0)\n i = s32[] parameter(1)\n j = s32[] parameter(2)\n u = f32[2,2] parameter(3)\n"
    " d = f32[4,6] dynamic-update-slice(p, u, i, j)\n a = f32[4,2] slice(d), slice={[0:4],[4:6]}\n"
    " b = f32[4,4] slice(d), slice={[0:4],[0:4]}\n c = f32[4,6] concatenate(a, b), dimensions={1}\n"
    " ROOT s = f32[2,3] dynamic-slice(c, j, i), dynamic_slice_sizes={2,3}\n}\n"
    "ENTRY e {\n p = f32[4,6] parameter(0)\n i = s32[] parameter(1)\n j = s32[] parameter(2)\n u = f32[2,2] parameter(3)\n"
    " ROOT r = f32[2,3] fusion(p, i, j, u), kind=kLoop, calls=f\n}",
    "f {\n p = f32[6,2] parameter(0)\n q = f32[2,4] parameter(1)\n v = f32[] parameter(2)\n a = f32[13,2] pad(p, v), padding=1_1_1x0_0_0\n"
    " d = f32[13,4] dot(a, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n b = f32[52] reshape(d)\n c = f32[4,13] reshape(b)\n"
    " ROOT s = f32[2,5] slice(c), slice={[1:4:2],[2:12:2]}\n}\n"
    "ENTRY e {\n p = f32[6,2] parameter(0)\n q = f32[2,4] parameter(1)\n v = f32[] parameter(2)\n"
    " ROOT r = f32[2,5] fusion(p, q, v), kind=kLoop, calls=f\n}",
};

static void check_same_relation(Bench *raw, Bench *settled, uint32_t operand, bool forward) {
  MapSet a = ask_of(raw, root_of(raw), forward, 0, operand, 0), b = ask_of(settled, root_of(settled), forward, 0, operand, 0);
  const Shape *output = root_of(raw)->shape, *input = root_of(raw)->operands[operand]->shape;
  for (uint32_t seed = 0; seed < 5; seed++) {
    Pairs x = relation_of(raw, &a, forward ? input : output, forward ? output : input, forward, seed);
    Pairs y = relation_of(settled, &b, forward ? input : output, forward ? output : input, forward, seed);
    assert_int_equal(x.count, y.count);
    if (x.count > 0) assert_memory_equal(x.items, y.items, x.count * sizeof *x.items);
  }
}

static void settling_keeps_the_relation(void **) {
  for (size_t i = 0; i < sizeof fusions / sizeof *fusions; i++) {
    Bench raw = bench_open(fusions[i], false), settled = bench_open(fusions[i], true);
    for (uint32_t k = 0; k < root_of(&raw)->operand_count; k++) {
      check_same_relation(&raw, &settled, k, false);
      check_same_relation(&raw, &settled, k, true);
      check_converse(&settled, root_of(&settled), 0, k, 0);
    }
    bench_close(&raw);
    bench_close(&settled);
  }
}

static void windows_that_nothing_needs_vanish(void **) {
  Bench bench = bench_open(
      "add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b)\n}\n"
      "f {\n p = f32[5] parameter(0)\n v = f32[] parameter(1)\n"
      " w = f32[5] reduce-window(p, v), window={size=3 pad=1_1}, to_apply=add\n b = f32[5,7] broadcast(w), dimensions={0}\n"
      " r = f32[7] reduce(b, v), dimensions={0}, to_apply=add\n ROOT t = (f32[7], f32[5]) tuple(r, w)\n}\n"
      "ENTRY e {\n p = f32[5] parameter(0)\n v = f32[] parameter(1)\n ROOT r = (f32[7], f32[5]) fusion(p, v), kind=kLoop, calls=f\n}", true);
  MapSet maps = ask_of(&bench, root_of(&bench), false, 0, 1, 0);
  assert_string_equal(texts_of(&bench, &maps), "(d0) -> (), domain: d0 in [0, 6]");
  bench_close(&bench);
}

/* A chain of `depth` diamonds, each of `width` elementwise steps to the left. */
static const char *diamonds(Arena *arena, uint32_t depth, uint32_t width) {
  Text text = text_create(arena);
  text_string(&text, "f {\n x0 = f32[64,32] parameter(0)\n");
  for (uint32_t i = 0; i < depth; i++) {
    text_printf(&text, " l%u_0 = f32[32,64] transpose(x%u), dimensions={1,0}\n", i, i);
    for (uint32_t k = 1; k < width; k++) text_printf(&text, " l%u_%u = f32[32,64] negate(l%u_%u)\n", i, k, i, k - 1);
    text_printf(&text, " b%u = f32[64,32] reshape(l%u_%u)\n r%u = f32[64,32] reverse(x%u), dimensions={0}\n", i, i, width - 1, i, i);
    text_printf(&text, " c%u = f32[32,64] reshape(b%u)\n t%u = f32[64,32] transpose(c%u), dimensions={1,0}\n", i, i, i, i);
    text_printf(&text, " v%u = f32[64,32] reverse(r%u), dimensions={0}\n %sx%u = f32[64,32] add(t%u, v%u)\n", i, i,
                i + 1 == depth ? "ROOT " : "", i + 1, i, i);
  }
  text_string(&text, "}\nENTRY e {\n p = f32[64,32] parameter(0)\n ROOT r = f32[64,32] fusion(p), kind=kLoop, calls=f\n}\n");
  return text.bytes;
}

static void diamond_chain_is_linear(void **) {
  Arena *arena = arena_create();
  Bench bench = bench_open(diamonds(arena, 1000, 4), true);
  assert_true(bench.module->computations[0]->instruction_count >= 10000);
  for (int forward = 0; forward < 2; forward++) {
    clock_t start = clock();
    MapSet maps = ask_of(&bench, root_of(&bench), forward, 0, 0, 0);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_int_equal(maps.count, 1);
    assert_string_equal(texts_of(&bench, &maps), "(d0, d1) -> (d0, d1), domain: d0 in [0, 63], d1 in [0, 31]");
    size_t bytes = arena_bytes(bench.context->arena);
    printf("%s: %.2f s, %zu MB\n", forward ? "forward" : "backward", seconds, bytes >> 20);
    assert_true(bytes < (size_t)1 << 30);
  }
  bench_close(&bench);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(raw_texts_are_the_reference_s),
      cmocka_unit_test(converse_of_every_operation_raw),
      cmocka_unit_test(converse_of_every_operation_simplified),
      cmocka_unit_test(unions_are_disjoint_and_complete),
      cmocka_unit_test(unknown_operation_is_undefined_by_name),
      cmocka_unit_test(arrays_without_elements_are_not_read),
      cmocka_unit_test(overflow_names_the_instruction),
      cmocka_unit_test(questions_outside_the_graph_are_errors),
      cmocka_unit_test(known_offsets_fold_with_the_arithmetic_of_hlo),
      cmocka_unit_test(iota_indices_fold_clamped),
      cmocka_unit_test(gathered_indices_carry_their_own_source),
      cmocka_unit_test(fusion_reads_one_input_twice),
      cmocka_unit_test(fusion_of_a_part_keeps_the_part),
      cmocka_unit_test(map_reads_what_its_body_reads),
      cmocka_unit_test(fusion_with_tuples_keeps_positions),
      cmocka_unit_test(runtime_sources_are_the_caller_s_operands),
      cmocka_unit_test(offsets_known_to_the_caller_fold),
      cmocka_unit_test(settling_keeps_the_relation),
      cmocka_unit_test(windows_that_nothing_needs_vanish),
      cmocka_unit_test(diamond_chain_is_linear),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
