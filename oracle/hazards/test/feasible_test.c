/* Whether offsets can take positions together, against all values of their elements: of types of
 * two and four bits, with up to five elements in random expressions. */
#include "oracle/hazards/feasible.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t state_of_feasible = 5;

static uint32_t feasible_below(uint32_t end) {
  state_of_feasible =
      state_of_feasible * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_feasible >> 33) % end;
}

/* ---- offsets ---- */

typedef enum OffsetKind : uint8_t {
  FEASIBLE_ELEMENT,
  FEASIBLE_CONSTANT,
  FEASIBLE_NEGATE,
  FEASIBLE_ADD,
  FEASIBLE_SUBTRACT,
  FEASIBLE_MULTIPLY,
  FEASIBLE_MAXIMUM,
  FEASIBLE_MINIMUM,
  FEASIBLE_PICK,     /* one of the second and the third part, by the first */
  FEASIBLE_PRODUCTS, /* the sum of the products of the parts */
} OffsetKind;

typedef struct OffsetTree {
  OffsetKind kind;
  int64_t number;
  uint32_t parts[3]; /* smaller trees */
} OffsetTree;

static constexpr uint32_t most_trees = 12, most_elements = 5, most_wanted = 4;

typedef struct FeasibleTrial {
  Terms *terms;
  ElementType type;
  uint32_t bits, elements, trees;
  OffsetTree of[most_trees];
  Term made[most_trees];
  uint32_t wanted;
  uint32_t offsets[most_wanted]; /* trees */
  Position positions[most_wanted];
} FeasibleTrial;

static int64_t wrapped_offset(const FeasibleTrial *trial, int64_t value) {
  int64_t range = INT64_C(1) << trial->bits, rest = ((value % range) + range) % range;
  return element_type_is_signed(trial->type) && rest >= range / 2 ? rest - range : rest;
}

static int64_t clamped_to(int64_t value, int64_t count) {
  return value < 0 ? 0 : value >= count ? count - 1 : value;
}

static int64_t tree_value(const FeasibleTrial *trial, uint32_t tree, const int64_t *elements) {
  const OffsetTree *of = &trial->of[tree];
  int64_t part[3] = {};
  for (uint32_t i = 0; i < 3 && of->kind > FEASIBLE_CONSTANT; i++)
    part[i] = tree_value(trial, of->parts[i], elements);
  switch (of->kind) {
    case FEASIBLE_ELEMENT: return elements[of->number];
    case FEASIBLE_CONSTANT: return of->number;
    case FEASIBLE_NEGATE: return wrapped_offset(trial, -part[0]);
    case FEASIBLE_ADD: return wrapped_offset(trial, part[0] + part[1]);
    case FEASIBLE_SUBTRACT: return wrapped_offset(trial, part[0] - part[1]);
    case FEASIBLE_MULTIPLY: return wrapped_offset(trial, part[0] * part[1]);
    case FEASIBLE_MAXIMUM: return part[0] > part[1] ? part[0] : part[1];
    case FEASIBLE_MINIMUM: return part[0] < part[1] ? part[0] : part[1];
    case FEASIBLE_PICK: return part[1 + clamped_to(part[0], 2)];
    case FEASIBLE_PRODUCTS: return wrapped_offset(trial, part[0] * part[1] + part[2] * part[0]);
  }
  return 0;
}

static Term apply_to(const FeasibleTrial *trial, Opcode opcode, uint32_t count, const Term *parts) {
  return term_apply(
      trial->terms, signature_of_operation(trial->terms, opcode, trial->type, count), count, parts);
}

static Term products_of(const FeasibleTrial *trial, const Term *parts) {
  Terms *terms = trial->terms;
  uint32_t fold = signature_of(terms, "products", "products"),
           pair = signature_of(terms, "pair", "pair");
  signature_at(terms, fold)->is_products = true;
  const Term pairs[] = {term_make(terms, TERM_TUPLE, TYPE_TUPLE, pair, 0, 2, parts),
      term_make(terms, TERM_TUPLE, TYPE_TUPLE, pair, 0, 2, (Term[]){parts[2], parts[0]})};
  return term_make(terms, TERM_FOLD, trial->type, fold, 0, 2, pairs);
}

