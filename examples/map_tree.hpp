// For C++ engines to copy: a map as trees, parsed from the texts of requests and printed, and an
// engine made of two functions on them. The texts name variables d0.., s0.., rt0.., and give bounds
// in the order of the variables, then constraints; map_text.h shows an example.
#ifndef EXAMPLES_MAP_TREE_HPP
#define EXAMPLES_MAP_TREE_HPP

#include <affirm_engine.h>

#include <cctype>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace example {

// Thrown if there is no result.
struct Unfit {
  AffirmEngineStatus status;
  std::string why;
};
[[noreturn]] inline void not_offered(const std::string &why) {
  throw Unfit{AFFIRM_ENGINE_NOT_OFFERED, why};
}
[[noreturn]] inline void rejected(const std::string &why) {
  throw Unfit{AFFIRM_ENGINE_REFUSED, why};
}

struct Node;
using Tree = std::shared_ptr<const Node>;
enum class Kind { number, variable, plus, times, floordiv, ceildiv, mod, min, max };
struct Node {
  Kind kind;
  int64_t value;    // of a number
  std::string name; // of a variable
  Tree left, right;
};

inline Tree number(int64_t value) {
  return std::make_shared<Node>(Node{Kind::number, value, {}, {}, {}});
}
inline Tree variable(std::string name) {
  return std::make_shared<Node>(Node{Kind::variable, 0, std::move(name), {}, {}});
}
inline Tree operation(Kind kind, Tree left, Tree right) {
  return std::make_shared<Node>(Node{kind, 0, {}, std::move(left), std::move(right)});
}
inline Tree negated(const Tree &tree) {
  return tree->kind == Kind::number ? number(-tree->value)
                                    : operation(Kind::times, tree, number(-1));
}

// The value of a tree without variables; none if it has a variable or leaves int64.
inline std::optional<int64_t> constant_value(const Node &tree) {
  if (tree.kind == Kind::number) return tree.value;
  if (tree.kind == Kind::variable) return std::nullopt;
  std::optional<int64_t> left = constant_value(*tree.left), right = constant_value(*tree.right);
  if (!left.has_value() || !right.has_value()) return std::nullopt;
  int64_t a = *left, b = *right, value;
  bool is_division = tree.kind == Kind::floordiv || tree.kind == Kind::ceildiv;
  if ((is_division || tree.kind == Kind::mod) && b <= 0) return std::nullopt;
  switch (tree.kind) {
    case Kind::plus:
      return __builtin_add_overflow(a, b, &value) ? std::nullopt : std::optional(value);
    case Kind::times:
      return __builtin_mul_overflow(a, b, &value) ? std::nullopt : std::optional(value);
    case Kind::floordiv: return a / b - (a % b < 0);
    case Kind::ceildiv: return a / b + (a % b > 0);
    case Kind::mod: return a % b + (a % b < 0 ? b : 0);
    case Kind::min: return a < b ? a : b;
    default: return a < b ? b : a;
  }
}

struct Variable {
  std::string name;
  int64_t lo, hi;
};
struct Constraint {
  Tree tree;
  int64_t lo, hi;
};
struct Map {
  std::vector<Variable> dims, ranges, runtimes;
  std::vector<Tree> results;
  std::vector<Constraint> constraints;
  std::vector<Variable> variables() const {
    std::vector<Variable> all = dims;
    all.insert(all.end(), ranges.begin(), ranges.end());
    all.insert(all.end(), runtimes.begin(), runtimes.end());
    return all;
  }
};

