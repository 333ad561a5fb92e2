/* Forms of one collective: the start of a pair of start and done, whose output is (operands,
 * results, contexts), and groups of devices in several notations and orders. The order of groups,
 * and of the pairs of a permute, has no meaning; the order within a group has. No groups are one of
 * all devices, if their number is known. */
#include "oracle/symbolic/build.h"

#include <stdlib.h>
#include <string.h>

#include "core/hlo/devices.h"

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
