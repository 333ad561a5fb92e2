/* A new judge is one file and one row: the judges are built with one more row, and nothing else is
 * changed. The new judge must be asked, heard and named. */
#include <stdio.h>
#include <string.h>

#include "core/map/text.h"
#include "judge/maps/same.h"

static bool ends(const SameJudgement *judgement, bool is_queried) {
  printf("%s: %s\n", same_reason_text(judgement->reason), judgement->text);
  return is_queried
             ? judgement->reason == REASON_DISSENT &&
                   strstr(judgement->text, "contrary says refuted (whatever they are)") != nullptr
             : judgement->reason == REASON_EXACT;
}

/* Whether the new judge dissents about one map twice. It does not decide the same relation, and is
 * not asked where the first judge that decides is enough. */
static bool is_heard(JudgeEffort effort) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.effort = effort}, &error);
  if (judge == nullptr) return false;
  const char *text = "(d0) -> (d0 + 1), domain: d0 in [0, 3]";
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  SameJudgement judgement;
  if (!map_parse(judge->context, &source, &map, &error)) return false;
  judge_same(judge, OBLIGATION_SAME_MAP, map, map, &judgement);
  bool is_right = ends(&judgement, effort == EFFORT_USUAL);
  judge_same(judge, OBLIGATION_SAME_RELATION, map, map, &judgement);
  is_right &= ends(&judgement, false);
  judge_destroy(judge);
  return is_right;
}

int main(void) { return is_heard(EFFORT_USUAL) && is_heard(EFFORT_FIRST) ? 0 : 1; }
