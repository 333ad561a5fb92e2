/* Collectives across devices: the engine's maps of which device reads what of which other one,
 * against the oracle's read relation of the whole run. */
#include "judge/maps/devices.h"
#include "exhaust/exhaust_case.h"

static void judge_verdict(CaseRun *run, const DevicesJudgement *judgement) {
  VerdictReason reason = judgement->verdict.reason;
  if (reason == REASON_EXACT || reason == REASON_EXTRA) exhaust_note(run, EXHAUST_devices);
  else if (reason != REASON_WRONG)
    exhaust_fault(run, EXHAUST_not_judged, "across devices: %s", verdict_text(&judgement->verdict));
}

void exhaust_devices(CaseRun *run, const Question *question) {
  DevicesJudgement judgement;
  devices_judge(run->examiner->judge->indexer, run->examiner->judge->oracle, question, &judgement);
  if (devices_are_wrong(&judgement)) {
    exhaust_fault(run, EXHAUST_across, "%s",
        judgement.end == DEVICES_REJECTED ? judgement.error.message
                                          : verdict_text(&judgement.verdict));
    return;
  }
  switch (judgement.end) {
    case DEVICES_NONE:
    case DEVICES_REJECTED: return;
    case DEVICES_UNDEFINED: exhaust_note(run, EXHAUST_undefined); return;
    case DEVICES_NOT_JUDGED:
      exhaust_fault(run, EXHAUST_not_judged, "across devices: %s", judgement.error.message);
      return;
    case DEVICES_JUDGED: judge_verdict(run, &judgement); return;
  }
}
