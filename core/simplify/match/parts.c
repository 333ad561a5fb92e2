/* Parts of sums in temporary memory. Keeps: every view is collected and in canonical order, like
 * the sum from which it was taken. */
#include "core/simplify/match/parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/checked.h"

void parts_bind(Match *match, uint8_t letter, const SumView *view) {
  assert(letter < match->plan->rule->expr_count);
  match->exprs[letter] = (Letter){.view = *view};
}

SumView parts_whole(Match *match, SumView view) {
  if (!view.lacks) return view;
  assert(view.lacking < view.count);
  Summand *items = BUMP_NEW(&match->simplifier->normal.temp, Summand, view.count - 1);
  memcpy(items, view.items, view.lacking * sizeof *items);
  memcpy(items + view.lacking, view.items + view.lacking + 1,
      (view.count - view.lacking - 1) * sizeof *items);
  return (SumView){.items = items, .count = view.count - 1, .constant = view.constant};
}

bool parts_box(Match *match, const SumView *view, Interval *bounds) {
  if (view->whole != nullptr) return facts_sum(match->simplifier, view->whole, bounds);
  return facts_box(match->simplifier, view->items, view->count, view->constant, bounds);
}

static Summand *temporary(Match *match, uint32_t count) {
  return BUMP_NEW(&match->simplifier->normal.temp, Summand, count);
}

static bool is_picked(const Match *match, uint8_t sum, uint32_t index) {
  for (uint32_t i = 0; i < match->picked_count; i++)
    if (match->picked[i].sum == sum && match->picked[i].index == index) return true;
  return false;
}

void parts_drop_picked(Match *match, uint8_t sum) {
  SumView *view = &match->sums[sum];
  Summand *items = temporary(match, view->count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < view->count; i++)
    if (!is_picked(match, sum, i)) items[count++] = view->items[i];
  assert(count < view->count);
  *view = (SumView){.items = items, .count = count, .constant = view->constant};
}

bool parts_subtract(Match *match, SumView *view, int64_t coefficient, const SumView *part) {
  if (coefficient == 1 && view->whole != nullptr && view->whole == part->whole) {
    *view = (SumView){};
    return true;
  }
  int64_t minus;
  if (!simplifier_sub(match->simplifier, 0, coefficient, &minus)) return false;
  Gather gather = gather_create(&match->simplifier->normal, view->count + part->count);
  gather_items(&gather, 1, view->items, view->count);
  gather_items(&gather, minus, part->items, part->count);
  gather_constant(&gather, 1, view->constant);
  gather_constant(&gather, minus, part->constant);
  if (!gather_collect(&gather)) return false;
  assert(summands_are_canonical(gather.items, gather.count));
  *view = (SumView){.items = gather.items, .count = gather.count, .constant = gather.constant};
  return true;
}

static bool parts_divides(int64_t divisor, int64_t value) {
  return divisor == -1 ? value != INT64_MIN : divisor != 0 && value % divisor == 0;
}

bool parts_divisible(Match *match, SumView *view, int64_t divisor, SumView *quotient) {
  if (divisor == 0) return false;
  uint32_t multiples = 0;
  for (uint32_t i = 0; i < view->count; i++)
    multiples += parts_divides(divisor, view->items[i].coefficient);
  bool takes_constant = view->constant != 0 && parts_divides(divisor, view->constant);
  if (multiples == 0 && !takes_constant) return false;
  Summand *taken = temporary(match, multiples), *left = temporary(match, view->count - multiples);
  uint32_t taken_count = 0, left_count = 0;
  for (uint32_t i = 0; i < view->count; i++) {
    Summand item = view->items[i];
    if (parts_divides(divisor, item.coefficient))
      taken[taken_count++] = (Summand){item.coefficient / divisor, item.atom};
    else left[left_count++] = item;
  }
  assert(taken_count == multiples && taken_count + left_count == view->count);
  *quotient = (SumView){.items = taken,
      .count = taken_count,
      .constant = takes_constant ? view->constant / divisor : 0};
  *view = (SumView){
      .items = left, .count = left_count, .constant = takes_constant ? 0 : view->constant};
  return true;
}

bool parts_all_divisible(Match *match, const SumView *view, int64_t divisor, SumView *quotient) {
  if (divisor == 1) {
    *quotient = *view;
    return true;
  }
  if (!parts_divides(divisor, view->constant)) return false;
  for (uint32_t i = 0; i < view->count; i++)
    if (!parts_divides(divisor, view->items[i].coefficient)) return false;
  Summand *items = temporary(match, view->count);
  for (uint32_t i = 0; i < view->count; i++)
    items[i] = (Summand){view->items[i].coefficient / divisor, view->items[i].atom};
  assert(summands_are_canonical(items, view->count));
  *quotient = (SumView){.items = items, .count = view->count, .constant = view->constant / divisor};
  return true;
}

static int64_t shared_part(int64_t a, int64_t b) {
  if (a > 0 && b > 0) return min64(a, b);
  return a < 0 && b < 0 ? max64(a, b) : 0;
}