class Reader {
public:
  explicit Reader(const char *text) : at(text) {}
  Map read() {
    Map map;
    names('(', ')', map.dims), names('[', ']', map.ranges), names('{', '}', map.runtimes);
    want("->"), want("(");
    for (bool more = !take(")"); more; more = take(","), more || (want(")"), 0))
      map.results.push_back(sum());
    if (take(",")) want("domain"), want(":");
    for (auto *kind : {&map.dims, &map.ranges, &map.runtimes})
      for (Variable &one : *kind) {
        if (sum()->name != one.name) not_offered("bounds in another order");
        interval(one.lo, one.hi);
      }
    while (blanks(), *at != 0) {
      Constraint constraint{sum(), 0, 0};
      interval(constraint.lo, constraint.hi);
      map.constraints.push_back(constraint);
    }
    return map;
  }

private:
  const char *at;
  void blanks() {
    while (*at == ' ' || *at == '\n') at++;
  }
  bool take(const std::string &word) {
    blanks();
    if (std::string(at).compare(0, word.size(), word) != 0) return false;
    at += word.size();
    return true;
  }
  void want(const char *word) {
    if (!take(word)) not_offered("no plain map");
  }
  void names(char open, char close, std::vector<Variable> &into) {
    if (!take(std::string(1, open)) || take(std::string(1, close))) return;
    do into.push_back({word(), 0, 0});
    while (take(","));
    want(std::string(1, close).c_str());
  }
  std::string word() {
    blanks();
    const char *from = at;
    while (std::isalnum(static_cast<unsigned char>(*at))) at++;
    if (from == at) not_offered("no plain map");
    return std::string(from, at);
  }
  int64_t bound() {
    bool is_negative = take("-");
    int64_t value = std::stoll(word());
    return is_negative ? -value : value;
  }
  void interval(int64_t &lo, int64_t &hi) {
    want("in"), want("["), lo = bound(), want(","), hi = bound(), want("]"), take(",");
  }
  Tree factor() {
    if (take("-")) return negated(factor());
    if (take("(")) {
      Tree inner = sum();
      want(")");
      return inner;
    }
    for (bool is_min : {true, false})
      if (take(is_min ? "min(" : "max(")) {
        Tree left = sum();
        want(",");
        Tree right = sum();
        want(")");
        return operation(is_min ? Kind::min : Kind::max, left, right);
      }
    blanks();
    return std::isdigit(static_cast<unsigned char>(*at)) ? number(std::stoll(word()))
                                                         : variable(word());
  }
  Tree term() {
    for (Tree left = factor();;) {
      if (take("*")) left = operation(Kind::times, left, factor());
      else if (take("floordiv")) left = operation(Kind::floordiv, left, factor());
      else if (take("ceildiv")) left = operation(Kind::ceildiv, left, factor());
      else if (take("mod")) left = operation(Kind::mod, left, factor());
      else return left;
    }
  }
  Tree sum() {
    for (Tree left = term();;) {
      if (take("+")) left = operation(Kind::plus, left, term());
      else if (blanks(), *at == '-') at++, left = operation(Kind::plus, left, negated(term()));
      else return left;
    }
  }
};

inline std::string written(const Tree &tree) {
  static const char *const words[] = {
      "", "", " + ", " * ", " floordiv ", " ceildiv ", " mod ", "min", "max"};
  if (tree->kind == Kind::number) return std::to_string(tree->value);
  if (tree->kind == Kind::variable) return tree->name;
  std::string left = written(tree->left), right = written(tree->right),
              word = words[static_cast<int>(tree->kind)];
  if (tree->kind == Kind::min || tree->kind == Kind::max)
    return word + "(" + left + ", " + right + ")";
  return "(" + left + word + right + ")";
}

// Prints `(d0, d1)[s0]{rt0}`.
inline std::string written_head(const Map &map) {
  std::string text, comma;
  const std::pair<const std::vector<Variable> *, const char *> kinds[] = {
      {&map.dims, "()"}, {&map.ranges, "[]"}, {&map.runtimes, "{}"}};
  for (const auto &[kind, brackets] : kinds) {
    if (kind->empty() && brackets[0] != '(') continue;
    text += brackets[0], comma = "";
    for (const Variable &one : *kind) text += comma + one.name, comma = ", ";
    text += brackets[1];
  }
  return text;
}

inline std::string written(const Map &map) {
  std::string text = written_head(map) + " -> (", comma;
  for (const Tree &result : map.results) text += comma + written(result), comma = ", ";
  text += ")", comma = ", domain: ";
  auto within = [](int64_t lo, int64_t hi) {
    return " in [" + std::to_string(lo) + ", " + std::to_string(hi) + "]";
  };
  for (const Variable &one : map.variables())
    text += comma + one.name + within(one.lo, one.hi), comma = ", ";
  for (const Constraint &one : map.constraints)
    text += comma + written(one.tree) + within(one.lo, one.hi), comma = ", ";
  return text;
}

// The variables of both, as compose needs them; `passed` are the producer's, renamed.
inline Map composed_variables(
    const Map &consumer, const Map &producer, std::vector<Variable> &passed) {
  if (consumer.results.size() != producer.dims.size()) rejected("ranks that differ");
  Map both;
  both.dims = consumer.dims, both.ranges = consumer.ranges, both.runtimes = consumer.runtimes;
  auto append = [&](std::vector<Variable> &to, const std::vector<Variable> &from,
                    const char *name) {
    for (const Variable &one : from) {
      to.push_back({name + std::to_string(to.size()), one.lo, one.hi});
      passed.push_back(to.back());
    }
  };
  append(both.ranges, producer.ranges, "s"), append(both.runtimes, producer.runtimes, "rt");
  return both;
}

// `make()` returns the text of the result, or throws Unfit. The text is valid until the next call.
template <typename Make> AffirmEngineStatus answer(const char **text, Make &&make) {
  static std::string kept;
  AffirmEngineStatus status = AFFIRM_ENGINE_ANSWERED;
  try {
    kept = make();
  } catch (const Unfit &unfit) {
    kept = unfit.why, status = unfit.status;
  } catch (const std::exception &exception) {
    kept = exception.what(), status = AFFIRM_ENGINE_REFUSED;
  }
  *text = kept.c_str();
  return status;
}

} // namespace example

#endif
