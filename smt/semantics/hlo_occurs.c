/* The parameters first get the values of the model, then other values, at which operations reach
 * the ends of their range or a value of the model. Facts fix the parameters, the output's index,
 * and each computed value whose operands are fixed. If all values are fixed, the question is asked
 * again. If some are open, two claims are proved: for each of their values the inner piece has a
 * pair, and no such pair is in an outer piece. Alternatively, the same is proved for one of two
 * pairs.
 * Keeps: the facts about values can hold together, since each element is fixed only once. */
#include "smt/semantics/hlo_occurs.h"

#include <assert.h>

#include "core/base/budget.h"
#include "smt/semantics/hlo_reading.h"

static constexpr uint32_t most_pieces = 64, most_paired = 4, most_trials = 40;

typedef struct HloOccursTrial {
  Occurrence *occurrence;
  Sums *sums;
  uint32_t count;    /* atoms when the question was refuted */
  const Wide *model; /* [count] */
  Wide *values;      /* [count] of the trial */
  bool *is_open;     /* [count]: the value, or a part of it, is not fixed */
  Withins facts;
  bool has_open; /* a value of the question is open */
} HloOccursTrial;

static bool atom_is_computed(const Sums *sums, uint32_t at) {
  return sums->atoms[at].kind == ATOM_VALUE && hlo_value_kind(sums, at) != VALUE_OF_PARAMETER;
}

static bool piece_uses(const Sums *sums, const bool *inside, const Piece *piece) {
  for (uint32_t i = 0; i < piece->withins.count; i++)
    if (sum_depends(sums, inside, piece->withins.items[i].sum)) return true;
  return false;
}

/* Whether the question uses one of the atoms that are `inside`. */
static bool question_uses(const Occurrence *occurrence, bool *inside) {
  const Sums *sums = occurrence->work->sums;
  sums_mark_dependent(sums, inside);
  bool uses = piece_uses(sums, inside, occurrence->inner);
  for (uint32_t i = 0; occurrence->outer != nullptr && i < occurrence->outer->count && !uses; i++)
    uses = piece_uses(sums, inside, &occurrence->outer->items[i]);
  return uses;
}

/* ---- exact values ---- */

static bool operands_are_integral(const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    if (!shape_is_array(instruction->operands[i]->shape) ||
        !element_type_is_integral(instruction->operands[i]->shape->type))
      return false;
  return true;
}

/* The value of an operation on constants, or of a constant's element. */
static bool atom_computed(Sums *sums, uint32_t at, const Wide *index, Wide *value) {
  const SumAtom atom = sums->atoms[at];
  const Instruction *instruction = hlo_value_function(sums, at);
  const Instruction *constant = instruction == nullptr ? atom.instruction : nullptr;
  Sum sum, *operands = ARENA_NEW(sums->arena, Sum, atom.index_count);
  for (uint32_t i = 0; i < atom.index_count; i++) operands[i] = sum_of_constant(sums, index[i]);
  if (constant != nullptr) {
    if (constant->opcode != HLO_CONSTANT || !shape_is_array(constant->shape)) return false;
    sum = hlo_value(sums, nullptr, constant, (uint32_t)index[0], operands + 1);
    return sum_is_constant(sums, sum, value);
  }
  assert(instruction != nullptr); /* an atom is an element or an operation */
  if (!operands_are_integral(instruction)) return false;
  return hlo_compute(sums, instruction, operands, &sum) && sum_is_constant(sums, sum, value);
}

/* ---- a trial ---- */

static void trial_fix(HloOccursTrial *trial, Sum sum, Wide value) {
  *ARENA_PUSH(trial->sums->arena, &trial->facts) = (Within){.sum = sum, .lo = value, .hi = value};
}

/* The atom before this one that is the same element at the trial's indices. */
static bool earlier_element(const HloOccursTrial *trial, uint32_t at, uint32_t *earlier) {
  const SumAtom *atoms = trial->sums->atoms;
  for (*earlier = 0; *earlier < at; ++*earlier)
    if (!trial->is_open[*earlier] &&
        value_atoms_agree(trial->sums, trial->values, &atoms[*earlier], &atoms[at]))
      return true;
  return false;
}

