/* What MLIR makes of a rule's left side: the rule's letters become an affine expression's variables
 * (expression letters dimensions, constant letters symbols), MLIR folds and simplifies it, and what
 * comes back is a right side. So MLIR's own rewriting stands as rules, and `affirm prove` judges
 * it. LLVM 19's C API has no mlirSimplifyAffineExpr: there only the folds of building are seen. */
#ifndef EXAMPLES_FOLDS_MLIR_FOLD_H
#define EXAMPLES_FOLDS_MLIR_FOLD_H

#include "core/rules/rule.h"

#include <mlir-c/IR.h>

/* The answer lives in the arena. Null where the left side is not semi-affine as MLIR has it: min,
 * max, gcd, lo, hi, a product of two dimensions, a divisor that holds a dimension, a constraint. */
[[nodiscard]] const RuleTerm *fold_left_side(MlirContext mlir, Arena *arena, const Rule *rule);

#endif
