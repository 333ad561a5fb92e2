/* Elementwise operations: all operands have the sizes of the result; only the predicate of select
 * and the bounds of clamp may be scalars. Element types are those of the operands, unless the
 * operation has its own; floating-point operands may differ in precision. */

#include <string.h>

#include "core/hlo/verify/check.h"

typedef enum ElementClass : uint8_t {
  CLASS_pred = 1,
  CLASS_signed = 2,
  CLASS_unsigned = 4,
  CLASS_floating = 8,
  CLASS_complex = 16
} ElementClass;

/* By opcode; without a row 0, for every type. */
static const struct {
  uint8_t classes;
  const char *words;
} types_taken[opcode_count] = {
#define ROW(id, classes, words) [HLO_##id] = {classes, words},
#define TAKES(...) ROW(__VA_ARGS__)
#include "core/hlo/verify/element_types.def"
#undef TAKES
#undef ROW
};

static uint8_t element_class(ElementType type) {
  if (type == TYPE_pred) return CLASS_pred;
  if (element_type_is_integral(type))
    return element_type_is_signed(type) ? CLASS_signed : CLASS_unsigned;
  if (element_type_is_floating(type)) return CLASS_floating;
  return element_type_is_complex(type) ? CLASS_complex : 0;
}

static bool check_type_is_taken(const Check *check) {
  Opcode opcode = check->instruction->opcode;
  ElementType type = operand_shape(check, 0)->type;
  uint8_t taken = types_taken[opcode].classes;
  return taken == 0 || (element_class(type) & taken) != 0 ||
         check_fail(check, "operand 0 has element type %s, not %s", element_type_name(type),
             types_taken[opcode].words);
}

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

static ElementType real_part(ElementType type) {
  return type == TYPE_c64 ? TYPE_f32 : type == TYPE_c128 ? TYPE_f64 : type;
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

/* `dimensions`, if written, names every dimension of the operands, in order. */
static bool check_mapped_dimensions(const Check *check) {
  static const char name[] = "dimensions";
  uint32_t rank = operand_shape(check, 0)->rank;
  Ints dimensions = check->instruction->dimensions;
  bool is_written =
      dimensions.count > 0 || instruction_attribute(check->instruction, name) != nullptr;
  return !is_written || (check_count(check, name, dimensions.count, rank) &&
                            check_dimensions(check, name, dimensions, rank) &&
                            check_increasing(check, name, dimensions));
}

static bool mapped_type(const Check *check, ElementType *type) {
  const Computation *computation;
  if (!check_mapped_dimensions(check) || !check_called_once(check, "to_apply", &computation) ||
      !check_scalar_parameters(check, computation, check->instruction->operand_count)) {
    return false;
  }
  for (uint32_t i = 0; i < check->instruction->operand_count; i++)
    if (!check_parameter_takes(check, computation, i, i)) return false;
  *type = computation->root->shape->type;
  return (shape_is_array(computation->root->shape) && computation->root->shape->rank == 0) ||
         check_fail(check, "the root of computation '%.60s' is not a scalar", computation->name);
}

/* A complex number has no conversion to a real one; its parts are `real` and `imag`. */
static bool check_conversion(const Check *check) {
  ElementType from = operand_shape(check, 0)->type;
  const Shape *shape = check->instruction->shape;
  return check->instruction->opcode != HLO_CONVERT || shape == nullptr ||
         !element_type_is_complex(from) || element_type_is_complex(shape->type) ||
         check_fail(check, "from %s to %s, which is no complex type", element_type_name(from),
             element_type_name(shape->type));
}

/* The result type of an operation with one operand of type `type`. */
static ElementType unary_type(const Instruction *instruction, ElementType type) {
  Opcode opcode = instruction->opcode;
  if (opcode == HLO_IS_FINITE) return TYPE_pred;
  if (opcode == HLO_CONVERT && instruction->shape != nullptr) return instruction->shape->type;
  bool takes_part = opcode == HLO_REAL || opcode == HLO_IMAG || opcode == HLO_ABS;
  return takes_part ? real_part(type) : type;
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
  if (!check_type_is_taken(check)) return false;
  if (opcode == HLO_MAP) return mapped_type(check, type);
  if (opcode == HLO_SELECT) return selected_type(check, type);
  if (opcode == HLO_COMPLEX) return complex_of(check, type);
  if (opcode == HLO_STOCHASTIC_CONVERT) return stochastic_type(check, type);
  if (check->instruction->operand_count == 1) {
    *type = unary_type(check->instruction, *type);
    return check_conversion(check);
  }
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
  if (!make_bounded(check, type, sizes->rank, sizes->sizes, bounds, shape)) return false;
  /* Of the shapes that XLA infers here, only that of a map has no layout of an operand. */
  if (instruction->shape == nullptr && instruction->opcode != HLO_MAP)
    *shape = shape_with_layout_of(check->arena, *shape, sizes);
  return true;
}
