// isl as an engine: a map is an isl_pw_multi_aff on the box of all its variables, parsed by isl
// from text. simplify is coalesce and gist on the domain; compose is pullback, then the same.
// Results are printed from isl's quasi-affine expressions, the domain from its basic set and the
// bounds of each variable on it.
// Not offered: products of two variables, and results in several pieces, as isl gives for min and
// max. Rejected: constants that leave int64, and work of more than most_operations.
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/val.h>
#include <isl/version.h>

#include "examples/map_tree.hpp"

using namespace example;

namespace {

constexpr unsigned long most_operations = 1'000'000;
constexpr int deepest = 200;

isl_ctx *context;

std::string in_words(const Node &tree) {
  if (auto value = constant_value(tree)) return std::to_string(*value);
  if (tree.kind == Kind::variable) return tree.name;
  std::string left = in_words(*tree.left), right = in_words(*tree.right);
  bool is_scaled = constant_value(*tree.right).has_value();
  switch (tree.kind) {
    case Kind::plus: return "(" + left + " + " + right + ")";
    case Kind::min: return "min(" + left + ", " + right + ")";
    case Kind::max: return "max(" + left + ", " + right + ")";
    case Kind::times:
      if (is_scaled) return "(" + left + " * " + right + ")";
      if (!constant_value(*tree.left).has_value()) not_offered("a product of two variables");
      return "(" + right + " * " + left + ")";
    default:
      if (!is_scaled) not_offered("a divisor that is no constant");
      if (tree.kind == Kind::mod) return "(" + left + " mod " + right + ")";
      return (tree.kind == Kind::floordiv ? "floor(" : "ceil(") + left + "/" + right + ")";
  }
}

// The text of the map's results, then `passed`, over `variables`, which include the map's own.
std::string in_words(
    const Map &map, const std::vector<Variable> &variables, const std::vector<Variable> &passed) {
  std::string text = "{ [", comma;
  for (const Variable &one : variables) text += comma + one.name, comma = ", ";
  text += "] -> [", comma = "";
  for (const Tree &result : map.results) text += comma + in_words(*result), comma = ", ";
  for (const Variable &one : passed) text += comma + one.name, comma = ", ";
  text += "] : 0 = 0";
  auto within = [](const std::string &what, int64_t lo, int64_t hi) {
    return " and " + std::to_string(lo) + " <= " + what + " <= " + std::to_string(hi);
  };
  for (const Variable &one : variables) text += within(one.name, one.lo, one.hi);
  for (const Constraint &one : map.constraints) text += within(in_words(*one.tree), one.lo, one.hi);
  return text + " }";
}

// --- from isl: false if a number leaves int64 or a division is unknown ---

struct Writer {
  const std::vector<Variable> &variables;
  std::string text;

  bool value(isl_val *value) { // TAKE
    bool fits = isl_val_is_int(value) == isl_bool_true && isl_val_cmp_si(value, INT64_MAX) <= 0 &&
                isl_val_cmp_si(value, -INT64_MAX) >= 0;
    if (fits) text += std::to_string(isl_val_get_num_si(value));
    isl_val_free(value);
    return fits;
  }

  bool term(isl_aff *aff, isl_dim_type type, int position, isl_val *denominator, int depth,
      const char **plus) {
    isl_val *coefficient =
        isl_val_mul(isl_aff_get_coefficient_val(aff, type, position), isl_val_copy(denominator));
    if (isl_val_is_zero(coefficient) == isl_bool_true) return isl_val_free(coefficient), true;
    text += *plus, *plus = " + ";
    bool fits = value(coefficient);
    text += " * ";
    if (type == isl_dim_in) {
      text += variables[(size_t)position].name;
      return fits;
    }
    isl_aff *floor = isl_aff_get_div(aff, position);
    text += "(";
    fits = fits && floor != nullptr && expression(floor, depth + 1);
    text += ")";
    isl_aff_free(floor);
    return fits;
  }

