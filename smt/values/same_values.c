/* Decides whether two graphs compute the same values, with one verdict for each leaf of the output,
 * at any size. PROVED: the element is the same for every index and all parameters. REFUTED: an
 * output element at which the terms differ, to be confirmed by evaluation. UNKNOWN: the text names
 * the operation that stopped the proof. Claims are kept from leaf to leaf. */
#include <stdlib.h>

#include "core/hlo/stateful.h"
#include "smt/values/values.h"

struct SmtValues {
  Smt *smt;
  Arena *arena;
  const Computation *entries[2];
  bool was_limited;
  uint64_t steps_of_all;
  ValuesProof proof;
};

static bool is_listed(const ProofComputations *list, const Computation *computation) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i] == computation) return true;
  return false;
}

/* The computation and all computations that it calls. */
static ProofComputations list_computations(Arena *arena, const Computation *entry) {
  ProofComputations list = {};
  *ARENA_PUSH(arena, &list) = entry;
  for (uint32_t i = 0; i < list.count; i++) {
    for (uint32_t k = 0; k < list.items[i]->instruction_count; k++) {
      const Instruction *instruction = list.items[i]->instructions[k];
      for (uint32_t c = 0; c < instruction->called_count; c++)
        if (!is_listed(&list, instruction->called[c]))
          *ARENA_PUSH(arena, &list) = instruction->called[c];
    }
  }
  return list;
}

SmtValues *smt_values_create(
    Smt *smt, const Computation *before, const Computation *after, LawGrade grade) {
  SmtValues *values = malloc(sizeof *values);
  if (values == nullptr) arena_out_of_memory(sizeof *values);
  *values = (SmtValues){.smt = smt, .arena = arena_create(), .entries = {before, after}};
  static const Questions questions = {
      .spots = spots_same, .leaves = leaves_same, .joined = sum_joined, .reduces = law_reduces};
  values->proof =
      (ValuesProof){.questions = &questions, .arena = values->arena, .options = &smt->options};
  values->proof.sums = sums_create(values->arena);
  values->proof.stateful = ARENA_NEW(values->arena, InstructionPairs, 1);
  values->proof.grade = grade;
  laws_open(&values->proof);
  values->proof.first = list_computations(values->arena, before);
  values->proof.second = list_computations(values->arena, after);
  values->proof.first_order = stateful_order(values->arena, before);
  values->proof.second_order = stateful_order(values->arena, after);
  return values;
}

void smt_values_share_pairs(SmtValues *values, SmtValues *with) {
  values->proof.stateful = with->proof.stateful;
}

void smt_values_destroy(SmtValues *values) {
  if (values == nullptr) return;
  if (values->proof.has_query) query_close(&values->proof.query);
  arena_destroy(values->arena);
  free(values);
}

void smt_values_limit(SmtValues *values, uint64_t steps) { values->proof.most_steps = steps; }

const char *smt_values_laws(SmtValues *values) {
  return laws_used(&values->proof, values->smt->context->arena);
}

uint64_t smt_values_steps(const SmtValues *values) {
  return values == nullptr ? 0 : values->steps_of_all;
}

bool smt_values_was_limited(const SmtValues *values) { return values->was_limited; }

static bool is_askable(const SmtValues *values, uint32_t leaf, Error *error) {
  for (uint32_t i = 0; i < 2; i++)
    if (leaf >= shape_leaf_count(values->entries[i]->root->shape))
      return error_set(error, ERROR_INPUT, "'%s' has no such leaf", values->entries[i]->name);
  const Shape *x = shape_leaf(values->entries[0]->root->shape, leaf),
              *y = shape_leaf(values->entries[1]->root->shape, leaf);
  return (x->type == y->type && shape_same_sizes(x, y)) ||
         error_set(error, ERROR_INPUT, "output leaf %u differs in shape", leaf);
}

/* Stores the index of the output in the model. */
static void say_refuted(SmtValues *values, uint32_t leaf, Verdict *verdict) {
  ValuesProof *proof = &values->proof;
  const Shape *shape = shape_leaf(values->entries[0]->root->shape, leaf);
  Wide *point = ARENA_NEW(values->arena, Wide, shape->rank + 1);
  for (uint32_t i = 0; i < shape->rank; i++) {
    uint32_t atom = 0;
    Sum sum = proof_variable(proof, 1, i, shape->sizes[i]);
    if (sum_is_atom(proof->sums, sum, &atom) && atom < proof->witness_count)
      point[i] = proof->witness[atom];
  }
  verdict_values(verdict, shape->rank, point);
  verdict_set(verdict, VERDICT_REFUTED, "the terms differ: %s",
      proof->difference[0] == 0 ? "an operand" : proof->difference);
}

/* Rejects computations for which a claim is invalid: a claim about a body applies to each of its
 * calls, and a size is assumed to equal its bound. */
static bool is_followed(SmtValues *values, const Computation *entry, Verdict *verdict) {
  const Instruction *stateful;
  const char *why = nullptr;
  if (entry->unbounded != nullptr)
    why = arena_printf(values->arena, "a size of '%s' is not known", entry->unbounded->name);
  else if (entry->bounded != nullptr)
    why = arena_printf(values->arena, "'%s' depends on a size of which only a bound is known",
        entry->bounded->name);
  else if (stateful_runs(values->arena, entry, &stateful) == STATEFUL_OFTEN)
    why = arena_printf(
        values->arena, "'%s' runs at several places, with another value at each", stateful->name);
  if (why != nullptr) (void)verdict_set(verdict, VERDICT_UNKNOWN, "%s", why);
  return why == nullptr;
}

bool smt_values_query(SmtValues *values, uint32_t leaf, Verdict *verdict, Error *error) {
  ValuesProof *proof = &values->proof;
  *verdict = verdict_begin(values->smt->context->arena);
  if (!is_askable(values, leaf, error)) return false;
  for (uint32_t i = 0; i < 2; i++)
    if (!is_followed(values, values->entries[i], verdict)) return true;
  bool began = smt_begin(values->smt);
  proof->reason[0] = proof->difference[0] = 0;
  proof->steps = 0;
  proof->was_over = false;
  proof->used = (UsedLaws){};
  proof->bytes_from = arena_bytes(proof->arena);
  proof->rlimit_from = proof_rlimit(proof);
  Same same = leaves_same(
      proof, nullptr, values->entries[0]->root, leaf, nullptr, values->entries[1]->root, leaf);
  bool is_over = proof_is_over(proof);
  budget_end(began);
  verdict->work = proof_rlimit(proof);
  values->steps_of_all += proof->steps;
  values->was_limited = is_over && same != SAME_YES;
  if (proof->sums->overflow || (is_over && same != SAME_YES)) same = SAME_OPEN;
  switch (same) {
    case SAME_YES: return verdict_set(verdict, VERDICT_PROVED, "the same values");
    case SAME_NO: say_refuted(values, leaf, verdict); return true;
    case SAME_OPEN:
      return verdict_set(
          verdict, VERDICT_UNKNOWN, "%s", proof->reason[0] == 0 ? "not decided" : proof->reason);
  }
  return true;
}
