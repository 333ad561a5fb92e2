/* Decides whether two folds have the same value: the same function of multisets of the same tuples,
 * or of sequences if the function depends on their order (fold_order.c). A mapping between the
 * tuples is guessed from the indices of the tuples' elements and proved to be one to one and onto
 * (meetings.c). Then each pair of tuples is compared as spots. The order of a pair in a product
 * does not count. */
#include <assert.h>

#include "smt/values/values.h"

/* ---- equations between two folds ---- */

typedef struct Guess {
  ValuesProof *proof;
  const Given *given;
  Equations equations;
  uint32_t fuel;
  bool is_deep; /* also compares operations of one shape */
} Guess;

static void guess_spots(Guess *guess, const Spot *a, const Spot *b);

static void guess_indices(Guess *guess, uint32_t count, const Sum *a, const Sum *b) {
  ValuesProof *proof = guess->proof;
  for (uint32_t i = 0; i < count; i++)
    *ARENA_PUSH(proof->arena, &guess->equations) = sum_subtract(proof->sums, a[i], b[i]);
}

static void guess_operands(Guess *guess, const SpotView *a, const SpotView *b) {
  uint32_t before = guess->equations.count;
  for (uint32_t i = 0; i < a->operand_count; i++)
    guess_spots(guess, &a->operands[i], &b->operands[i]);
  if (guess->equations.count > before || !opcode_exchanges(a->opcode)) return;
  for (uint32_t i = 0; i < 2; i++) guess_spots(guess, &a->operands[i], &b->operands[1 - i]);
}

/* Collects equations from the first matching pair of cases; they are guesses, not proofs. */
static bool guess_views(Guess *guess, const SpotView *a, const SpotView *b) {
  const Instruction *x = a->spot.instruction, *y = b->spot.instruction;
  if (a->kind != b->kind || a->opcode != b->opcode) return false;
  switch (a->kind) {
    case VIEW_PARAMETER:
      if (x->number != y->number || a->spot.leaf != b->spot.leaf) return false;
      guess_indices(guess, a->spot.rank, a->spot.index, b->spot.index);
      return true;
    case VIEW_IOTA:
      guess_indices(guess, 1, &a->spot.index[x->number], &b->spot.index[y->number]);
      return true;
    case VIEW_ELEMENTWISE:
      if (a->operand_count != b->operand_count) return false;
      if (guess->is_deep || !shape_same_sizes(spot_shape(&a->spot), spot_shape(&b->spot)))
        guess_operands(guess, a, b);
      else guess_indices(guess, a->spot.rank, a->spot.index, b->spot.index);
      return true;
    case VIEW_CONSTANT:
    case VIEW_FOLD:
    case VIEW_FUNCTION:
      if (!shape_same_sizes(spot_shape(&a->spot), spot_shape(&b->spot))) return false;
      guess_indices(guess, a->spot.rank, a->spot.index, b->spot.index);
      return true;
  }
  return false;
}

static void guess_spots(Guess *guess, const Spot *a, const Spot *b) {
  if (guess->fuel == 0) return;
  guess->fuel--;
  ProofCases as = spot_cases(guess->proof, guess->given, a),
             bs = spot_cases(guess->proof, guess->given, b);
  for (uint32_t i = 0; i < as.count && i < 4; i++) {
    SpotView x = spot_view(guess->proof, &as.items[i].spot);
    for (uint32_t k = 0; k < bs.count && k < 4; k++) {
      SpotView y = spot_view(guess->proof, &bs.items[k].spot);
      if (guess_views(guess, &x, &y)) return;
    }
  }
}

/* ---- sameness of two folds ---- */

static Same tuples_same(ValuesProof *proof, const Given *given, const Fold *a, const Fold *b,
    const uint32_t *order, const Sum *to_b) {
  assert(given_is_canonical(proof->sums, given));
  assert(fold_is_well_formed(proof->sums, a));
  assert(fold_is_well_formed(proof->sums, b));
  Given with = given_copy(proof, given);
  Same worst = SAME_YES;
  given_add_all(proof, &with, &a->given.withins);
  with.is_empty |= a->given.is_empty;
  AtomChange change = fold_change(proof, b, to_b);
  for (uint32_t i = 0; i < a->tuple_count && worst == SAME_YES; i++) {
    Spot other = spot_replaced(proof, &change, b->tuple[order[i]]);
    worst = proof->questions->spots(proof, &with, &a->tuple[i], &other);
  }
  return worst;
}

/* Compares with the pairs of b in the given order. Equations come from the indices of parameters
 * and, with `is_deep`, of operations of one shape. */
