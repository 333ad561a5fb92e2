/* Converts to MLIR: expressions bottom-up over shared nodes, then the set's inequalities. The
 * recursion is as deep as the expression, at most 1,000. */
#include "core/adapters/mlir/convert.h"

#include <assert.h>
#include <stdckdint.h>

#include "core/expr/memo.h"
#include "core/adapters/mlir/affine.h"
#include "core/adapters/mlir/magnitude.h"
#include "core/adapters/mlir/nest.h"

static constexpr uint32_t deepest = 1000, largest = 16384;

typedef struct Conversion {
  MlirContext mlir;
  const MapContext *context;
  SymbolPositions positions;
  ConvertCheck check;
  Arena *scratch;
  Magnitudes sizes; /* variables count as 1 */
  AffineText trees; /* for the sizes of trees */
  Memo known;       /* handle -> position in `items` */
  uint32_t count, capacity;
  MlirAffineExpr *items;
  Error *error;
} Conversion;

static Conversion conversion_create(MlirContext mlir, const MapContext *context,
    SymbolPositions positions, ConvertCheck check, Error *error) {
  Arena *scratch = arena_create();
  return (Conversion){.mlir = mlir,
      .context = context,
      .positions = positions,
      .check = check,
      .scratch = scratch,
      .sizes = magnitudes_create(context, scratch, nullptr),
      .trees = affine_text_create(context, scratch, nullptr),
      .known = memo_create(scratch),
      .error = error};
}

static MlirAffineExpr convert_variable(const Conversion *conversion, ExprNode node) {
  switch (node.var_kind) {
    case VAR_DIM: return mlirAffineDimExprGet(conversion->mlir, node.var_index);
    case VAR_RANGE:
      return mlirAffineSymbolExprGet(
          conversion->mlir, conversion->positions.ranges + node.var_index);
    case VAR_RUNTIME:
      return mlirAffineSymbolExprGet(
          conversion->mlir, conversion->positions.runtimes + node.var_index);
  }
  return (MlirAffineExpr){};
}

static bool convert_product(
    Conversion *conversion, MlirAffineExpr left, MlirAffineExpr right, MlirAffineExpr *made) {
  if (!mlirAffineExprIsSymbolicOrConstant(left) && !mlirAffineExprIsSymbolicOrConstant(right))
    return error_set(
        conversion->error, ERROR_UNSUPPORTED, "AffineExpr has no product of two dimensions");
  *made = mlirAffineMulExprGet(left, right);
  return true;
}

static bool convert_operator(Conversion *conversion, ExprOp op, MlirAffineExpr left,
    MlirAffineExpr right, MlirAffineExpr *made) {
  switch (op) {
    case EXPR_ADD: *made = mlirAffineAddExprGet(left, right); return true;
    case EXPR_MUL: return convert_product(conversion, left, right, made);
    case EXPR_FLOORDIV: *made = mlirAffineFloorDivExprGet(left, right); return true;
    case EXPR_CEILDIV: *made = mlirAffineCeilDivExprGet(left, right); return true;
    case EXPR_MOD: *made = mlirAffineModExprGet(left, right); return true;
    case EXPR_MIN:
    case EXPR_MAX:
      return error_set(
          conversion->error, ERROR_UNSUPPORTED, "AffineExpr has no %s", expr_op_text(op));
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false);
  return false;
}

static bool convert(Conversion *conversion, Expr expr, MlirAffineExpr *made) {
  uint32_t position;
  if (memo_find(&conversion->known, expr, &position)) {
    *made = conversion->items[position];
    return true;
  }
  ExprNode node = *expr_node(conversion->context->pool, expr);
  assert(node.depth <= deepest);
  MlirAffineExpr left, right;
  if (node.op == EXPR_CONST) *made = mlirAffineConstantExprGet(conversion->mlir, node.value);
  else if (node.op == EXPR_VAR) *made = convert_variable(conversion, node);
  else if (!convert(conversion, node.left, &left) || !convert(conversion, node.right, &right) ||
           !convert_operator(conversion, node.op, left, right, made))
    return false;
  memo_insert(&conversion->known, expr, conversion->count);
  *ARENA_PUSH(conversion->scratch, conversion) = *made;
  return true;
}

