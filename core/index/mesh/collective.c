/* Collectives, seen from one device: which elements of the operand, wherever it lives, an element
 * of this device's output needs. All-reduce, permute, broadcast: the same place. All-gather: the
 * place modulo the operand's size. Reduce-scatter and all-to-all: the part that belongs to a device
 * is a range variable over the places of the group: each place is some device's.
 * Which device the element comes from is the replica map's matter. */
#include "core/index/mesh/collective.h"

#include <assert.h>

#include "core/index/family.h"

static int64_t group_size(const Instruction *collective) {
  const ReplicaGroups *groups = collective->replica_groups;
  return groups != nullptr && groups->count > 0 ? groups->groups[0].count : 0;
}

static bool undefined(const Ask *ask, Answer *answer) {
  answer_claim(answer, INDEX_UNDEFINED, opcode_name(ask->instruction->opcode));
  return true;
}

static bool same_sizes(const Ask *ask) { return shape_same_sizes(ask->output, ask->input); }

static bool reads_gathered(const Ask *ask, Answer *answer, Error *error) {
  const Ints *dimensions = &ask->instruction->dimensions;
  if (dimensions->count != 1 || ask->output->rank != ask->input->rank)
    return undefined(ask, answer);
  Build build = build_over(ask->context, ask->output);
  for (uint32_t i = 0; i < ask->input->rank; i++) {
    bool gathered = i == dimensions->values[0];
    build_result(&build, gathered ? build_mod(&build, build_dim(&build, i), ask->input->sizes[i])
                                  : build_dim(&build, i));
  }
  return answer_finish(ask, answer, &build, error);
}

/* The operand is cut in equal parts along one dimension; this device gets the part of its place in
 * the group. */
static bool reads_part(const Ask *ask, int64_t along, Answer *answer, Error *error) {
  if (ask->output->rank != ask->input->rank || along < 0 || along >= ask->input->rank)
    return undefined(ask, answer);
  int64_t part = ask->output->sizes[along], whole = ask->input->sizes[along];
  assert(part > 0 && whole > 0);
  if (whole % part != 0) return undefined(ask, answer);
  Build build = build_over(ask->context, ask->output);
  Expr place = build_span(&build, whole / part);
  for (uint32_t i = 0; i < ask->input->rank; i++) {
    Expr dim = build_dim(&build, i);
    build_result(
        &build, i == along ? build_plus(&build, dim, build_times(&build, place, part)) : dim);
  }
  return answer_finish(ask, answer, &build, error);
}

/* The array form: chunks along one dimension; chunk q of the output is chunk `own place` of device
 * q. */
static bool reads_exchanged(const Ask *ask, Answer *answer, Error *error) {
  const Ints *dimensions = &ask->instruction->dimensions;
  if (!same_sizes(ask)) return undefined(ask, answer);
  if (dimensions->count == 0) return answer_identity(ask, answer, error);
  int64_t along = dimensions->values[0], count = group_size(ask->instruction);
  if (along < 0 || along >= ask->input->rank) return undefined(ask, answer);
  int64_t size = ask->input->sizes[along];
  bool known = count > 0 && size % count == 0;
  if (!known)
    answer_claim(
        answer, INDEX_COVERING, "how many devices exchange parts is known at run time only");
  Build build = build_over(ask->context, ask->output);
  for (uint32_t i = 0; i < ask->input->rank; i++) {
    Expr dim = build_dim(&build, i);
    if (i == along && known)
      dim = build_plus(&build, build_mod(&build, dim, size / count),
          build_times(&build, build_span(&build, count), size / count));
    build_result(&build, i == along && !known ? build_span(&build, size) : dim);
  }
  return answer_finish(ask, answer, &build, error);
}

/* Rows of the operand go anywhere; what no row overwrites is the second operand's. */
static bool reads_ragged_exchange(const Ask *ask, Answer *answer, Error *error) {
  answer_claim(answer, INDEX_COVERING,
      "which rows are exchanged depends on the values of offsets and sizes");
  if (ask->operand == 1 && same_sizes(ask)) return answer_identity(ask, answer, error);
  if (ask->operand > 0 || ask->input->rank != ask->output->rank || ask->input->rank == 0)
    return answer_everything(ask, answer, error);
  Build build = build_over(ask->context, ask->output);
  for (uint32_t i = 0; i < ask->input->rank; i++) {
    bool whole = i == 0 || ask->input->sizes[i] != ask->output->sizes[i];
    build_result(&build, whole ? build_span(&build, ask->input->sizes[i]) : build_dim(&build, i));
  }
  return answer_finish(ask, answer, &build, error);
}

/* Output leaf of a variadic collective that belongs to an operand: operand k's own; of a start's
 * pair, both halves' leaf k. */
static bool belongs(const Ask *ask) {
  uint32_t operands = ask->instruction->operand_count;
  return ask->output_leaf % operands == ask->operand;
}

bool collective_is_alias(const Instruction *collective, uint32_t output_leaf) {
  bool pairs = collective->opcode == HLO_ALL_GATHER_START ||
               collective->opcode == HLO_COLLECTIVE_PERMUTE_START;
  return pairs && shape_is_tuple(collective->shape) && output_leaf < collective->operand_count;
}

static bool is_context(const Ask *ask) {
  return ask->instruction->opcode == HLO_COLLECTIVE_PERMUTE_START &&
         ask->output_leaf >= 2 * ask->instruction->operand_count;
}

bool reads_collective(const Ask *ask, Answer *answer, Error *error) {
  const Instruction *collective = ask->instruction;
  if (collective->opcode == HLO_RAGGED_ALL_TO_ALL) return reads_ragged_exchange(ask, answer, error);
  if (collective->opcode == HLO_ALL_TO_ALL) return reads_exchanged(ask, answer, error);
  if (!belongs(ask) || is_context(ask)) return true;
  if (collective_is_alias(collective, ask->output_leaf))
    return same_sizes(ask) ? answer_identity(ask, answer, error) : undefined(ask, answer);
  if (collective->opcode == HLO_ALL_GATHER || collective->opcode == HLO_ALL_GATHER_START)
    return reads_gathered(ask, answer, error);
  if (collective->opcode == HLO_REDUCE_SCATTER)
    return reads_part(ask, collective->dimensions.count > 0 ? collective->dimensions.values[0] : -1,
        answer, error);
  return same_sizes(ask) ? answer_identity(ask, answer, error) : undefined(ask, answer);
}
