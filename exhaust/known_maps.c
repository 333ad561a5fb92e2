/* The words of a map state everything that simplifying and printing read: the numbers of variables,
 * results and constraints, all bounds, the expressions as trees in prefix order, and the sources.
 * An instruction is the number of the first source with it, because its address and its name belong
 * to one case. The numbers come first, so no map's words are the beginning of another's. */
#include "exhaust/known_maps.h"

#include <string.h>

#include "core/base/table.h"

static constexpr uint32_t known_words = 512; /* of one map */
static constexpr size_t known_bytes = (size_t)16 << 20;

struct KnownMaps {
  Arena *arena;
  Table table;
  uint32_t count, capacity;
  KnownMap **items;
  uint32_t length; /* of the current map's words; known_words + 1: too many */
  uint64_t words[known_words];
};

KnownMaps *known_maps_create(void) {
  Arena *arena = arena_create();
  KnownMaps *known = ARENA_NEW(arena, KnownMaps, 1);
  known->arena = arena;
  return known;
}

void known_maps_destroy(KnownMaps *known) {
  if (known != nullptr) arena_destroy(known->arena);
}

static void add_word(KnownMaps *known, uint64_t word) {
  if (known->length < known_words) known->words[known->length++] = word;
  else known->length = known_words + 1;
}

static void add_interval(KnownMaps *known, Interval interval) {
  add_word(known, (uint64_t)interval.lo);
  add_word(known, (uint64_t)interval.hi);
}

/* A tree with more nodes than words is not entered. */
static void add_expression(KnownMaps *known, const ExprPool *pool, Expr expr) {
  const ExprNode *node = expr_node(pool, expr);
  if (known->length > known_words) return;
  switch (node->op) {
    case EXPR_CONST:
      add_word(known, EXPR_CONST);
      add_word(known, (uint64_t)node->value);
      return;
    case EXPR_VAR:
      add_word(known, EXPR_VAR | (uint64_t)node->var_kind << 8 | (uint64_t)node->var_index << 16);
      return;
#define OPERATOR(id, text, precedence) case EXPR_##id:
#include "core/expr/ops.def"
#undef OPERATOR
      break;
  }
  add_word(known, node->op);
  add_expression(known, pool, node->left);
  add_expression(known, pool, node->right);
}

static void add_map(KnownMaps *known, const ExprPool *pool, const Map *map);

static uint32_t first_with_instruction(const Map *map, uint32_t source) {
  uint32_t first = 0;
  while (map->sources[first].instruction != map->sources[source].instruction) first++;
  return first;
}

static void add_sources(KnownMaps *known, const ExprPool *pool, const Map *map) {
  add_word(known, map->sources != nullptr);
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++) {
    const RuntimeSource *source = &map->sources[i];
    if (source->instruction == nullptr) known->length = known_words + 1;
    add_word(known, first_with_instruction(map, i));
    add_interval(known, source->clamp);
    add_word(known, source->index != nullptr);
    if (source->index != nullptr) add_map(known, pool, source->index);
  }
}

static bool has_name(const Map *map) {
  bool is_named = false;
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    is_named |= map_variable(map, i)->name != nullptr;
  return is_named;
}

static void add_map(KnownMaps *known, const ExprPool *pool, const Map *map) {
  if (map->state != MAP_PLAIN || has_name(map)) known->length = known_words + 1;
  add_word(known, (uint64_t)map->dim_count << 32 | map->range_count);
  add_word(known, (uint64_t)map->runtime_count << 32 | map->result_count);
  add_word(known, map->constraint_count);
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    add_interval(known, map_variable(map, i)->bounds);
  for (uint32_t i = 0; i < map->result_count; i++) add_expression(known, pool, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    add_expression(known, pool, map->constraints[i].expr);
    add_interval(known, map->constraints[i].in);
  }
  add_sources(known, pool, map);
}

static uint64_t hash_of_words(const KnownMaps *known) {
  uint64_t hash = known->length;
  for (uint32_t i = 0; i < known->length; i++) hash = hash_mix(hash, known->words[i]);
  return hash;
}

KnownMap *known_map(KnownMaps *known, const ExprPool *pool, const Map *map) {
  uint32_t item;
  known->length = 0;
  add_map(known, pool, map);
  if (known->length > known_words) return nullptr;
  uint64_t hash = hash_of_words(known);
  const size_t bytes = known->length * sizeof *known->words;
  for (TableProbe probe = table_probe(&known->table, hash);
      table_next(&known->table, &probe, &item);) {
    KnownMap *same = known->items[item];
    if (same->length == known->length && memcmp(same->words, known->words, bytes) == 0) return same;
  }
  if (arena_bytes(known->arena) > known_bytes) return nullptr;
  uint64_t *words = ARENA_NEW(known->arena, uint64_t, known->length);
  memcpy(words, known->words, bytes);
  KnownMap *made = ARENA_NEW(known->arena, KnownMap, 1);
  *made = (KnownMap){.length = known->length, .words = words};
  table_add(&known->table, known->arena, hash, known->count);
  return *ARENA_PUSH(known->arena, known) = made;
}
