/* Folds: the multiset of argument tuples of a reduction, a window, a dot or a convolution, as a
 * tuple of spots over folded variables. A variable with one value is dropped. The hidden integers
 * of one operand's access are the same variables as those of the next operand's: in the order of
 * the semantics, and for a dot in the order of its contracted dimensions. */
#include "smt/values/values.h"

#include <assert.h>

static constexpr uint32_t most_variables = 24;

enum : uint32_t { ROLE_FOLD = 1000 };

/* The position of each folded dimension in an operand's own order. */
typedef struct FoldOrder {
  uint32_t at[most_variables];
  uint32_t count;
} FoldOrder;

static uint32_t rank_within(Ints list, uint32_t at) {
  uint32_t rank = 0;
  for (uint32_t i = 0; i < list.count; i++) rank += list.values[i] < list.values[at];
  return rank;
}

/* The hidden integers of a dot's operand are in the order of its dimensions; the fold's variables
 * are in the order of the contraction. */
static FoldOrder order_of(const Instruction *instruction, uint32_t operand, uint32_t count) {
  FoldOrder order = {.count = count};
  for (uint32_t i = 0; i < count; i++) order.at[i] = i;
  if (instruction->opcode != HLO_DOT) return order;
  Ints list = operand == 0 ? instruction->dot->lhs_contracting : instruction->dot->rhs_contracting;
  for (uint32_t i = 0; i < count && i < list.count; i++) order.at[rank_within(list, i)] = i;
  return order;
}

/* The size of a hidden integer by its bounds in the semantics. */
static bool hidden_size(
    const ValuesProof *proof, const Piece *piece, uint32_t atom, int64_t *size) {
  assert(piece_is_well_formed(proof->sums, piece));
  assert(sums_has_atom(proof->sums, atom));
  for (uint32_t i = 0; i < piece->withins.count; i++) {
    uint32_t at = 0;
    const Within *within = &piece->withins.items[i];
    if (!sum_is_atom(proof->sums, within->sum, &at) || at != atom || within->lo != 0) continue;
    if (within->hi < 0 || within->hi > INT64_MAX - 1) return false;
    *size = (int64_t)within->hi + 1;
    return true;
  }
  return false;
}

bool fold_is_well_formed(const Sums *sums, const Fold *fold) {
  if (!sums_has_all(sums, fold->count, fold->variables)) return false;
  for (uint32_t i = 0; i < fold->count; i++)
    if (fold->sizes[i] < 0) return false;
  for (uint32_t i = 0; i < fold->tuple_count; i++)
    if (!spot_is_well_formed(sums, &fold->tuple[i])) return false;
  return given_is_canonical(sums, &fold->given);
}

static void fold_variables(
    ValuesProof *proof, const Access *access, const FoldOrder *order, uint32_t role, Fold *fold) {
  uint32_t first = fold->first;
  uint32_t hidden = access->piece.hidden.count;
  fold->variables = ARENA_NEW(proof->arena, Sum, hidden + 1);
  fold->sizes = ARENA_NEW(proof->arena, int64_t, hidden + 1);
  fold->count = hidden;
  for (uint32_t i = 0; i < hidden; i++) {
    int64_t size = 1;
    (void)hidden_size(proof, &access->piece, access->piece.hidden.items[i], &size);
    fold->sizes[order->at[i]] = size;
    fold->variables[order->at[i]] = proof_variable(proof, role, first + order->at[i], size);
  }
}

/* False for a fold over nothing, which has no variables here. */
static bool hidden_is_bounded(const ValuesProof *proof, const Access *access) {
  for (uint32_t i = 0; i < access->piece.hidden.count; i++) {
    int64_t size;
    if (!hidden_size(proof, &access->piece, access->piece.hidden.items[i], &size)) return false;
  }
  return true;
}

static AtomChange hidden_change(
    ValuesProof *proof, const Access *access, const FoldOrder *order, const Fold *fold) {
  uint32_t count = proof->sums->atom_count;
  bool *set = ARENA_NEW(proof->arena, bool, count);
  Sum *by = ARENA_NEW(proof->arena, Sum, count);
  for (uint32_t i = 0; i < access->piece.hidden.count; i++) {
    set[access->piece.hidden.items[i]] = true;
    by[access->piece.hidden.items[i]] = fold->variables[order->at[i]];
  }
  return (AtomChange){.count = count, .set = set, .by = by};
}

