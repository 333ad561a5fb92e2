/* Both graphs may have recorded the same term. Equal terms have equal values, so the first record
 * is used. */
#include "oracle/equivalence/lookups.h"

#include "core/base/table.h"

struct Lookups {
  Table by_term;
  const TermLookup *items;
};

static const TermLookup *lookup_of(const Lookups *lookups, Term term) {
  uint32_t item;
  for (TableProbe probe = table_probe(&lookups->by_term, hash_mix(0, term));
      table_next(&lookups->by_term, &probe, &item);)
    if (lookups->items[item].term == term) return &lookups->items[item];
  return nullptr;
}

Lookups *lookups_create(Arena *arena, const TermLookups *recorded) {
  if (recorded == nullptr || recorded->count == 0) return nullptr;
  Lookups *lookups = ARENA_NEW(arena, Lookups, 1);
  lookups->items = recorded->items;
  for (uint32_t i = 0; i < recorded->count; i++)
    if (lookup_of(lookups, recorded->items[i].term) == nullptr)
      table_add(&lookups->by_term, arena, hash_mix(0, recorded->items[i].term), i);
  return lookups;
}

static bool dynamic_element(const TermLookup *lookup, Evaluation *evaluation, LookedUp *found) {
  int64_t values[oracle_max_rank] = {};
  if (!dynamic_offsets(
          lookup->builder, lookup->node, lookup->at.element, &found->count, found->offsets))
    return false;
  for (uint32_t i = 0; i < found->count; i++) {
    if (found->offsets[i] == no_term) continue;
    Element offset = evaluate_term(evaluation, found->offsets[i]);
    if (!offset.is_known || offset.is_coarse || !element_type_is_integral(offset.type))
      return false;
    values[i] = offset.integer;
  }
  return dynamic_candidate(
      lookup->builder, lookup->node, lookup->at.element, values, &found->element);
}

/* The element after as many iterations as the conditions hold. All conditions together are what
 * selects it. */
static bool element_after_loop(const TermLookup *lookup, Evaluation *evaluation, LookedUp *found) {
  static constexpr uint32_t most_conditions = 65;
  Term conditions[most_conditions];
  bool holds = true;
  for (uint32_t trip = 0; holds && trip < most_conditions; trip++) {
    if (!loop_condition_before(lookup->builder, lookup->node, trip, &conditions[trip]))
      return false;
    Element value = evaluate_term(evaluation, conditions[trip]);
    if (!value.is_known || value.is_coarse || value.is_rounded) return false;
    holds = value.integer != 0;
    if (holds) continue;
    Terms *terms = lookup->builder->terms;
    found->count = 1;
    found->offsets[0] = term_make(terms, TERM_TUPLE, TYPE_opaque,
        signature_of(terms, "conditions", "conditions"), 0, trip + 1, conditions);
    return loop_element_before(lookup->builder, lookup->node, trip, &lookup->at, &found->element);
  }
  return false;
}

/* A limit of the builders does not end the evaluation: what they reject has no value. */
bool lookups_find(void *context, Evaluation *evaluation, Term term, LookedUp *found) {
  const TermLookup *lookup = lookup_of(context, term);
  *found = (LookedUp){};
  if (lookup == nullptr) return false;
  Rejection before = *lookup->builder->rejection;
  bool is_loop = lookup->node->instruction->opcode == HLO_WHILE;
  bool is_found = is_loop ? element_after_loop(lookup, evaluation, found)
                          : dynamic_element(lookup, evaluation, found);
  *lookup->builder->rejection = before;
  return is_found;
}
