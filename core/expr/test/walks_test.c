/* The pool and the walks against plain recursion over a list of all nodes that this file keeps:
 * handles, depths, sizes, values in 128 bits, substitution, counting, marks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/edges.h"
#include "core/expr/expr.h"
#include "core/expr/visit.h"

typedef _BitInt(128) Wide;

static uint64_t state_of_draws = 7;

static uint32_t draw_below(uint32_t end) {
  state_of_draws = state_of_draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_draws >> 33) % end;
}

/* A node as it was made; its handle is its position in the list. */
typedef struct MadeNode {
  ExprOp op;
  VarKind kind;
  uint32_t index, left, right;
  int64_t value;
} MadeNode;

static constexpr uint32_t most_nodes = 3000, most_variables = 11;
static MadeNode made[most_nodes];
static uint32_t made_count;

static bool is_leaf(uint32_t at) { return made[at].op == EXPR_CONST || made[at].op == EXPR_VAR; }

static uint32_t find_made(const MadeNode *node) {
  uint32_t at = 1;
  while (at < made_count && (made[at].op != node->op || made[at].kind != node->kind ||
                                made[at].index != node->index || made[at].left != node->left ||
                                made[at].right != node->right || made[at].value != node->value))
    at++;
  return at;
}

static uint32_t depth_of(uint32_t at) {
  if (is_leaf(at)) return 1;
  uint32_t left = depth_of(made[at].left), right = depth_of(made[at].right);
  return 1 + (left > right ? left : right);
}

static uint64_t size_of(uint32_t at) {
  return is_leaf(at) ? 1 : 1 + size_of(made[at].left) + size_of(made[at].right);
}

static int64_t draw_value(bool is_divisor) {
  int64_t value =
      draw_below(4) == 0 ? edge_integer(draw_below(edge_count)) : (int64_t)draw_below(12) - 6;
  if (is_divisor && value <= 0) value = 1 + draw_below(5);
  return value;
}

static void make_leaf(ExprPool *pool, bool is_divisor) {
  MadeNode node = {.op = EXPR_CONST, .value = draw_value(is_divisor)};
  if (!is_divisor && draw_below(2) == 0)
    node = (MadeNode){
        .op = EXPR_VAR, .kind = (VarKind)draw_below(3), .index = draw_below(most_variables)};
  uint32_t at = find_made(&node);
  if (at == made_count) made[made_count++] = node;
  Expr expr =
      node.op == EXPR_CONST ? expr_const(pool, node.value) : expr_var(pool, node.kind, node.index);
  assert_int_equal(expr.at, at);
}

static bool node_divides(ExprOp op) {
  return op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD;
}

static void make_node(ExprPool *pool) {
  if (made_count < 4 || draw_below(4) == 0) {
    make_leaf(pool, draw_below(2) == 0);
    return;
  }
  ExprOp op = (ExprOp)(EXPR_ADD + draw_below(EXPR_MAX - EXPR_ADD + 1));
  uint32_t left = 1 + draw_below(made_count - 1), right = 1 + draw_below(made_count - 1);
  if (node_divides(op) && made[right].op == EXPR_CONST && made[right].value <= 0) return;
  if (depth_of(left) > 9 || depth_of(right) > 9) return;
  MadeNode node = {.op = op, .left = left, .right = right};
  uint32_t at = find_made(&node);
  if (at == made_count) made[made_count++] = node;
  assert_int_equal(expr_binary(pool, op, (Expr){left}, (Expr){right}).at, at);
}

static void check_node(const ExprPool *pool, uint32_t at) {
  const ExprNode *node = expr_node(pool, (Expr){at});
  assert_int_equal(node->op, made[at].op);
  assert_int_equal(node->depth, depth_of(at));
  assert_int_equal(expr_tree_size(pool, (Expr){at}), size_of(at));
  int64_t value = 77;
  assert_int_equal(expr_is_const(pool, (Expr){at}, &value), made[at].op == EXPR_CONST);
  assert_true(value == (made[at].op == EXPR_CONST ? made[at].value : 77));
  if (made[at].op == EXPR_VAR) {
    assert_int_equal(node->var_kind, made[at].kind);
    assert_int_equal(node->var_index, made[at].index);
  } else if (!is_leaf(at)) {
    assert_int_equal(node->left.at, made[at].left);
    assert_int_equal(node->right.at, made[at].right);
  }
}

