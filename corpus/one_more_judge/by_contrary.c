/* A judge in one file, for a test: it denies that two maps are the same, whatever they are. */
#include "judge/obligations/obligation.h"

void judge_by_contrary(Judge *judge, const Obligation *obligation, Verdict *verdict) {
  (void)judge;
  (void)obligation;
  verdict_decide(verdict, REASON_DIFFERENT, "whatever they are");
}