static bool trial_value(HloOccursTrial *trial, uint32_t at) {
  const SumAtom atom = trial->sums->atoms[at];
  Wide *index = ARENA_NEW(trial->sums->arena, Wide, atom.index_count);
  uint32_t earlier;
  for (uint32_t i = 0; i < atom.index_count; i++)
    if (sum_depends(trial->sums, trial->is_open, atom.index[i]) ||
        !sum_evaluate(trial->sums, trial->values, atom.index[i], &index[i]))
      return false;
  if (earlier_element(trial, at, &earlier)) {
    trial->values[at] = trial->values[earlier];
    return true;
  }
  return !atom_is_computed(trial->sums, at) ||
         atom_computed(trial->sums, at, index, &trial->values[at]);
}

/* Sets the marks of the output's index. */
static void mark_output(const HloOccursTrial *trial, bool *marks, bool value) {
  for (uint32_t i = 0; i < trial->occurrence->output_rank; i++) {
    uint32_t atom = 0;
    if (sum_is_atom(trial->sums, trial->occurrence->output[i], &atom)) marks[atom] = value;
  }
}

/* Whether the output's index decides which value is read. */
static bool output_is_read(const HloOccursTrial *trial) {
  const Sums *sums = trial->sums;
  bool *inside = ARENA_NEW(sums->arena, bool, sums->atom_count), is_read = false;
  mark_output(trial, inside, true);
  sums_mark_dependent(sums, inside);
  for (uint32_t at = 0; at < trial->count && !is_read; at++)
    is_read = inside[at] && sums->atoms[at].kind == ATOM_VALUE;
  return is_read;
}

static void fix_output(HloOccursTrial *trial) {
  for (uint32_t i = 0; i < trial->occurrence->output_rank; i++) {
    uint32_t atom = 0;
    if (sum_is_atom(trial->sums, trial->occurrence->output[i], &atom))
      trial_fix(trial, trial->occurrence->output[i], trial->values[atom]);
  }
}

/* Fixes parameters and what is computed from them, at the output's index, in the order of the
 * atoms: the parts of an atom come before it. */
static void trial_fill(HloOccursTrial *trial) {
  Sums *sums = trial->sums;
  for (uint32_t i = 0; i < trial->count; i++) trial->is_open[i] = sums->atoms[i].kind == ATOM_FREE;
  mark_output(trial, trial->is_open, false);
  for (uint32_t at = 0; at < trial->count; at++) {
    const SumAtom atom = sums->atoms[at];
    if (atom.kind == ATOM_FREE) continue;
    if (atom.kind == ATOM_VALUE) trial->is_open[at] = !trial_value(trial, at);
    else
      trial->is_open[at] = sum_depends(sums, trial->is_open, atom.a) ||
                           sum_depends(sums, trial->is_open, atom.b) ||
                           !sums_complete_atom(sums, trial->values, at);
    if (atom.kind == ATOM_VALUE && !trial->is_open[at])
      trial_fix(trial, sum_of_atom(sums, at), trial->values[at]);
  }
}

/* Finds a computed value of the question that is open. */
static void find_open(HloOccursTrial *trial) {
  trial->has_open = false;
  for (uint32_t at = 0; at < trial->count && !trial->has_open; at++) {
    if (!trial->is_open[at] || !atom_is_computed(trial->sums, at)) continue;
    bool *inside = ARENA_NEW(trial->sums->arena, bool, trial->sums->atom_count);
    inside[at] = true;
    trial->has_open = question_uses(trial->occurrence, inside);
    if (trial->has_open) trial->occurrence->open = trial->sums->atoms[at].name;
  }
}

/* Whether each value of what is open has a pair in the piece. */
static bool piece_has_pair(HloOccursTrial *trial, const Piece *piece) {
  Relation all = {}, pairs = {};
  relation_add(trial->sums, &all, (Piece){});
  Piece pair = piece_copy(trial->sums, piece);
  pair.map = nullptr;
  for (uint32_t i = 0; i < trial->occurrence->operand_rank; i++) {
    uint32_t atom = 0;
    if (sum_is_atom(trial->sums, trial->occurrence->operand[i], &atom))
      *ARENA_PUSH(trial->sums->arena, &pair.hidden) = atom;
  }
  relation_add(trial->sums, &pairs, pair);
  return relation_contained(trial->occurrence->work, &all, &pairs) == VERDICT_PROVED;
}

static Piece pieces_both(Sums *sums, const Piece *a, const Piece *b) {
  Piece both = piece_copy(sums, a);
  both.map = nullptr;
  for (uint32_t i = 0; i < b->hidden.count; i++)
    *ARENA_PUSH(sums->arena, &both.hidden) = b->hidden.items[i];
  for (uint32_t i = 0; i < b->withins.count; i++)
    *ARENA_PUSH(sums->arena, &both.withins) = b->withins.items[i];
  return both;
}

