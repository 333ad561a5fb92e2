/* Forms of one collective: the start of a pair of start and done, whose output is (operands,
 * results, contexts), and groups of devices in several notations and orders. The order of groups,
 * and of the pairs of a permute, has no meaning; the order within a group has. No groups are one of
 * all devices, if their number is known.
 *
 * Collectives of constants: all devices run one program, so a constant is the same on each. A
 * gathered constant is that constant, and a reduced one is the function's value of as many copies
 * as a group has devices, where no order decides. Devices that receive nothing have zeros: a
 * permute and a broadcast are opaque. */
#include "oracle/terms/build.h"

#include <stdlib.h>
#include <string.h>

#include "core/hlo/devices.h"

static constexpr uint32_t most_reduced = 65536; /* devices of a group */

static bool is_collective(const Instruction *instruction) {
  return opcode_family(instruction->opcode) == FAMILY_COLLECTIVE;
}

/* Whether the output of the start has one leaf for each operand before its results. */
static bool holds_operands(const Node *node) {
  const Instruction *start = node->instruction;
  bool is_start = start->opcode == HLO_ALL_GATHER_START ||
                  (start->opcode == HLO_COLLECTIVE_PERMUTE_START && start->operand_count == 1);
  if (!is_start || node->is_input || node->leaf_count < 2 * start->operand_count) return false;
  for (uint32_t i = 0; i < start->operand_count; i++) {
    const Shape *given = start->operands[i]->shape, *kept = node->leaves[i].shape;
    if (!shape_is_array(given) || !shape_is_array(kept) || given->type != kept->type ||
        !shape_same_sizes(given, kept))
      return false;
  }
  return true;
}

bool collective_operand(const Node *node, uint32_t leaf) {
  return holds_operands(node) && leaf < node->instruction->operand_count;
}

LeafRange collective_results(const Node *node) {
  uint32_t count = node->instruction->operand_count;
  if (!holds_operands(node)) return (LeafRange){.end = node->leaf_count};
  return (LeafRange){.first = count, .end = 2 * count};
}

const char *collective_name(const Node *node) {
  Opcode opcode = node->instruction->opcode;
  if (opcode == HLO_ALL_REDUCE_START) opcode = HLO_ALL_REDUCE;
  if (holds_operands(node))
    opcode = opcode == HLO_ALL_GATHER_START ? HLO_ALL_GATHER : HLO_COLLECTIVE_PERMUTE;
  return opcode_name(opcode);
}

static int compare_groups(const void *left, const void *right) {
  const Ints *a = left, *b = right;
  for (uint32_t i = 0; i < a->count && i < b->count; i++)
    if (a->values[i] != b->values[i]) return a->values[i] < b->values[i] ? -1 : 1;
  return (a->count > b->count) - (a->count < b->count);
}

static void print_sorted(TermBuilder *builder, uint32_t count, const Ints *groups, Text *text) {
  Ints *sorted = ARENA_NEW(builder->arena, Ints, count);
  if (count > 0) memcpy(sorted, groups, count * sizeof *groups);
  if (count > 1) qsort(sorted, count, sizeof *sorted, compare_groups);
  for (uint32_t i = 0; i < count; i++) {
    text_string(text, i == 0 ? "{" : ",{");
    for (uint32_t k = 0; k < sorted[i].count; k++)
      text_printf(text, k == 0 ? "%lld" : ",%lld", (long long)sorted[i].values[k]);
    text_string(text, "}");
  }
}

void collective_print_groups(TermBuilder *builder, const Instruction *instruction, Text *text) {
  const ReplicaGroups *groups = instruction_groups(instruction);
  if (!is_collective(instruction) || groups == nullptr || groups->count == 0) return;
  text_string(text, " groups ");
  print_sorted(builder, groups->count, groups->groups, text);
}

bool collective_devices(
    TermBuilder *builder, const Instruction *instruction, const char *attribute, Text *text) {
  Ints ids = instruction->source_target_pairs;
  if (!is_collective(instruction)) return false;
  if (strcmp(attribute, "replica_groups") == 0) return instruction->replica_groups != nullptr;
  if (strcmp(attribute, "source_target_pairs") != 0 || instruction->operand_count != 1)
    return false;
  Ints *pairs = ARENA_NEW(builder->arena, Ints, ids.count / 2);
  for (uint32_t i = 0; i < ids.count / 2; i++)
    pairs[i] = (Ints){.count = 2, .values = ids.values + (size_t)2 * i};
  text_string(text, " pairs ");
  print_sorted(builder, ids.count / 2, pairs, text);
  return true;
}

/* Sets *constant if all elements that one element of the output reads are that constant. */
static bool find_constant(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *constant) {
  int64_t at[oracle_max_rank];
  leaf_index(&node->leaves[leaf], element, at);
  *constant = no_term;
  if (!read_operation(&builder->reading, node, leaf, element, at)) return false;
  uint32_t count = builder->reading.count;
  Read *reads = ARENA_NEW(builder->arena, Read, count);
  if (count > 0) memcpy(reads, builder->reading.items, count * sizeof *reads);
  for (uint32_t i = 0; i < count; i++) {
    Term term;
    if (!builder_element(
            builder, node->operands[reads[i].operand], reads[i].leaf, reads[i].element, &term))
      return false;
    bool is_same =
        term_data(builder->terms, term)->kind == TERM_CONSTANT && (i == 0 || term == *constant);
    *constant = is_same ? term : no_term;
    if (!is_same) break;
  }
  return true;
}

/* The number of devices of each group; 0 if it is not known. */
static uint32_t devices_of_group(const Instruction *instruction) {
  const ReplicaGroups *groups = instruction_groups(instruction);
  DeviceMode mode;
  if (groups == nullptr || groups->count == 0 || !device_mode(instruction, &mode) ||
      mode == DEVICE_REPLICAS_ALL_PARTITIONS)
    return 0;
  for (uint32_t i = 1; i < groups->count; i++)
    if (groups->groups[i].count != groups->groups[0].count) return 0;
  return groups->groups[0].count;
}

/* The constant reduced over a group, or no_term. A function that returns its two equal operands
 * does so for any number of devices. */
static bool reduce_constant(
    TermBuilder *builder, const Instruction *instruction, Term constant, Term *reduced) {
  uint32_t count, devices = devices_of_group(instruction);
  Term *results, arguments[2] = {constant, constant};
  *reduced = no_term;
  if (instruction->called_count != 1) return true;
  if (!builder_body(builder, instruction->called[0], &count, &results)) return false;
  if (count != 1) return true;
  Term folded = constant;
  bool is_known = term_substitute(builder->terms, results[0], arguments) == constant ||
                  (0 < devices && devices <= most_reduced &&
                      term_fold_copies(builder->terms, results[0], constant, devices, &folded));
  if (is_known) *reduced = folded;
  return true;
}

bool build_collective(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  const Instruction *instruction = node->instruction;
  Opcode opcode = instruction->opcode;
  bool is_reduced = opcode == HLO_ALL_REDUCE || opcode == HLO_REDUCE_SCATTER;
  *term = no_term;
  if ((is_reduced || opcode == HLO_ALL_GATHER) &&
      !find_constant(builder, node, leaf, element, term))
    return false;
  if (is_reduced && *term != no_term && !reduce_constant(builder, instruction, *term, term))
    return false;
  return *term != no_term || build_opaque(builder, node, leaf, element, term);
}
