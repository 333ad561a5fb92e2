/* Sums and atoms of the normal form against texts: random ones are the same node exactly if their
 * texts are equal, in any order of making them; their order is that of normal.h; and a reset
 * forgets them without growing the tables. */
#include "core/map/test/defined.h"
#include "core/simplify/normal/normal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static constexpr uint32_t normal_variables = 6, most_recipes = 60;

typedef enum RecipeKind : uint8_t {
  RECIPE_VARIABLE,
  RECIPE_DIVISION,
  RECIPE_COMBINED,
  RECIPE_SUM
} RecipeKind;

/* How a node is made of earlier ones: an atom of sums, or a sum of atoms. */
typedef struct NodeRecipe {
  RecipeKind kind;
  ExprOp op;
  uint32_t count, parts[3]; /* recipes */
  int64_t numbers[3], constant;
  const char *text;
} NodeRecipe;

typedef struct NodeRecipes {
  Arena *arena;
  uint32_t count;
  NodeRecipe items[most_recipes];
} NodeRecipes;

typedef struct MadeNodes {
  Normal *normal;
  NormalAtom *atoms[most_recipes];
  NormalSum *sums[most_recipes];
} MadeNodes;

static uint64_t recipe_state = 20261217;

static uint32_t recipe_below(uint32_t end) {
  recipe_state = recipe_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(recipe_state >> 33) % end;
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sums with their summands sorted by text, collected; arguments sorted by text. */
static const char *recipe_text(const NodeRecipes *recipes, const NodeRecipe *recipe) {
  Text text = text_create(recipes->arena);
  const char *parts[3] = {};
  uint32_t count = 0;
  for (uint32_t i = 0; i < recipe->count; i++) {
    const char *part = recipes->items[recipe->parts[i]].text;
    if (recipe->kind == RECIPE_SUM) {
      int64_t coefficient = 0;
      bool is_first = true;
      for (uint32_t k = 0; k < recipe->count; k++) {
        bool is_same = strcmp(recipes->items[recipe->parts[k]].text, part) == 0;
        if (is_same) coefficient += recipe->numbers[k];
        is_first &= k >= i || !is_same;
      }
      if (!is_first || coefficient == 0) continue;
      part = arena_printf(recipes->arena, "%lld*%s", (long long)coefficient, part);
    }
    parts[count++] = part;
  }
  qsort(parts, count, sizeof *parts, compare_texts);
  text_printf(&text, "%u.%u(", recipe->kind, recipe->op);
  for (uint32_t i = 0; i < count; i++) text_printf(&text, "%s,", parts[i]);
  text_printf(&text, "%lld)", (long long)recipe->constant);
  return text.bytes;
}

static uint32_t draw_recipe_of(const NodeRecipes *recipes, bool is_sum) {
  uint32_t at;
  do at = recipe_below(recipes->count);
  while ((recipes->items[at].kind == RECIPE_SUM) != is_sum);
  return at;
}

static NodeRecipe draw_recipe(const NodeRecipes *recipes) {
  static const ExprOp divisions[] = {EXPR_MOD, EXPR_FLOORDIV, EXPR_CEILDIV},
                      combinations[] = {EXPR_MUL, EXPR_MIN, EXPR_MAX};
  bool is_sum = recipes->count < 2 * normal_variables || recipe_below(2) == 0;
  NodeRecipe recipe = {.kind = is_sum                 ? RECIPE_SUM
                               : recipe_below(3) == 0 ? RECIPE_COMBINED
                                                      : RECIPE_DIVISION};
  if (is_sum) {
    recipe.count = 1 + recipe_below(3);
    for (uint32_t i = 0; i < recipe.count; i++) {
      recipe.parts[i] = draw_recipe_of(recipes, false);
      recipe.numbers[i] = (int64_t)recipe_below(7) - 3;
    }
    recipe.constant = (int64_t)recipe_below(3) - 1;
  } else if (recipe.kind == RECIPE_DIVISION) {
    recipe.count = 1;
    recipe.op = divisions[recipe_below(3)];
    recipe.parts[0] = draw_recipe_of(recipes, true);
    recipe.constant = 2 + recipe_below(3);
  } else {
    recipe.op = combinations[recipe_below(3)];
    for (uint32_t wanted = 2 + recipe_below(2); wanted > 0; wanted--) {
      uint32_t part = draw_recipe_of(recipes, true);
      bool is_new = true;
      for (uint32_t i = 0; i < recipe.count; i++)
        is_new &= strcmp(recipes->items[part].text, recipes->items[recipe.parts[i]].text) != 0;
      if (is_new) recipe.parts[recipe.count++] = part;
    }
  }
  return recipe;
}

static void draw_recipes(NodeRecipes *recipes, Arena *arena) {
  *recipes = (NodeRecipes){.arena = arena};
  while (recipes->count < most_recipes) {
    bool is_variable = recipes->count < normal_variables;
    NodeRecipe recipe = is_variable ? (NodeRecipe){.op = EXPR_VAR, .constant = recipes->count}
                                    : draw_recipe(recipes);
    if (recipe.kind == RECIPE_COMBINED && recipe.count < 2) continue;
    recipe.text = recipe_text(recipes, &recipe);
    recipes->items[recipes->count++] = recipe;
  }
}

static void make_node(const NodeRecipes *recipes, MadeNodes *made, uint32_t at) {
  const NodeRecipe *recipe = &recipes->items[at];
  if (made->atoms[at] != nullptr || made->sums[at] != nullptr) return;
  for (uint32_t i = recipe->count; i-- > 0;) make_node(recipes, made, recipe->parts[i]);
  if (recipe->kind == RECIPE_SUM) {
    Gather gather = gather_create(made->normal, recipe->count);
    for (uint32_t i = 0; i < recipe->count; i++)
      gather_atom(&gather, recipe->numbers[i], made->atoms[recipe->parts[i]]);
    gather_constant(&gather, 1, recipe->constant);
    made->sums[at] = gather_finish(&gather);
    assert_true(summands_are_canonical(made->sums[at]->items, made->sums[at]->count));
  } else if (recipe->kind == RECIPE_DIVISION) {
    made->atoms[at] =
        atom_division(made->normal, recipe->op, made->sums[recipe->parts[0]], recipe->constant);
  } else if (recipe->kind == RECIPE_COMBINED) {
    NormalSum *arguments[3];
    for (uint32_t i = 0; i < recipe->count; i++) arguments[i] = made->sums[recipe->parts[i]];
    made->atoms[at] = atom_combined(made->normal, recipe->op, arguments, recipe->count);
  }
  assert_true(made->sums[at] != nullptr || made->atoms[at] != nullptr);
}

/* Dimensions, ranges and runtime variables, two of each. */
static void make_nodes(
    const NodeRecipes *recipes, MadeNodes *made, Normal *normal, bool is_backward) {
  *made = (MadeNodes){.normal = normal};
  for (uint32_t i = 0; i < normal_variables; i++)
    made->atoms[i] = atom_variable(normal, (VarKind)(i / 2), i % 2);
  for (uint32_t i = 0; i < recipes->count; i++)
    make_node(recipes, made, is_backward ? recipes->count - 1 - i : i);
}

typedef struct NodeFacts {
  uint64_t weight;
  uint32_t depth, ops, lead; /* all operators; the first variable, in the order of kinds */
} NodeFacts;

static NodeFacts facts_of_atom(const NormalAtom *atom);

static NodeFacts facts_of_sum(const NormalSum *sum) {
  NodeFacts facts = {.lead = UINT32_MAX};
  uint32_t own = 0;
  bool has_factors = false;
  for (uint32_t i = 0; i < sum->count; i++) {
    NodeFacts inner = facts_of_atom(sum->items[i].atom);
    facts.weight += inner.weight;
    facts.ops |= inner.ops;
    own |= 1U << sum->items[i].atom->op;
    if (inner.depth > facts.depth) facts.depth = inner.depth;
    if (inner.lead < facts.lead) facts.lead = inner.lead;
    has_factors |= sum->items[i].coefficient != 1 && sum->items[i].coefficient != -1;
  }
  assert_int_equal(sum->weight, facts.weight);
  assert_int_equal(sum->depth, facts.depth);
  assert_int_equal(sum->all_ops, facts.ops);
  assert_int_equal(sum->ops, own);
  assert_int_equal(sum->has_factors, has_factors);
  if (facts.lead != UINT32_MAX) assert_int_equal(sum->lead >> 24, facts.lead / 2);
  if (facts.lead != UINT32_MAX) assert_int_equal(sum->lead & 0xFFFFFF, facts.lead % 2);
  return facts;
}

/* The weight of docs/matching.md. */
static uint64_t weight_above(ExprOp op, uint64_t inner, uint32_t count) {
  if (op == EXPR_FLOORDIV) return 2 * inner;
  if (op == EXPR_CEILDIV) return 2 * inner + 1;
  return op == EXPR_MOD || op == EXPR_MUL ? inner + 1 : inner + count - 1;
}

static NodeFacts facts_of_atom(const NormalAtom *atom) {
  uint32_t number = 2 * (uint32_t)atom->var_kind + atom->var_index;
  NodeFacts facts = {.weight = 1, .ops = 1U << EXPR_VAR, .lead = number};
  if (atom->op != EXPR_VAR) facts = (NodeFacts){.ops = 1U << atom->op, .lead = UINT32_MAX};
  for (uint32_t i = 0; i < atom->count; i++) {
    NodeFacts inner = facts_of_sum(atom->arguments[i]);
    facts.weight += inner.weight;
    facts.ops |= inner.ops;
    if (inner.depth > facts.depth) facts.depth = inner.depth;
    if (inner.lead < facts.lead) facts.lead = inner.lead;
  }
  if (atom->op != EXPR_VAR) facts.weight = weight_above(atom->op, facts.weight, atom->count);
  facts.depth++;
  assert_int_equal(atom->weight, facts.weight);
  assert_int_equal(atom->depth, facts.depth);
  assert_int_equal(atom->all_ops, facts.ops);
  return facts;
}

static void check_nodes(const NodeRecipes *recipes, const MadeNodes *made) {
  for (uint32_t i = 0; i < recipes->count; i++) {
    if (made->sums[i] != nullptr) (void)facts_of_sum(made->sums[i]);
    else (void)facts_of_atom(made->atoms[i]);
  }
  for (uint32_t i = 0; i < recipes->count; i++)
    for (uint32_t k = 0; k < recipes->count; k++) {
      bool is_same = strcmp(recipes->items[i].text, recipes->items[k].text) == 0;
      bool is_sum = recipes->items[i].kind == RECIPE_SUM;
      if (is_sum != (recipes->items[k].kind == RECIPE_SUM)) continue;
      bool is_one = is_sum ? made->sums[i] == made->sums[k] : made->atoms[i] == made->atoms[k];
      if (is_one != is_same) fail_msg("%s and %s", recipes->items[i].text, recipes->items[k].text);
    }
}

static void equal_texts_are_one_node(void **) {
  for (uint32_t round = 0; round < 40; round++) {
    Arena *arena = arena_create();
    NodeRecipes recipes;
    Normal normal;
    MadeNodes made;
    draw_recipes(&recipes, arena);
    for (uint32_t backward = 0; backward < 2; backward++) {
      normal_create(&normal, arena);
      make_nodes(&recipes, &made, &normal, backward == 1);
      check_nodes(&recipes, &made);
    }
    arena_destroy(arena);
  }
}

/* ---- the order ---- */

static uint32_t class_number(ExprOp op) {
  static const ExprOp classes[] = {
      EXPR_MUL, EXPR_MOD, EXPR_FLOORDIV, EXPR_CEILDIV, EXPR_MIN, EXPR_MAX, EXPR_VAR};
  uint32_t number = 0;
  while (classes[number] != op) number++;
  return number;
}

/* The first variable that occurs in what is left after collecting; `normal_variables`: none. */
static uint32_t first_variable(const NormalAtom *atom) {
  if (atom->op == EXPR_VAR) return 2 * (uint32_t)atom->var_kind + atom->var_index;
  uint32_t first = normal_variables;
  for (uint32_t i = 0; i < atom->count; i++)
    for (uint32_t k = 0; k < atom->arguments[i]->count; k++) {
      uint32_t inner = first_variable(atom->arguments[i]->items[k].atom);
      if (inner < first) first = inner;
    }
  return first;
}

/* By class, by the first variable, by the divisor; 0: it is left to the arguments. */
static int order_before_arguments(const NormalAtom *a, const NormalAtom *b) {
  const uint64_t keys[][2] = {{class_number(a->op), class_number(b->op)},
      {first_variable(a), first_variable(b)}, {(uint64_t)a->divisor, (uint64_t)b->divisor}};
  for (uint32_t i = 0; i < 3; i++)
    if (keys[i][0] != keys[i][1]) return keys[i][0] < keys[i][1] ? -1 : 1;
  return 0;
}

static int sign_of_order(int order) { return (order > 0) - (order < 0); }

static int order_of(const NodeRecipes *recipes, const MadeNodes *made, uint32_t a, uint32_t b) {
  return sign_of_order(recipes->items[a].kind == RECIPE_SUM
                           ? sum_compare(made->sums[a], made->sums[b])
                           : atom_compare(made->atoms[a], made->atoms[b]));
}

static void check_order(
    const NodeRecipes *recipes, const MadeNodes made[2], const uint32_t *of, uint32_t count) {
  int orders[most_recipes][most_recipes];
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++) {
      const NodeRecipe *a = &recipes->items[of[i]], *b = &recipes->items[of[k]];
      orders[i][k] = order_of(recipes, &made[0], of[i], of[k]);
      assert_int_equal(orders[i][k], order_of(recipes, &made[1], of[i], of[k]));
      assert_int_equal(orders[i][k] == 0, strcmp(a->text, b->text) == 0);
      if (a->kind == RECIPE_SUM) continue;
      int stated = order_before_arguments(made[0].atoms[of[i]], made[0].atoms[of[k]]);
      if (stated != 0) assert_int_equal(orders[i][k], stated);
    }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++) {
      assert_int_equal(orders[i][k], -orders[k][i]);
      for (uint32_t j = 0; j < count; j++)
        if (orders[i][k] < 0 && orders[k][j] < 0) assert_true(orders[i][j] < 0);
    }
}