static Term term_of_tree(const FeasibleTrial *trial, const OffsetTree *of) {
  Terms *terms = trial->terms;
  Term parts[3] = {};
  for (uint32_t i = 0; i < 3 && of->kind > FEASIBLE_CONSTANT; i++)
    parts[i] = trial->made[of->parts[i]];
  switch (of->kind) {
    case FEASIBLE_ELEMENT:
      return term_make(terms, TERM_ATOM, trial->type, signature_of(terms, "input", "input"),
          (uint64_t)of->number, 0, nullptr);
    case FEASIBLE_CONSTANT: return term_constant(terms, trial->type, of->number);
    case FEASIBLE_NEGATE: return apply_to(trial, HLO_NEGATE, 1, parts);
    case FEASIBLE_ADD: return apply_to(trial, HLO_ADD, 2, parts);
    case FEASIBLE_SUBTRACT: return apply_to(trial, HLO_SUBTRACT, 2, parts);
    case FEASIBLE_MULTIPLY: return apply_to(trial, HLO_MULTIPLY, 2, parts);
    case FEASIBLE_MAXIMUM: return apply_to(trial, HLO_MAXIMUM, 2, parts);
    case FEASIBLE_MINIMUM: return apply_to(trial, HLO_MINIMUM, 2, parts);
    case FEASIBLE_PICK: return term_pick(terms, parts[0], 2, parts + 1);
    case FEASIBLE_PRODUCTS: return products_of(trial, parts);
  }
  return no_term;
}

static void draw_trees(FeasibleTrial *trial) {
  trial->trees = trial->elements + 1 + feasible_below(most_trees - trial->elements);
  for (uint32_t i = 0; i < trial->trees; i++) {
    OffsetTree *of = &trial->of[i];
    *of = (OffsetTree){.number = i};
    if (i >= trial->elements)
      of->kind = (OffsetKind)(FEASIBLE_CONSTANT +
                              feasible_below(FEASIBLE_PRODUCTS - FEASIBLE_CONSTANT + 1));
    if (of->kind == FEASIBLE_CONSTANT) of->number = wrapped_offset(trial, feasible_below(16));
    for (uint32_t k = 0; k < 3; k++) of->parts[k] = i == 0 ? 0 : feasible_below(i);
    trial->made[i] = term_of_tree(trial, of);
  }
}

static void draw_feasible(FeasibleTrial *trial, Arena *arena) {
  static const ElementType types[] = {TYPE_u2, TYPE_s2, TYPE_u4, TYPE_s4};
  uint32_t number = feasible_below(4);
  *trial = (FeasibleTrial){.terms = terms_create(arena),
      .type = types[number],
      .bits = number < 2 ? 2 : 4,
      .elements = 1 + feasible_below(number < 2 ? most_elements : 3),
      .wanted = 1 + feasible_below(most_wanted)};
  draw_trees(trial);
  for (uint32_t i = 0; i < trial->wanted; i++) {
    trial->offsets[i] = feasible_below(trial->trees);
    int64_t count = 1 + feasible_below(trial->bits == 2 ? 4 : 9);
    trial->positions[i] = (Position){.offset = trial->made[trial->offsets[i]],
        .position = feasible_below((uint32_t)count),
        .count = count};
  }
}

/* ---- all values ---- */

static bool takes_positions(const FeasibleTrial *trial, const int64_t *elements) {
  for (uint32_t i = 0; i < trial->wanted; i++) {
    const Position *wanted = &trial->positions[i];
    if (clamped_to(tree_value(trial, trial->offsets[i], elements), wanted->count) !=
        wanted->position)
      return false;
  }
  return true;
}

static bool any_takes_positions(const FeasibleTrial *trial) {
  for (uint64_t code = 0; code >> trial->bits * trial->elements == 0; code++) {
    int64_t elements[most_elements];
    for (uint32_t i = 0; i < trial->elements; i++)
      elements[i] = wrapped_offset(trial, (int64_t)(code >> i * trial->bits));
    if (takes_positions(trial, elements)) return true;
  }
  return false;
}

static void positions_are_feasible_if_values_take_them(void **) {
  uint32_t counts[3] = {};
  for (uint32_t round = 0; round < 4000; round++) {
    Arena *arena = arena_create();
    FeasibleTrial trial;
    draw_feasible(&trial, arena);
    Feasible feasible = {.terms = trial.terms};
    VerdictStatus status = positions_are_feasible(&feasible, trial.wanted, trial.positions);
    bool is_feasible = any_takes_positions(&trial);
    counts[status]++;
    if (status == (is_feasible ? VERDICT_REFUTED : VERDICT_PROVED))
      fail_msg("round %u: they are%s feasible", round, is_feasible ? "" : " not");
    if (trial.elements <= 3) assert_int_not_equal(status, VERDICT_UNKNOWN);
    arena_destroy(arena);
  }
  print_message("%u feasible, %u not, %u unknown\n", counts[VERDICT_PROVED],
      counts[VERDICT_REFUTED], counts[VERDICT_UNKNOWN]);
  assert_true(counts[VERDICT_UNKNOWN] <= 16); /* no more than ever */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(positions_are_feasible_if_values_take_them)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
