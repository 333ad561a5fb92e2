/* Interning and order of sums and atoms. Tables use open addressing with linear probing and are at
 * most half full. A slot with another call's stamp counts as free, so that clearing a table is one
 * increment. The recursion of the comparisons is as deep as atoms nest, at most
 * normal_max_depth. */
#include "core/simplify/normal/normal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/checked.h"
#include "core/base/hash.h"

static constexpr uint32_t no_lead = UINT32_MAX;
static constexpr uint32_t first_slots = 256;

static NodeTable create_table(Arena *arena) {
  return (NodeTable){.slots = ARENA_NEW(arena, NodeSlot, first_slots), .mask = first_slots - 1};
}

void normal_create(Normal *normal, Arena *arena) {
  *normal =
      (Normal){.arena = arena, .nodes = bump_create(arena), .temp = bump_create(arena), .stamp = 1};
  normal->atoms = create_table(arena);
  normal->sums = create_table(arena);
}

static void clear_table(NodeTable *table) {
  memset(table->slots, 0, ((size_t)table->mask + 1) * sizeof *table->slots);
}

void normal_reset(Normal *normal) {
  bump_reset(&normal->nodes);
  bump_reset(&normal->temp);
  assert(2 * normal->atoms.count <= normal->atoms.mask + 1);
  normal->atoms.count = 0;
  normal->sums.count = 0;
  if (++normal->stamp != 0) return;
  clear_table(&normal->atoms);
  clear_table(&normal->sums);
  normal->stamp = 1;
}

static void grow_table(Normal *normal, NodeTable *table) {
  NodeTable larger = {.mask = 2 * table->mask + 1, .count = table->count};
  larger.slots = ARENA_NEW(normal->arena, NodeSlot, (size_t)larger.mask + 1);
  for (uint32_t i = 0; i <= table->mask; i++) {
    if (table->slots[i].stamp != normal->stamp) continue;
    uint32_t at = table->slots[i].hash & larger.mask;
    while (larger.slots[at].stamp == normal->stamp) at = (at + 1) & larger.mask;
    larger.slots[at] = table->slots[i];
  }
  assert(larger.count <= larger.mask / 2);
  *table = larger;
}

static void insert_node(Normal *normal, NodeTable *table, uint32_t hash, void *node) {
  if (2 * table->count >= table->mask) grow_table(normal, table);
  uint32_t at = hash & table->mask;
  while (table->slots[at].stamp == normal->stamp) at = (at + 1) & table->mask;
  assert(normal->stamp != 0 && node != nullptr);
  table->slots[at] = (NodeSlot){.stamp = normal->stamp, .hash = hash, .node = node};
  table->count++;
}

static uint32_t fold_hash(uint64_t hash) { return (uint32_t)(hash ^ hash >> 32); }

/* ---- order ---- */

static uint32_t class_of(ExprOp op) {
  switch (op) {
    case EXPR_MUL: return 0;
    case EXPR_MOD: return 1;
    case EXPR_FLOORDIV: return 2;
    case EXPR_CEILDIV: return 3;
    case EXPR_MIN: return 4;
    case EXPR_MAX: return 5;
    case EXPR_VAR: return 6;
    case EXPR_ADD: return 7;
    case EXPR_CONST: break;
  }
  assert(false);
  return 8;
}

static constexpr uint32_t last_lead = (1u << 24) - 1;

static uint32_t lead_of_variable(VarKind kind, uint32_t index) {
  return (uint32_t)kind << 24 | (index < last_lead ? index : last_lead);
}

static uint32_t lead_of_atom(const NormalAtom *atom) {
  if (atom->op == EXPR_VAR) return lead_of_variable(atom->var_kind, atom->var_index);
  uint32_t lead = no_lead;
  for (uint32_t i = 0; i < atom->count; i++)
    if (atom->arguments[i]->lead < lead) lead = atom->arguments[i]->lead;
  return lead;
}

