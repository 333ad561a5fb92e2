/* A drawn value is free if it does not depend on other drawn values and no earlier free draw
 * decides it. What a node depends on is a set of node numbers, made once for each node. */
#include "oracle/evaluate/free_draw.h"

#include "oracle/evaluate/sets.h"

/* Operations of which no rule states the value: another system or a state decides it. A custom call
 * of constants may return one of them. */
static bool is_opaque_source(const Node *node) {
  Opcode opcode = node->instruction->opcode;
  bool is_fixed = node->operand_count > 0;
  for (uint32_t i = 0; i < node->operand_count; i++)
    is_fixed = is_fixed && node->operands[i]->is_fixed;
  return (opcode == HLO_CUSTOM_CALL && !is_fixed) || opcode == HLO_INFEED || opcode == HLO_RECV ||
         opcode == HLO_RECV_DONE || opcode == HLO_RNG_GET_AND_UPDATE_STATE;
}

/* A node and everything that it depends on, by node number. Returns nullptr if the graph around the
 * judged instruction is too large. */
static const uint64_t *cone_of(Values *values, Node *node) {
  Flow *flow = values->flow;
  NodeList open = {};
  if (node->cone != nullptr) return node->cone;
  uint64_t *cone = ARENA_NEW(values->arena, uint64_t, bits_words(flow_max_nodes));
  *ARENA_PUSH(values->arena, &open) = node;
  for (uint32_t i = 0; i < open.count; i++) {
    Node *next = open.items[i], *outside = nullptr;
    Rejection before = *flow->rejection;
    if (next->is_input && !flow_outside(flow, next, &outside)) {
      *flow->rejection = before;
      return nullptr;
    }
    if (outside != nullptr) next = outside;
    if (bits_has(cone, next->number)) continue;
    bits_set(cone, next->number);
    for (uint32_t k = 0; k < next->operand_count; k++)
      *ARENA_PUSH(values->arena, &open) = next->operands[k];
  }
  node->cone = cone;
  return cone;
}

/* Two custom calls may call one function with equal operands. */
static bool may_be_equal(const Node *earlier, const Node *node) {
  return node->instruction->opcode == HLO_CUSTOM_CALL &&
         earlier->instruction->opcode == HLO_CUSTOM_CALL;
}

/* Whether `other` depends on `node`, or may. */
static bool decides(Values *values, const Node *node, Node *other) {
  const uint64_t *cone = cone_of(values, other);
  return cone == nullptr || bits_has(cone, node->number);
}

/* Adds a node to those drawn under this assignment, and notes whether earlier free draws decide
 * it. */
static void add_computed(Values *values, Node *node, bool is_free) {
  node->drawn = values->path;
  *ARENA_PUSH(values->arena, &values->computed) = node;
  if (is_free) return;
  for (uint32_t i = 0; i < values->position && !values->is_tangled; i++) {
    const ChosenValue *before = values->tape.items[i];
    values->is_tangled =
        before->is_free && before->node != node && decides(values, before->node, node);
  }
}

bool draw_is_free(Values *values, uint32_t number) {
  Node *node = values->flow->nodes.items[number];
  Opcode opcode = node->instruction->opcode;
  assert(node->number == number && !node->is_input);
  bool is_free = opcode == HLO_PARAMETER || is_opaque_source(node);
  for (uint32_t i = 0; i < values->computed.count; i++) {
    Node *earlier = values->computed.items[i];
    if (earlier == node) continue;
    bool is_equal = may_be_equal(earlier, node);
    values->is_tangled = values->is_tangled || is_equal;
    is_free = is_free && !is_equal && !decides(values, node, earlier);
  }
  if (opcode != HLO_PARAMETER && node->drawn != values->path) add_computed(values, node, is_free);
  return is_free;
}
