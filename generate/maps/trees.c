/* Maps (d0)[s0] -> (expression) with at most one constraint. An expression is a tree of a bounded
 * number of nodes, chosen in prefix order: operators of any two operands, divisions by a constant,
 * and leaves. The lists below contain all operators of ops.def. */
#include "generate/maps/map_form.h"

/* The last box is empty, and so is the last interval. */
static const Interval bounds[] = {{0, 3}, {-3, 2}, {0, 7}, {2, 2}, {1, 0}};
static const Interval intervals[] = {{0, 0}, {-1, 2}, {-2, 3}, {0, 5}, {1, 0}};
static const int64_t constants[] = {-2, 0, 1, 3}; /* the leaves after the two variables */
static const ExprOp operators[] = {EXPR_ADD, EXPR_MUL, EXPR_MIN, EXPR_MAX};
static const struct {
  ExprOp op;
  int64_t divisor;
} divisions[] = {{EXPR_FLOORDIV, 2}, {EXPR_FLOORDIV, 3}, {EXPR_CEILDIV, 2}, {EXPR_CEILDIV, 4},
    {EXPR_MOD, 2}, {EXPR_MOD, 3}, {EXPR_MOD, 4}, {EXPR_FLOORDIV, 1}, {EXPR_MOD, 1}};

#define COUNT(list) (sizeof(list) / sizeof *(list))
static constexpr uint64_t boxes = COUNT(bounds) * COUNT(bounds),
                          bounds_with_points = COUNT(bounds) - 1, leaves = 2 + COUNT(constants);

typedef struct TreesTree {
  Choices *choices;
  ExprPool *pool;         /* nullptr: only the choices */
  uint64_t number;        /* 0: the result; 1: the constraint */
  uint64_t left, pending; /* nodes that it may still have; subtrees not yet chosen */
} TreesTree;

static Expr tree_constant(const TreesTree *tree, int64_t value) {
  return tree->pool == nullptr ? (Expr){} : expr_const(tree->pool, value);
}

static Expr tree_leaf(const TreesTree *tree, uint64_t leaf) {
  if (leaf >= 2) return tree_constant(tree, constants[leaf - 2]);
  return tree->pool == nullptr ? (Expr){}
                               : expr_var(tree->pool, leaf == 0 ? VAR_DIM : VAR_RANGE, 0);
}

static Expr tree_operation(const TreesTree *tree, ExprOp op, Expr left, Expr right) {
  return tree->pool == nullptr ? (Expr){} : expr_binary(tree->pool, op, left, right);
}

/* The recursion depth is bounded by the number of nodes. */
static Expr choose_subtree(TreesTree *tree) {
  static constexpr uint64_t inner = COUNT(divisions) + COUNT(operators);
  choices_join(tree->choices, &(ChoiceKey){3, {tree->number, tree->left, tree->pending}});
  uint64_t most = tree->left - (tree->pending - 1),
           chosen = choose(tree->choices, leaves + (most < 3 ? 0 : inner));
  tree->left--;
  if (chosen < leaves) {
    tree->pending--;
    return tree_leaf(tree, chosen);
  }
  chosen -= leaves;
  if (chosen < COUNT(divisions)) {
    tree->left--;
    Expr divided = choose_subtree(tree);
    return tree_operation(
        tree, divisions[chosen].op, divided, tree_constant(tree, divisions[chosen].divisor));
  }
  tree->pending++;
  Expr left = choose_subtree(tree), right = choose_subtree(tree);
  return tree_operation(tree, operators[chosen - COUNT(divisions)], left, right);
}

static Expr choose_tree(Choices *choices, MapContext *context, uint64_t number, uint64_t nodes) {
  return choose_subtree(
      &(TreesTree){choices, context == nullptr ? nullptr : context->pool, number, nodes, 1});
}

static MadeMaps trees_map(
    MapContext *context, Expr result, Interval d, Interval s, const Constraint *constraint) {
  if (context == nullptr) return (MadeMaps){};
  Map *map = map_create(context, 1, 1, 0, 1, constraint != nullptr);
  map->dims[0].bounds = d;
  map->ranges[0].bounds = s;
  map->results[0] = result;
  if (constraint != nullptr) map->constraints[0] = *constraint;
  return (MadeMaps){{map}};
}

/* Nonempty boxes are combined with every interval, empty ones only with the first interval. A map
 * is thus empty for one reason only, and most maps are not empty. */
static MadeMaps choose_constrained(
    Choices *choices, MapContext *context, const MapLimits *limits, Expr result) {
  static constexpr uint64_t full = bounds_with_points * bounds_with_points;
  choices_join(choices, &(ChoiceKey){1, {2}});
  uint64_t way = choose(choices, full * COUNT(intervals) + boxes - full);
  uint64_t box = way % full, interval = way / full, d = box % bounds_with_points,
           s = box / bounds_with_points;
  if (way >= full * COUNT(intervals)) {
    uint64_t empty = way - full * COUNT(intervals);
    interval = 0;
    d = empty < COUNT(bounds) ? empty : bounds_with_points;
    s = empty < COUNT(bounds) ? bounds_with_points : empty - COUNT(bounds);
  }
  Expr expr = choose_tree(choices, context, 1, (uint64_t)limits->second);
  return trees_map(context, result, bounds[d], bounds[s], &(Constraint){expr, intervals[interval]});
}

MadeMaps generate_maps_trees(Choices *choices, const MapLimits *limits, MapContext *context) {
  Expr result = choose_tree(choices, context, 0, limits->first);
  if (limits->second > 0) return choose_constrained(choices, context, limits, result);
  choices_join(choices, &(ChoiceKey){1, {1}});
  Interval d = bounds[choose(choices, COUNT(bounds))], s = bounds[choose(choices, COUNT(bounds))];
  return trees_map(context, result, d, s, nullptr);
}

/* Uses a single box with numbers of both signs. */
MadeMaps generate_maps_operators(Choices *choices, const MapLimits *limits, MapContext *context) {
  Expr result = choose_tree(choices, context, 0, limits->first);
  return trees_map(context, result, (Interval){-3, 2}, (Interval){0, 3}, nullptr);
}

static void words_trees(Text *text) {
  text_string(text, "leaves: d0 | s0");
  for (uint32_t i = 0; i < COUNT(constants); i++)
    text_printf(text, " | %lld", (long long)constants[i]);
  text_string(text, "; operators of any two:");
  for (uint32_t i = 0; i < COUNT(operators); i++)
    text_printf(
        text, operators[i] < EXPR_MIN ? " (x %s y)" : " %s(x, y)", expr_op_text(operators[i]));
  text_string(text, "; divisions:");
  for (uint32_t i = 0; i < COUNT(divisions); i++)
    text_printf(
        text, " (x %s %lld)", expr_op_text(divisions[i].op), (long long)divisions[i].divisor);
}

void words_maps_trees(Text *text) {
  words_trees(text);
  words_intervals(text, "\n  both variables in", COUNT(bounds), bounds);
  words_intervals(text, "; a constraint, where there is one, in", COUNT(intervals), intervals);
}

void words_maps_operators(Text *text) {
  words_trees(text);
  text_string(text, "; d0 in [-3, 2], s0 in [0, 3]");
}
