/* The reads of one element of a collective's output on one device, by the formulas of replica.h.
 * The output leaves of all-gather-start and collective-permute-start are their operands on the
 * device itself, then the results, then contexts that read nothing. Elsewhere output leaf k belongs
 * to operand k. Exception: in an all-to-all of several operands, output q reads from member q the
 * operand whose number is this device's member number. */
#include <assert.h>

#include "oracle/semantics/replica_members.h"
#include "oracle/evaluate/wide.h"

static const Shape *leaf_of(const Instruction *instruction, uint32_t leaf) {
  return shape_leaf(instruction->shape, leaf);
}

static int64_t number_of(const Shape *shape, const int64_t *at) {
  int64_t element = 0;
  for (uint32_t i = 0; i < shape->rank; i++) {
    assert(at[i] >= 0 && at[i] < shape->sizes[i]);
    element = element * shape->sizes[i] + at[i];
  }
  return element;
}

static void read_at(ReplicaReads *reads, int64_t device, const int64_t *at) {
  assert(device >= 0 && device < reads->gathering->device_count);
  *ARENA_PUSH(reads->arena, reads) =
      (ReplicaRead){.device = device, .element = number_of(reads->input, at)};
}

/* Whether an output leaf of a start form is its operand, a result, or neither. */
typedef enum StartPart : uint8_t { START_OPERAND, START_RESULT, START_CONTEXT } StartPart;

static bool is_start_with_operands(Opcode opcode) {
  return opcode == HLO_ALL_GATHER_START || opcode == HLO_COLLECTIVE_PERMUTE_START;
}

static StartPart part_of(const ReplicaReads *reads, uint32_t *position) {
  uint32_t count = reads->instruction->operand_count;
  bool has_operands = is_start_with_operands(reads->instruction->opcode);
  *position = has_operands ? reads->output_leaf % count : reads->output_leaf;
  if (!has_operands) return reads->output_leaf < count ? START_RESULT : START_CONTEXT;
  return reads->output_leaf < count       ? START_OPERAND
         : reads->output_leaf < 2 * count ? START_RESULT
                                          : START_CONTEXT;
}

static bool is_several_to_all(const Instruction *instruction) {
  return instruction->opcode == HLO_ALL_TO_ALL && shape_is_tuple(instruction->shape);
}

/* --- one function per collective; `group` contains the device --- */

static void read_every_member(ReplicaReads *reads, const Members *group, const int64_t *at) {
  for (int64_t i = 0; i < group->count; i++) read_at(reads, group->devices[i], at);
}

static void read_gathered(ReplicaReads *reads, const Members *group, const int64_t *at) {
  int64_t along = reads->instruction->dimensions.values[0], in[oracle_max_rank] = {};
  for (uint32_t i = 0; i < reads->input->rank; i++) in[i] = at[i];
  int64_t size = reads->input->sizes[along];
  in[along] = at[along] % size;
  assert(at[along] / size < group->count);
  read_at(reads, group->devices[at[along] / size], in);
}

static void read_scattered(
    ReplicaReads *reads, const Members *group, int64_t member, const int64_t *at) {
  int64_t along = reads->instruction->dimensions.values[0], in[oracle_max_rank] = {};
  for (uint32_t i = 0; i < reads->input->rank; i++) in[i] = at[i];
  in[along] = member * reads->output->sizes[along] + at[along];
  read_every_member(reads, group, in);
}

static void read_exchanged(
    ReplicaReads *reads, const Members *group, int64_t member, const int64_t *at) {
  if (is_several_to_all(reads->instruction)) {
    if (reads->operand == member) read_at(reads, group->devices[reads->output_leaf], at);
    return;
  }
  int64_t along = reads->instruction->dimensions.values[0], in[oracle_max_rank] = {};
  for (uint32_t i = 0; i < reads->input->rank; i++) in[i] = at[i];
  int64_t block = reads->input->sizes[along] / group->count;
  in[along] = member * block + at[along] % block;
  read_at(reads, group->devices[at[along] / block], in);
}

static void read_group(ReplicaReads *reads, int64_t device, const int64_t *at) {
  const Members *group = reads->gathering->group_of[device];
  if (group == nullptr) return;
  int64_t member = reads->gathering->member_of[device];
  assert(member < group->count && group->devices[member] == device);
  Opcode opcode = reads->instruction->opcode;
  if (opcode == HLO_ALL_REDUCE || opcode == HLO_ALL_REDUCE_START)
    read_every_member(reads, group, at);
  if (opcode == HLO_ALL_GATHER || opcode == HLO_ALL_GATHER_START) read_gathered(reads, group, at);
  if (opcode == HLO_REDUCE_SCATTER) read_scattered(reads, group, member, at);
  if (opcode == HLO_ALL_TO_ALL) read_exchanged(reads, group, member, at);
  if (opcode == HLO_COLLECTIVE_BROADCAST) read_at(reads, group->devices[0], at);
}

