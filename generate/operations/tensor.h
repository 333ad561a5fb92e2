/* The tensors of a scope: every shape up to a rank and a number of elements, with sizes of at least
 * 1, ordered by elements, then rank, then sizes. Case numbers depend on this order, so it never
 * changes for the same limits. */
#ifndef GENERATE_OPERATIONS_TENSOR_H
#define GENERATE_OPERATIONS_TENSOR_H

#include "core/base/arena.h"
#include "core/base/choices.h"

static constexpr uint32_t tensor_max_rank = 8;
static constexpr int64_t tensor_max_elements = 64;

typedef struct Tensor {
  uint32_t rank;
  int64_t sizes[tensor_max_rank];
} Tensor;

typedef struct TensorList {
  uint32_t count, capacity;
  Tensor *items;
  uint32_t
      first[tensor_max_elements + 2]; /* shapes of n elements are first[n] .. first[n + 1] - 1 */
} TensorList;

/* The rank must be at most tensor_max_rank, the elements at most tensor_max_elements. */
void tensors_list(Arena *arena, uint32_t rank, int64_t elements, TensorList *list);
/* Lists empty shapes instead: at least one size is 0, and the product of the others is at most
 * `elements`. All have 0 elements. */
void tensors_list_empty(Arena *arena, uint32_t rank, int64_t elements, TensorList *list);
/* The position in the list, or the list's count if the tensor is not listed (too many elements, a
 * higher rank, a size 0). */
[[nodiscard]] uint32_t tensors_find(const TensorList *list, const Tensor *tensor);
[[nodiscard]] int64_t tensor_elements(const Tensor *tensor);

/* Chooses `length` different positions below n, one choice each. */
void choose_arrangement(Choices *choices, uint32_t n, uint32_t length, uint32_t *sequence);
/* A divisor of the number; choice 0 is the number itself. 0 has the divisor 0. */
[[nodiscard]] int64_t choose_divisor(Choices *choices, int64_t number);
#endif
