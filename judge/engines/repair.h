/* Finds the change that makes a wrong answer right, to distinguish faults of an engine that would
 * otherwise look alike. Changes are tried in a fixed order, from one number or operator to the
 * whole domain or results of a right map. The first change that the judge accepts names the fault.
 * The name affects no verdict: it only groups answers that are already refuted. Changes of the
 * domain: a constraint dropped or added, a bound or an interval moved by one, all bounds, the whole
 * domain. Of operators, in a result or constraint: replaced or dropped. Of results: one moved by
 * one, a constant moved by one, two results or dimensions swapped, one result, all results. If no
 * single change helps: the right domain and one change of the results. If the answer has both wrong
 * and missing pairs, operators are tried first. Otherwise a bound is tried first, because a wrong
 * bound makes an answer wrong in one way only, and then operators of constraints. Several changes
 * may repair a map with few points, and the first names it. A group may therefore have cases of
 * another fault, whose larger cases are a separate group. */
#ifndef JUDGE_ENGINES_REPAIR_H
#define JUDGE_ENGINES_REPAIR_H

#include "core/map/map.h"

typedef struct Repair {
  MapContext *context; /* changed maps are allocated in it; the caller rewinds */
  const Map *wanted;   /* a right map; nullptr: changes that need one are skipped */
  const Map *answer;
  bool is_two_sided; /* it has wrong pairs and lacks others: operators are tried first */
  bool (*is_right)(void *state, const Map *changed); /* true: the judge accepts the changed map */
  void *state;
  uint32_t most_trials; /* limit of judged changes; 0: at most 400 */
} Repair;

static constexpr size_t repair_capacity = 48;
/* "mod-for-floordiv" (right with mod instead of floordiv), "bound-by-one", "domain",
 * "domain+result", "no-repair" if no change helps. */
void repair_name(const Repair *repair, char name[repair_capacity]);
/* True for a name of a change of the domain alone, also of "empty". */
[[nodiscard]] bool repair_is_of_domain(const char *name);

#endif
