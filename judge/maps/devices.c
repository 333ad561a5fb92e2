/* Engine and oracle number the devices in the same form: replica and partition in front of the
 * index. */
#include "judge/maps/devices.h"

#include "oracle/semantics/replica.h"

static bool ask_engine(
    Indexer *indexer, const Question *question, IndexWorld run, DevicesJudgement *judgement) {
  const Question *q = question;
  if (q->direction == INPUT_TO_OUTPUT)
    return index_replicas_input_to_output(indexer, q->instruction, run, q->operand, q->operand_leaf,
        q->output, &judgement->maps, &judgement->error);
  return index_replicas_output_to_input(indexer, q->instruction, run, q->output, q->operand,
      q->operand_leaf, &judgement->maps, &judgement->error);
}

static bool ask_oracle(
    Oracle *oracle, const Question *question, ReplicaWorld run, DevicesJudgement *judgement) {
  const Question *q = question;
  const MapSet *maps = &judgement->maps;
  if (q->direction == INPUT_TO_OUTPUT)
    return replica_input_to_output(oracle, q->instruction, run, q->operand, q->operand_leaf,
        q->output, maps->count, maps->maps, &judgement->verdict, &judgement->error);
  return replica_output_to_input(oracle, q->instruction, run, q->output, q->operand,
      q->operand_leaf, maps->count, maps->maps, &judgement->verdict, &judgement->error);
}

void devices_judge(
    Indexer *indexer, Oracle *oracle, const Question *question, DevicesJudgement *judgement) {
  ReplicaWorld run;
  *judgement = (DevicesJudgement){.end = DEVICES_NONE};
  if (opcode_family(question->instruction->opcode) != FAMILY_COLLECTIVE ||
      !replica_smallest_world(question->instruction, &run))
    return;
  if (!ask_engine(indexer, question, (IndexWorld){run.replicas, run.partitions}, judgement))
    judgement->end = DEVICES_REJECTED;
  else if (judgement->maps.claim == INDEX_UNDEFINED) judgement->end = DEVICES_UNDEFINED;
  else
    judgement->end =
        ask_oracle(oracle, question, run, judgement) ? DEVICES_JUDGED : DEVICES_NOT_JUDGED;
}

bool devices_are_wrong(const DevicesJudgement *judgement) {
  if (judgement->end != DEVICES_JUDGED) return judgement->end == DEVICES_REJECTED;
  return judgement->verdict.reason == REASON_WRONG ||
         (judgement->verdict.reason == REASON_EXTRA && judgement->maps.claim == INDEX_EXACT);
}