static uint64_t key_of(const NormalAtom *atom) {
  uint64_t low = atom->op == EXPR_ADD                  ? 0
                 : atom->op == EXPR_VAR                ? atom->var_index
                 : atom->divisor < (int64_t)UINT32_MAX ? (uint64_t)atom->divisor
                                                       : UINT32_MAX;
  uint64_t lead = lead_of_atom(atom) & ((1u << 26) - 1);
  return (uint64_t)class_of(atom->op) << 58 | lead << 32 | low;
}

static int compare_arguments(const NormalAtom *a, const NormalAtom *b) {
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  for (uint32_t i = 0; i < a->count; i++) {
    int order = sum_compare(a->arguments[i], b->arguments[i]);
    if (order != 0) return order;
  }
  return order64(a->divisor, b->divisor);
}

int atom_compare(const NormalAtom *a, const NormalAtom *b) {
  if (a == b) return 0;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  if (a->op == EXPR_ADD) return strcmp(a->text, b->text);
  return compare_arguments(a, b);
}

int sum_compare(const NormalSum *a, const NormalSum *b) {
  if (a == b) return 0;
  uint32_t shared = a->count < b->count ? a->count : b->count;
  for (uint32_t i = 0; i < shared; i++) {
    int order = atom_compare(a->items[i].atom, b->items[i].atom);
    if (order == 0) order = order64(a->items[i].coefficient, b->items[i].coefficient);
    if (order != 0) return order;
  }
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  return order64(a->constant, b->constant);
}

/* ---- interning ---- */

static bool same_atom(const NormalAtom *a, const NormalAtom *b) {
  return a->key == b->key && a->op == b->op && a->divisor == b->divisor && a->count == b->count &&
         (a->count == 0 ||
             memcmp(a->arguments, b->arguments, a->count * sizeof *a->arguments) == 0);
}

static uint32_t hash_atom(const NormalAtom *atom) {
  uint64_t hash = hash_mix(atom->key, (uint64_t)atom->divisor);
  for (uint32_t i = 0; i < atom->count; i++) hash = hash_mix(hash, atom->arguments[i]->hash);
  return fold_hash(hash);
}

static uint16_t depth_of_arguments(const NormalAtom *atom) {
  uint16_t depth = 0;
  for (uint32_t i = 0; i < atom->count; i++)
    if (atom->arguments[i]->depth > depth) depth = atom->arguments[i]->depth;
  return (uint16_t)(depth + 1);
}

static uint64_t limited(uint64_t weight) { return weight < weight_limit ? weight : weight_limit; }

static uint64_t weight_of(const NormalAtom *atom) {
  if (atom->op == EXPR_VAR) return 1;
  uint64_t weight = 0;
  for (uint32_t i = 0; i < atom->count; i++) weight = limited(weight + atom->arguments[i]->weight);
  switch (atom->op) {
    case EXPR_FLOORDIV: return limited(2 * weight);
    case EXPR_CEILDIV: return limited(2 * weight + 1);
    case EXPR_MOD:
    case EXPR_MUL: return limited(weight + 1);
    case EXPR_MIN:
    case EXPR_MAX: return limited(weight + atom->count - 1);
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_ADD: break;
  }
  assert(false);
  return weight;
}

/* Of the draft only op, divisor, count and arguments are used, with key and hash, which are set
 * here. Most atoms exist already and need nothing else. */
static NormalAtom *new_atom(Normal *normal, const NormalAtom *draft, uint16_t depth) {
  NormalAtom *atom = BUMP_NEW(&normal->nodes, NormalAtom, 1);
  *atom = (NormalAtom){.op = draft->op,
      .divisor = draft->divisor,
      .count = draft->count,
      .key = draft->key,
      .hash = draft->hash,
      .depth = depth};
  atom->all_ops = (uint16_t)(1u << draft->op);
  atom->arguments = BUMP_NEW(&normal->nodes, NormalSum *, draft->count);
  for (uint32_t i = 0; i < draft->count; i++) {
    atom->arguments[i] = draft->arguments[i];
    atom->all_ops |= draft->arguments[i]->all_ops;
  }
  return atom;
}

