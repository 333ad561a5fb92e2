/* Lists shapes, and chooses permutations and divisors.
 * Keeps: every list is strictly increasing, so that binary search finds a shape and no shape is
 * listed twice. */
#include "generate/operations/tensor.h"

#include <assert.h>

int64_t tensor_elements(const Tensor *tensor) {
  int64_t elements = 1;
  for (uint32_t i = 0; i < tensor->rank; i++) elements *= tensor->sizes[i];
  return elements;
}

static void add_sizes(Arena *arena, TensorList *list, Tensor *tensor, uint32_t at, int64_t left) {
  if (at == tensor->rank) {
    if (left == 1) *ARENA_PUSH(arena, list) = *tensor;
    return;
  }
  for (int64_t size = 1; size <= left; size++) {
    if (left % size != 0) continue;
    tensor->sizes[at] = size;
    add_sizes(arena, list, tensor, at + 1, left / size);
  }
}

void tensors_list(Arena *arena, uint32_t rank, int64_t elements, TensorList *list) {
  assert(rank <= tensor_max_rank && elements <= tensor_max_elements);
  *list = (TensorList){};
  for (int64_t n = 1; n <= elements; n++) {
    list->first[n] = list->count;
    for (uint32_t r = 0; r <= rank; r++) add_sizes(arena, list, &(Tensor){.rank = r}, 0, n);
  }
  for (int64_t n = elements + 1; n <= tensor_max_elements + 1; n++) list->first[n] = list->count;
}

static void add_with_zeros(
    Arena *arena, TensorList *list, Tensor *tensor, uint32_t at, int64_t left) {
  if (at == tensor->rank) {
    if (tensor_elements(tensor) == 0) *ARENA_PUSH(arena, list) = *tensor;
    return;
  }
  for (int64_t size = 0; size <= left; size++) {
    tensor->sizes[at] = size;
    add_with_zeros(arena, list, tensor, at + 1, size == 0 ? left : left / size);
  }
}

void tensors_list_empty(Arena *arena, uint32_t rank, int64_t elements, TensorList *list) {
  assert(rank <= tensor_max_rank && elements <= tensor_max_elements);
  *list = (TensorList){};
  for (uint32_t r = 1; r <= rank; r++)
    add_with_zeros(arena, list, &(Tensor){.rank = r}, 0, elements);
  for (int64_t n = 1; n <= tensor_max_elements + 1; n++) list->first[n] = list->count;
}

static int tensor_compare(const Tensor *a, const Tensor *b) {
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->sizes[i] != b->sizes[i]) return a->sizes[i] < b->sizes[i] ? -1 : 1;
  return 0;
}

uint32_t tensors_find(const TensorList *list, const Tensor *tensor) {
  int64_t elements = tensor_elements(tensor);
  if (elements < 1 || elements > tensor_max_elements) return list->count;
  uint32_t low = list->first[elements], high = list->first[elements + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = tensor_compare(&list->items[middle], tensor);
    if (order == 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return list->count;
}

void choose_arrangement(Choices *choices, uint32_t n, uint32_t length, uint32_t *sequence) {
  assert(length <= n && n <= 20);
  uint32_t used = 0;
  for (uint32_t i = 0; i < length; i++) {
    uint64_t skip = choose(choices, n - i);
    uint32_t position = 0;
    while ((used >> position & 1) != 0 || skip-- > 0) position++;
    used |= 1u << position;
    sequence[i] = position;
  }
}

int64_t choose_divisor(Choices *choices, int64_t number) {
  uint64_t count = 0;
  for (int64_t d = 1; d <= number; d++) count += number % d == 0;
  if (number == 0) return 0;
  uint64_t chosen = choose(choices, count);
  for (int64_t d = number; d > 0; d--)
    if (number % d == 0 && chosen-- == 0) return d;
  return 0;
}