static ExprPool *filled_pool(uint32_t nodes) {
  ExprPool *pool = expr_pool_create();
  made_count = 1;
  while (made_count < nodes) make_node(pool);
  return pool;
}

/* Equal nodes have one handle, handles are in the order of making, and a rewind removes exactly the
 * newer ones. */
static void handles_are_positions_in_the_order_of_making(void **) {
  for (uint32_t round = 0; round < 3; round++) {
    ExprPool *pool = filled_pool(4);
    uint32_t marks[8], mark_count = 0;
    while (made_count < 1800) {
      make_node(pool);
      if (draw_below(200) == 0 && mark_count < 8) marks[mark_count++] = expr_pool_mark(pool);
      if (draw_below(900) == 0 && mark_count > 0) {
        made_count = marks[--mark_count];
        expr_pool_rewind(pool, made_count);
      }
      assert_int_equal(expr_pool_mark(pool), made_count);
    }
    for (uint32_t at = 1; at < made_count; at++) check_node(pool, at);
    expr_pool_destroy(pool);
  }
}

/* ---- values ---- */

static int64_t values[3][most_variables];

static Wide floor_of(Wide x, Wide c) { return x / c - (x % c != 0 && x < 0); }

static bool apply_defined(ExprOp op, Wide a, Wide b, Wide *value) {
  if (node_divides(op) && b <= 0) return false;
  switch (op) {
    case EXPR_ADD: *value = a + b; break;
    case EXPR_MUL: *value = a * b; break;
    case EXPR_FLOORDIV: *value = floor_of(a, b); break;
    case EXPR_CEILDIV: *value = -floor_of(-a, b); break;
    case EXPR_MOD: *value = a - b * floor_of(a, b); break;
    case EXPR_MIN: *value = a < b ? a : b; break;
    case EXPR_MAX: *value = a < b ? b : a; break;
    case EXPR_CONST:
    case EXPR_VAR: abort();
  }
  return *value >= INT64_MIN && *value <= INT64_MAX;
}

static bool value_defined(uint32_t at, Wide *value) {
  const MadeNode *node = &made[at];
  if (node->op == EXPR_CONST) *value = node->value;
  if (node->op == EXPR_VAR) *value = values[node->kind][node->index];
  if (is_leaf(at)) return true;
  Wide left, right;
  return value_defined(node->left, &left) && value_defined(node->right, &right) &&
         apply_defined(node->op, left, right, value);
}

static void values_are_those_of_128_bits(void **) {
  ExprPool *pool = filled_pool(1500);
  Point point = {values[VAR_DIM], values[VAR_RANGE], values[VAR_RUNTIME]};
  uint32_t fitting = 0, others = 0;
  for (uint32_t round = 0; round < 6; round++) {
    for (uint32_t i = 0; i < 3 * most_variables; i++)
      values[i / most_variables][i % most_variables] =
          round % 2 == 0 ? (int64_t)draw_below(40) - 20 : draw_value(false);
    for (uint32_t at = 1; at < made_count; at++) {
      Wide defined;
      int64_t value;
      bool fits = value_defined(at, &defined);
      assert_int_equal(expr_evaluate(pool, (Expr){at}, &point, &value), fits);
      if (fits) assert_true(value == defined);
      fitting += fits;
      others += !fits;
    }
  }
  assert_true(fitting > 1000 && others > 1000);
  expr_pool_destroy(pool);
}

/* ---- substitution ---- */

static Expr replacements[3][most_variables];

static Expr substituted(ExprPool *pool, uint32_t at, const Expr *const kinds[3]) {
  MadeNode node = made[at];
  if (node.op == EXPR_CONST) return (Expr){at};
  if (node.op == EXPR_VAR) {
    const Expr *of_kind = kinds[node.kind];
    return of_kind == nullptr || of_kind[node.index].at == 0 ? (Expr){at} : of_kind[node.index];
  }
  Expr left = substituted(pool, node.left, kinds), right = substituted(pool, node.right, kinds);
  return expr_binary(pool, node.op, left, right);
}

