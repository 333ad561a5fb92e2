// Halide's simplifier as an engine: each result and each constraint is simplified by
// Halide::Internal::simplify with the bounds of the variables. Halide's indices have 32 bits, and
// their overflow is undefined. An expression that may leave int32 is therefore not offered.
#include <Halide.h>

#include "examples/map_tree.hpp"

#include <algorithm>
#include <map>

using namespace example;
using Halide::Expr;
namespace ir = Halide::Internal;

namespace {

struct Known {
  std::map<std::string, std::pair<int64_t, int64_t>> bounds;
  ir::Scope<ir::Interval> scope;
};

Known known_of(const Map &map) {
  Known known;
  for (const Variable &one : map.variables()) {
    if (one.lo < INT32_MIN || one.hi > INT32_MAX) not_offered("a bound leaves int32");
    known.bounds[one.name] = {one.lo, one.hi};
    known.scope.push(one.name, ir::Interval(Expr((int32_t)one.lo), Expr((int32_t)one.hi)));
  }
  return known;
}

// An expression, and an interval that contains its value. Every operation checks that it fits
// int32.
struct Built {
  Expr expr;
  int64_t lo, hi;
};

Built within(Expr expr, int64_t lo, int64_t hi) {
  if (lo < INT32_MIN + 1 || hi > INT32_MAX) not_offered("a value can leave int32");
  return {std::move(expr), lo, hi};
}

int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b < 0); }

Built divided(const Node &tree, const Built &left, const Built &right) {
  if (right.lo != right.hi || right.lo <= 0) not_offered("a divisor that is no positive constant");
  int64_t divisor = right.lo;
  if (tree.kind == Kind::mod) return within(left.expr % right.expr, 0, divisor - 1);
  if (tree.kind == Kind::floordiv)
    return within(left.expr / right.expr, floor_of(left.lo, divisor), floor_of(left.hi, divisor));
  return within(
      -((-left.expr) / right.expr), -floor_of(-left.lo, divisor), -floor_of(-left.hi, divisor));
}

Built build(const Node &tree, const Known &known) {
  if (tree.kind == Kind::number) {
    if (tree.value <= INT32_MIN || tree.value > INT32_MAX) not_offered("a constant leaves int32");
    return {Expr((int32_t)tree.value), tree.value, tree.value};
  }
  if (tree.kind == Kind::variable) {
    auto [lo, hi] = known.bounds.at(tree.name);
    return {ir::Variable::make(Halide::Int(32), tree.name), lo, hi};
  }
  Built left = build(*tree.left, known), right = build(*tree.right, known);
  int64_t products[] = {
      left.lo * right.lo, left.lo * right.hi, left.hi * right.lo, left.hi * right.hi};
  switch (tree.kind) {
    case Kind::plus: return within(left.expr + right.expr, left.lo + right.lo, left.hi + right.hi);
    case Kind::times:
      return within(left.expr * right.expr, *std::min_element(products, products + 4),
          *std::max_element(products, products + 4));
    case Kind::min:
      return within(Halide::min(left.expr, right.expr), std::min(left.lo, right.lo),
          std::min(left.hi, right.hi));
    case Kind::max:
      return within(Halide::max(left.expr, right.expr), std::max(left.lo, right.lo),
          std::max(left.hi, right.hi));
    default: return divided(tree, left, right);
  }
}

Tree tree_of(const Expr &expr);

template <typename Operation> bool read(const Expr &expr, Kind kind, Tree &tree) {
  const Operation *found = expr.as<Operation>();
  if (found == nullptr) return false;
  tree = operation(kind, tree_of(found->a), tree_of(found->b));
  return true;
}

Tree tree_of(const Expr &expr) {
  if (const ir::IntImm *constant = expr.as<ir::IntImm>()) return number(constant->value);
  if (const ir::Variable *found = expr.as<ir::Variable>()) return variable(found->name);
  Tree tree;
  if (const ir::Sub *found = expr.as<ir::Sub>())
    return operation(Kind::plus, tree_of(found->a), negated(tree_of(found->b)));
  if (read<ir::Add>(expr, Kind::plus, tree) || read<ir::Mul>(expr, Kind::times, tree) ||
      read<ir::Min>(expr, Kind::min, tree) || read<ir::Max>(expr, Kind::max, tree))
    return tree;
  if (!read<ir::Div>(expr, Kind::floordiv, tree) && !read<ir::Mod>(expr, Kind::mod, tree))
    not_offered("Halide answers with a node that no map has");
  if (tree->right->kind != Kind::number || tree->right->value <= 0)
    not_offered("Halide answers with a divisor that is no positive constant");
  return tree;
}

// The current Halide's function has only the bounds; that of Debian 12 has a flag before them.
template <typename Bounds>
auto simplify_within(const Expr &expr, const Bounds &bounds, int)
    -> decltype(ir::simplify(expr, bounds)) {
  return ir::simplify(expr, bounds);
}
template <typename Bounds>
Expr simplify_within(const Expr &expr, const Bounds &bounds, long) {
  return ir::simplify(expr, true, bounds);
}

Tree simplified(const Tree &tree, const Known &known) {
  return tree_of(simplify_within(build(*tree, known).expr, known.scope, 0));
}

AffirmEngineStatus simplify(void *, const char *map_text, const char **text) {
  return answer(text, [&] {
    Map map = Reader(map_text).read();
    Known known = known_of(map);
    for (Tree &result : map.results) result = simplified(result, known);
    for (Constraint &constraint : map.constraints)
      constraint.tree = simplified(constraint.tree, known);
    return written(map);
  });
}

} // namespace

const AffirmEngine *affirm_engine(void) {
  static const AffirmEngine offered = {AFFIRM_ENGINE_VERSION, "halide " HALIDE_VERSION, nullptr,
      nullptr, simplify, nullptr, nullptr};
  return &offered;
}
