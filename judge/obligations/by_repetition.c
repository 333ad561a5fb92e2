/* Judges affirm's own engine by simplifying again: the result, and the map in another order, and
 * compares sizes. None of this shows that the map is right. */
#include "judge/maps/canonical_form.h"
#include "judge/obligations/obligation.h"

void judge_by_repetition(Judge *judge, const Obligation *obligation, Verdict *verdict) {
  UnequalMaps unequal;
  for (CanonicalProperty rest = 0; rest < canonical_property_count; rest++) {
    if (map_is_canonical(judge, rest, obligation->before, &unequal)) continue;
    Text text = text_create(verdict->arena);
    unequal_print(&text, judge->context, &unequal, rest);
    verdict_decide(verdict, REASON_DIFFERENT, "%s", text.bytes);
    return;
  }
  verdict_mark(verdict, REASON_EXACT);
}