static Same folds_guessed(ValuesProof *proof, const Given *given, const Fold *a, const Fold *b,
    const uint32_t *order, bool is_deep) {
  assert(given_is_canonical(proof->sums, given));
  assert(fold_is_well_formed(proof->sums, a));
  assert(fold_is_well_formed(proof->sums, b));
  Guess guess = {.proof = proof, .given = given, .fuel = 300, .is_deep = is_deep};
  Meeting meeting;
  UsedLaws before = laws_begin(proof);
  for (uint32_t i = 0; i < a->tuple_count; i++)
    guess_spots(&guess, &a->tuple[i], &b->tuple[order[i]]);
  laws_end(proof, before, SAME_OPEN);
  if (!folds_meet(proof, given, a, b, &guess.equations, &meeting))
    return proof_open(proof, "which tuples of %s '%s' meet which of '%s'",
        opcode_name(a->instruction->opcode), a->instruction->name, b->instruction->name);
  if ((a->is_sequence || b->is_sequence) && !meeting_keeps_order(proof, given, a, b, &meeting))
    return proof_open(proof, "the order of the tuples of %s '%s' and '%s'",
        opcode_name(a->instruction->opcode), a->instruction->name, b->instruction->name);
  return tuples_same(proof, given, a, b, order, meeting.to_b);
}

static Same folds_paired(
    ValuesProof *proof, const Given *given, const Fold *a, const Fold *b, const uint32_t *order) {
  assert(given_is_canonical(proof->sums, given));
  assert(fold_is_well_formed(proof->sums, a));
  assert(fold_is_well_formed(proof->sums, b));
  bool was_quiet = proof->is_quiet;
  proof->is_quiet = true;
  UsedLaws before = laws_begin(proof);
  Same same = folds_guessed(proof, given, a, b, order, false);
  laws_end(proof, before, same);
  proof->is_quiet = was_quiet;
  if (same == SAME_YES || proof_is_over(proof)) return same;
  return folds_guessed(proof, given, a, b, order, true);
}

static bool folds_agree(ValuesProof *proof, const Fold *a, const Fold *b) {
  assert(fold_is_well_formed(proof->sums, a));
  assert(fold_is_well_formed(proof->sums, b));
  const Instruction *x = a->instruction, *y = b->instruction;
  static const char precision[] = "operand_precision";
  const char *differs;
  if (a->is_product != b->is_product || a->tuple_count != b->tuple_count) return false;
  bool agrees = attributes_agree_without(x, y, a->is_product ? precision : "", &differs);
  if (agrees && a->is_product) {
    differs = precision;
    agrees = precisions_agree(x, y, false) || precisions_agree(x, y, true);
  }
  if (!agrees) {
    (void)proof_open(proof, "%s '%s' and '%s' differ in %s", opcode_name(a->instruction->opcode),
        a->instruction->name, b->instruction->name, differs);
    return false;
  }
  return true;
}

/* ---- padding ---- */

/* True if a window may be partly over padding or holes. */
static bool has_padding(const Instruction *instruction) {
  if (instruction->opcode != HLO_REDUCE_WINDOW) return false;
  for (uint32_t i = 0; i < instruction->window->rank; i++) {
    const WindowDim *window = &instruction->window->dims[i];
    if (window->pad_low > 0 || window->pad_high > 0 || window->base_dilation > 1) return true;
  }
  return false;
}

/* Whether the operation of an initial value with itself is the value, so that folding it once more
 * changes nothing. */
static bool initial_repeats(ValuesProof *proof, const Given *given, const Fold *fold) {
  Opcode opcode;
  bool is_exchanged;
  Wide value;
  if (!fold_operation(fold->instruction, &opcode, &is_exchanged)) return false;
  if (opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM || opcode == HLO_AND || opcode == HLO_OR)
    return true;
  ProofCases cases = spot_cases(proof, given, &fold->initials[0]);
  if (cases.is_cut || cases.count != 1 || cases.items[0].spot.instruction->opcode != HLO_CONSTANT)
    return false;
  ElementLiteral literal = literal_at(proof, &cases.items[0].spot);
  if (opcode == HLO_ADD && literal_is_minus_zero(&literal)) return true;
  if (!literal_integer(&literal, &value)) return false;
  return opcode == HLO_ADD ? value == 0 : opcode == HLO_MULTIPLY && (value == 0 || value == 1);
}

/* Documents differ on whether a window folds its initial value for each position of padding. */
static bool padding_counts(ValuesProof *proof, const Given *given, const Fold *fold) {
  return has_padding(fold->instruction) && !initial_repeats(proof, given, fold);
}

