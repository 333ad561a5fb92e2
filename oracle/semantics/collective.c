/* Collectives. The relation is between elements, whichever device they are on: an output element
 * reads operand element x if, on some device of some group, it is computed from element x of some
 * device of that group. n is the size of a group (all groups have the same size).
 *   all-reduce, collective-broadcast, collective-permute   element i; no element for a permute
 *                   without pairs
 *   all-gather      element i, with i modulo the operand's size along the gathered dimension
 *   reduce-scatter  along the scattered dimension: i + p * (output size) for each device p of a
 *                   group
 *   all-to-all      one operand: block q of the output is block p of device q, for each device p;
 *                   several: output k is operand p of device k */
#include "oracle/semantics/product.h"

static bool output_position(const Reading *reading, uint32_t *position) {
  *position = reading->leaf;
  return reading->leaf < reading->node->instruction->operand_count;
}

bool read_all_reduce(Reading *reading) {
  uint32_t operand;
  if (!output_position(reading, &operand)) return read_unsupported(reading);
  if (read_wants(reading, operand)) read_element(reading, operand, reading->element);
  return true;
}

bool read_collective_permute(Reading *reading) {
  if (reading->node->instruction->operand_count != 1) return read_unsupported(reading);
  return instruction_permutes_nothing(reading->node->instruction) || read_all_reduce(reading);
}

/* The output is (operands, results, contexts), with as many results as operands. */
static bool start_operand(const Reading *reading, uint32_t *operand, bool *is_result) {
  uint32_t count = reading->node->instruction->operand_count;
  *operand = reading->leaf % count;
  assert(count > 0);
  *is_result = reading->leaf >= count;
  return reading->leaf < 2 * count;
}

bool read_collective_permute_start(Reading *reading) {
  uint32_t operand;
  bool is_result;
  if (reading->node->instruction->operand_count != 1) return read_unsupported(reading);
  bool receives = start_operand(reading, &operand, &is_result) &&
                  !(is_result && instruction_permutes_nothing(reading->node->instruction));
  if (receives && read_wants(reading, operand)) read_element(reading, operand, reading->element);
  return true;
}

static bool read_gathered(Reading *reading, uint32_t operand) {
  const Instruction *instruction = reading->node->instruction;
  if (instruction->dimensions.count != 1) return read_unsupported(reading);
  int64_t along = instruction->dimensions.values[0], at[oracle_max_rank] = {};
  const Leaf *in = read_operand(reading, operand);
  if (!read_wants(reading, operand)) return true;
  assert(along >= 0 && along < in->rank && in->sizes[along] > 0);
  for (uint32_t i = 0; i < in->rank; i++)
    at[i] = i == along ? reading->at[i] % in->sizes[i] : reading->at[i];
  read_index(reading, operand, at);
  return true;
}

bool read_all_gather(Reading *reading) {
  uint32_t operand;
  return output_position(reading, &operand) ? read_gathered(reading, operand)
                                            : read_unsupported(reading);
}

bool read_all_gather_start(Reading *reading) {
  uint32_t operand;
  bool is_result;
  if (!start_operand(reading, &operand, &is_result)) return true;
  if (is_result) return read_gathered(reading, operand);
  if (read_wants(reading, operand)) read_element(reading, operand, reading->element);
  return true;
}

bool read_reduce_scatter(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  uint32_t operand;
  if (!output_position(reading, &operand) || instruction->dimensions.count != 1)
    return read_unsupported(reading);
  if (!read_wants(reading, operand)) return true;
  int64_t along = instruction->dimensions.values[0],
          size = reading->node->leaves[reading->leaf].sizes[along];
  Product product;
  product_begin(reading, operand, &product);
  assert(along >= 0 && along < product.leaf->rank && size > 0);
  for (uint32_t i = 0; i < product.leaf->rank; i++) {
    int64_t step = i == along ? size : product.leaf->sizes[i];
    for (int64_t position = reading->at[i]; position < product.leaf->sizes[i]; position += step)
      product_add(&product, i, position);
  }
  product_read(reading, &product);
  return true;
}

static bool group_size(const Instruction *instruction, int64_t *size) {
  const ReplicaGroups *groups = instruction->replica_groups;
  if (groups == nullptr || groups->count == 0) return false;
  *size = groups->groups[0].count;
  for (uint32_t i = 1; i < groups->count; i++)
    if (groups->groups[i].count != *size) return false;
  return *size > 0;
}

/* The array form of all-to-all: blocks along one dimension. */
static bool read_blocks(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  int64_t along = instruction->dimensions.values[0], devices;
  const Leaf *in = read_operand(reading, 0);
  if (!group_size(instruction, &devices) || in->sizes[along] % devices != 0)
    return reject(reading->rejection, REASON_UNSUPPORTED,
        "'%s' does not say into how many blocks it splits", instruction->name);
  int64_t block = in->sizes[along] / devices;
  assert(block > 0);
  Product product;
  product_begin(reading, 0, &product);
  for (uint32_t i = 0; i < in->rank; i++) {
    if (i != along) product_add(&product, i, reading->at[i]);
    for (int64_t p = 0; i == along && p < devices; p++)
      product_add(&product, i, p * block + reading->at[i] % block);
  }
  product_read(reading, &product);
  return true;
}

bool read_all_to_all(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  if (instruction->dimensions.count == 1 && !shape_is_tuple(instruction->shape))
    return read_blocks(reading);
  if (!shape_is_tuple(instruction->shape) || instruction->dimensions.count > 0)
    return read_unsupported(reading);
  for (uint32_t operand = 0; operand < instruction->operand_count; operand++)
    if (read_wants(reading, operand)) read_element(reading, operand, reading->element);
  return true;
}
