/* Collectives, seen from one device: the elements of the operand, on whatever device, that an
 * element of this device's output reads. All-reduce, permute, broadcast: the same index.
 * All-gather: the index modulo the operand's size. Reduce-scatter and all-to-all: the device's
 * position in its group is a range variable, because every position belongs to some device. A
 * permute without pairs reads nothing. The replica maps (replica.c) add the device that an element
 * comes from. */
#include "core/index/mesh/collective.h"

#include <assert.h>

#include "core/index/family.h"

static int64_t group_size(const Instruction *collective) {
  const ReplicaGroups *groups = collective->replica_groups;
  return groups != nullptr && groups->count > 0 ? groups->groups[0].count : 0;
}

static bool collective_undefined(const IndexQuery *query, IndexResult *answer) {
  answer_claim(answer, INDEX_UNDEFINED, opcode_name(query->instruction->opcode));
  return true;
}

static bool same_sizes(const IndexQuery *query) {
  return shape_same_sizes(query->output, query->input);
}

static bool reads_gathered(const IndexQuery *query, IndexResult *answer, Error *error) {
  const Ints *dimensions = &query->instruction->dimensions;
  if (dimensions->count != 1 || query->output->rank != query->input->rank)
    return collective_undefined(query, answer);
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++) {
    bool gathered = i == dimensions->values[0];
    build_result(&build, gathered ? build_mod(&build, build_dim(&build, i), query->input->sizes[i])
                                  : build_dim(&build, i));
  }
  return answer_finish(query, answer, &build, error);
}

/* The operand is cut into equal parts along one dimension; this device gets the part at its
 * position in the group. */
static bool reads_part(const IndexQuery *query, int64_t along, IndexResult *answer, Error *error) {
  if (query->output->rank != query->input->rank || along < 0 || along >= query->input->rank)
    return collective_undefined(query, answer);
  int64_t part = query->output->sizes[along], whole = query->input->sizes[along];
  assert(part > 0 && whole > 0);
  if (whole % part != 0) return collective_undefined(query, answer);
  Build build = build_over(query->context, query->output);
  Expr position = build_span(&build, whole / part);
  for (uint32_t i = 0; i < query->input->rank; i++) {
    Expr dim = build_dim(&build, i);
    build_result(
        &build, i == along ? build_plus(&build, dim, build_times(&build, position, part)) : dim);
  }
  return answer_finish(query, answer, &build, error);
}

/* The array form: chunks along one dimension; chunk q of the output is the chunk of device q at
 * this device's own position. */
static bool reads_exchanged(const IndexQuery *query, IndexResult *answer, Error *error) {
  const Ints *dimensions = &query->instruction->dimensions;
  if (!same_sizes(query)) return collective_undefined(query, answer);
  if (dimensions->count == 0) return answer_identity(query, answer, error);
  int64_t along = dimensions->values[0], count = group_size(query->instruction);
  if (along < 0 || along >= query->input->rank) return collective_undefined(query, answer);
  int64_t size = query->input->sizes[along];
  bool known = count > 0 && size % count == 0;
  if (!known)
    answer_claim(answer, INDEX_OVER_APPROXIMATION,
        "how many devices exchange parts is known at run time only");
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++) {
    Expr dim = build_dim(&build, i);
    if (i == along && known)
      dim = build_plus(&build, build_mod(&build, dim, size / count),
          build_times(&build, build_span(&build, count), size / count));
    build_result(&build, i == along && !known ? build_span(&build, size) : dim);
  }
  return answer_finish(query, answer, &build, error);
}

/* Rows of the operand may go anywhere; rows that are not overwritten come from the second
 * operand. */
static bool reads_ragged_exchange(const IndexQuery *query, IndexResult *answer, Error *error) {
  answer_claim(answer, INDEX_OVER_APPROXIMATION,
      "which rows are exchanged depends on the values of offsets and sizes");
  if (query->operand == 1 && same_sizes(query)) return answer_identity(query, answer, error);
  if (query->operand > 0 || query->input->rank != query->output->rank || query->input->rank == 0)
    return answer_everything(query, answer, error);
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++) {
    bool whole = i == 0 || query->input->sizes[i] != query->output->sizes[i];
    build_result(&build, whole ? build_span(&build, query->input->sizes[i]) : build_dim(&build, i));
  }
  return answer_finish(query, answer, &build, error);
}

/* True if the output leaf of a variadic collective belongs to the operand: leaf k, or for a start,
 * leaf k of both halves. */
static bool belongs(const IndexQuery *query) {
  uint32_t operands = query->instruction->operand_count;
  return query->output_leaf % operands == query->operand;
}

bool collective_is_alias(const Instruction *collective, uint32_t output_leaf) {
  bool pairs = collective->opcode == HLO_ALL_GATHER_START ||
               collective->opcode == HLO_COLLECTIVE_PERMUTE_START;
  return pairs && shape_is_tuple(collective->shape) && output_leaf < collective->operand_count;
}

static bool is_context(const IndexQuery *query) {
  return query->instruction->opcode == HLO_COLLECTIVE_PERMUTE_START &&
         query->output_leaf >= 2 * query->instruction->operand_count;
}

bool reads_collective(const IndexQuery *query, IndexResult *answer, Error *error) {
  const Instruction *collective = query->instruction;
  if (collective->opcode == HLO_RAGGED_ALL_TO_ALL)
    return reads_ragged_exchange(query, answer, error);
  if (instruction_permutes_slices(collective)) return collective_undefined(query, answer);
  if (collective->opcode == HLO_ALL_TO_ALL) return reads_exchanged(query, answer, error);
  if (!belongs(query) || is_context(query)) return true;
  if (collective_is_alias(collective, query->output_leaf))
    return same_sizes(query) ? answer_identity(query, answer, error)
                             : collective_undefined(query, answer);
  if (instruction_permutes_nothing(collective)) return true;
  if (collective->opcode == HLO_ALL_GATHER || collective->opcode == HLO_ALL_GATHER_START)
    return reads_gathered(query, answer, error);
  if (collective->opcode == HLO_REDUCE_SCATTER)
    return reads_part(query,
        collective->dimensions.count > 0 ? collective->dimensions.values[0] : -1, answer, error);
  return same_sizes(query) ? answer_identity(query, answer, error)
                           : collective_undefined(query, answer);
}