  // With the common denominator n, n * aff has only integers. `aff floordiv n` is the value: it
  // rounds down where isl has a floor, and divides exactly elsewhere.
  bool expression(isl_aff *aff, int depth) {
    isl_val *denominator = isl_aff_get_denominator_val(aff);
    bool fits = denominator != nullptr && depth < deepest;
    const char *plus = "";
    text += "(";
    for (auto type : {isl_dim_in, isl_dim_div})
      for (int i = 0; fits && i < (int)isl_aff_dim(aff, type); i++)
        fits = term(aff, type, i, denominator, depth, &plus);
    text += plus;
    fits = fits && value(isl_val_mul(isl_aff_get_constant_val(aff), isl_val_copy(denominator)));
    text += ") floordiv ";
    return (denominator == nullptr || value(denominator)) && fits;
  }

  // e = 0 or e >= 0, with the upper bound of e on the box.
  bool condition(isl_constraint *constraint, isl_set *box) { // TAKE: the constraint
    isl_aff *aff = isl_constraint_get_aff(constraint);
    bool is_zero = isl_constraint_is_equality(constraint) == isl_bool_true;
    isl_val *most = is_zero ? isl_val_zero(context) : isl_val_floor(isl_set_max_val(box, aff));
    text += ", ";
    bool fits = aff != nullptr && expression(aff, 0);
    text += " in [0, ", fits = value(most) && fits, text += "]";
    isl_aff_free(aff);
    isl_constraint_free(constraint);
    return fits;
  }

