/* Lists the combinations of a product of positions. */
#include "oracle/semantics/product.h"

#include <assert.h>

static int64_t *scratch(Reading *reading, size_t count) {
  if (reading->scratch_used + count > reading->scratch_capacity) {
    reading->scratch_capacity = 2 * (reading->scratch_used + count) + 64;
    reading->scratch = ARENA_NEW(reading->arena, int64_t, reading->scratch_capacity);
    reading->scratch_used = 0;
  }
  int64_t *given = reading->scratch + reading->scratch_used;
  reading->scratch_used += count;
  return given;
}

void product_begin(Reading *reading, uint32_t operand, Product *product) {
  *product = (Product){.operand = operand, .leaf = read_operand(reading, operand)};
  for (uint32_t i = 0; i < product->leaf->rank; i++)
    product->positions[i] = scratch(reading, (size_t)product->leaf->sizes[i]);
}

void product_add(Product *product, uint32_t dimension, int64_t position) {
  assert(position >= 0 && position < product->leaf->sizes[dimension]);
  assert(product->count[dimension] < product->leaf->sizes[dimension]);
  product->positions[dimension][product->count[dimension]++] = position;
}

void product_add_range(Product *product, uint32_t dimension, Wide lo, Wide hi) {
  Wide last = wide_min(hi, product->leaf->sizes[dimension] - 1);
  for (Wide position = wide_max(lo, 0); position <= last; position++)
    product_add(product, dimension, (int64_t)position);
}

void product_add_all(Product *product, uint32_t dimension) {
  product_add_range(product, dimension, 0, product->leaf->sizes[dimension] - 1);
}

/* Reads all positions of the last dimension; the positions before it are `at`. As many reads as the
 * list holds without growing are written in one loop. */
static void read_line(Reading *reading, const Product *product, const int64_t *at) {
  uint32_t last = product->leaf->rank - 1;
  int64_t first = 0;
  for (uint32_t i = 0; i < last; i++) first = first * product->leaf->sizes[i] + at[i];
  first *= product->leaf->sizes[last];
  const int64_t *positions = product->positions[last];
  for (uint32_t i = 0, count = product->count[last]; i < count;) {
    read_element(reading, product->operand, first + positions[i++]);
    uint32_t more = reading->capacity - reading->count;
    if (more > count - i) more = count - i;
    Read *items = reading->items + reading->count;
    for (uint32_t k = 0; k < more; k++) {
      int64_t element = first + positions[i + k];
      assert(element >= 0 && element < product->leaf->elements);
      items[k] = (Read){.operand = product->operand, .element = element};
    }
    reading->count += more;
    i += more;
  }
}

void product_read(Reading *reading, const Product *product) {
  uint32_t rank = product->leaf->rank, chosen[oracle_max_rank] = {};
  int64_t at[oracle_max_rank] = {};
  for (uint32_t i = 0; i < rank; i++) {
    if (product->count[i] == 0) return;
    at[i] = product->positions[i][0];
  }
  if (rank == 0) read_index(reading, product->operand, at);
  while (rank > 0) {
    read_line(reading, product, at);
    uint32_t i = rank - 1;
    while (i > 0 && ++chosen[i - 1] == product->count[i - 1]) {
      chosen[i - 1] = 0;
      at[i - 1] = product->positions[i - 1][0];
      i--;
    }
    if (i == 0) return;
    at[i - 1] = product->positions[i - 1][chosen[i - 1]];
  }
}
