/* The oracle's terms are the judge of values. A leaf of another element type in the two graphs is
 * unknown: its values do not stand for each other. */
#include "judge/graphs/equiv_values.h"

#include "judge/graphs/equiv_call.h"

const char *equiv_values_text(ValuesAnswer answer) {
  static const char *const texts[] = {
#define ANSWER(id, text, status, help) [VALUES_##id] = text,
#include "judge/graphs/equiv_values.def"
#undef ANSWER
  };
  return texts[answer];
}

Status equiv_values_status(ValuesAnswer answer) {
  static constexpr Status statuses[] = {
#define ANSWER(id, text, status, help) [VALUES_##id] = STATUS_##status,
#include "judge/graphs/equiv_values.def"
#undef ANSWER
  };
  return statuses[answer];
}

bool equiv_values_create(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, EquivValues *values, Error *error) {
  if (!equiv_entries_match(before, after, error)) return false;
  *values = (EquivValues){.output = before->entry->root->shape,
      .leaf_count = shape_leaf_count(before->entry->root->shape)};
  for (uint32_t i = 0; i < values->leaf_count; i++)
    if (shape_leaf(values->output, i)->type != shape_leaf(after->entry->root->shape, i)->type)
      return error_set(error, ERROR_INPUT, "output leaf %u has another element type after", i);
  for (uint32_t i = 0; i < before->entry->parameter_count; i++)
    if (!shape_compatible(before->entry->parameters[i]->shape, after->entry->parameters[i]->shape))
      return error_set(error, ERROR_INPUT, "parameter %u has another element type after", i);
  values->oracle = oracle_values_create(arena, before->entry, after->entry, limits);
  return true;
}

void equiv_values_ask(const EquivValues *values, uint32_t leaf, ValuesVerdict *verdict) {
  oracle_values_ask(values->oracle, leaf, verdict);
}
