/* Left sides for MLIR to rewrite: random semi-affine expressions, as rules whose right side is
 * still 0. */
#ifndef EXAMPLES_FOLDS_MLIR_GENERATE_H
#define EXAMPLES_FOLDS_MLIR_GENERATE_H

#include "core/base/text.h"

typedef struct Generate {
  uint64_t seed;
  uint32_t count;
  uint32_t depth;   /* of operators, at least 1 */
  bool has_large;   /* constants up to int64's ends, and powers of two */
  bool has_symbols; /* a and b, also as factors and divisors; without them every divisor is a
                       positive constant */
} Generate;

/* Appends `count` rules g0, g1, ...: the same ones for the same arguments. Their guards say that
 * the letters which divide are positive. */
void generate_rules(Text *text, Generate how);

#endif
