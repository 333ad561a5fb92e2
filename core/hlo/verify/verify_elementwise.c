/* Elementwise operations: all operands have the sizes of the result; only the predicate of select
 * and the bounds of clamp may be scalars. Element types are those of the operands, unless the
 * operation has its own; floating-point operands may differ in precision. */

#include <string.h>

#include "core/hlo/verify/check.h"

static bool may_be_scalar(Opcode opcode, uint32_t operand) {
  return (opcode == HLO_SELECT && operand == 0) || (opcode == HLO_CLAMP && operand != 1);
}

static bool check_sizes(const Check *check, uint32_t model) {
  const Instruction *instruction = check->instruction;
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    if (may_be_scalar(instruction->opcode, i) && operand_shape(check, i)->rank == 0) continue;
    if (!check_same_sizes(check, model, i)) return false;
  }
  return true;
}

static bool is_type(const Check *check, uint32_t operand, ElementType wanted) {
  ElementType type = operand_shape(check, operand)->type;
  return type == wanted || check_fail(check, "operand %u has element type %s, not %s", operand,
                               element_type_name(type), element_type_name(wanted));
}

static bool real_part(const Check *check, ElementType type, ElementType *real) {
  *real = type == TYPE_c64 ? TYPE_f32 : type == TYPE_c128 ? TYPE_f64 : type;
  bool has_parts = *real != type || element_type_is_floating(type);
  return has_parts ||
         check_fail(check, "operand 0 has element type %s, not a floating-point or complex one",
             element_type_name(type));
}

static bool complex_of(const Check *check, ElementType *type) {
  ElementType part = operand_shape(check, 0)->type;
  if (!check_same_types(check, 0, 1)) return false;
  *type = part == TYPE_f32 ? TYPE_c64 : TYPE_c128;
  return part == TYPE_f32 || part == TYPE_f64 ||
         check_fail(
             check, "operand 0 has element type %s, not f32 or f64", element_type_name(part));
}

static bool all_same_type(const Check *check, uint32_t from) {
  for (uint32_t i = from + 1; i < check->instruction->operand_count; i++) {
    if (!check_mixing_types(check, from, i)) return false;
  }
  return true;
}

static bool stochastic_type(const Check *check, ElementType *type) {
  ElementType value = operand_shape(check, 0)->type, random = operand_shape(check, 1)->type;
  *type = check->instruction->shape == nullptr ? value : check->instruction->shape->type;
  bool fits = element_type_is_integral(random) && !element_type_is_signed(random) &&
              random != TYPE_pred && element_type_bits(random) == element_type_bits(value);
  return fits || check_fail(check,
                     "operand 1 has element type %s, not the unsigned one of operand 0's width",
                     element_type_name(random));
}

static bool mapped_type(const Check *check, ElementType *type) {
  const Computation *computation;
  if (!check_called_once(check, "to_apply", &computation) ||
      !check_scalar_parameters(check, computation, check->instruction->operand_count)) {
    return false;
  }
  *type = computation->root->shape->type;
  return (shape_is_array(computation->root->shape) && computation->root->shape->rank == 0) ||
         check_fail(check, "the root of computation '%.60s' is not a scalar", computation->name);
}

static bool is_complex(ElementType type) { return type == TYPE_c64 || type == TYPE_c128; }

/* The result type of an operation with one operand, if it is not the operand's type. */
static bool unary_type(const Check *check, ElementType *type) {
  Opcode opcode = check->instruction->opcode;
  const Shape *declared = check->instruction->shape;
  if (opcode == HLO_IS_FINITE) *type = TYPE_pred;
  if (opcode == HLO_CONVERT && declared != nullptr) *type = declared->type;
  bool takes_part =
      opcode == HLO_REAL || opcode == HLO_IMAG || (opcode == HLO_ABS && is_complex(*type));
  return !takes_part || real_part(check, *type, type);
}

static bool selected_type(const Check *check, ElementType *type) {
  *type = operand_shape(check, 1)->type;
  return is_type(check, 0, TYPE_pred) && all_same_type(check, 1);
}

/* Checks a comparison's direction and its stated type, which is that of the operands' elements or,
 * for floats, also TOTALORDER. */
static bool compared_type(const Check *check, ElementType of) {
  static const char *const directions[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  const Attribute *direction = instruction_attribute(check->instruction, "direction"),
                  *type = instruction_attribute(check->instruction, "type");
  bool is_known = direction == nullptr;
  for (size_t i = 0; direction != nullptr && i < sizeof directions / sizeof *directions; i++)
    is_known = is_known || strcmp(direction->text, directions[i]) == 0;
  if (!is_known)
    return check_fail(check, "no comparison has the direction '%.60s'", direction->text);
  bool is_integral = element_type_is_integral(of);
  const char *own = !is_integral ? "FLOAT" : element_type_is_signed(of) ? "SIGNED" : "UNSIGNED";
  return type == nullptr || strcmp(type->text, own) == 0 ||
         (!is_integral && strcmp(type->text, "TOTALORDER") == 0) ||
         check_fail(
             check, "a comparison of %s is not of type '%.60s'", element_type_name(of), type->text);
}

/* The element type of the result: by default the operands' type. */
static bool result_type(const Check *check, ElementType *type) {
  Opcode opcode = check->instruction->opcode;
  *type = operand_shape(check, 0)->type;
  if (opcode == HLO_MAP) return mapped_type(check, type);
  if (opcode == HLO_SELECT) return selected_type(check, type);
  if (opcode == HLO_COMPLEX) return complex_of(check, type);
  if (opcode == HLO_STOCHASTIC_CONVERT) return stochastic_type(check, type);
  if (check->instruction->operand_count == 1) return unary_type(check, type);
  if (opcode != HLO_COMPARE) return all_same_type(check, 0);
  if (!all_same_type(check, 0) || !compared_type(check, *type)) return false;
  *type = TYPE_pred;
  return true;
}

bool infer_elementwise(const Check *check, const Shape **shape) {
  const Instruction *instruction = check->instruction;
  bool is_copy = instruction->opcode == HLO_COPY;
  if (is_copy && (!shape_is_array(operand_shape(check, 0)) || operand_shape(check, 0)->is_buffer)) {
    *shape = operand_shape(check, 0);
    return true;
  }
  uint32_t model = instruction->opcode == HLO_SELECT || instruction->opcode == HLO_CLAMP ? 1 : 0;
  ElementType type;
  if (!check_arrays(check) || !check_sizes(check, model) || !result_type(check, &type))
    return false;
  const Shape *sizes = operand_shape(check, model);
  bool *bounds = dimension_set(check, sizes->rank);
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    if (operand_shape(check, i)->rank == sizes->rank) bounds_add(bounds, operand_shape(check, i));
  return make_bounded(check, type, sizes->rank, sizes->sizes, bounds, shape);
}
