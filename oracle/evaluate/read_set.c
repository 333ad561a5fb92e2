/* Computes read sets from the operands up, each cut node as an opaque set element, and follows
 * cut nodes under an assignment. The numbers in a set are: the elements of the target from 0 on;
 * then, each from a multiple of 64 on, the elements of each cut node (its needed leaves in
 * order). The root is no operand and has no numbers. */
#include "oracle/evaluate/read_set.h"

#include <assert.h>
#include <string.h>

#include "oracle/evaluate/value_form.h"

static constexpr int64_t set_numbers_limit = INT64_C(1) << 27; /* of all nodes together: 512 MB */
static constexpr int64_t set_bits_limit =
    INT64_C(1) << 32; /* of all sets together, each counted at its full size: 512 MB */

/* Whether chosen values position an operand that leads to the target. */
static bool has_chosen_indices(const Node *node) {
  uint32_t first, end;
  bool is_chosen = false, is_placed = false;
  index_operands(node->instruction, &first, &end);
  for (uint32_t i = first; i < end; i++) is_chosen = is_chosen || !node->operands[i]->is_fixed;
  placed_operands(node->instruction, &first, &end);
  for (uint32_t i = first; i < end; i++) is_placed = is_placed || node->operands[i]->reaches;
  return is_chosen && is_placed;
}

static void need_all_operands(const Node *node) {
  for (uint32_t i = 0; i < node->operand_count; i++)
    memset(node->operands[i]->needed, 1, node->operands[i]->leaf_count);
}

/* Marks the leaves that the output leaf may depend on: exactly for operations that only arrange
 * leaves, all leaves for the others. */
static void mark_needed(ReadSet *set) {
  NodeList *nodes = &set->flow->nodes;
  for (uint32_t i = 0; i < nodes->count; i++)
    nodes->items[i]->needed = ARENA_NEW(set->arena, uint8_t, nodes->items[i]->leaf_count);
  set->flow->root->needed[set->output_leaf] = 1;
  for (uint32_t i = nodes->count; i-- > 0;) {
    const Node *node = nodes->items[i];
    uint32_t operand, operand_leaf;
    for (uint32_t leaf = 0; leaf < node->leaf_count && !node->is_input; leaf++) {
      if (!node->needed[leaf]) continue;
      if (!structure_leaf(node, leaf, &operand, &operand_leaf)) need_all_operands(node);
      else if (operand != no_operand) node->operands[operand]->needed[operand_leaf] = 1;
    }
  }
  set->is_unread = !set->target->needed[set->target_leaf];
}

static bool is_needed(const Node *node) {
  return memchr(node->needed, 1, node->leaf_count) != nullptr;
}

/* Marks the needed nodes that depend on the target, and those that read different elements under
 * different assignments. Inputs come first. */
static void mark_nodes(ReadSet *set) {
  for (uint32_t i = 0; i <= set->flow->root->number; i++) {
    Node *node = set->flow->nodes.items[i];
    node->reaches = node == set->target;
    node->is_dynamic = false;
    for (uint32_t k = 0; k < node->operand_count && !node->is_input && is_needed(node); k++) {
      assert(node->operands[k]->number < node->number);
      node->reaches = node->reaches || node->operands[k]->reaches;
      node->is_dynamic = node->is_dynamic || node->operands[k]->is_dynamic;
    }
    node->is_cut = node->reaches && !node->is_input && has_chosen_indices(node);
    node->is_dynamic = node->is_dynamic || node->is_cut;
    assert(!node->is_dynamic || node->reaches);
    if (node->is_cut) *ARENA_PUSH(set->arena, &set->cuts) = node;
  }
  set->is_dynamic = set->flow->root->is_dynamic;
}

/* Whether the device decides which indices the collective reads, or whether it reads any. */
static bool decides_by_device(Opcode opcode) {
  return opcode == HLO_REDUCE_SCATTER || opcode == HLO_ALL_TO_ALL ||
         opcode == HLO_RAGGED_ALL_TO_ALL || opcode == HLO_COLLECTIVE_PERMUTE ||
         opcode == HLO_COLLECTIVE_PERMUTE_START || opcode == HLO_COLLECTIVE_BROADCAST;
}

static bool crosses_devices(const Node *node) {
  OpcodeGroup group = opcode_group(node->instruction->opcode);
  return opcode_family(node->instruction->opcode) == FAMILY_COLLECTIVE &&
         group != GROUP_collective_done;
}