/* Checks the limits before MLIR folds. */
static bool convert_root(Conversion *conversion, Expr expr, MlirAffineExpr *made) {
  uint16_t depth = expr_node(conversion->context->pool, expr)->depth;
  if (depth > deepest || affine_tree_size(&conversion->trees, expr) > largest)
    return error_set(
        conversion->error, ERROR_LIMIT, "an expression is too deep or too large for AffineExpr");
  if (conversion->check == CONVERT_CHECKED && magnitude(&conversion->sizes, expr).peak > INT64_MAX)
    return error_set(
        conversion->error, ERROR_OVERFLOW, "MLIR would fold constants past int64 without a word");
  return convert(conversion, expr, made);
}

bool convert_expressions(MlirContext mlir, const MapContext *context, SymbolPositions positions,
    ConvertCheck check, uint32_t count, const Expr *expressions, MlirAffineExpr *converted,
    Error *error) {
  Conversion conversion = conversion_create(mlir, context, positions, check, error);
  bool done = true;
  for (uint32_t i = 0; done && i < count; i++)
    done = convert_root(&conversion, expressions[i], &converted[i]);
  arena_destroy(conversion.scratch);
  return done;
}

typedef struct Inequalities {
  MlirContext mlir;
  uint32_t count;
  MlirAffineExpr *left; /* left >= 0, or left == 0 if `equal` */
  bool *equal;
  Error *error;
} Inequalities;

static void convert_push(Inequalities *set, MlirAffineExpr left, bool equal) {
  set->left[set->count] = left;
  set->equal[set->count++] = equal;
}

static MlirAffineExpr convert_constant(Inequalities *set, int64_t value) {
  return mlirAffineConstantExprGet(set->mlir, value);
}

/* Rewrites x + k in [l, u] to x in [l - k, u - k], so that both inequalities contain the same x,
 * and the way back can pair them. */
static MlirAffineExpr without_constant(MlirAffineExpr e, Interval *in) {
  if (!mlirAffineExprIsAAdd(e)) return e;
  MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(e);
  if (!mlirAffineExprIsAConstant(right)) return e;
  int64_t k = mlirAffineConstantExprGetValue(right);
  Interval moved;
  if (ckd_sub(&moved.lo, in->lo, k) || ckd_sub(&moved.hi, in->hi, k)) return e;
  *in = moved;
  return mlirAffineBinaryOpExprGetLHS(e);
}

/* A constant that is inside adds nothing; one that is outside adds -1 >= 0. An equality of
 * constants, 1 == 0 alone, is MLIR's empty set, which would come back as KNOWN EMPTY. */
static void push_constant(Inequalities *set, int64_t value, Interval in) {
  if (value < in.lo || value > in.hi) convert_push(set, convert_constant(set, -1), false);
}

/* `size`: an upper bound of the constants in e, so that e - l and u - e fold within int64. */
static bool push_interval(Inequalities *set, MlirAffineExpr e, Interval in, uint64_t size) {
  bool lower = in.lo != INT64_MIN, upper = in.hi != INT64_MAX;
  uint64_t low = magnitude_of_interval((Interval){in.lo, in.lo}),
           high = magnitude_of_interval((Interval){in.hi, in.hi}), folded;
  if ((lower && (ckd_add(&folded, size, low) || folded > INT64_MAX)) ||
      (upper && (ckd_add(&folded, size, high) || folded > INT64_MAX)))
    return error_set(set->error, ERROR_OVERFLOW, "a bound is too large for an inequality");
  if (mlirAffineExprIsAConstant(e)) {
    push_constant(set, mlirAffineConstantExprGetValue(e), in);
    return true;
  }
  if (lower && upper) e = without_constant(e, &in);
  if (lower && upper && in.lo == in.hi) {
    convert_push(set, mlirAffineAddExprGet(e, convert_constant(set, -in.lo)), true);
    return true;
  }
  if (lower) convert_push(set, mlirAffineAddExprGet(e, convert_constant(set, -in.lo)), false);
  if (upper)
    convert_push(set,
        mlirAffineAddExprGet(
            mlirAffineMulExprGet(e, convert_constant(set, -1)), convert_constant(set, in.hi)),
        false);
  return true;
}

