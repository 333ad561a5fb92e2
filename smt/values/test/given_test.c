/* Constraints on sums, and the questions about them, against enumeration. Random sums of three
 * bounded integers and of elements of an array are built twice: as sums, and as trees that the test
 * evaluates. For all values, a set of constraints must have the points of its statements; what is
 * equal, implied or vacuous must be so at all points; a witness must be a point that shows the
 * opposite. With and without a solver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "smt/values/values.h"

static constexpr uint32_t variable_count = 3, table_size = 2, most_nodes = 400, input_count = 5;

typedef enum GivenTreeKind : uint8_t {
  TREE_CONSTANT,
  TREE_VARIABLE,
  TREE_ELEMENT, /* of the array, at an index in [0, 1] */
  TREE_ADD,
  TREE_SUBTRACT,
  TREE_SCALE,
  TREE_FLOORDIV,
  TREE_MOD,
  TREE_MIN,
  TREE_MAX,
  TREE_CLAMP,
  TREE_PRODUCT,
  TREE_KINDS
} GivenTreeKind;

typedef struct GivenTree {
  GivenTreeKind kind;
  int64_t number, other;
  uint32_t left, right;
} GivenTree;

/* The values of the variables, then those of the array. */
typedef struct Inputs {
  int64_t at[input_count];
} Inputs;

typedef struct GivenStatement {
  uint32_t tree;
  int64_t lo, hi;
  bool has_lo, has_hi;
} GivenStatement;

typedef struct GivenTrial {
  Arena *arena;
  ValuesProof proof;
  Given given;
  GivenTree trees[most_nodes];
  Sum sums[most_nodes];
  uint32_t tree_count, statement_count;
  bool has_elements;
  int64_t lo[input_count], hi[input_count];
  uint32_t atoms[variable_count];
  GivenStatement statements[3];
} GivenTrial;

static uint64_t draw_state;
static const char array[] = "the array"; /* its address stands for an instruction */

static int64_t draw_number(int64_t lo, int64_t hi) {
  draw_state = draw_state * 6364136223846793005 + 1442695040888963407;
  return lo + (int64_t)((draw_state >> 33) % (uint64_t)(hi - lo + 1));
}

static int64_t floor_of(int64_t x, int64_t divisor) {
  return x / divisor - (x % divisor != 0 && x < 0 ? 1 : 0);
}

