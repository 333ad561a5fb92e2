/* Rules of order "cancels" replace a summand by a larger term. They fire only if the rest of the
 * sum cancels the surplus: either every operator that the right side introduces, or every letter of
 * it, meets a summand with the opposite coefficient, and the sum becomes lighter. So x mod c is
 * rewritten to x - c*(x floordiv c) beside c*(x floordiv c), and beside -x.
 *
 * The sum is open meanwhile: each atom stores its place in it, so that the cost of a rewrite
 * depends on the right side's summands and not on the length of the sum. Inner sums may be opened
 * while this one is open; closing restores the atoms' earlier places. */
#include "core/simplify/match/cancel.h"

#include <assert.h>
#include <string.h>

#include "core/base/checked.h"
#include "core/simplify/trace/trace.h"

typedef struct CancelPosition {
  uint64_t ticket;
  uint32_t position;
} CancelPosition;

struct OpenSum {
  Simplifier *simplifier;
  NormalSum *given;
  uint64_t ticket;
  uint16_t ops; /* a superset of the operators that occur */
  uint32_t count, capacity;
  Summand *items;          /* coefficient 0: removed */
  CancelPosition *earlier; /* the atoms' earlier places */
  int64_t constant;
};

/* ---- opening and closing ---- */

static void add_item(OpenSum *open, Summand item) {
  if (open->count == open->capacity) {
    Bump *temp = &open->simplifier->normal.temp;
    Summand *items = BUMP_NEW(temp, Summand, 2 * open->capacity);
    CancelPosition *earlier = BUMP_NEW(temp, CancelPosition, 2 * open->capacity);
    memcpy(items, open->items, open->count * sizeof *items);
    memcpy(earlier, open->earlier, open->count * sizeof *earlier);
    open->items = items;
    open->earlier = earlier;
    open->capacity *= 2;
  }
  assert(item.atom->ticket != open->ticket && open->count < open->capacity);
  open->items[open->count] = item;
  open->earlier[open->count] = (CancelPosition){item.atom->ticket, item.atom->position};
  item.atom->ticket = open->ticket;
  item.atom->position = open->count++;
  open->ops |= (uint16_t)(1u << item.atom->op);
}

static OpenSum open_sum(Simplifier *simplifier, NormalSum *sum) {
  OpenSum open = {.simplifier = simplifier,
      .given = sum,
      .ticket = ++simplifier->ticket,
      .constant = sum->constant};
  open.capacity = sum->count + 8;
  open.items = BUMP_NEW(&simplifier->normal.temp, Summand, open.capacity);
  open.earlier = BUMP_NEW(&simplifier->normal.temp, CancelPosition, open.capacity);
  for (uint32_t i = 0; i < sum->count; i++) add_item(&open, sum->items[i]);
  return open;
}

static NormalSum *sum_of(const OpenSum *open) {
  assert(open->count <= open->capacity);
  Gather gather = gather_create(&open->simplifier->normal, open->count);
  for (uint32_t i = 0; i < open->count; i++)
    gather_atom(&gather, open->items[i].coefficient, open->items[i].atom);
  gather_constant(&gather, 1, open->constant);
  return gather_finish(&gather);
}

static void close_sum(OpenSum *open) {
  for (uint32_t i = open->count; i-- > 0;) {
    assert(open->items[i].atom->ticket == open->ticket && open->items[i].atom->position == i);
    open->items[i].atom->ticket = open->earlier[i].ticket;
    open->items[i].atom->position = open->earlier[i].position;
  }
}

/* ---- conditions for firing ---- */

static int64_t coefficient_in(const OpenSum *open, const NormalAtom *atom) {
  return atom->ticket == open->ticket ? open->items[atom->position].coefficient : 0;
}

static bool cancels(const OpenSum *open, const Summand *item) {
  int64_t minus;
  return sub64(0, item->coefficient, &minus) && coefficient_in(open, item->atom) == minus;
}

/* Checks that every atom of the right side's letters, or every operator that it introduces, has its
 * opposite in the sum. */
static bool items_cancel(Match *match, bool is_letter) {
  const PlanTemplate *right = match->plan->right;
  for (uint32_t i = 0; i < right->count; i++) {
    const TemplateItem *item = &right->items[i];
    if (item->is_letter != is_letter) continue;
    Gather gather = gather_create(
        &match->simplifier->normal, is_letter ? match->exprs[item->letter].view.count : 8);
    if (!build_item(match, item, match->scale, &gather) || !gather_collect(&gather)) return false;
    for (uint32_t j = 0; j < gather.count; j++)
      if ((is_letter || gather.items[j].atom->op != EXPR_VAR) &&
          !cancels(match->open, &gather.items[j]))
        return false;
  }
  return true;
}

/* A quick necessary condition: an introduced operator occurs elsewhere in the sum, or there are
 * facts from constraints. */
static bool introduces_present(const Match *match) {
  if (match->simplifier->known_count > 0) return true;
  const PlanTemplate *right = match->plan->right;
  for (uint32_t i = 0; i < right->count; i++)
    if (!right->items[i].is_letter && (match->open->ops >> right->items[i].op & 1) != 0)
      return true;
  return false;
}