static void the_order_depends_on_structure_alone(void **) {
  for (uint32_t round = 0; round < 20; round++) {
    Arena *arena = arena_create();
    NodeRecipes recipes;
    Normal normals[2];
    MadeNodes made[2];
    draw_recipes(&recipes, arena);
    for (uint32_t i = 0; i < 2; i++) {
      normal_create(&normals[i], arena);
      make_nodes(&recipes, &made[i], &normals[i], i == 1);
    }
    uint32_t of[2][most_recipes], count[2] = {};
    for (uint32_t i = 0; i < recipes.count; i++) {
      bool is_sum = recipes.items[i].kind == RECIPE_SUM;
      of[is_sum][count[is_sum]++] = i;
    }
    for (uint32_t i = 0; i < 2; i++) check_order(&recipes, made, of[i], count[i]);
    arena_destroy(arena);
  }
}

/* ---- what assertions check ---- */

/* A copy in which one thing is wrong: the number or the order of the parts, or a number of its own.
 */
static void check_wrong_atoms(const NormalAtom *atom) {
  NormalSum *arguments[3];
  NormalAtom wrong = *atom;
  assert_true(atom_is_canonical(atom));
  assert_true(atom->count <= 3);
  for (uint32_t i = 0; i < atom->count; i++) arguments[i] = atom->arguments[i];
  wrong.arguments = arguments;
  assert_true(atom_is_canonical(&wrong));
  bool is_division = atom->op == EXPR_FLOORDIV || atom->op == EXPR_CEILDIV || atom->op == EXPR_MOD;
  for (uint32_t count = 0; count <= atom->count; count++) {
    wrong.count = count;
    bool is_right = atom->op == EXPR_VAR ? count == 0 : is_division ? count == 1 : count >= 2;
    assert_int_equal(atom_is_canonical(&wrong), is_right);
  }
  wrong.count = atom->count;
  for (int64_t divisor = -1; is_division && divisor <= 1; divisor++) {
    wrong.divisor = divisor;
    assert_int_equal(atom_is_canonical(&wrong), divisor > 0);
  }
  wrong.divisor = atom->divisor;
  for (uint32_t i = 1; i < atom->count; i++) {
    arguments[i] = atom->arguments[i - 1], arguments[i - 1] = atom->arguments[i];
    assert_false(atom_is_canonical(&wrong));
    arguments[i] = atom->arguments[i], arguments[i - 1] = atom->arguments[i - 1];
  }
}

