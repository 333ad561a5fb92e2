/* Checks that two entries correspond in parameters and outputs, so that both can be called with the
 * same parameters. */
#include "judge/graphs/equiv_call.h"

#include <assert.h>

#include "core/hlo/caller.h"
#include "judge/graphs/equiv.h"

bool equiv_leaf_is_read(const Shape *shape, uint32_t leaf) {
  const Shape *array = shape_leaf(shape, leaf);
  return shape_is_array(array) && shape_elements(array) != 0;
}

/* Offsets are integers: another integer type has other values. */
static bool same_integers(const Shape *before, const Shape *after) {
  assert(shape_leaf_count(before) == shape_leaf_count(after));
  for (uint32_t i = 0; i < shape_leaf_count(before); i++) {
    const Shape *one = shape_leaf(before, i), *other = shape_leaf(after, i);
    if (!shape_is_array(one) || !shape_is_array(other) || one->type == other->type) continue;
    if (element_type_is_integral(one->type) || element_type_is_integral(other->type)) return false;
  }
  return true;
}

static bool same_parameters(const Computation *before, const Computation *after, Error *error) {
  if (before->parameter_count != after->parameter_count)
    return error_set(error, ERROR_INPUT,
        "%s before, %u after: parameters stand for each other by number",
        counted(before->parameter_count, "parameter"), after->parameter_count);
  for (uint32_t i = 0; i < before->parameter_count; i++)
    if (!shape_same_sizes(before->parameters[i]->shape, after->parameters[i]->shape))
      return error_set(error, ERROR_INPUT,
          "parameter %u has other sizes after ('%s') than before ('%s')", i,
          after->parameters[i]->name, before->parameters[i]->name);
  for (uint32_t i = 0; i < before->parameter_count; i++)
    if (!same_integers(before->parameters[i]->shape, after->parameters[i]->shape))
      return error_set(error, ERROR_INPUT,
          "parameter %u has another element type after ('%s') than before ('%s'): its values are not the same",
          i, after->parameters[i]->name, before->parameters[i]->name);
  return true;
}

bool equiv_entries_match(const Module *before, const Module *after, Error *error) {
  if (before->entry == nullptr || after->entry == nullptr)
    return error_set(error, ERROR_INPUT, "a module without an entry computation");
  if (!same_parameters(before->entry, after->entry, error)) return false;
  if (!shape_same_sizes(before->entry->root->shape, after->entry->root->shape))
    return error_set(error, ERROR_INPUT,
        "the outputs have other sizes after ('%s') than before ('%s')", after->entry->root->name,
        before->entry->root->name);
  return true;
}

bool equiv_create(Judge *judge, Arena *arena, const Module *before, const Module *after,
    Equiv *equiv, Error *error) {
  if (!equiv_entries_match(before, after, error)) return false;
  Computation *caller = caller_create(arena, before->entry);
  *equiv = (Equiv){.judge = judge, .entries = {before->entry, after->entry}};
  equiv->calls[EQUIV_BEFORE] = caller_call(arena, caller, before->entry, "before");
  equiv->calls[EQUIV_AFTER] = caller_call(arena, caller, after->entry, "after");
  return true;
}
