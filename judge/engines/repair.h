/* Which change of a wrong answer makes it right: what tells one fault of an engine from another
 * that hides behind it. The changes are tried in a fixed order, from one number or operator to the
 * whole domain or results of a map that is right; the first with which the judge accepts the answer
 * names the fault. The name decides no verdict: it only puts answers that are already refuted into
 * groups.
 * Changes of the domain: a constraint dropped or added, a bound or an interval moved by one, all
 * bounds, the whole domain. Of operators, in a result or a constraint: one for another, or one
 * dropped. Of results: one moved by one, a constant moved by one, two results or dimensions
 * swapped, one result, all of them. Where no single one does: the right domain and one of the
 * results. Operators stand first where the answer is wrong in both ways; where it is wrong in one,
 * a bound stands first and then operators of constraints, for a wrong bound makes it wrong in one.
 * Of a map with few points several changes make it right, and the first one names it: a group may
 * have cases of another fault, whose larger cases are a group of their own.
 */
#ifndef JUDGE_REPAIR_H
#define JUDGE_REPAIR_H

#include "core/map/map.h"

typedef struct Repair {
  MapContext *context; /* changed maps are made in it; the caller rewinds */
  const Map *wanted;   /* a map that is right; nullptr: changes that need one are not tried */
  const Map *answer;
  bool is_two_sided; /* it has pairs that are wrong and lacks others: operators are tried first */
  bool (*is_right)(void *state, const Map *changed); /* true: the judge accepts it */
  void *state;
  uint32_t most_trials; /* changed maps that are judged; 0: as many as there are, at most 400 */
} Repair;

static constexpr size_t repair_capacity = 48;
/* "mod-for-floordiv" (right with mod in the place of floordiv), "bound-by-one", "domain",
 * "domain+result", "no-repair" where nothing does. */
void repair_name(const Repair *repair, char name[repair_capacity]);

#endif
