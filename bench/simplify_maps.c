/* The maps to measure: the reference's four simplifications and its reshape chain, raw maps of real
 * fusions, and sums of any size. */
#include "bench/simplify_maps.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/hlo/read/read.h"
#include "core/index/index.h"
#include "core/map/text.h"

const BenchMap reference_maps[] = {
    {"bounded quotient",
        "(d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16), domain: d0 in [0, 6], d1 in [0, 14]", 1000},
    {"three digits",
        "(d0, d1, d2) -> ((100*d0 + 10*d1 + d2) floordiv 100, ((100*d0 + 10*d1 + d2) mod 100) floordiv 10, d2 mod 10), "
        "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
        8100},
    {"multiples leave",
        "(d0, d1, d2) -> ((16*d0 + 4*d1 + d2) floordiv 8, (16*d0 + 4*d1 + d2) mod 8), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
        9100},
    {"negative sums",
        "(d0, d1) -> (-((-11*d0 - d1 + 109) floordiv 11) + 9), domain: d0 in [0, 9], d1 in [0, 10]",
        7700},
    {"reshape chain",
        "(d0, d1, d2) -> ((((d0*100 + d1*10 + d2) floordiv 20)*20 + (d0*100 + d1*10 + d2) mod 20) floordiv 100, "
        "((((d0*100 + d1*10 + d2) floordiv 20)*20 + (d0*100 + d1*10 + d2) mod 20) mod 100) floordiv 10, "
        "(((d0*100 + d1*10 + d2) floordiv 20)*20 + (d0*100 + d1*10 + d2) mod 20) mod 10), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
        22000},
};
const uint32_t reference_map_count = sizeof reference_maps / sizeof *reference_maps;

/* ---- fusions ---- */

typedef struct Collector {
  MapContext *context;
  MapList *list;
  uint32_t limit;
  uint64_t *seen; /* hashes of texts */
} Collector;

static bool is_new(Collector *collector, const Map *map) {
  Text text = text_create(collector->context->arena);
  map_print(&text, collector->context, map, MAP_STYLE_LINE);
  uint64_t hash = 0;
  for (size_t i = 0; i < text.length; i++) hash = hash_mix(hash, (unsigned char)text.bytes[i]);
  for (uint32_t i = 0; i < collector->list->count; i++)
    if (collector->seen[i] == hash) return false;
  collector->seen[collector->list->count] = hash;
  return true;
}

static void collect_set(Collector *collector, const MapSet *set) {
  for (uint32_t i = 0; i < set->count && collector->list->count < collector->limit; i++)
    if (set->maps[i]->state == MAP_PLAIN && is_new(collector, set->maps[i]))
      *ARENA_PUSH(collector->context->arena, collector->list) = set->maps[i];
}

static bool is_full(const Collector *collector) {
  return collector->list->count >= collector->limit;
}

/* Collects the maps between a leaf of the root and a parameter, in both directions. */
static void collect_pair(Collector *collector, Indexer *indexer, const Computation *computation,
    uint32_t leaf, uint32_t parameter) {
  MapSet set = {};
  Error error = {};
  if (index_computation_output_to_input(indexer, computation, leaf, parameter, 0, &set, &error) &&
      set.claim != INDEX_UNDEFINED)
    collect_set(collector, &set);
  set = (MapSet){};
  if (index_computation_input_to_output(indexer, computation, parameter, 0, leaf, &set, &error) &&
      set.claim != INDEX_UNDEFINED)
    collect_set(collector, &set);
}

/* Collects the maps of one instruction of a fusion, in both directions. */
static void collect_instruction(
    Collector *collector, Indexer *indexer, const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->operand_count && !is_full(collector); i++) {
    MapSet set = {};
    Error error = {};
    if (index_output_to_input(indexer, instruction, 0, i, 0, &set, &error) &&
        set.claim != INDEX_UNDEFINED)
      collect_set(collector, &set);
    set = (MapSet){};
    if (index_input_to_output(indexer, instruction, i, 0, 0, &set, &error) &&
        set.claim != INDEX_UNDEFINED)
      collect_set(collector, &set);
  }
}

static bool is_fused(const Computation *computation) {
  return strstr(computation->name, "fused") != nullptr ||
         strstr(computation->name, "fusion") != nullptr;
}

static void collect_computation(
    Collector *collector, Indexer *indexer, const Computation *computation) {
  static constexpr uint32_t small = 120;
  if (computation->instruction_count > small) return;
  uint32_t leaves = shape_leaf_count(computation->root->shape);
  for (uint32_t leaf = 0; leaf < leaves; leaf++)
    for (uint32_t i = 0; i < computation->parameter_count && !is_full(collector); i++)
      collect_pair(collector, indexer, computation, leaf, i);
  for (uint32_t i = 0; is_fused(computation) && i < computation->instruction_count; i++)
    collect_instruction(collector, indexer, computation->instructions[i]);
}

