/* Converts from MLIR: expressions by their kinds; inequalities to intervals, of which the first on
 * a plain variable becomes its bounds. `g + c >= 0` is g in [-c, INT64_MAX]; followed by `-g + k >=
 * 0` it is g in [-c, k]. The recursion is as deep as MLIR's expression: convert.h limits it for
 * expressions converted here, expr_max_depth for others. */
#include <assert.h>

#include "core/adapters/mlir/convert.h"

typedef struct Back {
  MapContext *context;
  const Map *like;
  Error *error;
} Back;

static bool back_variable(Back *back, VarKind kind, uint64_t index, uint32_t count, Expr *expr) {
  if (index >= count)
    return error_set(back->error, ERROR_INPUT, "MLIR names a variable that the map does not have");
  *expr = expr_var(back->context->pool, kind, (uint32_t)index);
  return true;
}

static bool back_symbol(Back *back, uint64_t index, Expr *expr) {
  uint32_t ranges = back->like->range_count;
  if (index < ranges) return back_variable(back, VAR_RANGE, index, ranges, expr);
  return back_variable(back, VAR_RUNTIME, index - ranges, back->like->runtime_count, expr);
}

static ExprOp operator_of(MlirAffineExpr e) {
  if (mlirAffineExprIsAAdd(e)) return EXPR_ADD;
  if (mlirAffineExprIsAMul(e)) return EXPR_MUL;
  if (mlirAffineExprIsAMod(e)) return EXPR_MOD;
  if (mlirAffineExprIsAFloorDiv(e)) return EXPR_FLOORDIV;
  assert(mlirAffineExprIsACeilDiv(e));
  return EXPR_CEILDIV;
}

static bool back_expression(Back *back, MlirAffineExpr e, uint32_t depth, Expr *expr);

static bool back_operator(Back *back, MlirAffineExpr e, uint32_t depth, Expr *expr) {
  ExprOp op = operator_of(e);
  Expr left, right;
  int64_t divisor;
  if (depth >= expr_deepest(back->context->pool))
    return error_set(back->error, ERROR_LIMIT, "MLIR's expression is too deep");
  if (!back_expression(back, mlirAffineBinaryOpExprGetLHS(e), depth + 1, &left) ||
      !back_expression(back, mlirAffineBinaryOpExprGetRHS(e), depth + 1, &right))
    return false;
  bool divides = op == EXPR_MOD || op == EXPR_FLOORDIV || op == EXPR_CEILDIV;
  if (divides && (!expr_is_const(back->context->pool, right, &divisor) || divisor <= 0))
    return error_set(back->error, ERROR_INPUT, "MLIR's divisor is not a positive constant");
  *expr = expr_binary(back->context->pool, op, left, right);
  return true;
}

static bool back_expression(Back *back, MlirAffineExpr e, uint32_t depth, Expr *expr) {
  if (mlirAffineExprIsNull(e))
    return error_set(back->error, ERROR_INPUT, "MLIR returned no expression");
  if (mlirAffineExprIsADim(e))
    return back_variable(
        back, VAR_DIM, (uint64_t)mlirAffineDimExprGetPosition(e), back->like->dim_count, expr);
  if (mlirAffineExprIsASymbol(e))
    return back_symbol(back, (uint64_t)mlirAffineSymbolExprGetPosition(e), expr);
  if (!mlirAffineExprIsAConstant(e)) return back_operator(back, e, depth, expr);
  *expr = expr_const(back->context->pool, mlirAffineConstantExprGetValue(e));
  return true;
}

bool convert_expression_back(
    MapContext *context, const Map *like, MlirAffineExpr converted, Expr *expr, Error *error) {
  Back back = {.context = context, .like = like, .error = error};
  return back_expression(&back, converted, 1, expr);
}

/* An expression as g + c; a constant has no g. */
typedef struct ConvertBackSplit {
  MlirAffineExpr g;
  int64_t c;
} ConvertBackSplit;

static ConvertBackSplit convert_back_split(MlirAffineExpr e) {
  if (mlirAffineExprIsAConstant(e))
    return (ConvertBackSplit){.c = mlirAffineConstantExprGetValue(e)};
  if (!mlirAffineExprIsAAdd(e)) return (ConvertBackSplit){.g = e};
  MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(e);
  if (!mlirAffineExprIsAConstant(right)) return (ConvertBackSplit){.g = e};
  return (ConvertBackSplit){
      .g = mlirAffineBinaryOpExprGetLHS(e), .c = mlirAffineConstantExprGetValue(right)};
}

typedef struct ConvertBackReading {
  Back back;
  MlirIntegerSet set;
  intptr_t at, count;
  Map *map;
  bool *bounded; /* [variables] */
} ConvertBackReading;

static bool is_opposite(MlirAffineExpr g, MlirAffineExpr h) {
  MlirAffineExpr minus_one = mlirAffineConstantExprGet(mlirAffineExprGetContext(g), -1);
  return mlirAffineExprEqual(mlirAffineMulExprGet(g, minus_one), h);
}

/* The interval of the inequality at `at`, combined with the next one if both are about the same
 * g. */
static Interval take_interval(ConvertBackReading *reading, ConvertBackSplit first) {
  assert(reading->at < reading->count && !mlirAffineExprIsNull(first.g));
  bool equal = mlirIntegerSetIsConstraintEq(reading->set, reading->at++);
  int64_t lo = first.c == INT64_MIN ? INT64_MAX : -first.c;
  if (equal) return (Interval){lo, lo};
  if (reading->at == reading->count || mlirIntegerSetIsConstraintEq(reading->set, reading->at))
    return (Interval){lo, INT64_MAX};
  ConvertBackSplit second =
      convert_back_split(mlirIntegerSetGetConstraint(reading->set, reading->at));
  if (mlirAffineExprIsNull(second.g) || !is_opposite(first.g, second.g))
    return (Interval){lo, INT64_MAX};
  reading->at++;
  return (Interval){lo, second.c};
}

