// CuTe layouts of the C++ headers as an engine: a layout is a map of one dimension, whose index is
// split into the modes. simplify is cute::coalesce, compose is cute::composition, for layouts with
// one to three modes and dynamic sizes and strides. CuTe states two divisibility conditions for
// composition and checks them if all numbers are static. Here they are checked before CuTe is
// called, in the weaker form of the headers.
#include <cute/layout.hpp>

#include "examples/map_tree.hpp"

#include <algorithm>

using namespace example;

namespace {

struct Mode {
  int size, stride;
};
using Modes = std::vector<Mode>;

int narrow(int64_t value) {
  if (value < 0 || value > INT32_MAX / 2) not_offered("a number past int32, or below 0");
  return (int)value;
}

int size_of(const Modes &modes) {
  int64_t size = 1;
  for (const Mode &mode : modes) size = narrow(size * mode.size);
  return (int)size;
}

int cosize_of(const Modes &modes) {
  int64_t last = 0;
  for (const Mode &mode : modes) last = narrow(last + (int64_t)(mode.size - 1) * mode.stride);
  return (int)last + 1;
}

// --- a layout as a map: the last mode takes the rest of the index ---

Map map_of(const Modes &modes) {
  Map map;
  map.dims.push_back({"d0", 0, size_of(modes) - 1});
  Tree sum = number(0);
  int64_t passed = 1;
  for (size_t i = 0; i < modes.size(); i++) {
    Tree at = passed == 1 ? variable("d0") : operation(Kind::floordiv, variable("d0"), number(passed));
    if (i + 1 < modes.size()) at = operation(Kind::mod, at, number(modes[i].size));
    sum = operation(Kind::plus, sum, operation(Kind::times, at, number(modes[i].stride)));
    passed *= modes[i].size;
  }
  map.results.push_back(sum);
  return map;
}

// --- a map as a layout: all modes must be present, in order ---

bool take(Tree &tree, Kind kind, int64_t &value) {
  if (tree->kind != kind || tree->right->kind != Kind::number) return false;
  value = tree->right->value, tree = tree->left;
  return true;
}

void add_modes(Tree tree, int count, int64_t &passed, Modes &modes) {
  if (tree->kind == Kind::plus) {
    add_modes(tree->left, count, passed, modes), add_modes(tree->right, count, passed, modes);
    return;
  }
  if (tree->kind == Kind::number && tree->value == 0) return;
  int64_t stride = 1, size = 0, below = 1;
  take(tree, Kind::times, stride);
  if (!take(tree, Kind::mod, size)) size = -1;
  take(tree, Kind::floordiv, below);
  if (tree->kind != Kind::variable || below != passed) not_offered("no layout");
  if (size < 0) size = (count + passed - 1) / passed;
  modes.push_back({narrow(size), narrow(stride)}), passed *= size;
}

Modes modes_of(const Map &map) {
  if (map.variables().size() != 1 || map.results.size() != 1 || !map.constraints.empty() ||
      map.dims.size() != 1 || map.dims[0].lo != 0)
    not_offered("no layout");
  Modes modes;
  int64_t passed = 1;
  int count = narrow(map.dims[0].hi + 1);
  add_modes(map.results[0], count, passed, modes);
  if (modes.empty()) modes.push_back({count, 0}), passed = count;
  if (passed != count || modes.size() > 3) not_offered("no layout of one to three modes");
  return modes;
}

// --- CuTe ---

template <size_t... At> auto layout_of(const Modes &modes, std::index_sequence<At...>) {
  return cute::make_layout(
      cute::make_shape(modes[At].size...), cute::make_stride(modes[At].stride...));
}

template <typename Use> Modes with_layout(const Modes &modes, Use &&use) {
  if (modes.size() == 1) return use(layout_of(modes, std::make_index_sequence<1>{}));
  if (modes.size() == 2) return use(layout_of(modes, std::make_index_sequence<2>{}));
  return use(layout_of(modes, std::make_index_sequence<3>{}));
}

template <typename Layout> Modes read_layout(const Layout &layout) {
  Modes modes;
  auto flat = cute::flatten(layout);
  cute::for_each(cute::make_seq<decltype(cute::rank(flat))::value>{}, [&](auto at) {
    modes.push_back({(int)cute::size<at>(flat), (int)cute::stride<at>(flat)});
  });
  return modes;
}

// The conditions of composition_impl for one mode of the inner layout.
bool is_divisible(const Modes &outer, Mode inner) {
  for (size_t i = 0; i + 1 < outer.size() && inner.stride != 0; i++) {
    if (inner.stride % outer[i].size != 0 && inner.stride >= outer[i].size) return false;
    int next = (outer[i].size + inner.stride - 1) / inner.stride, taken = std::min(next, inner.size);
    if (inner.size % taken != 0) return false;
    inner.size /= taken, inner.stride = (inner.stride + outer[i].size - 1) / outer[i].size;
  }
  return true;
}

AffirmEngineStatus simplify(void *, const char *map, const char **text) {
  return answer(text, [&] {
    return written(map_of(with_layout(modes_of(Reader(map).read()),
        [](auto layout) { return read_layout(cute::coalesce(layout)); })));
  });
}

AffirmEngineStatus compose(void *, const char *consumer, const char *producer, const char **text) {
  return answer(text, [&] {
    Modes inner = modes_of(Reader(consumer).read()), outer = modes_of(Reader(producer).read());
    if (cosize_of(inner) > size_of(outer)) not_offered("the consumer leaves the producer");
    for (const Mode &mode : inner)
      if (!is_divisible(outer, mode)) rejected("a condition of CuTe's on divisibility");
    return written(map_of(with_layout(outer, [&](auto second) {
      return with_layout(
          inner, [&](auto first) { return read_layout(cute::composition(second, first)); });
    })));
  });
}

} // namespace

const AffirmEngine *affirm_engine(void) {
  static const AffirmEngine offered = {
      AFFIRM_ENGINE_VERSION, "cute", nullptr, nullptr, simplify, compose, nullptr};
  return &offered;
}
