/* Computes, moves and draws values. Recursion is at most value_max_depth deep; deeper arithmetic is
 * rejected. */
#include "oracle/evaluate/values.h"

#include "core/base/hash.h"
#include "core/base/stack.h"
#include "oracle/semantics/arithmetic.h"
#include "oracle/semantics/reading.h"
#include "oracle/evaluate/free_draw.h"
#include "oracle/evaluate/value_form.h"

static constexpr uint32_t most_askings = 4;

void values_create(Values *values, Flow *flow) {
  *values = (Values){.arena = flow->arena,
      .flow = flow,
      .rejection = flow->rejection,
      .path = 1,
      .enumeration = 1};
}

static uint64_t values_hash_of(const Node *node, uint32_t leaf, int64_t element) {
  return hash_mix((uint64_t)node->number << 32 | leaf, (uint64_t)element);
}

static ValueEntry *entry_in(
    ValueEntry *table, uint32_t mask, const Node *node, uint32_t leaf, int64_t element) {
  uint64_t at = values_hash_of(node, leaf, element) & mask;
  for (; table[at].node != nullptr; at = (at + 1) & mask)
    if (table[at].node == node && table[at].leaf == leaf && table[at].element == element) break;
  return &table[at];
}

static void values_grow(Values *values) {
  uint32_t mask = values->table == nullptr ? 63 : 2 * values->table_mask + 1;
  ValueEntry *table = ARENA_NEW(values->arena, ValueEntry, mask + 1);
  for (uint32_t i = 0; values->table != nullptr && i <= values->table_mask; i++) {
    const ValueEntry *old = &values->table[i];
    if (old->node != nullptr) *entry_in(table, mask, old->node, old->leaf, old->element) = *old;
  }
  values->table = table;
  values->table_mask = mask;
}

/* The entry of an element, added if it is new. Valid until the next call. */
static ValueEntry *entry_of(Values *values, const Node *node, uint32_t leaf, int64_t element) {
  if (values->table == nullptr || 2 * values->used > values->table_mask) values_grow(values);
  ValueEntry *entry = entry_in(values->table, values->table_mask, node, leaf, element);
  if (entry->node == nullptr) {
    *entry = (ValueEntry){.node = node, .leaf = leaf, .element = element};
    values->used++;
  }
  return entry;
}

static bool has_candidates(const ChosenValue *chosen, Wide lo, Wide hi) {
  uint32_t first = 0, end = chosen->count;
  while (first < end) {
    uint32_t middle = first + (end - first) / 2;
    if (chosen->items[middle] < lo) first = middle + 1;
    else end = middle;
  }
  return hi - lo < chosen->count - first && chosen->items[first] == lo &&
         chosen->items[first + (uint32_t)(hi - lo)] == hi;
}

/* Adds lo .. hi to the candidates of a draw; true if something was new. */
static bool values_widen(Values *values, ChosenValue *chosen, Wide lo, Wide hi) {
  assert(lo <= hi && hi - lo < value_capacity);
  uint32_t old = chosen->count;
  Wide *items = chosen->items;
  if (has_candidates(chosen, lo, hi)) return false;
  Wide *merged = ARENA_NEW(values->arena, Wide, old + (uint32_t)(hi - lo + 1));
  uint32_t count = 0, i = 0;
  for (; i < old && items[i] < lo; i++) merged[count++] = items[i];
  for (Wide value = lo; value <= hi; value++) merged[count++] = value;
  for (; i < old; i++)
    if (items[i] > hi) merged[count++] = items[i];
  assert(count >= old);
  chosen->items = merged;
  chosen->count = count;
  return count > old;
}

static bool include_range(Values *values, ChosenValue *chosen, Wide lo, Wide hi) {
  const Leaf *leaf = &chosen->node->leaves[chosen->leaf];
  if (leaf->shape->type == TYPE_pred) {
    lo = 0;
    hi = 1;
  } else if (element_type_is_integral(leaf->shape->type)) {
    lo = wide_clamp(lo, integer_lowest(leaf->shape->type), integer_highest(leaf->shape->type));
    hi = wide_clamp(hi, integer_lowest(leaf->shape->type), integer_highest(leaf->shape->type));
  }
  if (hi < lo) hi = lo;
  if (hi - lo < value_capacity) return values_widen(values, chosen, lo, hi);
  values->was_cut = true;
  bool below = values_widen(values, chosen, lo, lo + 64);
  return values_widen(values, chosen, hi - 64, hi) || below;
}