static NormalAtom *intern_atom(Normal *normal, NormalAtom *draft, bool *is_new) {
  *is_new = false;
  uint16_t depth = depth_of_arguments(draft);
  if (depth > normal_max_depth) return nullptr;
  draft->key = key_of(draft);
  draft->hash = hash_atom(draft);
  const NodeTable *table = &normal->atoms;
  for (uint32_t at = draft->hash & table->mask; table->slots[at].stamp == normal->stamp;
      at = (at + 1) & table->mask)
    if (table->slots[at].hash == draft->hash && same_atom(table->slots[at].node, draft))
      return table->slots[at].node;
  NormalAtom *atom = new_atom(normal, draft, depth);
  insert_node(normal, &normal->atoms, draft->hash, atom);
  *is_new = true;
  return atom;
}

bool atom_is_canonical(const NormalAtom *atom) {
  bool is_division = atom->op == EXPR_FLOORDIV || atom->op == EXPR_CEILDIV || atom->op == EXPR_MOD;
  if (atom->op == EXPR_VAR || atom->op == EXPR_ADD) return atom->count == 0;
  if (is_division) return atom->count == 1 && atom->divisor > 0;
  for (uint32_t i = 1; i < atom->count; i++)
    if (sum_compare(atom->arguments[i - 1], atom->arguments[i]) > 0) return false;
  return atom->count >= 2;
}

bool summands_are_canonical(const Summand *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (items[i].coefficient == 0 || (i > 0 && atom_compare(items[i - 1].atom, items[i].atom) >= 0))
      return false;
  return true;
}

static NormalAtom *intern_weighed(Normal *normal, NormalAtom *draft) {
  bool is_new;
  NormalAtom *atom = intern_atom(normal, draft, &is_new);
  if (is_new) atom->weight = weight_of(atom);
  assert(atom == nullptr || atom_is_canonical(atom));
  return atom;
}

/* Not in the table, because a call creates each variable once. */
NormalAtom *atom_variable(Normal *normal, VarKind kind, uint32_t index) {
  NormalAtom *atom = BUMP_NEW(&normal->nodes, NormalAtom, 1);
  *atom = (NormalAtom){.op = EXPR_VAR,
      .var_kind = kind,
      .var_index = index,
      .depth = 1,
      .all_ops = 1u << EXPR_VAR,
      .weight = 1};
  atom->key = key_of(atom);
  atom->hash = hash_atom(atom);
  return atom;
}

NormalAtom *atom_division(Normal *normal, ExprOp op, NormalSum *argument, int64_t divisor) {
  assert(divisor > 0 && (op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD));
  NormalAtom draft;
  draft.op = op;
  draft.divisor = divisor;
  draft.count = 1;
  draft.arguments = &argument;
  return intern_weighed(normal, &draft);
}

NormalAtom *atom_stated(Normal *normal, Expr expr, const char *text, uint32_t tree_size) {
  bool is_new;
  NormalAtom *atom =
      intern_atom(normal, &(NormalAtom){.op = EXPR_ADD, .divisor = expr.at}, &is_new);
  assert(atom != nullptr && tree_size > 0);
  atom->weight = tree_size;
  atom->text = text;
  atom->expr = expr;
  return atom;
}

static int compare_sums(const void *a, const void *b) {
  return sum_compare(*(NormalSum *const *)a, *(NormalSum *const *)b);
}

static void sort_arguments(NormalSum **arguments, uint32_t count) {
  if (count > 16) {
    qsort(arguments, count, sizeof *arguments, compare_sums);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    NormalSum *one = arguments[i];
    uint32_t at = i;
    for (; at > 0 && sum_compare(arguments[at - 1], one) > 0; at--)
      arguments[at] = arguments[at - 1];
    arguments[at] = one;
  }
}

