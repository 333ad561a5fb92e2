/* A bounded cache from given to simplified maps. The key is everything that simplifying reads: the
 * option, the folded bounds, and the handles of the remaining constraints and of the results. Names
 * and sources pass through simplifying unchanged; a map with names is not cached.
 *
 * Keeps: an entry is valid until its context is rewound, because handles keep their meaning until
 * then. The first call after a rewind stores nothing, so that a caller that rewinds after each map
 * pays for no entry. Entries live in a buffer of fixed size; when it is full, all are removed. They
 * hold copies, because a caller may rewind the arena alone, and with it a simplified map. */
#include "core/simplify/recall.h"

#include <assert.h>
#include <string.h>

#include "core/base/hash.h"

static constexpr uint32_t slots = 1u << 8, capacity = 1u << 12; /* in words */

typedef struct Entry {
  uint64_t hash;
  uint32_t at, key_words, words;
} Entry;

typedef struct Recall {
  uint64_t taken[slots / 64]; /* bit i: items[i] is an entry */
  Entry *items;               /* [slots]; nullptr until the first key is written */
  uint64_t *words;            /* [capacity] */
  uint32_t used;
  uint64_t rewinds; /* of the context, at the last lookup */
  uint64_t queries, hits;
  bool is_open; /* the last key is at `used`, and its result is to be stored */
  uint32_t key_words;
  uint64_t hash;
} Recall;

uint64_t simplifier_remembered(const Simplifier *simplifier, uint64_t *queries) {
  const Recall *memo = simplifier->remembered;
  *queries = memo == nullptr ? 0 : memo->queries;
  return memo == nullptr ? 0 : memo->hits;
}

static void recall_forget(Recall *memo) {
  memo->used = 0;
  memset(memo->taken, 0, sizeof memo->taken);
}

/* An upper bound of the words in the map's key or result. */
static uint64_t words_of(const Map *map) {
  return 4 + 2 * (uint64_t)map_variable_count(map) + map->result_count +
         3 * (uint64_t)map->constraint_count;
}

static bool has_names(const Map *map) {
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < map_kind_count(map, (VarKind)kind); i++)
      if (map_variables(map, (VarKind)kind)[i].name != nullptr) return true;
  return false;
}

static uint64_t *write_interval(uint64_t *word, Interval interval) {
  *word++ = (uint64_t)interval.lo;
  *word++ = (uint64_t)interval.hi;
  return word;
}

static uint64_t *write_constraint(uint64_t *word, const Constraint *constraint) {
  *word++ = constraint->expr.at;
  return write_interval(word, constraint->in);
}

static uint32_t write_key(
    const Simplifier *simplifier, const Map *map, bool keep_points, uint64_t *words) {
  uint64_t *word = words;
  *word++ = (uint64_t)map->dim_count << 32 | map->range_count;
  *word++ = (uint64_t)map->runtime_count << 32 | map->result_count;
  *word++ = (uint64_t)simplifier->kept_count << 1 | keep_points;
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    word = write_interval(word, simplifier->bounds[VAR_DIM][i]);
  for (uint32_t i = 0; i < simplifier->kept_count; i++)
    word = write_constraint(word, &map->constraints[simplifier->kept[i]]);
  for (uint32_t i = 0; i < map->result_count; i++) *word++ = map->results[i].at;
  assert((uint64_t)(word - words) <= words_of(map));
  return (uint32_t)(word - words);
}

/* Two words at a time, so that one multiplication need not wait for the other. */
static uint64_t recall_hash_of(const uint64_t *words, uint32_t count) {
  uint64_t even = count, odd = 0;
  uint32_t i = 0;
  for (; i + 1 < count; i += 2) {
    even = hash_mix(even, words[i]);
    odd = hash_mix(odd, words[i + 1]);
  }
  return hash_mix(i < count ? hash_mix(even, words[i]) : even, odd);
}

/* ---- results ---- */

static uint64_t *write_variables(uint64_t *word, const Map *map) {
  assert(map_has_one_array(map));
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    word = write_interval(word, map->dims[i].bounds);
  return word;
}

static uint32_t write_answer(const Map *map, uint64_t *words) {
  uint64_t *word = words;
  *word++ = map->state;
  *word++ = map->constraint_count;
  if (map->state != MAP_PLAIN) return 2;
  word = write_variables(word, map);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    word = write_constraint(word, &map->constraints[i]);
  for (uint32_t i = 0; i < map->result_count; i++) *word++ = map->results[i].at;
  return (uint32_t)(word - words);
}

