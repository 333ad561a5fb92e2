/* Cross-checks beyond the engine and the oracle: all judges of a map's pairs (judge/maps/pairs.h),
 * and the conversion to MLIR's form and back (core/adapters/mlir/convert.h). */
#include "exhaust/exhaust_case.h"

bool exhaust_goes_to_all(const ExhaustCase *run) {
  const Examiner *examiner = run->examiner;
  return examiner->stride > 0 && (examiner->number + 1) % examiner->stride == 0;
}

static void put_to_all(ExhaustCase *run, const Map *map) {
  const Examiner *examiner = run->examiner;
  PairsJudgement judgement;
  if (!pairs_judge(examiner->judge, map,
          examiner->spoil == nullptr ? nullptr : examiner->spoil->pair, &judgement)) {
    exhaust_note(run, EXHAUST_unasked);
    return;
  }
  if (!judgement.agree)
    exhaust_fault(
        run, judgement.is_denied ? EXHAUST_odd : EXHAUST_not_judged, "%s", judgement.text);
  const bool is_rejected = judgement.by[BY_MLIR].reason == REASON_REJECTED ||
                           judgement.by[BY_ISL].reason == REASON_REJECTED;
  if (judgement.agree && is_rejected) exhaust_fault(run, EXHAUST_not_judged, "%s", judgement.text);
  bool by_mlir = judge_has_decided(judgement.by, BY_MLIR),
       by_isl = judge_has_decided(judgement.by, BY_ISL);
  run->tally.counts[EXHAUST_mlir] += judgement.agree && by_mlir;
  run->tally.counts[EXHAUST_isl] += judgement.agree && by_isl;
  run->tally.counts[EXHAUST_unasked] += (judgement.by[BY_MLIR].reason == REASON_NOT_ASKED) +
                                        (judgement.by[BY_ISL].reason == REASON_NOT_ASKED);
}

void exhaust_put_to_all(ExhaustCase *run, uint32_t count, const Map *const *maps) {
  for (uint32_t i = 0; i < count; i++) {
    bool is_new = true;
    for (uint32_t k = 0; k < run->put_count; k++)
      is_new &= !map_identical(run->examiner->judge->context, run->put[k], maps[i]);
    if (!is_new || run->put_count == exhaust_most_put) continue;
    run->put[run->put_count++] = maps[i];
    put_to_all(run, maps[i]);
  }
}

/* MLIR folds while it builds, so the converted map may look different, but it must be the same map.
 * The conversion rejects min and max. */
void exhaust_round_trip(ExhaustCase *run, const Map *map) {
  Judge *judge = run->examiner->judge;
  const MlirLibrary *mlir = run->examiner->mlir;
  const Map *back;
  Verdict verdict;
  Error error = {};
  Peer *peer = mlir == nullptr ? nullptr : mlir->mlir_peer_create();
  bool done = peer != nullptr &&
              mlir->mlir_peer_round_trip(peer, judge->context, map, nullptr, &back, &error);
  if (peer != nullptr) mlir->mlir_peer_destroy(peer);
  const bool is_lost = mlir != nullptr && !done && !mlir_may_reject(&error);
  if (is_lost)
    exhaust_fault(run, EXHAUST_not_judged, "does not come back from MLIR: %s",
        peer == nullptr ? "it makes no context" : error.message);
  else if (!done) exhaust_note(run, EXHAUST_unasked);
  else if (!oracle_same_map(judge->oracle, map, back, exhaust_same_limit, &verdict, &error))
    exhaust_fault(run, EXHAUST_not_judged, "%s", error.message);
  else if (verdict.status == VERDICT_PROVED) exhaust_note(run, EXHAUST_returned);
  else
    exhaust_fault(run, verdict.status == VERDICT_REFUTED ? EXHAUST_astray : EXHAUST_not_judged,
        "comes back from MLIR as another map: %s", verdict_text(&verdict));
}
