/* Computes, moves and draws values. Recursion is at most value_max_depth deep; deeper arithmetic is
 * rejected. */
#include "oracle/evaluate/values.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/base/stack.h"
#include "oracle/semantics/arithmetic.h"
#include "oracle/semantics/reading.h"
#include "oracle/evaluate/value_form.h"

static constexpr uint32_t most_askings = 4;

void values_create(Values *values, Flow *flow) {
  *values = (Values){.arena = flow->arena, .flow = flow, .rejection = flow->rejection, .path = 1};
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

/* Adds lo .. hi to the candidates of a draw; true if something was new. */
static bool values_widen(Values *values, ChosenValue *chosen, Wide lo, Wide hi) {
  assert(lo <= hi && hi - lo < value_capacity);
  uint32_t old = chosen->count;
  Wide *items = chosen->items;
  if (old > 0 && items[old - 1] - items[0] == old - 1 && lo >= items[0] && hi <= items[old - 1])
    return false;
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
  if (chosen->path == values->path) return chosen->items[chosen->choice];
  uint32_t choice = values_choose(values, chosen);
  assert(choice < chosen->count);
  assert(values->mode != DRAW_IN_ORDER || values->position >= values->prefix ||
         values->tape.items[values->position] == chosen);
  if (values->position == values->tape.count) (void)ARENA_PUSH(values->arena, &values->tape);
  values->tape.items[values->position++] = chosen;
  chosen->path = values->path;
  chosen->choice = choice;
  return chosen->items[choice];
}

static Wide draw_element(
    Values *values, const Node *node, uint32_t leaf, int64_t element, Wide lo, Wide hi) {
  ValueEntry *entry = entry_of(values, node, leaf, element);
  if (entry->chosen == nullptr) {
    entry->chosen = ARENA_NEW(values->arena, ChosenValue, 1);
    *entry->chosen = (ChosenValue){.node = node, .leaf = leaf, .element = element};
    (void)include_range(values, entry->chosen, lo, hi);
  } else {
    uint32_t before = entry->chosen->count;
    Wide kept =
        entry->chosen->path == values->path ? entry->chosen->items[entry->chosen->choice] : 0;
    if (include_range(values, entry->chosen, lo, hi)) values->was_widened = true;
    for (uint32_t i = 0; entry->chosen->count > before && entry->chosen->path == values->path &&
                         i < entry->chosen->count;
        i++)
      if (entry->chosen->items[i] == kept) entry->chosen->choice = i;
  }
  return values_draw(values, entry->chosen);
}

static bool values_compute(
    Values *values, const Node *node, int64_t element, Wide lo, Wide hi, Wide *value);

/* The value of the one element that a moving operation passes on. */
static bool values_move(Values *values, const Node *node, uint32_t leaf, int64_t element, Wide lo,
    Wide hi, Wide *value) {
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
  if (!value_of(values, node->operands[read->operand], read->leaf, read->element, lo, hi, value))
    return false;
  if (node->instruction->opcode == HLO_BITCAST || node->instruction->opcode == HLO_BITCAST_CONVERT)
    *value = integer_wrap(node->leaves[leaf].shape->type, *value);
  return true;
}

static bool iota(const Node *node, int64_t element, Wide *value) {
  int64_t at[oracle_max_rank] = {};
  leaf_index(&node->leaves[0], element, at);
  *value = integer_wrap(node->leaves[0].shape->type, at[node->instruction->number]);
  return true;
}

static bool values_evaluate(Values *values, const Node *node, uint32_t leaf, int64_t element,
    Wide lo, Wide hi, Wide *value) {
  switch (value_form(node)) {
    case VALUE_LITERAL:
      *value =
          integer_wrap(node->leaves[0].shape->type, node->instruction->literal.values[element]);
      return true;
    case VALUE_IOTA: return iota(node, element, value);
    case VALUE_COMPUTED: return values_compute(values, node, element, lo, hi, value);
    case VALUE_MOVED: return values_move(values, node, leaf, element, lo, hi, value);
    case VALUE_CHOSEN: break;
  }
  *value = draw_element(values, node, leaf, element, lo, hi);
  return true;
}

static bool values_remember(Values *values, const Node *node, uint32_t leaf, int64_t element,
    Wide lo, Wide hi, Wide value) {
  ValueEntry *entry = entry_of(values, node, leaf, element);
  bool is_known = entry->path == values->path;
  entry->lo = is_known ? wide_min(entry->lo, lo) : lo;
  entry->hi = is_known ? wide_max(entry->hi, hi) : hi;
  entry->askings = is_known ? entry->askings + 1 : 1;
  entry->path = values->path;
  entry->value = value;
  return true;
}

/* Reuses a value known under the current assignment if it is fixed, or if an earlier query had a
 * wider range. After most_askings queries with growing ranges it is reused as well, and the
 * enumeration is then incomplete. */
static bool recall(Values *values, const Node *node, uint32_t leaf, int64_t element, Wide lo,
    Wide hi, Wide *value) {
  const ValueEntry *entry = entry_of(values, node, leaf, element);
  if (entry->path != values->path) return false;
  bool is_covered = node->is_fixed || (lo >= entry->lo && hi <= entry->hi);
  if (!is_covered && entry->askings < most_askings) return false;
  if (!is_covered) values->was_cut = true;
  *value = entry->value;
  return true;
}

bool value_of(Values *values, const Node *node, uint32_t leaf, int64_t element, Wide lo, Wide hi,
    Wide *value) {
  if (!values->flow->is_fixed_known && !flow_know_fixed(values->flow)) return false;
  if (node->is_input) {
    Node *outside;
    if (!flow_outside(values->flow, values->flow->inputs[node->input], &outside)) return false;
    node = outside;
  }
  assert(leaf < node->leaf_count && element >= 0 && element < node->leaves[leaf].elements);
  if (recall(values, node, leaf, element, lo, hi, value)) return true;
  if (values->depth >= value_max_depth)
    return reject(values->rejection, REASON_TOO_LARGE,
        "index arithmetic after '%s' is more than %u operations deep", node->instruction->name,
        value_max_depth);
  if (stack_is_low()) return reject(values->rejection, REASON_TOO_LARGE, "%s", stack_low_text);
  values->depth++;
  bool done = values_evaluate(values, node, leaf, element, lo, hi, value);
  values->depth--;
  return done && values_remember(values, node, leaf, element, lo, hi, *value);
}

/* Limits ranges to 62 bits, so that they can be multiplied by a value. */
static Wide short_of(Wide end) { return wide_clamp(end, -((Wide)1 << 62), (Wide)1 << 62); }

/* Computes the range of one operand for which the result covers lo .. hi, if the other operand is
 * `other`. */
static void range_of_operand(
    const Instruction *instruction, uint32_t operand, Wide other, Wide *lo, Wide *hi) {
  Wide from = short_of(*lo), to = short_of(*hi), size = other < 0 ? -other : other;
  if (instruction->opcode == HLO_ADD) {
    *lo = from - other;
    *hi = to - other;
  } else if (instruction->opcode == HLO_SUBTRACT) {
    *lo = operand == 0 ? from + other : other - to;
    *hi = operand == 0 ? to + other : other - from;
  } else if (instruction->opcode == HLO_MULTIPLY && other != 0) {
    *lo = other > 0 ? wide_floordiv(from, size) : -wide_ceildiv(to, size);
    *hi = other > 0 ? wide_ceildiv(to, size) : -wide_floordiv(from, size);
  } else if (instruction->opcode == HLO_DIVIDE && operand == 0 && other != 0) {
    *lo = (other > 0 ? from : -to) * size - size;
    *hi = (other > 0 ? to : -from) * size + size;
  } else if (instruction->opcode == HLO_COMPARE) {
    *lo = other - 1;
    *hi = other + 1;
  }
}

static void range_of_single(const Instruction *instruction, Wide *lo, Wide *hi) {
  Wide from = short_of(*lo), to = short_of(*hi);
  if (instruction->opcode == HLO_NEGATE || instruction->opcode == HLO_NOT) {
    *lo = -to - 1;
    *hi = -from;
  }
  if (instruction->opcode == HLO_ABS) *lo = -to;
}

static bool operand_value(Values *values, const Node *node, uint32_t operand, int64_t element,
    Wide lo, Wide hi, Wide *value) {
  const Node *from = node->operands[operand];
  return value_of(values, from, 0, from->leaves[0].rank == 0 ? 0 : element, lo, hi, value);
}

/* The fixed operand comes first, because its value decides the range of the other. If none is
 * fixed, both get the same range. */
static bool compute_two(
    Values *values, const Node *node, int64_t element, Wide lo, Wide hi, Wide *operands) {
  uint32_t first = node->operands[0]->is_fixed ? 0 : 1, second = 1 - first;
  if (!operand_value(values, node, first, element, lo, hi, &operands[first])) return false;
  if (node->operands[first]->is_fixed)
    range_of_operand(node->instruction, second, operands[first], &lo, &hi);
  return operand_value(values, node, second, element, lo, hi, &operands[second]);
}

static bool values_compute(
    Values *values, const Node *node, int64_t element, Wide lo, Wide hi, Wide *value) {
  Wide operands[3] = {};
  if (node->operand_count > 3)
    return reject(values->rejection, REASON_UNSUPPORTED, "'%s' has too many operands",
        node->instruction->name);
  if (node->operand_count == 2) {
    if (!compute_two(values, node, element, lo, hi, operands)) return false;
  } else {
    range_of_single(node->instruction, &lo, &hi);
    for (uint32_t i = 0; i < node->operand_count; i++)
      if (!operand_value(values, node, i, element, lo, hi, &operands[i])) return false;
  }
  if (integer_apply(node->instruction, node->operands[0]->leaves[0].shape->type, operands, value))
    return true;
  *value = draw_element(values, node, 0, element, lo, hi);
  return true;
}

bool values_read(
    Reading *reading, uint32_t operand, int64_t element, Wide lo, Wide hi, Wide *value) {
  return value_of(reading->values, reading->node->operands[operand], 0, element, lo, hi, value);
}

void values_restart(Values *values) {
  values->mode = DRAW_IN_ORDER;
  values->prefix = 0;
}

void values_begin(Values *values) {
  values->path++;
  values->position = 0;
  values->was_widened = false;
}

/* Advances the last draw that has a next value; later draws start anew. */
bool values_next(Values *values) {
  assert(values->mode == DRAW_IN_ORDER);
  if (values->was_widened) {
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