static Interval read_interval(const uint64_t *word) {
  return (Interval){(int64_t)word[0], (int64_t)word[1]};
}

static const uint64_t *read_variables(const uint64_t *word, Map *map) {
  assert(map_has_one_array(map));
  for (uint32_t i = 0; i < map_variable_count(map); i++, word += 2)
    map->dims[i] = (Variable){.bounds = read_interval(word)};
  return word;
}

static const Map *read_answer(MapContext *context, const Map *given, const uint64_t *word) {
  if (word[0] == MAP_KNOWN_EMPTY) return map_known_empty(context);
  assert(word[0] == MAP_PLAIN);
  Map *map = map_create_unset(context, given->dim_count, given->range_count, given->runtime_count,
      given->result_count, (uint32_t)word[1]);
  map->sources = given->sources;
  word = read_variables(word + 2, map);
  for (uint32_t i = 0; i < map->constraint_count; i++, word += 3)
    map->constraints[i] = (Constraint){{(uint32_t)word[0]}, read_interval(word + 1)};
  for (uint32_t i = 0; i < map->result_count; i++) map->results[i] = (Expr){(uint32_t)*word++};
  assert(map_is_whole(context, map));
  return map;
}

/* ---- the table ---- */

static void recall_make_space(Simplifier *simplifier, Recall *memo, uint32_t more) {
  if (memo->items == nullptr) {
    memo->items = arena_alloc_unset(simplifier->arena, slots, sizeof *memo->items);
    memo->words = arena_alloc_unset(simplifier->arena, capacity, sizeof *memo->words);
  }
  if (capacity - memo->used < more) recall_forget(memo);
}

static bool may_remember(Simplifier *simplifier, const Map *map) {
  Recall *memo = simplifier->remembered;
  if (memo == nullptr) {
    memo = simplifier->remembered = ARENA_NEW(simplifier->arena, Recall, 1);
    memo->rewinds = simplifier->context->rewinds - 1;
  }
  memo->is_open = false;
  if (memo->rewinds != simplifier->context->rewinds) {
    recall_forget(memo);
    memo->rewinds = simplifier->context->rewinds;
    return false;
  }
  if (has_names(map) || 2 * words_of(map) > capacity) return false;
  recall_make_space(simplifier, memo, (uint32_t)(2 * words_of(map)));
  return true;
}

bool recall_find(Simplifier *simplifier, const Map *map, const SimplifyOptions *options,
    const Map **simplified) {
  if (!may_remember(simplifier, map)) return false;
  Recall *memo = simplifier->remembered;
  uint64_t *key = memo->words + memo->used;
  memo->queries++;
  memo->key_words = write_key(simplifier, map, options != nullptr && options->keep_points, key);
  memo->hash = recall_hash_of(key, memo->key_words);
  uint32_t slot = memo->hash % slots;
  const Entry *entry = &memo->items[slot];
  bool is_here = (memo->taken[slot / 64] >> slot % 64 & 1) != 0 && entry->hash == memo->hash &&
                 entry->key_words == memo->key_words &&
                 memcmp(memo->words + entry->at, key, memo->key_words * sizeof *key) == 0;
  memo->is_open = !is_here;
  if (!is_here) return false;
  memo->hits++;
  assert(memo->hits <= memo->queries && entry->at + entry->key_words + entry->words <= capacity);
  *simplified = read_answer(simplifier->context, map, memo->words + entry->at + entry->key_words);
  return true;
}

void recall_add(Simplifier *simplifier, const Map *simplified) {
  Recall *memo = simplifier->remembered;
  if (memo == nullptr || !memo->is_open ||
      memo->key_words + words_of(simplified) > capacity - memo->used)
    return;
  assert(memo->rewinds == simplifier->context->rewinds);
  uint32_t words = write_answer(simplified, memo->words + memo->used + memo->key_words);
  uint32_t slot = memo->hash % slots;
  memo->taken[slot / 64] |= UINT64_C(1) << slot % 64;
  memo->items[slot] =
      (Entry){.hash = memo->hash, .at = memo->used, .key_words = memo->key_words, .words = words};
  memo->used += memo->key_words + words;
  assert(memo->used <= capacity);
  memo->is_open = false;
}