/* The picked summand goes, so an equal one of the right side counts as a new one. */
static bool becomes_lighter(const OpenSum *open, const NormalAtom *picked, const Gather *right) {
  uint64_t before = picked->weight, after = 0;
  for (uint32_t i = 0; i < right->count; i++) {
    const NormalAtom *atom = right->items[i].atom;
    uint64_t weight = atom->weight;
    if (atom == picked || coefficient_in(open, atom) == 0) after += weight;
    else if (cancels(open, &right->items[i])) before += weight;
    if (before >= weight_limit || after >= weight_limit) return false;
  }
  return after < before;
}

/* ---- firing ---- */

static bool cancel_fits(const OpenSum *open, const Gather *right) {
  int64_t sum;
  for (uint32_t i = 0; i < right->count; i++)
    if (!simplifier_add(open->simplifier, coefficient_in(open, right->items[i].atom),
            right->items[i].coefficient, &sum))
      return false;
  return simplifier_add(open->simplifier, open->constant, right->constant, &sum);
}

static void cancel_replace(OpenSum *open, uint32_t at, const Gather *right) {
  assert(at < open->count && cancel_fits(open, right));
  assert(open->items[at].coefficient != 0);
  open->items[at].coefficient = 0;
  open->constant += right->constant;
  for (uint32_t i = 0; i < right->count; i++) {
    Summand item = right->items[i];
    if (item.atom->ticket == open->ticket)
      open->items[item.atom->position].coefficient += item.coefficient;
    else add_item(open, item);
  }
}

static bool build_right(Match *match, Gather *gather) {
  *gather = gather_create(&match->simplifier->normal, 16);
  return build_template(match, match->plan->right, match->scale, gather) && gather_collect(gather);
}

static bool may_fire(Match *match, Gather *right) {
  if (!items_cancel(match, true) && !(introduces_present(match) && items_cancel(match, false)))
    return false;
  const NormalAtom *picked = match->open->items[match->open_at].atom;
  return build_right(match, right) && becomes_lighter(match->open, picked, right) &&
         cancel_fits(match->open, right);
}

/* Records the step as the rule states it: the sum with the unrewritten right side instead of the
 * picked summand. */
static bool cancel_record(Match *match) {
  Simplifier *simplifier = match->simplifier;
  OpenSum *open = match->open;
  Gather plain;
  simplifier->rules_off = true;
  bool built = build_right(match, &plain);
  simplifier->rules_off = false;
  match->subject = sum_of(open);
  if (!built || match->subject == nullptr) return false;
  gather_sum(&plain, 1, match->subject);
  Summand gone = open->items[match->open_at];
  gather_items(&plain, -1, &gone, 1);
  match->result = gather_finish(&plain);
  if (match->result == nullptr) return false;
  (void)trace_fired(match);
  return true;
}

/* The end of a match on one summand of an open sum: fires if the sum cancels what the right side
 * introduces. */
static bool cancel_finish(Match *match) {
  Simplifier *simplifier = match->simplifier;
  bool is_traced = simplifier->tracer != nullptr;
  Tracer *tracer = is_traced ? memo_try(simplifier) : nullptr;
  Gather right;
  bool fires = may_fire(match, &right);
  if (is_traced) {
    memo_record(simplifier, tracer);
    fires = fires && cancel_record(match) && build_right(match, &right);
  }
  if (!fires) return false;
  cancel_replace(match->open, match->open_at, &right);
  simplifier_fired(simplifier, match->plan->rule);
  return true;
}

/* ---- the whole sum ---- */

static bool pass(Simplifier *simplifier, OpenSum *open) {
  bool fired = false;
  for (uint32_t i = 0; i < open->count; i++) {
    const PlanList *plans = &simplifier->rules->on_cancel[open->items[i].atom->op];
    for (uint32_t j = 0; j < plans->count && open->items[i].coefficient != 0; j++)
      fired |= match_open(simplifier, plans->items[j], open, i, open->items[i], cancel_finish);
  }
  return fired && !simplifier->has_failed && simplifier->fired < simplifier->fuel;
}

/* Of a single summand, nothing else of the sum can cancel what a rule introduces; only facts can. A
 * user's rule may introduce nothing. */
static bool has_nothing_else(const Simplifier *simplifier, const NormalSum *sum) {
  return sum->count == 1 && simplifier->known_count == 0 && !simplifier->has_users_rules;
}

NormalSum *cancel_sum(Simplifier *simplifier, NormalSum *sum) {
  if (has_nothing_else(simplifier, sum)) return sum;
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  OpenSum open = open_sum(simplifier, sum);
  uint64_t before = simplifier->fired;
  while (pass(simplifier, &open)) continue;
  assert(simplifier->fired >= before);
  close_sum(&open);
  Interval ignored;
  NormalSum *result = simplifier->fired == before ? sum : sum_of(&open);
  if (result == nullptr || !facts_sum(simplifier, result, &ignored)) result = sum;
  bump_release(&simplifier->normal.temp, mark);
  return result;
}