static bool push_bounds(Inequalities *set, const Map *map, SymbolPositions positions) {
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    NestVariable variable = nest_variable(map, i);
    uint32_t symbol =
        variable.index + (variable.kind == VAR_RUNTIME ? positions.runtimes : positions.ranges);
    MlirAffineExpr e = variable.kind == VAR_DIM ? mlirAffineDimExprGet(set->mlir, variable.index)
                                                : mlirAffineSymbolExprGet(set->mlir, symbol);
    if (!push_interval(set, e, variable.bounds, 1)) return false;
  }
  return true;
}

static bool push_constraints(Inequalities *set, Conversion *conversion, const Map *map) {
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    const Constraint *one = &map->constraints[i];
    MlirAffineExpr e;
    if (!convert_root(conversion, one->expr, &e)) return false;
    uint64_t size =
        conversion->check == CONVERT_CHECKED ? magnitude(&conversion->sizes, one->expr).value : 1;
    if (one->in.lo > one->in.hi) convert_push(set, convert_constant(set, -1), false);
    else if (!push_interval(set, e, one->in, size)) return false;
  }
  return true;
}

static bool convert_domain(
    Conversion *conversion, const Map *map, uint32_t symbols, MlirIntegerSet *domain) {
  uint32_t most = 2 * (map_variable_count(map) + map->constraint_count) + 1;
  Inequalities set = {.mlir = conversion->mlir,
      .left = ARENA_NEW(conversion->scratch, MlirAffineExpr, most),
      .equal = ARENA_NEW(conversion->scratch, bool, most),
      .error = conversion->error};
  if (!push_bounds(&set, map, conversion->positions) || !push_constraints(&set, conversion, map))
    return false;
  if (set.count == 0) convert_push(&set, convert_constant(&set, 0), false);
  assert(set.count <= most);
  *domain =
      mlirIntegerSetGet(conversion->mlir, map->dim_count, symbols, set.count, set.left, set.equal);
  return true;
}

static bool convert_map(Conversion *conversion, const Map *map, uint32_t symbols, MlirForm *form) {
  MlirAffineExpr *results = ARENA_NEW(conversion->scratch, MlirAffineExpr, map->result_count);
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!convert_root(conversion, map->results[i], &results[i])) return false;
  form->map =
      mlirAffineMapGet(conversion->mlir, map->dim_count, symbols, map->result_count, results);
  return convert_domain(conversion, map, symbols, &form->domain);
}

bool convert_to_mlir(MlirContext mlir, const MapContext *context, const Map *map,
    ConvertCheck check, MlirForm *form, Error *error) {
  uint32_t symbols = map->range_count + map->runtime_count;
  if (map->state == MAP_UNDEFINED)
    return error_set(error, ERROR_UNSUPPORTED, "UNDEFINED has no affine map");
  if (map->state == MAP_KNOWN_EMPTY) {
    form->map = mlirAffineMapZeroResultGet(mlir, map->dim_count, symbols);
    form->domain = mlirIntegerSetEmptyGet(mlir, map->dim_count, symbols);
    return true;
  }
  Conversion conversion =
      conversion_create(mlir, context, (SymbolPositions){0, map->range_count}, check, error);
  bool done = convert_map(&conversion, map, symbols, form);
  arena_destroy(conversion.scratch);
  return done;
}