  // The bounds of each variable on the domain, then the remaining constraints of the domain.
  bool domain(isl_basic_set *domain) {
    isl_set *box = isl_set_universe(isl_basic_set_get_space(domain));
    isl_set *whole = isl_set_from_basic_set(isl_basic_set_copy(domain));
    bool fits = true;
    for (unsigned i = 0; i < variables.size() && fits; i++) {
      isl_val *lo = isl_set_dim_min_val(isl_set_copy(whole), (int)i),
              *hi = isl_set_dim_max_val(isl_set_copy(whole), (int)i);
      box = isl_set_lower_bound_val(box, isl_dim_set, i, isl_val_copy(lo));
      box = isl_set_upper_bound_val(box, isl_dim_set, i, isl_val_copy(hi));
      text += (i == 0 ? ", domain: " : ", ") + variables[i].name + " in [";
      fits = value(lo), text += ", ", fits = value(hi) && fits, text += "]";
    }
    isl_constraint_list *beyond = isl_basic_set_get_constraint_list(
        isl_basic_set_gist(isl_basic_set_copy(domain), isl_set_simple_hull(isl_set_copy(box))));
    for (int i = 0; fits && i < (int)isl_constraint_list_n_constraint(beyond); i++)
      fits = condition(isl_constraint_list_get_constraint(beyond, i), box);
    isl_constraint_list_free(beyond);
    isl_set_free(whole);
    isl_set_free(box);
    return fits;
  }
};

// `map` has only variables.
bool write_piece(Writer &writer, const Map &map, isl_pw_multi_aff *function, isl_set *domain) {
  isl_multi_aff *only = nullptr;
  auto keep = [](isl_set *on, isl_multi_aff *piece, void *kept) {
    isl_set_free(on);
    *(isl_multi_aff **)kept = piece;
    return isl_stat_ok;
  };
  isl_pw_multi_aff_foreach_piece(function, keep, &only);
  isl_basic_set_list *pieces = isl_set_get_basic_set_list(domain);
  isl_basic_set *basic = isl_basic_set_list_get_basic_set(pieces, 0);
  isl_basic_set_list_free(pieces);
  writer.text = written_head(map) + " -> (";
  bool fits = only != nullptr && basic != nullptr;
  for (int i = 0; fits && i < (int)isl_multi_aff_dim(only, isl_dim_out); i++) {
    isl_aff *aff = isl_multi_aff_get_aff(only, i);
    writer.text += i == 0 ? "" : ", ";
    fits = aff != nullptr && writer.expression(aff, 0);
    isl_aff_free(aff);
  }
  writer.text += ")";
  fits = fits && writer.domain(basic);
  isl_multi_aff_free(only);
  isl_basic_set_free(basic);
  return fits;
}

std::string answer_of(const Map &map, isl_pw_multi_aff *function) { // TAKE: the function
  if (function == nullptr) rejected("isl gives up");
  const std::vector<Variable> variables = map.variables();
  isl_set *domain = isl_set_make_disjoint(isl_set_coalesce(
      isl_set_compute_divs(isl_pw_multi_aff_domain(isl_pw_multi_aff_copy(function)))));
  isl_pw_multi_aff *simple =
      isl_pw_multi_aff_coalesce(isl_pw_multi_aff_gist(function, isl_set_copy(domain)));
  isl_bool is_empty = isl_set_is_empty(domain);
  bool is_whole = simple != nullptr && is_empty != isl_bool_error, is_nothing = is_empty == 1;
  bool is_one = is_whole && isl_pw_multi_aff_n_piece(simple) == 1;
  is_one = is_one && isl_set_n_basic_set(domain) == 1;
  Writer writer{variables, "KNOWN EMPTY"};
  bool fits = is_nothing || (is_one && write_piece(writer, map, simple, domain));
  isl_pw_multi_aff_free(simple);
  isl_set_free(domain);
  if (!is_whole) rejected("isl gives up");
  if (!is_nothing && !is_one) not_offered("a map in several pieces");
  if (!fits) rejected("a number that leaves int64, or isl gives up");
  return writer.text;
}

// Null for an empty relation only, from which isl would read a function without a space.
isl_pw_multi_aff *read(const std::string &words) {
  isl_ctx_reset_operations(context);
  isl_ctx_reset_error(context);
  isl_map *relation = isl_map_read_from_str(context, words.c_str());
  isl_bool is_empty = isl_map_is_empty(relation);
  isl_map_free(relation);
  if (is_empty == isl_bool_error) rejected("isl gives up");
  if (is_empty) return nullptr;
  isl_pw_multi_aff *function = isl_pw_multi_aff_read_from_str(context, words.c_str());
  if (function == nullptr) rejected("isl gives up");
  return function;
}

AffirmEngineStatus simplify(void *, const char *map_text, const char **text) {
  return answer(text, [&] {
    Map map = Reader(map_text).read();
    isl_pw_multi_aff *function = read(in_words(map, map.variables(), {}));
    map.results.clear(), map.constraints.clear();
    return function == nullptr ? std::string("KNOWN EMPTY") : answer_of(map, function);
  });
}

AffirmEngineStatus compose(
    void *, const char *consumer_text, const char *producer_text, const char **text) {
  return answer(text, [&] {
    Map consumer = Reader(consumer_text).read(), producer = Reader(producer_text).read();
    std::vector<Variable> passed;
    Map both = composed_variables(consumer, producer, passed);
    std::string through = in_words(consumer, both.variables(), passed),
                last = in_words(producer, producer.variables(), {});
    isl_pw_multi_aff *inner = read(through), *outer = read(last);
    if (inner != nullptr && outer != nullptr)
      return answer_of(both, isl_pw_multi_aff_pullback_pw_multi_aff(outer, inner));
    isl_pw_multi_aff_free(inner);
    isl_pw_multi_aff_free(outer);
    return std::string("KNOWN EMPTY");
  });
}

} // namespace

const AffirmEngine *affirm_engine(void) {
  context = isl_ctx_alloc();
  isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(context, most_operations);
  static const std::string version = isl_version(), name = version.substr(0, version.find('\n'));
  static const AffirmEngine offered = {
      AFFIRM_ENGINE_VERSION, name.c_str(), nullptr, nullptr, simplify, compose, nullptr};
  return &offered;
}
