/* Reads that form a product: a list of positions for each dimension of an operand. All their
 * combinations are read. */
#ifndef ORACLE_SEMANTICS_PRODUCT_H
#define ORACLE_SEMANTICS_PRODUCT_H

#include "oracle/semantics/reading.h"

typedef struct Product {
  uint32_t operand;
  const Leaf *leaf;
  uint32_t count[oracle_max_rank];
  int64_t *positions[oracle_max_rank]; /* capacity: the dimension's size */
} Product;

/* Begins with no positions in any dimension. */
void product_begin(Reading *reading, uint32_t operand, Product *product);
void product_add(Product *product, uint32_t dimension, int64_t position);
/* Positions lo .. hi, cut to the dimension. */
void product_add_range(Product *product, uint32_t dimension, Wide lo, Wide hi);
void product_add_all(Product *product, uint32_t dimension);
void product_read(Reading *reading, const Product *product);

#endif
