/* The verifier's messages and small checks. */
#include "core/hlo/verify/check.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static const Attribute *check_location_of(const Check *check, const char *attribute) {
  return attribute == nullptr ? nullptr : instruction_attribute(check->instruction, attribute);
}

void check_fail_from(const Check *check, const char *attribute, const char *code_file,
    int code_line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = arena_write(check->arena, format, arguments);
  va_end(arguments);
  const Instruction *instruction = check->instruction;
  const char *opcode = opcode_name(instruction->opcode);
  if (check->source == nullptr) {
    error_set_from(check->error, ERROR_INPUT, code_file, code_line, "%.60s: %s: %s",
        instruction->name == nullptr ? "?" : instruction->name, opcode, message);
    return;
  }
  const Attribute *location = check_location_of(check, attribute);
  error_at_from(check->error, ERROR_INPUT, check->source,
      location == nullptr ? instruction->offset : location->offset,
      strlen(location == nullptr ? instruction->name : location->name), code_file, code_line,
      "%s: %s", opcode, message);
}

const char *shape_words(const Check *check, const Shape *shape) {
  static constexpr size_t longest = 90;
  Text text = text_create(check->arena);
  shape_print(&text, shape);
  if (text.length > longest) memcpy(text.bytes + longest - 3, "...", 4);
  return text.bytes;
}

bool check_array(const Check *check, uint32_t operand) {
  const Shape *shape = operand_shape(check, operand);
  if (shape_is_array(shape)) return true;
  return check_fail(check, "operand %u is %s, not an array", operand, shape_words(check, shape));
}

bool check_arrays(const Check *check) {
  for (uint32_t i = 0; i < check->instruction->operand_count; i++) {
    if (!check_array(check, i)) return false;
  }
  return true;
}

bool check_scalar(const Check *check, uint32_t operand) {
  const Shape *shape = operand_shape(check, operand);
  if (shape_is_array(shape) && shape->rank == 0) return true;
  return check_fail(check, "operand %u is %s, not a scalar", operand, shape_words(check, shape));
}

bool check_same_sizes(const Check *check, uint32_t a, uint32_t b) {
  const Shape *first = operand_shape(check, a), *second = operand_shape(check, b);
  if (shape_same_sizes(first, second)) return true;
  return check_fail(check, "operands %u and %u differ in size: %s and %s", a, b,
      shape_words(check, first), shape_words(check, second));
}

bool check_same_types(const Check *check, uint32_t a, uint32_t b) {
  ElementType first = operand_shape(check, a)->type, second = operand_shape(check, b)->type;
  if (first == second) return true;
  return check_fail(check, "operands %u and %u differ in element type: %s and %s", a, b,
      element_type_name(first), element_type_name(second));
}

static bool check_states_type(const Check *check, ElementType first, ElementType second) {
  return check->instruction->shape != nullptr || first == second ||
         check_fail(check, "the shape is missing, for operands of %s and %s",
             element_type_name(first), element_type_name(second));
}

bool check_mixing_types(const Check *check, uint32_t a, uint32_t b) {
  ElementType first = operand_shape(check, a)->type, second = operand_shape(check, b)->type;
  return element_type_mixes(first, second) ? check_states_type(check, first, second)
                                           : check_same_types(check, a, b);
}

bool check_contracted_types(const Check *check) {
  return check_states_type(check, operand_shape(check, 0)->type, operand_shape(check, 1)->type);
}

bool *dimension_set(const Check *check, uint32_t rank) {
  return ARENA_NEW(check->arena, bool, rank);
}

void dimension_set_add(bool *set, Ints dimensions) {
  for (uint32_t i = 0; i < dimensions.count; i++) set[dimensions.values[i]] = true;
}

bool check_dimensions(const Check *check, const char *name, Ints dimensions, uint32_t rank) {
  assert(dimensions.count == 0 || dimensions.values != nullptr);
  bool *seen = dimension_set(check, rank);
  for (uint32_t i = 0; i < dimensions.count; i++) {
    int64_t dimension = dimensions.values[i];
    if (dimension < 0 || dimension >= rank) {
      return check_fail_at(
          check, name, "%s names dimension %" PRId64 " of rank %u", name, dimension, rank);
    }
    if (seen[dimension]) {
      return check_fail_at(check, name, "%s names dimension %" PRId64 " twice", name, dimension);
    }
    seen[dimension] = true;
  }
  return true;
}

bool check_count(const Check *check, const char *name, uint32_t count, uint32_t wanted) {
  if (count == wanted) return true;
  return check_fail_at(check, name, "%s has %s, not %u", name, counted(count, "entry"), wanted);
}

bool check_increasing(const Check *check, const char *name, Ints dimensions) {
  for (uint32_t i = 1; i < dimensions.count; i++) {
    if (dimensions.values[i - 1] < dimensions.values[i]) continue;
    return check_fail_at(check, name, "%s is not in increasing order", name);
  }
  return true;
}

bool check_one_dimension(const Check *check, uint32_t rank, uint32_t *dimension) {
  Ints dimensions = check->instruction->dimensions;
  if (!check_count(check, "dimensions", dimensions.count, 1) ||
      !check_dimensions(check, "dimensions", dimensions, rank)) {
    return false;
  }
  *dimension = (uint32_t)dimensions.values[0];
  return true;
}

bool make_array(const Check *check, ElementType type, uint32_t rank, const int64_t *sizes,
    const Shape **shape) {
  Error error = {};
  return shape_array(check->arena, type, rank, sizes, shape, &error) ||
         check_fail(check, "%s", error.message);
}

bool make_bounded(const Check *check, ElementType type, uint32_t rank, const int64_t *sizes,
    const bool *bounds, const Shape **shape) {
  if (!make_array(check, type, rank, sizes, shape)) return false;
  *shape = shape_with_bounds(check->arena, *shape, bounds);
  return true;
}

void bounds_add(bool *bounds, const Shape *operand) {
  for (uint32_t i = 0; i < operand->rank; i++) bounds[i] |= shape_has_bound(operand, i);
}

const Shape *make_result(const Check *check, uint32_t count, const Shape *const *shapes) {
  return count == 1 ? shapes[0] : shape_tuple(check->arena, count, shapes);
}

const Computation *called_as(const Instruction *instruction, const char *role) {
  for (uint32_t i = 0; i < instruction->called_count; i++) {
    if (strcmp(instruction->called_roles[i], role) == 0) return instruction->called[i];
  }
  return nullptr;
}

bool check_called_once(const Check *check, const char *role, const Computation **computation) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < check->instruction->called_count; i++) {
    count += strcmp(check->instruction->called_roles[i], role) == 0;
  }
  *computation = called_as(check->instruction, role);
  if (count == 1 && *computation != nullptr) return true;
  return check_fail(
      check, count > 1 ? "%s names more than one computation" : "%s is missing", role);
}

bool check_scalar_parameters(const Check *check, const Computation *computation, uint32_t count) {
  if (computation->parameter_count != count) {
    return check_fail(check, "computation '%.60s' has %s, not %u", computation->name,
        counted(computation->parameter_count, "parameter"), count);
  }
  for (uint32_t i = 0; i < count; i++) {
    const Shape *shape = computation->parameters[i]->shape;
    if (shape_is_array(shape) && shape->rank == 0) continue;
    return check_fail(check, "parameter %u of computation '%.60s' is %s, not a scalar", i,
        computation->name, shape_words(check, shape));
  }
  return true;
}