static bool include_ranges(Values *values, ChosenValue *chosen, const Ranges *ranges) {
  bool is_new = false;
  values->was_cut = values->was_cut || ranges->is_cut;
  for (uint32_t i = 0; i < ranges->count; i++)
    is_new = include_range(values, chosen, ranges->lo[i], ranges->hi[i]) || is_new;
  return is_new;
}

static uint64_t next_random(Values *values) {
  values->random = hash_mix(values->random, UINT64_C(0x5851f42d4c957f2d));
  return values->random;
}

static uint32_t values_choose(Values *values, const ChosenValue *chosen) {
  assert(chosen->count > 0);
  switch (values->mode) {
    case DRAW_IN_ORDER:
      return values->position < values->prefix ? values->tape.items[values->position]->choice : 0;
    case DRAW_LOWEST: return 0;
    case DRAW_HIGHEST: return chosen->count - 1;
    case DRAW_RANDOM: break;
  }
  return (uint32_t)(next_random(values) % chosen->count);
}

/* Draws a value under the current assignment, or returns the value already drawn. */
static Wide values_draw(Values *values, ChosenValue *chosen) {
  assert(chosen->items != nullptr);
  if (chosen->path == values->path) return chosen->items[chosen->choice];
  uint32_t choice = values_choose(values, chosen);
  assert(choice < chosen->count);
  assert(values->mode != DRAW_IN_ORDER || values->position >= values->prefix ||
         values->tape.items[values->position] == chosen);
  if (values->position == values->tape.count) (void)ARENA_PUSH(values->arena, &values->tape);
  values->tape.items[values->position++] = chosen;
  chosen->path = values->path;
  chosen->choice = choice;
  chosen->source = draw_source(values, chosen);
  values->is_doubtful = values->is_doubtful || chosen->source == nullptr;
  return chosen->items[choice];
}

static Wide draw_element(
    Values *values, const Node *node, uint32_t leaf, int64_t element, const Ranges *ranges) {
  ValueEntry *entry = entry_of(values, node, leaf, element);
  if (entry->chosen == nullptr) {
    entry->chosen = ARENA_NEW(values->arena, ChosenValue, 1);
    *entry->chosen = (ChosenValue){.node = node, .leaf = leaf, .element = element};
    (void)include_ranges(values, entry->chosen, ranges);
  } else {
    uint32_t before = entry->chosen->count;
    Wide kept =
        entry->chosen->path == values->path ? entry->chosen->items[entry->chosen->choice] : 0;
    if (include_ranges(values, entry->chosen, ranges)) values->was_widened = true;
    for (uint32_t i = 0; entry->chosen->count > before && entry->chosen->path == values->path &&
                         i < entry->chosen->count;
        i++)
      if (entry->chosen->items[i] == kept) entry->chosen->choice = i;
  }
  return values_draw(values, entry->chosen);
}

static bool values_compute(
    Values *values, const Node *node, int64_t element, const Ranges *ranges, Wide *value);

/* The value of the one element that a moving operation passes on. */
static bool values_move(Values *values, const Node *node, uint32_t leaf, int64_t element,
    const Ranges *ranges, Wide *value) {
  int64_t at[oracle_max_rank] = {};
  uint32_t first, end;
  Read few[4];
  index_operands(node->instruction, &first, &end);
  Reading reading = {.arena = values->arena,
      .rejection = values->rejection,
      .values = values,
      .read_value = values_read,
      .operand_limit = first < end ? first : UINT32_MAX,
      .capacity = 4,
      .items = few};
  leaf_index(&node->leaves[leaf], element, at);
  if (!read_operation(&reading, node, leaf, element, at)) return false;
  if (reading.count != 1)
    return reject(values->rejection, REASON_UNSUPPORTED,
        "the value of '%s' is not one element of an operand", node->instruction->name);
  const Read *read = &reading.items[0];
  assert(read->operand < node->operand_count);
  const Node *from = node->operands[read->operand];
  ElementType to = node->leaves[leaf].shape->type;
  bool is_cast =
      node->instruction->opcode == HLO_BITCAST || node->instruction->opcode == HLO_BITCAST_CONVERT;
  Ranges moved;
  if (is_cast) ranges_of_wrapped(&moved, from->leaves[read->leaf].shape->type, to, ranges);
  ValueQuery query = {.ranges = is_cast ? &moved : ranges, .user = node, .user_element = element};
  if (!value_of(values, from, read->leaf, read->element, query, value)) return false;
  if (is_cast) *value = integer_wrap(to, *value);
  return true;
}

