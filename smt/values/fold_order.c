/* Folds whose function depends on the order of the tuples. HLO states no order of a reduction. So a
 * compiler may reorder sums, products and extrema, of floats too. Another function, as a difference
 * or `select(a > b, a, b)` of floats, has one value only in one order. So has a sum whose
 * accumulator is converted to a type without some of its values, except that a float may be rounded
 * to another float: which partial sums wrap, saturate or become 0 or 1 depends on the order. The
 * tuples of such a fold are a sequence: the row-major position of each, padding and holes counted,
 * must be that of its partner. */
#include <assert.h>
#include <string.h>

#include "core/hlo/attribute.h"
#include "smt/values/values.h"

bool opcode_exchanges(Opcode opcode) {
  return opcode == HLO_ADD || opcode == HLO_MULTIPLY || opcode == HLO_MAXIMUM ||
         opcode == HLO_MINIMUM || opcode == HLO_AND || opcode == HLO_OR || opcode == HLO_XOR;
}

/* What a function returns as a leaf, and how many inputs are folded. */
typedef struct FoldResult {
  ValuesProof *proof;
  const Instruction *root; /* nullptr: not followed */
  int64_t leaf, inputs;
} FoldResult;

/* An instruction of the function, or of what the function calls. */
typedef struct FoldNode {
  const CallSite *frame; /* nullptr: of the function itself */
  const Instruction *instruction;
} FoldNode;

static FoldResult fold_result_of(ValuesProof *proof, const Instruction *reduction, uint32_t leaf) {
  FoldResult result = {.proof = proof, .leaf = leaf, .inputs = reduction->operand_count / 2};
  const Instruction *root = reduction->called_count == 1 ? reduction->called[0]->root : nullptr;
  if (root == nullptr) return result;
  if (shape_is_array(root->shape)) result.root = root;
  else if (root->opcode == HLO_TUPLE && leaf < root->operand_count)
    result.root = root->operands[leaf];
  return result;
}

static bool is_entered(const Instruction *instruction) {
  return opcode_group(instruction->opcode) == GROUP_call && instruction->called_count == 1 &&
         shape_is_array(instruction->shape);
}

/* The result in place of a call or a fusion, and the caller's operand in place of a parameter.
 * After too many steps it is any of these, which is no operation and no parameter of the function.
 */
static FoldNode fold_node(
    const FoldResult *result, const CallSite *frame, const Instruction *instruction) {
  uint32_t operand;
  for (uint32_t steps = 0; steps < 64; steps++)
    if (is_entered(instruction)) {
      frame = proof_frame(result->proof, frame, instruction);
      instruction = instruction->called[0]->root;
    } else if (frame != nullptr && instruction->opcode == HLO_PARAMETER &&
               frame_operand(frame, instruction, &operand)) {
      instruction = frame->caller->operands[operand];
      frame = frame->outer;
    } else break;
  return (FoldNode){frame, instruction};
}

static FoldNode node_operand(const FoldResult *result, const FoldNode *node, uint32_t at) {
  return fold_node(result, node->frame, node->instruction->operands[at]);
}

/* Whether these are the leaf's accumulator and the leaf's input, in any order. */
static bool are_both_parameters(const FoldResult *result, FoldNode one, FoldNode other) {
  const Instruction *a = one.instruction, *b = other.instruction;
  if (a->opcode != HLO_PARAMETER || b->opcode != HLO_PARAMETER || one.frame != nullptr ||
      other.frame != nullptr)
    return false;
  int64_t least = a->number < b->number ? a->number : b->number,
          most = a->number < b->number ? b->number : a->number;
  return least == result->leaf && most == result->leaf + result->inputs;
}

static bool operands_are_both(const FoldResult *result, const FoldNode *node, uint32_t first) {
  return are_both_parameters(
      result, node_operand(result, node, first), node_operand(result, node, first + 1));
}

/* Whether each value of the integral type `part` is one of the integral type `whole`. */
static bool integers_include(ElementType whole, ElementType part) {
  uint32_t bits = element_type_bits(whole),
           part_bits = part == TYPE_pred ? 1 : element_type_bits(part);
  if (whole == TYPE_pred || part == whole) return part == whole;
  if (element_type_is_signed(part)) return element_type_is_signed(whole) && bits >= part_bits;
  return bits >= part_bits + element_type_is_signed(whole);
}

/* Whether a fold of elements of type `kept` keeps its values in this type, apart from rounding.
 * Floats below 16 bits are too narrow: a partial sum may saturate there. */
static bool type_suits_fold(ElementType type, ElementType kept) {
  if (type == kept) return true;
  if (element_type_is_integral(kept))
    return element_type_is_integral(type) && integers_include(type, kept);
  if (element_type_is_complex(kept)) return element_type_is_complex(type);
  return element_type_is_floating(type) && element_type_bits(type) >= 16;
}

/* Whether the operation rounds to a float that has at least the exponent of f16 and the significand
 * of bf16. */
static bool reduces_precision_little(const Instruction *operation) {
  int64_t exponent, mantissa;
  return operation->opcode == HLO_REDUCE_PRECISION &&
         attribute_number(operation, "exponent_bits", &exponent) && exponent >= 5 &&
         attribute_number(operation, "mantissa_bits", &mantissa) && mantissa >= 7;
}