void replica_reads_of(ReplicaReads *reads, int64_t device, const int64_t *at) {
  uint32_t position;
  reads->count = 0;
  StartPart part = part_of(reads, &position);
  Opcode opcode = reads->instruction->opcode;
  if (is_several_to_all(reads->instruction)) {
    read_group(reads, device, at);
    return;
  }
  if (part == START_CONTEXT || position != reads->operand) return;
  bool is_permute = opcode == HLO_COLLECTIVE_PERMUTE || opcode == HLO_COLLECTIVE_PERMUTE_START;
  if (part == START_OPERAND) read_at(reads, device, at);
  else if (!is_permute) read_group(reads, device, at);
  else if (reads->gathering->source_of[device] != replica_no_device)
    read_at(reads, reads->gathering->source_of[device], at);
}

/* --- checks of shapes and groups --- */

static bool misfit(const ReplicaReads *reads, const char *what) {
  return reject(reads->rejection, REASON_UNSUPPORTED, "%s '%s' %s",
      opcode_name(reads->instruction->opcode), reads->instruction->name, what);
}

/* Whether `large` is `small` with one size multiplied by `count`. */
static bool is_multiple(const Shape *small, const Shape *large, int64_t along, int64_t count) {
  bool fits = small->rank == large->rank && along >= 0 && along < small->rank;
  for (uint32_t i = 0; fits && i < small->rank; i++)
    fits = i == along ? (Wide)small->sizes[i] * count == large->sizes[i]
                      : small->sizes[i] == large->sizes[i];
  return fits;
}

static bool group_fits(const ReplicaReads *reads, int64_t members) {
  const Instruction *instruction = reads->instruction;
  Opcode opcode = instruction->opcode;
  if (is_several_to_all(instruction))
    return instruction->operand_count == members &&
           shape_leaf_count(instruction->shape) == members &&
           shape_same_sizes(reads->input, reads->output);
  int64_t along = instruction->dimensions.count == 1 ? instruction->dimensions.values[0] : -1;
  if (opcode == HLO_ALL_GATHER || opcode == HLO_ALL_GATHER_START)
    return is_multiple(reads->input, reads->output, along, members);
  if (opcode == HLO_REDUCE_SCATTER) return is_multiple(reads->output, reads->input, along, members);
  if (!shape_same_sizes(reads->input, reads->output)) return false;
  return opcode != HLO_ALL_TO_ALL ||
         (along >= 0 && along < reads->input->rank && reads->input->sizes[along] % members == 0);
}

static bool shapes_fit(const ReplicaReads *reads) {
  uint32_t position;
  StartPart part = part_of(reads, &position);
  bool is_paired =
      is_several_to_all(reads->instruction) || (part == START_RESULT && position == reads->operand);
  if (!is_paired)
    return part != START_OPERAND || position != reads->operand ||
           shape_same_sizes(reads->input, reads->output);
  for (uint32_t i = 0; i < reads->gathering->group_count; i++)
    if (reads->gathering->groups[i].count > 0 &&
        !group_fits(reads, reads->gathering->groups[i].count))
      return false;
  return reads->gathering->group_count > 0 || shape_same_sizes(reads->input, reads->output);
}

bool replica_reads_create(ReplicaReads *reads, Arena *arena, const ReplicaGathering *gathering,
    const Instruction *instruction, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf,
    Rejection *rejection) {
  assert(
      operand < instruction->operand_count && output_leaf < shape_leaf_count(instruction->shape));
  *reads = (ReplicaReads){.arena = arena,
      .rejection = rejection,
      .gathering = gathering,
      .instruction = instruction,
      .output_leaf = output_leaf,
      .operand = operand,
      .output = leaf_of(instruction, output_leaf),
      .input = leaf_of(instruction->operands[operand], operand_leaf)};
  bool is_permute_start =
      instruction->opcode == HLO_COLLECTIVE_PERMUTE_START && instruction->operand_count != 1;
  if (operand_leaf != 0 || shape_is_tuple(instruction->operands[operand]->shape))
    return misfit(reads, "has an operand that is a tuple");
  if (is_permute_start) return misfit(reads, "has several operands");
  uint32_t position;
  if (part_of(reads, &position) == START_CONTEXT && !is_several_to_all(instruction)) return true;
  if (!shape_is_array(reads->input) || !shape_is_array(reads->output))
    return misfit(reads, "moves something that is no array");
  if (reads->input->rank + 2 > oracle_max_rank || reads->output->rank + 2 > oracle_max_rank)
    return misfit(reads, "has too high a rank");
  return shapes_fit(reads) || misfit(reads, "has shapes that do not fit the sizes of its groups");
}