/* Sets have no devices. What a collective reads on another device is the set of its own device only
 * if that is the same on all devices; each device chooses its own indices. */
static bool check_devices(const ReadSet *set) {
  for (uint32_t i = 0; i <= set->flow->root->number; i++) {
    Node *node = set->flow->nodes.items[i];
    node->differs = false;
    if (!node->reaches || node->is_input) continue;
    for (uint32_t k = 0; k < node->operand_count; k++)
      node->differs = node->differs || (node->operands[k]->reaches && node->operands[k]->differs);
    if (node->differs && crosses_devices(node))
      return reject(set->rejection, REASON_UNSUPPORTED,
          "%s '%s' reads what differs from device to device, and an index names no device",
          opcode_name(node->instruction->opcode), node->instruction->name);
    node->differs = node->differs || node->is_cut || decides_by_device(node->instruction->opcode);
  }
  return true;
}

static bool any_index_operands(const Flow *flow) {
  uint32_t first, end;
  for (uint32_t i = 0; i < flow->nodes.count; i++) {
    index_operands(flow->nodes.items[i]->instruction, &first, &end);
    if (first < end && !flow->nodes.items[i]->is_input) return true;
  }
  return false;
}

/* The number of elements of the needed leaves; sets and stamps have entries for those only. */
static int64_t needed_elements(const Node *node) {
  int64_t count = 0;
  for (uint32_t leaf = 0; leaf < node->leaf_count; leaf++)
    count += node->needed[leaf] ? node->leaves[leaf].elements : 0;
  return count;
}

static int64_t needed_start(const Node *node, uint32_t leaf) {
  int64_t start = 0;
  assert(node->needed[leaf]);
  for (uint32_t i = 0; i < leaf; i++) start += node->needed[i] ? node->leaves[i].elements : 0;
  return start;
}

static bool check_leaf(const ReadSet *set, const Node *node, const Leaf *leaf) {
  if (leaf->elements <= set->element_limit) return true;
  return reject(set->rejection, REASON_TOO_LARGE, "'%s' has %s, at most %lld are judged",
      node->instruction->name, counted(leaf->elements, "element"), (long long)set->element_limit);
}

bool read_set_fits(const ReadSet *set) {
  return check_leaf(set, set->flow->root, set->output) &&
         check_leaf(set, set->target, set->operand);
}

static bool check_sizes(const ReadSet *set) {
  int64_t numbers = 0;
  if (!read_set_fits(set)) return false;
  for (uint32_t i = 0; i < set->flow->nodes.count; i++) {
    const Node *node = set->flow->nodes.items[i];
    if (!node->reaches) continue;
    for (uint32_t leaf = 0; leaf < node->leaf_count; leaf++)
      if (node->needed[leaf] && !check_leaf(set, node, &node->leaves[leaf])) return false;
    numbers += needed_elements(node);
    if (numbers > set_numbers_limit)
      return reject(set->rejection, REASON_TOO_LARGE, "too many elements in between");
  }
  return true;
}

static bool count_reads(ReadSet *set) {
  set->read_count += set->reading.count + 1;
  if (set->read_count <= set->read_limit) return true;
  return reject(set->rejection, REASON_TOO_LARGE, "more than %lld reads have to be followed",
      (long long)set->read_limit);
}

/* Numbers the elements of sets. */
static bool create_sets(ReadSet *set) {
  int64_t end = (int64_t)set->words * 64, kept = 0;
  for (uint32_t i = 0; i < set->cuts.count; i++) {
    Node *node = set->cuts.items[i];
    node->base = end;
    if (node != set->flow->root) end += (int64_t)bits_words(needed_elements(node)) * 64;
  }
  for (uint32_t i = 0; i < set->flow->nodes.count && set->cuts.count > 0; i++)
    if (set->flow->nodes.items[i]->reaches) kept += needed_elements(set->flow->nodes.items[i]);
  if ((Wide)kept * end > set_bits_limit && set->cuts.count > 0)
    return reject(set->rejection, REASON_TOO_LARGE,
        "too many elements in between, and values that decide which are read");
  sets_create(&set->sets, set->arena, set->cuts.count == 0 ? set->operand->elements : end);
  set->work = ARENA_NEW(set->arena, uint64_t, set->sets.words);
  assert(set->sets.words >= set->words);
  return true;
}

