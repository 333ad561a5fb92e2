/* A fold of folds is one fold if laws state that its operation commutes and associates and that the
 * inner initial value is neutral. The inner variables are added to the outer ones. Elements that
 * are a neutral constant, such as padding, contribute no tuple. */
#include "smt/values/values.h"

#include <assert.h>

/* A fold whose function regroups: one operation on one input. */
typedef struct FoldNest {
  ValuesProof *proof;
  Fold *fold;
  Opcode opcode;
  ElementType type;
  uint32_t side;
} FoldNest;

/* Whether the value is neutral. Folds inside the two values use variables of their own. */
static bool is_neutral(FoldNest *nest, const Given *given, const Spot *spot) {
  ValuesProof *proof = nest->proof;
  if (law_neutral(proof, nest->opcode, spot)) return true;
  UsedLaws before = laws_begin(proof);
  if (!law_repeats(proof, nest->opcode, nest->type)) {
    laws_end(proof, before, SAME_OPEN);
    return false;
  }
  proof->fold_depth++;
  Same same = proof->questions->spots(proof, given, spot, &nest->fold->initials[0]);
  proof->fold_depth--;
  laws_end(proof, before, same);
  return same == SAME_YES;
}

/* The only case that is not neutral; false if there is none, or more than one. */
static bool only_part(FoldNest *nest, const Given *given, ProofCase *part, bool *has_dropped) {
  ProofCases cases = spot_cases(nest->proof, given, &nest->fold->tuple[0]);
  uint32_t kept = 0;
  *has_dropped = false;
  for (uint32_t i = 0; i < cases.count && kept < 2; i++) {
    const ProofCase *item = &cases.items[i];
    if (item->spot.instruction->opcode == HLO_CONSTANT &&
        is_neutral(nest, &item->given, &item->spot))
      *has_dropped = true;
    else if (kept++ == 0) *part = *item;
  }
  return !cases.is_cut && kept == 1;
}

/* The constraints of the case that are not already known around the fold. */
static Given given_beside(ValuesProof *proof, const Given *given, const Given *all) {
  assert(given_is_canonical(proof->sums, given));
  assert(given_is_canonical(proof->sums, all));
  Given beside = {.is_empty = all->is_empty};
  for (uint32_t i = 0; i < all->withins.count; i++) {
    const Within *within = &all->withins.items[i];
    bool is_known = false;
    for (uint32_t k = 0; k < given->withins.count && !is_known; k++) {
      const Within *known = &given->withins.items[k];
      is_known =
          sum_same(known->sum, within->sum) && known->lo == within->lo && known->hi == within->hi;
    }
    if (!is_known) given_add(proof, &beside, *within);
  }
  return beside;
}

static bool enter_fold(FoldNest *nest, const ProofCase *part) {
  ValuesProof *proof = nest->proof;
  Fold inner, *fold = nest->fold;
  Opcode opcode;
  bool is_exchanged;
  const Instruction *instruction = part->spot.instruction;
  if ((instruction->opcode != HLO_REDUCE && instruction->opcode != HLO_REDUCE_WINDOW) ||
      spot_type(&part->spot) != nest->type ||
      !fold_operation(instruction, &opcode, &is_exchanged) || opcode != nest->opcode ||
      !spot_fold_from(proof, &part->spot, nest->side, fold->last, &inner) ||
      !is_neutral(nest, &part->given, &inner.initials[0]))
    return false;
  Sum *variables = ARENA_NEW(proof->arena, Sum, fold->count + inner.count + 1);
  int64_t *sizes = ARENA_NEW(proof->arena, int64_t, fold->count + inner.count + 1);
  for (uint32_t i = 0; i < fold->count + inner.count; i++) {
    bool is_outer = i < fold->count;
    variables[i] = is_outer ? fold->variables[i] : inner.variables[i - fold->count];
    sizes[i] = is_outer ? fold->sizes[i] : inner.sizes[i - fold->count];
  }
  fold->variables = variables;
  fold->sizes = sizes;
  fold->count += inner.count;
  fold->last = inner.last;
  given_add_all(proof, &fold->given, &inner.given.withins);
  fold->given.is_empty |= inner.given.is_empty;
  fold->tuple[0] = inner.tuple[0];
  return true;
}

void fold_flatten(
    ValuesProof *proof, const Given *given, const Spot *spot, uint32_t side, Fold *fold) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, spot));
  static constexpr uint32_t most_nested = 8;
  bool is_exchanged;
  FoldNest nest = {.proof = proof, .fold = fold, .side = side, .type = spot_type(spot)};
  if (fold->is_product || fold->tuple_count != 1 || spot_type(&fold->tuple[0]) != nest.type ||
      !fold_operation(fold->instruction, &nest.opcode, &is_exchanged))
    return;
  for (uint32_t i = 0; i < most_nested && !proof_is_over(proof); i++) {
    UsedLaws before = laws_begin(proof);
    ProofCase part;
    bool has_dropped, has_entered = false;
    Given with = given_copy(proof, given);
    given_add_all(proof, &with, &fold->given.withins);
    bool is_one = !with.is_empty && law_regroups(proof, nest.opcode, nest.type) &&
                  only_part(&nest, &with, &part, &has_dropped);
    if (is_one && (has_dropped || part.spot.instruction->opcode == HLO_REDUCE ||
                      part.spot.instruction->opcode == HLO_REDUCE_WINDOW)) {
      Given beside = given_beside(proof, given, &part.given);
      has_entered = enter_fold(&nest, &part);
      if (has_entered || has_dropped) given_add_all(proof, &fold->given, &beside.withins);
      if (!has_entered && has_dropped) fold->tuple[0] = part.spot;
    }
    laws_end(proof, before, is_one && (has_entered || has_dropped) ? SAME_YES : SAME_OPEN);
    if (!has_entered) return;
  }
}
