/* Judges collectives across devices: the engine's maps of the elements that each device reads from
 * each other device, against the oracle's read relation of all devices. */
#include "judge/maps/devices.h"
#include "exhaust/exhaust_case.h"

void exhaust_devices(ExhaustCase *run, const Question *question) {
  DevicesJudgement judgement;
  Judge *judge = run->examiner->judge;
  devices_judge(judge->context, judge->indexer, judge->oracle, question, &judgement);
  VerdictReason reason = judgement.verdict.reason;
  if (devices_are_wrong(&judgement))
    exhaust_fault(run, EXHAUST_across, "%s", verdict_text(&judgement.verdict));
  else if (reason == REASON_UNDEFINED) exhaust_note(run, EXHAUST_undefined);
  else if (reason == REASON_EXACT || reason == REASON_EXTRA) exhaust_note(run, EXHAUST_devices);
  else if (reason != REASON_NOT_ASKED)
    exhaust_fault(run, EXHAUST_not_judged, "across devices: %s", verdict_text(&judgement.verdict));
}