/* Whether no pair of the inner piece is in an outer one. */
static bool outer_has_none(HloOccursTrial *trial) {
  const Occurrence *occurrence = trial->occurrence;
  Relation both = {};
  for (uint32_t i = 0; occurrence->outer != nullptr && i < occurrence->outer->count; i++)
    relation_add(trial->sums, &both,
        pieces_both(trial->sums, occurrence->inner, &occurrence->outer->items[i]));
  return relation_is_empty(occurrence->work, &both) == VERDICT_PROVED;
}

/* The piece at an element of the operand, with its own hidden integers. */
static Piece piece_at(HloOccursTrial *trial, const Piece *piece, const Wide *element) {
  Sums *sums = trial->sums;
  Piece at = piece_copy(sums, piece);
  at.map = nullptr;
  Sum *changed = ARENA_NEW(sums->arena, Sum, at.withins.count);
  for (uint32_t i = 0; i < at.withins.count; i++) changed[i] = at.withins.items[i].sum;
  for (uint32_t i = 0; i < at.hidden.count; i++) {
    Sum other = sum_free(sums, sums->atoms[at.hidden.items[i]].name);
    sums_replace_atom(sums, at.hidden.items[i], other, at.withins.count, changed);
    (void)sum_is_atom(sums, other, &at.hidden.items[i]);
  }
  for (uint32_t i = 0; i < trial->occurrence->operand_rank; i++) {
    uint32_t atom = 0;
    if (sum_is_atom(sums, trial->occurrence->operand[i], &atom))
      sums_replace_atom(sums, atom, sum_of_constant(sums, element[i]), at.withins.count, changed);
  }
  for (uint32_t i = 0; i < at.withins.count; i++) at.withins.items[i].sum = changed[i];
  return at;
}

/* Finds the operand's element of another pair, on one side in one dimension. */
static bool other_element(
    HloOccursTrial *trial, uint32_t dimension, bool is_less, const Wide *element, Wide *other) {
  const Occurrence *occurrence = trial->occurrence;
  Relation inner = {};
  Piece piece = piece_copy(trial->sums, occurrence->inner);
  piece_within(trial->sums, &piece, occurrence->operand[dimension],
      is_less ? -no_bound : element[dimension] + 1, is_less ? element[dimension] - 1 : no_bound);
  relation_add(trial->sums, &inner, piece);
  if (relation_contained(occurrence->work, &inner, occurrence->outer) != VERDICT_REFUTED)
    return false;
  for (uint32_t i = 0; i < occurrence->operand_rank; i++)
    if (!sum_evaluate(trial->sums, occurrence->work->values, occurrence->operand[i], &other[i]))
      return false;
  return true;
}

/* Whether every value of what is open has both pairs in the inner piece, and none has both in outer
 * ones. */
static bool one_of_both(HloOccursTrial *trial, const Wide *element, const Wide *other) {
  const Occurrence *occurrence = trial->occurrence;
  Piece first = piece_at(trial, occurrence->inner, element),
        second = piece_at(trial, occurrence->inner, other);
  if (!piece_has_pair(trial, &first) || !piece_has_pair(trial, &second)) return false;
  Relation both = {};
  for (uint32_t i = 0; i < occurrence->outer->count; i++) {
    first = piece_at(trial, &occurrence->outer->items[i], element);
    for (uint32_t k = 0; k < occurrence->outer->count; k++) {
      second = piece_at(trial, &occurrence->outer->items[k], other);
      relation_add(trial->sums, &both, pieces_both(trial->sums, &first, &second));
    }
  }
  return relation_is_empty(occurrence->work, &both) == VERDICT_PROVED;
}

/* Whether one of two pairs is a counterexample, whatever the value of what is open. */
static bool two_pairs_occur(HloOccursTrial *trial) {
  const Occurrence *occurrence = trial->occurrence;
  uint32_t rank = occurrence->operand_rank;
  Wide *element = ARENA_NEW(trial->sums->arena, Wide, rank),
       *other = ARENA_NEW(trial->sums->arena, Wide, rank);
  if (occurrence->outer == nullptr || occurrence->outer->count > most_paired) return false;
  for (uint32_t i = 0; i < rank; i++)
    if (!sum_evaluate(trial->sums, trial->model, occurrence->operand[i], &element[i])) return false;
  for (uint32_t i = 0; i < 2 * rank; i++)
    if (other_element(trial, i / 2, i % 2 == 1, element, other))
      return one_of_both(trial, element, other);
  return false;
}

