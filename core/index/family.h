/* Shared by the families of operations: the query, the result, and one function for each family.
 *
 * A family computes output-to-input for one pair of nonempty array leaves; the caller handles
 * tokens and arrays without elements. Input-to-output is the inverse relation of its maps
 * (fusion/inverse.h), unless the family has its own function for it. */
#ifndef CORE_INDEX_FAMILY_H
#define CORE_INDEX_FAMILY_H

#include "core/hlo/compare.h"
#include "core/index/ops/build.h"
#include "core/index/index.h"

typedef struct IndexQuery {
  MapContext *context;
  const Instruction *instruction;
  uint32_t output_leaf, operand, operand_leaf;
  const Shape *output, *input; /* the shapes of the two leaves */
} IndexQuery;

typedef struct MapList {
  uint32_t count, capacity;
  const Map **items;
} MapList;

/* {} is the initial value: exact, nothing is read. */
typedef struct IndexResult {
  IndexClaim claim;
  const char *reason;
  uint32_t count, capacity;
  const Map **items;
  MapList keys; /* of sets (set_add): the keys that decide whether two items are the same */
  bool is_hull; /* of sets: the only item is a map that contains all added ones */
  bool crossed; /* of sets: a path to it has what fusion/exchange.h looks for */
} IndexResult;

/* Appends the map unless its domain is empty. */
[[nodiscard]] bool answer_finish(
    const IndexQuery *query, IndexResult *answer, Build *build, Error *error);
/* Keeps the worse of the two claims, with its reason. */
void answer_claim(IndexResult *answer, IndexClaim claim, const char *reason);
/* Every output element reads the whole operand. */
[[nodiscard]] bool answer_everything(const IndexQuery *query, IndexResult *answer, Error *error);
/* d -> d; the two leaves have the same sizes. */
[[nodiscard]] bool answer_identity(const IndexQuery *query, IndexResult *answer, Error *error);
/* d -> () for an operand of rank 0. */
[[nodiscard]] bool answer_scalar(const IndexQuery *query, IndexResult *answer, Error *error);

typedef bool OperationReads(const IndexQuery *query, IndexResult *answer, Error *error);

/* The rules of the groups: pure functions of the instruction, from the sections that
 * core/hlo/opcodes.def names for the group. A rule appends raw maps to the answer, in the context's
 * arena, and worsens the claim if they are an over-approximation. It returns false on overflow. The
 * macros are for groups that share the rule of another. */
#define reads_map reads_elementwise
#define reads_rng reads_source
#define reads_copy reads_structure
#define reads_after_all reads_structure
#define reads_async reads_structure
#define reads_collective_done reads_structure
#define reads_sort reads_order
#define reads_topk reads_order
#define reads_batch_norm_training reads_batch_norm
#define reads_batch_norm_inference reads_batch_norm
#define reads_batch_norm_grad reads_batch_norm
#define reads_while reads_boundary
#define reads_conditional reads_boundary
#define reads_all_reduce reads_collective
#define reads_reduce_scatter reads_collective
#define reads_all_gather reads_collective
#define reads_all_gather_start reads_collective
#define reads_all_to_all reads_collective
#define reads_ragged_all_to_all reads_collective
#define reads_collective_permute reads_collective
#define reads_collective_permute_start reads_collective
#define reads_call reads_nothing_known
#define reads_async_start reads_nothing_known
#define reads_rng_bit_generator reads_nothing_known
#define reads_custom_call reads_nothing_known
#define reads_transfer reads_nothing_known
#define reads_get_dimension_size reads_nothing_known
#define reads_dynamic_size reads_nothing_known
#define GROUP(group, family) OperationReads reads_##group;
#include "core/hlo/opcodes.def"
#undef GROUP
OperationReads reached_reshape, reached_bitcast;

#endif