uint32_t sums_distinct(NormalSum **sums, uint32_t count) {
  sort_arguments(sums, count);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (kept == 0 || sums[kept - 1] != sums[i]) sums[kept++] = sums[i];
  assert(kept <= count && (count == 0 || kept > 0));
  return kept;
}

NormalAtom *atom_combined(Normal *normal, ExprOp op, NormalSum **arguments, uint32_t count) {
  assert(count >= 2 && (op == EXPR_MUL || op == EXPR_MIN || op == EXPR_MAX));
  sort_arguments(arguments, count);
  return intern_weighed(normal, &(NormalAtom){.op = op, .count = count, .arguments = arguments});
}

static uint32_t hash_items(const Summand *items, uint32_t count, int64_t constant) {
  uint64_t hash = (uint64_t)constant;
  for (uint32_t i = 0; i < count; i++)
    hash = hash_mix(hash + items[i].atom->hash, (uint64_t)items[i].coefficient);
  return fold_hash(hash);
}

static bool same_items(
    const NormalSum *sum, const Summand *items, uint32_t count, int64_t constant) {
  if (sum->count != count || sum->constant != constant) return false;
  for (uint32_t i = 0; i < count; i++)
    if (sum->items[i].atom != items[i].atom || sum->items[i].coefficient != items[i].coefficient)
      return false;
  return true;
}

static void summarize(NormalSum *sum) {
  sum->lead = no_lead;
  for (uint32_t i = 0; i < sum->count; i++) {
    const NormalAtom *atom = sum->items[i].atom;
    uint32_t lead = (uint32_t)(atom->key >> 32) & ((1u << 26) - 1);
    sum->weight = limited(sum->weight + atom->weight);
    sum->ops |= (uint16_t)(1u << atom->op);
    sum->all_ops |= atom->all_ops;
    sum->has_factors |= sum->items[i].coefficient != 1 && sum->items[i].coefficient != -1;
    if (lead < sum->lead) sum->lead = lead;
    if (atom->depth > sum->depth) sum->depth = atom->depth;
  }
}

NormalSum *sum_intern(Normal *normal, const Summand *items, uint32_t count, int64_t constant) {
  if (count == 1 && constant == 0 && items[0].coefficient == 1) return sum_atom(items[0].atom);
  uint32_t hash = hash_items(items, count, constant);
  const NodeTable *table = &normal->sums;
  for (uint32_t at = hash & table->mask; table->slots[at].stamp == normal->stamp;
      at = (at + 1) & table->mask)
    if (table->slots[at].hash == hash && same_items(table->slots[at].node, items, count, constant))
      return table->slots[at].node;
  assert(summands_are_canonical(items, count));
  NormalSum *sum = BUMP_NEW(&normal->nodes, NormalSum, 1);
  *sum = (NormalSum){.constant = constant, .count = count, .hash = hash};
  sum->items = BUMP_NEW(&normal->nodes, Summand, count);
  normal->numbers |= (uint64_t)(constant ^ constant >> 63);
  for (uint32_t i = 0; i < count; i++) {
    sum->items[i] = items[i];
    normal->numbers |= (uint64_t)(items[i].coefficient ^ items[i].coefficient >> 63);
  }
  summarize(sum);
  assert(count == 0 || (sum->lead != no_lead && sum->depth > 0) || sum->ops == 1u << EXPR_ADD);
  insert_node(normal, &normal->sums, hash, sum);
  return sum;
}

NormalSum *sum_constant(Normal *normal, int64_t value) {
  return sum_intern(normal, nullptr, 0, value);
}

NormalSum *sum_atom(NormalAtom *atom) {
  if (atom->alone.items == nullptr) {
    atom->self = (Summand){1, atom};
    atom->alone =
        (NormalSum){.items = &atom->self, .count = 1, .hash = hash_items(&atom->self, 1, 0)};
    summarize(&atom->alone);
  }
  return &atom->alone;
}
