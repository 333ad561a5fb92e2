/* Test support: the operators' own definition in 128 bits, for expressions of 64 bits. */
#ifndef CORE_MAP_TEST_DEFINED_H
#define CORE_MAP_TEST_DEFINED_H

#include <stdlib.h>

#include "core/expr/expr.h"

typedef __int128 Int128;

static inline Int128 defined_floor(Int128 x, Int128 c) {
  return x / c - (x % c != 0 && x < 0);
}

/* Divisors are above 0. */
static inline Int128 defined_apply(ExprOp op, Int128 a, Int128 b) {
  switch (op) {
    case EXPR_ADD: return a + b;
    case EXPR_MUL: return a * b;
    case EXPR_FLOORDIV: return defined_floor(a, b);
    case EXPR_CEILDIV: return -defined_floor(-a, b);
    case EXPR_MOD: return a - b * defined_floor(a, b);
    case EXPR_MIN: return a < b ? a : b;
    case EXPR_MAX: return a < b ? b : a;
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  abort();
}

#endif
