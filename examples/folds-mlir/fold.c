/* RuleTerm -> MlirAffineExpr -> RuleTerm. Keeps: no arithmetic of affirm is used, and terms that
 * MLIR cannot represent are rejected before MLIR is called. */
#include "examples/folds-mlir/fold.h"

#include <mlir-c/AffineExpr.h>

#include <assert.h>

typedef struct FoldEngine {
  MlirContext mlir;
  Arena *arena;
  const Rule *rule;
} FoldEngine;

static bool is_nothing(MlirAffineExpr e) { return mlirAffineExprIsNull(e); }

static MlirAffineExpr affine_operation(ExprOp op, MlirAffineExpr left, MlirAffineExpr right) {
  MlirAffineExpr nothing = {};
  bool is_right_free = mlirAffineExprIsSymbolicOrConstant(right);
  switch (op) {
    case EXPR_ADD: return mlirAffineAddExprGet(left, right);
    case EXPR_MUL:
      return is_right_free || mlirAffineExprIsSymbolicOrConstant(left)
                 ? mlirAffineMulExprGet(left, right)
                 : nothing;
    case EXPR_FLOORDIV: return is_right_free ? mlirAffineFloorDivExprGet(left, right) : nothing;
    case EXPR_CEILDIV: return is_right_free ? mlirAffineCeilDivExprGet(left, right) : nothing;
    case EXPR_MOD: return is_right_free ? mlirAffineModExprGet(left, right) : nothing;
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  return nothing;
}

/* Recursion depth: at most term_max_depth. */
static MlirAffineExpr into(const FoldEngine *fold, const RuleTerm *term) {
  MlirAffineExpr nothing = {};
  switch (term->kind) {
    case TERM_INTEGER: return mlirAffineConstantExprGet(fold->mlir, term->value);
    case TERM_CONSTANT_LETTER: return mlirAffineSymbolExprGet(fold->mlir, term->letter);
    case TERM_EXPR: return mlirAffineDimExprGet(fold->mlir, term->letter);
    case TERM_OPERATOR: {
      MlirAffineExpr left = into(fold, term->left),
                     right = is_nothing(left) ? nothing : into(fold, term->right);
      return is_nothing(right) ? nothing : affine_operation(term->op, left, right);
    }
    case TERM_LO:
    case TERM_HI:
    case TERM_GCD: break;
  }
  return nothing;
}

static RuleTerm *fold_leaf(
    const FoldEngine *fold, RuleTermKind kind, uint32_t letter, int64_t value) {
  RuleTerm *term = ARENA_NEW(fold->arena, RuleTerm, 1);
  *term = (RuleTerm){.kind = kind, .letter = letter, .value = value, .depth = 1};
  return term;
}

static ExprOp operator_of(MlirAffineExpr e) {
  if (mlirAffineExprIsAAdd(e)) return EXPR_ADD;
  if (mlirAffineExprIsAMul(e)) return EXPR_MUL;
  if (mlirAffineExprIsAMod(e)) return EXPR_MOD;
  if (mlirAffineExprIsAFloorDiv(e)) return EXPR_FLOORDIV;
  assert(mlirAffineExprIsACeilDiv(e));
  return EXPR_CEILDIV;
}

/* Null beyond term_max_depth. */
static const RuleTerm *back(const FoldEngine *fold, MlirAffineExpr e, uint16_t capacity) {
  if (capacity == 0) return nullptr;
  if (mlirAffineExprIsAConstant(e))
    return fold_leaf(fold, TERM_INTEGER, 0, mlirAffineConstantExprGetValue(e));
  if (mlirAffineExprIsASymbol(e))
    return fold_leaf(fold, TERM_CONSTANT_LETTER, (uint32_t)mlirAffineSymbolExprGetPosition(e), 0);
  if (mlirAffineExprIsADim(e))
    return fold_leaf(fold, TERM_EXPR, (uint32_t)mlirAffineDimExprGetPosition(e), 0);
  const RuleTerm *left = back(fold, mlirAffineBinaryOpExprGetLHS(e), capacity - 1),
                 *right = back(fold, mlirAffineBinaryOpExprGetRHS(e), capacity - 1);
  if (left == nullptr || right == nullptr) return nullptr;
  RuleTerm *term = fold_leaf(fold, TERM_OPERATOR, 0, 0);
  term->op = operator_of(e);
  term->left = left;
  term->right = right;
  term->depth = 1 + (left->depth > right->depth ? left->depth : right->depth);
  return term;
}

static MlirAffineExpr fold_simplified(const FoldEngine *fold, MlirAffineExpr e) {
#ifdef AFFIRM_MLIR_HAS_SIMPLIFY
  return mlirSimplifyAffineExpr(e, fold->rule->expr_count, fold->rule->constant_count);
#else
  (void)fold;
  return e;
#endif
}

const RuleTerm *fold_left_side(MlirContext mlir, Arena *arena, const Rule *rule) {
  FoldEngine fold = {mlir, arena, rule};
  if (rule->left.is_constraint) return nullptr;
  MlirAffineExpr e = into(&fold, rule->left.expr);
  return is_nothing(e) ? nullptr : back(&fold, fold_simplified(&fold, e), term_max_depth);
}