static bool fold_add(ValuesProof *proof, const Spot *spot, const Access *access, uint32_t role,
    uint32_t number, Fold *fold) {
  assert(spot_is_well_formed(proof->sums, spot));
  if (access->lacking != nullptr || access->piece.hidden.count > most_variables ||
      !hidden_is_bounded(proof, access))
    return false;
  FoldOrder order = order_of(spot->instruction, access->operand, access->piece.hidden.count);
  if (fold->variables == nullptr) fold_variables(proof, access, &order, role, fold);
  if (access->piece.hidden.count != fold->count) return false;
  AtomChange change = hidden_change(proof, access, &order, fold);
  for (uint32_t i = 0; i < access->piece.withins.count; i++) {
    Within within = access->piece.withins.items[i];
    within.sum = sum_replace(proof->sums, &change, within.sum);
    given_add(proof, &fold->given, within);
  }
  fold->tuple[number] = spot_replaced(proof, &change,
      spot_at(spot->frame, spot->instruction->operands[access->operand], access->leaf,
          access->element));
  return true;
}

/* Drops variables with one value. */
static void fold_compact(Fold *fold) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < fold->count; i++) {
    if (fold->sizes[i] == 1) continue;
    fold->sizes[kept] = fold->sizes[i];
    fold->variables[kept++] = fold->variables[i];
  }
  fold->last = fold->first + fold->count;
  fold->count = kept;
}

static bool fold_begin(ValuesProof *proof, const Spot *spot, uint32_t first, Fold *fold) {
  assert(spot_is_well_formed(proof->sums, spot));
  const Instruction *instruction = spot->instruction;
  *fold = (Fold){.instruction = instruction,
      .first = first,
      .is_product = instruction->opcode == HLO_DOT || instruction->opcode == HLO_CONVOLUTION};
  uint32_t inputs = instruction->operand_count / 2;
  fold->tuple_count = fold->is_product ? 2 : inputs;
  fold->initial_count = fold->is_product ? 0 : inputs;
  fold->tuple = ARENA_NEW(proof->arena, Spot, fold->tuple_count);
  fold->initials = ARENA_NEW(proof->arena, Spot, fold->initial_count);
  for (uint32_t i = 0; i < fold->initial_count; i++)
    fold->initials[i] = spot_at(spot->frame, instruction->operands[inputs + i], 0, nullptr);
  return fold->is_product || instruction->called_count == 1;
}

bool spot_fold_from(
    ValuesProof *proof, const Spot *spot, uint32_t side, uint32_t first, Fold *fold) {
  assert(spot_is_well_formed(proof->sums, spot));
  uint32_t role = ROLE_FOLD + 2 * proof->fold_depth + side;
  bool *found = ARENA_NEW(proof->arena, bool, spot->instruction->operand_count);
  SmtReading reading = {.sums = proof->sums,
      .value = hlo_value,
      .frame = spot->frame,
      .instruction = spot->instruction,
      .leaf = spot->leaf,
      .shape = spot_shape(spot),
      .index = spot->index};
  if (!fold_begin(proof, spot, first, fold) || !proof_accesses(proof, &reading)) return false;
  for (uint32_t i = 0; i < reading.accesses.count; i++) {
    const Access *access = reading.accesses.items[i];
    if (access->operand >= fold->tuple_count) continue;
    if (found[access->operand] || !fold_add(proof, spot, access, role, access->operand, fold))
      return false;
    found[access->operand] = true;
  }
  for (uint32_t i = 0; i < fold->tuple_count; i++)
    if (!found[i]) return false;
  fold_compact(fold);
  return true;
}

AtomChange fold_change(ValuesProof *proof, const Fold *fold, const Sum *by_variable) {
  assert(fold_is_well_formed(proof->sums, fold));
  uint32_t count = proof->sums->atom_count;
  bool *set = ARENA_NEW(proof->arena, bool, count);
  Sum *by = ARENA_NEW(proof->arena, Sum, count);
  for (uint32_t i = 0; i < fold->count; i++) {
    uint32_t atom = 0;
    if (!sum_is_atom(proof->sums, fold->variables[i], &atom)) continue;
    set[atom] = true;
    by[atom] = by_variable[i];
  }
  return (AtomChange){.count = count, .set = set, .by = by};
}

bool spot_fold(ValuesProof *proof, const Spot *spot, uint32_t side, Fold *fold) {
  assert(spot_is_well_formed(proof->sums, spot));
  return spot_fold_from(proof, spot, side, 0, fold);
}