bool parts_common(Match *match, const SumView *a, const SumView *b, SumView *common) {
  Summand *items = temporary(match, a->count < b->count ? a->count : b->count);
  uint32_t count = 0;
  for (uint32_t i = 0, j = 0; i < a->count && j < b->count;) {
    int order = atom_compare(a->items[i].atom, b->items[j].atom);
    if (order == 0) {
      int64_t shared = shared_part(a->items[i].coefficient, b->items[j].coefficient);
      if (shared != 0) items[count++] = (Summand){shared, a->items[i].atom};
    }
    i += order <= 0;
    j += order >= 0;
  }
  *common = (SumView){.items = items, .count = count};
  assert(summands_are_canonical(items, count));
  return count > 0;
}

static bool shares_atom(const SumView *a, const SumView *b) {
  for (uint32_t i = 0, j = 0; i < a->count && j < b->count;) {
    int order = atom_compare(a->items[i].atom, b->items[j].atom);
    if (order == 0) return true;
    i += order < 0;
    j += order > 0;
  }
  return false;
}

bool parts_contained(Match *match, const SumView *sum, int64_t coefficient, uint8_t letter) {
  const SumView part = parts_whole(match, match->exprs[letter].view);
  uint32_t at = 0;
  for (uint32_t i = 0; i < part.count; i++) {
    while (at < sum->count && sum->items[at].atom != part.items[i].atom) at++;
    int64_t wanted;
    if (at == sum->count || !mul64(coefficient, part.items[i].coefficient, &wanted)) return false;
    if (sum->items[at].coefficient != wanted || is_picked(match, 0, at)) return false;
    at++;
  }
  for (uint32_t i = 0; i < match->contained_count; i++) {
    const SumView other = parts_whole(match, match->exprs[match->contained[i].letter].view);
    if (shares_atom(&part, &other)) return false;
  }
  return part.count > 0;
}

uint32_t parts_complete(Match *match, SumView kept[]) {
  uint32_t lacking = 0;
  /* A complete match has bound every letter of its rule. NOLINTBEGIN(clang-analyzer-core.*) */
  for (uint32_t i = 0; i < match->plan->rule->expr_count; i++) {
    if (!match->exprs[i].view.lacks) continue;
    kept[i] = match->exprs[i].view;
    match->exprs[i].view = parts_whole(match, kept[i]);
    lacking |= 1u << i;
  }
  /* NOLINTEND(clang-analyzer-core.*) */
  return lacking;
}

void parts_uncomplete(Match *match, uint32_t lacking, const SumView kept[]) {
  for (uint32_t i = 0; lacking >> i != 0; i++)
    if ((lacking >> i & 1) != 0) match->exprs[i].view = kept[i];
}

typedef struct PartsReach {
  double extent;
  int64_t coefficient;
  uint32_t index;
} PartsReach;

static int compare_reach(const void *a, const void *b) {
  const PartsReach *x = a, *y = b;
  if (x->extent != y->extent) return x->extent > y->extent ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static void sort_reach(PartsReach *items, uint32_t count) {
  if (count > 16) {
    qsort(items, count, sizeof *items, compare_reach);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    PartsReach one = items[i];
    uint32_t at = i;
    for (; at > 0 && compare_reach(&items[at - 1], &one) > 0; at--) items[at] = items[at - 1];
    items[at] = one;
  }
}

/* By how much a summand can change the sum. An unbounded summand is the maximum. */
static double extent_of(Match *match, const Summand *item) {
  Interval bounds;
  if (!facts_atom(match->simplifier, item->atom, &bounds)) return 1e300;
  double width = (double)bounds.hi - (double)bounds.lo;
  return width * (item->coefficient < 0 ? -(double)item->coefficient : (double)item->coefficient);
}

static void add_divisor(int64_t divisor, int64_t divisors[], uint32_t *count) {
  assert(*count == 0 || divisor <= 1 || divisors[*count - 1] % divisor == 0);
  if (divisor <= 1 || *count == parts_max_divisors) return;
  if (*count == 0 || divisors[*count - 1] != divisor) divisors[(*count)++] = divisor;
}

uint32_t parts_divisors(
    Match *match, const SumView *view, int64_t start, int64_t divisors[parts_max_divisors]) {
  BumpMark mark = bump_mark(&match->simplifier->normal.temp);
  PartsReach *reach = BUMP_NEW(&match->simplifier->normal.temp, PartsReach, view->count);
  for (uint32_t i = 0; i < view->count; i++)
    reach[i] = (PartsReach){extent_of(match, &view->items[i]), view->items[i].coefficient, i};
  sort_reach(reach, view->count);
  uint32_t count = 0;
  int64_t divisor = start;
  for (uint32_t i = 0; i < view->count && divisor != 1; i++) {
    uint64_t next = gcd64(divisor, reach[i].coefficient);
    if (next > INT64_MAX) break;
    divisor = (int64_t)next;
    add_divisor(divisor, divisors, &count);
  }
  if (view->count > 0 && divisor > 1 && view->constant != 0) {
    uint64_t next = gcd64(divisor, view->constant);
    if (next <= INT64_MAX) add_divisor((int64_t)next, divisors, &count);
  }
  bump_release(&match->simplifier->normal.temp, mark);
  return count;
}
