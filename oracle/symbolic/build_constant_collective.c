/* Collectives of constants. All devices run one program, so a constant is the same on each. A
 * gathered constant is that constant, and a reduced one is the function's value of as many copies
 * as a group has devices, where no order decides. Devices that receive nothing have zeros: a
 * permute and a broadcast are opaque. */
#include "oracle/symbolic/build.h"

#include <string.h>

#include "core/hlo/devices.h"

static constexpr uint32_t most_reduced = 65536; /* devices of a group */

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
