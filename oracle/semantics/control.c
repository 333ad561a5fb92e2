/* Control flow.
 * conditional: the branch is chosen by a value, so the output reads what any branch reads, and the
 * branch number.
 * while: the number of iterations is a value, and each iteration reads what the previous one has
 * written. What an output element reads is at most the initial state: the list is a bound. */
#include "oracle/semantics/reading.h"

bool read_conditional(Reading *reading) {
  const Node *node = reading->node;
  uint32_t branches = node->operand_count - node->instruction->operand_count;
  if (branches == 0) return read_unsupported(reading);
  assert(branches + 1 == node->instruction->operand_count);
  if (read_wants(reading, 0)) read_element(reading, 0, 0);
  for (uint32_t i = node->instruction->operand_count; i < node->operand_count; i++)
    if (read_wants(reading, i)) read_leaf_element(reading, i, reading->leaf, reading->element);
  return true;
}

bool read_while(Reading *reading) {
  const Node *state = reading->node->operands[0];
  reading->is_bound = true;
  for (uint32_t leaf = 0; leaf < state->leaf_count; leaf++)
    for (int64_t element = 0; element < state->leaves[leaf].elements; element++)
      read_leaf_element(reading, 0, leaf, element);
  return true;
}
