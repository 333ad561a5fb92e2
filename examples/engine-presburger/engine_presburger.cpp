// MLIR's Presburger library as an engine. A map is an integer relation: its domain are the map's
// variables, its range the results; floordiv and mod are local variables. simplify computes the
// lexicographic minimum of the range, which for a function is the function itself, on the map's
// domain simplified by IntegerRelation::simplify. compose is IntegerRelation::compose, then the
// same on the domain of the minimum. Results in several pieces, min, max and products of two
// variables are not offered.
#include <mlir/Analysis/Presburger/IntegerRelation.h>
#include <mlir/Analysis/Presburger/PWMAFunction.h>
#include <mlir/Analysis/Presburger/Simplex.h>

#include "examples/map_tree.hpp"

#include <algorithm>
#include <map>

using namespace example;
using namespace mlir::presburger;

namespace {

// A linear combination of columns: those of the relation's domain and of its local variables.
struct Row {
  std::vector<int64_t> domain, locals;
  int64_t constant = 0;
};

int64_t checked(bool overflows, int64_t value) {
  if (overflows) rejected("a coefficient leaves int64");
  return value;
}
int64_t scaled(int64_t a, int64_t b) {
  int64_t product;
  return checked(__builtin_mul_overflow(a, b, &product), product);
}
void add(std::vector<int64_t> &to, const std::vector<int64_t> &from, int64_t factor) {
  to.resize(std::max(to.size(), from.size()));
  for (size_t i = 0; i < from.size(); i++) {
    bool overflows = __builtin_add_overflow(to[i], scaled(from[i], factor), &to[i]);
    checked(overflows, 0);
  }
}
Row sum(Row left, const Row &right, int64_t factor) {
  add(left.domain, right.domain, factor), add(left.locals, right.locals, factor);
  checked(__builtin_add_overflow(left.constant, scaled(right.constant, factor), &left.constant), 0);
  return left;
}
bool is_constant(const Row &row) {
  auto is_zero = [](int64_t value) { return value == 0; };
  return std::all_of(row.domain.begin(), row.domain.end(), is_zero) &&
         std::all_of(row.locals.begin(), row.locals.end(), is_zero);
}

class Builder {
public:
  Builder(unsigned domain, unsigned range)
      : relation(PresburgerSpace::getRelationSpace(domain, range)) {}
  IntegerRelation relation;
  std::map<std::string, unsigned> column;

  void within(const Tree &tree, int64_t lo, int64_t hi) {
    Row row = read(*tree), low, high;
    low.constant = -lo, high.constant = hi;
    if (lo == hi) return relation.addEquality(columns(sum(row, low, 1)));
    relation.addInequality(columns(sum(row, low, 1)));
    relation.addInequality(columns(sum(high, row, -1)));
  }
  void result(unsigned number, const Tree &tree) {
    std::vector<int64_t> row = columns(read(*tree));
    row[relation.getNumDomainVars() + number] = -1;
    relation.addEquality(row);
  }

private:
  std::vector<int64_t> columns(const Row &row) const {
    std::vector<int64_t> all(relation.getNumCols());
    std::copy(row.domain.begin(), row.domain.end(), all.begin());
    std::copy(row.locals.begin(), row.locals.end(),
        all.begin() + relation.getVarKindOffset(VarKind::Local));
    all.back() = row.constant;
    return all;
  }
  Row floor_of(const Row &row, int64_t divisor) {
    relation.addLocalFloorDiv(columns(row), divisor);
    Row local;
    local.locals.resize(relation.getNumLocalVars());
    local.locals.back() = 1;
    return local;
  }
  Row read(const Node &tree) {
    Row row;
    if (tree.kind == Kind::number) {
      row.constant = tree.value;
      return row;
    }
    if (tree.kind == Kind::variable) {
      row.domain.resize(column.at(tree.name) + 1);
      row.domain.back() = 1;
      return row;
    }
    if (tree.kind == Kind::min || tree.kind == Kind::max) not_offered("min and max");
    Row left = read(*tree.left), right = read(*tree.right);
    if (tree.kind == Kind::plus) return sum(left, right, 1);
    if (tree.kind == Kind::times && is_constant(left)) std::swap(left, right);
    if (!is_constant(right)) not_offered("a product or a quotient of two variables");
    int64_t by = right.constant;
    if (tree.kind == Kind::times) return sum(row, left, by);
    if (by <= 0) not_offered("a divisor that is not positive");
    if (tree.kind == Kind::ceildiv) left.constant += by - 1;
    Row floor = floor_of(left, by);
    return tree.kind == Kind::mod ? sum(left, floor, -by) : floor;
  }
};

// --- back: columns as trees ---

template <typename Number> int64_t small(const Number &value) {
  if (value < Number(INT64_MIN + 1) || value > Number(INT64_MAX))
    rejected("a coefficient of the answer leaves int64");
  return static_cast<int64_t>(value);
}

class Answer {
public:
  Answer(const std::vector<Variable> &variables, const DivisionRepr &divisions)
      : variables(variables), divisions(divisions) {}