/* The number of a fold's positions with those of padding and holes. */
static bool fold_positions(const Instruction *instruction, Wide *count) {
  const Shape *shape = instruction->operands[0]->shape;
  bool is_window = instruction->opcode == HLO_REDUCE_WINDOW;
  *count = 1;
  for (uint32_t i = 0; i < (is_window ? instruction->window->rank : instruction->dimensions.count);
      i++) {
    int64_t size = is_window ? instruction->window->dims[i].size
                             : shape->sizes[instruction->dimensions.values[i]];
    if (size > 0 && *count > INT64_MAX / size) return false;
    *count *= size;
  }
  return true;
}

/* Folds of the same number of tuples are over as much padding if their positions are as many. */
static bool same_positions(const Fold *a, const Fold *b) {
  Wide of_a, of_b;
  return fold_positions(a->instruction, &of_a) && fold_positions(b->instruction, &of_b) &&
         of_a == of_b;
}

static Same initials_same(ValuesProof *proof, const Given *given, const Fold *a, const Fold *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(fold_is_well_formed(proof->sums, a));
  assert(fold_is_well_formed(proof->sums, b));
  for (uint32_t i = 0; i < a->initial_count; i++) {
    Same same = proof->questions->spots(proof, given, &a->initials[i], &b->initials[i]);
    if (same != SAME_YES) return same;
  }
  return SAME_YES;
}

static bool tuple_types(const Fold *a, const Fold *b, const uint32_t *order) {
  for (uint32_t i = 0; i < a->tuple_count; i++)
    if (spot_type(&a->tuple[i]) != spot_type(&b->tuple[order[i]])) return false;
  return true;
}

/* Operands of a product are exchanged with their precisions. */
static bool may_pair(const Fold *a, const Fold *b, bool is_exchanged) {
  return a->is_product ? precisions_agree(a->instruction, b->instruction, is_exchanged)
                       : !is_exchanged;
}

static Same folds_compared(ValuesProof *proof, const Given *given, const Fold *a, const Fold *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(fold_is_well_formed(proof->sums, a));
  assert(fold_is_well_formed(proof->sums, b));
  uint32_t *order = ARENA_NEW(proof->arena, uint32_t, a->tuple_count);
  for (uint32_t i = 0; i < a->tuple_count; i++) order[i] = i;
  Same same = SAME_OPEN;
  if (may_pair(a, b, false) && tuple_types(a, b, order)) {
    bool was_quiet = proof->is_quiet;
    proof->is_quiet = was_quiet || a->is_product;
    UsedLaws before = laws_begin(proof);
    same = folds_paired(proof, given, a, b, order);
    laws_end(proof, before, same);
    proof->is_quiet = was_quiet;
  }
  if (same == SAME_YES || proof_is_over(proof) || !may_pair(a, b, true)) return same;
  order[0] = 1;
  order[1] = 0;
  Same exchanged = tuple_types(a, b, order) ? folds_paired(proof, given, a, b, order) : SAME_OPEN;
  if (exchanged == SAME_YES || same == SAME_OPEN) return exchanged;
  return same;
}

Same folds_same(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  Fold x, y;
  if (spot_type(a) != spot_type(b)) return given_vacuous(proof, given);
  if (!spot_fold(proof, a, 0, &x) || !spot_fold(proof, b, 1, &y))
    return functions_same(proof, given, a, b);
  bool is_padded = padding_counts(proof, given, &x) || padding_counts(proof, given, &y);
  x.is_sequence = fold_is_sequence(proof, &x, a->leaf, is_padded);
  y.is_sequence = fold_is_sequence(proof, &y, b->leaf, is_padded);
  if (is_padded) {
    if (!same_positions(&x, &y))
      return proof_open(proof, "%s '%s' and '%s': the padding of a window",
          opcode_name(a->instruction->opcode), a->instruction->name, b->instruction->name);
  } else {
    fold_flatten(proof, given, a, 0, &x);
    fold_flatten(proof, given, b, 1, &y);
  }
  if (!folds_agree(proof, &x, &y))
    return proof_open(proof, "%s '%s' and %s '%s'", opcode_name(a->instruction->opcode),
        a->instruction->name, opcode_name(b->instruction->opcode), b->instruction->name);
  if (!x.is_product && a->leaf != b->leaf) return SAME_OPEN;
  if (!x.is_product) {
    Same called = called_same(proof, x.instruction, y.instruction);
    if (called == SAME_YES) called = initials_same(proof, given, &x, &y);
    if (called != SAME_YES) return called == SAME_NO ? given_vacuous(proof, given) : called;
  }
  proof->fold_depth++;
  Same same = folds_compared(proof, given, &x, &y);
  proof->fold_depth--;
  return same;
}