static void check_wrong_sums(const NormalSum *sum) {
  Summand items[4];
  assert_true(sum->count < 4 && summands_are_canonical(sum->items, sum->count));
  for (uint32_t i = 0; i < sum->count; i++) items[i] = sum->items[i];
  for (uint32_t i = 0; i < sum->count; i++) {
    items[i].coefficient = 0;
    assert_false(summands_are_canonical(items, sum->count));
    assert_true(summands_are_canonical(items, i));
    items[i] = sum->items[i];
    if (i == 0) continue;
    items[i].atom = sum->items[i - 1].atom;
    assert_false(summands_are_canonical(items, sum->count));
    items[i - 1].atom = sum->items[i].atom;
    assert_false(summands_are_canonical(items, sum->count));
    items[i] = sum->items[i], items[i - 1] = sum->items[i - 1];
  }
}

static void only_canonical_nodes_are_canonical(void **) {
  for (uint32_t round = 0; round < 20; round++) {
    Arena *arena = arena_create();
    NodeRecipes recipes;
    Normal normal;
    MadeNodes made;
    draw_recipes(&recipes, arena);
    normal_create(&normal, arena);
    make_nodes(&recipes, &made, &normal, false);
    for (uint32_t i = 0; i < recipes.count; i++)
      if (made.sums[i] != nullptr) check_wrong_sums(made.sums[i]);
      else check_wrong_atoms(made.atoms[i]);
    arena_destroy(arena);
  }
}

