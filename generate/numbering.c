/* A node represents a key. It stores the segments of choices that start at the key and end at the
 * next join or at the end of the case, in lexicographic order, each with the number of cases before
 * it. Segments are found by running the generator on the choices that lead to the node, followed by
 * the first untried ones. */
#include "generate/numbering.h"

#include <stdckdint.h>
#include <string.h>

#include "core/base/table.h"

static constexpr uint32_t no_node = UINT32_MAX;

typedef struct Segment {
  uint64_t before;       /* number of cases of the node before the segment */
  uint64_t choices;      /* index of its first choice */
  uint32_t length, next; /* next: the node after the segment; no_node: the case ends */
} Segment;

typedef struct ChoiceNode {
  ChoiceKey key;
  uint64_t count;
  uint64_t first; /* index of its first segment */
  uint32_t segments;
  bool is_counted;
} ChoiceNode;

struct ChoiceNumbering {
  Arena *arena;
  bool only_counts; /* no segments and no choices are stored */
  struct {
    uint32_t count, capacity;
    ChoiceNode *items;
  } nodes;
  struct {
    uint64_t count, capacity;
    Segment *items;
  } segments;
  struct {
    uint64_t count, capacity;
    uint64_t *items;
  } choices;
  Table table; /* maps keys to nodes */
};

ChoiceNumbering *numbering_create(Arena *arena) {
  ChoiceNumbering *numbering = ARENA_NEW(arena, ChoiceNumbering, 1);
  *numbering = (ChoiceNumbering){.arena = arena};
  return numbering;
}

ChoiceNumbering *numbering_create_counts(Arena *arena) {
  ChoiceNumbering *numbering = numbering_create(arena);
  numbering->only_counts = true;
  return numbering;
}

static bool keys_equal(const ChoiceKey *a, const ChoiceKey *b) {
  return a->count == b->count && memcmp(a->words, b->words, a->count * sizeof *a->words) == 0;
}

static uint64_t key_hash(const ChoiceKey *key) {
  uint64_t hash = key->count;
  for (uint32_t i = 0; i < key->count; i++) hash = hash_mix(hash * 31 + i, key->words[i]);
  return hash;
}

/* The node of a key, or the number of nodes if the key is new. */
static uint32_t node_find(const ChoiceNumbering *numbering, const ChoiceKey *key) {
  uint32_t node;
  for (TableProbe probe = table_probe(&numbering->table, key_hash(key));
      table_next(&numbering->table, &probe, &node);)
    if (keys_equal(&numbering->nodes.items[node].key, key)) return node;
  return numbering->nodes.count;
}

static uint32_t node_of(ChoiceNumbering *numbering, const ChoiceKey *key) {
  uint32_t node = node_find(numbering, key);
  if (node < numbering->nodes.count) return node;
  *ARENA_PUSH(numbering->arena, &numbering->nodes) = (ChoiceNode){.key = *key};
  table_add(&numbering->table, numbering->arena, key_hash(key), node);
  return node;
}

/* The choices of one run: the prefix that leads to the node, then the segment. */
typedef struct Exploration {
  Choices choices;
  Sequence sequence;
  uint64_t counts[sequence_capacity];
  uint32_t prefix, prefix_joins; /* lengths */
  uint32_t at, joins;            /* of this run */
  bool has_ended, is_rejected;
  ChoiceKey key; /* of the join that ended the segment */
} Exploration;

static uint64_t explore_choose(Choices *choices, uint64_t count) {
  Exploration *exploration = (Exploration *)choices;
  Sequence *sequence = &exploration->sequence;
  if (count == 1 || exploration->has_ended) return 0;
  uint32_t at = exploration->at++;
  if (at < sequence->count) return sequence->values[at];
  assert(at == sequence->count && at < sequence_capacity);
  exploration->counts[at] = count;
  sequence->values[sequence->count++] = 0;
  return 0;
}

static void explore_join(Choices *choices, const ChoiceKey *key) {
  Exploration *exploration = (Exploration *)choices;
  if (exploration->joins++ != exploration->prefix_joins) return;
  exploration->has_ended = true;
  exploration->key = *key;
}

static void explore_reject(Choices *choices) {
  Exploration *exploration = (Exploration *)choices;
  if (!exploration->has_ended) exploration->is_rejected = true;
}

/* Advances to the next segment for the next run. Returns false if there is none. */
static bool explore_next(Exploration *exploration) {
  Sequence *sequence = &exploration->sequence;
  while (sequence->count > exploration->prefix) {
    uint32_t last = sequence->count - 1;
    if (++sequence->values[last] < exploration->counts[last]) return true;
    sequence->count--;
  }
  return false;
}