static bool is_harmless_conversion(const Instruction *instruction, ElementType kept) {
  return (instruction->opcode == HLO_CONVERT || reduces_precision_little(instruction)) &&
         type_suits_fold(instruction->shape->type, kept);
}

/* The node before conversions that keep the values of a fold of this type. */
static FoldNode before_conversions(const FoldResult *result, FoldNode node, ElementType kept) {
  while (is_harmless_conversion(node.instruction, kept)) node = node_operand(result, &node, 0);
  return node;
}

/* The root of the function before such conversions to its own type. */
static FoldNode converted_root(const FoldResult *result, ElementType *kept) {
  *kept = result->root->shape->type;
  return before_conversions(result, fold_node(result, nullptr, result->root), *kept);
}

/* Whether the function is an operation that commutes, of both parameters, which may be converted.
 * Its result may be converted too. */
static bool fold_combines_both(const FoldResult *result) {
  ElementType kept;
  FoldNode root = converted_root(result, &kept);
  const Instruction *operation = root.instruction;
  return opcode_exchanges(operation->opcode) && operation->operand_count == 2 &&
         type_suits_fold(operation->shape->type, kept) &&
         are_both_parameters(result,
             before_conversions(result, node_operand(result, &root, 0), kept),
             before_conversions(result, node_operand(result, &root, 1), kept));
}

static bool is_ordering_comparison(const Instruction *instruction) {
  static const char *const directions[] = {"GT", "GE", "LT", "LE"};
  if (instruction->opcode != HLO_COMPARE) return false;
  const Attribute *direction = instruction_attribute(instruction, "direction");
  for (size_t i = 0; i < sizeof directions / sizeof *directions && direction != nullptr; i++)
    if (strcmp(direction->text, directions[i]) == 0) return true;
  return false;
}

/* Whether the function is an extremum of integers, written as a select. Of floats it is none: equal
 * ones may be zeros of different signs, and a NaN is in no order. */
static bool fold_picks_extremum(const FoldResult *result) {
  ElementType kept;
  FoldNode root = converted_root(result, &kept);
  if (root.instruction->opcode != HLO_SELECT ||
      !element_type_is_integral(root.instruction->shape->type))
    return false;
  FoldNode comparison = node_operand(result, &root, 0);
  return is_ordering_comparison(comparison.instruction) &&
         operands_are_both(result, &comparison, 0) && operands_are_both(result, &root, 1);
}

/* Whether laws of the grade state that the function commutes and associates. Conversions of
 * integers change nothing here, since the result has the arguments' type. Those of floats round,
 * also in an extremum. */
static bool fold_regroups(ValuesProof *proof, const Fold *fold, const FoldResult *result) {
  ElementType kept;
  Opcode opcode;
  bool is_exchanged;
  if (fold_picks_extremum(result)) return true;
  if (!fold_combines_both(result)) return false;
  FoldNode root = converted_root(result, &kept);
  bool may_round =
      !element_type_is_integral(kept) && !fold_operation(fold->instruction, &opcode, &is_exchanged);
  return (!may_round || proof->grade >= LAW_FAST) &&
         law_regroups(proof, root.instruction->opcode, kept);
}

bool fold_is_sequence(ValuesProof *proof, const Fold *fold, uint32_t leaf, bool is_padded) {
  assert(fold_is_well_formed(proof->sums, fold));
  if (fold->is_product) return false;
  FoldResult result = fold_result_of(proof, fold->instruction, leaf);
  if (result.root == nullptr || (!fold_combines_both(&result) && !fold_picks_extremum(&result)))
    return true;
  return is_padded && !fold_regroups(proof, fold, &result);
}

/* The row-major position of a tuple whose variables have these values. */
static Sum tuple_position(ValuesProof *proof, const Fold *fold, const Sum *values, bool *is_known) {
  assert(fold_is_well_formed(proof->sums, fold));
  Sum position = sum_of_constant(proof->sums, 0);
  Wide stride = 1;
  *is_known = true;
  for (uint32_t i = fold->count; i-- > 0;) {
    position = sum_add(proof->sums, position, sum_scale(proof->sums, values[i], stride));
    stride *= fold->sizes[i];
    if (stride > (Wide)1 << 62) *is_known = false;
    if (!*is_known) return position;
  }
  return position;
}

bool meeting_keeps_order(
    ValuesProof *proof, const Given *given, const Fold *a, const Fold *b, const Meeting *meeting) {
  assert(given_is_canonical(proof->sums, given));
  bool is_known, is_other_known, was_quiet = proof->is_quiet;
  Sum position = tuple_position(proof, a, a->variables, &is_known),
      other = tuple_position(proof, b, meeting->to_b, &is_other_known);
  if (!is_known || !is_other_known) return false;
  Given with = given_copy(proof, given);
  given_add_all(proof, &with, &a->given.withins);
  with.is_empty |= a->given.is_empty;
  proof->is_quiet = true;
  Same same = given_equal(proof, &with, 1, &position, &other);
  proof->is_quiet = was_quiet;
  return same == SAME_YES;
}