/* The set of one element of a node, seen from its users. */
static uint32_t known_set(const ReadSet *set, const Node *node, uint32_t leaf, int64_t element) {
  if (node == set->target) return leaf == set->target_leaf ? (uint32_t)(1 + element) : set_empty;
  if (node->is_cut) return (uint32_t)(1 + node->base + needed_start(node, leaf) + element);
  if (node->sets == nullptr) return set_empty;
  return node->sets[needed_start(node, leaf) + element];
}

/* The union of the sets of all listed reads. A single set is returned as it is. */
static uint32_t union_of_reads(ReadSet *set) {
  uint32_t all = set_empty;
  bool is_built = false;
  for (uint32_t i = 0; i < set->reading.count; i++) {
    const Read *read = &set->reading.items[i];
    uint32_t next =
        known_set(set, set->reading.node->operands[read->operand], read->leaf, read->element);
    if (next == set_empty || next == all) continue;
    if (all == set_empty && !is_built) {
      all = next;
      continue;
    }
    if (!is_built) {
      memset(set->sets.bits, 0, set->sets.words * sizeof *set->sets.bits);
      sets_add(&set->sets, all, set->sets.bits);
      is_built = true;
    }
    sets_add(&set->sets, next, set->sets.bits);
  }
  return is_built ? sets_number(&set->sets, set->sets.bits) : all;
}

/* The node whose sets an elementwise node shares: its only operand that leads to the target, with
 * the same shape. */
static const Node *same_sets(const Node *node) {
  const Node *only = nullptr;
  if (opcode_family(node->instruction->opcode) != FAMILY_ELEMENTWISE ||
      node->instruction->opcode == HLO_MAP)
    return nullptr;
  for (uint32_t i = 0; i < node->operand_count; i++) {
    const Node *operand = node->operands[i];
    if (!operand->reaches || operand == only) continue;
    if (only != nullptr || operand->leaves[0].rank == 0 || operand->leaf_count != 1) return nullptr;
    only = operand;
  }
  return only != nullptr && only->leaves[0].elements == node->leaves[0].elements ? only : nullptr;
}

/* The last list of at least `least` reads, and its set: often many elements read the same. */
typedef struct LastReads {
  Read *items;
  uint32_t count, capacity, set;
} LastReads;

static uint32_t set_of_reads(ReadSet *set, LastReads *last) {
  static constexpr uint32_t least = 8; /* below this, a union costs no more than a comparison */
  const Reading *reading = &set->reading;
  if (reading->count < least) return union_of_reads(set);
  size_t size = reading->count * sizeof *reading->items;
  if (last->count == reading->count && memcmp(last->items, reading->items, size) == 0)
    return last->set;
  if (last->capacity < reading->count) {
    last->capacity = 2 * reading->count;
    last->items = ARENA_NEW(set->arena, Read, last->capacity);
  }
  memcpy(last->items, reading->items, size);
  last->count = reading->count;
  return last->set = union_of_reads(set);
}

static bool compute_sets(ReadSet *set, Node *node) {
  const Node *same = same_sets(node);
  if (same != nullptr && same->sets != nullptr) {
    node->sets = same->sets;
    return true;
  }
  node->sets = ARENA_NEW(set->arena, uint32_t, needed_elements(node));
  uint32_t *next = node->sets;
  LastReads last = {};
  for (uint32_t leaf = 0; leaf < node->leaf_count; leaf++) {
    int64_t at[oracle_max_rank] = {};
    for (int64_t element = 0; node->needed[leaf] && element < node->leaves[leaf].elements;
        element++) {
      if (!read_operation(&set->reading, node, leaf, element, at) || !count_reads(set))
        return false;
      *next++ = set_of_reads(set, &last);
      leaf_next(&node->leaves[leaf], at);
    }
  }
  return true;
}

/* All nodes except cut ones; the root only if its sets are used more than once. */
static bool compute_known_sets(ReadSet *set) {
  for (uint32_t i = 0; i < set->flow->nodes.count; i++) {
    Node *node = set->flow->nodes.items[i];
    bool is_needed = node->reaches && !node->is_input && !node->is_cut &&
                     (node != set->flow->root || set->is_dynamic);
    if (is_needed && !compute_sets(set, node)) return false;
  }
  return true;
}