/* ---- resets ---- */

/* The last stamp is followed by the first, whose slots are those of the same nodes. */
static void a_reset_forgets_all_nodes(void **) {
  Arena *arena = arena_create();
  Normal normal;
  MadeNodes made;
  uint32_t atoms = 0, sums = 0;
  normal_create(&normal, arena);
  for (uint32_t round = 0; round < 400; round++) {
    Arena *texts = arena_create();
    NodeRecipes recipes;
    if (round % 9 == 1) normal.stamp = UINT32_MAX;
    if (round % 9 == 0 || round % 9 == 2) recipe_state = 1'000 + round / 9;
    if (round == 1) atoms = normal.atoms.mask, sums = normal.sums.mask;
    assert_int_equal(normal.atoms.count + normal.sums.count, 0);
    draw_recipes(&recipes, texts);
    make_nodes(&recipes, &made, &normal, round % 2 == 1);
    check_nodes(&recipes, &made);
    assert_true(round % 9 != 2 || normal.stamp == 1);
    normal_reset(&normal);
    assert_true(normal.stamp != 0);
    if (round > 0) assert_true(normal.atoms.mask == atoms && normal.sums.mask == sums);
    arena_destroy(texts);
  }
  arena_destroy(arena);
}

/* ---- sums ---- */