static Variable *plain_variable(ConvertBackReading *reading, Expr expr, uint32_t *position) {
  const ExprNode *node = expr_node(reading->back.context->pool, expr);
  Map *map = reading->map;
  if (node->op != EXPR_VAR) return nullptr;
  *position = map_first_number(map, node->var_kind) + node->var_index;
  return map_variable(map, *position);
}

/* -x + c >= 0 if x has no bounds yet: x in [INT64_MIN, c]. */
static bool take_upper_bound(ConvertBackReading *reading, Expr expr, Interval in) {
  const ExprNode *node = expr_node(reading->back.context->pool, expr);
  int64_t factor;
  uint32_t position;
  if (node->op != EXPR_MUL || in.lo == INT64_MIN || in.hi != INT64_MAX) return false;
  if (!expr_is_const(reading->back.context->pool, node->right, &factor) || factor != -1)
    return false;
  Variable *variable = plain_variable(reading, node->left, &position);
  if (variable == nullptr || reading->bounded[position]) return false;
  variable->bounds = (Interval){INT64_MIN, -in.lo};
  reading->bounded[position] = true;
  return true;
}

static void take_constant(ConvertBackReading *reading, int64_t value) {
  bool equal = mlirIntegerSetIsConstraintEq(reading->set, reading->at++);
  if (equal ? value == 0 : value >= 0) return;
  Expr zero = expr_const(reading->back.context->pool, 0);
  assert(reading->map->constraint_count < reading->count);
  reading->map->constraints[reading->map->constraint_count++] =
      (Constraint){.expr = zero, .in = {1, 1}};
}

static bool take_inequality(ConvertBackReading *reading) {
  ConvertBackSplit first =
      convert_back_split(mlirIntegerSetGetConstraint(reading->set, reading->at));
  if (mlirAffineExprIsNull(first.g)) {
    take_constant(reading, first.c);
    return true;
  }
  Expr expr;
  if (!back_expression(&reading->back, first.g, 1, &expr)) return false;
  Interval in = take_interval(reading, first);
  uint32_t position;
  Variable *variable = plain_variable(reading, expr, &position);
  if (variable != nullptr && !reading->bounded[position]) {
    variable->bounds = in;
    reading->bounded[position] = true;
  } else if (!take_upper_bound(reading, expr, in))
    reading->map->constraints[reading->map->constraint_count++] =
        (Constraint){.expr = expr, .in = in};
  return true;
}

static void copy_variables(const Map *like, Map *map) {
  for (uint32_t i = 0; i < like->dim_count; i++) map->dims[i].name = like->dims[i].name;
  for (uint32_t i = 0; i < like->range_count; i++) map->ranges[i].name = like->ranges[i].name;
  for (uint32_t i = 0; i < like->runtime_count; i++) map->runtimes[i].name = like->runtimes[i].name;
  map->sources = like->sources;
}

static void unbound(Variable *variables, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) variables[i].bounds = (Interval){INT64_MIN, INT64_MAX};
}

static bool read_domain(MapContext *context, Back back, Map *map, MlirIntegerSet set) {
  ConvertBackReading reading = {
      .back = back, .set = set, .count = mlirIntegerSetGetNumConstraints(set), .map = map};
  reading.bounded = ARENA_NEW(context->arena, bool, map_variable_count(map));
  map->constraint_count = 0;
  unbound(map->dims, map->dim_count);
  unbound(map->ranges, map->range_count);
  unbound(map->runtimes, map->runtime_count);
  while (reading.at < reading.count)
    if (!take_inequality(&reading)) return false;
  return true;
}

bool convert_from_mlir(
    MapContext *context, const Map *like, MlirForm form, const Map **map, Error *error) {
  Back back = {.context = context, .like = like, .error = error};
  intptr_t symbols = (intptr_t)like->range_count + like->runtime_count;
  if (mlirAffineMapGetNumDims(form.map) != (intptr_t)like->dim_count ||
      mlirAffineMapGetNumSymbols(form.map) != symbols)
    return error_set(error, ERROR_INPUT, "MLIR's map has other numbers of variables");
  if (mlirIntegerSetIsCanonicalEmpty(form.domain)) {
    *map = map_known_empty(context);
    return true;
  }
  intptr_t results = mlirAffineMapGetNumResults(form.map),
           inequalities = mlirIntegerSetGetNumConstraints(form.domain);
  Map *made = map_create(context, like->dim_count, like->range_count, like->runtime_count,
      (uint32_t)results, (uint32_t)inequalities);
  copy_variables(like, made);
  for (intptr_t i = 0; i < results; i++)
    if (!back_expression(&back, mlirAffineMapGetResult(form.map, i), 1, &made->results[i]))
      return false;
  if (!read_domain(context, back, made, form.domain) || !map_check(context, made, error))
    return false;
  *map = made;
  return true;
}

static void append_part(MlirStringRef part, void *user) {
  text_append(user, part.data, part.length);
}

void convert_print(MlirForm form, Text *text) {
  mlirAffineMapPrint(form.map, append_part, text);
  text_string(text, " ");
  mlirIntegerSetPrint(form.domain, append_part, text);
}
