/* Tries to zero all inputs, then halves of them, then smaller and smaller parts. Parts that can be
 * zero without making the values equal stay zero. So few inputs remain after few evaluations. */
#include "oracle/values/witness.h"

static constexpr uint32_t most_shown = 64;
static constexpr uint64_t most_steps = 20'000'000; /* of all trials together */

typedef struct WitnessAtoms {
  Term *items;
  uint32_t count, capacity;
} WitnessAtoms;

typedef struct Witness {
  Evaluation *evaluation;
  uint8_t *seen;
  WitnessAtoms atoms;
} Witness;

static bool is_zero(const Element *value) {
  return element_type_is_integral(value->type) ? value->integer == 0 : value->real == 0;
}

/* Collects inputs that are not zero; of a pick and of what is looked up, those of the offsets and
 * of the selected candidate. */
static void collect_atoms(Witness *witness, Term term) {
  Evaluation *evaluation = witness->evaluation;
  const TermData *data = term_data(evaluation->terms, term);
  if (witness->seen[term]) return;
  witness->seen[term] = 1;
  if (data->kind == TERM_PICK) {
    Term picked;
    if (!evaluation_picked(evaluation, term, &picked)) return;
    collect_atoms(witness, term_children(evaluation->terms, term)[0]);
    collect_atoms(witness, picked);
    return;
  }
  LookedUp found;
  if (data->kind == TERM_APPLY && evaluation_looked_up(evaluation, term, &found)) {
    for (uint32_t i = 0; i < found.count; i++)
      if (found.offsets[i] != no_term) collect_atoms(witness, found.offsets[i]);
    collect_atoms(witness, found.element);
    return;
  }
  for (uint32_t i = 0; i < data->count; i++)
    collect_atoms(witness, term_children(evaluation->terms, term)[i]);
  if (data->kind != TERM_ATOM || signature_at(evaluation->terms, data->signature)->is_nan) return;
  Element value = evaluation_atom(evaluation, term);
  if (!is_zero(&value)) *ARENA_PUSH(evaluation->arena, &witness->atoms) = term;
}

static Witness witness_collect(Evaluation *evaluation, Term before, Term after) {
  Witness witness = {.evaluation = evaluation,
      .seen = ARENA_NEW(evaluation->arena, uint8_t, evaluation->capacity)};
  collect_atoms(&witness, before);
  collect_atoms(&witness, after);
  return witness;
}

/* Zeroes the atoms `from` .. `to` - 1, or resets them. */
static void set_zeros(Witness *witness, uint32_t from, uint32_t to, bool is_zeroed) {
  for (uint32_t i = from; i < to; i++)
    witness->evaluation->zeros[witness->atoms.items[i]] = is_zeroed;
  witness->evaluation->round++;
}

static bool still_differ(Evaluation *evaluation, Term before, Term after, ElementsDiffer *differ) {
  Element one = evaluate_term(evaluation, before), other = evaluate_term(evaluation, after);
  return evaluation->steps <= evaluation->most_steps && differ(&one, &other) &&
         evaluation_refutes(evaluation);
}

/* Tries parts of `size` atoms; atoms that must remain are moved to the front. */
static void drop_parts(
    Witness *witness, uint32_t size, Term before, Term after, ElementsDiffer *differ) {
  WitnessAtoms *atoms = &witness->atoms;
  uint32_t kept = 0;
  for (uint32_t at = 0; at < atoms->count; at += size) {
    uint32_t end = atoms->count - at < size ? atoms->count : at + size;
    set_zeros(witness, at, end, true);
    if (still_differ(witness->evaluation, before, after, differ)) continue;
    set_zeros(witness, at, end, false);
    for (uint32_t i = at; i < end; i++) atoms->items[kept++] = atoms->items[i];
  }
  atoms->count = kept;
}

void evaluation_use_few_inputs(
    Evaluation *evaluation, Term before, Term after, ElementsDiffer *differ) {
  uint64_t steps = evaluation->steps, limit = evaluation->most_steps;
  Witness witness = witness_collect(evaluation, before, after);
  evaluation->zeros = ARENA_NEW(evaluation->arena, uint8_t, evaluation->capacity);
  evaluation->steps = 0;
  evaluation->most_steps = most_steps;
  for (uint32_t size = witness.atoms.count; size > 0 && evaluation->steps <= most_steps;) {
    drop_parts(&witness, size, before, after, differ);
    uint32_t next = (size < witness.atoms.count ? size : witness.atoms.count) / 2;
    size = next == 0 && size > 1 && witness.atoms.count > 0 ? 1 : next;
  }
  evaluation->steps = steps;
  evaluation->most_steps = limit;
}

static void bind_atom(Evaluation *evaluation, Term atom, Bindings *at) {
  Text name = text_create(evaluation->arena), digits = text_create(evaluation->arena);
  terms_print(&name, evaluation->terms, atom, 1);
  element_print(&digits, evaluation_atom(evaluation, atom));
  bindings_text(evaluation->arena, at, name.bytes, digits.bytes);
}

Bindings evaluation_inputs(Evaluation *evaluation, Term before, Term after, const char **sentence) {
  Bindings at = {};
  Witness witness = witness_collect(evaluation, before, after);
  for (uint32_t i = 0; i < witness.atoms.count; i++)
    bind_atom(evaluation, witness.atoms.items[i], &at);
  Bindings shown = at;
  if (shown.count > most_shown) shown.count = most_shown;
  Text text = text_create(evaluation->arena);
  bindings_print(&text, &shown);
  if (at.count == 0) text_string(&text, "every input that is read is zero");
  if (at.count > most_shown)
    text_printf(&text, ", and %u more that are not zero", at.count - most_shown);
  *sentence = text.bytes;
  return at;
}
