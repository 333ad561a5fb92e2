/* The sends that a receive may be paired with: those of its channel. The host is not part of the
 * graph. */
#include <string.h>

#include "smt/values/values.h"

static bool is_from_host(const Instruction *receive) {
  const Attribute *is_host = instruction_attribute(receive, "is_host_transfer");
  return is_host != nullptr && strcmp(is_host->text, "true") == 0;
}

ProofSends sends_to(ValuesProof *proof, const Instruction *receive) {
  ProofSends sends = {};
  const ProofComputations *graph = proof_is_first(proof, receive) ? &proof->first : &proof->second;
  if (receive->opcode != HLO_RECV || is_from_host(receive)) return sends;
  for (uint32_t i = 0; i < graph->count; i++) {
    const Computation *computation = graph->items[i];
    for (uint32_t k = 0; k < computation->instruction_count; k++) {
      const Instruction *send = computation->instructions[k];
      if (send->opcode == HLO_SEND && send->channel_id == receive->channel_id)
        *ARENA_PUSH(proof->arena, &sends) = send;
    }
  }
  return sends;
}