bool read_set_create(ReadSet *set, Flow *flow, Values *values, const OracleLimits *limits,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf) {
  assert(operand < flow->input_count && output_leaf < flow->root->leaf_count);
  *set = (ReadSet){.arena = flow->arena,
      .flow = flow,
      .rejection = flow->rejection,
      .target = flow->inputs[operand],
      .target_leaf = operand_leaf,
      .output_leaf = output_leaf,
      .output = &flow->root->leaves[output_leaf],
      .operand = &flow->inputs[operand]->leaves[operand_leaf],
      .element_limit = limits->elements,
      .read_limit = limits->pairs};
  set->reading = (Reading){.arena = flow->arena,
      .rejection = flow->rejection,
      .values = values,
      .read_value = values_read,
      .operand_limit = UINT32_MAX,
      .only_reaching = true};
  mark_needed(set);
  if (set->operand->elements <= set->element_limit) set->words = bits_words(set->operand->elements);
  if (set->is_unread) return true;
  if (any_index_operands(flow) && !flow_know_fixed(flow)) return false;
  mark_nodes(set);
  return check_devices(set) && check_sizes(set) && create_sets(set) && compute_known_sets(set);
}

/* Adds what an element of a cut node, or of the root, reads under the current assignment. */
static bool read_set_follow(ReadSet *set, const Node *node, uint32_t leaf, int64_t element,
    const int64_t *at, uint64_t *bits) {
  if (!read_operation(&set->reading, node, leaf, element, at) || !count_reads(set)) return false;
  BitsRun run = {};
  for (uint32_t i = 0; i < set->reading.count; i++) {
    const Read *read = &set->reading.items[i];
    const Node *from = node->operands[read->operand];
    if (from != set->target)
      sets_add(&set->sets, known_set(set, from, read->leaf, read->element), bits);
    else if (read->leaf == set->target_leaf) bits_run_set(&run, bits, read->element);
  }
  bits_run_end(&run);
  return true;
}

/* The element at position `slot` of a node's needed leaves. */
static void needed_element(const Node *node, int64_t slot, uint32_t *leaf, int64_t *element) {
  for (*leaf = 0; !node->needed[*leaf] || slot >= node->leaves[*leaf].elements; ++*leaf)
    slot -= node->needed[*leaf] ? node->leaves[*leaf].elements : 0;
  *element = slot;
  assert(*leaf < node->leaf_count);
}

/* Replaces the elements of a cut node in the working set by what they read: elements of the
 * target, and of cut nodes with smaller numbers. */
static bool follow_cut(ReadSet *set, const Node *node) {
  uint64_t *words = set->work + node->base / 64;
  for (uint32_t word = 0, count = bits_words(needed_elements(node)); word < count; word++) {
    uint64_t bits = words[word];
    words[word] = 0;
    for (; bits != 0; bits &= bits - 1) {
      uint32_t leaf;
      int64_t element, at[oracle_max_rank] = {};
      needed_element(node, (int64_t)word * 64 + __builtin_ctzll(bits), &leaf, &element);
      leaf_index(&node->leaves[leaf], element, at);
      if (!read_set_follow(set, node, leaf, element, at, set->work)) return false;
    }
    assert(words[word] == 0);
  }
  return true;
}

static bool follow_work(ReadSet *set, int64_t element, const int64_t *at) {
  const Node *root = set->flow->root;
  if (root->is_cut) {
    if (!read_set_follow(set, root, set->output_leaf, element, at, set->work)) return false;
  } else {
    sets_add(&set->sets, known_set(set, root, set->output_leaf, element), set->work);
  }
  for (uint32_t i = set->cuts.count; i-- > 0;)
    if (set->cuts.items[i] != root && !follow_cut(set, set->cuts.items[i])) return false;
  return true;
}

bool read_set_of(ReadSet *set, int64_t element, const int64_t *at, uint64_t *bits) {
  Node *root = set->flow->root;
  if (set->is_unread) return true;
  if (root->is_input) {
    sets_add(&set->sets, known_set(set, root, set->output_leaf, element), bits);
    return true;
  }
  if (!set->is_dynamic) return read_set_follow(set, root, set->output_leaf, element, at, bits);
  bool done = follow_work(set, element, at);
  for (uint32_t word = 0; word < set->words; word++) bits[word] |= set->work[word];
  memset(set->work, 0, (done ? set->words : set->sets.words) * sizeof *set->work);
  return done;
}
