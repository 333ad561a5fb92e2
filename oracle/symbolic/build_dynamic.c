/* Offsets that are known at run time. A dynamic slice, an update and a gather are picks: one
 * candidate for each value of an offset after its clamp. An offset whose clamp leaves one value is
 * not read. Past most_candidates the operation is opaque; its elements can be looked up
 * (lookups.h). */
#include "oracle/symbolic/build.h"

#include "oracle/semantics/indexed.h"

static constexpr int64_t most_candidates = 1 << 12;

typedef struct BuildDynamicOffsets {
  TermBuilder *builder;
  const Node *node;
  uint32_t rank;                   /* of the operand */
  int64_t most[oracle_max_rank];   /* largest offset after the clamp */
  Term terms[oracle_max_rank];     /* where most > 0 */
  int64_t values[oracle_max_rank]; /* the offsets chosen so far */
  int64_t within[oracle_max_rank]; /* the index relative to the offset */
} BuildDynamicOffsets;

static bool candidate_element(BuildDynamicOffsets *offsets, Term *term) {
  TermBuilder *builder = offsets->builder;
  const Node *node = offsets->node;
  const Leaf *operand = &node->operands[0]->leaves[0];
  int64_t at[oracle_max_rank];
  if (operand->elements == 0)
    return builder_reject(builder, node, "an element of an empty operand");
  bool is_update = node->instruction->opcode == HLO_DYNAMIC_UPDATE_SLICE, is_inside = is_update;
  const Leaf *update = is_update ? &node->operands[1]->leaves[0] : operand;
  for (uint32_t i = 0; i < offsets->rank; i++) {
    at[i] = offsets->within[i] + (is_update ? -offsets->values[i] : offsets->values[i]);
    is_inside = is_inside && at[i] >= 0 && at[i] < update->sizes[i];
  }
  if (is_update && !is_inside)
    return builder_element(
        builder, node->operands[0], 0, leaf_element(operand, offsets->within), term);
  return builder_element(builder, node->operands[is_update], 0, leaf_element(update, at), term);
}

static bool pick_from(BuildDynamicOffsets *offsets, uint32_t dimension, Term *term) {
  if (dimension == offsets->rank) return candidate_element(offsets, term);
  int64_t count = offsets->most[dimension] + 1;
  if (count > 1 && terms_is_known_offset(offsets->builder->terms, offsets->terms[dimension], count,
                       &offsets->values[dimension]))
    return pick_from(offsets, dimension + 1, term);
  if (!builder_spend(offsets->builder, offsets->node, (uint64_t)count)) return false;
  Term *candidates = ARENA_NEW(offsets->builder->arena, Term, count);
  for (int64_t i = 0; i < count; i++) {
    offsets->values[dimension] = i;
    if (!pick_from(offsets, dimension + 1, &candidates[i])) return false;
  }
  *term = count == 1 ? candidates[0]
                     : term_pick(offsets->builder->terms, offsets->terms[dimension],
                           (uint32_t)count, candidates);
  return true;
}

/* Whether there are few enough candidates; a constant offset leaves one. */
static bool is_small(const BuildDynamicOffsets *offsets) {
  int64_t candidates = 1, value;
  for (uint32_t i = 0; i < offsets->rank && candidates <= most_candidates; i++)
    if (offsets->most[i] > 0 &&
        !terms_is_constant(offsets->builder->terms, offsets->terms[i], &value))
      candidates *=
          offsets->most[i] + 1 > most_candidates ? most_candidates + 1 : offsets->most[i] + 1;
  return candidates <= most_candidates;
}

static bool slice_offsets(BuildDynamicOffsets *offsets, const int64_t *output) {
  const Node *node = offsets->node;
  bool is_update = node->instruction->opcode == HLO_DYNAMIC_UPDATE_SLICE;
  uint32_t first = is_update ? 2 : 1;
  const Leaf *operand = &node->operands[0]->leaves[0];
  const Leaf *window = is_update ? &node->operands[1]->leaves[0] : &node->leaves[0];
  bool is_vector = node->operand_count == first + 1 && node->operands[first]->leaves[0].rank == 1;
  if (!is_vector && node->operand_count != first + operand->rank)
    return builder_reject(offsets->builder, node, "its offsets");
  for (uint32_t i = 0; i < operand->rank; i++) {
    offsets->most[i] = operand->sizes[i] - window->sizes[i];
    offsets->within[i] = output[i];
    if (offsets->most[i] > 0 &&
        !builder_element(offsets->builder, node->operands[is_vector ? first : first + i], 0,
            is_vector ? i : 0, &offsets->terms[i]))
      return false;
  }
  return true;
}