static bool iota(const Node *node, int64_t element, Wide *value) {
  int64_t at[oracle_max_rank] = {};
  leaf_index(&node->leaves[0], element, at);
  *value = integer_wrap(node->leaves[0].shape->type, at[node->instruction->number]);
  return true;
}

/* Whether the computed number takes every value of its type if its operand, or the one that is not
 * fixed, does. */
static bool is_onto(const Node *node) {
  Opcode opcode = node->instruction->opcode;
  ElementType from = node->operands[0]->leaves[0].shape->type, to = node->leaves[0].shape->type;
  if (opcode == HLO_ADD || opcode == HLO_SUBTRACT)
    return node->operands[0]->is_fixed || node->operands[1]->is_fixed;
  if (opcode == HLO_CONVERT)
    return from != TYPE_pred && to != TYPE_pred && element_type_bits(from) >= element_type_bits(to);
  return opcode == HLO_NEGATE || opcode == HLO_NOT;
}

/* A few values of a number that cannot have all of them may lack an outcome. */
static bool values_compute_cut(
    Values *values, const Node *node, int64_t element, const Ranges *ranges, Wide *value) {
  Ranges cut = *ranges;
  cut.is_cut = true;
  return values_compute(values, node, element, &cut, value);
}

static bool values_evaluate(Values *values, const Node *node, uint32_t leaf, int64_t element,
    const Ranges *ranges, Wide *value) {
  switch (value_form(node)) {
    case VALUE_LITERAL:
      *value =
          integer_wrap(node->leaves[0].shape->type, node->instruction->literal.values[element]);
      return true;
    case VALUE_IOTA: return iota(node, element, value);
    case VALUE_COMPUTED:
      if (ranges->is_partial && !ranges->is_cut && !is_onto(node))
        return values_compute_cut(values, node, element, ranges, value);
      return values_compute(values, node, element, ranges, value);
    case VALUE_MOVED: return values_move(values, node, leaf, element, ranges, value);
    case VALUE_CHOSEN: break;
  }
  *value = draw_element(values, node, leaf, element, ranges);
  return true;
}

/* The ranges that were passed on under the current assignment. */
static void entry_ranges(const ValueEntry *entry, Ranges *ranges) {
  if (entry->has_many) *ranges = *entry->ranges;
  else ranges_set(ranges, entry->lo, entry->hi);
}

static void values_remember(Values *values, const Node *node, uint32_t leaf, int64_t element,
    const Ranges *ranges, Wide value) {
  ValueEntry *entry = entry_of(values, node, leaf, element);
  bool is_known = entry->path == values->path;
  Ranges all;
  if (is_known) {
    entry_ranges(entry, &all);
    for (uint32_t i = 0; i < ranges->count; i++) ranges_add(&all, ranges->lo[i], ranges->hi[i]);
    ranges = &all;
  }
  entry->has_many = ranges->count > 1;
  if (entry->has_many && entry->ranges == nullptr)
    entry->ranges = ARENA_NEW(values->arena, Ranges, 1);
  if (entry->has_many) *entry->ranges = *ranges;
  entry->lo = ranges->lo[0];
  entry->hi = ranges->hi[0];
  entry->is_cut = ranges->is_cut || (is_known && entry->is_cut);
  entry->askings = is_known ? entry->askings + 1 : 1;
  entry->path = values->path;
  entry->value = value;
}

static bool is_covered(const ValueEntry *entry, const Ranges *ranges) {
  if (ranges->is_cut && !entry->is_cut) return false;
  if (entry->has_many) return ranges_contain(entry->ranges, ranges);
  for (uint32_t i = 0; i < ranges->count; i++)
    if (ranges->lo[i] < entry->lo || ranges->hi[i] > entry->hi) return false;
  return true;
}

