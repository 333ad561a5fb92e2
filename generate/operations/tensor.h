/* The tensors of a scope: every shape up to a rank and a number of elements, sizes from 1, in one
 * order: by elements, then by rank, then by sizes. The order is what numbers of cases stand on: it
 * never changes for the same limits. */
#ifndef GENERATE_TENSOR_H
#define GENERATE_TENSOR_H

#include "core/base/arena.h"
#include "generate/choices/choices.h"

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
      first[tensor_max_elements + 2]; /* those of n elements are first[n] .. first[n + 1] - 1 */
} TensorList;

/* Rank at most tensor_max_rank, elements at most tensor_max_elements. */
void tensors_list(Arena *arena, uint32_t rank, int64_t elements, TensorList *list);
/* Those with a size 0 instead, the product of their other sizes within the elements: all of them
 * have as many elements, none. */
void tensors_list_empty(Arena *arena, uint32_t rank, int64_t elements, TensorList *list);
/* The position in the list, or its count where the tensor is not in it (too many elements, too high
 * a rank, a size 0). */
[[nodiscard]] uint32_t tensors_find(const TensorList *list, const Tensor *tensor);
[[nodiscard]] int64_t tensor_elements(const Tensor *tensor);

/* `length` different positions below n, a choice for each. */
void choose_arrangement(Choices *choices, uint32_t n, uint32_t length, uint32_t *sequence);
/* A divisor, the number itself first; 0 of 0. */
[[nodiscard]] int64_t choose_divisor(Choices *choices, int64_t number);
#endif