static constexpr uint32_t gathered_atoms = 3;

/* Near an edge of int64 or near 0. */
static int64_t draw_coefficient(void) {
  static const int64_t bases[] = {0, 0, INT64_MAX, INT64_MIN, INT64_MAX / 2, INT64_MIN / 2};
  int64_t base = bases[recipe_below(6)], more = (int64_t)recipe_below(5) - 2;
  return (base > 0 && more > INT64_MAX - base) || (base < 0 && more < INT64_MIN - base)
             ? base
             : base + more;
}

static bool fits_int64(Int128 value) { return value >= INT64_MIN && value <= INT64_MAX; }

/* Products must fit, sums only at the end. A sum that does not fit is reported to the normal form,
 * whatever the order of its summands. */
static void a_sum_fits_or_is_rejected(void **) {
  Arena *arena = arena_create();
  Normal normal;
  NormalAtom *atoms[gathered_atoms];
  uint32_t fitting = 0, rejected = 0;
  normal_create(&normal, arena);
  for (uint32_t i = 0; i < gathered_atoms; i++) atoms[i] = atom_variable(&normal, VAR_DIM, i);
  for (uint32_t round = 0; round < 20'000; round++) {
    Int128 sums[gathered_atoms] = {}, constant = 0;
    bool fits = true;
    uint32_t kept = 0;
    Gather gather = gather_create(&normal, 2);
    normal.has_overflow = false;
    for (uint32_t parts = recipe_below(5); parts > 0; parts--) {
      int64_t number = draw_coefficient(), scale = (int64_t)recipe_below(4) - 1;
      uint32_t at = recipe_below(gathered_atoms);
      if (recipe_below(3) == 0) {
        constant += (Int128)number * scale;
        fits &= fits_int64((Int128)number * scale);
        gather_constant(&gather, scale, number);
      } else if (number != 0 && recipe_below(2) == 0) {
        Summand summand = {number, atoms[at]};
        sums[at] += (Int128)number * scale;
        fits &= fits_int64((Int128)number * scale);
        gather_items(&gather, scale, &summand, 1);
      } else {
        sums[at] += number;
        gather_atom(&gather, number, atoms[at]);
      }
    }
    for (uint32_t i = 0; i < gathered_atoms; i++) fits &= fits_int64(sums[i]);
    for (uint32_t i = 0; i < gathered_atoms; i++) kept += sums[i] != 0;
    fits &= fits_int64(constant);
    assert_int_equal(gather_collect(&gather), fits);
    assert_int_equal(normal.has_overflow, !fits);
    fitting += fits;
    rejected += !fits;
    if (!fits) continue;
    assert_true(gather.constant == (int64_t)constant && gather.count == kept);
    for (uint32_t i = 0; i < gather.count; i++)
      for (uint32_t k = 0; k < gathered_atoms; k++)
        if (gather.items[i].atom == atoms[k])
          assert_true(gather.items[i].coefficient == (int64_t)sums[k]);
  }
  assert_true(fitting > 2'000 && rejected > 2'000);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sum_fits_or_is_rejected),
      cmocka_unit_test(equal_texts_are_one_node),
      cmocka_unit_test(the_order_depends_on_structure_alone),
      cmocka_unit_test(only_canonical_nodes_are_canonical),
      cmocka_unit_test(a_reset_forgets_all_nodes),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
