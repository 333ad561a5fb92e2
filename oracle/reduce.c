/* Reductions along whole dimensions and running reductions.
 * reduce: output element i of every output reads, of every input, all elements that agree with i on the dimensions that are kept, and every initial
 * value.
 * Convention: the reducer is taken to use all of its parameters for each of its results. */
#include "oracle/product.h"

static bool names(const Ints *dimensions, uint32_t dimension) {
  for (uint32_t i = 0; i < dimensions->count; i++)
    if (dimensions->values[i] == dimension) return true;
  return false;
}

bool read_reduce(Reading *reading) {
  const Instruction *reduce = reading->node->instruction;
  uint32_t inputs = reduce->operand_count / 2;
  for (uint32_t operand = 0; operand < inputs; operand++) {
    if (!read_wants(reading, operand)) continue;
    Product product;
    product_begin(reading, operand, &product);
    for (uint32_t i = 0, kept = 0; i < product.leaf->rank; i++) {
      if (names(&reduce->dimensions, i)) product_add_all(&product, i);
      else product_add(&product, i, reading->at[kept++]);
    }
    product_read(reading, &product);
  }
  for (uint32_t operand = inputs; operand < reduce->operand_count; operand++)
    if (read_wants(reading, operand)) read_element(reading, operand, 0);
  return true;
}

bool read_scan(Reading *reading) { return read_unsupported(reading); }
