/* What one operation reads for one element of its output: a list of (operand, leaf of the operand,
 * element). Each family of operations has one function that appends to the list; it is written from
 * the operation semantics alone. Operands that nobody asks for may be left out (read_wants), so
 * that the values of indices are drawn only where they matter. */
#ifndef ORACLE_READING_H
#define ORACLE_READING_H

#include "oracle/evaluate/flow.h"
#include "oracle/evaluate/wide.h"

typedef struct Read {
  uint32_t operand, leaf;
  int64_t element;
} Read;

typedef struct Values Values;

typedef struct Reading {
  Arena *arena;
  Refusal *refusal;
  Values *values;         /* gives elements of index operands */
  uint32_t operand_limit; /* operands from this one on are not asked for */
  bool only_reaching;     /* only operands behind which the target lies */
  const uint8_t *rows; /* of scatters: the rows of indices whose updates are asked for; nullptr for
                          all of them */
  uint32_t count, capacity;
  Read *items;
  const Node *node; /* the operation, its output leaf, and the element in two forms */
  uint32_t leaf;
  int64_t element;
  const int64_t *at;
  int64_t *scratch; /* room for lists of positions, used up to `scratch_used` by the operation being
                       read */
  size_t scratch_used, scratch_capacity;
} Reading;

[[nodiscard]] static inline bool read_wants(const Reading *reading, uint32_t operand) {
  return operand < reading->operand_limit &&
         (!reading->only_reaching || reading->node->operands[operand]->reaches);
}

[[nodiscard]] static inline const Leaf *read_operand(const Reading *reading, uint32_t operand) {
  return &reading->node->operands[operand]->leaves[0];
}

static inline void read_leaf_element(
    Reading *reading, uint32_t operand, uint32_t leaf, int64_t element) {
  assert(element >= 0 && element < reading->node->operands[operand]->leaves[leaf].elements);
  *ARENA_PUSH(reading->arena, reading) =
      (Read){.operand = operand, .leaf = leaf, .element = element};
}

static inline void read_element(Reading *reading, uint32_t operand, int64_t element) {
  read_leaf_element(reading, operand, 0, element);
}

static inline void read_index(Reading *reading, uint32_t operand, const int64_t *at) {
  read_leaf_element(reading, operand, 0, leaf_element(read_operand(reading, operand), at));
}

/* The value of an element of an integral operand. [lo, hi] is the range in which different values
 * make a difference here: values that are chosen are drawn from it. */
[[nodiscard]] bool read_value(
    Reading *reading, uint32_t operand, int64_t element, Wide lo, Wide hi, Wide *value);

/* Clears the list and fills it. `at` is the index of `element` in the output leaf. */
[[nodiscard]] bool read_operation(
    Reading *reading, const Node *node, uint32_t leaf, int64_t element, const int64_t *at);

/* For operations that only arrange leaves: the leaf of an operand that an output leaf is, or no
 * operand for one that is made here. False for all others. */
static constexpr uint32_t no_operand = UINT32_MAX;
[[nodiscard]] bool structure_leaf(
    const Node *node, uint32_t leaf, uint32_t *operand, uint32_t *operand_leaf);

/* One function a family; each is called for an element of reading->node's output leaf. */
[[nodiscard]] bool read_elementwise(Reading *reading);
[[nodiscard]] bool read_map(Reading *reading);
[[nodiscard]] bool read_rng(Reading *reading);
[[nodiscard]] bool read_broadcast(Reading *reading);
[[nodiscard]] bool read_transpose(Reading *reading);
[[nodiscard]] bool read_reverse(Reading *reading);
[[nodiscard]] bool read_slice(Reading *reading);
[[nodiscard]] bool read_reshape(Reading *reading);
[[nodiscard]] bool read_concatenate(Reading *reading);
[[nodiscard]] bool read_pad(Reading *reading);
[[nodiscard]] bool read_bitcast(Reading *reading);
[[nodiscard]] bool read_bitcast_convert(Reading *reading);
[[nodiscard]] bool read_reduce(Reading *reading);
[[nodiscard]] bool read_scan(Reading *reading);
[[nodiscard]] bool read_reduce_window(Reading *reading);
[[nodiscard]] bool read_select_and_scatter(Reading *reading);
[[nodiscard]] bool read_dot(Reading *reading);
[[nodiscard]] bool read_ragged_dot(Reading *reading);
[[nodiscard]] bool read_scaled_dot(Reading *reading);
[[nodiscard]] bool read_convolution(Reading *reading);
[[nodiscard]] bool read_dynamic_slice(Reading *reading);
[[nodiscard]] bool read_dynamic_update_slice(Reading *reading);
[[nodiscard]] bool read_gather(Reading *reading);
[[nodiscard]] bool read_scatter(Reading *reading);
[[nodiscard]] bool read_sort(Reading *reading);
[[nodiscard]] bool read_topk(Reading *reading);
[[nodiscard]] bool read_cholesky(Reading *reading);
[[nodiscard]] bool read_triangular_solve(Reading *reading);
[[nodiscard]] bool read_fft(Reading *reading);
[[nodiscard]] bool read_batch_norm_training(Reading *reading);
[[nodiscard]] bool read_batch_norm_inference(Reading *reading);
[[nodiscard]] bool read_batch_norm_grad(Reading *reading);
[[nodiscard]] bool read_structure(Reading *reading);
[[nodiscard]] bool read_conditional(Reading *reading);
[[nodiscard]] bool read_while(Reading *reading);
[[nodiscard]] bool read_all_reduce(Reading *reading);
[[nodiscard]] bool read_reduce_scatter(Reading *reading);
[[nodiscard]] bool read_all_gather(Reading *reading);
[[nodiscard]] bool read_all_gather_start(Reading *reading);
[[nodiscard]] bool read_all_to_all(Reading *reading);
[[nodiscard]] bool read_collective_permute(Reading *reading);
[[nodiscard]] bool read_collective_permute_start(Reading *reading);

/* Semantics that are not written: refuses with the operation's name. */
[[nodiscard]] bool read_unsupported(Reading *reading);
/* The same, with the reason why there can be none. */
[[nodiscard]] bool read_unknowable(Reading *reading, const char *reason);

#endif