/* Reuses a value known under the current assignment if it is fixed, or if earlier queries had
 * wider ranges. After most_askings queries with growing ranges it is reused as well, and the
 * enumeration is then incomplete. */
static bool recall(Values *values, const Node *node, uint32_t leaf, int64_t element,
    const Ranges *ranges, Wide *value) {
  const ValueEntry *entry = entry_of(values, node, leaf, element);
  if (entry->path != values->path) return false;
  bool is_known = node->is_fixed || is_covered(entry, ranges);
  if (!is_known && entry->askings < most_askings) return false;
  if (!is_known) values->was_cut = true;
  *value = entry->value;
  return true;
}

/* Whether partial ranges meet the ranges of another user in this enumeration. */
static bool is_shared(
    Values *values, const Node *node, uint32_t leaf, int64_t element, const ValueQuery *query) {
  ValueEntry *entry = entry_of(values, node, leaf, element);
  if (entry->enumeration != values->enumeration) {
    entry->enumeration = values->enumeration;
    entry->has_whole = false;
    entry->partial = nullptr;
  }
  bool is_partial = query->ranges->is_partial, is_other = false;
  assert(!is_partial || query->user != nullptr);
  if (!is_partial) entry->has_whole = true;
  else if (entry->partial == nullptr) {
    entry->partial = query->user;
    entry->partial_element = query->user_element;
  } else is_other = entry->partial != query->user || entry->partial_element != query->user_element;
  return entry->partial != nullptr && (entry->has_whole || is_other);
}

static bool values_find(Values *values, const Node *node, uint32_t leaf, int64_t element,
    const Ranges *ranges, Wide *value) {
  if (recall(values, node, leaf, element, ranges, value)) return true;
  if (values->depth >= value_max_depth)
    return reject(values->rejection, REASON_TOO_LARGE,
        "index arithmetic after '%s' is more than %u operations deep", node->instruction->name,
        value_max_depth);
  if (stack_is_low()) return reject(values->rejection, REASON_TOO_LARGE, "%s", stack_low_text);
  values->depth++;
  bool done = values_evaluate(values, node, leaf, element, ranges, value);
  values->depth--;
  if (done) values_remember(values, node, leaf, element, ranges, *value);
  return done;
}

bool value_of(Values *values, const Node *node, uint32_t leaf, int64_t element, ValueQuery query,
    Wide *value) {
  if (!values->flow->is_fixed_known && !flow_know_fixed(values->flow)) return false;
  if (node->is_input) {
    Node *outside;
    if (!flow_outside(values->flow, values->flow->inputs[node->input], &outside)) return false;
    node = outside;
  }
  assert(leaf < node->leaf_count && element >= 0 && element < node->leaves[leaf].elements);
  if (query.ranges->is_cut || node->is_fixed || !is_shared(values, node, leaf, element, &query))
    return values_find(values, node, leaf, element, query.ranges, value);
  Ranges cut = *query.ranges;
  cut.is_cut = true;
  return values_find(values, node, leaf, element, &cut, value);
}

/* `other` is the value of the other operand of two, if that operand is fixed. */
static bool operand_value(Values *values, const Node *node, uint32_t operand, int64_t element,
    const Wide *other, const Ranges *ranges, Wide *value) {
  const Node *from = node->operands[operand];
  Ranges of_operand;
  if (!from->is_fixed) {
    ranges_of_operand(&of_operand, node, operand, other, ranges);
    ranges = &of_operand;
  }
  return value_of(values, from, 0, from->leaves[0].rank == 0 ? 0 : element,
      (ValueQuery){.ranges = ranges, .user = node, .user_element = element}, value);
}

/* A fixed operand comes first, because its value decides the ranges of the other. */
static bool compute_two(
    Values *values, const Node *node, int64_t element, const Ranges *ranges, Wide *operands) {
  uint32_t first = node->operands[0]->is_fixed ? 0 : 1, second = 1 - first;
  if (!operand_value(values, node, first, element, nullptr, ranges, &operands[first])) return false;
  const Wide *other = node->operands[first]->is_fixed ? &operands[first] : nullptr;
  return operand_value(values, node, second, element, other, ranges, &operands[second]);
}

