/* Rules of order "cancels" replace a summand by more than there was; they fire only where the rest of the sum takes it away again:
 * either every operator that the right side introduces, or every letter of it, meets a summand with the opposite coefficient, and the
 * sum becomes lighter. So x mod c is written out as x - c*(x floordiv c) beside c*(x floordiv c), and beside -x. */
#include <assert.h>

#include "core/base/checked.h"
#include "core/simplify/match.h"

/* The coefficient of an atom in a sum, 0 where it does not occur. */
static int64_t coefficient_in(const View *sum, const Atom *atom) {
  uint32_t lo = 0, hi = sum->count;
  while (lo < hi) {
    uint32_t middle = lo + (hi - lo) / 2;
    int order = atom_compare(sum->items[middle].atom, atom);
    if (order == 0) return sum->items[middle].coefficient;
    if (order < 0) lo = middle + 1;
    else hi = middle;
  }
  return 0;
}

static bool cancels(const View *sum, const Summand *item) {
  int64_t minus;
  return sub64(0, item->coefficient, &minus) && coefficient_in(sum, item->atom) == minus;
}

/* Every atom of the right side's letters meets its opposite. */
static bool letters_cancel(Match *match) {
  const Template *right = match->plan->right;
  for (uint32_t i = 0; i < right->count; i++) {
    const TemplateItem *item = &right->items[i];
    if (!item->is_letter) continue;
    Gather gather = gather_create(&match->simplifier->normal, match->exprs[item->letter].view.count);
    if (!build_item(match, item, match->scale, &gather) || !gather_collect(&gather)) return false;
    for (uint32_t j = 0; j < gather.count; j++)
      if (!cancels(&match->sums[0], &gather.items[j])) return false;
  }
  return true;
}

/* Every operator among what the right side's operators become meets its opposite. */
static bool operators_cancel(Match *match) {
  const Template *right = match->plan->right;
  for (uint32_t i = 0; i < right->count; i++) {
    if (right->items[i].is_letter) continue;
    Gather gather = gather_create(&match->simplifier->normal, 8);
    if (!build_item(match, &right->items[i], match->scale, &gather) || !gather_collect(&gather)) return false;
    for (uint32_t j = 0; j < gather.count; j++)
      if (gather.items[j].atom->op != EXPR_VAR && !cancels(&match->sums[0], &gather.items[j])) return false;
  }
  return true;
}

/* Quick to say no: the operator occurs nowhere else, and no constraint says anything. */
static bool introduces_present(const Match *match) {
  if (match->simplifier->known_count > 0) return true;
  const Template *right = match->plan->right;
  for (uint32_t i = 0; i < right->count; i++)
    if (!right->items[i].is_letter && (match->subject->ops >> right->items[i].op & 1) != 0) return true;
  return false;
}

/* The weight of the sum with the right side in place of what was picked is less than before. */
static bool becomes_lighter(Match *match) {
  Gather gather = gather_create(&match->simplifier->normal, 16);
  if (!build_template(match, match->plan->right, match->scale, &gather) || !gather_collect(&gather)) return false;
  uint64_t before = match->sums[0].items[match->picked[0].index].atom->weight, after = 0;
  for (uint32_t i = 0; i < gather.count; i++) {
    uint64_t weight = gather.items[i].atom->weight;
    if (coefficient_in(&match->sums[0], gather.items[i].atom) == 0) after += weight;
    else if (cancels(&match->sums[0], &gather.items[i])) before += weight;
    if (before >= weight_limit || after >= weight_limit) return false;
  }
  return after < before;
}

bool cancel_holds(Match *match) {
  assert(match->picked_count == 1);
  if (match->simplifier->rules_off) return true;
  bool may = letters_cancel(match) || (introduces_present(match) && operators_cancel(match));
  return may && becomes_lighter(match);
}
