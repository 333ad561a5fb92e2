/* Three kinds of laws are used here: an operation commutes, an operation associates, and an
 * operation equals one of its own operands. An operation of the third kind is followed to that
 * operand, like data movement. Repeated variables of a left side must be one element of one
 * instruction; constants must have the law's value. */
#include "smt/values/values.h"

#include <assert.h>

/* ---- which laws may be used ---- */

static bool law_fits(const ValuesProof *proof, const ValueLaw *law, ElementType type) {
  if (law->grade > proof->grade) return false;
  switch (law->types) {
    case LAW_CLASS_INTEGRAL: return element_type_is_integral(type) && type != TYPE_pred;
    case LAW_CLASS_PRED: return type == TYPE_pred;
    case LAW_CLASS_FLOATING:
      return type == TYPE_f16 || type == TYPE_bf16 || type == TYPE_f32 || type == TYPE_f64;
  }
  return false;
}

static void law_use(ValuesProof *proof, uint32_t at) {
  proof->used.words[at / 64] |= UINT64_C(1) << at % 64;
}

static bool is_letter(const LawTree *tree) { return tree->kind == LAW_TREE_VARIABLE; }

static bool is_operation(const LawTree *tree, Opcode opcode) {
  return tree->kind == LAW_TREE_OPERATION && tree->opcode == opcode && tree->count == 2;
}

/* Whether the law is op(x, y) => op(y, x). */
static bool commutes_by(const ValueLaw *law, Opcode opcode) {
  const LawTree *left = law->left, *right = law->right;
  if (!is_operation(left, opcode) || !is_operation(right, opcode)) return false;
  for (uint32_t i = 0; i < 2; i++)
    if (!is_letter(left->operands[i]) || !is_letter(right->operands[i]) ||
        left->operands[i]->variable != right->operands[1 - i]->variable)
      return false;
  return left->operands[0]->variable != left->operands[1]->variable;
}

/* Whether the law is op(op(x, y), z) => op(x, op(y, z)). */
static bool regroups_by(const ValueLaw *law, Opcode opcode) {
  const LawTree *left = law->left, *right = law->right;
  if (!is_operation(left, opcode) || !is_operation(right, opcode) ||
      !is_operation(left->operands[0], opcode) || !is_operation(right->operands[1], opcode))
    return false;
  const LawTree *inner = left->operands[0], *other = right->operands[1];
  const LawTree *from[] = {inner->operands[0], inner->operands[1], left->operands[1]},
                *to[] = {right->operands[0], other->operands[0], other->operands[1]};
  uint32_t seen = 0;
  for (uint32_t i = 0; i < 3; i++) {
    if (!is_letter(from[i]) || !is_letter(to[i]) || from[i]->variable != to[i]->variable)
      return false;
    seen |= 1U << from[i]->variable;
  }
  return (seen & (seen - 1)) != 0 && __builtin_popcount(seen) == 3;
}

static bool any_law(ValuesProof *proof, Opcode opcode, ElementType type,
    bool (*holds)(const ValueLaw *law, Opcode opcode)) {
  for (uint32_t i = 0; i < proof->law_count; i++)
    if (law_fits(proof, &proof->laws[i], type) && holds(&proof->laws[i], opcode)) {
      law_use(proof, i);
      return true;
    }
  return false;
}

bool law_commutes(ValuesProof *proof, Opcode opcode, ElementType type) {
  return any_law(proof, opcode, type, commutes_by);
}

bool law_regroups(ValuesProof *proof, Opcode opcode, ElementType type) {
  return any_law(proof, opcode, type, regroups_by) && any_law(proof, opcode, type, commutes_by);
}

/* ---- operations that are one of their operands ---- */

typedef struct ProofLawMatch {
  ValuesProof *proof;
  bool is_bound[4];
  Spot bound[4];
} ProofLawMatch;

/* The single operation that computes the element, for every index. */
static bool only_case(ValuesProof *proof, const Spot *spot, Spot *only) {
  assert(spot_is_well_formed(proof->sums, spot));
  ProofCases cases = spot_cases(proof, &(Given){}, spot);
  if (cases.is_cut || cases.count != 1 || cases.items[0].given.withins.count > 0) return false;
  *only = cases.items[0].spot;
  return true;
}

static bool match_constant(ValuesProof *proof, const LawTree *constant, const Spot *spot) {
  assert(spot_is_well_formed(proof->sums, spot));
  Wide value;
  ElementLiteral literal = {};
  if (spot->instruction->opcode == HLO_CONSTANT) literal = literal_at(proof, spot);
  if (constant->is_minus_zero) return literal_is_minus_zero(&literal);
  return literal.is_known && literal_integer(&literal, &value) && value == constant->constant;
}

static bool match_tree(
    ProofLawMatch *match, const LawTree *tree, const Spot *spot, ElementType type);

static bool match_operands(ProofLawMatch *match, const LawTree *tree, const SpotView *view) {
  for (uint32_t i = 0; i < tree->count; i++)
    if (!match_tree(match, tree->operands[i], &view->operands[i], spot_type(&view->spot)))
      return false;
  return true;
}