static bool values_compute(
    Values *values, const Node *node, int64_t element, const Ranges *ranges, Wide *value) {
  Wide operands[3] = {};
  if (node->operand_count > 3)
    return reject(values->rejection, REASON_UNSUPPORTED, "'%s' has too many operands",
        node->instruction->name);
  if (node->operand_count == 2) {
    if (!compute_two(values, node, element, ranges, operands)) return false;
  } else {
    for (uint32_t i = 0; i < node->operand_count; i++)
      if (!operand_value(values, node, i, element, nullptr, ranges, &operands[i])) return false;
  }
  if (integer_apply(node->instruction, node->operands[0]->leaves[0].shape->type, operands, value))
    return true;
  *value = draw_element(values, node, 0, element, ranges);
  return true;
}

bool values_read(
    Reading *reading, uint32_t operand, int64_t element, Wide lo, Wide hi, Wide *value) {
  Ranges ranges;
  ranges_set(&ranges, lo, hi);
  return value_of(reading->values, reading->node->operands[operand], 0, element,
      (ValueQuery){.ranges = &ranges}, value);
}

static void values_renumber(Values *values) {
  values->numbering++;
  values->next_place = 1;
}

void values_restart(Values *values) {
  values_renumber(values);
  values->mode = DRAW_IN_ORDER;
  values->prefix = 0;
  values->enumeration++;
}

void values_begin(Values *values) {
  values->path++;
  values->position = 0;
  values->computed.count = 0;
  values->is_doubtful = false;
  values->is_tangled = false;
  values->was_widened = false;
}

/* Advances the last draw that has a next value; later draws start anew. */
bool values_next(Values *values) {
  assert(values->mode == DRAW_IN_ORDER);
  if (values->was_widened) {
    values_renumber(values);
    values->prefix = 0;
    return true;
  }
  uint32_t at = values->position;
  while (at > 0 && values->tape.items[at - 1]->choice + 1 == values->tape.items[at - 1]->count)
    at--;
  values->prefix = at;
  assert(at <= values->tape.count);
  if (at == 0) return false;
  values->tape.items[at - 1]->choice++;
  return true;
}

uint64_t values_estimate(const Values *values, uint64_t most) {
  uint64_t product = 1;
  for (uint32_t i = 0; i < values->position && product <= most; i++)
    product *= values->tape.items[i]->count;
  return product > most ? most + 1 : product;
}

bool values_number(Values *values, uint64_t most, uint64_t *number) {
  *number = 0;
  for (uint32_t i = 0; i < values->position; i++) {
    ChosenValue *chosen = values->tape.items[i];
    if (chosen->source != nullptr && !values->is_tangled) continue;
    if (chosen->numbering != values->numbering) {
      if (values->next_place > most / (chosen->count + 1)) return false;
      chosen->numbering = values->numbering;
      chosen->place = values->next_place;
      values->next_place *= chosen->count + 1;
    }
    *number += (chosen->choice + 1) * chosen->place;
  }
  return true;
}

void values_begin_sample(Values *values, uint64_t seed, uint64_t number) {
  values_begin(values);
  values->mode = number == 0 ? DRAW_LOWEST : number == 1 ? DRAW_HIGHEST : DRAW_RANDOM;
  values->random = hash_mix(seed, number);
}

void values_print(Text *text, const Values *values) {
  for (uint32_t i = 0; i < values->position && i < 6; i++) {
    const ChosenValue *chosen = values->tape.items[i];
    const Leaf *leaf = &chosen->node->leaves[chosen->leaf];
    int64_t at[oracle_max_rank] = {};
    leaf_index(leaf, chosen->element, at);
    text_string(text, i == 0 ? "" : ", ");
    text_string(text, chosen->node->instruction->name);
    for (uint32_t k = 0; k < leaf->rank; k++)
      text_printf(
          text, "%s%lld%s", k == 0 ? "[" : ",", (long long)at[k], k + 1 == leaf->rank ? "]" : "");
    text_printf(text, " = %lld", (long long)chosen->items[chosen->choice]);
  }
  if (values->position > 6) text_string(text, ", ...");
}