static void substitution_replaces_each_variable_at_once(void **) {
  ExprPool *pool = filled_pool(500);
  Arena *arena = arena_create();
  for (uint32_t round = 0; round < 16; round++) {
    for (uint32_t i = 0; i < 3 * most_variables; i++) {
      uint32_t by = draw_below(3) == 0 ? 0 : 1 + draw_below(made_count - 1);
      bool is_positive = made[by].op != EXPR_CONST || made[by].value > 0;
      replacements[i / most_variables][i % most_variables].at = is_positive ? by : 0;
    }
    const Expr *kinds[3];
    for (uint32_t kind = 0; kind < 3; kind++)
      kinds[kind] = (round >> kind & 1) != 0 ? nullptr : replacements[kind];
    Expr roots[most_nodes], images[most_nodes];
    for (uint32_t at = 1; at < made_count; at++) roots[at - 1].at = at;
    Error error = {};
    Substitution by = {kinds[VAR_DIM], kinds[VAR_RANGE], kinds[VAR_RUNTIME]};
    assert_true(expr_substitute(pool, arena, &by, made_count - 1, roots, images, &error));
    for (uint32_t at = 1; at < made_count; at++)
      assert_int_equal(images[at - 1].at, substituted(pool, at, kinds).at);
    assert_true(expr_substitute(pool, arena, &by, made_count - 1, roots, roots, &error));
    assert_memory_equal(roots, images, (made_count - 1) * sizeof *roots);
  }
  arena_destroy(arena);
  expr_pool_destroy(pool);
}

/* The deepest expressions are substituted, and what would be one level deeper is an error. */
static void substitution_reaches_the_greatest_depth(void **) {
  ExprPool *pool = expr_pool_create();
  Arena *arena = arena_create();
  uint32_t most = expr_deepest(pool);
  Expr one = expr_const(pool, 1), variable = expr_var(pool, VAR_DIM, 0);
  for (int is_left = 0; is_left < 2; is_left++)
    for (uint32_t added = 1; added <= 3; added++) {
      Expr deep = variable, by = variable, image;
      for (uint32_t i = 1; i < most - 1; i++)
        deep = is_left ? expr_binary(pool, EXPR_ADD, deep, one)
                       : expr_binary(pool, EXPR_ADD, one, deep);
      for (uint32_t i = 1; i < added; i++) by = expr_binary(pool, EXPR_MIN, by, by);
      Error error = {};
      bool fits =
          expr_substitute(pool, arena, &(Substitution){.dims = &by}, 1, &deep, &image, &error);
      assert_int_equal(fits, most - 1 + added - 1 <= most);
      assert_int_equal(error.kind, fits ? ERROR_NONE : ERROR_LIMIT);
      if (fits) assert_int_equal(expr_node(pool, image)->depth, most + added - 2);
    }
  arena_destroy(arena);
  expr_pool_destroy(pool);
}

/* ---- walks ---- */

static void mark_reached(uint32_t at, bool *reached) {
  if (reached[at]) return;
  reached[at] = true;
  if (is_leaf(at)) return;
  mark_reached(made[at].left, reached);
  mark_reached(made[at].right, reached);
}

static void check_walks(const ExprPool *pool, Arena *arena, uint32_t at) {
  bool reached[most_nodes] = {}, marked[3][most_variables] = {}, expected[3][most_variables] = {};
  mark_reached(at, reached);
  uint32_t kinds = 0;
  for (uint32_t i = 1; i < made_count; i++) {
    if (reached[i] && made[i].op == EXPR_VAR) {
      kinds |= 1u << made[i].kind;
      expected[made[i].kind][made[i].index] = true;
    }
    if (i % 7 == at % 7 || i <= at + 1)
      assert_int_equal(expr_contains(pool, arena, (Expr){at}, (Expr){i}), reached[i]);
  }
  for (uint32_t mask = 0; mask <= expr_all_kinds; mask++)
    assert_int_equal(expr_has_kinds(pool, arena, (Expr){at}, mask), (mask & kinds) != 0);
  uint32_t skipped = draw_below(4);
  ExprVariables variables = {{marked[0], marked[1], marked[2]}};
  if (skipped < 3) variables.of[skipped] = nullptr;
  if (skipped < 3) memset(expected[skipped], 0, sizeof expected[skipped]);
  Memo seen = memo_create(arena);
  expr_mark_variables(pool, &seen, (Expr){at}, &variables);
  assert_memory_equal(marked, expected, sizeof marked);
}

