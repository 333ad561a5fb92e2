/* The scalar functions of reductions, scatters, maps and sorts: how many scalars of which types
 * they take and return. As in XLA's shape inference, floating-point types may differ in precision,
 * but what a reducer returns is what it takes for the values reduced so far. */
#include "core/hlo/verify/check.h"

static const Shape *returned(const Computation *reducer, uint32_t inputs, uint32_t i) {
  const Shape *root = reducer->root->shape;
  return inputs == 1 && !shape_is_tuple(root) ? root : root->elements[i];
}

static bool check_returned(const Check *check, const Computation *reducer, uint32_t inputs) {
  const Shape *root = reducer->root->shape;
  if (shape_leaf_count(root) != inputs) {
    return check_fail(check, "computation '%.60s' returns %s for %s", reducer->name,
        shape_words(check, root), counted(inputs, "input"));
  }
  for (uint32_t i = 0; i < inputs; i++) {
    const Shape *leaf = returned(reducer, inputs, i);
    if (!shape_is_array(leaf) || leaf->rank != 0) {
      return check_fail(check, "computation '%.60s' returns %s, not scalars", reducer->name,
          shape_words(check, root));
    }
    if (leaf->type != reducer->parameters[i]->shape->type)
      return check_fail(check, "computation '%.60s' accepts %s as parameter %u but returns %s",
          reducer->name, shape_words(check, reducer->parameters[i]->shape), i,
          shape_words(check, leaf));
  }
  return true;
}

bool check_parameter_takes(
    const Check *check, const Computation *computation, uint32_t parameter, uint32_t operand) {
  ElementType taken = computation->parameters[parameter]->shape->type,
              given = operand_shape(check, operand)->type;
  return element_type_mixes(taken, given) ||
         check_fail(check, "parameter %u of computation '%.60s' is %s, operand %u has elements %s",
             parameter, computation->name, element_type_name(taken), operand,
             element_type_name(given));
}

bool check_returns_pred(const Check *check, const Computation *computation) {
  const Shape *root = computation->root->shape;
  return (shape_is_array(root) && root->rank == 0 && root->type == TYPE_pred) ||
         check_fail(check, "computation '%.60s' returns %s, not pred[]", computation->name,
             shape_words(check, root));
}

bool check_reducer(const Check *check, const char *role, const ReducerOperands *operands,
    const Computation **reducer) {
  uint32_t inputs = operands->count;
  if (!check_called_once(check, role, reducer) ||
      !check_scalar_parameters(check, *reducer, 2 * inputs) ||
      !check_returned(check, *reducer, inputs))
    return false;
  for (uint32_t i = 0; i < inputs; i++) {
    if (!check_parameter_takes(check, *reducer, i, operands->starts + i) ||
        !check_parameter_takes(check, *reducer, inputs + i, operands->values + i))
      return false;
    ElementType sum = (*reducer)->parameters[i]->shape->type,
                value = (*reducer)->parameters[inputs + i]->shape->type;
    if (!element_type_mixes(sum, value))
      return check_fail(check, "parameters %u and %u of computation '%.60s' are %s and %s", i,
          inputs + i, (*reducer)->name, element_type_name(sum), element_type_name(value));
  }
  return true;
}