static int64_t smaller_of(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger_of(int64_t a, int64_t b) { return a > b ? a : b; }

/* Variable 0, which is in [0, 1], its opposite, 0 or 1. */
static uint32_t element_index(const GivenTree *tree, const Inputs *inputs) {
  const uint32_t first = (uint32_t)inputs->at[0], indices[] = {first, 1 - first, 0, 1};
  return indices[tree->number];
}

static int64_t tree_value(const GivenTrial *trial, uint32_t number, const Inputs *inputs) {
  const GivenTree *tree = &trial->trees[number];
  if (tree->kind == TREE_CONSTANT) return tree->number;
  if (tree->kind == TREE_VARIABLE) return inputs->at[tree->number];
  if (tree->kind == TREE_ELEMENT) return inputs->at[variable_count + element_index(tree, inputs)];
  int64_t a = tree_value(trial, tree->left, inputs), b = tree_value(trial, tree->right, inputs);
  switch (tree->kind) {
    case TREE_ADD: return a + b;
    case TREE_SUBTRACT: return a - b;
    case TREE_SCALE: return a * tree->number;
    case TREE_FLOORDIV: return floor_of(a, tree->number);
    case TREE_MOD: return a - tree->number * floor_of(a, tree->number);
    case TREE_MIN: return smaller_of(a, b);
    case TREE_MAX: return larger_of(a, b);
    case TREE_CLAMP: return larger_of(tree->number, smaller_of(a, tree->other));
    case TREE_PRODUCT: return a * b;
    case TREE_CONSTANT:
    case TREE_VARIABLE:
    case TREE_ELEMENT:
    case TREE_KINDS: break;
  }
  return 0;
}

static Sum sum_of_tree(GivenTrial *trial, const GivenTree *tree) {
  Sums *sums = trial->proof.sums;
  Sum a = trial->sums[tree->left], b = trial->sums[tree->right];
  switch (tree->kind) {
    case TREE_CONSTANT: return sum_of_constant(sums, tree->number);
    case TREE_VARIABLE: return sum_of_atom(sums, trial->atoms[tree->number]);
    case TREE_ELEMENT: {
      Sum first = sum_of_atom(sums, trial->atoms[0]), one = sum_of_constant(sums, 1);
      Sum indices[] = {first, sum_subtract(sums, one, first), sum_of_constant(sums, 0), one};
      Sum index = indices[tree->number];
      return sum_value(
          sums, array, "v", 1, &index, trial->lo[variable_count], trial->hi[variable_count]);
    }
    case TREE_ADD: return sum_add(sums, a, b);
    case TREE_SUBTRACT: return sum_subtract(sums, a, b);
    case TREE_SCALE: return sum_scale(sums, a, tree->number);
    case TREE_FLOORDIV: return sum_floordiv(sums, a, tree->number);
    case TREE_MOD: return sum_mod(sums, a, tree->number);
    case TREE_MIN: return sum_min(sums, a, b);
    case TREE_MAX: return sum_max(sums, a, b);
    case TREE_CLAMP: return sum_clamp(sums, tree->number, a, tree->other);
    case TREE_PRODUCT: return sum_product(sums, a, b);
    case TREE_KINDS: break;
  }
  return sum_of_constant(sums, 0);
}

static uint32_t add_tree(GivenTrial *trial, GivenTree tree) {
  assert_true(trial->tree_count < most_nodes);
  trial->trees[trial->tree_count] = tree;
  trial->sums[trial->tree_count] = sum_of_tree(trial, &tree);
  return trial->tree_count++;
}

static uint32_t draw_tree(GivenTrial *trial, uint32_t depth) {
  GivenTree tree = {
      .kind = (GivenTreeKind)draw_number(0, depth == 0 ? TREE_ELEMENT : TREE_KINDS - 1)};
  if (tree.kind == TREE_ELEMENT && !trial->has_elements) tree.kind = TREE_VARIABLE;
  if (tree.kind > TREE_ELEMENT) {
    tree.left = draw_tree(trial, depth - 1);
    tree.right = draw_tree(trial, depth - 1);
  }
  tree.number = draw_number(-4, 4);
  if (tree.kind == TREE_VARIABLE) tree.number = draw_number(0, variable_count - 1);
  if (tree.kind == TREE_ELEMENT) tree.number = draw_number(0, 3);
  if (tree.kind == TREE_FLOORDIV || tree.kind == TREE_MOD) tree.number = draw_number(1, 5);
  if (tree.kind == TREE_CLAMP) tree.other = tree.number + draw_number(0, 3);
  return add_tree(trial, tree);
}

/* ---- points ---- */

static bool next_inputs(const GivenTrial *trial, Inputs *inputs) {
  uint32_t count = trial->has_elements ? input_count : variable_count;
  for (uint32_t i = 0; i < count; i++) {
    if (inputs->at[i] < trial->hi[i]) {
      inputs->at[i]++;
      return true;
    }
    inputs->at[i] = trial->lo[i];
  }
  return false;
}

static Inputs first_inputs(const GivenTrial *trial) {
  Inputs inputs;
  memcpy(inputs.at, trial->lo, sizeof inputs.at);
  return inputs;
}

static bool statement_holds(
    const GivenTrial *trial, const GivenStatement *statement, const Inputs *inputs) {
  int64_t value = tree_value(trial, statement->tree, inputs);
  return (!statement->has_lo || value >= statement->lo) &&
         (!statement->has_hi || value <= statement->hi);
}

static bool all_hold(const GivenTrial *trial, const Inputs *inputs) {
  for (uint32_t i = 0; i < trial->statement_count; i++)
    if (!statement_holds(trial, &trial->statements[i], inputs)) return false;
  return true;
}

static Within within_of(const GivenTrial *trial, const GivenStatement *statement) {
  return (Within){.sum = trial->sums[statement->tree],
      .lo = statement->has_lo ? statement->lo : -no_bound,
      .hi = statement->has_hi ? statement->hi : no_bound};
}

static GivenStatement draw_statement(GivenTrial *trial) {
  GivenStatement statement = {.tree = draw_tree(trial, 2), .lo = draw_number(-5, 4)};
  statement.hi = statement.lo + draw_number(0, 5);
  statement.has_lo = draw_number(0, 3) > 0;
  statement.has_hi = draw_number(0, 3) > 0;
  return statement;
}

/* The element that a value of the sums is: an atom whose index has a value. */
static uint32_t element_of_atom(const GivenTrial *trial, const Wide *values, uint32_t atom) {
  const SumAtom *value = &trial->proof.sums->atoms[atom];
  Wide index;
  assert_true(value->instruction == array && value->index_count == 1);
  assert_true(sum_evaluate(trial->proof.sums, values, value->index[0], &index));
  assert_true(index >= 0 && index < table_size);
  return variable_count + (uint32_t)index;
}

/* The constraints as they are stored hold at the same points. */
static void check_stored(const GivenTrial *trial) {
  const Sums *sums = trial->proof.sums;
  Wide *values = ARENA_NEW(trial->arena, Wide, sums->atom_count);
  Inputs inputs = first_inputs(trial);
  do {
    bool holds = !trial->given.is_empty;
    for (uint32_t i = 0; i < variable_count; i++) values[trial->atoms[i]] = inputs.at[i];
    for (uint32_t i = 0; i < sums->atom_count; i++)
      if (sums->atoms[i].kind == ATOM_VALUE)
        values[i] = inputs.at[element_of_atom(trial, values, i)];
    assert_true(sums_complete(sums, values));
    for (uint32_t i = 0; i < trial->given.withins.count && holds; i++) {
      const Within *within = &trial->given.withins.items[i];
      Wide value;
      assert_true(sum_evaluate(sums, values, within->sum, &value));
      holds = within->lo <= value && value <= within->hi;
    }
    assert_int_equal(holds, all_hold(trial, &inputs));
  } while (next_inputs(trial, &inputs));
}

/* Whether a constraint or an asked sum depends on the atom: others may have any value. */
static bool is_mentioned(
    const GivenTrial *trial, uint32_t count, const uint32_t *trees, uint32_t atom) {
  const Sums *sums = trial->proof.sums;
  bool *depends = ARENA_NEW(trial->arena, bool, sums->atom_count), any = false;
  depends[atom] = true;
  sums_mark_dependent(sums, depends);
  for (uint32_t i = 0; i < count; i++) any |= sum_depends(sums, depends, trial->sums[trees[i]]);
  for (uint32_t i = 0; i < trial->given.withins.count; i++)
    any |= sum_depends(sums, depends, trial->given.withins.items[i].sum);
  return any;
}

/* The inputs that the last witness states about the constraints and these sums. Equal elements must
 * have equal values. */
static Inputs witness_inputs(const GivenTrial *trial, uint32_t count, const uint32_t *trees) {
  Inputs inputs = first_inputs(trial);
  bool is_known[input_count] = {};
  const Sums *sums = trial->proof.sums;
  const Wide *values = trial->proof.witness;
  assert_non_null(values);
  for (uint32_t i = 0; i < variable_count; i++) {
    assert_true(trial->atoms[i] < trial->proof.witness_count);
    inputs.at[i] = (int64_t)values[trial->atoms[i]];
    assert_true(inputs.at[i] >= trial->lo[i] && inputs.at[i] <= trial->hi[i]);
  }
  for (uint32_t i = 0; i < trial->proof.witness_count; i++) {
    if (sums->atoms[i].kind != ATOM_VALUE || !is_mentioned(trial, count, trees, i)) continue;
    uint32_t at = element_of_atom(trial, values, i);
    assert_true(!is_known[at] || inputs.at[at] == values[i]);
    assert_true(values[i] >= trial->lo[at] && values[i] <= trial->hi[at]);
    inputs.at[at] = (int64_t)values[i];
    is_known[at] = true;
  }
  return inputs;
}

typedef struct GivenTally {
  uint32_t yes, no, open;
} GivenTally;

static void count_answer(GivenTally *tally, Same same) {
  tally->yes += same == SAME_YES;
  tally->no += same == SAME_NO;
  tally->open += same == SAME_OPEN;
}

static Same truth_of(bool any) { return any ? SAME_NO : SAME_YES; }

static void check_vacuous(GivenTrial *trial, GivenTally *tally) {
  bool any = false;
  Inputs inputs = first_inputs(trial);
  do any |= all_hold(trial, &inputs);
  while (next_inputs(trial, &inputs));
  trial->proof.witness = nullptr;
  Same same = given_vacuous(&trial->proof, &trial->given);
  count_answer(tally, same);
  if (same == SAME_OPEN) return;
  assert_int_equal(same, truth_of(any));
  if (same == SAME_NO) {
    inputs = witness_inputs(trial, 0, nullptr);
    assert_true(all_hold(trial, &inputs));
  }
}

static void check_implied(GivenTrial *trial, GivenTally *tally) {
  bool any = false;
  GivenStatement statement = draw_statement(trial);
  Inputs inputs = first_inputs(trial);
  do any |= all_hold(trial, &inputs) && !statement_holds(trial, &statement, &inputs);
  while (next_inputs(trial, &inputs));
  trial->proof.witness = nullptr;
  Same same = given_implies(&trial->proof, &trial->given, within_of(trial, &statement));
  count_answer(tally, same);
  if (same == SAME_OPEN) return;
  assert_int_equal(same, truth_of(any));
  if (same == SAME_NO) {
    inputs = witness_inputs(trial, 1, &statement.tree);
    assert_true(all_hold(trial, &inputs) && !statement_holds(trial, &statement, &inputs));
  }
}

static bool pairs_differ(
    const GivenTrial *trial, const uint32_t *a, const uint32_t *b, const Inputs *inputs) {
  return tree_value(trial, a[0], inputs) != tree_value(trial, b[0], inputs) ||
         tree_value(trial, a[1], inputs) != tree_value(trial, b[1], inputs);
}

/* The second sum of a pair is often the first in another form. */
static uint32_t draw_alike(GivenTrial *trial, uint32_t tree) {
  if (draw_number(0, 2) == 0) return draw_tree(trial, 2);
  int64_t divisor = draw_number(1, 4);
  uint32_t quotient =
      add_tree(trial, (GivenTree){.kind = TREE_FLOORDIV, .left = tree, .number = divisor});
  uint32_t scaled =
      add_tree(trial, (GivenTree){.kind = TREE_SCALE, .left = quotient, .number = divisor});
  if (draw_number(0, 1) == 0) return scaled;
  return add_tree(trial, (GivenTree){.kind = TREE_CLAMP,
                             .left = tree,
                             .number = draw_number(-3, 0),
                             .other = draw_number(1, 6)});
}

static void check_equal(GivenTrial *trial, GivenTally *tally) {
  bool any = false;
  uint32_t a[2], b[2];
  for (uint32_t i = 0; i < 2; i++) {
    a[i] = draw_tree(trial, 2);
    b[i] = i == 0 || draw_number(0, 1) == 0 ? draw_alike(trial, a[i]) : a[i];
  }
  Sum left[] = {trial->sums[a[0]], trial->sums[a[1]]},
      right[] = {trial->sums[b[0]], trial->sums[b[1]]};
  Inputs inputs = first_inputs(trial);
  do any |= all_hold(trial, &inputs) && pairs_differ(trial, a, b, &inputs);
  while (next_inputs(trial, &inputs));
  trial->proof.witness = nullptr;
  Same same = given_equal(&trial->proof, &trial->given, 2, left, right);
  count_answer(tally, same);
  if (same == SAME_OPEN) return;
  assert_int_equal(same, truth_of(any));
  if (same == SAME_NO) {
    /* Equal sums are no part of the question. */
    uint32_t asked[4], count = 0;
    for (uint32_t i = 0; i < 2; i++) {
      if (sum_same(left[i], right[i])) continue;
      asked[count++] = a[i];
      asked[count++] = b[i];
    }
    inputs = witness_inputs(trial, count, asked);
    assert_true(all_hold(trial, &inputs) && pairs_differ(trial, a, b, &inputs));
  }
}

static void run_trial(const SmtOptions *options, bool has_elements, GivenTally tallies[3]) {
  GivenTrial trial = {.arena = arena_create(), .has_elements = has_elements};
  trial.proof = (ValuesProof){.arena = trial.arena, .options = options};
  trial.proof.sums = sums_create(trial.arena);
  for (uint32_t i = 0; i < input_count; i++) {
    trial.lo[i] = i == 0 ? 0 : i > variable_count ? trial.lo[variable_count] : draw_number(-3, 2);
    trial.hi[i] = i == 0               ? table_size - 1
                  : i > variable_count ? trial.hi[variable_count]
                                       : trial.lo[i] + draw_number(0, 3);
  }
  for (uint32_t i = 0; i < variable_count; i++)
    assert_true(sum_is_atom(trial.proof.sums,
        sum_free_within(trial.proof.sums, "x", trial.lo[i], trial.hi[i]), &trial.atoms[i]));
  trial.statement_count = (uint32_t)draw_number(0, 3);
  for (uint32_t i = 0; i < trial.statement_count; i++) {
    trial.statements[i] = draw_statement(&trial);
    given_add(&trial.proof, &trial.given, within_of(&trial, &trial.statements[i]));
  }
  check_stored(&trial);
  check_vacuous(&trial, &tallies[0]);
  check_implied(&trial, &tallies[1]);
  check_equal(&trial, &tallies[2]);
  assert_false(trial.proof.sums->overflow);
  if (trial.proof.has_query) query_close(&trial.proof.query);
  arena_destroy(trial.arena);
}

static void run_trials(const SmtOptions *options, uint32_t trials, GivenTally tallies[3]) {
  for (uint32_t i = 0; i < trials; i++) {
    draw_state = i;
    (void)draw_number(0, 1);
    run_trial(options, i % 2 == 1, tallies);
  }
  for (int i = 0; i < 3; i++)
    print_message("%u yes, %u no, %u open\n", tallies[i].yes, tallies[i].no, tallies[i].open);
}

static void answers_are_those_of_enumeration(void **) {
  GivenTally tallies[3] = {};
  const uint32_t trials = test_length(1'500, 1'500, 300);
  run_trials(&(SmtOptions){}, trials, tallies);
  for (int i = 0; i < 3; i++)
    assert_true(tallies[i].yes > trials * 2 / 75 && tallies[i].no > trials * 2 / 75 &&
                tallies[i].open == 0);
}

static void without_a_solver_they_are_too(void **) {
  GivenTally tallies[3] = {};
  run_trials(&(SmtOptions){.without_solver = true}, 3'000, tallies);
  static const uint32_t open[] = {26, 899, 45}; /* no more than ever */
  for (int i = 0; i < 3; i++) assert_true(tallies[i].open <= open[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_those_of_enumeration),
      cmocka_unit_test(without_a_solver_they_are_too),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
