/* MLIR's rewriting of a rule's left side. The rule's letters become variables of an affine
 * expression (expression letters dimensions, constant letters symbols); MLIR folds and simplifies
 * the expression, and the result becomes the right side. `affirm prove` can then judge MLIR's
 * rewriting as rules. LLVM 19's C API lacks mlirSimplifyAffineExpr: there only the folds of
 * building are used. */
#ifndef EXAMPLES_FOLDS_MLIR_FOLD_H
#define EXAMPLES_FOLDS_MLIR_FOLD_H

#include "core/rules/rule.h"

#include <mlir-c/IR.h>

/* The result is allocated in the arena. Null if the left side is not semi-affine as MLIR defines
 * it: min, max, gcd, lo, hi, a product of two dimensions, a divisor that contains a dimension, a
 * constraint. */
[[nodiscard]] const RuleTerm *fold_left_side(MlirContext mlir, Arena *arena, const Rule *rule);

#endif