/* offset_dims index the slice; the output's other dimensions are the batch index. */
static bool gather_offsets(BuildDynamicOffsets *offsets, const int64_t *output) {
  const Node *node = offsets->node;
  const GatherNumbers *gather = node->instruction->gather;
  const Leaf *operand = &node->operands[0]->leaves[0], *indices = &node->operands[1]->leaves[0];
  int64_t batch[oracle_max_rank] = {};
  uint32_t batches = 0, windows = 0;
  if (gather == nullptr || gather->slice_sizes.count != operand->rank)
    return builder_reject(offsets->builder, node, "its dimensions");
  for (uint32_t i = 0; i < node->leaves[0].rank; i++)
    if (!ints_has(&gather->offset_dims, i)) batch[batches++] = output[i];
  for (uint32_t i = 0; i < operand->rank; i++)
    if (!ints_has(&gather->collapsed_slice_dims, i) && !ints_has(&gather->operand_batching_dims, i))
      offsets->within[i] = output[gather->offset_dims.values[windows++]];
  for (uint32_t i = 0; i < gather->operand_batching_dims.count; i++)
    offsets->within[gather->operand_batching_dims.values[i]] = batch[batch_position(
        gather->start_indices_batching_dims.values[i], gather->index_vector_dim)];
  for (uint32_t i = 0; i < operand->rank; i++)
    if (gather->slice_sizes.values[i] < 1)
      return builder_reject(offsets->builder, node, "slices without elements");
  for (uint32_t i = 0; i < gather->start_index_map.count; i++) {
    int64_t dimension = gather->start_index_map.values[i];
    offsets->most[dimension] = operand->sizes[dimension] - gather->slice_sizes.values[dimension];
    if (offsets->most[dimension] > 0 &&
        !builder_element(offsets->builder, node->operands[1], 0,
            index_element(indices, gather->index_vector_dim, batch, i), &offsets->terms[dimension]))
      return false;
  }
  return true;
}

static bool begin_offsets(
    BuildDynamicOffsets *offsets, TermBuilder *builder, const Node *node, int64_t element) {
  int64_t output[oracle_max_rank];
  *offsets = (BuildDynamicOffsets){
      .builder = builder, .node = node, .rank = node->operands[0]->leaves[0].rank};
  leaf_index(&node->leaves[0], element, output);
  return node->instruction->opcode == HLO_GATHER ? gather_offsets(offsets, output)
                                                 : slice_offsets(offsets, output);
}

bool dynamic_offsets(TermBuilder *builder, const Node *node, int64_t element, uint32_t *rank,
    Term offsets[oracle_max_rank]) {
  BuildDynamicOffsets found;
  if (!begin_offsets(&found, builder, node, element)) return false;
  *rank = found.rank;
  for (uint32_t i = 0; i < found.rank; i++)
    offsets[i] = found.most[i] > 0 ? found.terms[i] : no_term;
  return true;
}

bool dynamic_candidate(TermBuilder *builder, const Node *node, int64_t element,
    const int64_t values[oracle_max_rank], Term *term) {
  BuildDynamicOffsets offsets;
  if (!begin_offsets(&offsets, builder, node, element)) return false;
  for (uint32_t i = 0; i < offsets.rank; i++)
    if (offsets.most[i] > 0)
      offsets.values[i] = offset_clamp(
          term_data(builder->terms, offsets.terms[i])->type, values[i], offsets.most[i] + 1);
  return candidate_element(&offsets, term);
}

/* Records the element if its operand is a whole parameter, so that what is looked up is an input.
 */
static void record_lookup(TermBuilder *builder, const Node *node, int64_t element, Term term) {
  const Node *operand = node->operands[0];
  uint32_t leaf = 0;
  if (builder->lookups == nullptr || node->instruction->opcode == HLO_DYNAMIC_UPDATE_SLICE) return;
  if (operand->leaves[0].shape->type != node->leaves[0].shape->type) return; /* may round */
  builder_resolve(&operand, &leaf);
  if (operand->is_input)
    builder_record_lookup(builder, node, &(LeafElement){.element = element}, term);
}

bool build_dynamic(TermBuilder *builder, const Node *node, int64_t element, Term *term) {
  BuildDynamicOffsets offsets;
  if (!begin_offsets(&offsets, builder, node, element)) return false;
  if (is_small(&offsets)) return pick_from(&offsets, 0, term);
  if (!build_opaque(builder, node, 0, element, term)) return false;
  record_lookup(builder, node, element, *term);
  return true;
}