/* The segments of a node during the search. They are stored only afterwards, because later nodes
 * store theirs in between. */
typedef struct SegmentList {
  uint32_t count, capacity;
  Segment *items;
} SegmentList;

static uint64_t cases_add(uint64_t a, uint64_t b) {
  uint64_t total;
  bool overflows = ckd_add(&total, a, b);
  assert(!overflows);
  return overflows ? UINT64_MAX : total;
}

static void node_count(ChoiceNumbering *numbering, uint32_t node, const Exploration *start,
    ChoiceGenerator *generate, void *generator);

static uint64_t cases_after(ChoiceNumbering *numbering, const Exploration *exploration,
    ChoiceGenerator *generate, void *generator, uint32_t *next) {
  *next = no_node;
  if (exploration->is_rejected) return 0;
  if (!exploration->has_ended) return 1;
  *next = node_of(numbering, &exploration->key);
  if (!numbering->nodes.items[*next].is_counted) {
    Exploration start = *exploration;
    start.prefix_joins++;
    node_count(numbering, *next, &start, generate, generator);
  }
  return numbering->nodes.items[*next].count;
}

static void segment_add(ChoiceNumbering *numbering, SegmentList *list,
    const Exploration *exploration, uint64_t before, uint32_t next) {
  uint32_t length = exploration->sequence.count - exploration->prefix;
  *ARENA_PUSH(numbering->arena, list) = (Segment){
      .before = before, .choices = numbering->choices.count, .length = length, .next = next};
  for (uint32_t i = 0; i < length; i++)
    *ARENA_PUSH(numbering->arena, &numbering->choices) =
        exploration->sequence.values[exploration->prefix + i];
}

static void segments_keep(ChoiceNumbering *numbering, ChoiceNode *node, const SegmentList *list) {
  node->first = numbering->segments.count;
  node->segments = list->count;
  for (uint32_t i = 0; i < list->count; i++)
    *ARENA_PUSH(numbering->arena, &numbering->segments) = list->items[i];
}

/* Counts the cases of a node. `start` has the choices and the number of joins that lead to it. The
 * recursion depth is the number of joins of a case. */
static void node_count(ChoiceNumbering *numbering, uint32_t node, const Exploration *start,
    ChoiceGenerator *generate, void *generator) {
  Exploration exploration = *start;
  SegmentList list = {};
  uint64_t count = 0;
  exploration.prefix = exploration.sequence.count;
  do {
    exploration.at = exploration.joins = 0;
    exploration.has_ended = exploration.is_rejected = false;
    generate(generator, &exploration.choices);
    uint32_t next;
    uint64_t cases = cases_after(numbering, &exploration, generate, generator, &next);
    if (cases > 0 && !numbering->only_counts)
      segment_add(numbering, &list, &exploration, count, next);
    count = cases_add(count, cases);
  } while (explore_next(&exploration));
  ChoiceNode *counted = &numbering->nodes.items[node];
  segments_keep(numbering, counted, &list);
  counted->count = count;
  counted->is_counted = true;
}

uint64_t numbering_count(
    ChoiceNumbering *numbering, const ChoiceKey *key, ChoiceGenerator *generate, void *generator) {
  static const ChoiceDriver driver = {explore_choose, explore_join, explore_reject};
  uint32_t node = node_of(numbering, key);
  if (!numbering->nodes.items[node].is_counted)
    node_count(numbering, node, &(Exploration){.choices = {&driver}}, generate, generator);
  return numbering->nodes.items[node].count;
}

/* The last segment that starts at case k or before, by binary search. */
static const Segment *segment_at(
    const ChoiceNumbering *numbering, const ChoiceNode *node, uint64_t k) {
  const Segment *segments = &numbering->segments.items[node->first];
  uint32_t low = 0, high = node->segments;
  assert(k < node->count && high > 0);
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (segments[middle].before <= k) low = middle;
    else high = middle;
  }
  return &segments[low];
}

void numbering_at(
    const ChoiceNumbering *numbering, const ChoiceKey *key, uint64_t k, Sequence *sequence) {
  uint32_t node = node_find(numbering, key);
  assert(!numbering->only_counts && node < numbering->nodes.count);
  sequence->count = 0;
  while (node != no_node) {
    const Segment *segment = segment_at(numbering, &numbering->nodes.items[node], k);
    k -= segment->before;
    for (uint32_t i = 0; i < segment->length; i++)
      sequence->values[sequence->count + i] = numbering->choices.items[segment->choices + i];
    sequence->count += segment->length;
    node = segment->next;
  }
  assert(k == 0);
}