static void walks_reach_what_is_reachable(void **) {
  ExprPool *pool = filled_pool(300);
  Arena *arena = arena_create();
  for (uint32_t at = 1; at < made_count; at++) {
    ArenaMark mark = arena_mark(arena);
    check_walks(pool, arena, at);
    Expr roots[] = {{at}, {1 + draw_below(made_count - 1)}, {at}};
    bool reached[most_nodes] = {};
    mark_reached(roots[0].at, reached);
    mark_reached(roots[1].at, reached);
    uint32_t count = 0;
    for (uint32_t i = 1; i < made_count; i++) count += reached[i];
    assert_int_equal(expr_count(pool, arena, 3, roots), count);
    arena_rewind(arena, mark);
  }
  arena_destroy(arena);
  expr_pool_destroy(pool);
}

typedef struct SizeFold {
  uint32_t calls;
} SizeFold;

static uint32_t add_sizes(void *state, Expr expr, ExprNode node, uint32_t left, uint32_t right) {
  SizeFold *fold = state;
  fold->calls++;
  assert_int_equal(node.op, made[expr.at].op);
  if (is_leaf(expr.at)) assert_int_equal(left + right, 0);
  return left + right + 1;
}

/* One memo serves several roots: an operator is folded once. */
static void a_fold_enters_an_operator_once(void **) {
  ExprPool *pool = filled_pool(600);
  Arena *arena = arena_create();
  Memo sizes = memo_create(arena);
  SizeFold fold = {};
  uint32_t operators = 0, most_calls = 0;
  for (uint32_t at = made_count - 1; at > 0; at--) {
    operators += !is_leaf(at);
    most_calls += is_leaf(at) ? 1 : 3;
    assert_int_equal(expr_fold(pool, &sizes, (Expr){at}, add_sizes, &fold), size_of(at));
  }
  assert_int_equal(sizes.count, operators);
  assert_in_range(fold.calls, made_count - 1, most_calls);
  arena_destroy(arena);
  expr_pool_destroy(pool);
}

static void a_memo_has_the_last_value_of_a_key(void **) {
  static uint32_t known[5000]; /* value + 1 */
  Arena *arena = arena_create();
  for (uint32_t keys = 1; keys < 5000; keys *= 3) {
    memset(known, 0, sizeof known);
    Memo memo = memo_create(arena);
    uint32_t count = 0, value;
    for (uint32_t i = 0; i < 2 * keys; i++) {
      uint32_t key = 1 + draw_below(keys);
      bool is_known = memo_find(&memo, (Expr){key}, &value);
      assert_int_equal(is_known, known[key] != 0);
      if (is_known) assert_int_equal(value, known[key] - 1);
      count += !is_known;
      known[key] = 1 + draw_below(100);
      memo_insert(&memo, (Expr){key}, known[key] - 1);
      assert_int_equal(memo.count, count);
    }
    for (uint32_t key = 1; key <= keys; key++) {
      assert_int_equal(memo_find(&memo, (Expr){key}, &value), known[key] != 0);
      if (known[key] != 0) assert_int_equal(value, known[key] - 1);
    }
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(handles_are_positions_in_the_order_of_making),
      cmocka_unit_test(values_are_those_of_128_bits),
      cmocka_unit_test(substitution_replaces_each_variable_at_once),
      cmocka_unit_test(substitution_reaches_the_greatest_depth),
      cmocka_unit_test(walks_reach_what_is_reachable),
      cmocka_unit_test(a_fold_enters_an_operator_once),
      cmocka_unit_test(a_memo_has_the_last_value_of_a_key),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
