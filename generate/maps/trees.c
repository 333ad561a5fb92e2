/* Maps (d0)[s0] -> (expression) with at most one constraint. An expression is a tree of a bounded
 * number of nodes, chosen in prefix order: operators of any two operands, divisions by a constant,
 * and leaves. The lists below contain all operators of ops.def. */
#include "generate/maps/map_generator.h"

/* The last box is empty, and so is the last interval. */
static const ListedInterval bounds[] = {{0, 3}, {-3, 2}, {0, 7}, {2, 2}, {1, 0}};
static const ListedInterval intervals[] = {{0, 0}, {-1, 2}, {-2, 3}, {0, 5}, {1, 0}};
static const char *const leaves[] = {"d0", "s0", "-2", "0", "1", "3"};
static const struct {
  const char *before, *between;
} operators[] = {{"(", " + "}, {"(", " * "}, {"min(", ", "}, {"max(", ", "}};
static const char *const divisions[] = {" floordiv 2)", " floordiv 3)", " ceildiv 2)",
    " ceildiv 4)", " mod 2)", " mod 3)", " mod 4)", " floordiv 1)", " mod 1)"};

static constexpr uint64_t boxes = LIST_COUNT(bounds) * LIST_COUNT(bounds),
                          bounds_with_points = LIST_COUNT(bounds) - 1;

typedef struct TreesTree {
  Choices *choices;
  Text *text;
  uint64_t number;        /* 0: the result; 1: the constraint */
  uint64_t left, pending; /* nodes that it may still have; subtrees not yet chosen */
} TreesTree;

static void tree_string(const TreesTree *tree, const char *string) {
  if (tree->text != nullptr) text_string(tree->text, string);
}

/* The recursion depth is bounded by the number of nodes. */
static void choose_subtree(TreesTree *tree) {
  static constexpr uint64_t inner = LIST_COUNT(divisions) + LIST_COUNT(operators);
  choices_join(tree->choices, &(ChoiceKey){3, {tree->number, tree->left, tree->pending}});
  uint64_t most = tree->left - (tree->pending - 1),
           chosen = choose(tree->choices, LIST_COUNT(leaves) + (most < 3 ? 0 : inner));
  tree->left--;
  if (chosen < LIST_COUNT(leaves)) {
    tree->pending--;
    tree_string(tree, leaves[chosen]);
    return;
  }
  chosen -= LIST_COUNT(leaves);
  if (chosen < LIST_COUNT(divisions)) {
    tree->left--;
    tree_string(tree, "(");
    choose_subtree(tree);
    tree_string(tree, divisions[chosen]);
    return;
  }
  chosen -= LIST_COUNT(divisions);
  tree->pending++;
  tree_string(tree, operators[chosen].before);
  choose_subtree(tree);
  tree_string(tree, operators[chosen].between);
  choose_subtree(tree);
  tree_string(tree, ")");
}

static void choose_tree(Choices *choices, uint64_t number, uint64_t nodes, Text *text) {
  choose_subtree(&(TreesTree){choices, text, number, nodes, 1});
}

static void write_domain(Text *text, const ListedInterval *d, const ListedInterval *s) {
  text_where(text, "), domain: d0 in [%d, %d], s0 in [%d, %d]", d->lo, d->hi, s->lo, s->hi);
}

/* Nonempty boxes are combined with every interval, empty ones only with the first interval. A map
 * is thus empty for one reason only, and most maps are not empty. */
static void choose_constrained(Choices *choices, const MapLimits *limits, Text *text) {
  static constexpr uint64_t full = bounds_with_points * bounds_with_points;
  choices_join(choices, &(ChoiceKey){1, {2}});
  uint64_t way = choose(choices, full * LIST_COUNT(intervals) + boxes - full);
  uint64_t box = way % full, interval = way / full, d = box % bounds_with_points,
           s = box / bounds_with_points;
  if (way >= full * LIST_COUNT(intervals)) {
    uint64_t empty = way - full * LIST_COUNT(intervals);
    interval = 0;
    d = empty < LIST_COUNT(bounds) ? empty : bounds_with_points;
    s = empty < LIST_COUNT(bounds) ? bounds_with_points : empty - LIST_COUNT(bounds);
  }
  write_domain(text, &bounds[d], &bounds[s]);
  text_where(text, ", ");
  choose_tree(choices, 1, (uint64_t)limits->second, text);
  text_where(text, " in [%d, %d]\n", intervals[interval].lo, intervals[interval].hi);
}

void generate_maps_trees(Choices *choices, const MapLimits *limits, Text *text) {
  text_where(text, "(d0)[s0] -> (");
  choose_tree(choices, 0, limits->first, text);
  if (limits->second > 0) {
    choose_constrained(choices, limits, text);
    return;
  }
  choices_join(choices, &(ChoiceKey){1, {1}});
  const ListedInterval *d = choose_item(choices, bounds), *s = choose_item(choices, bounds);
  write_domain(text, d, s);
  text_where(text, "\n");
}

/* Uses a single box with numbers of both signs. */
void generate_maps_operators(Choices *choices, const MapLimits *limits, Text *text) {
  text_where(text, "(d0)[s0] -> (");
  choose_tree(choices, 0, limits->first, text);
  write_domain(text, &(ListedInterval){-3, 2}, &(ListedInterval){0, 3});
  text_where(text, "\n");
}

static void words_trees(Text *text) {
  words_list(text, "leaves", LIST_COUNT(leaves), leaves);
  text_string(text, "; operators of any two:");
  for (uint32_t i = 0; i < LIST_COUNT(operators); i++)
    text_printf(text, " %sx%sy)", operators[i].before, operators[i].between);
  text_string(text, "; divisions:");
  for (uint32_t i = 0; i < LIST_COUNT(divisions); i++) text_printf(text, " (x%s", divisions[i]);
}

void words_maps_trees(Text *text) {
  words_trees(text);
  words_intervals(text, "\n  both variables in", LIST_COUNT(bounds), bounds);
  words_intervals(text, "; a constraint, where there is one, in", LIST_COUNT(intervals), intervals);
}

void words_maps_operators(Text *text) {
  words_trees(text);
  text_string(text, "; d0 in [-3, 2], s0 in [0, 3]");
}
