/* An expression as a sum: constant + sum of coefficient * atom, where an atom is anything that is
 * neither a sum nor a product by a constant. */
#ifndef CORE_INDEX_OPS_TERMS_H
#define CORE_INDEX_OPS_TERMS_H

#include "core/index/ops/build.h"

typedef struct LinearTerm {
  Expr atom;
  int64_t coefficient;
} LinearTerm;

typedef struct LinearTerms {
  uint32_t count, capacity;
  LinearTerm *items; /* distinct atoms; coefficients may be 0 */
  int64_t constant;
} LinearTerms;

/* Sets build->overflow if a coefficient leaves int64. */
[[nodiscard]] LinearTerms terms_of(Build *build, Expr expr);
/* The sum without the term at `left_out` (UINT32_MAX: all terms), times `factor`. */
[[nodiscard]] Expr terms_expr(
    Build *build, const LinearTerms *terms, uint32_t left_out, int64_t factor);

#endif