static bool match_tree(
    ProofLawMatch *match, const LawTree *tree, const Spot *spot, ElementType type) {
  Spot only;
  if (spot_type(spot) != type || !only_case(match->proof, spot, &only)) return false;
  if (tree->kind == LAW_TREE_CONSTANT) return match_constant(match->proof, tree, &only);
  if (tree->kind == LAW_TREE_VARIABLE) {
    if (match->is_bound[tree->variable]) return spot_same(&match->bound[tree->variable], &only);
    match->is_bound[tree->variable] = true;
    match->bound[tree->variable] = only;
    return true;
  }
  if (only.instruction->opcode != tree->opcode) return false;
  SpotView view = spot_view(match->proof, &only);
  return view.kind == VIEW_ELEMENTWISE && view.opcode == tree->opcode &&
         view.operand_count == tree->count && match_operands(match, tree, &view);
}

/* The operand that the right side denotes: a bound variable, or the operand that equals its
 * constant. */
static bool right_side(
    const ProofLawMatch *match, const ValueLaw *law, const SpotView *view, Spot *to) {
  if (law->right->kind == LAW_TREE_VARIABLE) {
    *to = match->bound[law->right->variable];
    return match->is_bound[law->right->variable];
  }
  for (uint32_t i = 0; law->right->kind == LAW_TREE_CONSTANT && i < law->left->count; i++)
    if (law->left->operands[i]->kind == LAW_TREE_CONSTANT &&
        law->left->operands[i]->constant == law->right->constant &&
        law->left->operands[i]->is_minus_zero == law->right->is_minus_zero)
      return only_case(match->proof, &view->operands[i], to);
  return false;
}

bool law_reduces(ValuesProof *proof, const Spot *spot, Spot *to) {
  assert(spot_is_well_formed(proof->sums, spot));
  Opcode opcode = spot->instruction->opcode;
  if (opcode_family(opcode) != FAMILY_ELEMENTWISE || spot->instruction->operand_count == 0 ||
      spot->instruction->operand_count > 2 || proof->is_matching)
    return false;
  for (uint32_t i = 0; i < proof->law_count; i++) {
    const ValueLaw *law = &proof->laws[i];
    if (law->left->opcode != opcode || law->right->kind == LAW_TREE_OPERATION ||
        law->left->count != spot->instruction->operand_count ||
        !law_fits(proof, law, spot_type(spot)))
      continue;
    SpotView view = spot_view(proof, spot);
    ProofLawMatch match = {.proof = proof};
    proof->is_matching = true;
    bool is_matched = view.kind == VIEW_ELEMENTWISE && match_operands(&match, law->left, &view) &&
                      right_side(&match, law, &view, to);
    proof->is_matching = false;
    if (!is_matched) continue;
    law_use(proof, i);
    return true;
  }
  return false;
}

/* Whether a law op(x, C) => x applies with this constant. */
bool law_neutral(ValuesProof *proof, Opcode opcode, const Spot *constant) {
  assert(spot_is_well_formed(proof->sums, constant));
  for (uint32_t i = 0; i < proof->law_count; i++) {
    const ValueLaw *law = &proof->laws[i];
    if (!is_operation(law->left, opcode) || !is_letter(law->right) ||
        !law_fits(proof, law, spot_type(constant)) || !is_letter(law->left->operands[0]) ||
        law->left->operands[1]->kind != LAW_TREE_CONSTANT ||
        !match_constant(proof, law->left->operands[1], constant))
      continue;
    law_use(proof, i);
    return true;
  }
  return false;
}

/* Whether the law is add(0, x) => x. */
static bool adds_to_zero(const ValueLaw *law, Opcode opcode) {
  const LawTree *left = law->left;
  return is_operation(left, opcode) && left->operands[0]->kind == LAW_TREE_CONSTANT &&
         left->operands[0]->constant == 0 && !left->operands[0]->is_minus_zero &&
         is_letter(left->operands[1]) && is_letter(law->right) &&
         left->operands[1]->variable == law->right->variable;
}

/* Integers need no law: their products and sums are exact. */
bool law_sums_one(ValuesProof *proof, ElementType type) {
  return element_type_is_integral(type) || any_law(proof, HLO_ADD, type, adds_to_zero);
}

/* Whether a law op(x, x) => x applies. */
bool law_repeats(ValuesProof *proof, Opcode opcode, ElementType type) {
  for (uint32_t i = 0; i < proof->law_count; i++) {
    const ValueLaw *law = &proof->laws[i];
    if (!is_operation(law->left, opcode) || !law_fits(proof, law, type) || !is_letter(law->right) ||
        !is_letter(law->left->operands[0]) || !is_letter(law->left->operands[1]) ||
        law->left->operands[0]->variable != law->left->operands[1]->variable)
      continue;
    law_use(proof, i);
    return true;
  }
  return false;
}

const char *laws_used(const ValuesProof *proof, Arena *arena) {
  Text text = text_create(arena);
  for (uint32_t i = 0; i < proof->law_count; i++)
    if ((proof->used.words[i / 64] >> i % 64 & 1) != 0)
      text_printf(&text, "%s%s", text.length == 0 ? "" : ", ", proof->laws[i].name);
  return text.length == 0 ? nullptr : text.bytes;
}

UsedLaws laws_begin(ValuesProof *proof) {
  UsedLaws before = proof->used;
  proof->used = (UsedLaws){};
  return before;
}

void laws_join(ValuesProof *proof, const UsedLaws *used) {
  for (uint32_t i = 0; i < most_laws / 64; i++) proof->used.words[i] |= used->words[i];
}

void laws_end(ValuesProof *proof, UsedLaws before, Same same) {
  if (same != SAME_YES) proof->used = before;
  else laws_join(proof, &before);
}
