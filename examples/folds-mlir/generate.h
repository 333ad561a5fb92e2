/* Generates left sides for MLIR to rewrite: random semi-affine expressions, as rules with right
 * side 0. */
#ifndef EXAMPLES_FOLDS_MLIR_GENERATE_H
#define EXAMPLES_FOLDS_MLIR_GENERATE_H

#include "core/base/text.h"

typedef struct Generate {
  uint64_t seed;
  uint32_t count;
  uint32_t depth;   /* number of nested operators, at least 1 */
  bool has_large;   /* constants up to the bounds of int64, and powers of two */
  bool has_symbols; /* use a and b, also as factors and divisors; otherwise every divisor is a
                       positive constant */
} Generate;

/* Appends `count` rules g0, g1, ...: the same ones for the same arguments. Their guards state that
 * letters in divisors are positive. */
void generate_rules(Text *text, Generate how);

#endif
