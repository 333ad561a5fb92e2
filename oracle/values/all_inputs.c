/* Lists the inputs of both terms and counts through their values: the first input has the lowest
 * bits of the count. So the first difference has small values. Elements of one array often differ
 * in the names of their inputs alone; terms of the form that was the same before are the same. */
#include "oracle/values/all_inputs.h"

#include <string.h>

#include "core/base/stack.h"

typedef struct InputList {
  Evaluation *evaluation;
  AllInputs *all;
  uint32_t count, bits, terms;
  Term items[all_inputs_most_bits];
  uint32_t widths[all_inputs_most_bits];
  bool has_form; /* false: the terms are too large for it */
  AllInputsForm form;
} InputList;

static bool list_inputs(InputList *list, Term term);

static void write_form(InputList *list, uint64_t item) {
  static constexpr uint32_t most = sizeof list->form.items / sizeof *list->form.items;
  if (list->form.count == most) list->has_form = false;
  else list->form.items[list->form.count++] = item;
}

/* Writes the term by the numbers of its children. */
static void write_term(InputList *list, Term term) {
  const TermData *data = term_data(list->evaluation->terms, term);
  bool is_input = data->kind == TERM_ATOM;
  write_form(list, (uint64_t)data->kind << 32 | data->type);
  write_form(list, is_input ? 0 : (uint64_t)data->signature << 32 | data->count);
  write_form(list, is_input ? 0 : data->payload);
  for (uint32_t i = 0; i < data->count; i++)
    write_form(list, list->all->numbers[term_children(list->evaluation->terms, term)[i]]);
}

static bool list_children(InputList *list, Term term) {
  const Terms *terms = list->evaluation->terms;
  for (uint32_t i = 0; i < term_data(terms, term)->count; i++)
    if (!list_inputs(list, term_children(terms, term)[i])) return false;
  return true;
}

/* False for an opaque input, and for one of too many bits. */
static bool list_atom(InputList *list, Term term) {
  const TermData *data = term_data(list->evaluation->terms, term);
  const TermSignature *of = signature_at(list->evaluation->terms, data->signature);
  uint32_t width = data->type == TYPE_pred ? 1 : element_type_bits(data->type);
  if (of->is_opaque || of->is_body || width > all_inputs_most_bits - list->bits) return false;
  list->bits += width;
  list->items[list->count] = term;
  list->widths[list->count++] = width;
  return true;
}

static bool list_parts(InputList *list, Term term) {
  const Evaluation *evaluation = list->evaluation;
  const TermData *data = term_data(evaluation->terms, term);
  if (data->kind != TERM_TUPLE && !element_type_is_integral(data->type)) return false;
  switch (data->kind) {
    case TERM_ATOM: return list_atom(list, term);
    case TERM_CONSTANT: return true;
    case TERM_APPLY:
      return signature_at(evaluation->terms, data->signature)->sorts == SORTS_NOT &&
             list_children(list, term);
    case TERM_FOLD:
      return evaluation_is_free_of_order(evaluation, term) && list_children(list, term);
    case TERM_TUPLE:
    case TERM_PICK: return list_children(list, term);
    case TERM_ARRAY: break;
  }
  return false;
}

static bool list_inputs(InputList *list, Term term) {
  Evaluation *evaluation = list->evaluation;
  AllInputs *all = list->all;
  if (term >= evaluation->capacity || stack_is_low()) return false;
  if (all->seen[term] == all->comparisons) return true;
  all->seen[term] = all->comparisons;
  if (evaluation->steps++ > evaluation->most_steps || !list_parts(list, term)) return false;
  all->numbers[term] = list->terms++;
  write_term(list, term);
  return true;
}

static bool list_both(InputList *list, Term before, Term after) {
  if (!list_inputs(list, before) || !list_inputs(list, after)) return false;
  write_form(list, (uint64_t)list->all->numbers[before] << 32 | list->all->numbers[after]);
  return true;
}

static bool is_form_of_last(const InputList *list) {
  const AllInputsForm *same = &list->all->same;
  return list->has_form && list->form.count == same->count &&
         memcmp(list->form.items, same->items, same->count * sizeof *same->items) == 0;
}

static void fix_inputs(const InputList *list, uint32_t count) {
  for (uint32_t i = 0; i < list->count; i++) {
    ElementType type = term_data(list->evaluation->terms, list->items[i])->type;
    uint32_t value = count & ((1u << list->widths[i]) - 1);
    list->evaluation->fixed[list->items[i]] = element_of_integer(type, value);
    count >>= list->widths[i];
  }
  list->evaluation->round++;
}

static AllInputsResult compare_listed(InputList *list, Term before, Term after) {
  Evaluation *evaluation = list->evaluation;
  for (uint32_t count = 0; count < 1u << list->bits; count++) {
    fix_inputs(list, count);
    Element one = evaluate_term(evaluation, before), other = evaluate_term(evaluation, after);
    bool is_known = one.is_known && other.is_known && !one.is_coarse && !other.is_coarse;
    if (!is_known) return ALL_INPUTS_UNKNOWN;
    if (one.integer == other.integer) continue;
    return evaluation_refutes(evaluation) ? ALL_INPUTS_DIFFER : ALL_INPUTS_UNKNOWN;
  }
  return ALL_INPUTS_SAME;
}

AllInputs all_inputs_create(Evaluation *evaluation) {
  uint32_t capacity = evaluation->capacity;
  evaluation->fixed = ARENA_NEW(evaluation->arena, Element, capacity);
  return (AllInputs){.evaluation = evaluation,
      .seen = ARENA_NEW(evaluation->arena, uint32_t, capacity),
      .numbers = ARENA_NEW(evaluation->arena, uint32_t, capacity)};
}

AllInputsResult all_inputs_compare(AllInputs *all, Term before, Term after) {
  InputList list = {.evaluation = all->evaluation, .all = all, .has_form = true};
  all->comparisons++;
  if (!list_both(&list, before, after)) return ALL_INPUTS_UNKNOWN;
  if (is_form_of_last(&list)) return ALL_INPUTS_SAME;
  AllInputsResult result = compare_listed(&list, before, after);
  if (result == ALL_INPUTS_DIFFER) return result;
  for (uint32_t i = 0; i < list.count; i++) all->evaluation->fixed[list.items[i]] = (Element){};
  all->evaluation->round++;
  if (result == ALL_INPUTS_SAME && list.has_form) all->same = list.form;
  return result;
}
