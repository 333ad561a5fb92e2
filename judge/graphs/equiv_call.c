/* Checks that two entries correspond in parameters and outputs, so that both can be called with the
 * same parameters. */
#include "judge/graphs/equiv_call.h"

#include <assert.h>
#include <stdio.h>

#include "core/hlo/caller.h"
#include "judge/graphs/device_counts.h"
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

/* An error that names both shapes. */
static bool reject_shapes(
    const char *what, const Instruction *before, const Instruction *after, Error *error) {
  Arena *arena = arena_create();
  Text shapes[2] = {text_create(arena), text_create(arena)};
  shape_print(&shapes[0], before->shape);
  shape_print(&shapes[1], after->shape);
  (void)error_set(error, ERROR_INPUT, "%s: %.80s before ('%.40s') and %.80s after ('%.40s')", what,
      shapes[0].bytes, before->name, shapes[1].bytes, after->name);
  arena_destroy(arena);
  return false;
}

static bool reject_parameter(const char *what, const Computation *before, const Computation *after,
    uint32_t number, Error *error) {
  char words[80];
  snprintf(words, sizeof words, "parameters %u of other %s", number, what);
  return reject_shapes(words, before->parameters[number], after->parameters[number], error);
}

static bool same_parameters(const Computation *before, const Computation *after, Error *error) {
  if (before->parameter_count != after->parameter_count)
    return error_set(error, ERROR_INPUT, "%s before, %u after: parameters correspond by number",
        counted(before->parameter_count, "parameter"), after->parameter_count);
  for (uint32_t i = 0; i < before->parameter_count; i++)
    if (!shape_same_sizes(before->parameters[i]->shape, after->parameters[i]->shape))
      return reject_parameter("sizes", before, after, i, error);
  for (uint32_t i = 0; i < before->parameter_count; i++)
    if (!same_integers(before->parameters[i]->shape, after->parameters[i]->shape))
      return reject_parameter("integers, and so of other values", before, after, i, error);
  return true;
}

bool equiv_entries_match(const Module *before, const Module *after, Error *error) {
  if (before->entry == nullptr || after->entry == nullptr)
    return error_set(error, ERROR_INPUT, "a module without an entry computation");
  if (!same_parameters(before->entry, after->entry, error)) return false;
  if (!shape_same_sizes(before->entry->root->shape, after->entry->root->shape))
    return reject_shapes("outputs of other sizes", before->entry->root, after->entry->root, error);
  return true;
}

bool equiv_create(Judge *judge, Arena *arena, const Module *before, const Module *after,
    Equiv *equiv, Error *error) {
  if (!equiv_entries_match(before, after, error)) return false;
  Computation *caller = caller_create(arena, before->entry);
  *equiv = (Equiv){.judge = judge,
      .entries = {before->entry, after->entry},
      .over_counts = instruction_over_counts(before, after)};
  equiv->calls[EQUIV_BEFORE] = caller_call(arena, caller, before->entry, "before");
  equiv->calls[EQUIV_AFTER] = caller_call(arena, caller, after->entry, "after");
  return true;
}