static void collect_file(Collector *collector, const char *path) {
  static constexpr size_t largest = 1u << 23;
  Source source, *parts;
  uint32_t count;
  Error error = {};
  Arena *arena = collector->context->arena;
  if (!file_read(arena, path, largest, &source, &error) ||
      !hlo_split(arena, &source, &count, &parts, &error))
    return;
  for (uint32_t i = 0; i < count; i++) {
    const Module *module;
    Error ignored = {};
    if (!hlo_read(arena, &parts[i], &module, &ignored)) continue;
    Indexer *indexer = indexer_create(collector->context, nullptr, &ignored);
    for (uint32_t j = 0; indexer != nullptr && j < module->computation_count; j++)
      collect_computation(collector, indexer, module->computations[j]);
    indexer_destroy(indexer);
  }
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

void fusion_maps(MapContext *context, const char *directory, uint32_t limit, MapList *list) {
  struct dirent **entries;
  int count = scandir(directory, &entries, nullptr, by_name);
  Collector collector = {.context = context,
      .list = list,
      .limit = limit,
      .seen = ARENA_NEW(context->arena, uint64_t, limit)};
  for (int i = 0; i < count; i++) {
    if (entries[i]->d_name[0] != '.')
      collect_file(
          &collector, arena_printf(context->arena, "%s/%s", directory, entries[i]->d_name));
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

/* ---- sums ---- */

const char *const sum_kind_names[SUM_KINDS] = {
    "linear", "digits", "remainders", "inside mod", "inside floordiv", "nested"};

typedef struct Draw {
  ExprPool *pool;
  uint64_t state;
  uint32_t variables;
} Draw;

static int64_t simplify_maps_draw(Draw *random, int64_t lo, int64_t hi) {
  random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return lo + (int64_t)((random->state >> 33) % (uint64_t)(hi - lo + 1));
}

static Expr any_variable(Draw *random) {
  return expr_var(
      random->pool, VAR_DIM, (uint32_t)simplify_maps_draw(random, 0, random->variables - 1));
}

static Expr binary(Draw *random, ExprOp op, Expr left, int64_t right) {
  return expr_binary(random->pool, op, left, expr_const(random->pool, right));
}

static Expr simplify_maps_digits(Draw *random, uint32_t i) {
  Expr variable = expr_var(random->pool, VAR_DIM, i % random->variables);
  Expr high = binary(random, EXPR_MUL, binary(random, EXPR_FLOORDIV, variable, 8), 8);
  return expr_binary(random->pool, EXPR_ADD, high, binary(random, EXPR_MOD, variable, 8));
}

static Expr summand(Draw *random, SumKind kind, uint32_t i) {
  switch (kind) {
    case SUM_LINEAR:
    case SUM_INSIDE_MOD:
    case SUM_INSIDE_FLOORDIV:
      return binary(random, EXPR_MUL, any_variable(random), simplify_maps_draw(random, -500, 500));
    case SUM_DIGITS: return simplify_maps_digits(random, i);
    case SUM_REMAINDERS:
      return binary(random, EXPR_MOD, expr_var(random->pool, VAR_DIM, i % random->variables),
          simplify_maps_draw(random, 2, 50));
    case SUM_NESTED:
    case SUM_KINDS: break;
  }
  return any_variable(random);
}

static Expr simplify_maps_grow(Draw *random, SumKind kind, Expr sum, uint32_t i) {
  sum = expr_binary(random->pool, EXPR_ADD, sum, summand(random, kind, i));
  if (kind != SUM_NESTED) return sum;
  return binary(random, simplify_maps_draw(random, 0, 1) == 0 ? EXPR_MOD : EXPR_FLOORDIV, sum,
      simplify_maps_draw(random, 2, 50));
}

const Map *sum_map(MapContext *context, SumKind kind, uint32_t nodes) {
  Draw random = {
      .pool = context->pool, .state = nodes, .variables = kind == SUM_NESTED ? 40 : nodes};
  Map *map = map_create(context, random.variables, 0, 0, 1, 0);
  for (uint32_t i = 0; i < random.variables; i++)
    map->dims[i].bounds = (Interval){0, simplify_maps_draw(&random, 1, 100)};
  Expr sum = expr_const(context->pool, 1);
  for (uint32_t i = 0; i < nodes; i++) sum = simplify_maps_grow(&random, kind, sum, i);
  if (kind == SUM_INSIDE_MOD) sum = binary(&random, EXPR_MOD, sum, 64);
  if (kind == SUM_INSIDE_FLOORDIV) sum = binary(&random, EXPR_FLOORDIV, sum, 64);
  map->results[0] = sum;
  return map;
}
