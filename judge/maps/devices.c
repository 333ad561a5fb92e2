/* Engine and oracle number devices alike: replica and partition precede the index. */
#include "judge/maps/devices.h"

#include "oracle/semantics/replica.h"

static bool query_engine(
    Indexer *indexer, const Question *question, IndexMesh run, DevicesJudgement *judgement) {
  const Question *q = question;
  if (q->direction == INPUT_TO_OUTPUT)
    return index_replicas_input_to_output(indexer, q->instruction, run, q->operand, q->operand_leaf,
        q->output, &judgement->maps, &judgement->error);
  return index_replicas_output_to_input(indexer, q->instruction, run, q->output, q->operand,
      q->operand_leaf, &judgement->maps, &judgement->error);
}

static bool query_oracle(
    Oracle *oracle, const Question *question, ReplicaWorld run, DevicesJudgement *judgement) {
  const Question *q = question;
  const MapSet *maps = &judgement->maps;
  if (q->direction == INPUT_TO_OUTPUT)
    return replica_input_to_output(oracle, q->instruction, run, q->operand, q->operand_leaf,
        q->output, maps->count, maps->maps, &judgement->verdict, &judgement->error);
  return replica_output_to_input(oracle, q->instruction, run, q->output, q->operand,
      q->operand_leaf, maps->count, maps->maps, &judgement->verdict, &judgement->error);
}

static void devices_reject(MapContext *context, DevicesJudgement *judgement, VerdictReason reason) {
  judgement->verdict = verdict_begin(context->arena);
  verdict_decide(&judgement->verdict, reason, "%s", judgement->error.message);
}

void devices_judge(MapContext *context, Indexer *indexer, Oracle *oracle, const Question *question,
    DevicesJudgement *judgement) {
  ReplicaWorld run;
  *judgement = (DevicesJudgement){.verdict = verdict_begin(context->arena)};
  if (opcode_family(question->instruction->opcode) != FAMILY_COLLECTIVE ||
      !replica_smallest_world(question->instruction, &run))
    return;
  if (!query_engine(indexer, question, (IndexMesh){run.replicas, run.partitions}, judgement))
    devices_reject(context, judgement, REASON_NO_MAPS);
  else if (judgement->maps.claim == INDEX_UNDEFINED)
    verdict_mark(&judgement->verdict, REASON_UNDEFINED);
  else if (!query_oracle(oracle, question, run, judgement))
    devices_reject(context, judgement, REASON_REJECTED);
}

bool devices_are_wrong(const DevicesJudgement *judgement) {
  VerdictReason reason = judgement->verdict.reason;
  return reason == REASON_NO_MAPS || reason == REASON_WRONG ||
         (reason == REASON_EXTRA && judgement->maps.claim == INDEX_EXACT);
}
