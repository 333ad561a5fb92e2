/* Replaces atoms: every term that depends on them is rebuilt, with all identities for the new
 * parts. */
#include "smt/terms/sums_parts.h"

#include <assert.h>

typedef struct Replacing {
  Sums *sums;
  const AtomChange *change;
  Sum *memo; /* [known]: the replacement of the atom, once done */
  bool *done;
  uint32_t known;
} Replacing;

static Sum replace_in_sum(Replacing *work, Sum sum);

static Sum rebuild_atom(Replacing *work, uint32_t at) {
  Sums *sums = work->sums;
  SumAtom atom = sums->atoms[at];
  switch (atom.kind) {
    case ATOM_FREE: return sum_of_atom(sums, at);
    case ATOM_QUOTIENT: return sum_floordiv(sums, replace_in_sum(work, atom.a), atom.divisor);
    case ATOM_MIN: return sum_min(sums, replace_in_sum(work, atom.a), replace_in_sum(work, atom.b));
    case ATOM_MAX: return sum_max(sums, replace_in_sum(work, atom.a), replace_in_sum(work, atom.b));
    case ATOM_PRODUCT:
      return sum_product(sums, replace_in_sum(work, atom.a), replace_in_sum(work, atom.b));
    case ATOM_RATIO:
      return sum_ratio(sums, replace_in_sum(work, atom.a), replace_in_sum(work, atom.b));
    case ATOM_VALUE: {
      Sum *index = ARENA_NEW(sums->arena, Sum, atom.index_count);
      for (uint32_t i = 0; i < atom.index_count; i++)
        index[i] = replace_in_sum(work, atom.index[i]);
      return sum_value(
          sums, atom.instruction, atom.name, atom.index_count, index, atom.lo, atom.hi);
    }
  }
  unreachable();
}

static Sum replace_atom(Replacing *work, uint32_t at) {
  if (at < work->change->count && work->change->set[at]) return work->change->by[at];
  if (at >= work->known) return sum_of_atom(work->sums, at);
  if (!work->done[at]) {
    work->memo[at] = rebuild_atom(work, at);
    work->done[at] = true;
  }
  return work->memo[at];
}

static Sum replace_in_sum(Replacing *work, Sum sum) {
  Sums *sums = work->sums;
  SumNode node = *sum_node(sums, sum);
  Sum *summands = ARENA_NEW(sums->arena, Sum, node.term_count + 1);
  for (uint32_t i = 0; i < node.term_count; i++) {
    Sum by = replace_atom(work, node.terms[i].atom);
    summands[i] =
        node.terms[i].coefficient == 1 ? by : sum_scale(sums, by, node.terms[i].coefficient);
  }
  summands[node.term_count] = sum_of_constant(sums, node.constant);
  return sum_of_all(sums, node.term_count + 1, summands);
}

Sum sum_replace(Sums *sums, const AtomChange *change, Sum sum) {
  assert(sums_has(sums, sum));
  if (sums->overflow) return (Sum){0};
  sums_replace(sums, change, 1, &sum);
  return sum;
}

void sums_replace(Sums *sums, const AtomChange *change, uint32_t count, Sum *changed) {
  if (sums->overflow) return;
  Replacing work = {.sums = sums, .change = change, .known = sums->atom_count};
  work.memo = ARENA_NEW(sums->arena, Sum, work.known);
  work.done = ARENA_NEW(sums->arena, bool, work.known);
  for (uint32_t i = 0; i < count; i++) changed[i] = replace_in_sum(&work, changed[i]);
}

void sums_replace_atom(Sums *sums, uint32_t atom, Sum by, uint32_t count, Sum *changed) {
  assert(sums_has_atom(sums, atom));
  assert(sums_has(sums, by));
  if (sums->overflow) return;
  bool *set = ARENA_NEW(sums->arena, bool, atom + 1);
  Sum *stands = ARENA_NEW(sums->arena, Sum, atom + 1);
  set[atom] = true;
  stands[atom] = by;
  AtomChange change = {.count = atom + 1, .set = set, .by = stands};
  sums_replace(sums, &change, count, changed);
}