  template <typename Numbers> Tree tree(const Numbers &row) const {
    Tree whole = number(small(row[row.size() - 1]));
    for (size_t i = 0; i + 1 < row.size(); i++) {
      int64_t factor = small(row[i]);
      if (factor == 0) continue;
      whole = operation(Kind::plus, whole, operation(Kind::times, column(i), number(factor)));
    }
    return whole;
  }
  // The text needs an upper bound for e >= 0: interval arithmetic gives one.
  Constraint at_least_zero(const Tree &tree, bool is_zero) const {
    return {tree, 0, is_zero ? 0 : std::max<int64_t>(0, ends(*tree).second)};
  }

private:
  const std::vector<Variable> &variables;
  const DivisionRepr &divisions;

  Tree column(size_t i) const {
    if (i < variables.size()) return variable(variables[i].name);
    unsigned division = (unsigned)(i - variables.size());
    if (!divisions.hasRepr(division)) not_offered("a local variable that is no quotient");
    return operation(Kind::floordiv, tree(divisions.getDividend(division)),
        number(small(divisions.getDenom(division))));
  }
  std::pair<int64_t, int64_t> ends(const Node &node) const {
    if (node.kind == Kind::number) return {node.value, node.value};
    if (node.kind == Kind::variable)
      for (const Variable &one : variables)
        if (one.name == node.name) return {one.lo, one.hi};
    auto [lo, hi] = ends(*node.left);
    auto [low, high] = ends(*node.right);
    if (node.kind == Kind::plus)
      return {checked(__builtin_add_overflow(lo, low, &lo), lo),
          checked(__builtin_add_overflow(hi, high, &hi), hi)};
    if (node.kind == Kind::floordiv) return {lo / low - (lo % low < 0), hi / low - (hi % low < 0)};
    return low < 0 ? std::pair(scaled(hi, low), scaled(lo, low))
                   : std::pair(scaled(lo, low), scaled(hi, low));
  }
};

void put_domain(Map &map, const std::vector<Variable> &variables, IntegerRelation domain) {
  domain.simplify();
  const DivisionRepr locals = domain.getLocalReprs();
  Answer back(variables, locals);
  for (unsigned i = 0; i < domain.getNumEqualities(); i++)
    map.constraints.push_back(back.at_least_zero(back.tree(domain.getEquality(i)), true));
  for (unsigned i = 0; i < domain.getNumInequalities(); i++)
    map.constraints.push_back(back.at_least_zero(back.tree(domain.getInequality(i)), false));
}

// `map` has only variables; `stated` is its domain if known.
std::string answer_of(Map map, const IntegerRelation &relation, const IntegerRelation *stated) {
  PWMAFunction function = relation.findSymbolicIntegerLexMin().lexopt;
  if (function.getNumPieces() == 0) return "KNOWN EMPTY";
  if (function.getNumPieces() != 1) not_offered("a map in several pieces");
  const auto &piece = function.getAllPieces()[0];
  if (piece.domain.getNumDisjuncts() != 1) not_offered("a domain in several pieces");
  const std::vector<Variable> variables = map.variables();
  const DivisionRepr divisions = piece.output.getDivs();
  for (unsigned i = 0; i < piece.output.getNumOutputs(); i++)
    map.results.push_back(Answer(variables, divisions).tree(piece.output.getOutputExpr(i)));
  put_domain(map, variables, stated != nullptr ? *stated : piece.domain.getDisjunct(0));
  return written(map);
}

// The relation of a map with the variables in the columns of `variables`; those in `passed` are
// also results, at the end.
Builder relation_of(
    const Map &map, const std::vector<Variable> &variables, const std::vector<Variable> &passed) {
  Builder builder((unsigned)variables.size(), (unsigned)(map.results.size() + passed.size()));
  for (unsigned i = 0; i < variables.size(); i++) builder.column[variables[i].name] = i;
  for (const Variable &one : variables) builder.within(variable(one.name), one.lo, one.hi);
  for (const Constraint &one : map.constraints) builder.within(one.tree, one.lo, one.hi);
  unsigned count = 0;
  for (const Tree &result : map.results) builder.result(count++, result);
  for (const Variable &one : passed) builder.result(count++, variable(one.name));
  return builder;
}

AffirmEngineStatus simplify(void *, const char *map_text, const char **text) {
  return answer(text, [&] {
    Map map = Reader(map_text).read();
    Builder builder = relation_of(map, map.variables(), {});
    map.results.clear();
    Builder domain = relation_of(map, map.variables(), {});
    map.constraints.clear();
    return answer_of(map, builder.relation, &domain.relation);
  });
}

AffirmEngineStatus compose(
    void *, const char *consumer_text, const char *producer_text, const char **text) {
  return answer(text, [&] {
    Map consumer = Reader(consumer_text).read(), producer = Reader(producer_text).read();
    std::vector<Variable> passed;
    Map both = composed_variables(consumer, producer, passed);
    Builder first = relation_of(consumer, both.variables(), passed);
    Builder second = relation_of(producer, producer.variables(), {});
    first.relation.compose(second.relation);
    return answer_of(both, first.relation, nullptr);
  });
}

} // namespace

const AffirmEngine *affirm_engine(void) {
  static const AffirmEngine offered = {AFFIRM_ENGINE_VERSION, "mlir presburger " MLIR_VERSION,
      nullptr, nullptr, simplify, compose, nullptr};
  return &offered;
}