/* Whether a run has these values of the parameters and a counterexample. */
static bool trial_occurs(HloOccursTrial *trial) {
  Occurrence *occurrence = trial->occurrence;
  RelationWork *work = occurrence->work;
  Withins given = work->given;
  trial->facts = (Withins){};
  trial_fill(trial);
  occurrence->open = nullptr;
  find_open(trial);
  if (trial->has_open || output_is_read(trial)) fix_output(trial);
  for (uint32_t i = 0; i < given.count; i++)
    *ARENA_PUSH(trial->sums->arena, &trial->facts) = given.items[i];
  work->given = trial->facts;
  bool occurs;
  if (trial->has_open)
    occurs = (outer_has_none(trial) && piece_has_pair(trial, occurrence->inner)) ||
             two_pairs_occur(trial);
  else {
    Relation inner = {};
    relation_add(trial->sums, &inner, *occurrence->inner);
    occurs = relation_contained(work, &inner, occurrence->outer) == VERDICT_REFUTED;
  }
  work->given = given;
  return occurs;
}

/* ---- trials ---- */

static Wide value_within(const SumAtom *atom, Wide value) {
  if (atom->bounded && value < atom->lo) return atom->lo;
  return atom->bounded && value > atom->hi ? atom->hi : value;
}

/* Sets all parameters to `value`, except for those from number `alone` on, which are 1. */
static void set_parameters(HloOccursTrial *trial, Wide value, uint32_t alone) {
  uint32_t number = 0;
  for (uint32_t at = 0; at < trial->count; at++) {
    const SumAtom *atom = &trial->sums->atoms[at];
    trial->values[at] = trial->model[at];
    if (atom->kind != ATOM_VALUE || atom_is_computed(trial->sums, at)) continue;
    trial->values[at] = value_within(atom, number < alone ? value : 1);
    number++;
  }
}

static bool trials_occur(HloOccursTrial *trial) {
  for (uint32_t at = 0; at < trial->count; at++) trial->values[at] = trial->model[at];
  if (trial_occurs(trial)) return true;
  if (trial->has_open) return false;
  Wide tried[most_trials] = {0, 1, -1, no_bound, -no_bound, 2, 3};
  uint32_t count = 7, trials = 0;
  for (uint32_t at = 0; at < trial->count && count < most_trials; at++)
    if (atom_is_computed(trial->sums, at)) tried[count++] = trial->model[at];
  for (uint32_t alone = UINT32_MAX; alone != 0; alone = alone == 1 ? 0 : 1) {
    for (uint32_t i = 0; i < count && trials < most_trials && !budget_is_spent(); i++, trials++) {
      set_parameters(trial, tried[i], alone);
      if (trial_occurs(trial)) return true;
    }
  }
  return false;
}

static const char *why_not(const Occurrence *occurrence, uint32_t atom_count) {
  const Sums *sums = occurrence->work->sums;
  for (uint32_t at = 0; at < atom_count; at++) {
    if (!atom_is_computed(sums, at)) continue;
    bool *inside = ARENA_NEW(sums->arena, bool, sums->atom_count);
    inside[at] = true;
    if (!question_uses(occurrence, inside)) continue;
    return arena_printf(sums->arena,
        "the counterexample needs a value of '%s', which is computed%s", sums->atoms[at].name,
        hlo_value_kind(sums, at) == VALUE_FIXED ? " from constants" : "");
  }
  return nullptr;
}

const char *hlo_occurs(Occurrence *occurrence) {
  RelationWork *work = occurrence->work;
  Sums *sums = work->sums;
  uint32_t count = work->value_count;
  const char *why = why_not(occurrence, count);
  occurrence->open = nullptr;
  if (why == nullptr) return nullptr;
  if (occurrence->outer != nullptr && occurrence->outer->count > most_pieces) return why;
  const Wide *model = work->values;
  HloOccursTrial trial = {.occurrence = occurrence,
      .sums = sums,
      .count = count,
      .model = model,
      .values = ARENA_NEW(sums->arena, Wide, count),
      .is_open = ARENA_NEW(sums->arena, bool, count)};
  bool occurs = trials_occur(&trial);
  if (occurs && occurrence->open == nullptr) return nullptr;
  work->values = model;
  return occurs ? nullptr : why;
}
